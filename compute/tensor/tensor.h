// SPDX-License-Identifier: MIT
// Tensors: lazy, immutable expressions. Building one computes nothing; realize() schedules, compiles and runs what is
// needed for it, and later uses of the same expression find the value. Errors are thrown as hcq::Exception.
//
// A tensor belongs to the thread that made it. Copying one copies a handle.
#pragma once

#include <cstdint>
#include <cstring>
#include <optional>
#include <span>
#include <vector>

#include "compute/exception.h"
#include "compute/ir/node.h"
#include "compute/runtime/executor.h"
#include "compute/schedule/shape.h"

namespace hcq::compute {

using ir::DType;

// Types in short: operands of two types meet at ir::promote (bool < integers < floats). A C++ number takes the tensor's
// type, except that a double makes an integer or bool tensor f32, and a whole number makes a bool tensor i32.
class Tensor {
 public:
  // --- creation
  static Tensor from_bytes(DType t, Shape shape, Bytes data);  // row-major, little endian
  static Tensor from(std::span<const float> v, Shape shape);
  static Tensor from(std::span<const std::int32_t> v, Shape shape);
  static Tensor full(Shape shape, double value, DType t = ir::kF32);
  static Tensor zeros(Shape shape, DType t = ir::kF32) { return full(std::move(shape), 0, t); }
  static Tensor ones(Shape shape, DType t = ir::kF32) { return full(std::move(shape), 1, t); }
  static Tensor arange(std::int64_t n, DType t = ir::kI32);  // 0, 1, ..., n-1

  const Shape& shape() const { return shape_; }
  DType dtype() const { return node_->dtype; }
  std::int64_t elements() const { return compute::elements(shape_); }
  std::size_t rank() const { return shape_.size(); }

  // --- elementwise; shapes broadcast as in NumPy (aligned right, extents equal or 1)
  Tensor cast(DType t) const;
  Tensor neg() const;
  Tensor recip() const;  // integers and bool are computed in f32, here and below
  Tensor sqrt() const;
  Tensor exp2() const;
  Tensor log2() const;
  Tensor sin() const;
  Tensor cos() const;
  Tensor exp() const;
  Tensor log() const;
  Tensor tanh() const;
  Tensor sigmoid() const;
  Tensor relu() const;
  Tensor abs() const;
  Tensor trunc() const;
  Tensor floor() const;
  Tensor logical_not() const;             // x == 0
  Tensor maximum(const Tensor& o) const;  // NaN if either is
  Tensor minimum(const Tensor& o) const;
  Tensor floor_div(const Tensor& o) const;  // integers: rounded down; floats: floor(a / b)
  Tensor floor_mod(const Tensor& o) const;  // integers: sign of the divisor
  Tensor trunc_div(const Tensor& o) const;  // integers: toward zero
  Tensor trunc_mod(const Tensor& o) const;  // integers: sign of the dividend
  Tensor less(const Tensor& o) const;
  Tensor equal(const Tensor& o) const;
  Tensor not_equal(const Tensor& o) const;
  Tensor where(const Tensor& a, const Tensor& b) const;  // *this (bool, or != 0) ? a : b

  // --- movement
  Tensor reshape(Shape shape) const;  // one extent may be -1
  Tensor permute(std::vector<std::int64_t> axes) const;
  Tensor transpose(std::int64_t a = -2, std::int64_t b = -1) const;
  Tensor expand(Shape shape) const;  // extents 1 grow; new axes may be added in front
  Tensor pad(std::vector<std::pair<std::int64_t, std::int64_t>> by, double value = 0) const;
  Tensor shrink(std::vector<std::pair<std::int64_t, std::int64_t>> ranges) const;  // [begin, end)
  Tensor flip(std::vector<std::int64_t> axes) const;
  Tensor contiguous() const;  // a kernel boundary: stored as it is

  // --- reduction over axes (none: all of them). Sums and products of small integers are i32 or u32, those of f16 and
  // bf16 are accumulated in f32 and rounded once.
  Tensor sum(std::vector<std::int64_t> axes = {}, bool keepdim = false) const;
  Tensor prod(std::vector<std::int64_t> axes = {}, bool keepdim = false) const;
  Tensor max(std::vector<std::int64_t> axes = {}, bool keepdim = false) const;
  Tensor min(std::vector<std::int64_t> axes = {}, bool keepdim = false) const;
  Tensor mean(std::vector<std::int64_t> axes = {}, bool keepdim = false) const;
  Tensor softmax(std::int64_t axis = -1) const;

  // (..., M, K) x (..., K, N), leading axes broadcast; one-dimensional operands are a row on the left, a column on the
  // right, and their axis is dropped from the result. f16 and bf16 accumulate in f32.
  Tensor matmul(const Tensor& o) const;

  // --- values
  // A tensor that holds the value and no longer refers to how it came about (write x = x.realize(e) in loops). *this
  // finds the value too.
  Tensor realize(Executor& executor) const;
  std::vector<std::byte> bytes(Executor& executor) const;  // realizes, and brings the value to the host
  template <class T>
  std::vector<T> to(Executor& executor) const;  // T of the dtype's size

  // For the scheduler and tests.
  const ir::Node* node() const { return node_.get(); }
  Tensor(ir::NodeRef node, Shape shape);

 private:
  ir::NodeRef node_;
  Shape shape_;
};

// Realizes several tensors in one schedule.
void realize(std::span<const Tensor> tensors, Executor& executor);

Tensor operator+(const Tensor& a, const Tensor& b);
Tensor operator-(const Tensor& a, const Tensor& b);
Tensor operator*(const Tensor& a, const Tensor& b);
Tensor operator/(const Tensor& a, const Tensor& b);  // floats; integers are divided in f32
Tensor operator-(const Tensor& a);

// A C++ number beside a tensor (see "types in short").
Tensor number_like(const Tensor& t, double v);
Tensor number_like(const Tensor& t, std::int64_t v);
inline Tensor number_like(const Tensor& t, int v) { return number_like(t, std::int64_t{v}); }

template <class N>
concept Number = std::is_arithmetic_v<N>;
template <Number N>
Tensor operator+(const Tensor& a, N b) {
  return a + number_like(a, b);
}
template <Number N>
Tensor operator-(const Tensor& a, N b) {
  return a - number_like(a, b);
}
template <Number N>
Tensor operator*(const Tensor& a, N b) {
  return a * number_like(a, b);
}
template <Number N>
Tensor operator/(const Tensor& a, N b) {
  return a / number_like(a, b);
}
template <Number N>
Tensor operator+(N a, const Tensor& b) {
  return number_like(b, a) + b;
}
template <Number N>
Tensor operator-(N a, const Tensor& b) {
  return number_like(b, a) - b;
}
template <Number N>
Tensor operator*(N a, const Tensor& b) {
  return number_like(b, a) * b;
}
template <Number N>
Tensor operator/(N a, const Tensor& b) {
  return number_like(b, a) / b;
}

// The value's bytes, checked to be a whole number of T.
template <class T>
std::vector<T> Tensor::to(Executor& executor) const {
  const std::vector<std::byte> raw = bytes(executor);
  if (dtype().bytes() != sizeof(T))
    throw Exception(Error{.code = Errc::invalid_argument,
                          .operation = "tensor/to",
                          .subject = name(dtype()),
                          .expected = dtype().bytes(),
                          .actual = sizeof(T),
                          .detail = "element size"});
  std::vector<T> v(raw.size() / sizeof(T));
  if (!raw.empty()) std::memcpy(v.data(), raw.data(), raw.size());
  return v;
}

}  // namespace hcq::compute
