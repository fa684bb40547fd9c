// SPDX-License-Identifier: MIT
#include "compute/ir/interval.h"

#include <algorithm>
#include <limits>

#include "compute/ir/eval.h"

namespace hcq::compute::ir {
namespace {

using Wide = __int128;

Interval exact_or_type(Scalar s, Wide lo, Wide hi) {
  const Interval t = type_interval(s);
  if (!t.known || lo < t.lo || hi > t.hi) return t;
  return {static_cast<std::int64_t>(lo), static_cast<std::int64_t>(hi), true};
}

Interval product(Scalar s, Interval a, Interval b) {
  const Wide p[4] = {Wide(a.lo) * b.lo, Wide(a.lo) * b.hi, Wide(a.hi) * b.lo, Wide(a.hi) * b.hi};
  return exact_or_type(s, *std::min_element(p, p + 4), *std::max_element(p, p + 4));
}

// Division by a positive divisor is monotone in the dividend; other divisors are rare enough to give up on.
Interval quotient(Op op, Scalar s, Interval a, Interval b) {
  if (b.lo <= 0) return type_interval(s);
  const auto div = [op](std::int64_t x, std::int64_t y) { return op == Op::floordiv ? floor_div(x, y) : x / y; };
  const std::int64_t q[4] = {div(a.lo, b.lo), div(a.lo, b.hi), div(a.hi, b.lo), div(a.hi, b.hi)};
  return {*std::min_element(q, q + 4), *std::max_element(q, q + 4), true};
}

Interval remainder(Op op, Scalar s, Interval a, Interval b) {
  if (b.lo <= 0) return type_interval(s);
  if (a.lo >= 0 && a.hi < b.lo) return a;
  if (op == Op::floormod || a.lo >= 0) {
    const bool one_period = b.is_point() && floor_div(a.lo, b.lo) == floor_div(a.hi, b.lo);
    if (one_period) return {floor_mod(a.lo, b.lo), floor_mod(a.hi, b.lo), true};
    return {0, b.hi - 1, true};
  }
  return {1 - b.hi, b.hi - 1, true};
}

Interval compared(Op op, Interval a, Interval b) {
  const bool apart = a.hi < b.lo || b.hi < a.lo;
  const bool same = a.is_point() && b.is_point() && a.lo == b.lo;
  if (op == Op::cmplt) return {a.hi < b.lo, a.lo < b.hi, true};
  if (op == Op::cmpeq) return {same, !apart, true};
  return {apart, !same, true};
}

Interval shifted(Op op, const Node* n, Interval a, Interval b) {
  const Scalar s = n->dtype.scalar;
  if (!b.is_point() || b.lo < 0 || b.lo >= 8 * static_cast<int>(info(s).bytes)) return type_interval(s);
  if (op == Op::shr) return {a.lo >> b.lo, a.hi >> b.lo, true};
  return exact_or_type(s, Wide(a.lo) * (Wide(1) << b.lo), Wide(a.hi) * (Wide(1) << b.lo));
}

Interval bit_op(Op op, const Node* n, Interval a, Interval b) {
  if (n->dtype.is_bool()) {
    if (op == Op::bit_and) return {a.lo & b.lo, a.hi & b.hi, true};
    if (op == Op::bit_or) return {a.lo | b.lo, a.hi | b.hi, true};
    return {0, 1, true};
  }
  if (op == Op::bit_and && a.lo >= 0 && b.lo >= 0) return {0, std::min(a.hi, b.hi), true};
  return type_interval(n->dtype.scalar);
}

Interval binary(const Node* n, Interval a, Interval b) {
  const Scalar s = n->dtype.scalar;
  switch (n->op) {
    case Op::add:
      return exact_or_type(s, Wide(a.lo) + b.lo, Wide(a.hi) + b.hi);
    case Op::sub:
      return exact_or_type(s, Wide(a.lo) - b.hi, Wide(a.hi) - b.lo);
    case Op::mul:
      return product(s, a, b);
    case Op::cdiv:
    case Op::floordiv:
      return quotient(n->op, s, a, b);
    case Op::cmod:
    case Op::floormod:
      return remainder(n->op, s, a, b);
    case Op::max:
      return {std::max(a.lo, b.lo), std::max(a.hi, b.hi), true};
    case Op::min:
      return {std::min(a.lo, b.lo), std::min(a.hi, b.hi), true};
    case Op::shl:
    case Op::shr:
      return shifted(n->op, n, a, b);
    case Op::bit_and:
    case Op::bit_or:
    case Op::bit_xor:
      return bit_op(n->op, n, a, b);
    case Op::cmplt:
    case Op::cmpeq:
    case Op::cmpne:
      return compared(n->op, a, b);
    default:
      return type_interval(s);
  }
}

}  // namespace

Interval type_interval(Scalar s) {
  const ScalarInfo& f = info(s);
  switch (f.kind) {
    case ScalarClass::boolean:
      return {0, 1, true};
    case ScalarClass::signed_int: {
      const std::int64_t lo = std::numeric_limits<std::int64_t>::min() >> (64 - 8 * f.bytes);
      return {lo, ~lo, true};
    }
    case ScalarClass::unsigned_int:
      if (f.bytes == 8) return {};
      return {0, (1ll << (8 * f.bytes)) - 1, true};
    default:
      return {};
  }
}

Interval interval_of(const Node* n, std::span<const Interval> src) {
  const Interval all = type_interval(n->dtype.scalar);
  if (!all.known) return all;
  switch (n->op) {
    case Op::constant:
      return {n->arg.i, n->arg.i, true};
    case Op::range:
    case Op::special:
      return {0, extent(n) - 1, true};
    case Op::where:
      if (!src[1].known || !src[2].known) return all;
      return {std::min(src[1].lo, src[2].lo), std::max(src[1].hi, src[2].hi), true};
    case Op::logic_not:
      return {!src[0].hi, !src[0].lo, true};
    case Op::neg:
      return src[0].known ? exact_or_type(n->dtype.scalar, -Wide(src[0].hi), -Wide(src[0].lo)) : all;
    case Op::cast:
      if (n->dtype.is_bool() || !src[0].known) return all;
      return exact_or_type(n->dtype.scalar, src[0].lo, src[0].hi);
    case Op::splat:
    case Op::contiguous:
      return src[0];
    default:
      break;
  }
  const OpClass kind = info(n->op).kind;
  const bool two = kind == OpClass::binary || kind == OpClass::compare;
  return two && src[0].known && src[1].known ? binary(n, src[0], src[1]) : all;
}

}  // namespace hcq::compute::ir
