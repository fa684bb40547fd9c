// SPDX-License-Identifier: MIT
// The video BIOS of the board: an ATOM image with the data tables that drivers read (clocks, memory, reserved memory),
// no display, and commands that do nothing, because the board's own firmware has brought the chip up already.
#pragma once

#include <cstddef>
#include <vector>

#include "models/am/registers.h"

namespace hcq::models::am {

struct VbiosFacts {
  std::uint32_t vram_mib = 0;
  std::uint32_t reserved_kib = 0;   // of VRAM, at its end, kept by the board's firmware
  std::uint32_t scratch_dword = 0;  // BIOS_SCRATCH_0
  std::uint16_t vendor = 0, device = 0, subsystem_vendor = 0, subsystem = 0;
};

// A whole option ROM image, checksum included.
std::vector<std::byte> make_vbios(const VbiosFacts& facts);

}  // namespace hcq::models::am
