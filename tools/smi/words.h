// SPDX-License-Identifier: MIT
// The forms of the command line that scripts for other layouts use, brought into ours before parsing.
#pragma once

#include <string>
#include <vector>

namespace hcq::smi {

struct Words {
  std::string family;              // of a leading vendor word: "amd", "NV"; empty: none was there
  std::vector<std::string> words;  // the rest, with '-' for '_' in the command and in the names of long options
};
Words normalised(int argc, const char* const* argv);

}  // namespace hcq::smi
