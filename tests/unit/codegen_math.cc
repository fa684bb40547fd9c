// SPDX-License-Identifier: MIT
// exp2, log2 and sin over their whole range, against double precision and the bounds that op.h promises.
#include <gtest/gtest.h>

#include <bit>
#include <cmath>
#include <functional>
#include <limits>

#include "drivers/cpu/device.h"
#include "tests/support/kernel_maker.h"

namespace hcq {
namespace {

using namespace compute::ir;
using test::KernelMaker;

constexpr std::uint32_t kCount = 1u << 20;

std::vector<float> evaluate_on_cpu(Op op, const std::vector<float>& x) {
  auto device = cpu::open();
  EXPECT_TRUE(device.ok());
  KernelMaker k("math");
  const Node* i = k.launch(kCount / 256, 256);
  const Node* in = k.param(kF32, kCount, false);
  const Node* out = k.param(kF32, kCount, true);
  k.store(out, i, k.op(op, kF32, {k.load(in, i)}));
  test::Buffers b = test::buffers_for(k.kernel());
  b[0] = test::bytes_of(x);
  const Status s = test::run_on(**device, k.kernel(), b);
  EXPECT_TRUE(s.ok()) << describe(s.error());
  return test::values_of<float>(b[1]);
}

double ulp_of(double v) {
  const double a = std::max(std::abs(v), 0x1p-126);
  return std::ldexp(1.0, std::ilogb(a) - 23);
}

// Every kStep-th bit pattern, so all exponents and both signs, NaN and infinities among them.
std::vector<float> all_over() {
  std::vector<float> x(kCount);
  for (std::uint32_t i = 0; i < kCount; ++i) x[i] = std::bit_cast<float>(i * 4096u + i % 4096u);
  return x;
}

std::vector<float> between(double lo, double hi) {
  std::vector<float> x(kCount);
  for (std::uint32_t i = 0; i < kCount; ++i) x[i] = static_cast<float>(lo + (hi - lo) * i / (kCount - 1));
  return x;
}

// The worst error in ulps where the reference is finite; everything else must agree in kind.
double worst_ulps(Op op, const std::vector<float>& x, const std::function<double(double)>& reference, double absolute) {
  const auto got = evaluate_on_cpu(op, x);
  double worst = 0;
  for (std::uint32_t i = 0; i < kCount; ++i) {
    const double want = reference(x[i]);
    const double rounded = static_cast<float>(want);
    if (std::isnan(want)) {
      EXPECT_TRUE(std::isnan(got[i])) << x[i];
    } else if (std::isinf(rounded)) {
      EXPECT_EQ(got[i], rounded) << x[i];
    } else if (std::abs(got[i] - want) > absolute) {
      worst = std::max(worst, std::abs(got[i] - want) / ulp_of(want));
    }
    if (::testing::Test::HasFailure()) break;
  }
  return worst;
}

const std::function<double(double)> kExp2 = [](double v) { return std::exp2(v); };
const std::function<double(double)> kLog2 = [](double v) { return std::log2(v); };
const std::function<double(double)> kSin = [](double v) { return std::sin(v); };

TEST(CodegenMath, Exp2) {
  EXPECT_LE(worst_ulps(Op::exp2, all_over(), kExp2, 0), 1.5);
  EXPECT_LE(worst_ulps(Op::exp2, between(-160, 130), kExp2, 0), 1.5);
}

TEST(CodegenMath, Log2) {
  EXPECT_LE(worst_ulps(Op::log2, all_over(), kLog2, 0), 3);
  EXPECT_LE(worst_ulps(Op::log2, between(0.5, 2), kLog2, 0), 3);
}

TEST(CodegenMath, SinIsAccurateWhereItIsPromised) {
  EXPECT_EQ(worst_ulps(Op::sin, between(-32768, 32768), kSin, 0x1p-20), 0);
  EXPECT_EQ(worst_ulps(Op::sin, between(-10, 10), kSin, 0x1p-23), 0);
  EXPECT_LE(worst_ulps(Op::sin, between(-0.1, 0.1), kSin, 0), 1);
}

TEST(CodegenMath, SinStaysInItsRangeEverywhere) {
  const auto x = all_over();
  const auto got = evaluate_on_cpu(Op::sin, x);
  for (std::uint32_t i = 0; i < kCount; ++i) {
    if (std::isfinite(x[i])) ASSERT_LE(std::abs(got[i]), 1.0f) << x[i];
    else ASSERT_TRUE(std::isnan(got[i])) << x[i];
  }
}

}  // namespace
}  // namespace hcq
