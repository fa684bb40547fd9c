// SPDX-License-Identifier: MIT
// The sums that firmware images carry, and the hash that names a file.
#pragma once

#include <array>
#include <cstdint>
#include <string>

#include "base/bytes.h"

namespace hcq::am::flash {

// Fletcher-32 as AMD's images use it: little-endian 16-bit words, both sums start at 0xffff. An odd last byte counts as
// the low half of a word.
std::uint32_t fletcher32(Bytes data);

std::array<std::byte, 32> sha256(Bytes data);
std::string hex(Bytes data);  // lower case, no separators
inline std::string sha256_hex(Bytes data) { return hex(sha256(data)); }

}  // namespace hcq::am::flash
