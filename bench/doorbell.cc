// SPDX-License-Identifier: MIT
// What a doorbell costs the thread that rings it, and how fast the modelled command processor gets through packets. The
// shader engine is a stand-in that does nothing.
#include <fmt/core.h>

#include <algorithm>
#include <chrono>
#include <vector>

#include "am_cp_rig.h"

namespace hcq::models::am::test {
namespace {

double nanoseconds(Clock::duration d) {
  return static_cast<double>(std::chrono::duration_cast<std::chrono::nanoseconds>(d).count());
}

// Rings back to back, so that the queue's thread stays awake.
void doorbell_cost(CpRig& rig) {
  constexpr int kRounds = 20000;
  std::vector<double> samples;
  samples.reserve(kRounds);
  for (int i = 0; i < kRounds; ++i) {
    rig.write_data(CpRig::kDataVa, 1);
    rig.publish();
    const auto begin = Clock::now();
    rig.cp.doorbell(CpRig::kDoorbell, rig.wptr);
    samples.push_back(nanoseconds(Clock::now() - begin));
    while (rig.rptr() != static_cast<std::uint32_t>(rig.wptr)) {
    }
  }
  std::sort(samples.begin(), samples.end());
  fmt::print("doorbell, thread awake: median {:.0f} ns, 99 % {:.0f} ns\n", samples[kRounds / 2],
             samples[kRounds * 99 / 100]);
}

void rate(CpRig& rig, const char* name, int per_ring, const std::function<void()>& put) {
  constexpr int kRounds = 2000;
  const auto begin = Clock::now();
  for (int i = 0; i < kRounds; ++i) {
    for (int n = 0; n < per_ring; ++n) put();
    rig.submit();
    while (rig.rptr() != static_cast<std::uint32_t>(rig.wptr)) {
    }
  }
  fmt::print("{}: {:.0f} ns each\n", name, nanoseconds(Clock::now() - begin) / kRounds / per_ring);
}

int run() {
  CpRig rig;
  rig.start();
  rig.shader.keep = false;
  doorbell_cost(rig);
  rate(rig, "submission with one WRITE_DATA, to its rptr report", 1, [&] { rig.write_data(CpRig::kDataVa, 1); });
  rate(rig, "WRITE_DATA", 64, [&] { rig.write_data(CpRig::kDataVa, 1); });
  rate(rig, "dispatch with its registers and a partial flush", 16, [&] {
    rig.dispatch_registers();
    rig.dispatch();
    rig.partial_flush();
  });
  if (!rig.chip.referee.violations().empty()) {
    fmt::print(stderr, "{}", rig.said());
    return 1;
  }
  return 0;
}

}  // namespace
}  // namespace hcq::models::am::test

int main() { return hcq::models::am::test::run(); }
