// SPDX-License-Identifier: MIT
#include "tools/smi/text.h"

#include <algorithm>

namespace hcq::smi {

std::string printable(std::string text) {
  const auto control = [](unsigned char c) { return c < 0x20 || c == 0x7f; };
  std::replace_if(text.begin(), text.end(), control, '?');
  return text;
}

}  // namespace hcq::smi
