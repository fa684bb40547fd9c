// SPDX-License-Identifier: MIT
// Two RC endpoints over a wire that is perfect, lossy or scripted: every byte and every completion is compared.
#include "tests/model/fabric_rig.h"

namespace hcq::models::fabric::test {
namespace {

// Sizes around the edges of packets and of 64 KiB; offsets odd.
constexpr std::size_t kSizes[] = {0, 1, 255, 256, 257, 1023, 1024, 1025, 4095, 4096, 65535, 65536, 65537, 200013};

class RcMtu : public testing::TestWithParam<std::uint32_t> {};

void expect_equal(const End& x, std::size_t ox, const End& y, std::size_t oy, std::size_t n, const std::string& what) {
  EXPECT_EQ(std::memcmp(x.memory.data() + ox, y.memory.data() + oy, n), 0) << what << " of " << n;
}

TEST_P(RcMtu, EverySizeByEveryOperation) {
  RcConfig ca = config_a(), cb = config_b();
  ca.mtu = cb.mtu = GetParam();
  Pair w(ca, cb);
  std::uint64_t round = 0;
  for (const std::size_t n : kSizes)
    for (const RcOp op : {RcOp::send, RcOp::send_imm, RcOp::write, RcOp::write_imm, RcOp::read}) {
      fill(w.a.memory, ++round);
      fill(w.b.memory, ++round);
      const auto before = w.b.memory;
      const std::size_t from = 3, to = 500001;
      SendRequest r;
      r.op = op, r.immediate = 0xabcd0000u + static_cast<std::uint32_t>(round), r.solicited = true;
      r.remote_address = w.b.at(to), r.remote_key = w.b.key;
      const bool receives = op != RcOp::write && op != RcOp::read;
      if (receives) w.b.post_receive(round, to, 300000);
      ASSERT_TRUE(w.a.post(kQpA, r, from, n));
      w.run();
      ASSERT_EQ(w.a.sent.size(), 1u) << name_of(op) << " of " << n;
      EXPECT_EQ(w.a.sent[0].status, RcStatus::success) << name_of(w.a.sent[0].status);
      EXPECT_EQ(w.a.sent[0].length, n);
      expect_equal(w.a, from, w.b, to, n, name_of(op));
      // Nothing beside the target was touched.
      if (op != RcOp::read) {
        EXPECT_EQ(std::memcmp(before.data(), w.b.memory.data(), to), 0);
        EXPECT_EQ(std::memcmp(before.data() + to + n, w.b.memory.data() + to + n, before.size() - to - n), 0);
      } else {
        EXPECT_EQ(before, w.b.memory);
      }
      ASSERT_EQ(w.b.received.size(), receives ? 1u : 0u);
      if (receives) {
        const ReceiveCompletion& c = w.b.received[0];
        EXPECT_EQ(c.id, round);
        EXPECT_EQ(c.op, op);
        EXPECT_EQ(c.length, n);
        EXPECT_TRUE(c.solicited);
        EXPECT_TRUE(op == RcOp::send || c.immediate == r.immediate);
      }
      w.a.sent.clear();
      w.b.received.clear();
    }
  EXPECT_EQ(w.a.engine.find(kQpA)->counters().retransmitted, 0u);
  EXPECT_EQ(w.a.engine.counters().verdicts[0], w.a.engine.counters().frames);
}
INSTANTIATE_TEST_SUITE_P(Mtu, RcMtu, testing::Values(256, 512, 1024, 2048, 4096, 8192));

TEST(FabricRc, AtomicsReturnWhatStoodThere) {
  Pair w;
  std::uint64_t value = 0x1122334455667788;
  const std::size_t at = 4000 + (8 - w.b.at(4000) % 8) % 8;  // an offset whose address is a multiple of 8
  std::memcpy(w.b.memory.data() + at, &value, 8);
  SendRequest r;
  r.remote_address = w.b.at(at), r.remote_key = w.b.key;
  r.op = RcOp::fetch_add, r.swap_or_add = 5;
  ASSERT_TRUE(w.a.post(kQpA, r, 0, 8));
  r.op = RcOp::compare_swap, r.compare = value + 5, r.swap_or_add = 77;
  ASSERT_TRUE(w.a.post(kQpA, r, 8, 8));
  r.compare = 1, r.swap_or_add = 99;  // does not match: nothing changes
  ASSERT_TRUE(w.a.post(kQpA, r, 16, 8));
  w.run();
  std::uint64_t originals[3];
  std::memcpy(originals, w.a.memory.data(), 24);
  EXPECT_EQ(originals[0], value);
  EXPECT_EQ(originals[1], value + 5);
  EXPECT_EQ(originals[2], 77u);
  std::memcpy(&value, w.b.memory.data() + at, 8);
  EXPECT_EQ(value, 77u);
  EXPECT_EQ(w.a.sent.size(), 3u);
}

TEST(FabricRc, SegmentsAndInlineData) {
  RcConfig ca = config_a();
  ca.send_inline = 64;
  Pair w(ca);
  fill(w.a.memory, 1);
  ReceiveRequest scattered;
  scattered.count = 3;
  scattered.segments[0] = w.b.segment(10, 1000);
  scattered.segments[1] = w.b.segment(5000, 1);
  scattered.segments[2] = w.b.segment(7000, 5000);
  w.b.receives.push_back(scattered);
  const Segment parts[] = {w.a.segment(1, 7), w.a.segment(100, 0), w.a.segment(200, 3000), w.a.segment(9001, 1)};
  SendRequest r;
  r.segments = parts;
  ASSERT_TRUE(w.a.engine.post_send(kQpA, r));
  w.run();
  std::vector<std::byte> out, in;
  for (const Segment& s : parts)
    for (std::uint32_t i = 0; i < s.length; ++i) out.push_back(w.a.memory[s.address - End::kBase + i]);
  for (unsigned k = 0; k < 3; ++k)
    for (std::uint32_t i = 0; i < scattered.segments[k].length && in.size() < out.size(); ++i)
      in.push_back(w.b.memory[scattered.segments[k].address - End::kBase + i]);
  EXPECT_EQ(out, in);
  ASSERT_EQ(w.b.received.size(), 1u);
  EXPECT_EQ(w.b.received[0].length, 3008u);

  w.b.post_receive(2, 0, 64);
  char text[] = "inline data is copied when it is posted";
  SendRequest s;
  s.inline_data = std::as_bytes(std::span(text));
  ASSERT_TRUE(w.a.engine.post_send(kQpA, s));
  const std::string kept = text;
  std::memset(text, 0, sizeof text);
  w.run();
  EXPECT_STREQ(reinterpret_cast<const char*>(w.b.memory.data()), kept.c_str());
  std::byte too_much[65]{};
  s.inline_data = too_much;
  EXPECT_FALSE(w.a.engine.post_send(kQpA, s));
}

TEST(FabricRc, SendWithInvalidateTakesTheKeyAway) {
  Pair w;
  const std::uint32_t doomed = w.b.add({true, true, true, true});
  w.b.post_receive(1, 0, 100);
  SendRequest r;
  r.op = RcOp::send_invalidate, r.immediate = doomed;
  ASSERT_TRUE(w.a.post(kQpA, r, 0, 10));
  w.run();
  ASSERT_EQ(w.b.received.size(), 1u);
  EXPECT_EQ(w.b.received[0].op, RcOp::send_invalidate);
  EXPECT_EQ(w.b.received[0].immediate, doomed);
  EXPECT_EQ(w.b.table.check(kPd, doomed, w.b.at(0), 1, Access::remote_read), MemoryFault::refused);
}

// One random request of A, with what B must hold afterwards. The model of what should happen is a second copy of both
// memories on which the operations are done one after the other.
class Shadow {
 public:
  Shadow(Pair& w, std::uint64_t seed) : w_(w), rng_(seed), a_(w.a.memory), b_(w.b.memory) {}

