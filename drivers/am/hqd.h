// SPDX-License-Identifier: MIT
// Hardware queue descriptors: what a compute queue is to the command processor. A queue is described by an MQD in VRAM
// (abi/mqd.h), loaded into the HQD registers of its slot, and switched on.
#pragma once

#include <cstdint>

#include "base/error.h"
#include "drivers/am/mqd.h"

namespace hcq::am {

class Gpu;

// Writes the MQD to VRAM at `paddr`, loads it into slot `queue` of MEC 1, pipe 0, and activates it.
Status activate_hqd(Gpu& gpu, const Mqd& mqd, std::uint64_t paddr, std::uint32_t queue);

// Takes slot `queue` down if it is active: its waves are reset and its work is lost. Waits a bounded time.
Status dequeue_hqd(Gpu& gpu, std::uint32_t queue);

}  // namespace hcq::am
