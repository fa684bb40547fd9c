// SPDX-License-Identifier: MIT
// The receiving half of an RC queue pair (IBTA 9.7.4, 9.7.5): executes requests in order of their PSN, answers what it
// has seen before, and says what is wrong with the rest.
#pragma once

#include <vector>

#include "models/fabric/rc_wire.h"

namespace hcq::models::fabric {

class RcResponder {
 public:
  explicit RcResponder(RcContext& context);

  void on_request(const Packet& p, Time now);
  // Sends at most one packet. False: there is nothing to answer.
  bool transmit(Time now);
  bool idle() const { return head_ == tail_; }
  bool failed() const { return failed_; }
  // A message that is half received completes as flushed, and nothing is taken any more.
  void flush();

 private:
  enum class Kind : std::uint8_t { ack, read, atomic };
  // An answer that is to be sent, or a READ or atomic that may be asked for again.
  struct Answer {
    Kind kind;
    bool again;  // asked for a second time: does not count as one of the peer's READs and atomics under way
    std::uint8_t syndrome;
    std::uint32_t psn, packets, msn;
    std::uint32_t key, length;
    std::uint64_t address, original;
    std::uint32_t from, next, end;  // READ: packets of this answer, counted from psn; next is the one to send
  };
  enum class Message : std::uint8_t { none, send, write };

  void duplicate(const Packet& p, const OpcodeTraits& t);
  std::uint8_t execute(const Packet& p, const OpcodeTraits& t);
  std::uint8_t execute_send(const Packet& p, const OpcodeTraits& t);
  std::uint8_t execute_write(const Packet& p, const OpcodeTraits& t);
  std::uint8_t execute_read(const Packet& p);
  std::uint8_t execute_atomic(const Packet& p);
  std::uint8_t check_order(const OpcodeTraits& t) const;
  bool length_fits(const OpcodeTraits& t, std::size_t bytes) const;
  bool need_receive();
  void finish_receive(const Packet& p, const OpcodeTraits& t, RcOp op);
  void fail(std::uint8_t syndrome, std::uint32_t psn);
  void acknowledge(std::uint8_t syndrome, std::uint32_t psn);
  bool push(const Answer& a);
  bool transmit_read(Answer& a, Time now);
  unsigned busy() const;  // READs and atomics not answered yet
  Answer& answer(std::uint64_t i) { return queue_[i & mask_]; }

  RcContext& c_;
  std::uint32_t expected_, msn_ = 0;
  bool nak_sent_ = false, failed_ = false;
  Message message_ = Message::none;
  ReceiveRequest receive_{};
  bool has_receive_ = false;
  RcStatus receive_status_ = RcStatus::local_operation;  // of the receive in use, should this packet fail
  std::uint64_t receive_room_ = 0, received_ = 0;        // bytes of the buffer; of the message so far
  Reth target_{};                                        // rest of the WRITE in progress
  std::uint64_t mask_;
  std::vector<Answer> queue_;
  std::uint64_t head_ = 0, tail_ = 0;
  std::vector<Answer> history_;
  std::uint64_t remembered_ = 0;
};

}  // namespace hcq::models::fabric
