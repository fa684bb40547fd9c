// SPDX-License-Identifier: MIT
// The requester's rules (IBTA 9.7.5, 9.9): the test answers by hand, or a working peer does and the wire is scripted.
#include <algorithm>

#include "tests/model/fabric_rig.h"

namespace hcq::models::fabric::test {
namespace {

class RcRequesterRules : public testing::Test {
 protected:
  static RcConfig config() {
    RcConfig c = config_a();
    c.timeout = 8;  // 1.05 ms
    c.retry = 3;
    return c;
  }
  void start(const RcConfig& c) {
    first = c.send_psn;
    ASSERT_TRUE(a.engine.create(c).ok());
    ASSERT_TRUE(a.engine.ready_to_send(c.qpn, c.send_psn).ok());
  }
  bool post(RcOp op, std::size_t bytes, std::size_t offset = 0, bool fence = false) {
    SendRequest r;
    r.op = op, r.remote_address = 0x10000, r.remote_key = 0x77, r.fence = fence;
    return a.post(kQpA, r, offset, bytes);
  }
  // Runs for some time and returns what A has sent in it.
  std::vector<Packet> sent_in(Time span) {
    std::vector<Packet> all;
    for (const Time end = now + span; now < end; now += 10us) {
      a.engine.poll(now);
      while (Frame f = peer.receive(now)) {
        Packet p;
        EXPECT_EQ(decode(f.bytes(), p), FrameVerdict::ok);
        p.payload = {};
        all.push_back(p);
      }
    }
    return all;
  }
  void answer(Opcode opcode, std::uint32_t ahead, std::uint8_t syndrome, std::size_t bytes = 0) {
    Packet p;
    p.route = config_b().route;
    p.bth = {.opcode = opcode, .destination_qp = kQpA, .psn = psn_add(first, ahead)};
    p.aeth = {syndrome, 1};
    p.original = 0x1234567890abcdef;
    const std::vector<std::byte> data(bytes, std::byte{0x33});
    p.payload = data;
    Frame f = peer.buffer();
    f.resize(encode(p, f.room()));
    peer.send(std::move(f), now);
    a.engine.poll(now);
  }
  void ack(std::uint32_t ahead) { answer(Opcode::rc_acknowledge, ahead, kAckUnlimited); }

