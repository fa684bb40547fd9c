// SPDX-License-Identifier: MIT
// The responder's rules (IBTA 9.7.4), one packet at a time: the peer is the test, and writes frames by hand.
#include "tests/model/fabric_rig.h"

namespace hcq::models::fabric::test {
namespace {

constexpr std::uint32_t kMtu = 1024, kFirstPsn = 0xfffffe;

class RcResponderRules : public testing::Test {
 protected:
  RcResponderRules() { start(config()); }
  static RcConfig config() {
    RcConfig c = config_b();
    c.mtu = kMtu;
    c.receive_psn = kFirstPsn;
    c.max_dest_rd_atomic = 2;
    return c;
  }
  void start(const RcConfig& c) {
    if (b.engine.find(kQpB) != nullptr) b.engine.destroy(kQpB);
    ASSERT_TRUE(b.engine.create(c).ok());
    fill(b.memory, 4);
  }

  Packet packet(Opcode opcode, std::uint32_t ahead = 0) const {
    Packet p;
    p.route = config_a().route;
    p.bth.opcode = opcode;
    p.bth.destination_qp = kQpB;
    p.bth.psn = psn_add(kFirstPsn, ahead);
    p.bth.ack_request = true;
    p.reth = {b.at(0), b.key, 0};
    p.atomic = {b.at(8 - b.at(0) % 8), b.key, 1, 0};
    return p;
  }
  void send(Packet p, std::size_t bytes = 0) {
    p.payload = Bytes(data).subspan(0, bytes);
    Frame f = peer.buffer();
    f.resize(encode(p, f.room()));
    peer.send(std::move(f), now);
    for (int i = 0; i < 64; ++i) b.engine.poll(now);
  }
  // What has been answered, as it stands in the packets. Payloads are kept apart.
  std::vector<Packet> answers() {
    std::vector<Packet> all;
    while (Frame f = peer.receive(now)) {
      Packet p;
      EXPECT_EQ(decode(f.bytes(), p), FrameVerdict::ok);
      EXPECT_EQ(p.bth.destination_qp, kQpA);
      payloads.emplace_back(p.payload.begin(), p.payload.end());
      p.payload = {};
      all.push_back(p);
    }
    return all;
  }
  void expect_answer(std::uint8_t syndrome, std::uint32_t ahead, const char* what = "") {
    const auto all = answers();
    ASSERT_EQ(all.size(), 1u) << what;
    EXPECT_EQ(all[0].bth.opcode, Opcode::rc_acknowledge) << what;
    EXPECT_EQ(all[0].aeth.syndrome, syndrome) << what;
    EXPECT_EQ(all[0].bth.psn, psn_add(kFirstPsn, ahead)) << what;
  }
  void expect_error(std::uint8_t syndrome, std::uint32_t ahead = 0, const char* what = "") {
    expect_answer(syndrome, ahead, what);
    EXPECT_EQ(b.engine.find(kQpB)->state(), QpState::error) << what;
    ASSERT_EQ(b.failures.size(), 1u) << what;
    b.failures.clear();
  }

