// SPDX-License-Identifier: MIT
// Gmc: the memory hubs (MM for PSP, SMU, IH and media; GC for shaders, command processor and SDMA): where VRAM lies in
// the address space, apertures, VMID 0's page tables, TLB flushes.
#pragma once

#include <atomic>
#include <cstdint>
#include <mutex>

#include "base/error.h"

namespace hcq::am {

class Gpu;

// Where VRAM is: byte addresses.
struct FbLocation {
  std::uint64_t base = 0, end = 0;  // MC addresses of the first and last byte, of the whole hive where there is one
  std::uint64_t mc_offset = 0;      // what MC-addressed engines add to a VRAM offset
  std::uint64_t pa_offset = 0;      // what page tables add to a VRAM offset
};

class Gmc {
 public:
  explicit Gmc(Gpu& gpu) : gpu_(gpu) {}

  Result<FbLocation> locate();

  // Boot steps. The GC hub's registers exist only once the RLC has started.
  Status start_mm_hub();
  Status start_gc_hub();
  void stop_gc_hub();

  // Forgets cached translations of a VMID in both hubs. Thread-safe.
  Status flush_tlb(unsigned vmid = 0);

 private:
  Gpu& gpu_;
  std::atomic<bool> mm_started_{false}, gc_started_{false};
  std::mutex flush_;
};

}  // namespace hcq::am
