// SPDX-License-Identifier: MIT
#include "compute/ir/eval.h"

#include <cassert>
#include <cmath>
#include <limits>

namespace hcq::compute::ir {
namespace {

bool is_float(Scalar s) { return info(s).kind == ScalarClass::floating; }
bool is_unsigned(Scalar s) { return info(s).kind == ScalarClass::unsigned_int; }
std::uint64_t u(std::int64_t v) { return static_cast<std::uint64_t>(v); }
std::int64_t s64(std::uint64_t v) { return static_cast<std::int64_t>(v); }

double propagate_nan(double a, double b, bool want_max) {
  if (std::isnan(a)) return a;
  if (std::isnan(b)) return b;
  return (want_max ? a > b : a < b) ? a : b;
}

double unary_float(Op op, double x) {
  switch (op) {
    case Op::neg:
      return -x;
    case Op::recip:
      return 1 / x;
    case Op::sqrt:
      return std::sqrt(x);
    case Op::exp2:
      return std::exp2(x);
    case Op::log2:
      return std::log2(x);
    case Op::sin:
      return std::sin(x);
    case Op::trunc:
      return std::trunc(x);
    case Op::contiguous:
      return x;
    default:
      assert(!"no float unary op");
      return 0;
  }
}

double binary_float(Op op, double a, double b) {
  switch (op) {
    case Op::add:
      return a + b;
    case Op::sub:
      return a - b;
    case Op::mul:
      return a * b;
    case Op::fdiv:
      return a / b;
    case Op::max:
      return propagate_nan(a, b, true);
    case Op::min:
      return propagate_nan(a, b, false);
    default:
      assert(!"no float binary op");
      return 0;
  }
}

std::int64_t trunc_div(Scalar s, std::int64_t a, std::int64_t b) {
  if (b == 0) return 0;
  if (is_unsigned(s)) return s64(u(a) / u(b));
  if (b == -1) return s64(0 - u(a));  // the minimum wraps to itself
  return a / b;
}

std::int64_t trunc_mod(Scalar s, std::int64_t a, std::int64_t b) {
  if (b == 0) return a;
  if (is_unsigned(s)) return s64(u(a) % u(b));
  return b == -1 ? 0 : a % b;
}

bool less(Scalar s, std::int64_t a, std::int64_t b) { return is_unsigned(s) ? u(a) < u(b) : a < b; }

std::int64_t shift_left(Scalar s, std::int64_t a, std::int64_t n) {
  return u(n) >= 8u * info(s).bytes ? 0 : s64(u(a) << n);
}

std::int64_t shift_right(Scalar s, std::int64_t a, std::int64_t n) {
  const bool over = u(n) >= 8u * info(s).bytes;
  if (is_unsigned(s)) return over ? 0 : s64(u(a) >> n);
  return a >> (over ? 63 : n);
}

std::int64_t binary_int(Op op, Scalar s, std::int64_t a, std::int64_t b) {
  switch (op) {
    case Op::add:
      return s64(u(a) + u(b));
    case Op::sub:
      return s64(u(a) - u(b));
    case Op::mul:
      return s64(u(a) * u(b));
    case Op::cdiv:
      return trunc_div(s, a, b);
    case Op::cmod:
      return trunc_mod(s, a, b);
    case Op::floordiv:
      return is_unsigned(s) ? trunc_div(s, a, b) : floor_div(a, b);
    case Op::floormod:
      return is_unsigned(s) ? trunc_mod(s, a, b) : floor_mod(a, b);
    case Op::max:
      return less(s, a, b) ? b : a;
    case Op::min:
      return less(s, a, b) ? a : b;
    case Op::shl:
      return shift_left(s, a, s64(u(wrap(s, b))));
    case Op::shr:
      return shift_right(s, a, b);
    case Op::bit_and:
      return a & b;
    case Op::bit_or:
      return a | b;
    case Op::bit_xor:
      return a ^ b;
    default:
      assert(!"no integer binary op");
      return 0;
  }
}

bool compare(Op op, Scalar s, Number a, Number b) {
  if (is_float(s)) return op == Op::cmplt ? a.f < b.f : op == Op::cmpeq ? a.f == b.f : a.f != b.f;
  return op == Op::cmplt ? less(s, a.i, b.i) : op == Op::cmpeq ? a.i == b.i : a.i != b.i;
}

}  // namespace

std::int64_t floor_div(std::int64_t a, std::int64_t b) {
  if (b == 0) return 0;
  if (b == -1) return s64(0 - u(a));
  return a / b - (a % b != 0 && (a < 0) != (b < 0));
}

std::int64_t floor_mod(std::int64_t a, std::int64_t b) {
  if (b == 0) return a;
  if (b == -1) return 0;
  const std::int64_t r = a % b;
  return r != 0 && (r < 0) != (b < 0) ? r + b : r;
}

Number evaluate(Op op, Scalar result, Scalar operand, std::span<const Number> src) {
  switch (op) {
    case Op::cast:
      return convert(operand, result, src[0]);
    case Op::bitcast:
      return decode(result, encode(operand, src[0]));
    case Op::where:
      return src[0].i ? src[1] : src[2];
    case Op::logic_not:
      return integer(!src[0].i);
    case Op::cmplt:
    case Op::cmpeq:
    case Op::cmpne:
      return integer(compare(op, operand, src[0], src[1]));
    default:
      break;
  }
  if (info(op).kind == OpClass::unary) {
    if (is_float(result)) return real(round_to(result, unary_float(op, src[0].f)));
    if (op == Op::contiguous) return src[0];
    assert(op == Op::neg);
    return integer(wrap(result, s64(0 - u(src[0].i))));
  }
  if (is_float(result)) return real(round_to(result, binary_float(op, src[0].f, src[1].f)));
  return integer(wrap(result, binary_int(op, result, src[0].i, src[1].i)));
}

}  // namespace hcq::compute::ir
