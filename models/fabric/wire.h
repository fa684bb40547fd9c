// SPDX-License-Identifier: MIT
// Numbers of RoCEv2 as they go over the wire: addresses, opcodes, headers. Sources: InfiniBand Architecture
// Specification volume 1 (chapter 9, transport layer) and its annex A17 (RoCEv2). All fields are host order here.
#pragma once

#include <array>
#include <compare>
#include <cstdint>

#include "base/bytes.h"

namespace hcq::models::fabric {

using Mac = std::array<std::uint8_t, 6>;
constexpr Mac kBroadcast{0xff, 0xff, 0xff, 0xff, 0xff, 0xff};

// A port's address in the InfiniBand sense, in network order. An IPv4 address is ::ffff:a.b.c.d, as RoCEv2 maps it.
struct Gid {
  std::array<std::uint8_t, 16> bytes{};
  auto operator<=>(const Gid&) const = default;
  static constexpr Gid ipv4(std::uint8_t a, std::uint8_t b, std::uint8_t c, std::uint8_t d) {
    return Gid{{0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0xff, 0xff, a, b, c, d}};
  }
  constexpr bool is_ipv4() const {
    for (unsigned i = 0; i < 10; ++i)
      if (bytes[i] != 0) return false;
    return bytes[10] == 0xff && bytes[11] == 0xff;
  }
};

// What Ethernet, IP and UDP say about a packet. Both GIDs are of one kind; IPv4-mapped ones travel over IPv4.
struct Route {
  Mac source_mac{}, destination_mac{};
  Gid source{}, destination{};
  std::uint16_t udp_source = 0xc000;
  std::uint8_t traffic_class = 0;  // DSCP and, in bits 1:0, ECN
  std::uint8_t hop_limit = 64;
  std::uint16_t ip_identification = 0;  // IPv4 only
  std::uint32_t flow_label = 0;         // IPv6 only, 20 bits
  bool tagged = false;                  // has an 802.1Q tag
  std::uint16_t vlan = 0;               // the tag: priority, DEI, VLAN id
};

constexpr std::uint16_t kRocePort = 4791;
constexpr std::uint16_t kDefaultPkey = 0xffff;
constexpr std::uint32_t kPsnMask = 0xffffff;

enum class Opcode : std::uint8_t {
  rc_send_first = 0x00,
  rc_send_middle = 0x01,
  rc_send_last = 0x02,
  rc_send_last_imm = 0x03,
  rc_send_only = 0x04,
  rc_send_only_imm = 0x05,
  rc_write_first = 0x06,
  rc_write_middle = 0x07,
  rc_write_last = 0x08,
  rc_write_last_imm = 0x09,
  rc_write_only = 0x0a,
  rc_write_only_imm = 0x0b,
  rc_read_request = 0x0c,
  rc_read_response_first = 0x0d,
  rc_read_response_middle = 0x0e,
  rc_read_response_last = 0x0f,
  rc_read_response_only = 0x10,
  rc_acknowledge = 0x11,
  rc_atomic_acknowledge = 0x12,
  rc_compare_swap = 0x13,
  rc_fetch_add = 0x14,
  rc_send_last_invalidate = 0x16,
  rc_send_only_invalidate = 0x17,
  uc_send_first = 0x20,
  uc_write_only_imm = 0x2b,
  ud_send_only = 0x64,
  ud_send_only_imm = 0x65,
  congestion_notification = 0x81,
};

// What an opcode implies: the headers behind the BTH, and the packet's place in its message.
struct OpcodeTraits {
  enum Kind : std::uint8_t { unknown, send, write, read_request, read_response, acknowledge, atomic, atomic_ack, cnp };
  Kind kind = unknown;
  bool first = false, last = false;  // ONLY has both, MIDDLE none
  bool reth = false, aeth = false, atomic_eth = false, atomic_ack_eth = false, immediate = false, ieth = false,
       deth = false;
  bool payload = false;  // may carry data
  std::uint8_t header_bytes = 0;
};
const OpcodeTraits& traits(Opcode opcode);

// Base transport header, 12 bytes.
struct Bth {
  Opcode opcode = Opcode::rc_send_only;
  bool solicited = false, migration = true, fecn = false, becn = false, ack_request = false;
  std::uint16_t pkey = kDefaultPkey;
  std::uint32_t destination_qp = 0;  // 24 bits
  std::uint32_t psn = 0;             // 24 bits
};
// RDMA extended transport header, 16 bytes.
struct Reth {
  std::uint64_t address = 0;
  std::uint32_t key = 0, length = 0;
};
// 28 bytes.
struct AtomicEth {
  std::uint64_t address = 0;
  std::uint32_t key = 0;
  std::uint64_t swap_or_add = 0, compare = 0;
};
// ACK extended transport header, 4 bytes.
struct Aeth {
  std::uint8_t syndrome = 0;
  std::uint32_t msn = 0;  // 24 bits
};
// Datagram extended transport header, 8 bytes.
struct Deth {
  std::uint32_t queue_key = 0, source_qp = 0;
};

// AETH syndromes (IBTA 9.7.5.2). Credit 0x1f means "no limit", which is what a NIC with a shared receive queue says.
constexpr std::uint8_t kAckUnlimited = 0x1f, kRnrNak = 0x20, kNakSequence = 0x60, kNakInvalidRequest = 0x61,
                       kNakRemoteAccess = 0x62, kNakRemoteOperation = 0x63;
constexpr std::uint8_t kSyndromeKind = 0x60, kSyndromeValue = 0x1f;

// A packet taken apart. Which of the headers count is said by traits(bth.opcode); `payload` is without padding and
// points into the frame that it came from.
struct Packet {
  Route route{};
  Bth bth{};
  Reth reth{};
  AtomicEth atomic{};
  Aeth aeth{};
  Deth deth{};
  std::uint64_t original = 0;        // AtomicAckETH
  std::uint32_t immediate = 0;       // ImmDt
  std::uint32_t invalidate_key = 0;  // IETH
  Bytes payload{};
};

// PSNs are compared within half of their 24-bit circle: negative when a is before b.
constexpr std::int32_t psn_distance(std::uint32_t a, std::uint32_t b) {
  return static_cast<std::int32_t>((a - b) << 8) >> 8;
}
constexpr std::uint32_t psn_add(std::uint32_t psn, std::uint32_t n) { return (psn + n) & kPsnMask; }

}  // namespace hcq::models::fabric
