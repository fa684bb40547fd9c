// SPDX-License-Identifier: MIT
#include <cmath>
#include <numbers>

#include "compute/tensor/session.h"
#include "compute/tensor/support.h"

namespace hcq::compute {

using ir::Op;

namespace {

// Functions of floats: integers come in as f32.
Tensor as_float(const Tensor& x) { return x.dtype().is_float() ? x : x.cast(ir::kF32); }

// Composed functions on half floats run in f32: an intermediate rounded to 16 bits would spoil the result.
template <class F>
Tensor in_single(const Tensor& x, F&& f) {
  const Tensor v = as_float(x);
  if (v.dtype() == ir::kF16 || v.dtype() == ir::kBF16) return f(v.cast(ir::kF32)).cast(v.dtype());
  return f(v);
}

Tensor binary(const char* operation, Op op, Tensor a, Tensor b) {
  match(operation, a, b);
  if (a.dtype().is_bool() && (op == Op::add || op == Op::sub || op == Op::mul)) {
    a = a.cast(ir::kI32);
    b = b.cast(ir::kI32);
  }
  return apply(op, a, b, a.dtype());
}

Tensor compare(const char* operation, Op op, Tensor a, Tensor b) {
  match(operation, a, b);
  return apply(op, a, b, ir::kBool);
}

Tensor integer_only(const char* operation, Op op, Tensor a, Tensor b) {
  match(operation, a, b);
  if (!a.dtype().is_int()) fail(operation, "takes integers, not " + name(a.dtype()));
  return apply(op, a, b, a.dtype());
}

}  // namespace

Tensor Tensor::cast(DType t) const {
  if (t.lanes != 1 || t.bytes() == 0) fail("tensor/cast", "no element type");
  if (t == dtype()) return *this;
  return {Session::current().make(Op::cast, t, {node()}), shape_};
}

Tensor Tensor::neg() const { return dtype().is_bool() ? cast(ir::kI32).neg() : apply(Op::neg, *this); }
Tensor Tensor::recip() const { return apply(Op::recip, as_float(*this)); }
Tensor Tensor::sqrt() const { return apply(Op::sqrt, as_float(*this)); }
Tensor Tensor::exp2() const { return apply(Op::exp2, as_float(*this)); }
Tensor Tensor::log2() const { return apply(Op::log2, as_float(*this)); }
Tensor Tensor::sin() const { return apply(Op::sin, as_float(*this)); }
Tensor Tensor::trunc() const { return dtype().is_float() ? apply(Op::trunc, *this) : *this; }

Tensor Tensor::cos() const {
  return in_single(*this, [](const Tensor& x) { return (x + std::numbers::pi / 2).sin(); });
}
Tensor Tensor::exp() const {
  return in_single(*this, [](const Tensor& x) { return (x * std::numbers::log2e).exp2(); });
}
Tensor Tensor::log() const {
  return in_single(*this, [](const Tensor& x) { return x.log2() * std::numbers::ln2; });
}
// From exp(-2|x|), which cannot overflow; the sign is put back at the end.
Tensor Tensor::tanh() const {
  return in_single(*this, [](const Tensor& x) {
    const Tensor e = (x.abs() * -2.0).exp();
    const Tensor t = (1.0 - e) / (1.0 + e);
    return x.less(number_like(x, 0.0)).where(-t, t);
  });
}
Tensor Tensor::sigmoid() const {
  return in_single(*this, [](const Tensor& x) { return ((-x).exp() + 1.0).recip(); });
}
Tensor Tensor::relu() const { return maximum(number_like(*this, std::int64_t{0})); }
Tensor Tensor::abs() const { return dtype().is_bool() ? *this : less(number_like(*this, 0)).where(neg(), *this); }
Tensor Tensor::floor() const {
  if (!dtype().is_float()) return *this;
  const Tensor t = trunc();
  return less(t).where(t - 1.0, t);
}
Tensor Tensor::logical_not() const {
  return dtype().is_bool() ? apply(Op::logic_not, *this) : equal(number_like(*this, 0));
}

Tensor Tensor::maximum(const Tensor& o) const { return binary("tensor/maximum", Op::max, *this, o); }
Tensor Tensor::minimum(const Tensor& o) const { return binary("tensor/minimum", Op::min, *this, o); }
Tensor Tensor::floor_div(const Tensor& o) const {
  if (dtype().is_float() || o.dtype().is_float()) return (*this / o).floor();
  return integer_only("tensor/floor_div", Op::floordiv, *this, o);
}
Tensor Tensor::floor_mod(const Tensor& o) const { return integer_only("tensor/floor_mod", Op::floormod, *this, o); }
Tensor Tensor::trunc_div(const Tensor& o) const { return integer_only("tensor/trunc_div", Op::cdiv, *this, o); }
Tensor Tensor::trunc_mod(const Tensor& o) const { return integer_only("tensor/trunc_mod", Op::cmod, *this, o); }
Tensor Tensor::less(const Tensor& o) const { return compare("tensor/less", Op::cmplt, *this, o); }
Tensor Tensor::equal(const Tensor& o) const { return compare("tensor/equal", Op::cmpeq, *this, o); }
Tensor Tensor::not_equal(const Tensor& o) const { return compare("tensor/not_equal", Op::cmpne, *this, o); }

Tensor Tensor::where(const Tensor& yes, const Tensor& no) const {
  Tensor a = yes, b = no;
  match("tensor/where", a, b);
  const Shape shape = broadcast("tensor/where", shape_, a.shape());
  const Tensor c = cast(ir::kBool).expand(shape);
  a = a.expand(shape);
  b = b.expand(shape);
  return {Session::current().make(Op::where, a.dtype(), {c.node(), a.node(), b.node()}), shape};
}

Tensor operator+(const Tensor& a, const Tensor& b) { return binary("tensor/add", Op::add, a, b); }
Tensor operator-(const Tensor& a, const Tensor& b) { return binary("tensor/sub", Op::sub, a, b); }
Tensor operator*(const Tensor& a, const Tensor& b) { return binary("tensor/mul", Op::mul, a, b); }
Tensor operator/(const Tensor& a, const Tensor& b) { return binary("tensor/div", Op::fdiv, as_float(a), as_float(b)); }
Tensor operator-(const Tensor& a) { return a.neg(); }

Tensor number_like(const Tensor& t, double v) {
  return Tensor::full({}, v, t.dtype().is_float() ? t.dtype() : ir::kF32);
}
Tensor number_like(const Tensor& t, std::int64_t v) {
  Session& s = Session::current();
  const DType type = t.dtype().is_bool() ? ir::kI32 : t.dtype();
  return Tensor({s.context(), s.context()->constant(type, v)}, {});
}

}  // namespace hcq::compute
