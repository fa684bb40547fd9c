// SPDX-License-Identifier: MIT
// The memory of one hardware queue: a ring of dwords in host memory, and behind it a page with the write pointer (host
// to device) and the read pointer that the device reports. Positions are dwords and only grow.
#pragma once

#include <cstdint>

#include "base/error.h"
#include "drivers/am/queue/device_memory.h"
#include "drivers/pci/mmio.h"

namespace hcq::am {

class HostRing {
 public:
  // `unit` is what the hardware counts pointers in: 1 for dwords (PM4), 4 for bytes (SDMA). `doorbell` is the queue's
  // 8-byte slot in BAR 2.
  static Result<HostRing> make(DeviceMemory& memory, std::uint32_t bytes, unsigned unit, pci::Mmio doorbell);

  std::uint64_t address() const { return memory_->address(); }
  std::uint32_t dwords() const { return dwords_; }
  // Laid out as in amd_queue_t (write index at 0x38, read index at 0x80), which the command processor expects round it.
  std::uint64_t wptr_address() const { return memory_->address() + dwords_ * 4ull + kWptr; }
  std::uint64_t rptr_address() const { return memory_->address() + dwords_ * 4ull + kRptr; }
  std::uint32_t* at(std::uint64_t position) { return ring_ + (position & (dwords_ - 1)); }
  std::uint64_t to_end(std::uint64_t position) const { return dwords_ - (position & (dwords_ - 1)); }
  std::uint64_t reported_rptr() const;  // raw, as the device wrote it

  // Hands everything before `position` to the device: one fence, the write pointer, one doorbell.
  void ring_doorbell(std::uint64_t position) {
    __atomic_store_n(wptr_, position * unit_, __ATOMIC_RELEASE);
    pci::publish();
    doorbell_.write64(0, position * unit_);
  }

 private:
  static constexpr std::uint64_t kWptr = 0x38, kRptr = 0x80;
  HostRing() = default;
  std::shared_ptr<GpuMemory> memory_;
  std::uint32_t* ring_ = nullptr;
  std::uint64_t* wptr_ = nullptr;
  std::uint32_t dwords_ = 0;
  unsigned unit_ = 1;
  pci::Mmio doorbell_;
};

}  // namespace hcq::am
