// SPDX-License-Identifier: MIT
// BusyTime: for how long an engine has had work, for the metrics of the SMU. Thread-safe; work may overlap.
#pragma once

#include <chrono>
#include <mutex>

namespace hcq::models::am {

class BusyTime {
 public:
  using Clock = std::chrono::steady_clock;
  // Work goes on while one of these exists.
  class Work {
   public:
    explicit Work(BusyTime& t) : time_(t) { time_.begin(); }
    ~Work() { time_.end(); }
    Work(const Work&) = delete;
    Work& operator=(const Work&) = delete;

   private:
    BusyTime& time_;
  };

  Clock::duration total(Clock::time_point now) const {
    const std::lock_guard lock(mutex_);
    return running_ && now > since_ ? total_ + (now - since_) : total_;
  }
  bool busy() const {
    const std::lock_guard lock(mutex_);
    return running_ != 0;
  }

 private:
  void begin() {
    const std::lock_guard lock(mutex_);
    if (running_++ == 0) since_ = Clock::now();
  }
  void end() {
    const std::lock_guard lock(mutex_);
    if (--running_ == 0) total_ += Clock::now() - since_;
  }

  mutable std::mutex mutex_;
  unsigned running_ = 0;
  Clock::time_point since_;
  Clock::duration total_{};
};

}  // namespace hcq::models::am
