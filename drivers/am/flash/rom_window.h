// SPDX-License-Identifier: MIT
// Reading the flash through ROM_INDEX and ROM_DATA, which works while the board runs from it. Sources contradict each
// other about this path: the vendor's driver writes ROM_INDEX plainly, a published tool writes it with its bytes
// reversed and restores with reversed bytes. Natural order is the default; which one is right for a board is decided by
// content, which the caller checks.
#pragma once

#include <cstdint>
#include <functional>
#include <string>

#include "drivers/am/flash/board.h"

namespace hcq::am::flash {

enum class RomOrder : std::uint8_t {
  automatic,  // natural; swapped when the window does not advance that way
  natural,    // values as the headers describe them
  swapped,    // bytes of what is written to ROM_CNTL and ROM_INDEX reversed
};

// Fills `out` from offset 0 of the flash on; a multiple of 64 KiB. ROM_CNTL and ROM_INDEX are put back, also on
// failure. Errc::refused when the window reads all ones (the function's own ROM aperture is no substitute),
// Errc::device_fault when it does not advance.
Status read_rom_window(Board& board, RomOrder order, MutableBytes out,
                       const std::function<void(std::uint64_t)>& progress);

// Ok when `content` can be the whole flash: it begins with the embedded firmware structure, and its halves differ
// (equal halves are an aperture of half the size, seen twice).
Status check_rom_content(const std::string& device, Bytes content);

}  // namespace hcq::am::flash
