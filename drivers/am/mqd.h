// SPDX-License-Identifier: MIT
// The MQD: 512 dwords that describe a compute queue to the command processor. Layout: abi/mqd.h.
#pragma once

#include <array>
#include <cstdint>

#include "drivers/am/abi/mqd.h"
#include "drivers/am/regs/register.h"

namespace hcq::am {

struct HqdConfig {
  std::uint64_t mqd_mc = 0;       // MC address of the MQD
  std::uint64_t ring = 0;         // GPU address of the ring, a multiple of 256
  std::uint32_t ring_dwords = 0;  // a power of two
  std::uint64_t rptr = 0;         // GPU address that the read pointer is reported to
  std::uint64_t wptr = 0;         // GPU address of the write pointer
  std::uint64_t eop = 0;          // GPU address of the end-of-pipe buffer, a multiple of 256
  std::uint32_t eop_bytes = 0;    // a power of two, at most 8 KiB
  std::uint32_t doorbell = 0;     // slot in BAR 2
};

using Mqd = std::array<std::uint32_t, abi::mqd::kDwords>;

// The MQD of a PM4 queue in VMID 0.
Mqd build_mqd(const regs::RegisterMap& map, const HqdConfig& config);

}  // namespace hcq::am
