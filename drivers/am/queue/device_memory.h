// SPDX-License-Identifier: MIT
// All GPU memory that a device's users and queues hold, so that closing the device can take the mappings down while
// handles still exist. Thread-safe.
#pragma once

#include <memory>
#include <mutex>
#include <unordered_set>

#include "base/error.h"
#include "drivers/am/memory/memory_manager.h"

namespace hcq::am {

class Gpu;

class DeviceMemory {
 public:
  explicit DeviceMemory(Gpu& gpu) : gpu_(gpu) {}

  // The result must not outlive this object.
  Result<std::shared_ptr<GpuMemory>> host(std::uint64_t bytes);
  Result<std::shared_ptr<GpuMemory>> vram(std::uint64_t bytes, VramOptions options = {});

  // Unmaps everything; host memory stays readable by its holders. Returns the first error.
  Status detach_all();

 private:
  Result<std::shared_ptr<GpuMemory>> track(Result<GpuMemoryRef> memory);

  Gpu& gpu_;
  std::mutex mutex_;
  std::unordered_set<GpuMemory*> live_;
};

}  // namespace hcq::am
