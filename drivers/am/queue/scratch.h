// SPDX-License-Identifier: MIT
// Scratch: the memory behind the private segments of all work-items that can run at once. Programs that use private
// memory share one buffer; it grows when a program needs more for each work-item, and the old one goes when the last
// program that was loaded with it does.
#pragma once

#include <cstdint>
#include <memory>
#include <mutex>

#include "base/error.h"
#include "drivers/am/chip.h"
#include "drivers/am/memory/memory_manager.h"
#include "drivers/am/pm4.h"

namespace hcq::am {

class Core;

struct ScratchSize {
  std::uint64_t bytes = 0;           // of the buffer
  std::uint32_t bytes_per_item = 0;  // private memory of a work-item that it serves
  std::uint32_t tmpring = 0;         // COMPUTE_TMPRING_SIZE
};
// For work-items of `private_bytes` (> 0) on this chip. Waves beyond what fits `budget` bytes wait for scratch instead
// of running at once; Errc::no_memory, with numbers, if not even one wave per shader engine fits.
Result<ScratchSize> scratch_size(const GfxConfig& gfx, std::uint32_t private_bytes, std::uint64_t budget);

struct ScratchBuffer {
  ScratchSize size;
  std::shared_ptr<GpuMemory> memory;
  pm4::Scratch state() const { return {memory->address(), size.tmpring}; }
};

class Scratch {
 public:
  // A buffer that serves `private_bytes`: the present one or a new, larger one. Thread-safe.
  Result<std::shared_ptr<ScratchBuffer>> get(Core& core, std::uint32_t private_bytes);
  void clear();

 private:
  std::mutex mutex_;
  std::shared_ptr<ScratchBuffer> current_;
};

}  // namespace hcq::am
