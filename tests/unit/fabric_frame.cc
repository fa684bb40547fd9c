// SPDX-License-Identifier: MIT
// RoCEv2 frames: the golden vector, every opcode both ways, and every way in which a frame can be wrong.
#include <gtest/gtest.h>

#include <cstring>
#include <random>
#include <vector>

#include "models/fabric/frame.h"

namespace hcq::models::fabric {
namespace {

// RC WRITE ONLY of 8 bytes, 192.168.0.1 to .2; computed with zlib and equal to what scapy's RoCE layer makes.
constexpr std::uint8_t kGolden[] = {
    0x02, 0,    0,    0,    0,    2,    0x02, 0,    0,    0,    0,    1,    0x08, 0x00,           // Ethernet
    0x45, 0x02, 0x00, 0x44, 0x12, 0x34, 0x40, 0x00, 0x40, 0x11, 0xa7, 0x1f,                       // IPv4
    0xc0, 0xa8, 0x00, 0x01, 0xc0, 0xa8, 0x00, 0x02,                                               //
    0xc0, 0x00, 0x12, 0xb7, 0x00, 0x30, 0x00, 0x00,                                               // UDP
    0x0a, 0x40, 0xff, 0xff, 0x00, 0x00, 0x00, 0x11, 0x80, 0x12, 0x34, 0x56,                       // BTH
    0x11, 0x22, 0x33, 0x44, 0x55, 0x66, 0x77, 0x88, 0x00, 0x00, 0x33, 0x00, 0x00, 0x00, 0x00, 8,  // RETH
    0x41, 0x42, 0x43, 0x44, 0x45, 0x46, 0x47, 0x48,                                               // payload
    0xfe, 0x3f, 0x39, 0xac};                                                                      // ICRC

Packet golden_packet() {
  Packet p;
  p.route = {.source_mac = {2, 0, 0, 0, 0, 1},
             .destination_mac = {2, 0, 0, 0, 0, 2},
             .source = Gid::ipv4(192, 168, 0, 1),
             .destination = Gid::ipv4(192, 168, 0, 2),
             .traffic_class = 2,
             .ip_identification = 0x1234};
  p.bth = {.opcode = Opcode::rc_write_only, .ack_request = true, .destination_qp = 0x11, .psn = 0x123456};
  p.reth = {0x1122334455667788, 0x3300, 8};
  return p;
}

std::vector<std::byte> bytes_of(std::span<const std::uint8_t> b) {
  std::vector<std::byte> v(b.size());
  std::memcpy(v.data(), b.data(), b.size());
  return v;
}

// The CRC bit by bit, from its definition, as a second opinion.
std::uint32_t slow_crc(Bytes data) {
  std::uint32_t crc = ~0u;
  for (const std::byte b : data) {
    crc ^= std::to_integer<std::uint32_t>(b);
    for (int i = 0; i < 8; ++i) crc = crc >> 1 ^ (crc & 1 ? 0xedb88320u : 0);
  }
  return ~crc;
}

std::vector<std::byte> make(const Packet& p) {
  std::vector<std::byte> frame(kMaxFrame);
  frame.resize(encode(p, frame));
  return frame;
}

// Puts a valid ICRC at the end of a frame that was changed on purpose.
void reseal(std::vector<std::byte>& frame, std::size_t ip = 14) {
  const std::uint32_t icrc = invariant_crc(Bytes(frame).subspan(ip, frame.size() - 4 - ip));
  std::memcpy(frame.data() + frame.size() - 4, &icrc, 4);
}
void fix_checksum(std::vector<std::byte>& frame) {
  const std::uint16_t sum = ip_checksum(frame.data() + 14);
  frame[24] = static_cast<std::byte>(sum >> 8);
  frame[25] = static_cast<std::byte>(sum);
}

TEST(FabricFrame, GoldenVectorIsMade) {
  Packet p = golden_packet();
  const char data[] = "ABCDEFGH";
  p.payload = std::as_bytes(std::span(data, 8));
  EXPECT_EQ(make(p), bytes_of(kGolden));
}

TEST(FabricFrame, GoldenVectorIsUnderstood) {
  const auto frame = bytes_of(kGolden);
  Packet p;
  ASSERT_EQ(decode(frame, p), FrameVerdict::ok);
  EXPECT_EQ(p.bth.opcode, Opcode::rc_write_only);
  EXPECT_EQ(p.bth.psn, 0x123456u);
  EXPECT_EQ(p.bth.destination_qp, 0x11u);
  EXPECT_TRUE(p.bth.ack_request);
  EXPECT_TRUE(p.bth.migration);
  EXPECT_FALSE(p.bth.solicited);
  EXPECT_EQ(p.bth.pkey, 0xffff);
  EXPECT_EQ(p.reth.address, 0x1122334455667788u);
  EXPECT_EQ(p.reth.key, 0x3300u);
  EXPECT_EQ(p.reth.length, 8u);
  EXPECT_EQ(p.route.traffic_class, 2);
  EXPECT_EQ(p.route.hop_limit, 64);
  EXPECT_EQ(p.route.source, Gid::ipv4(192, 168, 0, 1));
  ASSERT_EQ(p.payload.size(), 8u);
  EXPECT_EQ(std::memcmp(p.payload.data(), "ABCDEFGH", 8), 0);
}

TEST(FabricFrame, AnyChangedBitIsSeenOrMaskedByDefinition) {
  // What routers may change and the ICRC therefore leaves out: TOS, TTL, IP checksum, UDP checksum, FECN/BECN byte.
  const auto masked = [](std::size_t at) { return at < 14 || at == 40 || at == 41 || at == 46; };
  const auto good = bytes_of(kGolden);
  for (std::size_t at = 0; at < good.size(); ++at)
    for (unsigned bit = 0; bit < 8; ++bit) {
      auto frame = good;
      frame[at] ^= static_cast<std::byte>(1u << bit);
      Packet p;
      if (masked(at)) continue;
      EXPECT_NE(decode(frame, p), FrameVerdict::ok) << "bit " << bit << " of byte " << at;
    }
}

TEST(FabricFrame, RoutersMayChangeWhatTheyChange) {
  auto frame = bytes_of(kGolden);
  frame[15] = std::byte{0x03};  // congestion experienced
  frame[22] = std::byte{0x01};  // TTL
  fix_checksum(frame);
  frame[46] = std::byte{0xc0};  // FECN, BECN
  Packet p;
  ASSERT_EQ(decode(frame, p), FrameVerdict::ok);
  EXPECT_TRUE(p.bth.fecn);
  EXPECT_TRUE(p.bth.becn);
  EXPECT_EQ(p.route.traffic_class, 3);
}

TEST(FabricFrame, EveryShorterFrameIsRefused) {
  const auto good = bytes_of(kGolden);
  for (std::size_t n = 0; n < good.size(); ++n) {
    // A buffer of exactly this size, so that a sanitizer sees a read beyond it.
    const std::vector<std::byte> frame(good.begin(), good.begin() + static_cast<long>(n));
    Packet p;
    EXPECT_EQ(decode(frame, p), FrameVerdict::truncated) << n;
  }
}

TEST(FabricFrame, BytesBehindThePacketAreEthernetPadding) {
  auto frame = bytes_of(kGolden);
  frame.resize(frame.size() + 18, std::byte{0xee});
  Packet p;
  ASSERT_EQ(decode(frame, p), FrameVerdict::ok);
  EXPECT_EQ(p.payload.size(), 8u);
}

TEST(FabricFrame, WrongHeadersAreNamed) {
  struct Case {
    std::size_t at;
    std::uint8_t value;
    bool checksum;  // make the IP checksum right again
    FrameVerdict verdict;
  };
  const Case cases[] = {
      {12, 0x86, false, FrameVerdict::other_protocol},  // 0x8600 is no IP
      {13, 0x06, false, FrameVerdict::other_protocol},  // ARP
      {14, 0x46, true, FrameVerdict::bad_ip_header},    // options
      {14, 0x65, true, FrameVerdict::bad_ip_header},    // says IPv6
      {20, 0x60, true, FrameVerdict::bad_ip_header},    // more fragments
      {21, 0x01, true, FrameVerdict::bad_ip_header},    // fragment offset
      {23, 6, true, FrameVerdict::other_protocol},      // TCP
      {17, 0x43, true, FrameVerdict::bad_udp_length},
      {17, 0x45, true, FrameVerdict::truncated},
      {17, 0x13, true, FrameVerdict::bad_ip_header},
      {17, 0x1b, true, FrameVerdict::truncated},
      {24, 0x00, false, FrameVerdict::bad_ip_checksum},
      {37, 0xb6, false, FrameVerdict::other_protocol},  // port 4790
      {39, 0x2f, false, FrameVerdict::bad_udp_length},
      {43, 0x41, false, FrameVerdict::bad_version},
      {42, 0x15, false, FrameVerdict::unknown_opcode},
      {42, 0x44, false, FrameVerdict::unknown_opcode},  // reliable datagram
      {42, 0x11, false, FrameVerdict::bad_length},      // an ACK has no payload
      {43, 0x70, false, FrameVerdict::ok},              // 3 bytes of padding: 5 of data
  };
  for (const Case& c : cases) {
    auto frame = bytes_of(kGolden);
    frame[c.at] = static_cast<std::byte>(c.value);
    if (c.checksum) fix_checksum(frame);
    if (c.at >= 34) reseal(frame);
    Packet p;
    EXPECT_EQ(name_of(decode(frame, p)), name_of(c.verdict)) << "byte " << c.at << " = " << unsigned{c.value};
    if (c.verdict == FrameVerdict::ok) {
      EXPECT_EQ(p.payload.size(), 5u);
    }
  }
}

TEST(FabricFrame, MorePaddingThanDataIsRefused) {
  Packet p = golden_packet();
  p.bth.opcode = Opcode::rc_send_only;
  auto frame = make(p);
  frame[43] = std::byte{0x50};  // one byte of padding, of none
  reseal(frame);
  EXPECT_EQ(decode(frame, p), FrameVerdict::bad_length);
}

// Everything in a packet set to something.
Packet random_packet(std::mt19937_64& rng, Opcode opcode, bool v6, bool tagged) {
  const auto u32 = [&] { return static_cast<std::uint32_t>(rng()); };
  Packet p = golden_packet();
  if (v6) {
    for (auto& b : p.route.source.bytes) b = static_cast<std::uint8_t>(rng());
    for (auto& b : p.route.destination.bytes) b = static_cast<std::uint8_t>(rng());
    p.route.flow_label = u32() & 0xfffff;
    p.route.ip_identification = 0;
  }
  p.route.tagged = tagged;
  p.route.vlan = tagged ? 0x6123 : 0;
  p.bth = {.opcode = opcode,
           .solicited = (rng() & 1) != 0,
           .migration = (rng() & 1) != 0,
           .fecn = (rng() & 1) != 0,
           .becn = (rng() & 1) != 0,
           .ack_request = (rng() & 1) != 0,
           .pkey = static_cast<std::uint16_t>(rng()),
           .destination_qp = u32() & kPsnMask,
           .psn = u32() & kPsnMask};
  p.reth = {rng(), u32(), u32()};
  p.atomic = {rng(), u32(), rng(), rng()};
  p.aeth = {static_cast<std::uint8_t>(rng()), u32() & kPsnMask};
  p.deth = {u32(), u32() & kPsnMask};
  p.original = rng();
  p.immediate = u32();
  p.invalidate_key = u32();
  return p;
}

void expect_same(const Packet& p, const Packet& q) {
  const OpcodeTraits& t = traits(p.bth.opcode);
  EXPECT_EQ(q.route.source, p.route.source);
  EXPECT_EQ(q.route.destination, p.route.destination);
  EXPECT_EQ(q.route.source_mac, p.route.source_mac);
  EXPECT_EQ(q.route.tagged, p.route.tagged);
  EXPECT_TRUE(!p.route.tagged || q.route.vlan == p.route.vlan);
  EXPECT_TRUE(p.route.source.is_ipv4() || q.route.flow_label == p.route.flow_label);
  EXPECT_EQ(q.bth.opcode, p.bth.opcode);
  EXPECT_EQ(q.bth.psn, p.bth.psn);
  EXPECT_EQ(q.bth.destination_qp, p.bth.destination_qp);
  EXPECT_EQ(q.bth.solicited, p.bth.solicited);
  EXPECT_EQ(q.bth.migration, p.bth.migration);
  EXPECT_EQ(q.bth.fecn, p.bth.fecn);
  EXPECT_EQ(q.bth.becn, p.bth.becn);
  EXPECT_EQ(q.bth.ack_request, p.bth.ack_request);
  EXPECT_EQ(q.bth.pkey, p.bth.pkey);
  EXPECT_TRUE(!t.reth ||
              (q.reth.address == p.reth.address && q.reth.key == p.reth.key && q.reth.length == p.reth.length));
  EXPECT_TRUE(!t.atomic_eth || (q.atomic.address == p.atomic.address && q.atomic.key == p.atomic.key &&
                                q.atomic.swap_or_add == p.atomic.swap_or_add && q.atomic.compare == p.atomic.compare));
  EXPECT_TRUE(!t.aeth || (q.aeth.syndrome == p.aeth.syndrome && q.aeth.msn == p.aeth.msn));
  EXPECT_TRUE(!t.deth || (q.deth.queue_key == p.deth.queue_key && q.deth.source_qp == p.deth.source_qp));
  EXPECT_TRUE(!t.atomic_ack_eth || q.original == p.original);
  EXPECT_TRUE(!t.immediate || q.immediate == p.immediate);
  EXPECT_TRUE(!t.ieth || q.invalidate_key == p.invalidate_key);
  EXPECT_TRUE(std::equal(q.payload.begin(), q.payload.end(), p.payload.begin(), p.payload.end()));
}

// The rule of annex A17 spelled out on a copy of the whole packet.
std::uint32_t spelled_out_icrc(Bytes frame, std::size_t ip, bool v6) {
  const std::size_t header = v6 ? 40 : 20, n = frame.size() - 4 - ip;
  std::vector<std::byte> copy(8 + n, std::byte{0xff});
  std::byte* const h = copy.data() + 8;
  std::memcpy(h, frame.data() + ip, n);
  if (v6) {
    h[0] |= std::byte{0x0f};
    h[1] = h[2] = h[3] = h[7] = std::byte{0xff};
  } else {
    h[1] = h[8] = h[10] = h[11] = std::byte{0xff};
  }
  h[header + 6] = h[header + 7] = h[header + 8 + 4] = std::byte{0xff};
  return slow_crc(copy);
}

TEST(FabricFrame, EveryOpcodeComesBack) {
  std::mt19937_64 rng(1);
  unsigned opcodes = 0;
  for (unsigned o = 0; o < 256; ++o) {
    const OpcodeTraits& t = traits(static_cast<Opcode>(o));
    opcodes += t.kind != OpcodeTraits::unknown;
    for (const bool v6 : {false, true})
      for (const bool tagged : {false, true})
        for (const std::size_t bytes : {0, 1, 2, 3, 4, 1023, 4096, 8192}) {
          if (t.kind == OpcodeTraits::unknown || (!t.payload && bytes != 0)) continue;
          Packet p = random_packet(rng, static_cast<Opcode>(o), v6, tagged), q;
          std::vector<std::byte> data(bytes);
          for (auto& b : data) b = static_cast<std::byte>(rng());
          p.payload = data;
          const auto frame = make(p);
          ASSERT_EQ(frame.size(), layout(p, bytes).size);
          ASSERT_EQ(decode(frame, q), FrameVerdict::ok) << o;
          expect_same(p, q);
          std::uint32_t icrc;
          std::memcpy(&icrc, frame.data() + frame.size() - 4, 4);
          EXPECT_EQ(icrc, spelled_out_icrc(frame, tagged ? 18 : 14, v6));
        }
  }
  EXPECT_EQ(opcodes, 38u);  // 23 of RC, 12 of UC, 2 of UD, congestion notification
}

TEST(FabricFrame, StateBehindTheMaskedInfinibandHeader) {
  const std::vector<std::byte> ones(8, std::byte{0xff});
  EXPECT_EQ(~slow_crc(ones), 0xdebb20e3u);
}

TEST(FabricFrame, TooSmallABufferIsNotWritten) {
  Packet p = golden_packet();
  std::vector<std::byte> frame(layout(p, 0).size - 1);
  EXPECT_EQ(encode(p, frame), 0u);
}

TEST(FabricFrame, PsnsCompareOnTheirCircle) {
  EXPECT_EQ(psn_distance(5, 3), 2);
  EXPECT_EQ(psn_distance(3, 5), -2);
  EXPECT_EQ(psn_distance(1, 0xffffff), 2);
  EXPECT_EQ(psn_distance(0xffffff, 1), -2);
  EXPECT_EQ(psn_add(0xffffff, 1), 0u);
}

}  // namespace
}  // namespace hcq::models::fabric
