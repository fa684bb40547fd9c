// SPDX-License-Identifier: MIT
// Link: whether the device is still there. Everything that touches the device asks alive() first, and hands values that
// read as all ones to verify(). This is the only place that decides that a device is lost: all ones alone may be a
// register's real content, so the vendor id in config space is asked as well. The verdict is final: once lost, no code
// touches the device again, destructors included.
//
// Thread-safe, except set_operation (boot and close are single-threaded).
#pragma once

#include <atomic>
#include <chrono>
#include <cstdint>
#include <functional>
#include <mutex>
#include <optional>
#include <string>
#include <string_view>

#include "base/deadline.h"
#include "base/error.h"
#include "drivers/pci/function.h"

namespace hcq::am {

class Link {
 public:
  // `function` must outlive the Link.
  explicit Link(pci::Function& function) : function_(function) {}

  const std::string& name() const { return function_.name(); }
  pci::Function& function() { return function_; }

  bool lost() const { return lost_.load(std::memory_order_acquire); }
  // Success while the device is there; afterwards the error of the access that noticed the loss.
  Status alive() const { return lost() ? Status(lost_error()) : Status(); }

  // For a value just read. Anything but all ones is fine; all ones are fine when config space still shows a vendor.
  // `subject` names the register or address for the error.
  Status verify(std::uint32_t value, std::string_view subject) {
    return value != 0xffffffffu ? Status() : confirm(subject);
  }
  // Asks config space now, without a suspicious value in hand (after a wait that ended without success).
  Status confirm(std::string_view subject);

  // From now on confirm() also asks whether somebody has reset the function: everything that was set up is gone then,
  // which is a loss like another. `was_reset` must not call this object. Not while other threads use it.
  void watch_for_reset(std::function<bool()> was_reset) { was_reset_ = std::move(was_reset); }

  // What is being done, for Error::operation of accesses made from here on. `operation` must be a string literal or
  // live as long as the Link.
  void set_operation(const char* operation) { operation_.store(operation, std::memory_order_relaxed); }
  const char* operation() const { return operation_.load(std::memory_order_relaxed); }

  // Limits of waits are multiplied by this: 1 on hardware, less in tests of what happens when a limit passes.
  void set_time_scale(double scale) { time_scale_ = scale; }
  Clock::duration limit(Clock::duration timeout) const {
    return std::chrono::duration_cast<Clock::duration>(timeout * time_scale_);
  }

  // An Error with device and operation filled in.
  Error error(Errc code, std::string subject, std::string detail = {}) const;

 private:
  Error lost_error() const;
  // Keeps the first error and returns it.
  Error lose(std::string_view subject, const char* detail, const char* hint, std::optional<std::uint64_t> actual);

  pci::Function& function_;
  std::atomic<bool> lost_{false};
  std::atomic<const char*> operation_{"open"};
  double time_scale_ = 1;
  std::function<bool()> was_reset_;
  mutable std::mutex mutex_;
  Error first_;  // set once, before lost_
};

// Names what is being done for as long as it lives.
class OperationScope {
 public:
  OperationScope(Link& link, const char* operation) : link_(link), before_(link.operation()) {
    link.set_operation(operation);
  }
  ~OperationScope() { link_.set_operation(before_); }
  OperationScope(const OperationScope&) = delete;
  OperationScope& operator=(const OperationScope&) = delete;

 private:
  Link& link_;
  const char* before_;
};

}  // namespace hcq::am
