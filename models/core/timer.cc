// SPDX-License-Identifier: MIT
#include "models/core/timer.h"

#include <algorithm>
#include <tuple>

namespace hcq::models {

namespace {
// Earliest moment on top of the heap; equal moments keep the order in which they were asked for.
constexpr auto kLater = [](const auto& a, const auto& b) {
  return std::tie(a.when, a.order) > std::tie(b.when, b.order);
};
}  // namespace

Timer::Timer(std::uint64_t seed) : rng_(seed), thread_([this] { run(); }) {}

Timer::~Timer() { stop(); }

void Timer::stop() {
  {
    const std::lock_guard lock(mutex_);
    stop_ = true;
  }
  wake_.notify_all();
  if (thread_.joinable()) thread_.join();
}

void Timer::after(std::chrono::microseconds least, std::chrono::microseconds most, std::function<void()> work) {
  {
    const std::lock_guard lock(mutex_);
    const auto span = std::max<std::int64_t>((most - least).count(), 0);
    const auto delay = least + std::chrono::microseconds(rng_() % static_cast<std::uint64_t>(span + 1));
    heap_.push_back({std::chrono::steady_clock::now() + delay, next_order_++, std::move(work)});
    std::push_heap(heap_.begin(), heap_.end(), kLater);
  }
  wake_.notify_all();
}

void Timer::cancel_all() {
  std::unique_lock lock(mutex_);
  heap_.clear();
  if (std::this_thread::get_id() == thread_.get_id()) return;
  idle_.wait(lock, [this] { return !running_; });
}

void Timer::hold() {
  std::unique_lock lock(mutex_);
  held_ = true;
  idle_.wait(lock, [this] { return !running_; });
}

void Timer::release() {
  {
    const std::lock_guard lock(mutex_);
    held_ = false;
  }
  wake_.notify_all();
}

std::uint64_t Timer::random(std::uint64_t bound) {
  const std::lock_guard lock(mutex_);
  return bound ? rng_() % bound : 0;
}

void Timer::run() {
  std::unique_lock lock(mutex_);
  while (!stop_) {
    if (heap_.empty() || held_) {
      wake_.wait(lock);
      continue;
    }
    const Time when = heap_.front().when;
    if (std::chrono::steady_clock::now() < when) {
      wake_.wait_until(lock, when);
      continue;
    }
    std::pop_heap(heap_.begin(), heap_.end(), kLater);
    const std::function<void()> work = std::move(heap_.back().work);
    heap_.pop_back();
    running_ = true;
    lock.unlock();
    work();
    lock.lock();
    running_ = false;
    idle_.notify_all();
  }
}

}  // namespace hcq::models
