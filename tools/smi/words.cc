// SPDX-License-Identifier: MIT
#include "tools/smi/words.h"

#include <algorithm>

#include "tools/smi/lib/known.h"

namespace hcq::smi {

namespace {

std::string with_dashes(std::string word) {
  const std::size_t value = word.find('=');
  std::replace(word.begin(), value == std::string::npos ? word.end() : word.begin() + static_cast<long>(value), '_',
               '-');
  return word;
}

}  // namespace

Words normalised(int argc, const char* const* argv) {
  Words result;
  bool command_seen = false;
  for (int i = 1; i < argc; ++i) {
    std::string word = argv[i];
    if (!command_seen && word[0] != '-') {
      if (result.family.empty())
        if (result.family = family_of_word(word); !result.family.empty()) continue;
      command_seen = true;
      word = with_dashes(word);
    } else if (word.starts_with("--")) {
      word = with_dashes(word);
    }
    result.words.push_back(std::move(word));
  }
  return result;
}

}  // namespace hcq::smi
