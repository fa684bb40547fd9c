// SPDX-License-Identifier: MIT
// Reliable connected transport: what a NIC model hands to it and gets back. The transport (rc_qp.h, rc_engine.h) knows
// the wire; the NIC model knows work queues, keys, completions and the host's memory, and stands behind the two
// interfaces below. All calls come from the thread that drives the engine.
#pragma once

#include <array>
#include <cstdint>
#include <span>

#include "models/fabric/fabric.h"

namespace hcq::models::fabric {

enum class Access : std::uint8_t { local_read, local_write, remote_read, remote_write, remote_atomic };

// Why memory cannot be accessed. The first kind is the peer's or the driver's fault, the second the host's.
enum class MemoryFault : std::uint8_t {
  none,
  refused,  // unknown key, other protection domain, out of range, or without this right
  host,     // the key is good, the bus access is not: not mapped, bus mastering off
};

// Memory as keys see it. `pd` is the queue pair's protection domain; implementations compare it with the key's.
// Addresses and lengths come from the wire and may be anything; address + length may wrap.
class RcMemory {
 public:
  virtual ~RcMemory() = default;
  // Whether an access of the whole range would be allowed now. Touches nothing.
  virtual MemoryFault check(std::uint32_t pd, std::uint32_t key, std::uint64_t address, std::uint64_t length,
                            Access access) = 0;
  virtual MemoryFault read(std::uint32_t pd, std::uint32_t key, std::uint64_t address, MutableBytes out,
                           Access access) = 0;
  virtual MemoryFault write(std::uint32_t pd, std::uint32_t key, std::uint64_t address, Bytes in, Access access) = 0;
  // Replaces the eight bytes at `address` (aligned) as one step: by `operand` if they equal `compare`, or with `add`,
  // by their sum with `operand`. `original` is what stood there. Values are numbers of the host's byte order.
  virtual MemoryFault atomic(std::uint32_t pd, std::uint32_t key, std::uint64_t address, bool add,
                             std::uint64_t operand, std::uint64_t compare, std::uint64_t& original) = 0;
  // A peer's SEND with invalidate.
  virtual MemoryFault invalidate(std::uint32_t pd, std::uint32_t key) = 0;
};

struct Segment {
  std::uint64_t address = 0;
  std::uint32_t length = 0;
  std::uint32_t key = 0;
};

enum class RcOp : std::uint8_t { send, send_imm, send_invalidate, write, write_imm, read, compare_swap, fetch_add };
const char* name_of(RcOp op);

// One message to send. Segments and inline data are copied when it is posted; the memory that segments name is read
// when packets are made, again for each retransmission.
struct SendRequest {
  std::uint64_t id = 0;
  RcOp op = RcOp::send;
  bool solicited = false;
  bool fence = false;           // begins only when all earlier READs and atomics have completed
  std::uint32_t immediate = 0;  // or the key to invalidate
  std::uint64_t remote_address = 0;
  std::uint32_t remote_key = 0;
  std::uint64_t swap_or_add = 0, compare = 0;
  std::span<const Segment> segments{};  // data to send, or where READ and atomic results go
  Bytes inline_data{};                  // used instead of segments when not empty
};

enum class RcStatus : std::uint8_t {
  success,
  local_length,        // message too long, or (receiving) longer than the buffer
  local_protection,    // our own memory refused
  local_operation,     // the queue pair failed while this receive was in use
  bad_response,        // the peer answered nonsense
  remote_invalid,      // NAK 0x61
  remote_access,       // NAK 0x62
  remote_operation,    // NAK 0x63
  retry_exceeded,      // no answer
  rnr_retry_exceeded,  // the peer never had a receive buffer
  flushed,             // the queue pair was in error already
};
const char* name_of(RcStatus s);

struct SendCompletion {
  std::uint64_t id = 0;
  RcOp op = RcOp::send;
  RcStatus status = RcStatus::success;
  std::uint32_t length = 0;
};

constexpr std::size_t kMaxReceiveSegments = 32;

struct ReceiveRequest {
  std::uint64_t id = 0;
  unsigned count = 0;
  std::array<Segment, kMaxReceiveSegments> segments{};
};

struct ReceiveCompletion {
  std::uint64_t id = 0;
  RcOp op = RcOp::send;  // send, send_imm, send_invalidate or write_imm
  RcStatus status = RcStatus::success;
  std::uint32_t length = 0;
  std::uint32_t immediate = 0;  // or the key that was invalidated
  bool solicited = false;
};

class RcEvents {
 public:
  virtual ~RcEvents() = default;
  // The next receive buffer of this queue pair (or of its shared receive queue); false: there is none.
  virtual bool take_receive(std::uint32_t qpn, ReceiveRequest& out) = 0;
  // Every request posted is reported once, in order. May post again.
  virtual void send_done(std::uint32_t qpn, const SendCompletion& c) = 0;
  virtual void receive_done(std::uint32_t qpn, const ReceiveCompletion& c) = 0;
  // The queue pair has gone into the error state by itself; `reason` is what the requester completed with, or
  // local_operation when it was the responder. Receive buffers not taken are the owner's to flush.
  virtual void failed(std::uint32_t qpn, RcStatus reason) = 0;
};

// What a queue pair is told when it is made; the names are those of the verbs' attributes.
struct RcConfig {
  std::uint32_t qpn = 0, remote_qpn = 0, pd = 0;
  std::uint16_t pkey = kDefaultPkey;
  Route route{};             // of the packets we send
  std::uint32_t mtu = 1024;  // payload bytes of a packet: 256 to 8192, a power of two
  std::uint32_t send_psn = 0, receive_psn = 0;
  std::uint32_t send_depth = 128;  // requests posted and not completed; rounded up to a power of two
  std::uint32_t send_segments = 8, send_inline = 0;
  std::uint8_t max_rd_atomic = 16;                                     // READs and atomics we have under way
  std::uint8_t max_dest_rd_atomic = 16;                                // and those the peer may have
  std::uint8_t timeout = 14;                                           // 4.096 us * 2^timeout; 0 waits for ever
  std::uint8_t retry = 7, rnr_retry = 7;                               // rnr_retry 7: without limit
  std::uint8_t min_rnr_timer = 12;                                     // code of IBTA table 45
  bool remote_read = true, remote_write = true, remote_atomic = true;  // what the peer may do at all
  std::uint32_t window = 128;                                          // request packets without an answer
};

struct RcCounters {
  std::uint64_t sent = 0, received = 0;  // packets of this queue pair
  std::uint64_t retransmitted = 0, timeouts = 0, sequence_naks = 0, rnr_naks = 0, implied_naks = 0;  // as requester
  std::uint64_t duplicates = 0, out_of_order = 0, acks = 0;                                          // as responder
  std::uint64_t stale = 0, dropped = 0;  // answers to what is done already; packets that fit nothing
};

// The time that an RNR timer code stands for.
Time rnr_time(std::uint8_t code);

}  // namespace hcq::models::fabric
