// SPDX-License-Identifier: MIT
// Fuzzes the RoCEv2 decoder, and a queue pair behind it: the input is cut into frames, each with a length byte pair.
// The first byte says whether ICRCs are made right, for otherwise hardly any input would get past them.
#include <cstdlib>
#include <cstring>
#include <vector>

#include "models/fabric/rc_engine.h"
#include "models/fabric/region_table.h"

using namespace hcq;
using namespace hcq::models::fabric;

namespace {

struct Nobody : RcEvents {
  std::uint32_t key = 0;
  bool take_receive(std::uint32_t, ReceiveRequest& out) override {
    out.count = 1;
    out.segments[0] = {0x1000, 4096, key};
    return true;
  }
  void send_done(std::uint32_t, const SendCompletion&) override {}
  void receive_done(std::uint32_t, const ReceiveCompletion& c) override {
    if (c.length > 4096) std::abort();
  }
  void failed(std::uint32_t, RcStatus) override {}
};

// Makes checksum, QPN and ICRC of an IPv4 frame right, so that the bytes in between are what is tried.
void repair(MutableBytes frame) {
  if (frame.size() < 58) return;
  const std::size_t total = std::to_integer<std::size_t>(frame[16]) << 8 | std::to_integer<std::size_t>(frame[17]);
  if (total < 44 || total > frame.size() - 14) return;
  frame[12] = std::byte{0x08}, frame[13] = std::byte{0}, frame[14] = std::byte{0x45}, frame[23] = std::byte{17};
  const Mac to{2, 0, 0, 0, 0, 2};
  std::memcpy(frame.data(), to.data(), 6);
  const std::uint8_t addresses[] = {10, 0, 0, 1, 10, 0, 0, 2};
  std::memcpy(frame.data() + 26, addresses, 8);
  const std::uint16_t sum = ip_checksum(frame.data() + 14);
  frame[24] = static_cast<std::byte>(sum >> 8), frame[25] = static_cast<std::byte>(sum);
  frame[36] = std::byte{0x12}, frame[37] = std::byte{0xb7};
  frame[38] = static_cast<std::byte>((total - 20) >> 8), frame[39] = static_cast<std::byte>(total - 20);
  frame[44] = frame[45] = std::byte{0xff};
  frame[47] = frame[48] = std::byte{0}, frame[49] = std::byte{7};
  const std::uint32_t icrc = invariant_crc(frame.subspan(14, total - 4));
  std::memcpy(frame.data() + 14 + total - 4, &icrc, 4);
}

}  // namespace

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  if (size == 0) return 0;
  const bool right = (data[0] & 1) != 0;
  static Fabric fabric;
  static Port& peer = fabric.attach("peer");
  static Port& port = fabric.attach("nic");
  RegionTable memory;
  std::vector<std::byte> buffer(4096);
  Nobody events;
  events.key = memory.add(1, 0x1000, buffer, {true, true, true, true});
  RcEngine engine(port, {2, 0, 0, 0, 0, 2}, memory, events);
  RcConfig c;
  c.qpn = 7, c.remote_qpn = 8, c.pd = 1, c.mtu = 256;
  c.route.source = Gid::ipv4(10, 0, 0, 2), c.route.destination = Gid::ipv4(10, 0, 0, 1);
  c.route.destination_mac = {2, 0, 0, 0, 0, 1};
  if (!engine.create(c).ok() || !engine.ready_to_send(7, 0).ok()) std::abort();
  const Segment s{0x1000, 4096, events.key};
  for (const RcOp op : {RcOp::read, RcOp::write, RcOp::send}) {
    SendRequest r;
    r.op = op, r.segments = {&s, 1}, r.remote_address = 0x5000;
    (void)engine.post_send(7, r);
  }
  Time now{0};
  std::size_t at = 1;
  while (size - at > 2) {
    std::size_t n = data[at] | std::size_t{data[at + 1]} << 8;
    at += 2;
    n = std::min(n % 2048, size - at);
    std::vector<std::byte> bytes(n);
    if (n != 0) std::memcpy(bytes.data(), data + at, n);
    at += n;
    if (right) repair(bytes);
    Packet p;
    if (decode(bytes, p) == FrameVerdict::ok && !p.payload.empty() &&
        (p.payload.data() < bytes.data() || p.payload.data() + p.payload.size() > bytes.data() + bytes.size()))
      std::abort();
    if (Frame f = peer.buffer(); f && n >= 12) {
      std::memcpy(f.data(), bytes.data(), n);
      f.resize(n);
      port.loop_back(std::move(f), now);
    }
    now += std::chrono::microseconds(20);
    (void)engine.poll(now);
    while (peer.receive(now)) {
    }
  }
  while (port.receive(now + std::chrono::hours(1))) {
  }
  return 0;
}
