// SPDX-License-Identifier: MIT
#include <fmt/format.h>

#include <cstdio>
#include <cstdlib>

#include "base/log.h"
#include "models/core/device.h"

namespace hcq::models {

namespace {

// A driver that polls a forbidden register would otherwise fill the memory of the machine.
constexpr std::size_t kMaxViolations = 4096;

}  // namespace

std::string describe(const Violation& v) {
  return fmt::format("{} broken at {} (value {:#x}): {} [{}]", v.rule, v.where, v.value, v.text, v.source);
}

void Referee::report(Violation v) {
  {
    const std::shared_lock lock(listener_mutex_);
    for (const auto& [id, listener] : listeners_) listener(v);
  }
  const std::lock_guard lock(mutex_);
  if (policy_ == Policy::abort) {
    fmt::print(stderr, "model: {}\n", describe(v));
    std::fflush(stderr);
    std::abort();
  }
  log::trace(log::Area::model, "{}", describe(v));
  if (policy_ == Policy::record && list_.size() < kMaxViolations) list_.push_back(std::move(v));
}

std::vector<Violation> Referee::violations() const {
  const std::lock_guard lock(mutex_);
  return list_;
}

bool Referee::saw(std::string_view rule) const {
  const std::lock_guard lock(mutex_);
  for (const Violation& v : list_)
    if (v.rule == rule) return true;
  return false;
}

void Referee::clear() {
  const std::lock_guard lock(mutex_);
  list_.clear();
}

void Referee::set_policy(Policy p) {
  const std::lock_guard lock(mutex_);
  policy_ = p;
}

Policy Referee::policy() const {
  const std::lock_guard lock(mutex_);
  return policy_;
}

unsigned Referee::add_listener(std::function<void(const Violation&)> listener) {
  const std::unique_lock lock(listener_mutex_);
  listeners_[next_listener_] = std::move(listener);
  return next_listener_++;
}

void Referee::remove_listener(unsigned id) {
  const std::unique_lock lock(listener_mutex_);
  listeners_.erase(id);
}

}  // namespace hcq::models
