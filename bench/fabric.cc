// SPDX-License-Identifier: MIT
// How fast two RC endpoints exchange messages over the fabric, both driven by one thread, with every ICRC made and
// checked. Rates are per second of processor time, so that other programs on the machine do not show.
#include <fmt/core.h>

#include <array>
#include <ctime>

#include "tests/model/fabric_rig.h"

namespace hcq::models::fabric::test {
namespace {

void rate(const char* name, RcOp op, std::uint32_t mtu, std::size_t bytes, unsigned messages) {
  RcConfig ca = config_a(), cb = config_b();
  ca.mtu = cb.mtu = mtu;
  Pair w(ca, cb, 4 << 20);
  w.a.sent.reserve(messages + 128);
  const std::clock_t begin = std::clock();
  for (unsigned posted = 0; w.a.sent.size() < messages;) {
    SendRequest r;
    r.op = op, r.remote_address = w.b.at(0), r.remote_key = w.b.key;
    while (posted < messages && w.a.post(kQpA, r, 0, bytes)) ++posted;
    w.now += 1us;
    w.a.engine.poll(w.now);
    w.b.engine.poll(w.now);
  }
  const double seconds = static_cast<double>(std::clock() - begin) / CLOCKS_PER_SEC;
  fmt::print("{}, MTU {}: {:.0f} messages/s, {:.2f} GB/s, {:.0f} ns a message\n", name, mtu, messages / seconds,
             static_cast<double>(bytes) * messages / seconds / 1e9, seconds / messages * 1e9);
}

int run() {
  rate("WRITE of 8 bytes", RcOp::write, 1024, 8, 500000);
  rate("READ of 8 bytes", RcOp::read, 1024, 8, 200000);
  rate("WRITE of 4 KiB", RcOp::write, 4096, 4096, 200000);
  rate("WRITE of 1 MiB", RcOp::write, 4096, 1 << 20, 2000);
  rate("WRITE of 1 MiB", RcOp::write, 1024, 1 << 20, 1000);
  rate("READ of 1 MiB", RcOp::read, 4096, 1 << 20, 2000);
  return 0;
}

}  // namespace
}  // namespace hcq::models::fabric::test

int main() { return hcq::models::fabric::test::run(); }
