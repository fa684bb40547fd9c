// SPDX-License-Identifier: MIT
// Flash chips by JEDEC id. A chip that is not here is still read; it is written only when its SFDP table declares its
// size and a 4 KiB erase, and its status registers follow the family's layout only where the row says so.
#pragma once

#include <array>
#include <cstdint>

namespace hcq::spi {

struct KnownChip {
  std::array<std::uint8_t, 3> jedec;
  const char* name;
  std::uint32_t bytes;
  bool gd25_protection;  // protected_range() holds for it
};

// Sources: the vendors' data sheets as listed by flashrom 1.3 (ids and sizes).
inline constexpr std::array kChips{
    KnownChip{{0xc8, 0x60, 0x15}, "GigaDevice GD25LQ16", 2u << 20, true},
    KnownChip{{0xc8, 0x60, 0x14}, "GigaDevice GD25LQ80", 1u << 20, true},
    KnownChip{{0xc8, 0x60, 0x13}, "GigaDevice GD25LQ40", 512u << 10, true},
    KnownChip{{0xc8, 0x60, 0x16}, "GigaDevice GD25LQ32", 4u << 20, true},
    KnownChip{{0xef, 0x60, 0x15}, "Winbond W25Q16JW", 2u << 20, false},
    KnownChip{{0xc2, 0x25, 0x35}, "Macronix MX25U1635", 2u << 20, false},
};

}  // namespace hcq::spi