  Fabric fabric;
  Port& peer = fabric.attach("peer");
  End a{fabric.attach("a"), kMacA, 1 << 20};
  Time now{1s};
  std::uint32_t first = 0;
};

TEST_F(RcRequesterRules, ASilentPeerEndsInRetriesExceeded) {
  start(config());
  ASSERT_TRUE(post(RcOp::write, 10));
  ASSERT_TRUE(post(RcOp::write, 10));
  const auto all = sent_in(20ms);
  EXPECT_EQ(all.size(), 8u) << "two packets, sent once and three times again";
  ASSERT_EQ(a.sent.size(), 2u);
  EXPECT_EQ(a.sent[0].status, RcStatus::retry_exceeded);
  EXPECT_EQ(a.sent[1].status, RcStatus::flushed);
  EXPECT_EQ(a.failures, std::vector{RcStatus::retry_exceeded});
  EXPECT_EQ(a.engine.find(kQpA)->state(), QpState::error);
  EXPECT_TRUE(post(RcOp::write, 10));
  EXPECT_EQ(a.sent.back().status, RcStatus::flushed);
}

TEST_F(RcRequesterRules, TimeoutZeroWaitsForEver) {
  RcConfig c = config();
  c.timeout = 0;
  start(c);
  ASSERT_TRUE(post(RcOp::write, 10));
  EXPECT_EQ(sent_in(1s).size(), 1u);
  EXPECT_TRUE(a.sent.empty());
  ack(0);
  EXPECT_EQ(a.sent.size(), 1u);
}

TEST_F(RcRequesterRules, EachNakHasItsStatus) {
  const std::pair<std::uint8_t, RcStatus> cases[] = {{kNakInvalidRequest, RcStatus::remote_invalid},
                                                     {kNakRemoteAccess, RcStatus::remote_access},
                                                     {kNakRemoteOperation, RcStatus::remote_operation}};
  for (const auto& [syndrome, status] : cases) {
    start(config());
    ASSERT_TRUE(post(RcOp::write, 3000));
    ASSERT_TRUE(post(RcOp::write, 3000));
    ASSERT_TRUE(post(RcOp::write, 3000));
    sent_in(100us);
    answer(Opcode::rc_acknowledge, 4, syndrome);  // in the middle of the second
    ASSERT_EQ(a.sent.size(), 3u);
    EXPECT_EQ(a.sent[0].status, RcStatus::success) << "everything before a NAK has arrived";
    EXPECT_EQ(a.sent[1].status, status);
    EXPECT_EQ(a.sent[2].status, RcStatus::flushed);
    a.sent.clear();
    a.engine.destroy(kQpA);
  }
}

TEST_F(RcRequesterRules, SequenceNakGoesBackToItsPsn) {
  start(config());
  ASSERT_TRUE(post(RcOp::write, 5 * 1024));
  EXPECT_EQ(sent_in(100us).size(), 5u);
  answer(Opcode::rc_acknowledge, 3, kNakSequence);
  const auto again = sent_in(100us);
  ASSERT_EQ(again.size(), 2u);
  EXPECT_EQ(again[0].bth.psn, psn_add(first, 3));
  EXPECT_EQ(again[0].bth.opcode, Opcode::rc_write_middle);
  EXPECT_EQ(again[1].bth.opcode, Opcode::rc_write_last);
  ack(4);
  ASSERT_EQ(a.sent.size(), 1u);
  EXPECT_EQ(a.sent[0].status, RcStatus::success);
}

TEST_F(RcRequesterRules, RnrWaitsAsLongAsThePeerSays) {
  RcConfig c = config();
  c.rnr_retry = 2;
  start(c);
  ASSERT_TRUE(post(RcOp::send, 10));
  EXPECT_EQ(sent_in(100us).size(), 1u);
  for (int i = 0; i < 2; ++i) {
    answer(Opcode::rc_acknowledge, 0, kRnrNak | 20);  // 10.24 ms
    EXPECT_TRUE(sent_in(10200us).empty()) << "longer than the ordinary timeout";
    EXPECT_EQ(sent_in(60us).size(), 1u);
  }
  EXPECT_TRUE(a.sent.empty());
  answer(Opcode::rc_acknowledge, 0, kRnrNak | 20);
  ASSERT_EQ(a.sent.size(), 1u);
  EXPECT_EQ(a.sent[0].status, RcStatus::rnr_retry_exceeded);
}

TEST_F(RcRequesterRules, SevenMeansWithoutLimit) {
  start(config());
  ASSERT_TRUE(post(RcOp::send, 10));
  sent_in(10us);
  for (int i = 0; i < 50; ++i) {
    answer(Opcode::rc_acknowledge, 0, kRnrNak | 1);
    sent_in(100us);
  }
  EXPECT_TRUE(a.sent.empty());
  ack(0);
  EXPECT_EQ(a.sent.size(), 1u);
}

TEST_F(RcRequesterRules, AcknowledgementsAreCumulativeAndChecked) {
  start(config());
  for (int i = 0; i < 4; ++i) ASSERT_TRUE(post(RcOp::write, 10));
  sent_in(100us);
  ack(4);
  EXPECT_TRUE(a.sent.empty()) << "a PSN that was never sent";
  ack(0x700000);
  EXPECT_TRUE(a.sent.empty());
  ack(2);
  EXPECT_EQ(a.sent.size(), 3u);
  ack(1);
  answer(Opcode::rc_acknowledge, 1, kNakRemoteAccess);
  EXPECT_EQ(a.sent.size(), 3u) << "old news";
  EXPECT_EQ(a.engine.find(kQpA)->counters().stale, 2u);
  ack(3);
  EXPECT_EQ(a.sent.size(), 4u);
}

TEST_F(RcRequesterRules, TheWindowIsKeptAndAsksInTime) {
  RcConfig c = config();
  c.window = 16;
  start(c);
  ASSERT_TRUE(post(RcOp::write, 100 * 1024));
  const auto all = sent_in(500us);
  ASSERT_EQ(all.size(), 16u);
  EXPECT_TRUE(std::any_of(all.begin(), all.end(), [](const Packet& p) { return p.bth.ack_request; }));
  EXPECT_TRUE(all.back().bth.ack_request) << "or it would wait for ever";
  ack(3);
  EXPECT_EQ(sent_in(100us).size(), 4u);
}

TEST_F(RcRequesterRules, ReadsUnderWayAreLimited) {
  RcConfig c = config();
  c.max_rd_atomic = 2;
  c.timeout = 14;
  start(c);
  for (int i = 0; i < 3; ++i) ASSERT_TRUE(post(RcOp::read, 8, 100u * static_cast<unsigned>(i)));
  EXPECT_EQ(sent_in(100us).size(), 2u);
  answer(Opcode::rc_read_response_only, 0, kAckUnlimited, 8);
  EXPECT_EQ(sent_in(100us).size(), 1u);
}

TEST_F(RcRequesterRules, FenceWaitsForReads) {
  RcConfig c = config();
  c.timeout = 14;
  start(c);
  ASSERT_TRUE(post(RcOp::read, 8));
  ASSERT_TRUE(post(RcOp::write, 8));
  ASSERT_TRUE(post(RcOp::write, 8, 0, true));
  EXPECT_EQ(sent_in(100us).size(), 2u) << "only the fenced one waits";
  answer(Opcode::rc_read_response_only, 0, kAckUnlimited, 8);
  EXPECT_EQ(sent_in(100us).size(), 1u);
}

TEST_F(RcRequesterRules, AnAnswerBeyondAReadMeansThatItsAnswerIsLost) {
  RcConfig c = config();
  c.timeout = 14;
  start(c);
  ASSERT_TRUE(post(RcOp::write, 8));
  ASSERT_TRUE(post(RcOp::read, 3000));
  ASSERT_TRUE(post(RcOp::write, 8));
  EXPECT_EQ(sent_in(100us).size(), 3u);
  answer(Opcode::rc_read_response_first, 1, kAckUnlimited, 1024);
  EXPECT_EQ(a.sent.size(), 1u) << "a response acknowledges what was before it";
  ack(4);
  const auto again = sent_in(100us);
  ASSERT_EQ(again.size(), 2u);
  EXPECT_EQ(again[0].bth.opcode, Opcode::rc_read_request);
  EXPECT_EQ(again[0].bth.psn, psn_add(first, 2)) << "only for the rest";
  EXPECT_EQ(again[0].reth.address, 0x10000u + 1024);
  EXPECT_EQ(again[0].reth.length, 3000u - 1024);
  answer(Opcode::rc_read_response_first, 2, kAckUnlimited, 1024);
  answer(Opcode::rc_read_response_last, 3, kAckUnlimited, 3000 - 2048);
  ack(4);
  ASSERT_EQ(a.sent.size(), 3u);
  for (const auto& s : a.sent) EXPECT_EQ(s.status, RcStatus::success);
  EXPECT_EQ(a.memory[0], std::byte{0x33});
  EXPECT_EQ(a.memory[2999], std::byte{0x33});
  EXPECT_NE(a.memory[3000], std::byte{0x33});
}

TEST_F(RcRequesterRules, NonsenseInAResponseIsSaid) {
  struct Case {
    const char* what;
    Opcode opcode;
    std::size_t bytes;
  };
  using enum Opcode;
  const Case cases[] = {{"too short", rc_read_response_first, 1020},
                        {"ends too early", rc_read_response_only, 1024},
                        {"longer than asked for", rc_read_response_first, 2048},
                        {"not what was asked for", rc_atomic_acknowledge, 0}};
  for (const Case& c : cases) {
    start(config());
    const auto before = a.memory;
    ASSERT_TRUE(post(RcOp::read, 3000));
    sent_in(50us);
    answer(c.opcode, 0, kAckUnlimited, c.bytes);
    ASSERT_EQ(a.sent.size(), 1u) << c.what;
    EXPECT_EQ(a.sent[0].status, RcStatus::bad_response) << c.what;
    EXPECT_EQ(a.memory, before) << c.what;
    a.sent.clear();
    a.engine.destroy(kQpA);
  }
}

TEST_F(RcRequesterRules, OurOwnMemoryIsCheckedBeforeAnythingGoesOut) {
  for (const RcOp op : {RcOp::send, RcOp::write, RcOp::read}) {
    start(config());
    ASSERT_TRUE(post(RcOp::write, 8));
    SendRequest bad;
    bad.op = op;
    const Segment s{a.at(a.memory.size() - 4), 8, a.key};
    bad.segments = {&s, 1};
    ASSERT_TRUE(a.engine.post_send(kQpA, bad));
    ASSERT_TRUE(post(RcOp::write, 8));
    EXPECT_EQ(sent_in(100us).size(), 1u);
    EXPECT_TRUE(a.sent.empty()) << "completions come in order";
    ack(0);
    sent_in(20us);
    ASSERT_EQ(a.sent.size(), 3u);
    EXPECT_EQ(a.sent[0].status, RcStatus::success);
    EXPECT_EQ(a.sent[1].status, RcStatus::local_protection);
    EXPECT_EQ(a.sent[2].status, RcStatus::flushed);
    a.sent.clear();
    a.engine.destroy(kQpA);
  }
}

TEST_F(RcRequesterRules, AQueueIsAsDeepAsItWasMade) {
  RcConfig c = config();
  c.send_depth = 4, c.send_segments = 1;
  start(c);
  for (int i = 0; i < 4; ++i) EXPECT_TRUE(post(RcOp::write, 8));
  EXPECT_FALSE(post(RcOp::write, 8));
  const Segment two[2] = {a.segment(0, 1), a.segment(2, 1)};
  SendRequest r;
  r.segments = two;
  sent_in(50us);
  ack(3);
  EXPECT_FALSE(a.engine.post_send(kQpA, r)) << "too many segments";
  EXPECT_TRUE(post(RcOp::write, 8));
  EXPECT_FALSE(a.engine.post_send(0x5555, r)) << "no such queue pair";
}

TEST_F(RcRequesterRules, HeldQueuesFinishWhatTheyBegan) {
  start(config());
  ASSERT_TRUE(post(RcOp::write, 8));
  sent_in(10us);
  a.engine.hold(kQpA, true);
  ASSERT_TRUE(post(RcOp::write, 8));
  EXPECT_TRUE(sent_in(100us).empty());
  ack(0);
  EXPECT_EQ(a.sent.size(), 1u);
  a.engine.hold(kQpA, false);
  EXPECT_EQ(sent_in(100us).size(), 1u);
}

TEST_F(RcRequesterRules, ConfigurationsThatMakeNoSense) {
  const auto bad = [&](auto change) {
    RcConfig c = config();
    change(c);
    return !a.engine.create(c).ok();
  };
  EXPECT_TRUE(bad([](RcConfig& c) { c.mtu = 1000; }));
  EXPECT_TRUE(bad([](RcConfig& c) { c.mtu = 128; }));
  EXPECT_TRUE(bad([](RcConfig& c) { c.mtu = 16384; }));
  EXPECT_TRUE(bad([](RcConfig& c) { c.qpn = 1 << 24; }));
  EXPECT_TRUE(bad([](RcConfig& c) { c.send_depth = 0; }));
  EXPECT_TRUE(bad([](RcConfig& c) { c.window = 0; }));
  EXPECT_TRUE(bad([](RcConfig& c) { c.route.source = {}; }));
  start(config());
  EXPECT_TRUE(bad([](RcConfig&) {})) << "the QPN is in use";
  EXPECT_FALSE(a.engine.ready_to_send(kQpA, 0).ok()) << "it is already";
}

}  // namespace
}  // namespace hcq::models::fabric::test
