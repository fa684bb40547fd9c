// SPDX-License-Identifier: MIT
#include "drivers/am/queue/signal_slab.h"

#include "drivers/am/queue/device_memory.h"

namespace hcq::am {

Result<SignalSlab::Slot> SignalSlab::take(std::uint64_t initial) {
  const std::lock_guard lock(mutex_);
  if (free_.empty()) {
    auto page = HCQ_TRY(memory_.host(kPageBytes));
    for (std::uint64_t at = kPageBytes; at != 0; at -= kSlotBytes)
      free_.push_back({page->host() + at - kSlotBytes, page->address() + at - kSlotBytes});
    pages_.push_back(std::move(page));
  }
  const Slot slot = free_.back();
  free_.pop_back();
  __atomic_store_n(reinterpret_cast<std::uint64_t*>(slot.host), initial, __ATOMIC_RELEASE);
  __atomic_store_n(reinterpret_cast<std::uint64_t*>(slot.host + 8), 0, __ATOMIC_RELEASE);
  return slot;
}

void SignalSlab::give_back(Slot slot) {
  const std::lock_guard lock(mutex_);
  free_.push_back(slot);
}

}  // namespace hcq::am
