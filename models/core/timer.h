// SPDX-License-Identifier: MIT
// Timer: things that happen in a model a little later than the access that caused them. One thread; delays are drawn
// from a range with a seed, so that interleavings vary between seeds and a driver cannot rely on one of them.
#pragma once

#include <chrono>
#include <condition_variable>
#include <cstdint>
#include <functional>
#include <mutex>
#include <random>
#include <thread>
#include <vector>

namespace hcq::models {

class Timer {
 public:
  explicit Timer(std::uint64_t seed);
  ~Timer();  // pending work is dropped; work that is running is waited for
  Timer(const Timer&) = delete;
  Timer& operator=(const Timer&) = delete;

  // Runs `work` once on the timer's thread, at a random moment between `least` and `most` from now. Work runs in the
  // order of its moments and one piece at a time. Thread-safe; work may call it.
  void after(std::chrono::microseconds least, std::chrono::microseconds most, std::function<void()> work);
  // Drops what has not started. Called from outside the timer's thread it also waits for the piece that is running.
  void cancel_all();
  // Starts nothing new until release(), and returns when nothing is running. Not from inside work.
  void hold();
  void release();
  void stop();  // ends the thread; nothing runs afterwards. Idempotent.
  // A number in [0, bound), from the seed. Thread-safe.
  std::uint64_t random(std::uint64_t bound);

 private:
  using Time = std::chrono::steady_clock::time_point;
  struct Item {
    Time when;
    std::uint64_t order;
    std::function<void()> work;
  };
  void run();

  std::mutex mutex_;
  std::condition_variable wake_, idle_;
  std::vector<Item> heap_;
  std::mt19937_64 rng_;
  std::uint64_t next_order_ = 0;
  bool running_ = false, stop_ = false, held_ = false;
  std::thread thread_;
};

}  // namespace hcq::models
