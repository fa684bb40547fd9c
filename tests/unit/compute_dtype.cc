// SPDX-License-Identifier: MIT
#include <gtest/gtest.h>

#include <bit>
#include <cmath>
#include <limits>
#include <random>

#include "compute/ir/dtype.h"
#include "compute/ir/eval.h"

namespace hcq::compute::ir {
namespace {

const double kInf = std::numeric_limits<double>::infinity();
const double kNan = std::numeric_limits<double>::quiet_NaN();

// Exact value of a 16-bit float pattern by arithmetic that shares nothing with the codec.
double value_of(std::uint32_t bits, int exponent_bits, int mantissa_bits) {
  const int bias = (1 << (exponent_bits - 1)) - 1;
  const double sign = bits & 0x8000 ? -1 : 1;
  const int e = static_cast<int>(bits & 0x7fff) >> mantissa_bits;
  double m = 0;
  for (int b = 0; b < mantissa_bits; ++b)
    if (bits & (1u << b)) m += std::pow(2.0, b - mantissa_bits);
  if (e == (1 << exponent_bits) - 1) return m == 0 ? sign * kInf : kNan;
  return sign * (e == 0 ? m * std::pow(2.0, 1 - bias) : (1 + m) * std::pow(2.0, e - bias));
}

struct Half {
  Scalar scalar;
  int exponent_bits, mantissa_bits;
};

class HalfFormats : public testing::TestWithParam<Half> {};

TEST_P(HalfFormats, EveryPatternRoundTrips) {
  const Half f = GetParam();
  const std::uint32_t quiet = 1u << (f.mantissa_bits - 1);
  for (std::uint32_t bits = 0; bits < 0x10000; ++bits) {
    const double want = value_of(bits, f.exponent_bits, f.mantissa_bits);
    const double got = decode(f.scalar, bits).f;
    if (std::isnan(want)) {
      ASSERT_TRUE(std::isnan(got)) << bits;
      ASSERT_EQ(encode(f.scalar, real(got)), bits | quiet);
    } else {
      ASSERT_EQ(got, want) << bits;
      ASSERT_EQ(std::signbit(got), (bits & 0x8000) != 0) << bits;
      ASSERT_EQ(encode(f.scalar, real(got)), bits);
      ASSERT_EQ(round_to(f.scalar, got), got);
    }
  }
}

// Between every two neighbours: below the middle goes down, above it up, the middle itself to the even pattern.
TEST_P(HalfFormats, EveryGapRoundsToNearestEven) {
  const Half f = GetParam();
  const std::uint32_t infinity = ((1u << f.exponent_bits) - 1) << f.mantissa_bits;
  for (std::uint32_t sign : {0u, 0x8000u})
    for (std::uint32_t a = 0; a < infinity; ++a) {
      const double lo = value_of(a, f.exponent_bits, f.mantissa_bits);
      // Above the largest finite value the next step of the same size stands for infinity.
      const double hi = a + 1 == infinity ? lo + std::pow(2.0, (1 << (f.exponent_bits - 1)) - 1 - f.mantissa_bits)
                                          : value_of(a + 1, f.exponent_bits, f.mantissa_bits);
      const double middle = (lo + hi) / 2, s = sign ? -1 : 1;
      ASSERT_EQ(encode(f.scalar, real(s * middle)), sign | (a & 1 ? a + 1 : a)) << a;
      ASSERT_EQ(encode(f.scalar, real(s * std::nextafter(middle, 0))), sign | a) << a;
      ASSERT_EQ(encode(f.scalar, real(s * std::nextafter(middle, kInf))), sign | (a + 1)) << a;
    }
  EXPECT_EQ(encode(f.scalar, real(kInf)), infinity);
  EXPECT_EQ(encode(f.scalar, real(-kInf)), 0x8000 | infinity);
  EXPECT_EQ(encode(f.scalar, real(1e300)), infinity);
  EXPECT_EQ(encode(f.scalar, real(1e-320)), 0u);
  EXPECT_EQ(encode(f.scalar, real(-0.0)), 0x8000u);
  EXPECT_TRUE(std::isnan(decode(f.scalar, encode(f.scalar, real(kNan))).f));
}

INSTANTIATE_TEST_SUITE_P(Formats, HalfFormats, testing::Values(Half{Scalar::f16, 5, 10}, Half{Scalar::bf16, 8, 7}),
                         [](const auto& p) { return std::string(name(DType(p.param.scalar))); });

TEST(DType, SingleMatchesTheHost) {
  std::mt19937_64 rng(1);
  for (int i = 0; i < 200000; ++i) {
    const double v = std::bit_cast<double>(rng());
    const float f = static_cast<float>(v);
    if (std::isnan(v)) continue;
    ASSERT_EQ(encode(Scalar::f32, real(v)), std::bit_cast<std::uint32_t>(f)) << v;
    ASSERT_EQ(decode(Scalar::f32, std::bit_cast<std::uint32_t>(f)).f, static_cast<double>(f));
  }
}

TEST(DType, CastOfHalfOverflowsToInfinity) {
  EXPECT_EQ(convert(Scalar::f32, Scalar::f16, real(65519.996)).f, 65504.0);
  EXPECT_EQ(convert(Scalar::f32, Scalar::f16, real(65520)).f, kInf);
  EXPECT_EQ(convert(Scalar::f32, Scalar::f16, real(65536)).f, kInf);
  EXPECT_EQ(convert(Scalar::i32, Scalar::f16, integer(-70000)).f, -kInf);
  EXPECT_TRUE(std::isnan(convert(Scalar::f32, Scalar::bf16, real(kNan)).f));
}

TEST(DType, FloatToIntegerSaturatesAndNanIsZero) {
  EXPECT_EQ(convert(Scalar::f32, Scalar::i32, real(3e9)).i, 2147483647);
  EXPECT_EQ(convert(Scalar::f32, Scalar::i32, real(-kInf)).i, -2147483648ll);
  EXPECT_EQ(convert(Scalar::f32, Scalar::i8, real(-128.9)).i, -128);
  EXPECT_EQ(convert(Scalar::f32, Scalar::u8, real(-1)).i, 0);
  EXPECT_EQ(convert(Scalar::f32, Scalar::u8, real(256)).i, 255);
  EXPECT_EQ(convert(Scalar::f64, Scalar::i64, real(1e30)).i, std::numeric_limits<std::int64_t>::max());
  EXPECT_EQ(convert(Scalar::f32, Scalar::i32, real(kNan)).i, 0);
  EXPECT_EQ(convert(Scalar::f32, Scalar::boolean, real(kNan)).i, 1);
  EXPECT_EQ(convert(Scalar::f32, Scalar::boolean, real(-0.0)).i, 0);
}

TEST(DType, IntegersWrap) {
  EXPECT_EQ(wrap(Scalar::i8, 200), -56);
  EXPECT_EQ(wrap(Scalar::u8, -1), 255);
  EXPECT_EQ(wrap(Scalar::i32, 1ll << 31), -(1ll << 31));
  EXPECT_EQ(wrap(Scalar::boolean, 256), 1);
}

// A 64-bit integer just above the middle of two floats must not be rounded down through a double first.
TEST(DType, LargeIntegersRoundOnce) {
  const std::int64_t middle = (1ll << 60) + (1ll << 36);
  EXPECT_EQ(convert(Scalar::i64, Scalar::f32, integer(middle)).f, std::ldexp(1.0, 60));
  EXPECT_EQ(convert(Scalar::i64, Scalar::f32, integer(middle + 1)).f,
            static_cast<double>(static_cast<float>(middle + 1)));
  EXPECT_EQ(convert(Scalar::i64, Scalar::f32, integer(-middle - 1)).f,
            static_cast<double>(static_cast<float>(-middle - 1)));
  std::mt19937_64 rng(3);
  for (int i = 0; i < 100000; ++i) {
    const auto v = static_cast<std::int64_t>(rng() >> (rng() % 64));
    ASSERT_EQ(convert(Scalar::i64, Scalar::f32, integer(v)).f, static_cast<double>(static_cast<float>(v))) << v;
    const std::uint64_t w = rng();
    ASSERT_EQ(convert(Scalar::u64, Scalar::f32, integer(static_cast<std::int64_t>(w))).f,
              static_cast<double>(static_cast<float>(w)));
  }
}

TEST(DType, PromotionIsSymmetricAndKeepsFloats) {
  for (int a = 1; a < kScalarCount; ++a)
    for (int b = 1; b < kScalarCount; ++b) {
      const Scalar x = static_cast<Scalar>(a), y = static_cast<Scalar>(b), p = promote(x, y);
      EXPECT_EQ(p, promote(y, x));
      EXPECT_EQ(promote(x, x), x);
      EXPECT_TRUE(DType(p).is_float() || !(DType(x).is_float() || DType(y).is_float()));
    }
  EXPECT_EQ(promote(Scalar::boolean, Scalar::i8), Scalar::i8);
  EXPECT_EQ(promote(Scalar::i32, Scalar::u32), Scalar::i64);
  EXPECT_EQ(promote(Scalar::i64, Scalar::f16), Scalar::f16);
  EXPECT_EQ(promote(Scalar::f16, Scalar::bf16), Scalar::f32);
}

std::int64_t eval(Op op, Scalar s, std::int64_t a, std::int64_t b) {
  const Number v[] = {integer(a), integer(b)};
  return evaluate(op, s, s, v).i;
}

TEST(Evaluate, DivisionKinds) {
  EXPECT_EQ(eval(Op::cdiv, Scalar::i32, -7, 2), -3);
  EXPECT_EQ(eval(Op::cmod, Scalar::i32, -7, 2), -1);
  EXPECT_EQ(eval(Op::floordiv, Scalar::i32, -7, 2), -4);
  EXPECT_EQ(eval(Op::floormod, Scalar::i32, -7, 2), 1);
  EXPECT_EQ(eval(Op::floordiv, Scalar::i32, 7, -2), -4);
  EXPECT_EQ(eval(Op::floormod, Scalar::i32, 7, -2), -1);
  for (Op div : {Op::cdiv, Op::floordiv}) {
    EXPECT_EQ(eval(div, Scalar::i32, 5, 0), 0);
    EXPECT_EQ(eval(div, Scalar::i32, -(1ll << 31), -1), -(1ll << 31));
    EXPECT_EQ(eval(div, Scalar::u8, 200, 3), 66);
  }
  for (Op mod : {Op::cmod, Op::floormod}) {
    EXPECT_EQ(eval(mod, Scalar::i32, 5, 0), 5);
    EXPECT_EQ(eval(mod, Scalar::i32, -(1ll << 31), -1), 0);
  }
  for (std::int64_t a = -20; a <= 20; ++a)
    for (std::int64_t b = -20; b <= 20; ++b) {
      if (b == 0) continue;
      EXPECT_EQ(eval(Op::floordiv, Scalar::i32, a, b), static_cast<std::int64_t>(std::floor(double(a) / double(b))));
      EXPECT_EQ(eval(Op::floormod, Scalar::i32, a, b), a - b * eval(Op::floordiv, Scalar::i32, a, b));
      EXPECT_EQ(eval(Op::cmod, Scalar::i32, a, b), a - b * eval(Op::cdiv, Scalar::i32, a, b));
    }
}

TEST(Evaluate, ShiftsBeyondTheWidth) {
  EXPECT_EQ(eval(Op::shl, Scalar::i32, 1, 31), -(1ll << 31));
  EXPECT_EQ(eval(Op::shl, Scalar::i32, 1, 32), 0);
  EXPECT_EQ(eval(Op::shl, Scalar::i32, 1, -1), 0);
  EXPECT_EQ(eval(Op::shr, Scalar::i32, -8, 1), -4);
  EXPECT_EQ(eval(Op::shr, Scalar::i32, -8, 77), -1);
  EXPECT_EQ(eval(Op::shr, Scalar::u32, 0xffffffff, 31), 1);
  EXPECT_EQ(eval(Op::shr, Scalar::u8, 255, 8), 0);
}

TEST(Evaluate, NanRules) {
  const Number v[] = {real(kNan), real(1)}, w[] = {real(1), real(kNan)};
  for (Op op : {Op::max, Op::min}) {
    EXPECT_TRUE(std::isnan(evaluate(op, Scalar::f32, Scalar::f32, v).f));
    EXPECT_TRUE(std::isnan(evaluate(op, Scalar::f32, Scalar::f32, w).f));
  }
  EXPECT_EQ(evaluate(Op::cmplt, Scalar::boolean, Scalar::f32, v).i, 0);
  EXPECT_EQ(evaluate(Op::cmpeq, Scalar::boolean, Scalar::f32, v).i, 0);
  EXPECT_EQ(evaluate(Op::cmpne, Scalar::boolean, Scalar::f32, v).i, 1);
}

}  // namespace
}  // namespace hcq::compute::ir
