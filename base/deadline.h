// SPDX-License-Identifier: MIT
// A point in time after which a wait must end. Every wait in hcq takes one.
#pragma once

#include <chrono>
#include <thread>

namespace hcq {

using Clock = std::chrono::steady_clock;

class Deadline {
 public:
  static Deadline in(Clock::duration d) { return Deadline{Clock::now() + d}; }
  static Deadline at(Clock::time_point t) { return Deadline{t}; }
  bool expired() const { return Clock::now() >= t_; }
  Clock::time_point when() const { return t_; }
  Clock::duration remaining() const {
    const auto now = Clock::now();
    return now >= t_ ? Clock::duration::zero() : t_ - now;
  }

 private:
  explicit Deadline(Clock::time_point t) : t_(t) {}
  Clock::time_point t_;
};

// Waits between two looks at a condition: a short spin first (device answers usually come within microseconds), then
// yields, then sleeps of up to 1 ms so that a long wait does not cost a core.
class Backoff {
 public:
  void pause() {
    ++n_;
    if (n_ < 64) return;
    if (n_ < 256) {
      std::this_thread::yield();
      return;
    }
    std::this_thread::sleep_for(std::chrono::microseconds(n_ < 1024 ? 50 : 1000));
  }

 private:
  unsigned n_ = 0;
};

}  // namespace hcq