  // Targets of different requests never overlap, so that the order of READ data and later WRITEs does not matter.
  void post(End& from, End& to, std::uint32_t qpn, std::vector<std::byte>& mine, std::vector<std::byte>& theirs) {
    const std::size_t n = rng_() % 5 == 0 ? rng_() % 20000 : rng_() % 3000;
    const std::size_t source = rng_() % 20000, target = take(n + 16);
    SendRequest r;
    r.op = static_cast<RcOp>(rng_() % 8);
    if (r.op == RcOp::send_invalidate) r.op = RcOp::send;
    r.fence = rng_() % 4 == 0;
    r.immediate = static_cast<std::uint32_t>(rng_());
    r.remote_key = to.key;
    r.remote_address = to.at(target);
    r.swap_or_add = 1;
    switch (r.op) {
      case RcOp::read:
        r.remote_address = to.at(source);
        std::memcpy(mine.data() + target, theirs.data() + source, n);
        EXPECT_TRUE(from.post(qpn, r, target, n));
        break;
      case RcOp::compare_swap:
      case RcOp::fetch_add: {
        r.op = RcOp::fetch_add;
        r.remote_address = to.at(counter(to));
        std::uint64_t v;
        std::memcpy(&v, theirs.data() + counter(to), 8);
        std::memcpy(mine.data() + target, &v, 8);
        ++v;
        std::memcpy(theirs.data() + counter(to), &v, 8);
        EXPECT_TRUE(from.post(qpn, r, target, 8));
        break;
      }
      default:
        if (r.op != RcOp::write) {
          const bool data = r.op != RcOp::write_imm;
          to.post_receive(from.next_id, data ? target : 0, data ? n : 0);
          expected_receives.push_back({&to, from.next_id, r.op, n, r.immediate});
        }
        std::memcpy(theirs.data() + target, mine.data() + source, n);
        EXPECT_TRUE(from.post(qpn, r, source, n));
    }
  }
  void post_a() { post(w_.a, w_.b, kQpA, a_, b_); }
  void post_b() { post(w_.b, w_.a, kQpB, b_, a_); }
  void compare() const {
    EXPECT_TRUE(w_.a.memory == a_) << "A's memory differs";
    EXPECT_TRUE(w_.b.memory == b_) << "B's memory differs";
    std::size_t seen[2] = {0, 0};
    for (const auto& e : expected_receives) {
      std::size_t& i = seen[e.end == &w_.b];
      ASSERT_LT(i, e.end->received.size());
      const ReceiveCompletion& c = e.end->received[i++];
      EXPECT_TRUE(c.id == e.id && c.op == e.op && c.length == e.length && c.status == RcStatus::success);
      EXPECT_TRUE(c.op == RcOp::send || c.immediate == e.immediate);
    }
    EXPECT_EQ(seen[0], w_.a.received.size());
    EXPECT_EQ(seen[1], w_.b.received.size());
  }

