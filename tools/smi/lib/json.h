// SPDX-License-Identifier: MIT
// JSON as hcq-smi writes it: what is not known is absent (never null, never a zero that was not read), units are in the
// key names, and strings of other processes need not be UTF-8.
#pragma once

#include <cstdint>
#include <nlohmann/json.hpp>
#include <string>

#include "base/error.h"
#include "drivers/pci/lock.h"

namespace hcq::smi {

using nlohmann::json;

// One document over several lines, or on one line (for streams); with a newline at the end.
inline std::string document(const json& j) { return j.dump(2, ' ', false, json::error_handler_t::replace) + "\n"; }
inline std::string line(const json& j) { return j.dump(-1, ' ', false, json::error_handler_t::replace) + "\n"; }

inline void put(json& j, const char* key, const std::string& text) {
  if (!text.empty()) j[key] = text;
}
inline void put(json& j, const char* key, unsigned number) {
  if (number != 0) j[key] = number;
}

json holder_json(const pci::LockHolder& holder);
json error_json(const Error& e);

// Control characters of strings that come from elsewhere become '?': nothing may reach the terminal as a sequence.
std::string printable(std::string text);

// "24G", "512M", "4097B": exact, with the largest unit that divides.
std::string size_text(std::uint64_t bytes);

// Rows of equal length as columns, two blanks between; the last column is not padded.
std::string table_text(const std::vector<std::vector<std::string>>& rows);

}  // namespace hcq::smi
