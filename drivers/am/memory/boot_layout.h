// SPDX-License-Identifier: MIT
// BootLayout: where the things that must survive a warm start lie in VRAM. They are placed in a fixed order from
// offset 0, so that a later process finds the same addresses; a change of order or size must bump kBootAbi.
#pragma once

#include <cstdint>

#include "base/error.h"
#include "drivers/am/chip.h"

namespace hcq::am {

// Written to SCRATCH_REG7 after a complete boot; a warm start is only tried when it matches.
inline constexpr std::uint32_t kBootAbi = 0x48510001;

struct Region {
  std::uint64_t paddr = 0, bytes = 0;
  std::uint64_t end() const { return paddr + bytes; }
};

struct BootLayout {
  Region root_table;
  Region scratch_page;  // target of unmapped accesses below the system aperture's default address
  Region dummy_page;    // target of faulting accesses
  struct {
    Region ring, writeback;
  } ih[2];
  Region psp_message;  // one firmware image at a time, 1 MiB, 1 MiB aligned
  Region psp_command, psp_fence, psp_ring;
  Region tmr;  // trusted memory region; bytes is what is reserved, the firmware says what it needs
  Region smu_table;
  Region mqd[2];  // queue descriptors, a page for each XCC
  std::uint64_t end = 0;

  Region tables;   // page-table pages; empty when they come from the general area
  Region general;  // everything else
};

inline constexpr std::uint64_t kBootAreaBytes = 32ull << 20;

struct LayoutInput {
  std::uint64_t vram_bytes = 0, visible_bytes = 0;
  std::uint64_t top_reserve = 0;  // at the end of VRAM: firmware's own regions and the discovery table
  unsigned xcc_count = 1;
};
Result<BootLayout> make_boot_layout(const LayoutInput& input);

}  // namespace hcq::am
