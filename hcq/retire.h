// SPDX-License-Identifier: MIT
// RetireList: storage that nobody holds any more but that submitted work may still use, until the device's timeline has
// passed it. Dropping a handle therefore never waits.
//
// A queue that is being recorded may name storage that is dropped before its submit; the submission's timeline value is
// not known yet. Each queue has an epoch counter that is odd while it records; storage dropped meanwhile first waits
// for the counter to move on, and then for the timeline.
//
// Thread-safe. Not on the submit path.
#pragma once

#include <array>
#include <atomic>
#include <cstdint>
#include <memory>
#include <mutex>
#include <vector>

namespace hcq {

class RetireList {
 public:
  static constexpr unsigned kQueues = 2;

  // Called by a queue when it starts to record, and after it has submitted or dropped what it recorded.
  void begin_recording(unsigned queue) { epoch_[queue].fetch_add(1, std::memory_order_acq_rel); }
  void end_recording(unsigned queue) { epoch_[queue].fetch_add(1, std::memory_order_acq_rel); }

  void add(std::shared_ptr<void> storage, std::uint64_t last_submitted);
  // Frees what the timeline has passed. `last_submitted` must be read before `reached`.
  void collect(std::uint64_t last_submitted, std::uint64_t reached);
  // Frees everything: the device is idle for good.
  void clear();
  std::size_t size() const;

 private:
  struct Entry {
    std::shared_ptr<void> storage;
    std::uint64_t point;
    std::array<std::uint64_t, kQueues> epoch;  // 0: nothing to wait for
  };
  bool settled(Entry& entry, std::uint64_t last_submitted) const;

  std::array<std::atomic<std::uint64_t>, kQueues> epoch_{};
  mutable std::mutex mutex_;
  std::vector<Entry> entries_;
};

}  // namespace hcq
