// SPDX-License-Identifier: MIT
// SDMA engine 0 and its queue 0: the copy engine. Boot steps start and stop the engine; a queue's ring is set up after
// boot. Order and values: sdma_v6_0.c of Linux 6.12.
#pragma once

#include <cstdint>

#include "base/error.h"

namespace hcq::am {

class Gpu;

namespace sdma {

Status start_engine(Gpu& gpu);
void stop_engine(Gpu& gpu);  // undo: queue off, engine reset

struct RingConfig {
  std::uint64_t ring = 0;         // GPU address, a multiple of 256
  std::uint32_t ring_dwords = 0;  // a power of two
  std::uint64_t rptr = 0;         // GPU address that the read pointer (in bytes) is reported to
  std::uint64_t wptr = 0;         // GPU address of the write pointer (in bytes)
  std::uint32_t doorbell = 0;     // slot in BAR 2
};
Status start_ring(Gpu& gpu, const RingConfig& config);
Status stop_ring(Gpu& gpu);

}  // namespace sdma
}  // namespace hcq::am
