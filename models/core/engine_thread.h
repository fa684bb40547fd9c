// SPDX-License-Identifier: MIT
// EngineThread: a thread of a model that works when kicked and sleeps otherwise, for command processors and copy
// engines. `step` does a bounded piece of work and returns whether there is more to do at once.
#pragma once

#include <atomic>
#include <chrono>
#include <condition_variable>
#include <functional>
#include <mutex>
#include <thread>

namespace hcq::models {

class EngineThread {
 public:
  explicit EngineThread(std::function<bool()> step) : step_(std::move(step)), thread_([this] { run(); }) {}
  ~EngineThread() { stop(); }
  EngineThread(const EngineThread&) = delete;
  EngineThread& operator=(const EngineThread&) = delete;

  // Makes `step` run soon. Thread-safe, cheap, callable under any lock of the model.
  void kick() {
    {
      const std::lock_guard lock(mutex_);
      kicked_ = true;
    }
    wake_.notify_one();
  }

  // Waits until no step is running and keeps the thread asleep until resume(). Not from inside a step.
  void pause() {
    std::unique_lock lock(mutex_);
    paused_ = true;
    idle_.wait(lock, [this] { return !in_step_; });
  }
  void resume() {
    {
      const std::lock_guard lock(mutex_);
      paused_ = false;
    }
    wake_.notify_one();
  }

  // Ends the thread after the step that is running. Idempotent.
  void stop() {
    {
      const std::lock_guard lock(mutex_);
      stop_ = true;
    }
    wake_.notify_one();
    if (thread_.joinable()) thread_.join();
  }

 private:
  void run() {
    std::unique_lock lock(mutex_);
    for (;;) {
      wake_.wait(lock, [this] { return stop_ || (kicked_ && !paused_); });
      if (stop_) return;
      kicked_ = false;
      in_step_ = true;
      lock.unlock();
      const bool more = step_();
      lock.lock();
      in_step_ = false;
      kicked_ = kicked_ || more;
      idle_.notify_all();
    }
  }

  std::function<bool()> step_;
  std::mutex mutex_;
  std::condition_variable wake_, idle_;
  bool kicked_ = false, paused_ = false, in_step_ = false, stop_ = false;
  std::thread thread_;
};

}  // namespace hcq::models