 private:
  struct Expected {
    End* end;
    std::uint64_t id;
    RcOp op;
    std::size_t length;
    std::uint32_t immediate;
  };
  static std::size_t counter(const End& e) { return 50000 + (8 - e.at(50000) % 8) % 8; }
  std::size_t take(std::size_t n) { return std::exchange(next_, next_ + n); }
  Pair& w_;
  std::mt19937_64 rng_;
  std::vector<std::byte> a_, b_;
  std::vector<Expected> expected_receives;
  std::size_t next_ = 60000;  // sources lie below 40000, the counter at 50000
};

struct Weather {
  const char* name;
  Impairments how;
};

class RcWeather : public testing::TestWithParam<std::tuple<Weather, int>> {};

TEST_P(RcWeather, NothingIsLostAndNothingHappensTwice) {
  auto [weather, seed] = GetParam();
  RcConfig ca = config_a(), cb = config_b();
  ca.mtu = cb.mtu = seed % 2 ? 256 : 1024;
  ca.window = cb.window = seed % 3 ? 128 : 8;
  ca.max_rd_atomic = cb.max_rd_atomic = ca.max_dest_rd_atomic = cb.max_dest_rd_atomic = seed % 3 ? 16 : 1;
  ca.timeout = cb.timeout = 10;
  ca.retry = cb.retry = 255;  // the weather is worse than any retry count expects
  Pair w(ca, cb, 4 << 20);
  fill(w.a.memory, 1);
  fill(w.b.memory, 2);
  weather.how.seed = static_cast<std::uint64_t>(seed);
  w.a.port.impair(weather.how);
  weather.how.seed += 1000;
  w.b.port.impair(weather.how);
  Shadow shadow(w, static_cast<std::uint64_t>(seed));
  // Only A reads and writes B's counter and the other way round; both directions run at once.
  for (int batch = 0; batch < 4; ++batch) {
    for (int i = 0; i < 40; ++i) {
      shadow.post_a();
      shadow.post_b();
    }
    w.run();
  }
  ASSERT_EQ(w.a.sent.size(), 160u);
  ASSERT_EQ(w.b.sent.size(), 160u);
  for (std::size_t i = 0; i < 160; ++i) {
    EXPECT_EQ(w.a.sent[i].id, i + 1);
    EXPECT_EQ(w.a.sent[i].status, RcStatus::success) << name_of(w.a.sent[i].status);
    EXPECT_EQ(w.b.sent[i].status, RcStatus::success);
  }
  shadow.compare();
  EXPECT_TRUE(w.a.failures.empty());
}
const Weather kWeather[] = {{"fair", {}},
                            {"lossy", {.loss = 0.05}},
                            {"doubled", {.duplicate = 0.2}},
                            {"shuffled", {.reorder = 0.1, .reorder_by = 30us}},
                            {"noisy", {.bit_error = 0.05}},
                            {"late", {.delay_least = 10us, .delay_most = 500us}},
                            {"all",
                             {.loss = 0.03,
                              .duplicate = 0.05,
                              .bit_error = 0.02,
                              .reorder = 0.05,
                              .reorder_by = 50us,
                              .delay_least = 1us,
                              .delay_most = 40us}}};
INSTANTIATE_TEST_SUITE_P(Seeds, RcWeather, testing::Combine(testing::ValuesIn(kWeather), testing::Range(1, 9)),
                         [](const auto& info) {
                           return std::string(std::get<0>(info.param).name) + std::to_string(std::get<1>(info.param));
                         });

TEST(FabricRc, TheSameSeedGivesTheSameRun) {
  const auto counters = [](std::uint64_t seed) {
    Pair w;
    w.b.port.impair({.loss = 0.1, .duplicate = 0.1, .seed = seed});
    for (int i = 0; i < 50; ++i) {
      SendRequest r;
      r.op = RcOp::write, r.remote_address = w.b.at(0), r.remote_key = w.b.key;
      EXPECT_TRUE(w.a.post(kQpA, r, 0, 5000));
    }
    w.run();
    const PortCounters c = w.b.port.counters();
    return std::tuple(c.delivered, c.lost, c.duplicated, w.a.engine.find(kQpA)->counters().retransmitted, w.now);
  };
  EXPECT_EQ(counters(7), counters(7));
  EXPECT_NE(counters(7), counters(8));
}

TEST(FabricRc, ManyQueuePairsOfOnePort) {
  Pair w;
  fill(w.a.memory, 3);
  for (std::uint32_t q = 0; q < 200; ++q) {
    RcConfig ca = config_a(), cb = config_b();
    ca.qpn = cb.remote_qpn = 0x1000 + q * 7;
    cb.qpn = ca.remote_qpn = 0x2000 + q * 3;
    ca.send_depth = cb.send_depth = 4;
    Pair::connect(w.a.engine, ca);
    Pair::connect(w.b.engine, cb);
    SendRequest r;
    r.op = RcOp::write, r.remote_address = w.b.at(q * 5000), r.remote_key = w.b.key;
    ASSERT_TRUE(w.a.post(ca.qpn, r, q * 5000, 5000));
  }
  w.run();
  EXPECT_EQ(w.a.sent.size(), 200u);
  expect_equal(w.a, 0, w.b, 0, 1000000, "all");
}

TEST(FabricRc, OverIpv6AndATaggedVlan) {
  RcConfig ca = config_a(), cb = config_b();
  for (RcConfig* c : {&ca, &cb}) {
    c->route.source.bytes[0] = c->route.destination.bytes[0] = 0xfd;
    c->route.tagged = true;
    c->route.vlan = 3u << 13 | 42;
    c->route.traffic_class = 0x6a;
  }
  Pair w(ca, cb);
  fill(w.a.memory, 1);
  SendRequest r;
  r.op = RcOp::write, r.remote_address = w.b.at(7), r.remote_key = w.b.key;
  ASSERT_TRUE(w.a.post(kQpA, r, 0, 100000));
  Packet seen;
  w.b.port.drop_if([&](Bytes frame) { return decode(frame, seen) != FrameVerdict::ok; });
  w.run();
  ASSERT_EQ(w.a.sent.size(), 1u);
  expect_equal(w.a, 0, w.b, 7, 100000, "written");
  EXPECT_FALSE(seen.route.source.is_ipv4());
  EXPECT_TRUE(seen.route.tagged);
  EXPECT_EQ(seen.route.vlan, 3u << 13 | 42);
  EXPECT_EQ(seen.route.traffic_class, 0x6a);
}

TEST(FabricRc, LoopbackInsideOneNic) {
  Pair w;
  RcConfig c1 = config_a(), c2 = config_a();
  c1.qpn = c2.remote_qpn = 0x31, c2.qpn = c1.remote_qpn = 0x32;
  c1.route.destination_mac = c2.route.destination_mac = kMacA;
  c1.route.destination = c2.route.destination = kGidA;
  c2.send_psn = c1.receive_psn, c2.receive_psn = c1.send_psn;
  Pair::connect(w.a.engine, c1);
  Pair::connect(w.a.engine, c2);
  fill(w.a.memory, 9);
  SendRequest r;
  r.op = RcOp::write, r.remote_address = w.a.at(500000), r.remote_key = w.a.key;
  ASSERT_TRUE(w.a.post(0x31, r, 0, 100000));
  w.run();
  ASSERT_EQ(w.a.sent.size(), 1u);
  expect_equal(w.a, 0, w.a, 500000, 100000, "loopback");
  EXPECT_EQ(w.a.port.counters().sent, 0u) << "nothing goes out";
}

TEST(FabricRc, ASmallNetworkIsOnlySlow) {
  RcConfig ca = config_a(), cb = config_b();
  ca.timeout = cb.timeout = 8;
  // Fewer frames than the window, and a queue that overflows.
  Pair w(ca, cb, 1 << 20, {.frames = 24, .queue = 8});
  fill(w.a.memory, 1);
  fill(w.b.memory, 2);
  SendRequest r;
  r.remote_key = w.b.key;
  for (unsigned i = 0; i < 10; ++i) {
    r.op = RcOp::write, r.remote_address = w.b.at(i * 20000);
    ASSERT_TRUE(w.a.post(kQpA, r, i * 20000, 20000));
    r.op = RcOp::read, r.remote_address = w.b.at(500000 + i * 20000);
    ASSERT_TRUE(w.a.post(kQpA, r, 500000 + i * 20000, 20000));
  }
  w.run();
  ASSERT_EQ(w.a.sent.size(), 20u);
  for (const auto& c : w.a.sent) EXPECT_EQ(c.status, RcStatus::success) << name_of(c.status);
  expect_equal(w.a, 0, w.b, 0, 200000, "written");
  expect_equal(w.a, 500000, w.b, 500000, 200000, "read");
  EXPECT_LE(w.fabric.pool().made(), 24u);
}

TEST(FabricRc, ALinkThatGoesAndComesLosesNothing) {
  Pair w;
  fill(w.a.memory, 1);
  SendRequest r;
  r.op = RcOp::write, r.remote_address = w.b.at(0), r.remote_key = w.b.key;
  ASSERT_TRUE(w.a.post(kQpA, r, 0, 1 << 20));
  for (int i = 0; i < 20; ++i) {
    w.a.engine.poll(w.now);
    w.b.engine.poll(w.now);
  }
  ASSERT_TRUE(w.a.sent.empty());
  w.b.port.set_link(false);
  for (int i = 0; i < 100; ++i, w.now += 1ms) {
    w.a.engine.poll(w.now);
    w.b.engine.poll(w.now);
  }
  w.b.port.set_link(true);
  w.run();
  ASSERT_EQ(w.a.sent.size(), 1u);
  EXPECT_EQ(w.a.sent[0].status, RcStatus::success);
  EXPECT_GT(w.a.engine.find(kQpA)->counters().timeouts, 0u);
  expect_equal(w.a, 0, w.b, 0, 1 << 20, "written");
}

TEST(FabricRc, AQueuePairThatGoesInMidMessage) {
  Pair w;
  w.b.post_receive(1, 0, 100000);
  ASSERT_TRUE(w.a.post(kQpA, {}, 0, 50000));
  for (int i = 0; i < 2; ++i) {
    w.a.engine.poll(w.now);
    w.b.engine.poll(w.now);
  }
  ASSERT_TRUE(w.b.received.empty());
  w.b.engine.to_error(kQpB);
  ASSERT_EQ(w.b.received.size(), 1u);
  EXPECT_EQ(w.b.received[0].status, RcStatus::flushed);
  w.a.engine.destroy(kQpA);
  w.run();
  EXPECT_TRUE(w.a.sent.empty()) << "nothing is reported for what is gone";
  EXPECT_EQ(w.a.engine.find(kQpA), nullptr);
}

}  // namespace
}  // namespace hcq::models::fabric::test
