// SPDX-License-Identifier: MIT
// PCI expansion ROMs inside a firmware image: they say which board an image was made for.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "base/bytes.h"

namespace hcq::am::flash {

struct ExpansionRom {
  std::uint32_t offset = 0, size = 0;
  std::uint16_t vendor = 0, device = 0;
  std::uint16_t subsystem_vendor = 0, subsystem_device = 0;  // 0 without an ATOM header
  std::string part_number{};                                 // printable characters only
  bool checksum_matches = false;                             // all bytes add up to 0
  bool length_matches = false;                               // both places that say the ROM's length agree
};

// All ROMs of an image, in order. Trusts nothing.
std::vector<ExpansionRom> find_expansion_roms(Bytes image);

}  // namespace hcq::am::flash
