// SPDX-License-Identifier: MIT
#include "tests/support/op_cases.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <iterator>
#include <limits>
#include <random>

namespace hcq::test {

using namespace ir;

namespace {

constexpr Scalar kInts[] = {Scalar::i8,  Scalar::u8,  Scalar::i16, Scalar::u16,
                            Scalar::i32, Scalar::u32, Scalar::i64, Scalar::u64};
constexpr Scalar kFloats[] = {Scalar::f16, Scalar::bf16, Scalar::f32, Scalar::f64};
constexpr unsigned kBlock = 32;

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
    return v;
  }
  for (std::int64_t i : {0, 1, 2, 3, 7, 8, 63, 64, 100, -1, -2, -3, -8, -100}) v.push_back(integer(wrap(s, i)));
  const std::uint64_t top = 1ull << (8 * info(s).bytes - 1);
  for (std::uint64_t u : {top, top - 1, top + 1, ~std::uint64_t{0}})
    v.push_back(integer(wrap(s, static_cast<std::int64_t>(u))));
  for (int i = 0; i < 14; ++i) v.push_back(integer(wrap(s, static_cast<std::int64_t>(rng()))));
  return v;
}

std::string text(Scalar s, Number v) {
  return DType(s).is_float() ? fmt::format("{} ({:#x})", v.f, encode(s, v)) : fmt::format("{}", v.i);
}

bool is_binary(const OpBatch& b) { return info(b.ops.front().op).arity == 2; }

}  // namespace

double ulps_between(Scalar s, double a, double b) {
  if (std::isnan(a) || std::isnan(b)) return std::isnan(a) && std::isnan(b) ? 0 : 1e30;
  const auto ordered = [s](double v) {
    const std::uint64_t raw = encode(s, real(v));
    const std::uint64_t sign = 1ull << (8 * info(s).bytes - 1);
    return raw & sign ? -static_cast<double>(raw & ~sign) : static_cast<double>(raw);
  };
  return std::abs(ordered(a) - ordered(b));
}

std::string OpBatch::name() const {
  return fmt::format("{}_{}_{}_x{}", info(ops.front().op).name, info(operand).name, info(result).name, lanes);
}

std::vector<OpBatch> integer_batches() {
  std::vector<OpBatch> all;
  for (unsigned lanes : {1u, 4u}) {
    for (Scalar s : kInts) {
      all.push_back(
          {s, s, {{Op::add}, {Op::sub}, {Op::mul}, {Op::cdiv}, {Op::cmod}, {Op::floordiv}, {Op::floormod}}, lanes});
      all.push_back({s, s, {{Op::max}, {Op::min}, {Op::shl}, {Op::shr}}, lanes});
      all.push_back({s, s, {{Op::bit_and}, {Op::bit_or}, {Op::bit_xor}}, lanes});
      all.push_back({s, Scalar::boolean, {{Op::cmplt}, {Op::cmpeq}, {Op::cmpne}}, lanes});
      all.push_back({s, s, {{Op::neg}}, lanes});
    }
    const Scalar b = Scalar::boolean;
    all.push_back(
        {b, b, {{Op::max}, {Op::min}, {Op::bit_and}, {Op::bit_or}, {Op::bit_xor}, {Op::cmpeq}, {Op::cmpne}}, lanes});
    all.push_back({b, b, {{Op::logic_not}}, lanes});
  }
  return all;
}

std::vector<OpBatch> float_batches() {
  std::vector<OpBatch> all;
  const double zero = 1e-300;  // which zero max and min return is open
  for (Scalar s : kFloats)
    for (unsigned lanes : {1u, 4u}) {
      all.push_back({s, s, {{Op::add}, {Op::sub}, {Op::mul}, {Op::fdiv, 2.5}}, lanes});
      all.push_back({s, s, {{Op::max, 0, zero}, {Op::min, 0, zero}}, lanes});
      all.push_back({s, Scalar::boolean, {{Op::cmplt}, {Op::cmpeq}, {Op::cmpne}}, lanes});
      all.push_back({s, s, {{Op::neg}, {Op::trunc}, {Op::recip, 1}, {Op::sqrt, 1}}, lanes});
      all.push_back({s, s, {{Op::exp2, 4}, {Op::log2, 4, 0x1p-21}}, lanes});
    }
  return all;
}

