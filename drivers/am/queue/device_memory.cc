// SPDX-License-Identifier: MIT
#include "drivers/am/queue/device_memory.h"

#include "drivers/am/gpu.h"

namespace hcq::am {

Result<std::shared_ptr<GpuMemory>> DeviceMemory::track(Result<GpuMemoryRef> memory) {
  GpuMemoryRef owned = HCQ_TRY(std::move(memory));
  const std::lock_guard lock(mutex_);
  live_.insert(owned.get());
  return std::shared_ptr<GpuMemory>(owned.release(), [this](GpuMemory* m) {
    {
      const std::lock_guard inner(mutex_);
      live_.erase(m);
    }
    delete m;
  });
}

Result<std::shared_ptr<GpuMemory>> DeviceMemory::host(std::uint64_t bytes) {
  return track(gpu_.memory().alloc_host(bytes));
}

Result<std::shared_ptr<GpuMemory>> DeviceMemory::vram(std::uint64_t bytes, VramOptions options) {
  return track(gpu_.memory().alloc_vram(bytes, options));
}

Status DeviceMemory::detach_all() {
  const std::lock_guard lock(mutex_);
  Status first;
  for (GpuMemory* m : live_)
    if (Status s = gpu_.memory().detach(*m); !s && first.ok()) first = std::move(s);
  return first;
}

}  // namespace hcq::am
