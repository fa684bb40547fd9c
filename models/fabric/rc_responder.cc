// SPDX-License-Identifier: MIT
#include "models/fabric/rc_responder.h"

#include <bit>

namespace hcq::models::fabric {

namespace {

constexpr std::uint8_t kFine = 0;  // syndromes of failures are never 0

std::uint8_t nak_of(MemoryFault f) {
  return f == MemoryFault::none ? kFine : f == MemoryFault::refused ? kNakRemoteAccess : kNakRemoteOperation;
}

}  // namespace

RcResponder::RcResponder(RcContext& context)
    : c_(context),
      expected_(context.config.receive_psn & kPsnMask),
      mask_(std::bit_ceil<std::uint64_t>(4u * context.config.max_dest_rd_atomic + 8u) - 1),
      queue_(mask_ + 1),
      history_(std::max<std::size_t>(1, context.config.max_dest_rd_atomic)) {}

unsigned RcResponder::busy() const {
  unsigned n = 0;
  for (std::uint64_t i = head_; i != tail_; ++i) n += queue_[i & mask_].kind != Kind::ack && !queue_[i & mask_].again;
  return n;
}

// One place stays free, so that a failure can always be told; and repetitions leave room for what is new.
bool RcResponder::push(const Answer& a) {
  const bool last_word = a.kind == Kind::ack && a.syndrome >= kNakSequence;
  const std::uint64_t kept = a.again ? 2u * c_.config.max_dest_rd_atomic + 2 : last_word ? 0 : 1;
  if (tail_ - head_ + kept > mask_) return false;
  queue_[tail_++ & mask_] = a;
  return true;
}

// Acknowledgements that nobody has seen yet become one.
void RcResponder::acknowledge(std::uint8_t syndrome, std::uint32_t psn) {
  const Answer a{.kind = Kind::ack,
                 .again = false,
                 .syndrome = syndrome,
                 .psn = psn,
                 .packets = 1,
                 .msn = msn_,
                 .key = 0,
                 .length = 0,
                 .address = 0,
                 .original = 0,
                 .from = 0,
                 .next = 0,
                 .end = 1};
  if (head_ != tail_ && syndrome == kAckUnlimited) {
    Answer& newest = answer(tail_ - 1);
    if (newest.kind == Kind::ack && newest.syndrome == kAckUnlimited) {
      newest = a;
      return;
    }
  }
  (void)push(a);
}

void RcResponder::on_request(const Packet& p, Time) {
  if (failed_) {
    ++c_.counters.dropped;
    return;
  }
  const OpcodeTraits& t = traits(p.bth.opcode);
  const std::int32_t ahead = psn_distance(p.bth.psn, expected_);
  if (ahead > 0) {
    ++c_.counters.out_of_order;
    if (!nak_sent_) acknowledge(kNakSequence, expected_);
    nak_sent_ = true;
    return;
  }
  if (ahead < 0) {
    ++c_.counters.duplicates;
    return duplicate(p, t);
  }
  receive_status_ = RcStatus::local_operation;
  std::uint8_t bad = check_order(t);
  if (bad == kFine) bad = execute(p, t);
  if (bad == kFine) {
    nak_sent_ = false;
    if (p.bth.ack_request && t.kind != OpcodeTraits::read_request && t.kind != OpcodeTraits::atomic)
      acknowledge(kAckUnlimited, p.bth.psn);
    return;
  }
  if ((bad & kSyndromeKind) == kRnrNak) {
    // What follows is dropped in silence until the peer tries again.
    nak_sent_ = true;
    ++c_.counters.rnr_naks;
    return acknowledge(bad, expected_);
  }
  fail(bad, p.bth.psn);
}

std::uint8_t RcResponder::check_order(const OpcodeTraits& t) const {
  const Message kind = t.kind == OpcodeTraits::send    ? Message::send
                       : t.kind == OpcodeTraits::write ? Message::write
                                                       : Message::none;
  const bool fits = t.first ? message_ == Message::none : message_ == kind && kind != Message::none;
  return fits ? kFine : kNakInvalidRequest;
}

std::uint8_t RcResponder::execute(const Packet& p, const OpcodeTraits& t) {
  switch (t.kind) {
    case OpcodeTraits::send:
      return execute_send(p, t);
    case OpcodeTraits::write:
      return execute_write(p, t);
    case OpcodeTraits::read_request:
      return execute_read(p);
    case OpcodeTraits::atomic:
      return execute_atomic(p);
    default:
      return kNakInvalidRequest;
  }
}

bool RcResponder::need_receive() {
  if (has_receive_) return true;
  receive_.count = 0;
  if (!c_.events.take_receive(c_.config.qpn, receive_)) return false;
  receive_.count = std::min<unsigned>(receive_.count, kMaxReceiveSegments);
  has_receive_ = true;
  receive_room_ = 0;
  for (unsigned i = 0; i < receive_.count; ++i) receive_room_ += receive_.segments[i].length;
  return true;
}

// FIRST and MIDDLE carry exactly one MTU, LAST something, ONLY up to one MTU.
bool RcResponder::length_fits(const OpcodeTraits& t, std::size_t bytes) const {
  if (!t.last) return bytes == c_.config.mtu;
  return bytes <= c_.config.mtu && (t.first || bytes != 0);
}

std::uint8_t RcResponder::execute_send(const Packet& p, const OpcodeTraits& t) {
  if (!need_receive()) return static_cast<std::uint8_t>(kRnrNak | (c_.config.min_rnr_timer & kSyndromeValue));
  if (t.first) received_ = 0;
  if (!length_fits(t, p.payload.size()) || received_ + p.payload.size() > kMaxMessage) return kNakInvalidRequest;
  if (received_ + p.payload.size() > receive_room_) {
    receive_status_ = RcStatus::local_length;
    return kNakInvalidRequest;
  }
  const auto segments = std::span<const Segment>(receive_.segments.data(), receive_.count);
  const MemoryFault f =
      walk_segments(segments, received_, p.payload.size(),
                    [&](std::uint32_t key, std::uint64_t address, std::size_t at, std::size_t n) {
                      return c_.memory.write(c_.config.pd, key, address, p.payload.subspan(at, n), Access::local_write);
                    });
  if (f != MemoryFault::none) {
    receive_status_ = RcStatus::local_protection;
    return kNakRemoteOperation;
  }
  if (t.ieth && c_.memory.invalidate(c_.config.pd, p.invalidate_key) != MemoryFault::none) return kNakRemoteAccess;
  received_ += p.payload.size();
  message_ = t.last ? Message::none : Message::send;
  expected_ = psn_add(expected_, 1);
  if (t.last) finish_receive(p, t, t.ieth ? RcOp::send_invalidate : t.immediate ? RcOp::send_imm : RcOp::send);
  return kFine;
}

void RcResponder::finish_receive(const Packet& p, const OpcodeTraits& t, RcOp op) {
  msn_ = psn_add(msn_, 1);
  has_receive_ = false;
  c_.events.receive_done(c_.config.qpn, {.id = receive_.id,
                                         .op = op,
                                         .status = RcStatus::success,
                                         .length = static_cast<std::uint32_t>(received_),
                                         .immediate = t.ieth ? p.invalidate_key : p.immediate,
                                         .solicited = p.bth.solicited});
}

std::uint8_t RcResponder::execute_write(const Packet& p, const OpcodeTraits& t) {
  if (!c_.config.remote_write) return kNakInvalidRequest;
  if (t.immediate && !need_receive())
    return static_cast<std::uint8_t>(kRnrNak | (c_.config.min_rnr_timer & kSyndromeValue));
  Reth target = t.first ? p.reth : target_;
  const std::size_t bytes = p.payload.size();
  if (!length_fits(t, bytes) || target.length > kMaxMessage) return kNakInvalidRequest;
  if (t.last ? bytes != target.length : bytes >= target.length) return kNakInvalidRequest;
  if (t.first && target.length != 0) {
    const auto f = c_.memory.check(c_.config.pd, target.key, target.address, target.length, Access::remote_write);
    if (f != MemoryFault::none) return nak_of(f);
  }
  if (bytes != 0) {
    const auto f = c_.memory.write(c_.config.pd, target.key, target.address, p.payload, Access::remote_write);
    if (f != MemoryFault::none) return nak_of(f);
  }
  if (t.first) received_ = 0;
  received_ += bytes;
  target_ = {target.address + bytes, target.key, target.length - static_cast<std::uint32_t>(bytes)};
  message_ = t.last ? Message::none : Message::write;
  expected_ = psn_add(expected_, 1);
  if (!t.last) return kFine;
  if (t.immediate) finish_receive(p, t, RcOp::write_imm);
  else msn_ = psn_add(msn_, 1);
  return kFine;
}

std::uint8_t RcResponder::execute_read(const Packet& p) {
  if (!c_.config.remote_read || busy() >= c_.config.max_dest_rd_atomic || p.reth.length > kMaxMessage)
    return kNakInvalidRequest;
  if (p.reth.length != 0) {
    const auto f = c_.memory.check(c_.config.pd, p.reth.key, p.reth.address, p.reth.length, Access::remote_read);
    if (f != MemoryFault::none) return nak_of(f);
  }
  const std::uint32_t packets = packets_of(p.reth.length, c_.config.mtu);
  msn_ = psn_add(msn_, 1);
  const Answer a{.kind = Kind::read,
                 .again = false,
                 .syndrome = kAckUnlimited,
                 .psn = p.bth.psn,
                 .packets = packets,
                 .msn = msn_,
                 .key = p.reth.key,
                 .length = p.reth.length,
                 .address = p.reth.address,
                 .original = 0,
                 .from = 0,
                 .next = 0,
                 .end = packets};
  (void)push(a);  // there is room: busy() is below max_dest_rd_atomic
  history_[remembered_++ % history_.size()] = a;
  expected_ = psn_add(expected_, packets);
  return kFine;
}

std::uint8_t RcResponder::execute_atomic(const Packet& p) {
  if (!c_.config.remote_atomic || busy() >= c_.config.max_dest_rd_atomic || p.atomic.address % 8 != 0)
    return kNakInvalidRequest;
  std::uint64_t original = 0;
  const auto f = c_.memory.atomic(c_.config.pd, p.atomic.key, p.atomic.address, p.bth.opcode == Opcode::rc_fetch_add,
                                  p.atomic.swap_or_add, p.atomic.compare, original);
  if (f != MemoryFault::none) return nak_of(f);
  msn_ = psn_add(msn_, 1);
  const Answer a{.kind = Kind::atomic,
                 .again = false,
                 .syndrome = kAckUnlimited,
                 .psn = p.bth.psn,
                 .packets = 1,
                 .msn = msn_,
                 .key = p.atomic.key,
                 .length = 8,
                 .address = p.atomic.address,
                 .original = original,
                 .from = 0,
                 .next = 0,
                 .end = 1};
  (void)push(a);
  history_[remembered_++ % history_.size()] = a;
  expected_ = psn_add(expected_, 1);
  return kFine;
}

// Something that was executed before. SEND and WRITE are only acknowledged again; a READ is read again; an atomic gets
// the answer that it got.
void RcResponder::duplicate(const Packet& p, const OpcodeTraits& t) {
  if (t.kind == OpcodeTraits::send || t.kind == OpcodeTraits::write)
    return acknowledge(kAckUnlimited, psn_add(expected_, kPsnMask));
  for (std::uint64_t n = std::min<std::uint64_t>(remembered_, history_.size()), k = 1; k <= n; ++k) {
    const Answer& old = history_[(remembered_ - k) % history_.size()];
    const std::uint32_t index = (p.bth.psn - old.psn) & kPsnMask;
    if (index >= old.packets) continue;
    Answer again = old;
    if (old.kind == Kind::read) {
      const std::uint64_t offset = std::uint64_t{index} * c_.config.mtu;
      if (t.kind != OpcodeTraits::read_request || p.reth.key != old.key || p.reth.address != old.address + offset ||
          p.reth.length > old.length - offset)
        break;
      again.from = again.next = index;
      again.length = static_cast<std::uint32_t>(offset + p.reth.length);
      again.end = index + packets_of(p.reth.length, c_.config.mtu);
      // Still being answered: the answer begins again where the peer lost it.
      for (std::uint64_t i = head_; i != tail_; ++i) {
        if (answer(i).kind != Kind::read || answer(i).psn != old.psn) continue;
        again.again = answer(i).again;
        answer(i) = again;
        return;
      }
    } else if (t.kind != OpcodeTraits::atomic || p.atomic.address != old.address || p.atomic.key != old.key) {
      break;
    }
    again.again = true;
    if (!push(again)) ++c_.counters.dropped;
    return;
  }
  ++c_.counters.dropped;
}

bool RcResponder::transmit(Time now) {
  if (head_ == tail_) return false;
  Answer& a = answer(head_);
  if (a.kind == Kind::read) return transmit_read(a, now);
  Packet p;
  p.bth.opcode = a.kind == Kind::ack ? Opcode::rc_acknowledge : Opcode::rc_atomic_acknowledge;
  p.bth.psn = a.psn;
  p.aeth = {a.syndrome, a.msn};
  p.original = a.original;
  if (emit(c_, p, 0, now, no_payload) != Emitted::sent) return false;
  ++c_.counters.acks;
  ++head_;
  return true;
}

bool RcResponder::transmit_read(Answer& a, Time now) {
  // A part of a READ that is asked for again is a message of its own: it begins with FIRST and ends with LAST.
  const bool begins = a.next == a.from, ends = a.next + 1 == a.end;
  using enum Opcode;
  Packet p;
  p.bth.opcode = begins ? (ends ? rc_read_response_only : rc_read_response_first)
                        : (ends ? rc_read_response_last : rc_read_response_middle);
  p.bth.psn = psn_add(a.psn, a.next);
  p.aeth = {a.syndrome, a.msn};
  const std::uint64_t offset = std::uint64_t{a.next} * c_.config.mtu;
  const std::size_t bytes = std::min<std::uint64_t>(c_.config.mtu, a.length - offset);
  MemoryFault fault = MemoryFault::none;
  const Emitted e = emit(
      c_, p, bytes, now,
      [&](MutableBytes out) {
        return c_.memory.read(c_.config.pd, a.key, a.address + offset, out, Access::remote_read);
      },
      &fault);
  if (e == Emitted::fault) {
    const std::uint32_t psn = p.bth.psn;
    tail_ = head_;  // nothing behind it can be answered any more
    fail(nak_of(fault), psn);
    return true;
  }
  if (e != Emitted::sent) return false;
  if (++a.next == a.end) ++head_;
  return true;
}

void RcResponder::fail(std::uint8_t syndrome, std::uint32_t psn) {
  acknowledge(syndrome, psn);
  if (failed_) return;
  failed_ = true;
  if (has_receive_) {
    has_receive_ = false;
    c_.events.receive_done(c_.config.qpn, {.id = receive_.id, .op = RcOp::send, .status = receive_status_});
  }
}

void RcResponder::flush() {
  failed_ = true;
  head_ = tail_;
  if (!has_receive_) return;
  has_receive_ = false;
  c_.events.receive_done(c_.config.qpn, {.id = receive_.id, .op = RcOp::send, .status = RcStatus::flushed});
}

}  // namespace hcq::models::fabric
