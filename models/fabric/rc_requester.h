// SPDX-License-Identifier: MIT
// The sending half of an RC queue pair (IBTA 9.7.5, 9.9): cuts messages into packets, keeps them until the peer has
// answered, goes back to the oldest unanswered one when something is lost, and puts READ and atomic results into place.
#pragma once

#include <vector>

#include "models/fabric/rc_wire.h"

namespace hcq::models::fabric {

class RcRequester {
 public:
  explicit RcRequester(RcContext& context);

  // False: the queue is full, or the request has more segments or inline data than the queue pair was made for.
  bool post(const SendRequest& request);
  // May packets go out? True from RTS on.
  void start();
  // Holds back new messages (SQD); those under way go on.
  void hold(bool on) { held_ = on; }
  bool idle() const { return head_ == tail_ || failed_; }

  // An acknowledgement or a response.
  void on_response(const Packet& p, Time now);
  // Sends at most one packet. False: nothing may be sent now.
  bool transmit(Time now);
  // Timeouts that are over by `now`.
  void on_time(Time now);
  // When on_time() or transmit() will have something to do without any packet arriving.
  std::optional<Time> next_time() const;
  // Everything that is posted completes as flushed; later posts too.
  void flush();
  bool failed() const { return failed_; }
  // Why it failed by itself; success when it was told to.
  RcStatus failure() const { return failure_; }

 private:
  struct Slot {
    std::uint64_t id;
    RcOp op;
    bool solicited, fence, assigned, counted, is_inline;
    RcStatus fault;  // found when the message began; it completes with this once it is the oldest
    std::uint32_t immediate, remote_key;
    std::uint64_t remote_address, swap_or_add, compare;
    std::uint32_t length, segments;
    std::uint32_t first_psn, packets;
    std::uint32_t expected;  // READ: answers that are under way
  };
  static bool wants_data(RcOp op) { return op >= RcOp::read; }
  Slot& slot(std::uint64_t i) { return slots_[i & mask_]; }
  std::span<const Segment> segments_of(std::uint64_t i) const;
  MemoryFault gather(std::uint64_t i, std::uint64_t offset, MutableBytes out);
  MemoryFault scatter(std::uint64_t i, std::uint64_t offset, Bytes in);

  bool begin(std::uint64_t i);
  bool may_send(const Slot& s) const;
  bool send_request_packet(Slot& s, std::uint32_t index, Time now);
  Opcode opcode_of(const Slot& s, std::uint32_t index) const;
  bool advance(std::uint32_t psn, Time now);
  void progress(Time now);
  void seek(std::uint32_t psn);
  void go_back();
  void implied_nak();
  void on_ack(const Packet& p, Time now);
  void on_nak(const Packet& p, Time now);
  void on_read_response(const Packet& p, Time now);
  void on_atomic_response(const Packet& p, Time now);
  void retry_or_fail();
  void fail(RcStatus status);
  void complete(RcStatus status);

  RcContext& c_;
  std::uint64_t mask_;
  std::vector<Slot> slots_;
  std::vector<Segment> segments_;
  std::vector<std::byte> inline_;
  bool started_ = false, held_ = false, failed_ = false;
  RcStatus failure_ = RcStatus::success;
  std::uint64_t head_ = 0, cursor_ = 0, tail_ = 0;  // requests: oldest, next to send from, next to post
  // PSNs: oldest unanswered, next to send, behind the last ever sent, first of the next message.
  std::uint32_t una_ = 0, cursor_psn_ = 0, sent_end_ = 0, next_psn_ = 0;
  std::uint32_t read_psns_ = 0, reads_ = 0;  // between una and cursor: expected response packets; READs and atomics
  std::uint32_t without_ack_request_ = 0;
  std::uint8_t retries_left_ = 0, rnr_left_ = 0;
  bool implied_ = false;  // gone back for a lost response already
  Time timeout_{0};
  std::optional<Time> timer_, rnr_until_;
};

}  // namespace hcq::models::fabric
