// SPDX-License-Identifier: MIT
#include "models/fabric/rc_requester.h"

#include <bit>
#include <cassert>

namespace hcq::models::fabric {

namespace {

constexpr std::uint32_t kMaxDistance = 0x7fffff;  // half of the PSN circle

Time timeout_of(std::uint8_t code) { return code == 0 ? Time::max() : std::chrono::nanoseconds(4096ll << (code & 31)); }

bool is_atomic(RcOp op) { return op == RcOp::compare_swap || op == RcOp::fetch_add; }

}  // namespace

RcRequester::RcRequester(RcContext& context)
    : c_(context),
      mask_(std::bit_ceil<std::uint64_t>(std::max(1u, context.config.send_depth)) - 1),
      slots_(mask_ + 1),
      segments_((mask_ + 1) * context.config.send_segments),
      inline_((mask_ + 1) * context.config.send_inline) {}

void RcRequester::start() {
  started_ = true;
  una_ = cursor_psn_ = sent_end_ = next_psn_ = c_.config.send_psn & kPsnMask;
  retries_left_ = c_.config.retry;
  rnr_left_ = c_.config.rnr_retry;
  timeout_ = timeout_of(c_.config.timeout);
}

bool RcRequester::post(const SendRequest& r) {
  if (failed_) {
    c_.events.send_done(c_.config.qpn, {.id = r.id, .op = r.op, .status = RcStatus::flushed});
    return true;
  }
  const bool is_inline = !r.inline_data.empty();
  if (tail_ - head_ > mask_ || r.segments.size() > c_.config.send_segments ||
      r.inline_data.size() > c_.config.send_inline || (is_inline && wants_data(r.op)))
    return false;
  std::uint64_t length = r.inline_data.size();
  if (!is_inline)
    for (const Segment& s : r.segments) length += s.length;
  RcStatus fault = RcStatus::success;
  if (length > kMaxMessage || packets_of(length, c_.config.mtu) > kMaxDistance || (is_atomic(r.op) && length != 8))
    fault = RcStatus::local_length;
  else if (wants_data(r.op) && c_.config.max_rd_atomic == 0) fault = RcStatus::local_operation;
  slot(tail_) = {.id = r.id,
                 .op = r.op,
                 .solicited = r.solicited,
                 .fence = r.fence,
                 .assigned = false,
                 .counted = false,
                 .is_inline = is_inline,
                 .fault = fault,
                 .immediate = r.immediate,
                 .remote_key = r.remote_key,
                 .remote_address = r.remote_address,
                 .swap_or_add = r.swap_or_add,
                 .compare = r.compare,
                 .length = static_cast<std::uint32_t>(length),
                 .segments = static_cast<std::uint32_t>(r.segments.size()),
                 .first_psn = 0,
                 .packets = is_atomic(r.op) ? 1 : packets_of(length, c_.config.mtu),
                 .expected = 0};
  const std::uint64_t at = tail_ & mask_;
  std::copy(r.segments.begin(), r.segments.end(), segments_.begin() + static_cast<long>(at * c_.config.send_segments));
  if (is_inline) std::memcpy(inline_.data() + at * c_.config.send_inline, r.inline_data.data(), r.inline_data.size());
  ++tail_;
  return true;
}

std::span<const Segment> RcRequester::segments_of(std::uint64_t i) const {
  return {segments_.data() + (i & mask_) * c_.config.send_segments, slots_[i & mask_].segments};
}

MemoryFault RcRequester::gather(std::uint64_t i, std::uint64_t offset, MutableBytes out) {
  if (slot(i).is_inline) {
    std::memcpy(out.data(), inline_.data() + (i & mask_) * c_.config.send_inline + offset, out.size());
    return MemoryFault::none;
  }
  return walk_segments(segments_of(i), offset, out.size(),
                       [&](std::uint32_t key, std::uint64_t address, std::size_t at, std::size_t n) {
                         return c_.memory.read(c_.config.pd, key, address, out.subspan(at, n), Access::local_read);
                       });
}

MemoryFault RcRequester::scatter(std::uint64_t i, std::uint64_t offset, Bytes in) {
  return walk_segments(segments_of(i), offset, in.size(),
                       [&](std::uint32_t key, std::uint64_t address, std::size_t at, std::size_t n) {
                         return c_.memory.write(c_.config.pd, key, address, in.subspan(at, n), Access::local_write);
                       });
}

// A message's first packet is about to be sent: its memory must be good now.
bool RcRequester::begin(std::uint64_t i) {
  Slot& s = slot(i);
  if (!s.is_inline)
    for (const Segment& g : segments_of(i)) {
      if (g.length == 0) continue;
      const Access access = wants_data(s.op) ? Access::local_write : Access::local_read;
      if (c_.memory.check(c_.config.pd, g.key, g.address, g.length, access) == MemoryFault::none) continue;
      s.fault = RcStatus::local_protection;
      return false;
    }
  // Too far from the oldest unanswered packet, PSNs could not be told apart.
  if (((next_psn_ - una_) & kPsnMask) + s.packets > kMaxDistance) return false;
  s.assigned = true;
  s.first_psn = cursor_psn_ = next_psn_;
  next_psn_ = psn_add(next_psn_, s.packets);
  return true;
}

bool RcRequester::may_send(const Slot& s) const {
  if (wants_data(s.op) && !s.counted && reads_ >= c_.config.max_rd_atomic) return false;
  return ((cursor_psn_ - una_) & kPsnMask) - read_psns_ < c_.config.window;
}

bool RcRequester::transmit(Time now) {
  if (!started_ || failed_ || (rnr_until_ && *rnr_until_ > now)) return false;
  rnr_until_.reset();
  if (cursor_ == tail_) return false;
  Slot& s = slot(cursor_);
  if (!s.assigned && s.fault == RcStatus::success) {
    if (held_ || (s.fence && reads_ != 0) || !may_send(s)) return false;
    if (!begin(cursor_) && s.fault == RcStatus::success) return false;
  }
  if (s.fault != RcStatus::success) {
    if (cursor_ == head_) fail(s.fault);
    return false;
  }
  if (!may_send(s)) return false;
  return send_request_packet(s, (cursor_psn_ - s.first_psn) & kPsnMask, now);
}

Opcode RcRequester::opcode_of(const Slot& s, std::uint32_t index) const {
  const bool first = index == 0, last = index + 1 == s.packets;
  const auto pick = [&](Opcode f, Opcode m, Opcode l, Opcode o) { return first ? (last ? o : f) : (last ? l : m); };
  using enum Opcode;
  switch (s.op) {
    case RcOp::send:
      return pick(rc_send_first, rc_send_middle, rc_send_last, rc_send_only);
    case RcOp::send_imm:
      return pick(rc_send_first, rc_send_middle, rc_send_last_imm, rc_send_only_imm);
    case RcOp::send_invalidate:
      return pick(rc_send_first, rc_send_middle, rc_send_last_invalidate, rc_send_only_invalidate);
    case RcOp::write:
      return pick(rc_write_first, rc_write_middle, rc_write_last, rc_write_only);
    case RcOp::write_imm:
      return pick(rc_write_first, rc_write_middle, rc_write_last_imm, rc_write_only_imm);
    case RcOp::read:
      return rc_read_request;
    case RcOp::compare_swap:
      return rc_compare_swap;
    case RcOp::fetch_add:
      return rc_fetch_add;
  }
  return rc_send_only;
}

bool RcRequester::send_request_packet(Slot& s, std::uint32_t index, Time now) {
  Packet p;
  p.bth.opcode = opcode_of(s, index);
  p.bth.psn = cursor_psn_;
  const std::uint32_t offset = index * c_.config.mtu;
  const bool read = s.op == RcOp::read, last = read || index + 1 == s.packets;
  const std::uint32_t count = read ? s.packets - index : 1;
  std::size_t bytes = 0;
  p.reth = {s.remote_address, s.remote_key, s.length};
  if (read) {
    p.reth = {s.remote_address + offset, s.remote_key, s.length - offset};
  } else if (is_atomic(s.op)) {
    p.atomic = {s.remote_address, s.remote_key, s.swap_or_add, s.compare};
  } else {
    bytes = std::min(c_.config.mtu, s.length - offset);
  }
  p.immediate = p.invalidate_key = s.immediate;
  p.bth.solicited = last && s.solicited && !wants_data(s.op);
  p.bth.ack_request = last || without_ack_request_ + 1 >= std::max(1u, c_.config.window / 4);
  const std::uint64_t i = cursor_;
  const Emitted e = emit(c_, p, bytes, now, [&](MutableBytes out) { return gather(i, offset, out); });
  if (e == Emitted::fault) {
    s.fault = RcStatus::local_protection;
    if (cursor_ == head_) fail(s.fault);
  }
  if (e != Emitted::sent) return false;
  without_ack_request_ = p.bth.ack_request ? 0 : without_ack_request_ + 1;
  if (wants_data(s.op) && !s.counted) {
    s.counted = true;
    ++reads_;
  }
  if (read) {
    s.expected += count;
    read_psns_ += count;
  }
  if (psn_distance(cursor_psn_, sent_end_) < 0) ++c_.counters.retransmitted;
  cursor_psn_ = psn_add(cursor_psn_, count);
  if (psn_distance(cursor_psn_, sent_end_) > 0) sent_end_ = cursor_psn_;
  if (cursor_psn_ == psn_add(s.first_psn, s.packets)) ++cursor_;
  if (!timer_ && timeout_ != Time::max()) timer_ = now + timeout_;
  return true;
}

// The oldest request is over.
void RcRequester::complete(RcStatus status) {
  Slot& s = slot(head_);
  if (s.counted) --reads_;
  read_psns_ -= s.expected;
  const SendCompletion done{.id = s.id, .op = s.op, .status = status, .length = s.length};
  ++head_;
  if (cursor_ < head_) {
    cursor_ = head_;
    cursor_psn_ = una_;
  }
  c_.events.send_done(c_.config.qpn, done);
}

void RcRequester::seek(std::uint32_t psn) {
  cursor_ = head_;
  cursor_psn_ = psn;
  while (cursor_ != tail_) {
    const Slot& s = slot(cursor_);
    if (!s.assigned || psn_distance(psn, psn_add(s.first_psn, s.packets)) < 0) return;
    ++cursor_;
  }
}

void RcRequester::go_back() {
  for (std::uint64_t i = head_; i != tail_ && slot(i).assigned; ++i) {
    slot(i).counted = false;
    slot(i).expected = 0;
  }
  reads_ = read_psns_ = without_ack_request_ = 0;
  timer_.reset();
  seek(una_);
}

// The peer has everything before `psn`. False when a READ or atomic stands before that and has no answer yet: then the
// answer is lost, for answers come in order.
bool RcRequester::advance(std::uint32_t psn, Time now) {
  bool moved = false, blocked = false;
  while (psn_distance(una_, psn) < 0) {
    const Slot& s = slot(head_);
    if (wants_data(s.op)) {
      blocked = true;
      break;
    }
    const std::uint32_t end = psn_add(s.first_psn, s.packets);
    const bool whole = psn_distance(psn, end) >= 0;
    una_ = whole ? end : psn;
    moved = true;
    if (!whole) break;
    complete(RcStatus::success);
  }
  if (moved) progress(now);
  return !blocked;
}

void RcRequester::progress(Time now) {
  retries_left_ = c_.config.retry;
  rnr_left_ = c_.config.rnr_retry;
  implied_ = false;
  timer_.reset();
  if (una_ != sent_end_ && timeout_ != Time::max()) timer_ = now + timeout_;
  if (psn_distance(cursor_psn_, una_) < 0) seek(una_);
}

void RcRequester::on_response(const Packet& p, Time now) {
  if (!started_ || failed_ || psn_distance(p.bth.psn, sent_end_) >= 0) {
    ++c_.counters.dropped;
    return;
  }
  if (psn_distance(p.bth.psn, una_) < 0) {
    ++c_.counters.stale;
    return;
  }
  switch (traits(p.bth.opcode).kind) {
    case OpcodeTraits::read_response:
      return on_read_response(p, now);
    case OpcodeTraits::atomic_ack:
      return on_atomic_response(p, now);
    default:
      break;
  }
  switch (p.aeth.syndrome & kSyndromeKind) {
    case 0:
      return on_ack(p, now);
    case kRnrNak:
    case kNakSequence:
      return on_nak(p, now);
    default:
      ++c_.counters.dropped;
  }
}

void RcRequester::on_ack(const Packet& p, Time now) {
  if (!advance(psn_add(p.bth.psn, 1), now)) implied_nak();
}

void RcRequester::implied_nak() {
  if (implied_) return;
  implied_ = true;
  ++c_.counters.implied_naks;
  go_back();
}

void RcRequester::retry_or_fail() {
  if (retries_left_ == 0) return fail(RcStatus::retry_exceeded);
  --retries_left_;
  go_back();
}

void RcRequester::on_nak(const Packet& p, Time now) {
  if (!advance(p.bth.psn, now)) return implied_nak();
  if ((p.aeth.syndrome & kSyndromeKind) == kRnrNak) {
    ++c_.counters.rnr_naks;
    if (rnr_left_ == 0) return fail(RcStatus::rnr_retry_exceeded);
    if (c_.config.rnr_retry != 7) --rnr_left_;
    go_back();
    rnr_until_ = now + rnr_time(p.aeth.syndrome & kSyndromeValue);
    return;
  }
  switch (p.aeth.syndrome) {
    case kNakSequence:
      ++c_.counters.sequence_naks;
      return retry_or_fail();
    case kNakInvalidRequest:
      return fail(RcStatus::remote_invalid);
    case kNakRemoteAccess:
      return fail(RcStatus::remote_access);
    case kNakRemoteOperation:
      return fail(RcStatus::remote_operation);
    default:
      ++c_.counters.dropped;
  }
}

void RcRequester::on_read_response(const Packet& p, Time now) {
  if (!advance(p.bth.psn, now)) return implied_nak();
  Slot& s = slot(head_);
  const std::uint32_t index = (una_ - s.first_psn) & kPsnMask, offset = index * c_.config.mtu;
  const bool last = index + 1 == s.packets;
  if (s.op != RcOp::read || traits(p.bth.opcode).last != last ||
      p.payload.size() != (last ? s.length - offset : c_.config.mtu))
    return fail(RcStatus::bad_response);
  if (!p.payload.empty() && scatter(head_, offset, p.payload) != MemoryFault::none)
    return fail(RcStatus::local_protection);
  una_ = psn_add(una_, 1);
  if (s.expected != 0) {
    --s.expected;
    --read_psns_;
  }
  if (last) complete(RcStatus::success);
  progress(now);
}

void RcRequester::on_atomic_response(const Packet& p, Time now) {
  if (!advance(p.bth.psn, now)) return implied_nak();
  if (!is_atomic(slot(head_).op)) return fail(RcStatus::bad_response);
  if (scatter(head_, 0, std::as_bytes(std::span(&p.original, 1))) != MemoryFault::none)
    return fail(RcStatus::local_protection);
  una_ = psn_add(una_, 1);
  complete(RcStatus::success);
  progress(now);
}

void RcRequester::on_time(Time now) {
  if (failed_ || !timer_ || now < *timer_) return;
  ++c_.counters.timeouts;
  implied_ = false;
  timer_.reset();
  retry_or_fail();
}

std::optional<Time> RcRequester::next_time() const {
  if (failed_) return std::nullopt;
  if (timer_ && rnr_until_) return std::min(*timer_, *rnr_until_);
  return timer_ ? timer_ : rnr_until_;
}

// The oldest request has failed, and the queue pair with it.
void RcRequester::fail(RcStatus status) {
  failed_ = true;
  failure_ = status;
  complete(status);
  flush();
}

void RcRequester::flush() {
  failed_ = true;
  timer_.reset();
  rnr_until_.reset();
  while (head_ != tail_) complete(RcStatus::flushed);
}

}  // namespace hcq::models::fabric
