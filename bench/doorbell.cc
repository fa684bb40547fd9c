// SPDX-License-Identifier: MIT
// What a doorbell costs the thread that rings it, and how fast the modelled command processor gets through packets. The
// shader engine is a stand-in that does nothing.
//
// The doorbell's cost is that of Cp::doorbell(): routing, checks, and one atomic add on a cache line that the queue's
// thread spins on. The reference is just that add, on a line that another thread spins on in the same way. Both include
// reading the clock twice, which is shown as well.
#include <fmt/core.h>

#include <algorithm>
#include <atomic>
#include <chrono>
#include <functional>
#include <thread>
#include <vector>

#include "am_cp_rig.h"

namespace hcq::models::am::test {
namespace {

double nanoseconds(Clock::duration d) {
  return static_cast<double>(std::chrono::duration_cast<std::chrono::nanoseconds>(d).count());
}

constexpr int kRounds = 20000;

struct Cost {
  double median, late;  // half of the calls took no longer, 99 % took no longer
};

// Times `call` alone; `before` and `after` of each round are not counted.
template <class Before, class Call, class After>
Cost time(Before&& before, Call&& call, After&& after) {
  std::vector<double> samples;
  samples.reserve(kRounds);
  for (int i = 0; i < kRounds; ++i) {
    before();
    const auto begin = Clock::now();
    call();
    samples.push_back(nanoseconds(Clock::now() - begin));
    after();
  }
  std::sort(samples.begin(), samples.end());
  return {samples[kRounds / 2], samples[kRounds * 99 / 100]};
}

// An atomic add on a line that another thread spins on, which answers on a second line.
Cost reference_cost() {
  struct alignas(64) Line {
    std::atomic<std::uint32_t> value{0};
  };
  Line bell, answer;
  std::atomic<bool> stop{false};
  std::thread spinner([&] {
    while (!stop) answer.value.store(bell.value.load(std::memory_order_acquire), std::memory_order_release);
  });
  std::uint32_t rung = 0;
  const Cost cost = time([&] { ++rung; }, [&] { bell.value.fetch_add(1, std::memory_order_seq_cst); },
                         [&] {
                           while (answer.value.load(std::memory_order_acquire) != rung) continue;
                         });
  stop = true;
  spinner.join();
  return cost;
}

// Rings back to back, so that the queue's thread stays awake.
void doorbell_cost(CpRig& rig) {
  const Cost clock = time([] {}, [] {}, [] {});
  const Cost reference = reference_cost();
  const Cost bell = time(
      [&] {
        rig.write_data(CpRig::kDataVa, 1);
        rig.publish();
      },
      [&] { rig.cp.doorbell(CpRig::kDoorbell, rig.wptr); },
      [&] {
        while (rig.rptr() != static_cast<std::uint32_t>(rig.wptr)) continue;
      });
  fmt::print("two readings of the clock: median {:.0f} ns\n", clock.median);
  fmt::print("atomic add, thread spinning: median {:.0f} ns, 99 % {:.0f} ns\n", reference.median, reference.late);
  fmt::print("doorbell, thread awake: median {:.0f} ns, 99 % {:.0f} ns, {:.1f} times the atomic add\n", bell.median,
             bell.late, bell.median / reference.median);
}

void rate(CpRig& rig, const char* name, int per_ring, const std::function<void()>& put) {
  constexpr int kRings = 2000;
  const auto begin = Clock::now();
  for (int i = 0; i < kRings; ++i) {
    for (int n = 0; n < per_ring; ++n) put();
    rig.submit();
    while (rig.rptr() != static_cast<std::uint32_t>(rig.wptr)) {
    }
  }
  fmt::print("{}: {:.0f} ns each\n", name, nanoseconds(Clock::now() - begin) / kRings / per_ring);
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
