// SPDX-License-Identifier: MIT
#include "hcq/retire.h"

#include <algorithm>
#include <iterator>

namespace hcq {

void RetireList::add(std::shared_ptr<void> storage, std::uint64_t last_submitted) {
  Entry e{std::move(storage), last_submitted, {}};
  for (unsigned q = 0; q < kQueues; ++q) {
    const std::uint64_t now = epoch_[q].load(std::memory_order_acquire);
    e.epoch[q] = now % 2 ? now : 0;
  }
  const std::lock_guard lock(mutex_);
  entries_.push_back(std::move(e));
}

// Whether all recordings that may name the storage have ended. When the last one does, the storage has to outlive what
// has been submitted by then.
bool RetireList::settled(Entry& entry, std::uint64_t last_submitted) const {
  for (unsigned q = 0; q < kQueues; ++q) {
    if (entry.epoch[q] == 0) continue;
    if (epoch_[q].load(std::memory_order_acquire) == entry.epoch[q]) return false;
    entry.epoch[q] = 0;
    entry.point = std::max(entry.point, last_submitted);
  }
  return true;
}

void RetireList::collect(std::uint64_t last_submitted, std::uint64_t reached) {
  std::vector<Entry> done;  // destroyed outside the lock: destructors may come back here
  {
    const std::lock_guard lock(mutex_);
    const auto keep = [&](Entry& e) { return !settled(e, last_submitted) || e.point > reached; };
    const auto mid = std::partition(entries_.begin(), entries_.end(), keep);
    std::move(mid, entries_.end(), std::back_inserter(done));
    entries_.erase(mid, entries_.end());
  }
}

void RetireList::clear() {
  std::vector<Entry> done;
  const std::lock_guard lock(mutex_);
  done.swap(entries_);
}

std::size_t RetireList::size() const {
  const std::lock_guard lock(mutex_);
  return entries_.size();
}

}  // namespace hcq
