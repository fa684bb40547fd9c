// SPDX-License-Identifier: MIT
// What the device, its queues, buffers, signals and its executing thread share. Held by shared_ptr from all of them, so
// that a handle may outlive the device object and a thread that never returns takes nothing away from under itself.
#pragma once

#include <array>
#include <atomic>
#include <memory>
#include <mutex>
#include <optional>

#include "drivers/cpu/device.h"
#include "drivers/cpu/event.h"
#include "drivers/cpu/memory.h"
#include "drivers/cpu/ring.h"
#include "drivers/cpu/workers.h"
#include "hcq/retire.h"
#include "hcq/timeline.h"

namespace hcq::cpu {

// The memory of one signal.
struct Cell {
  std::atomic<std::uint64_t> value{0};
  std::atomic<std::uint64_t> timestamp{0};
};

class Core {
 public:
  explicit Core(const Options& options);

  // Timeline.
  std::uint64_t last_submitted() const;
  std::uint64_t reached() const;
  Result<std::uint64_t> take_ticket();
  void finish(std::uint64_t ticket);
  Status wait(std::uint64_t point, Clock::duration timeout);

  // The first fault stays; every later one is dropped.
  void fault(Error e);
  bool faulted() const { return faulted_.load(std::memory_order_acquire); }
  Error fault_copy() const;
  // Success, or why nothing can be submitted or waited for any more.
  Status usable() const;
  // A time-out error that says what the device is doing.
  Error timeout_error(std::string operation, std::string subject, std::uint64_t expected, std::uint64_t actual) const;

  // Keeps `storage` alive until everything that may use it is done.
  void retire(std::shared_ptr<void> storage);
  void collect();

  const Options options;
  SpinBudget spin;
  Event submitted;  // rings were published, or stop was raised
  RetireList retired;
  Event progress;  // the timeline, a signal, a ring's tail or the fault state changed
  std::shared_ptr<RangeTable> ranges = std::make_shared<RangeTable>();
  std::array<Ring, 2> rings;  // indexed by QueueKind
  std::atomic<bool> stop{false};
  std::atomic<bool> closed{false};
  std::atomic<bool> executor_done{false};
  std::atomic<std::uint8_t> busy_op{0};  // Op being executed; meaningful while the timeline is behind

 private:
  Status make_room_for_tickets();

  Timeline timeline_;
  std::atomic<std::uint32_t> cell_{0};
  std::atomic<bool> faulted_{false};
  mutable std::mutex mutex_;  // fault_, and the rare timeline restart
  std::optional<Error> fault_;
};

// Runs what the queues publish, in timeline order, until `stop`. The body of the executing thread.
void execute(Core& core, Workers& workers);

std::uint64_t device_clock();  // nanoseconds

}  // namespace hcq::cpu
