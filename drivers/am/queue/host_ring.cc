// SPDX-License-Identifier: MIT
#include "drivers/am/queue/host_ring.h"

namespace hcq::am {

Result<HostRing> HostRing::make(DeviceMemory& memory, std::uint32_t bytes, unsigned unit, pci::Mmio doorbell) {
  assert(is_pow2(bytes) && bytes >= 4096);
  if (!doorbell.valid())
    return Error{.code = Errc::unsupported,
                 .operation = "create queue",
                 .subject = "BAR 2",
                 .detail = "the doorbell BAR is too small for the queue's doorbell"};
  HostRing r;
  r.memory_ = HCQ_TRY(memory.host(bytes + 4096));
  r.ring_ = reinterpret_cast<std::uint32_t*>(r.memory_->host());
  r.wptr_ = reinterpret_cast<std::uint64_t*>(r.memory_->host() + bytes + kWptr);
  r.dwords_ = bytes / 4;
  r.unit_ = unit;
  r.doorbell_ = doorbell;
  return r;
}

std::uint64_t HostRing::reported_rptr() const {
  return __atomic_load_n(reinterpret_cast<const std::uint64_t*>(memory_->host() + dwords_ * 4ull + kRptr),
                         __ATOMIC_ACQUIRE);
}

}  // namespace hcq::am