  Fabric fabric;
  Port& peer = fabric.attach("peer");
  End b{fabric.attach("b"), kMacB, 1 << 20};
  Time now{1s};
  std::vector<std::byte> data = std::vector<std::byte>(8192, std::byte{0x5a});
  std::vector<std::vector<std::byte>> payloads;
};

TEST_F(RcResponderRules, AcknowledgesWithItsMessageCount) {
  for (unsigned i = 0; i < 3; ++i) {
    Packet p = packet(Opcode::rc_write_only, i);
    p.reth.length = 10;
    send(p, 10);
    const auto all = answers();
    ASSERT_EQ(all.size(), 1u);
    EXPECT_EQ(all[0].aeth.syndrome, kAckUnlimited);
    EXPECT_EQ(all[0].aeth.msn, i + 1);
    EXPECT_EQ(all[0].bth.psn, psn_add(kFirstPsn, i));
  }
  Packet quiet = packet(Opcode::rc_write_only, 3);
  quiet.bth.ack_request = false;
  send(quiet);
  EXPECT_TRUE(answers().empty()) << "nobody asked";
}

TEST_F(RcResponderRules, OneNakForAGapThenSilence) {
  send(packet(Opcode::rc_write_only, 2));
  expect_answer(kNakSequence, 0);
  send(packet(Opcode::rc_write_only, 3));
  send(packet(Opcode::rc_write_only, 1));
  EXPECT_TRUE(answers().empty());
  send(packet(Opcode::rc_write_only, 0));
  expect_answer(kAckUnlimited, 0);
  send(packet(Opcode::rc_write_only, 5));
  expect_answer(kNakSequence, 1, "a new gap is told again");
  EXPECT_EQ(b.engine.find(kQpB)->counters().out_of_order, 4u);
}

TEST_F(RcResponderRules, DuplicatesAreAcknowledgedAndNotDoneAgain) {
  Packet p = packet(Opcode::rc_write_only);
  p.reth.length = 4;
  send(p, 4);
  send(packet(Opcode::rc_write_only, 1));
  answers();
  const auto before = b.memory;
  data.assign(data.size(), std::byte{0x77});
  send(p, 4);
  expect_answer(kAckUnlimited, 1, "with the newest PSN that was executed");
  EXPECT_EQ(b.memory, before);
}

TEST_F(RcResponderRules, OrderWithinAMessage) {
  struct Case {
    const char* what;
    Opcode before;  // sent first and good; ack when there is none
    Opcode then;
  };
  using enum Opcode;
  const Case cases[] = {{"middle without first", rc_acknowledge, rc_send_middle},
                        {"last without first", rc_acknowledge, rc_write_last},
                        {"first within a message", rc_write_first, rc_write_first},
                        {"only within a message", rc_write_first, rc_write_only},
                        {"another kind within a message", rc_write_first, rc_send_middle},
                        {"READ within a message", rc_send_first, rc_read_request},
                        {"atomic within a message", rc_send_first, rc_fetch_add}};
  for (const Case& c : cases) {
    start(config());
    b.receives.clear();
    b.post_receive(1, 0, 10000);
    std::uint32_t ahead = 0;
    if (c.before != rc_acknowledge) {
      Packet p = packet(c.before);
      p.reth.length = 3 * kMtu;
      send(p, kMtu);
      expect_answer(kAckUnlimited, 0, c.what);
      ahead = 1;
    }
    Packet p = packet(c.then, ahead);
    p.reth.length = 3 * kMtu;
    send(p, traits(c.then).payload ? kMtu : 0);
    expect_error(kNakInvalidRequest, ahead, c.what);
  }
}

TEST_F(RcResponderRules, LengthsOfPackets) {
  struct Case {
    const char* what;
    Opcode opcode;
    std::uint32_t length;  // in the RETH
    std::size_t bytes;
  };
  using enum Opcode;
  const Case cases[] = {{"FIRST shorter than the MTU", rc_write_first, 3000, kMtu - 4},
                        {"FIRST longer than the MTU", rc_write_first, 3000, kMtu + 4},
                        {"FIRST with all of the message", rc_write_first, kMtu, kMtu},
                        {"ONLY longer than the MTU", rc_write_only, 2000, 2000},
                        {"ONLY that promises more", rc_write_only, 8, 4},
                        {"ONLY that promises less", rc_write_only, 4, 8},
                        {"more than 2 GiB", rc_write_first, 0x80000001, kMtu},
                        {"SEND FIRST shorter than the MTU", rc_send_first, 0, 100},
                        {"SEND longer than its buffer", rc_send_only, 0, 513},
                        {"READ of more than 2 GiB", rc_read_request, 0x80000001, 0}};
  for (const Case& c : cases) {
    start(config());
    b.receives.clear();
    b.post_receive(1, 0, 512);
    Packet p = packet(c.opcode);
    p.reth.length = c.length;
    const auto before = b.memory;
    send(p, c.bytes);
    expect_error(kNakInvalidRequest, 0, c.what);
    EXPECT_EQ(b.memory, before) << c.what;
  }
  ASSERT_FALSE(b.received.empty());
  EXPECT_EQ(b.received.back().status, RcStatus::local_length) << "the buffer that was too small says so";
}

TEST_F(RcResponderRules, LastMustCarryExactlyTheRest) {
  for (const std::size_t last : {0ul, 1ul, 99ul, 101ul}) {
    start(config());
    Packet p = packet(Opcode::rc_write_first);
    p.reth.length = kMtu + 100;
    send(p, kMtu);
    expect_answer(kAckUnlimited, 0);
    send(packet(Opcode::rc_write_last, 1), last);
    expect_error(kNakInvalidRequest, 1);
  }
}

TEST_F(RcResponderRules, KeysAndRanges) {
  const std::uint32_t other_pd = b.add({true, true, true, true}, kPd + 1);
  const std::uint32_t read_only = b.add({true, true, false, false}), write_only = b.add({true, false, true, false});
  const std::uint64_t size = b.memory.size(), base = b.at(0);
  struct Case {
    const char* what;
    Opcode opcode;
    std::uint32_t key;
    std::uint64_t address;
    std::uint32_t length;
  };
  using enum Opcode;
  const Case cases[] = {{"unknown key", rc_write_only, b.key + 1, base, 8},
                        {"other protection domain", rc_write_only, other_pd, base, 8},
                        {"no right to write", rc_write_only, read_only, base, 8},
                        {"no right to read", rc_read_request, write_only, base, 8},
                        {"no right to atomics", rc_fetch_add, write_only, base + 8 - base % 8, 8},
                        {"before the region", rc_write_only, b.key, base - 1, 8},
                        {"behind the region", rc_write_only, b.key, base + size, 8},
                        {"over its end", rc_write_only, b.key, base + size - 7, 8},
                        {"around the address space", rc_write_only, b.key, ~0ull - 3, 8},
                        {"READ over its end", rc_read_request, b.key, base + size - 4095, 4096},
                        {"READ around the address space", rc_read_request, b.key, ~0ull - 3, 0x80000000},
                        {"atomic behind the region", rc_fetch_add, b.key, base + size - base % 8 + 8, 8}};
  for (const Case& c : cases) {
    start(config());
    Packet p = packet(c.opcode);
    p.reth = {c.address, c.key, c.length};
    p.atomic.address = c.address;
    p.atomic.key = c.key;
    const auto before = b.memory;
    send(p, c.opcode == rc_write_only ? c.length : 0);
    expect_error(kNakRemoteAccess, 0, c.what);
    EXPECT_EQ(b.memory, before) << c.what;
  }
}

TEST_F(RcResponderRules, ALongWriteIsRefusedBeforeItsFirstByte) {
  Packet p = packet(Opcode::rc_write_first);
  p.reth = {b.at(b.memory.size() - 2000), b.key, 2001};
  const auto before = b.memory;
  send(p, kMtu);
  expect_error(kNakRemoteAccess);
  EXPECT_EQ(b.memory, before);
}

TEST_F(RcResponderRules, NoBytesNeedNoKey) {
  Packet w = packet(Opcode::rc_write_only), r = packet(Opcode::rc_read_request, 1);
  w.reth.key = r.reth.key = 0xdead;
  send(w);
  expect_answer(kAckUnlimited, 0);
  send(r);
  const auto all = answers();
  ASSERT_EQ(all.size(), 1u);
  EXPECT_EQ(all[0].bth.opcode, Opcode::rc_read_response_only);
  EXPECT_EQ(b.engine.find(kQpB)->state(), QpState::ready_to_receive);
}

TEST_F(RcResponderRules, WhatIsSwitchedOffIsAnInvalidRequest) {
  for (const Opcode o : {Opcode::rc_write_only, Opcode::rc_read_request, Opcode::rc_compare_swap}) {
    RcConfig c = config();
    c.remote_write = c.remote_read = c.remote_atomic = false;
    start(c);
    send(packet(o));
    expect_error(kNakInvalidRequest);
  }
}

TEST_F(RcResponderRules, AtomicsMustBeAligned) {
  Packet p = packet(Opcode::rc_fetch_add);
  p.atomic.address += 4;
  send(p);
  expect_error(kNakInvalidRequest);
}

TEST_F(RcResponderRules, NoReceiveBufferIsNotAnError) {
  RcConfig c = config();
  c.min_rnr_timer = 14;
  start(c);
  send(packet(Opcode::rc_send_only), 16);
  expect_answer(kRnrNak | 14, 0);
  send(packet(Opcode::rc_send_only, 1), 16);
  EXPECT_TRUE(answers().empty()) << "what follows is dropped in silence";
  b.post_receive(9, 100, 64);
  send(packet(Opcode::rc_send_only), 16);
  expect_answer(kAckUnlimited, 0);
  ASSERT_EQ(b.received.size(), 1u);
  EXPECT_EQ(b.received[0].id, 9u);
  EXPECT_EQ(std::memcmp(b.memory.data() + 100, data.data(), 16), 0);

  Packet imm = packet(Opcode::rc_write_first, 1);
  imm.reth.length = kMtu + 4;
  send(imm, kMtu);
  expect_answer(kAckUnlimited, 1, "a WRITE needs its buffer only for the immediate");
  send(packet(Opcode::rc_write_last_imm, 2), 4);
  expect_answer(kRnrNak | 14, 2);
  b.post_receive(10, 0, 0);
  send(packet(Opcode::rc_write_last_imm, 2), 4);
  expect_answer(kAckUnlimited, 2);
  ASSERT_EQ(b.received.size(), 2u);
  EXPECT_EQ(b.received[1].length, kMtu + 4);
}

TEST_F(RcResponderRules, HostMemoryThatFailsIsARemoteOperationError) {
  b.table.break_host(b.key, true);
  Packet p = packet(Opcode::rc_write_only);
  p.reth.length = 8;
  send(p, 8);
  expect_error(kNakRemoteOperation);
  start(config());
  p = packet(Opcode::rc_read_request);
  p.reth.length = 8;
  send(p);
  expect_error(kNakRemoteOperation);
  start(config());
  b.post_receive(1, 0, 64);
  send(packet(Opcode::rc_send_only), 8);
  expect_error(kNakRemoteOperation);
  EXPECT_EQ(b.received.back().status, RcStatus::local_protection);
}

TEST_F(RcResponderRules, ReadsComeBackInPackets) {
  Packet p = packet(Opcode::rc_read_request);
  p.reth = {b.at(77), b.key, 2 * kMtu + 5};
  send(p);
  const auto all = answers();
  ASSERT_EQ(all.size(), 3u);
  EXPECT_EQ(all[0].bth.opcode, Opcode::rc_read_response_first);
  EXPECT_EQ(all[1].bth.opcode, Opcode::rc_read_response_middle);
  EXPECT_EQ(all[2].bth.opcode, Opcode::rc_read_response_last);
  std::vector<std::byte> got;
  for (unsigned i = 0; i < 3; ++i) {
    EXPECT_EQ(all[i].bth.psn, psn_add(kFirstPsn, i));
    got.insert(got.end(), payloads[i].begin(), payloads[i].end());
  }
  EXPECT_EQ(payloads[2].size(), 5u);
  EXPECT_EQ(std::memcmp(got.data(), b.memory.data() + 77, got.size()), 0);
  send(packet(Opcode::rc_write_only, 3));
  expect_answer(kAckUnlimited, 3, "a READ uses a PSN for each response");
}

TEST_F(RcResponderRules, PartOfAReadIsReadAgain) {
  Packet p = packet(Opcode::rc_read_request);
  p.reth = {b.at(0), b.key, 3 * kMtu};
  send(p);
  answers();
  payloads.clear();
  Packet rest = packet(Opcode::rc_read_request, 1);
  rest.reth = {b.at(kMtu), b.key, 2 * kMtu};
  send(rest);
  const auto all = answers();
  ASSERT_EQ(all.size(), 2u);
  EXPECT_EQ(all[0].bth.opcode, Opcode::rc_read_response_first);
  EXPECT_EQ(all[1].bth.opcode, Opcode::rc_read_response_last);
  EXPECT_EQ(all[0].bth.psn, psn_add(kFirstPsn, 1));
  EXPECT_EQ(std::memcmp(payloads[0].data(), b.memory.data() + kMtu, kMtu), 0);

  // What was not part of the request is dropped, without an answer.
  Packet wrong = rest;
  wrong.reth.address += 1;
  send(wrong);
  wrong = rest;
  wrong.reth.key += 1;
  send(wrong);
  wrong = rest;
  wrong.reth.length += 1;
  send(wrong);
  EXPECT_TRUE(answers().empty());
  EXPECT_NE(b.engine.find(kQpB)->state(), QpState::error);
}

TEST_F(RcResponderRules, AnAtomicAskedForAgainIsNotDoneAgain) {
  const std::size_t at = 8 - b.at(0) % 8;
  std::uint64_t value = 41;
  std::memcpy(b.memory.data() + at, &value, 8);
  send(packet(Opcode::rc_fetch_add));
  send(packet(Opcode::rc_fetch_add));
  const auto all = answers();
  ASSERT_EQ(all.size(), 2u);
  for (const Packet& p : all) {
    EXPECT_EQ(p.bth.opcode, Opcode::rc_atomic_acknowledge);
    EXPECT_EQ(p.original, 41u);
  }
  std::memcpy(&value, b.memory.data() + at, 8);
  EXPECT_EQ(value, 42u);
  // Only the last two are remembered; an older one has no answer any more.
  send(packet(Opcode::rc_fetch_add, 1));
  send(packet(Opcode::rc_fetch_add, 2));
  answers();
  send(packet(Opcode::rc_fetch_add));
  EXPECT_TRUE(answers().empty());
}

TEST_F(RcResponderRules, MoreReadsThanAgreedAreAnInvalidRequest) {
  // All in one go, before the responder can answer any.
  for (unsigned i = 0; i < 3; ++i) {
    Packet p = packet(Opcode::rc_read_request, i);
    p.reth.length = 4;
    Frame f = peer.buffer();
    f.resize(encode(p, f.room()));
    peer.send(std::move(f), now);
  }
  for (int i = 0; i < 8; ++i) b.engine.poll(now);
  const auto all = answers();
  ASSERT_EQ(all.size(), 3u) << "what was promised before is still sent";
  EXPECT_EQ(all[0].bth.opcode, Opcode::rc_read_response_only);
  EXPECT_EQ(all[1].bth.opcode, Opcode::rc_read_response_only);
  EXPECT_EQ(all[2].aeth.syndrome, kNakInvalidRequest);
  EXPECT_EQ(all[2].bth.psn, psn_add(kFirstPsn, 2));
}

TEST_F(RcResponderRules, WhatIsNotForUsIsDroppedInSilence) {
  const auto silent = [&](Packet p, const char* what) {
    send(p);
    EXPECT_TRUE(answers().empty()) << what;
  };
  Packet p = packet(Opcode::rc_write_only);
  p.bth.destination_qp = 0x99;
  silent(p, "unknown QPN");
  p = packet(Opcode::rc_write_only);
  p.bth.pkey = 0x1234;
  silent(p, "other partition");
  p = packet(Opcode::rc_write_only);
  p.route.source = Gid::ipv4(10, 0, 0, 9);
  silent(p, "other source");
  p = packet(Opcode::rc_write_only);
  p.route.destination = Gid::ipv4(10, 0, 0, 9);
  silent(p, "other destination");
  p = packet(Opcode::rc_write_only);
  p.route.destination_mac = {2, 9, 9, 9, 9, 9};
  silent(p, "other MAC");
  Frame f = peer.buffer();
  f.resize(encode(packet(Opcode::rc_write_only), f.room()));
  f.data()[f.size() - 1] ^= std::byte{1};
  peer.send(std::move(f), now);
  b.engine.poll(now);
  EXPECT_TRUE(answers().empty()) << "wrong ICRC";
  EXPECT_EQ(b.engine.counters().verdicts[static_cast<std::size_t>(FrameVerdict::bad_icrc)], 1u);
  EXPECT_NE(b.engine.find(kQpB)->state(), QpState::error);
  b.engine.to_error(kQpB);
  silent(packet(Opcode::rc_write_only), "in error");
}

}  // namespace
}  // namespace hcq::models::fabric::test
