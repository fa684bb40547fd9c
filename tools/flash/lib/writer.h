// SPDX-License-Identifier: MIT
// Writing sectors so that each is known to be right before the next one is touched: erase, see that it is blank,
// program, read back. A sector that does not become right is tried again a few times.
#pragma once

#include <cstdint>
#include <functional>

#include "drivers/spi/nor.h"
#include "tools/flash/lib/plan.h"

namespace hcq::flash {

// How a job tells what it is doing; `phase` stays the same while `done` runs to `total` (bytes).
using Progress = std::function<void(const char* phase, std::uint64_t done, std::uint64_t total)>;

inline constexpr unsigned kTries = 3;

// Erases the sector at `address` and sees that it is blank. The first sector loses its first dword before.
// Errc::device_fault with offset, expected, found and the number of wrong bytes.
Status erase_checked(spi::Nor& nor, std::uint32_t address);

// Makes the sector hold `content` (4096 bytes).
Status write_sector(spi::Nor& nor, std::uint32_t address, Bytes content);

// The whole chip, once.
Status read_chip(spi::Nor& nor, MutableBytes out, const char* phase, const Progress& progress);

// The first byte in which the two differ, and how many do.
struct Difference {
  std::uint32_t offset = 0, count = 0;
  std::uint8_t expected = 0, actual = 0;
};
std::optional<Difference> compare(Bytes expected, Bytes actual);

}  // namespace hcq::flash
