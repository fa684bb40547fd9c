// SPDX-License-Identifier: MIT
// Which sectors of a chip have to be written, and in which order. An image must not look whole before it is: its first
// sector, with the structure that everything is found by, is erased before anything else is touched and written last,
// whether it differs or not; the tables follow the content that they describe.
#pragma once

#include <cstdint>
#include <vector>

#include "base/bytes.h"

namespace hcq::flash {

inline constexpr std::uint32_t kSector = 4096;

// Addresses of the sectors in which the two differ, ascending. Equal sizes, whole sectors.
std::vector<std::uint32_t> differing_sectors(Bytes a, Bytes b);

// After sector 0 has been erased: the sectors to erase and program, sector 0 last. Empty when there is nothing to do.
std::vector<std::uint32_t> write_order(std::vector<std::uint32_t> sectors);

}  // namespace hcq::flash
