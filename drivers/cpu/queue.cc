// SPDX-License-Identifier: MIT
#include "drivers/cpu/queue.h"

#include <fmt/format.h>

#include <cstring>

#include "drivers/cpu/program.h"
#include "drivers/cpu/signal.h"

namespace hcq::cpu {
namespace {

Error bad(const char* operation, std::string subject, std::string detail) {
  return Error{.code = Errc::invalid_argument,
               .device = "cpu",
               .operation = operation,
               .subject = std::move(subject),
               .detail = std::move(detail)};
}

// Fills in the cell of an own signal, or the pointer of a foreign one.
void target(Command& c, Signal& signal, const Core* core) {
  auto* own = dynamic_cast<CpuSignal*>(&signal);
  if (own && own->core() == core) c.u.cell = own->cell();
  else c.foreign = &signal;
}

}  // namespace

CpuQueue::CpuQueue(std::shared_ptr<Core> core, QueueKind kind)
    : core_(std::move(core)), kind_(kind), ring_(core_->rings[static_cast<std::size_t>(kind)]) {}

Status CpuQueue::spoil(Error e) {
  if (!spoiled_) spoiled_ = e;
  return e;
}

// Waits until the slots [cursor, cursor + slots) are free. The executing thread frees whole submissions.
Status CpuQueue::ensure_room(std::uint64_t slots) {
  const std::uint64_t end = cursor_ + slots;
  if (end - begin_ > ring_.slots())
    return spoil(Error{.code = Errc::no_memory,
                       .device = "cpu",
                       .operation = "record",
                       .expected = ring_.slots(),
                       .actual = end - begin_,
                       .detail = "one submission is larger than the command ring",
                       .hint = "submit in smaller parts"});
  std::uint64_t tail = ring_.tail.load(std::memory_order_acquire);
  if (end - tail <= ring_.slots()) return {};
  ProgressDeadline deadline(core_->options.ring_timeout, core_->reached());
  for (;;) {
    if (auto s = core_->usable(); !s) return spoil(s.error());
    const std::uint64_t now = core_->reached();
    if (deadline.expired(now)) return spoil(core_->timeout_error("record", "command ring", end - ring_.slots(), tail));
    const auto roomy = [&] {
      tail = ring_.tail.load(std::memory_order_acquire);
      return end - tail <= ring_.slots() || core_->faulted();
    };
    if (core_->progress.wait(core_->spin, std::chrono::milliseconds(20), roomy) && !core_->faulted()) return {};
  }
}

// Between the first command and submit(), storage that is dropped may be named by what was recorded.
void CpuQueue::set_recording(bool on) {
  if (recording_ == on) return;
  recording_ = on;
  const auto queue = static_cast<unsigned>(kind_);
  on ? core_->retired.begin_recording(queue) : core_->retired.end_recording(queue);
}

Status CpuQueue::reserve(std::uint32_t extra, Command** out) {
  if (spoiled_) return *spoiled_;
  if (auto s = core_->usable(); !s) return spoil(s.error());
  set_recording(true);
  const std::uint64_t first = cursor_ == begin_ ? 1 : 0;  // the `begin` slot comes before the first command
  std::uint64_t position = cursor_ + first;
  std::uint64_t skip = 0;
  if (extra != 0 && ring_.to_end(position) < 1 + std::uint64_t{extra}) skip = ring_.to_end(position);
  HCQ_TRY(ensure_room(first + skip + 1 + extra));
  if (skip != 0) ring_.at(position) = Command{.op = Op::skip, .length = static_cast<std::uint32_t>(skip - 1)};
  position += skip;
  cursor_ = position + 1 + extra;
  *out = &ring_.at(position);
  return {};
}

Status CpuQueue::put(const Command& command) {
  Command* slot = nullptr;
  HCQ_TRY(reserve(0, &slot));
  *slot = command;
  return {};
}

Status CpuQueue::wait(Signal& signal, std::uint64_t value) {
  Command c{.op = Op::wait, .value = value};
  target(c, signal, core_.get());
  return put(c);
}

Status CpuQueue::barrier() { return put(Command{.op = Op::barrier}); }

Status CpuQueue::exec(const Program& program, Bytes kernargs, Dim3 groups, Dim3 block) {
  const auto* p = dynamic_cast<const CpuProgram*>(&program);
  // Another CPU device's would be freed by that device's timeline, not ours.
  if (!p || p->core() != core_.get())
    return spoil(bad("exec", program.name(), "the program belongs to another device"));
  const Code& code = p->code();
  if (kernargs.size() != code.info.kernarg_bytes) {
    Error e = bad("exec", code.name, "size of the kernel arguments");
    e.expected = code.info.kernarg_bytes;
    e.actual = kernargs.size();
    return spoil(std::move(e));
  }
  const Dim3 built{code.info.block[0], code.info.block[1], code.info.block[2]};
  if (block != built)
    return spoil(bad("exec", code.name,
                     fmt::format("block {}x{}x{}, but the kernel was compiled for {}x{}x{}", block.x, block.y, block.z,
                                 built.x, built.y, built.z)));
  if (groups.x == 0 || groups.y == 0 || groups.z == 0)
    return spoil(bad("exec", code.name, fmt::format("grid {}x{}x{} is empty", groups.x, groups.y, groups.z)));
  const auto extra = static_cast<std::uint32_t>((kernargs.size() + sizeof(Command) - 1) / sizeof(Command));
  Command* slot = nullptr;
  HCQ_TRY(reserve(extra, &slot));
  *slot = Command{.op = Op::exec,
                  .length = extra,
                  .u = {.kernel = code.kernel},
                  .groups = groups,
                  .local_bytes = code.info.local_bytes};
  if (!kernargs.empty()) std::memcpy(static_cast<void*>(slot + 1), kernargs.data(), kernargs.size());
  return {};
}

Status CpuQueue::copy(std::uint64_t dst, std::uint64_t src, std::uint64_t bytes) {
  return put(Command{.op = Op::copy, .address = dst, .source = src, .value = bytes});
}

Status CpuQueue::write(std::uint64_t address, std::uint32_t value) {
  if (address % 4 != 0) return spoil(bad("write", "address", "not a multiple of 4"));
  return put(Command{.op = Op::write, .address = address, .value = value});
}

Status CpuQueue::poll(std::uint64_t address, std::uint32_t value, std::uint32_t mask) {
  if (address % 4 != 0) return spoil(bad("poll", "address", "not a multiple of 4"));
  return put(Command{.op = Op::poll, .address = address, .value = value, .u = {.mask = mask}});
}

Status CpuQueue::timestamp(Signal& signal) {
  Command c{.op = Op::timestamp};
  target(c, signal, core_.get());
  if (c.foreign)
    return spoil(Error{.code = Errc::unsupported,
                       .device = "cpu",
                       .operation = "timestamp",
                       .detail = "the signal belongs to another device, whose clock is another one"});
  return put(c);
}

Status CpuQueue::signal(Signal& signal, std::uint64_t value) {
  Command c{.op = Op::signal, .value = value};
  target(c, signal, core_.get());
  return put(c);
}

Result<std::uint64_t> CpuQueue::submit() {
  if (!spoiled_ && cursor_ == begin_) {
    if (auto s = core_->usable(); !s) return s.error();
    if (auto s = ensure_room(1); s) cursor_ = begin_ + 1;
  }
  if (spoiled_) {
    Error e = std::move(*spoiled_);
    spoiled_.reset();
    cursor_ = begin_;
    set_recording(false);
    return e;
  }
  auto ticket = core_->take_ticket();
  set_recording(false);
  if (!ticket) {
    cursor_ = begin_;
    return ticket;
  }
  ring_.at(begin_) =
      Command{.op = Op::begin, .length = static_cast<std::uint32_t>(cursor_ - begin_ - 1), .value = *ticket};
  ring_.head.store(cursor_, std::memory_order_release);
  begin_ = cursor_;
  core_->submitted.notify();
  return ticket;
}

}  // namespace hcq::cpu
