// SPDX-License-Identifier: MIT
// Signals of one device: 16-byte slots (value, timestamp) in pages of host memory that the GPU maps uncached.
#pragma once

#include <cstdint>
#include <mutex>
#include <vector>

#include "base/error.h"
#include "drivers/am/memory/memory_manager.h"

namespace hcq::am {

class DeviceMemory;

class SignalSlab {
 public:
  struct Slot {
    std::byte* host = nullptr;  // value at 0, timestamp at 8
    std::uint64_t address = 0;  // for the GPU
  };
  explicit SignalSlab(DeviceMemory& memory) : memory_(memory) {}

  // Thread-safe. The slot's content is `initial` and 0.
  Result<Slot> take(std::uint64_t initial);
  void give_back(Slot slot);

 private:
  static constexpr std::uint64_t kSlotBytes = 16, kPageBytes = 16384;
  DeviceMemory& memory_;
  std::mutex mutex_;
  std::vector<std::shared_ptr<GpuMemory>> pages_;
  std::vector<Slot> free_;
};

}  // namespace hcq::am
