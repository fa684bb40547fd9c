// SPDX-License-Identifier: MIT
#include "drivers/am/queue/ring_queue.h"

#include <fmt/core.h>

#include <cstring>

#include "drivers/am/queue/signal.h"

namespace hcq::am {

RingQueue::RingQueue(std::shared_ptr<Core> core, QueueKind kind, HostRing ring)
    : core_(std::move(core)),
      kind_(kind),
      ring_(std::move(ring)),
      capacity_(ring_.dwords() - kSlack),
      in_flight_(kInFlight) {}

Error RingQueue::bad(const char* operation, std::string subject, std::string detail) const {
  return core_->error(Errc::invalid_argument, operation, std::move(subject), std::move(detail));
}

Status RingQueue::spoil(Error e) {
  if (!spoiled_) spoiled_ = e;
  return e;
}

void RingQueue::reclaim() {
  const std::uint64_t done = core_->reached();
  const std::uint64_t before = oldest_;
  while (oldest_ != newest_ && in_flight_[oldest_ % kInFlight].point <= done) {
    const Submission& s = in_flight_[oldest_ % kInFlight];
    freed_ = s.end;
    extra_freed(s.extra);
    ++oldest_;
  }
  // Drain the interrupts of what was freed, so that a queue nobody waits on does not fill their ring. An error shows up
  // at the next wait.
  if (oldest_ - before > kInFlight / 2) (void)core_->service();
}

Status RingQueue::make_room(std::uint64_t end) {
  if (end - begin_ > capacity_) {
    Error e = core_->error(Errc::no_memory, "record", "command ring", "one submission is larger than the ring");
    e.expected = capacity_ * 4;
    e.actual = (end - begin_) * 4;
    e.hint = "submit in smaller parts";
    return spoil(std::move(e));
  }
  return wait_for_room([&] { return end - freed_ <= capacity_; }, "command ring");
}

Status RingQueue::open() {
  open_ = true;
  if (!aside_) core_->retired().begin_recording(static_cast<unsigned>(kind_));
  DwordWriter w;
  if (Status s = reserve(prologue_dwords(), &w); !s) return s;
  const std::uint32_t index = prologue(w);
  reference_ = put_ + index;
  commit(w);
  return {};
}

Status RingQueue::reserve(std::uint32_t dwords, DwordWriter* out) {
  if (spoiled_) return *spoiled_;
  if (core_->unusable()) {
    if (auto s = core_->usable(); !s) return spoil(std::move(s).error());
  }
  if (!open_) HCQ_TRY(open());
  const std::uint64_t tail = ring_.to_end(put_);
  const std::uint64_t skip = tail < dwords ? tail : 0;
  const std::uint64_t end = put_ + skip + dwords;
  if (end - freed_ > capacity_ || end - begin_ > capacity_) HCQ_TRY(make_room(end));
  if (skip != 0) {
    DwordWriter w(std::span(ring_.at(put_), skip));
    fill(w, static_cast<std::uint32_t>(skip));
    put_ += skip;
  }
  *out = DwordWriter(std::span(ring_.at(put_), dwords));
  return {};
}

void RingQueue::close_recording(bool submitted) {
  if (open_ && !aside_) core_->retired().end_recording(static_cast<unsigned>(kind_));
  open_ = false;
  if (submitted) begin_ = put_;
  else put_ = begin_;
  extra_closed(submitted);
  pending_program_ = nullptr;
  spoiled_.reset();
}

Result<std::uint64_t> RingQueue::submit() {
  DwordWriter w;
  Status room = reserve(epilogue_dwords(), &w);
  if (room.ok() && newest_ - oldest_ == kInFlight)
    room = wait_for_room([&] { return newest_ - oldest_ < kInFlight; }, "submissions in flight");
  if (!room) {
    close_recording(false);
    return std::move(room).error();
  }
  Result<std::uint64_t> ticket = core_->take_ticket();
  if (!ticket) {
    close_recording(false);
    return ticket;
  }
  *ring_.at(reference_) = core_->raw(*ticket - 1);
  epilogue(w, core_->raw(*ticket));
  commit(w);
  Submission& s = in_flight_[newest_ % kInFlight];
  s.end = put_;
  s.extra = extra_position();
  s.program.store(pending_program_, std::memory_order_relaxed);
  s.point.store(*ticket, std::memory_order_relaxed);
  ++newest_;
  ring_.ring_doorbell(put_);
  close_recording(true);
  return ticket;
}

std::string RingQueue::describe_running(std::uint64_t done) const {
  for (std::uint64_t i = oldest_.load(); i != newest_.load(); ++i) {
    const Submission& s = in_flight_[i % kInFlight];
    const std::uint64_t point = s.point.load(std::memory_order_relaxed);
    if (point <= done) continue;
    const std::string* program = s.program.load(std::memory_order_relaxed);
    return fmt::format("submission {} on the {} queue{}", point, kind_ == QueueKind::compute ? "compute" : "copy",
                       program ? fmt::format(" (kernel {})", *program) : "");
  }
  return {};
}

std::vector<std::uint32_t> RingQueue::set_aside() {
  if (!open_ || spoiled_) return {};
  std::vector<std::uint32_t> out;
  out.reserve(put_ - begin_ + 1);
  out.push_back(static_cast<std::uint32_t>(reference_ - begin_));
  for (std::uint64_t i = begin_; i != put_; ++i) out.push_back(*ring_.at(i));
  aside_ = true;  // storage that it names stays: for the retire list it is still being recorded
  close_recording(false);
  return out;
}

Status RingQueue::put_back(std::span<const std::uint32_t> recorded) {
  if (recorded.empty()) return {};
  const auto words = recorded.subspan(1);
  aside_ = false;
  open_ = true;  // it brings its own prologue
  DwordWriter w;
  HCQ_TRY(reserve(static_cast<std::uint32_t>(words.size()), &w));
  reference_ = put_ + recorded[0];
  for (const std::uint32_t word : words) w.put(word);
  commit(w);
  return {};
}

Result<std::uint64_t> RingQueue::signal_address(Signal& signal, std::uint64_t value, const char* operation) const {
  const auto* own = dynamic_cast<const AmSignal*>(&signal);
  if (!own || own->core() != core_.get())
    return core_->error(Errc::unsupported, operation, "signal", "the signal's memory belongs to another device");
  if (value > ~std::uint32_t{0})
    return core_->error(Errc::unsupported, operation, "signal", "the hardware compares and writes 32-bit values");
  return own->address();
}

}  // namespace hcq::am
