// SPDX-License-Identifier: MIT
// Two RC endpoints and a wire between them, in invented time: a run depends on its seed and on nothing else.
#pragma once

#include <gtest/gtest.h>

#include <cstring>
#include <deque>
#include <random>
#include <vector>

#include "models/fabric/rc_engine.h"
#include "models/fabric/region_table.h"

namespace hcq::models::fabric::test {

using namespace std::chrono_literals;

constexpr std::uint32_t kPd = 5;
constexpr Mac kMacA{2, 0, 0, 0, 0, 1}, kMacB{2, 0, 0, 0, 0, 2};
constexpr Gid kGidA = Gid::ipv4(10, 0, 0, 1), kGidB = Gid::ipv4(10, 0, 0, 2);
constexpr std::uint32_t kQpA = 0x11, kQpB = 0x22;

inline void fill(std::vector<std::byte>& v, std::uint64_t seed) {
  std::mt19937_64 rng(seed);
  for (std::size_t i = 0; i + 8 <= v.size(); i += 8) {
    const std::uint64_t r = rng();
    std::memcpy(v.data() + i, &r, 8);
  }
}

// One end: memory under keys, receive buffers, and what was reported.
class End : public RcEvents {
 public:
  End(Port& port, Mac mac, std::size_t bytes)
      : memory(bytes), port(port), mac(mac), engine(port, mac, table, *this), key(add({true, true, true, true})) {}

  std::uint32_t add(RegionTable::Rights rights, std::uint32_t pd = kPd) { return table.add(pd, kBase, memory, rights); }
  std::uint64_t at(std::uint64_t offset) const { return kBase + offset; }
  Segment segment(std::uint64_t offset, std::uint64_t length) const {
    return {kBase + offset, static_cast<std::uint32_t>(length), key};
  }
  void post_receive(std::uint64_t id, std::uint64_t offset, std::uint64_t length) {
    ReceiveRequest r;
    r.id = id;
    r.count = 1;
    r.segments[0] = segment(offset, length);
    receives.push_back(r);
  }
  // A request on `qpn` with this end's memory [offset, offset + length).
  bool post(std::uint32_t qpn, SendRequest r, std::uint64_t offset, std::uint64_t length) {
    const Segment s = segment(offset, length);
    r.segments = {&s, 1};
    r.id = next_id++;
    return engine.post_send(qpn, r);
  }

  bool take_receive(std::uint32_t, ReceiveRequest& out) override {
    if (receives.empty()) return false;
    out = receives.front();
    receives.pop_front();
    return true;
  }
  void send_done(std::uint32_t, const SendCompletion& c) override { sent.push_back(c); }
  void receive_done(std::uint32_t, const ReceiveCompletion& c) override { received.push_back(c); }
  void failed(std::uint32_t, RcStatus reason) override { failures.push_back(reason); }

  static constexpr std::uint64_t kBase = 0x7f00'0000'1234;  // odd on purpose: VA and data are aligned differently
  std::vector<std::byte> memory;
  Port& port;
  Mac mac;
  RegionTable table;
  RcEngine engine;
  std::uint32_t key;
  std::uint64_t next_id = 1;
  std::deque<ReceiveRequest> receives;
  std::vector<SendCompletion> sent;
  std::vector<ReceiveCompletion> received;
  std::vector<RcStatus> failures;
};

inline RcConfig config_a() {
  RcConfig c;
  c.qpn = kQpA, c.remote_qpn = kQpB, c.pd = kPd;
  c.route.source_mac = kMacA, c.route.destination_mac = kMacB, c.route.source = kGidA, c.route.destination = kGidB;
  c.send_psn = 0xfffffa, c.receive_psn = 0x7ffffe;  // both wrap, or change sign, soon
  return c;
}
inline RcConfig config_b() {
  RcConfig c = config_a();
  std::swap(c.qpn, c.remote_qpn);
  std::swap(c.route.source_mac, c.route.destination_mac);
  std::swap(c.route.source, c.route.destination);
  std::swap(c.send_psn, c.receive_psn);
  return c;
}

// Both ends connected, and the time between them.
class Pair {
 public:
  explicit Pair(const RcConfig& qa = config_a(), const RcConfig& qb = config_b(), std::size_t bytes = 1 << 20,
                Fabric::Options options = {})
      : fabric(options), a(fabric.attach("a"), kMacA, bytes), b(fabric.attach("b"), kMacB, bytes) {
    connect(a.engine, qa);
    connect(b.engine, qb);
  }
  static void connect(RcEngine& engine, const RcConfig& c) {
    EXPECT_TRUE(engine.create(c).ok());
    EXPECT_TRUE(engine.ready_to_send(c.qpn, c.send_psn).ok());
  }

  // Lets both work until neither has anything to do, or until `limit` of invented time has passed.
  void run(Time limit = 1000s) {
    const Time end = now + limit;
    while (now < end) {
      const auto pa = a.engine.poll(now), pb = b.engine.poll(now);
      if (pa.more || pb.more) {
        now += 1us;
        continue;
      }
      std::optional<Time> next;
      for (const auto& t : {pa.next, pb.next, a.port.next_arrival(), b.port.next_arrival()})
        if (t && (!next || *t < *next)) next = t;
      if (!next) return;
      now = std::max(now + 1ns, *next);
    }
    ADD_FAILURE() << "still at work after the limit";
  }

  Fabric fabric;
  End a, b;
  Time now{1s};
};

}  // namespace hcq::models::fabric::test
