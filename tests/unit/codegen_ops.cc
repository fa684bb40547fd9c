// SPDX-License-Identifier: MIT
// Every elementwise op on every type it is defined for, scalar and vector, over all pairs of edge values, against the
// definition (ir/eval.h).
#include <gtest/gtest.h>

#include <bit>
#include <cmath>
#include <limits>
#include <random>

#include "compute/ir/eval.h"
#include "drivers/cpu/device.h"
#include "tests/support/kernel_maker.h"

namespace hcq {
namespace {

using namespace compute::ir;
using test::Buffers;
using test::KernelMaker;

constexpr Scalar kInts[] = {Scalar::i8,  Scalar::u8,  Scalar::i16, Scalar::u16,
                            Scalar::i32, Scalar::u32, Scalar::i64, Scalar::u64};
constexpr Scalar kFloats[] = {Scalar::f16, Scalar::bf16, Scalar::f32, Scalar::f64};

std::vector<Number> edge_values(Scalar s) {
  std::vector<Number> v;
  std::mt19937_64 rng(static_cast<unsigned>(s));
  if (info(s).kind == ScalarClass::boolean) return {integer(0), integer(1)};
  if (DType(s).is_float()) {
    for (double d : {0.0, -0.0, 1.0, -1.0, 0.5, 2.0, 3.0, -7.25, 100.0, 1e-3, 60000.0, -1e9, 1e30})
      v.push_back(real(round_to(s, d)));
    const double inf = std::numeric_limits<double>::infinity();
    for (double d : {inf, -inf, std::numeric_limits<double>::quiet_NaN()}) v.push_back(real(d));
    for (int i = 0; i < 16; ++i) v.push_back(decode(s, rng() >> (64 - 8 * info(s).bytes)));
  } else {
    for (std::int64_t i : {0, 1, 2, 3, 7, 8, 63, 64, 100, -1, -2, -3, -8, -100}) v.push_back(integer(wrap(s, i)));
    const int bits = 8 * info(s).bytes;
    const std::uint64_t top = 1ull << (bits - 1);
    for (std::uint64_t u : {top, top - 1, top + 1, ~std::uint64_t{0}}) v.push_back(integer(wrap(s, static_cast<std::int64_t>(u))));
    for (int i = 0; i < 14; ++i) v.push_back(integer(wrap(s, static_cast<std::int64_t>(rng()))));
  }
  return v;
}

// Distance in units of the last place of `s`, counted over the ordered bit patterns.
double ulps(Scalar s, double a, double b) {
  if (std::isnan(a) || std::isnan(b)) return std::isnan(a) && std::isnan(b) ? 0 : 1e30;
  const auto ordered = [s](double v) {
    const int bits = 8 * info(s).bytes;
    const std::uint64_t raw = encode(s, real(v));
    const std::uint64_t sign = 1ull << (bits - 1);
    return raw & sign ? -static_cast<double>(raw & ~sign) : static_cast<double>(raw);
  };
  return std::abs(ordered(a) - ordered(b));
}

struct OpCase {
  Op op;
  double ulps = 0;      // allowed for floats
  double absolute = 0;  // or this, whichever is larger
};

class CodegenOps : public ::testing::Test {
 protected:
  void SetUp() override {
    auto d = cpu::open();
    ASSERT_TRUE(d.ok()) << describe(d.error());
    device_ = std::move(*d);
  }

