// SPDX-License-Identifier: MIT
// Worker: the thread of one hardware queue. A kick costs the caller some tens of nanoseconds while the worker is awake;
// it stays awake for a while after its last work, because submissions come in bursts, and sleeps after that.
//
// `step` does what there is to do and returns. A step that waits for something must look at interrupted() and return
// soon when it is true; it is called again later.
#pragma once

#include <atomic>
#include <chrono>
#include <condition_variable>
#include <functional>
#include <mutex>
#include <thread>

namespace hcq::models::am {

class Worker {
 public:
  explicit Worker(std::function<void()> step) : step_(std::move(step)), thread_([this] { run(); }) {}
  ~Worker() { stop(); }
  Worker(const Worker&) = delete;
  Worker& operator=(const Worker&) = delete;

  // Thread-safe. What the caller stored before is seen by the step that follows.
  void kick() {
    kicks_.fetch_add(1, std::memory_order_seq_cst);
    if (asleep_.load(std::memory_order_seq_cst)) wake();
  }
  // Waits until no step runs and none starts before resume(). A step that has not come back after `patience` is told to
  // give up through `force`. Not from inside a step. Calls nest.
  void pause(std::chrono::milliseconds patience, std::atomic<bool>& force) {
    std::unique_lock lock(mutex_);
    interrupted_.store(true, std::memory_order_release);
    ++pauses_;
    kicks_.fetch_add(1, std::memory_order_seq_cst);
    wake_.notify_all();
    const auto idle = [this] { return !in_step_; };
    if (idle_.wait_for(lock, patience, idle)) return;
    force.store(true, std::memory_order_release);
    idle_.wait(lock, idle);
  }
  void resume() {
    {
      const std::lock_guard lock(mutex_);
      if (--pauses_ == 0 && !stop_) interrupted_.store(false, std::memory_order_release);
      kicks_.fetch_add(1, std::memory_order_seq_cst);
    }
    wake_.notify_all();
  }
  void stop() {
    {
      const std::lock_guard lock(mutex_);
      stop_ = true;
      interrupted_.store(true, std::memory_order_release);
      kicks_.fetch_add(1, std::memory_order_seq_cst);
    }
    wake_.notify_all();
    if (thread_.joinable()) thread_.join();
  }
  bool interrupted() const { return interrupted_.load(std::memory_order_acquire); }

 private:
  static constexpr auto kAwake = std::chrono::microseconds(50);

  void wake() {
    {
      const std::lock_guard lock(mutex_);
    }
    wake_.notify_all();
  }
  void run() {
    for (;;) {
      const auto seen = kicks_.load(std::memory_order_seq_cst);
      {
        std::unique_lock lock(mutex_);
        wake_.wait(lock, [this] { return stop_ || pauses_ == 0; });
        if (stop_) return;
        in_step_ = true;
      }
      step_();
      {
        const std::lock_guard lock(mutex_);
        in_step_ = false;
      }
      idle_.notify_all();
      if (spin(seen)) continue;
      std::unique_lock lock(mutex_);
      asleep_.store(true, std::memory_order_seq_cst);
      wake_.wait(lock, [&] { return stop_ || kicks_.load(std::memory_order_seq_cst) != seen; });
      asleep_.store(false, std::memory_order_seq_cst);
    }
  }
  // True when there is a new kick.
  bool spin(std::uint32_t seen) const {
    const auto end = std::chrono::steady_clock::now() + kAwake;
    do {
      for (int i = 0; i < 64; ++i) {
        if (kicks_.load(std::memory_order_acquire) != seen) return true;
#if defined(__x86_64__)
        __builtin_ia32_pause();
#endif
      }
    } while (std::chrono::steady_clock::now() < end);
    return false;
  }

  std::function<void()> step_;
  alignas(64) std::atomic<std::uint32_t> kicks_{0};
  std::atomic<bool> asleep_{false};
  alignas(64) std::atomic<bool> interrupted_{false};
  std::mutex mutex_;
  std::condition_variable wake_, idle_;
  unsigned pauses_ = 0;
  bool in_step_ = false, stop_ = false;
  std::thread thread_;
};

}  // namespace hcq::models::am
