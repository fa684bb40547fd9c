// SPDX-License-Identifier: MIT
// Elementary functions lane by lane, and the clock. The hardware promises about 1 ULP; the host's library is at least
// that good.
#include <bit>
#include <chrono>
#include <cmath>
#include <numbers>

#include "models/isa/runtime.h"

namespace hcq::models::isa {
namespace {

template <class F>
void each_lane(WaveState& wave, F function) {
  for (unsigned lane = 0; lane < wave.lanes; ++lane) {
    auto& cell = wave.exchange[0][lane];
    cell = std::bit_cast<std::uint32_t>(function(std::bit_cast<float>(cell)));
  }
}

// Sine and cosine take revolutions.
float turn(float x) {
  const double whole = std::floor(static_cast<double>(x));
  return static_cast<float>(2 * std::numbers::pi * (static_cast<double>(x) - whole));
}

}  // namespace

extern "C" void hcq_isa_exp2(WaveState* wave) {
  each_lane(*wave, [](float x) { return std::exp2(x); });
}
extern "C" void hcq_isa_log2(WaveState* wave) {
  each_lane(*wave, [](float x) { return std::log2(x); });
}
extern "C" void hcq_isa_sin(WaveState* wave) {
  each_lane(*wave, [](float x) { return std::isfinite(x) ? std::sin(turn(x)) : std::nanf(""); });
}
extern "C" void hcq_isa_cos(WaveState* wave) {
  each_lane(*wave, [](float x) { return std::isfinite(x) ? std::cos(turn(x)) : std::nanf(""); });
}

extern "C" std::uint64_t hcq_isa_clock() {
  using namespace std::chrono;
  return static_cast<std::uint64_t>(duration_cast<nanoseconds>(steady_clock::now().time_since_epoch()).count()) / 10;
}

extern "C" void hcq_isa_ldexp64(WaveState* wave) {
  for (unsigned lane = 0; lane < wave->lanes; ++lane) {
    const std::uint64_t bits = wave->exchange[0][lane] | std::uint64_t{wave->exchange[1][lane]} << 32;
    const auto n = static_cast<std::int32_t>(wave->exchange[2][lane]);
    const auto out = std::bit_cast<std::uint64_t>(std::ldexp(std::bit_cast<double>(bits), n));
    wave->exchange[0][lane] = static_cast<std::uint32_t>(out);
    wave->exchange[1][lane] = static_cast<std::uint32_t>(out >> 32);
  }
}

}  // namespace hcq::models::isa
