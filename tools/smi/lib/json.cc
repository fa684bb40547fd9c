// SPDX-License-Identifier: MIT
#include "tools/smi/lib/json.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>

namespace hcq::smi {

json holder_json(const pci::LockHolder& holder) {
  json j = {{"certain", holder.certain}};
  if (holder.pid != 0) j["pid"] = holder.pid;
  put(j, "command", holder.command);
  return j;
}

json error_json(const Error& e) {
  json j = {{"code", errc_name(e.code)}, {"message", describe(e)}};
  put(j, "address", e.device);
  return j;
}

std::string printable(std::string text) {
  const auto control = [](unsigned char c) { return c < 0x20 || c == 0x7f; };
  std::replace_if(text.begin(), text.end(), control, '?');
  return text;
}

std::string size_text(std::uint64_t bytes) {
  constexpr std::array kUnits{"B", "K", "M", "G", "T"};
  std::size_t unit = 0;
  while (unit + 1 < kUnits.size() && bytes >= 1024 && bytes % 1024 == 0) bytes /= 1024, ++unit;
  return fmt::format("{}{}", bytes, kUnits[unit]);
}

std::string table_text(const std::vector<std::vector<std::string>>& rows) {
  std::vector<std::size_t> width;
  for (const auto& r : rows) {
    width.resize(std::max(width.size(), r.size()));
    for (std::size_t i = 0; i < r.size(); ++i) width[i] = std::max(width[i], r[i].size());
  }
  std::string text;
  for (const auto& r : rows) {
    for (std::size_t i = 0; i + 1 < r.size(); ++i) text += fmt::format("{:<{}}  ", r[i], width[i]);
    text += r.back() + "\n";
  }
  return text;
}

}  // namespace hcq::smi
