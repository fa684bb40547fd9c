// SPDX-License-Identifier: MIT
// A device's timeline: the order of its submissions as 64-bit numbers that never wrap, kept in a 32-bit cell that the
// device writes and compares (PM4 and SDMA waits compare 32 bits, unsigned, and never wrap round).
//
// Logical values start at 1 and are handed out by try_advance(). The cell holds logical - base. Before the difference
// would pass the limit, the owner drains everything that may wait on the cell, stores 0 into it and calls rebase(); the
// cell's address never changes. Only logical values leave the driver.
//
// Threads: every member may be called from any thread; rebase() only while nothing is outstanding.
#pragma once

#include <atomic>
#include <cassert>
#include <cstdint>
#include <optional>

#include "base/deadline.h"

namespace hcq {

class Timeline {
 public:
  static constexpr std::uint32_t kDefaultLimit = 1u << 31;

  // `limit`: the largest value that the cell may hold; lowered by tests.
  explicit Timeline(std::uint32_t limit = kDefaultLimit) : limit_(limit) { assert(limit > 0); }

  // The newest value handed out; 0 before the first.
  std::uint64_t last() const { return last_.load(std::memory_order_acquire); }

  // The next logical value, or nothing when the cell cannot hold it: drain, clear the cell, rebase(), try again.
  std::optional<std::uint64_t> try_advance();

  // What the cell holds, or what a device-side wait compares with, for a logical value. A value from before the last
  // rebase() is 0, which every ">=" wait finds satisfied.
  std::uint32_t raw(std::uint64_t logical) const;

  // The newest logical value that has been reached. `load` reads the cell with acquire order. Safe against a
  // concurrent rebase(): it may then say less than the truth, never more.
  template <class LoadCell>
  std::uint64_t reached(LoadCell&& load) const {
    for (;;) {
      const std::uint64_t before = base_.load(std::memory_order_acquire);
      const std::uint32_t cell = load();
      if (base_.load(std::memory_order_acquire) == before) return before + cell;
    }
  }

  // Precondition: all values up to last() are reached and the cell has been set to 0.
  void rebase();

 private:
  const std::uint32_t limit_;
  std::atomic<std::uint64_t> last_{0};
  std::atomic<std::uint64_t> base_{0};
};

// A deadline that counts from the last progress: it starts anew whenever the watched value changes. Slow but alive is
// no time-out.
class ProgressDeadline {
 public:
  ProgressDeadline(Clock::duration timeout, std::uint64_t value)
      : timeout_(timeout), value_(value), since_(Clock::now()) {}

  bool expired(std::uint64_t value) {
    const auto now = Clock::now();
    if (value != value_) {
      value_ = value;
      since_ = now;
    }
    return now - since_ >= timeout_;
  }

  // Until expiry if nothing changes.
  Clock::duration remaining() const {
    const auto gone = Clock::now() - since_;
    return gone >= timeout_ ? Clock::duration::zero() : timeout_ - gone;
  }

 private:
  Clock::duration timeout_;
  std::uint64_t value_;
  Clock::time_point since_;
};

}  // namespace hcq
