// SPDX-License-Identifier: MIT
// Waiting between threads of the CPU device: a short spin, then a futex. A thread spins at most 10 microseconds, and
// never more threads than there are cores: a spinner that takes a core from the thread it waits for makes a microsecond
// into half a millisecond.
#pragma once

#include <linux/futex.h>
#include <sys/syscall.h>
#include <unistd.h>

#include <atomic>
#include <climits>
#include <cstdint>
#include <ctime>

#include "base/deadline.h"

namespace hcq::cpu {

inline void cpu_relax() {
#if defined(__x86_64__)
  __builtin_ia32_pause();
#else
  std::atomic_signal_fence(std::memory_order_seq_cst);
#endif
}

inline constexpr std::chrono::microseconds kSpin{10};

// How many threads of one device may spin at the same time.
class SpinBudget {
 public:
  explicit SpinBudget(unsigned limit) : left_(static_cast<int>(limit)) {}
  bool take() {
    if (left_.fetch_sub(1, std::memory_order_relaxed) > 0) return true;
    give();
    return false;
  }
  void give() { left_.fetch_add(1, std::memory_order_relaxed); }

 private:
  std::atomic<int> left_;
};

// A counter that threads sleep on. notify() after changing the state; wait() re-checks the state before it sleeps, so
// no change is missed. notify() is one atomic add and, only if somebody sleeps, one system call.
class Event {
 public:
  void notify() {
    word_.fetch_add(1, std::memory_order_seq_cst);
    if (sleepers_.load(std::memory_order_seq_cst) != 0)
      syscall(SYS_futex, &word_, FUTEX_WAKE_PRIVATE, INT_MAX, nullptr, nullptr, 0);
  }

  // Returns done() as last seen: true at once or when it becomes true within `slice`.
  template <class Done>
  bool wait(SpinBudget& budget, Clock::duration slice, Done&& done) {
    if (done()) return true;
    if (budget.take()) {
      const auto until = Clock::now() + kSpin;
      bool seen = false;
      do {
        for (int i = 0; i < 16 && !seen; ++i) {
          cpu_relax();
          seen = done();
        }
      } while (!seen && Clock::now() < until);
      budget.give();
      if (seen) return true;
    }
    const auto until = Clock::now() + slice;
    for (;;) {
      sleepers_.fetch_add(1, std::memory_order_seq_cst);
      const std::uint32_t word = word_.load(std::memory_order_seq_cst);
      const bool now_done = done();
      const auto left = until - Clock::now();
      if (!now_done && left > Clock::duration::zero()) sleep(word, left);
      sleepers_.fetch_sub(1, std::memory_order_seq_cst);
      if (now_done) return true;
      if (left <= Clock::duration::zero()) return false;
    }
  }

 private:
  void sleep(std::uint32_t word, Clock::duration d) {
    const auto ns = std::chrono::duration_cast<std::chrono::nanoseconds>(d).count();
    const timespec t{static_cast<time_t>(ns / 1'000'000'000), static_cast<long>(ns % 1'000'000'000)};
    syscall(SYS_futex, &word_, FUTEX_WAIT_PRIVATE, word, &t, nullptr, 0);
  }

  std::atomic<std::uint32_t> word_{0};
  std::atomic<std::uint32_t> sleepers_{0};
};

}  // namespace hcq::cpu