std::vector<OpBatch> cast_batches() {
  std::vector<OpBatch> all;
  std::vector<Scalar> types(std::begin(kInts), std::end(kInts));
  types.insert(types.end(), std::begin(kFloats), std::end(kFloats));
  types.push_back(Scalar::boolean);
  const auto whole = [](Scalar s) { return info(s).kind != ScalarClass::boolean; };
  for (Scalar from : types)
    for (Scalar to : types) {
      all.push_back({from, to, {{Op::cast}}, 1});
      if (info(from).bytes == info(to).bytes && whole(from) && whole(to)) all.push_back({from, to, {{Op::bitcast}}, 1});
    }
  for (Scalar from : {Scalar::f16, Scalar::bf16, Scalar::f64, Scalar::i32})
    for (Scalar to : {Scalar::f16, Scalar::bf16, Scalar::f32, Scalar::u8}) all.push_back({from, to, {{Op::cast}}, 4});
  return all;
}

std::vector<OpBatch> all_batches() {
  auto all = integer_batches();
  for (auto&& more : {float_batches(), cast_batches()}) all.insert(all.end(), more.begin(), more.end());
  return all;
}

OpRun::OpRun(const OpBatch& of) : batch(of) {
  const auto edge = edge_values(batch.operand);
  for (const Number& x : edge)
    for (const Number& y : edge) {
      a_.push_back(x);
      b_.push_back(y);
    }
  while (a_.size() % (kBlock * batch.lanes) != 0) {
    a_.push_back(a_.back());
    b_.push_back(b_.back());
  }
  const auto n = static_cast<std::uint32_t>(a_.size());

  KernelMaker k(batch.name());
  const Node* i = k.launch(n / (kBlock * batch.lanes), kBlock);
  i = k.op(Op::mul, kI32, {i, k.constant(kI32, batch.lanes)});
  const Node* pa = k.param(batch.operand, n, false);
  const Node* pb = k.param(batch.operand, n, false);
  const Node* x = k.load(pa, i, batch.lanes, batch.lanes);
  const Node* y = k.load(pb, i, batch.lanes, batch.lanes);
  const DType type = DType(batch.result).vec(static_cast<int>(batch.lanes));
  for (const OpCase& c : batch.ops) {
    const Node* v = is_binary(batch) ? k.op(c.op, type, {x, y}) : k.op(c.op, type, {x});
    k.store(k.param(batch.result, n, true), i, v, batch.lanes);
  }
  kernel = k.kernel();
  buffers = buffers_for(kernel);
  const std::size_t width = info(batch.operand).bytes;
  for (std::size_t e = 0; e < n; ++e) {
    store(batch.operand, buffers[0].data() + e * width, a_[e]);
    store(batch.operand, buffers[1].data() + e * width, b_[e]);
  }
}

std::string OpRun::check() const {
  const bool two = is_binary(batch);
  for (std::size_t o = 0; o < batch.ops.size(); ++o)
    for (std::size_t e = 0; e < a_.size(); ++e) {
      const OpCase& c = batch.ops[o];
      const Number src[2] = {a_[e], b_[e]};
      const Number want = evaluate(c.op, batch.result, batch.operand, std::span(src, two ? 2 : 1));
      const Number got = load(batch.result, buffers[2 + o].data() + e * info(batch.result).bytes);
      bool good = want.i == got.i;
      if (DType(batch.result).is_float())
        good = ulps_between(batch.result, want.f, got.f) <= c.ulps || std::abs(want.f - got.f) <= c.absolute;
      if (!good)
        return fmt::format("{} of {} in {}: operands {}, {}: want {}, got {}", info(c.op).name,
                           info(batch.operand).name, kernel.name, text(batch.operand, a_[e]),
                           text(batch.operand, b_[e]), text(batch.result, want), text(batch.result, got));
    }
  return {};
}

}  // namespace hcq::test
