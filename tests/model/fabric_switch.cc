// SPDX-License-Identifier: MIT
// The fabric itself: who gets a frame, what happens to it on the way, and links to other processes.
#include <unistd.h>

#include <algorithm>
#include <atomic>
#include <filesystem>
#include <fstream>

#include "base/deadline.h"
#include "models/fabric/arp.h"
#include "models/fabric/datagram_link.h"
#include "tests/model/fabric_rig.h"
#include "tests/support/allocation_count.h"

namespace hcq::models::fabric::test {
namespace {

Frame frame_of(Port& port, Mac to, Mac from, std::size_t bytes = 64, std::uint8_t mark = 0) {
  Frame f = port.buffer();
  std::memset(f.data(), mark, bytes);
  std::memcpy(f.data(), to.data(), 6);
  std::memcpy(f.data() + 6, from.data(), 6);
  f.resize(bytes);
  return f;
}
std::uint8_t mark_of(const Frame& f) { return std::to_integer<std::uint8_t>(f.data()[20]); }
unsigned drain(Port& p, Time now) {
  unsigned n = 0;
  while (p.receive(now)) ++n;
  return n;
}

TEST(FabricSwitch, LearnsWhereAddressesAre) {
  Fabric fabric;
  Port &a = fabric.attach("a"), &b = fabric.attach("b"), &c = fabric.attach("c");
  const Time t{1};
  a.send(frame_of(a, kMacB, kMacA), t);
  EXPECT_EQ(drain(b, t), 1u);
  EXPECT_EQ(drain(c, t), 1u) << "nobody knows B yet";
  b.send(frame_of(b, kMacA, kMacB), t);
  EXPECT_EQ(drain(a, t), 1u);
  EXPECT_EQ(drain(c, t), 0u) << "A is known";
  a.send(frame_of(a, kBroadcast, kMacA), t);
  EXPECT_EQ(drain(b, t) + drain(c, t), 2u);
  EXPECT_EQ(drain(a, t), 0u) << "not to the sender";
  c.send(frame_of(c, kMacA, kMacB), t);  // B has moved
  drain(a, t);
  a.send(frame_of(a, kMacB, kMacA), t);
  EXPECT_EQ(drain(c, t), 1u);
  EXPECT_EQ(drain(b, t), 0u);
  fabric.detach(c);
  a.send(frame_of(a, kMacB, kMacA), t);
  EXPECT_EQ(drain(b, t), 1u) << "unknown again";
}

TEST(FabricSwitch, AFullQueueDrops) {
  Fabric fabric({.frames = 64, .queue = 8});
  Port &a = fabric.attach("a"), &b = fabric.attach("b");
  for (unsigned i = 0; i < 20; ++i) a.send(frame_of(a, kMacB, kMacA), Time{i});
  EXPECT_EQ(b.counters().dropped_full, 12u);
  EXPECT_EQ(drain(b, 1s), 8u);
  std::vector<Frame> all;
  for (unsigned i = 0; i < 64; ++i) {
    all.push_back(a.buffer());
    EXPECT_TRUE(all.back());
  }
  EXPECT_FALSE(a.buffer()) << "all frames are out";
  all.clear();
  EXPECT_TRUE(a.buffer());
}

TEST(FabricSwitch, ALinkThatIsDownCarriesNothing) {
  Fabric fabric;
  Port &a = fabric.attach("a"), &b = fabric.attach("b");
  b.set_link(false);
  a.send(frame_of(a, kMacB, kMacA), 1s);
  b.send(frame_of(b, kMacA, kMacB), 1s);
  EXPECT_EQ(drain(a, 1s) + drain(b, 1s), 0u);
  EXPECT_EQ(b.counters().dropped_link, 2u);
  b.set_link(true);
  a.send(frame_of(a, kMacB, kMacA), 1s);
  EXPECT_EQ(drain(b, 1s), 1u);
}

TEST(FabricSwitch, DelayKeepsOrderAndReorderingDoesNot) {
  Fabric fabric;
  Port &a = fabric.attach("a"), &b = fabric.attach("b");
  const auto order = [&](const Impairments& how) {
    b.impair(how);
    for (std::uint8_t i = 0; i < 100; ++i) a.send(frame_of(a, kMacB, kMacA, 64, i), Time{i} * 1000);
    EXPECT_FALSE(b.receive(Time{0}));
    std::vector<std::uint8_t> seen;
    Time last{0};
    while (const auto next = b.next_arrival()) {
      EXPECT_GE(*next, last);
      last = *next;
      seen.push_back(mark_of(b.receive(*next)));
    }
    return seen;
  };
  const auto kept = order({.delay_least = 10us, .delay_most = 90us});
  EXPECT_EQ(kept.size(), 100u);
  EXPECT_TRUE(std::is_sorted(kept.begin(), kept.end()));
  const auto mixed = order({.reorder = 0.2, .reorder_by = 20us, .delay_least = 1us, .delay_most = 2us});
  EXPECT_EQ(mixed.size(), 100u);
  EXPECT_FALSE(std::is_sorted(mixed.begin(), mixed.end()));
}

TEST(FabricSwitch, LossDuplicationAndErrorsAreAsOftenAsAsked) {
  Fabric fabric;
  Port &a = fabric.attach("a"), &b = fabric.attach("b");
  b.impair({.loss = 0.1, .duplicate = 0.2, .bit_error = 0.3, .seed = 5});
  unsigned arrived = 0;
  for (int i = 0; i < 10000; ++i) {
    a.send(frame_of(a, kMacB, kMacA), 1s);
    arrived += drain(b, 1s);
  }
  const PortCounters c = b.counters();
  EXPECT_NEAR(static_cast<double>(c.lost), 1000, 150);
  EXPECT_NEAR(static_cast<double>(c.duplicated), 1800, 200);
  EXPECT_NEAR(static_cast<double>(c.corrupted), 2700, 250);
  EXPECT_EQ(arrived, 10000 - c.lost + c.duplicated);
}

TEST(FabricSwitch, TheCaptureIsAPcapFile) {
  const std::string path = testing::TempDir() + "fabric_capture.pcap";
  {
    Fabric fabric;
    Port& a = fabric.attach("a");
    fabric.attach("b");
    ASSERT_TRUE(fabric.capture(path).ok());
    EXPECT_FALSE(fabric.capture(path).ok());
    a.send(frame_of(a, kMacB, kMacA, 100, 7), 3s + 9ns);
  }
  std::ifstream in(path, std::ios::binary);
  const std::string all((std::istreambuf_iterator<char>(in)), {});
  ASSERT_EQ(all.size(), 24u + 16 + 100);
  std::uint32_t words[10];
  std::memcpy(words, all.data(), sizeof words);
  EXPECT_EQ(words[0], 0xa1b23c4du);
  EXPECT_EQ(words[5], 1u);
  EXPECT_EQ(words[6], 3u);
  EXPECT_EQ(words[7], 9u);
  EXPECT_EQ(words[8], 100u);
  EXPECT_EQ(words[9], 100u);
  std::filesystem::remove(path);
  EXPECT_FALSE(Fabric().capture("/nonexistent/folder/x.pcap").ok());
}

TEST(FabricSwitch, ArpIsAnsweredForOurAddressOnly) {
  Fabric fabric;
  Port &a = fabric.attach("a"), &b = fabric.attach("b");
  const std::uint8_t request[] = {0, 1, 8, 0, 6, 4, 0, 1, 2, 0, 0, 0, 0, 1, 10, 0, 0, 1, 0, 0, 0, 0, 0, 0, 10, 0, 0, 2};
  Frame f = frame_of(a, kBroadcast, kMacA, 60);
  f.data()[12] = std::byte{8}, f.data()[13] = std::byte{6};
  std::memcpy(f.data() + 14, request, sizeof request);
  EXPECT_FALSE(answer_arp(f.bytes(), kGidA, kMacB, b, 1s)) << "asked for another one";
  EXPECT_FALSE(answer_arp(f.bytes().first(41), kGidB, kMacB, b, 1s)) << "cut off";
  EXPECT_TRUE(answer_arp(f.bytes(), kGidB, kMacB, b, 1s));
  const Frame reply = a.receive(1s);
  ASSERT_TRUE(reply);
  EXPECT_EQ(std::memcmp(reply.data(), kMacA.data(), 6), 0);
  EXPECT_EQ(std::to_integer<int>(reply.data()[21]), 2);
  EXPECT_EQ(std::memcmp(reply.data() + 22, kMacB.data(), 6), 0);
}

// Five thousand messages after the first hundred: no allocation on the way, in either direction.
TEST(FabricSwitch, SteadyStateAllocatesNothing) {
  Pair w;
  w.a.sent.reserve(10000);
  const auto burst = [&] {
    for (int i = 0; i < 100; ++i) {
      SendRequest r;
      r.op = i % 3 == 0 ? RcOp::read : RcOp::write, r.remote_address = w.b.at(0), r.remote_key = w.b.key;
      ASSERT_TRUE(w.a.post(kQpA, r, 0, static_cast<std::size_t>(i) * 50));
    }
    w.run();
  };
  burst();
  hcq::test::AllocationCount count;
  for (int i = 0; i < 50; ++i) burst();
  EXPECT_EQ(count.so_far(), 0u);
  EXPECT_EQ(w.a.sent.size(), 5100u);
}

// Two fabrics as in two processes, each with an engine on a thread of its own.
class Node {
 public:
  Node(Mac mac, RcConfig config) : end(fabric.attach("nic"), mac, 1 << 20) {
    Pair::connect(end.engine, config);
    end.port.on_arrival([this] { arrivals.fetch_add(1); });
  }
  ~Node() { end.port.on_arrival(nullptr); }
  Fabric fabric;
  std::atomic<unsigned> arrivals{0};
  End end;
};

void exchange(Node& a, Node& b) {
  fill(a.end.memory, 1);
  for (unsigned i = 0; i < 100; ++i) {
    SendRequest r;
    r.op = RcOp::write, r.remote_address = b.end.at(i * 9000), r.remote_key = b.end.key;
    ASSERT_TRUE(a.end.post(kQpA, r, i * 9000, 9000));
  }
  std::atomic<bool> stop{false};
  std::thread other([&] {
    while (!stop) {
      if (!b.end.engine.poll(steady_now()).more) std::this_thread::sleep_for(100us);
    }
  });
  const Deadline deadline = Deadline::in(60s);
  while (a.end.sent.size() < 100 && !deadline.expired())
    if (!a.end.engine.poll(steady_now()).more) std::this_thread::sleep_for(100us);
  stop = true;
  other.join();
  ASSERT_EQ(a.end.sent.size(), 100u);
  for (const auto& c : a.end.sent) EXPECT_EQ(c.status, RcStatus::success) << name_of(c.status);
  EXPECT_EQ(std::memcmp(a.end.memory.data(), b.end.memory.data(), 900000), 0);
  EXPECT_GT(a.arrivals.load(), 0u);
}

RcConfig patient(RcConfig c) {
  c.retry = 255;  // a busy machine may lose frames at a full socket
  c.timeout = 12;
  return c;
}

TEST(FabricLink, TwoFabricsOverUnixSockets) {
  const std::string folder = testing::TempDir() + "fabric_link_" + std::to_string(::getpid());
  std::filesystem::create_directories(folder);
  {
    Node a(kMacA, patient(config_a())), b(kMacB, patient(config_b()));
    auto la = DatagramLink::open_unix(a.fabric, folder + "/a", folder + "/b");
    auto lb = DatagramLink::open_unix(b.fabric, folder + "/b", folder + "/a");
    ASSERT_TRUE(la.ok() && lb.ok());
    exchange(a, b);
    // The other side may go and come again.
    lb->reset();
    lb = DatagramLink::open_unix(b.fabric, folder + "/b", folder + "/a");
    ASSERT_TRUE(lb.ok());
    a.end.sent.clear();
    exchange(a, b);
  }
  EXPECT_TRUE(std::filesystem::is_empty(folder));
  std::filesystem::remove_all(folder);
}

TEST(FabricLink, TwoFabricsOverUdp) {
  Node a(kMacA, patient(config_a())), b(kMacB, patient(config_b()));
  // Ports that may be taken: try a few pairs.
  for (unsigned port = 20000 + static_cast<unsigned>(::getpid()) % 20000, tries = 0; tries < 20; port += 2, ++tries) {
    const std::string x = "127.0.0.1:" + std::to_string(port), y = "127.0.0.1:" + std::to_string(port + 1);
    auto la = DatagramLink::open_udp(a.fabric, x, y);
    auto lb = DatagramLink::open_udp(b.fabric, y, x);
    if (!la.ok() || !lb.ok()) continue;
    return exchange(a, b);
  }
  FAIL() << "no free pair of ports";
}

TEST(FabricLink, AddressesThatAreNone) {
  Fabric fabric;
  EXPECT_FALSE(DatagramLink::open_unix(fabric, "", "/tmp/x").ok());
  EXPECT_FALSE(DatagramLink::open_unix(fabric, "/tmp/x", std::string(200, 'a')).ok());
  EXPECT_FALSE(DatagramLink::open_unix(fabric, "/nonexistent/a", "/nonexistent/b").ok());
  for (const char* bad : {"", "127.0.0.1", "127.0.0.1:", "127.0.0.1:0", "127.0.0.1:70000", "host:5000", "127.0.0.1:5x"})
    EXPECT_FALSE(DatagramLink::open_udp(fabric, "127.0.0.1:5000", bad).ok()) << bad;
}

}  // namespace
}  // namespace hcq::models::fabric::test
