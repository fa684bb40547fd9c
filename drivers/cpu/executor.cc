// SPDX-License-Identifier: MIT
// The executing thread: takes submissions in timeline order from the rings of both queues and runs their commands.
#include <fmt/format.h>

#include <cstring>

#include "drivers/cpu/core.h"

namespace hcq::cpu {
namespace {

constexpr Clock::duration kSlice = std::chrono::milliseconds(50);
constexpr Clock::duration kPollSlice = std::chrono::microseconds(50);  // for memory that changes without an Event

class Executor {
 public:
  Executor(Core& core, Workers& workers) : core_(core), workers_(workers) {}

  void run() {
    for (std::uint64_t ticket = 1;; ++ticket) {
      Ring* ring = next_submission(ticket);
      if (!ring || !run_submission(*ring)) return;
      core_.finish(ticket);
    }
  }

 private:
  bool halted() const { return core_.stop.load(std::memory_order_acquire) || core_.faulted(); }

  // The ring whose oldest submission is `ticket`; nullptr when the device stops.
  Ring* next_submission(std::uint64_t ticket) {
    Ring* found = nullptr;
    const auto look = [&] {
      for (Ring& r : core_.rings) {
        const std::uint64_t tail = r.tail.load(std::memory_order_relaxed);
        if (r.head.load(std::memory_order_acquire) != tail && r.at(tail).value == ticket) found = &r;
      }
      return found != nullptr || halted();
    };
    while (!core_.submitted.wait(core_.spin, kSlice, look)) {
    }
    return halted() ? nullptr : found;
  }

  // False when the device faulted or stops; what is left of the submission does not run.
  bool run_submission(Ring& ring) {
    const std::uint64_t begin = ring.tail.load(std::memory_order_relaxed);
    const std::uint64_t end = begin + 1 + ring.at(begin).length;
    for (std::uint64_t p = begin + 1; p < end; p += 1 + ring.at(p).length) {
      Command& c = ring.at(p);
      core_.busy_op.store(static_cast<std::uint8_t>(c.op), std::memory_order_relaxed);
      const void* kernargs = c.length == 0 ? nullptr : &ring.at(p + 1);
      run_command(c, kernargs);
      if (halted()) return false;
    }
    ring.tail.store(end, std::memory_order_release);
    return true;
  }

  void run_command(const Command& c, const void* kernargs) {
    switch (c.op) {
      case Op::begin:
      case Op::skip:
        return;
      case Op::wait:
        return wait(c);
      case Op::barrier:
        return;  // publishing the ring's head orders all that the host wrote before submit()
      case Op::exec:
        return workers_.run(c.u.kernel, kernargs, c.groups, c.local_bytes, core_.stop);
      case Op::copy:
        return copy(c);
      case Op::write:
        if (!check(c.address, 4, c.op)) return;
        return word(c.address).store(static_cast<std::uint32_t>(c.value), std::memory_order_release);
      case Op::poll:
        return poll(c);
      case Op::timestamp:
        return c.u.cell->timestamp.store(device_clock(), std::memory_order_release);
      case Op::signal:
        return signal(c);
    }
  }

  static std::atomic_ref<std::uint32_t> word(std::uint64_t address) {
    return std::atomic_ref<std::uint32_t>(*reinterpret_cast<std::uint32_t*>(address));
  }

  bool check(std::uint64_t address, std::uint64_t bytes, Op op) {
    if (core_.ranges->contains(address, bytes)) return true;
    core_.fault(Error{.code = Errc::device_fault,
                      .device = "cpu",
                      .operation = op_name(op),
                      .address = address,
                      .detail = fmt::format("access of {} bytes outside any buffer of the device", bytes)});
    return false;
  }

  void wait(const Command& c) {
    if (c.foreign) {
      while (!halted() && c.foreign->value() < c.value)
        core_.progress.wait(core_.spin, kPollSlice, [&] { return halted() || c.foreign->value() >= c.value; });
      return;
    }
    const auto reached = [&] { return halted() || c.u.cell->value.load(std::memory_order_acquire) >= c.value; };
    while (!core_.progress.wait(core_.spin, kSlice, reached)) {
    }
  }

  void poll(const Command& c) {
    if (!check(c.address, 4, c.op)) return;
    const auto reached = [&] {
      return halted() || (word(c.address).load(std::memory_order_acquire) & c.u.mask) == c.value;
    };
    while (!core_.progress.wait(core_.spin, kPollSlice, reached)) {
    }
  }

  void copy(const Command& c) {
    if (c.value == 0) return;
    if (!check(c.address, c.value, c.op) || !check(c.source, c.value, c.op)) return;
    std::memcpy(reinterpret_cast<void*>(c.address), reinterpret_cast<const void*>(c.source), c.value);
  }

  void signal(const Command& c) {
    if (c.foreign) return c.foreign->set(c.value);
    c.u.cell->value.store(c.value, std::memory_order_release);
    core_.progress.notify();
  }

  Core& core_;
  Workers& workers_;
};

}  // namespace

const char* op_name(Op op) {
  switch (op) {
    case Op::begin:
      return "begin";
    case Op::skip:
      return "skip";
    case Op::wait:
      return "wait";
    case Op::barrier:
      return "barrier";
    case Op::exec:
      return "exec";
    case Op::copy:
      return "copy";
    case Op::write:
      return "write";
    case Op::poll:
      return "poll";
    case Op::timestamp:
      return "timestamp";
    case Op::signal:
      return "signal";
  }
  return "unknown";
}

void execute(Core& core, Workers& workers) { Executor(core, workers).run(); }

}  // namespace hcq::cpu
