// SPDX-License-Identifier: MIT
// Data that both sides can make from a seed and compare.
#pragma once

#include <cstddef>
#include <cstdint>
#include <span>

namespace vm {

inline std::byte pattern(std::size_t i, std::uint64_t seed) {
  return static_cast<std::byte>(((i * 2654435761u) ^ (seed * 40503u + 17)) >> 7);
}
inline void fill_pattern(std::span<std::byte> data, std::uint64_t seed) {
  for (std::size_t i = 0; i < data.size(); ++i) data[i] = pattern(i, seed);
}
// The first byte that differs, or -1.
inline long find_mismatch(std::span<const std::byte> data, std::uint64_t seed) {
  for (std::size_t i = 0; i < data.size(); ++i)
    if (data[i] != pattern(i, seed)) return static_cast<long>(i);
  return -1;
}

}  // namespace vm
