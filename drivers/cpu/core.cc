// SPDX-License-Identifier: MIT
#include "drivers/cpu/core.h"

#include <fmt/format.h>

#include <algorithm>

namespace hcq::cpu {
namespace {

constexpr Clock::duration kSlice = std::chrono::milliseconds(20);

}  // namespace

std::uint64_t device_clock() {
  return static_cast<std::uint64_t>(
      std::chrono::duration_cast<std::chrono::nanoseconds>(Clock::now().time_since_epoch()).count());
}

Core::Core(const Options& o)
    : options(o), spin(o.threads), rings{Ring(o.ring_slots), Ring(o.ring_slots)}, timeline_(o.timeline_limit) {}

std::uint64_t Core::reached() const {
  return timeline_.reached([this] { return cell_.load(std::memory_order_acquire); });
}

std::uint64_t Core::last_submitted() const { return timeline_.last(); }

Result<std::uint64_t> Core::take_ticket() {
  for (;;) {
    if (const auto ticket = timeline_.try_advance()) return *ticket;
    HCQ_TRY(make_room_for_tickets());
  }
}

// The cell has come to its limit: drain and start it again at zero. Nobody gets a ticket meanwhile, because
// try_advance() fails until rebase().
Status Core::make_room_for_tickets() {
  const std::uint64_t last = timeline_.last();
  HCQ_TRY(wait(last, options.ring_timeout));
  const std::lock_guard lock(mutex_);
  if (timeline_.last() == last && cell_.load(std::memory_order_acquire) != 0) {
    cell_.store(0, std::memory_order_release);
    timeline_.rebase();
  }
  return {};
}

void Core::finish(std::uint64_t ticket) {
  cell_.store(timeline_.raw(ticket), std::memory_order_release);
  progress.notify();
}

Status Core::wait(std::uint64_t point, Clock::duration timeout) {
  std::uint64_t now = reached();
  ProgressDeadline deadline(timeout, now);
  for (;;) {
    if (now >= point) return {};
    HCQ_TRY(usable());
    if (deadline.expired(now)) return timeout_error("wait", "timeline", point, now);
    progress.wait(spin, std::min<Clock::duration>(kSlice, deadline.remaining()),
                  [&] { return (now = reached()) >= point || faulted(); });
  }
}

void Core::fault(Error e) {
  {
    const std::lock_guard lock(mutex_);
    if (!fault_) fault_ = std::move(e);
  }
  faulted_.store(true, std::memory_order_release);
  progress.notify();
}

Error Core::fault_copy() const {
  const std::lock_guard lock(mutex_);
  return *fault_;
}

Status Core::usable() const {
  if (faulted()) return fault_copy();
  if (closed.load(std::memory_order_acquire))
    return Error{.code = Errc::invalid_argument, .device = "cpu", .operation = "use", .detail = "the device is closed"};
  return {};
}

Error Core::timeout_error(std::string operation, std::string subject, std::uint64_t expected,
                          std::uint64_t actual) const {
  const std::uint64_t done = reached();
  std::string detail = "all submitted work is done; nothing is left that could change the value";
  if (done < timeline_.last())
    detail = fmt::format("submission {} of {} is at '{}'", done + 1, timeline_.last(),
                         op_name(static_cast<Op>(busy_op.load(std::memory_order_relaxed))));
  return Error{.code = Errc::timeout,
               .device = "cpu",
               .operation = std::move(operation),
               .subject = std::move(subject),
               .expected = expected,
               .actual = actual,
               .detail = std::move(detail)};
}

void Core::retire(std::shared_ptr<void> storage) {
  retired.add(std::move(storage), last_submitted());
  collect();
}

void Core::collect() {
  if (executor_done.load(std::memory_order_acquire)) return retired.clear();
  const std::uint64_t last = last_submitted();
  retired.collect(last, reached());
}

}  // namespace hcq::cpu