  // Stores a[i] op b[i] for all pairs of edge values, one output per op; checks every element.
  void check(Scalar operand, Scalar result, std::vector<OpCase> ops, unsigned lanes) {
    const auto edge = edge_values(operand);
    const bool two = info(ops.front().op).arity == 2;
    std::vector<Number> a, b;
    for (const Number& x : edge)
      for (const Number& y : edge) {
        a.push_back(x);
        b.push_back(y);
      }
    while (a.size() % (32 * lanes) != 0) {
      a.push_back(a.back());
      b.push_back(b.back());
    }
    const auto n = static_cast<std::uint32_t>(a.size());
    const std::size_t width = info(operand).bytes;

    KernelMaker k("ops");
    const Node* i = k.launch(n / (32 * lanes), 32);
    i = k.op(Op::mul, kI32, {i, k.constant(kI32, lanes)});
    const Node* pa = k.param(operand, n, false);
    const Node* pb = k.param(operand, n, false);
    const Node *x = k.load(pa, i, lanes, lanes), *y = k.load(pb, i, lanes, lanes);
    const DType type = DType(result).vec(static_cast<int>(lanes));
    for (const OpCase& c : ops) {
      const Node* v = two ? k.op(c.op, type, {x, y}) : k.op(c.op, type, {x});
      k.store(k.param(result, n, true), i, v, lanes);
    }
    Buffers buffers = test::buffers_for(k.kernel());
    for (std::size_t e = 0; e < n; ++e) {
      store(operand, buffers[0].data() + e * width, a[e]);
      store(operand, buffers[1].data() + e * width, b[e]);
    }
    const Status s = test::run_on(*device_, k.kernel(), buffers);
    ASSERT_TRUE(s.ok()) << describe(s.error());
    for (std::size_t o = 0; o < ops.size(); ++o)
      for (std::size_t e = 0; e < n; ++e) {
        const Number src[2] = {a[e], b[e]};
        const Number want = evaluate(ops[o].op, result, operand, std::span(src, two ? 2 : 1));
        const Number got = load(result, buffers[2 + o].data() + e * info(result).bytes);
        const std::string where = std::string(info(ops[o].op).name) + " " + info(operand).name + " -> " +
                                  info(result).name + " lanes " + std::to_string(lanes);
        if (DType(result).is_float()) {
          const bool close = ulps(result, want.f, got.f) <= ops[o].ulps || std::abs(want.f - got.f) <= ops[o].absolute;
          ASSERT_TRUE(close) << where << ": operands " << text(operand, a[e]) << ", " << text(operand, b[e])
                             << ": want " << want.f << " got " << got.f;
        } else {
          ASSERT_EQ(want.i, got.i) << where << ": operands " << text(operand, a[e]) << ", " << text(operand, b[e]);
        }
      }
  }

  static std::string text(Scalar s, Number v) {
    return DType(s).is_float() ? std::to_string(v.f) + " (" + std::to_string(encode(s, v)) + ")" : std::to_string(v.i);
  }

  std::unique_ptr<Device> device_;
};

TEST_F(CodegenOps, Integers) {
  const std::vector<OpCase> ops{{Op::add},      {Op::sub},      {Op::mul},    {Op::cdiv},   {Op::cmod},
                                {Op::floordiv}, {Op::floormod}, {Op::max},    {Op::min},    {Op::shl},
                                {Op::shr},      {Op::bit_and},  {Op::bit_or}, {Op::bit_xor}};
  for (Scalar s : kInts)
    for (unsigned lanes : {1u, 4u}) {
      check(s, s, ops, lanes);
      check(s, Scalar::boolean, {{Op::cmplt}, {Op::cmpeq}, {Op::cmpne}}, lanes);
      check(s, s, {{Op::neg}}, lanes);
    }
}

TEST_F(CodegenOps, Booleans) {
  for (unsigned lanes : {1u, 4u}) {
    check(Scalar::boolean, Scalar::boolean,
          {{Op::max}, {Op::min}, {Op::bit_and}, {Op::bit_or}, {Op::bit_xor}, {Op::cmpeq}, {Op::cmpne}}, lanes);
    check(Scalar::boolean, Scalar::boolean, {{Op::logic_not}}, lanes);
  }
}

TEST_F(CodegenOps, Floats) {
  for (Scalar s : kFloats)
    for (unsigned lanes : {1u, 4u}) {
      const double zero = 1e-300;  // which zero max and min return is open
      check(s, s, {{Op::add}, {Op::sub}, {Op::mul}, {Op::fdiv, 2.5}, {Op::max, 0, zero}, {Op::min, 0, zero}}, lanes);
      check(s, Scalar::boolean, {{Op::cmplt}, {Op::cmpeq}, {Op::cmpne}}, lanes);
      check(s, s, {{Op::neg}, {Op::trunc}, {Op::recip, 1}, {Op::sqrt, 1}}, lanes);
    }
}

TEST_F(CodegenOps, MathFunctions) {
  for (Scalar s : kFloats) check(s, s, {{Op::exp2, 4}, {Op::log2, 4, 0x1p-21}}, 1);
}

TEST_F(CodegenOps, Casts) {
  std::vector<Scalar> all(std::begin(kInts), std::end(kInts));
  all.insert(all.end(), std::begin(kFloats), std::end(kFloats));
  all.push_back(Scalar::boolean);
  for (Scalar from : all)
    for (Scalar to : all) {
      check(from, to, {{Op::cast}}, 1);
      if (info(from).bytes == info(to).bytes && from != Scalar::boolean && to != Scalar::boolean)
        check(from, to, {{Op::bitcast}}, 1);
    }
  for (Scalar from : {Scalar::f16, Scalar::bf16, Scalar::f64, Scalar::i32})
    for (Scalar to : {Scalar::f16, Scalar::bf16, Scalar::f32, Scalar::u8}) check(from, to, {{Op::cast}}, 4);
}

}  // namespace
}  // namespace hcq
