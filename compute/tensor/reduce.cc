// SPDX-License-Identifier: MIT
#include <algorithm>

#include "compute/tensor/session.h"
#include "compute/tensor/support.h"
#include "fmt/format.h"

namespace hcq::compute {

using ir::Op;

namespace {

Tensor reduced(const char* operation, Op op, const Tensor& x, std::vector<std::int64_t> axes, bool keepdim) {
  axes = normal_axes(operation, x, std::move(axes), true);
  std::ranges::sort(axes);
  Shape kept = x.shape(), dropped;
  for (std::int64_t a : axes) kept[static_cast<std::size_t>(a)] = 1;
  for (std::size_t i = 0; i < kept.size(); ++i)
    if (!std::ranges::binary_search(axes, static_cast<std::int64_t>(i))) dropped.push_back(kept[i]);
  Session& s = Session::current();
  if (axes.empty()) return x;
  const Tensor r({s.make(Op::reduce, x.dtype(), {x.node()},
                         {.i = static_cast<std::int64_t>(op), .list = s.context()->list(axes)})},
                 kept);
  return keepdim ? r : r.reshape(dropped);
}

// Sum and product: in the accumulator's type; half floats go back to theirs.
Tensor accumulated(const char* operation, Op op, const Tensor& x, std::vector<std::int64_t> axes, bool keepdim) {
  const DType wide = ir::accumulator(x.dtype().scalar);
  const Tensor r = reduced(operation, op, x.cast(wide), std::move(axes), keepdim);
  return x.dtype().is_float() ? r.cast(x.dtype()) : r;
}

}  // namespace

Tensor Tensor::sum(std::vector<std::int64_t> axes, bool keepdim) const {
  return accumulated("tensor/sum", Op::add, *this, std::move(axes), keepdim);
}
Tensor Tensor::prod(std::vector<std::int64_t> axes, bool keepdim) const {
  return accumulated("tensor/prod", Op::mul, *this, std::move(axes), keepdim);
}
Tensor Tensor::max(std::vector<std::int64_t> axes, bool keepdim) const {
  return reduced("tensor/max", Op::max, *this, std::move(axes), keepdim);
}
Tensor Tensor::min(std::vector<std::int64_t> axes, bool keepdim) const {
  return reduced("tensor/min", Op::min, *this, std::move(axes), keepdim);
}

Tensor Tensor::mean(std::vector<std::int64_t> axes, bool keepdim) const {
  const DType t = dtype().is_float() ? dtype() : ir::kF32;
  const DType wide = ir::accumulator(t.scalar);
  const Tensor total = cast(wide).sum(std::move(axes), keepdim);
  const double n = total.elements() == 0 ? 0 : static_cast<double>(elements()) / static_cast<double>(total.elements());
  return (total / n).cast(t);
}

// The maximum is subtracted first, so that nothing overflows.
Tensor Tensor::softmax(std::int64_t axis) const {
  const Tensor x = dtype().is_float() ? *this : cast(ir::kF32);
  const Tensor e = (x - x.max({axis}, true)).exp();
  return e / e.sum({axis}, true);
}

Tensor Tensor::matmul(const Tensor& o) const {
  if (rank() == 0 || o.rank() == 0) fail("tensor/matmul", "takes no scalars");
  Tensor a = rank() == 1 ? reshape({1, shape_[0]}) : *this;
  Tensor b = o.rank() == 1 ? o.reshape({o.shape_[0], 1}) : o;
  const std::int64_t m = a.shape_[a.rank() - 2], k = a.shape_.back(), n = b.shape_.back();
  if (b.shape_[b.rank() - 2] != k)
    fail("tensor/matmul", fmt::format("shapes {} and {}: {} columns meet {} rows", to_string(shape_),
                                      to_string(o.shape_), k, b.shape_[b.rank() - 2]));
  const Shape batch = broadcast("tensor/matmul", Shape(a.shape_.begin(), a.shape_.end() - 2),
                                Shape(b.shape_.begin(), b.shape_.end() - 2));
  const DType t = ir::promote(a.dtype().scalar, b.dtype().scalar), wide = ir::accumulator(t.scalar);
  const auto shaped = [&](const Tensor& x, std::initializer_list<std::int64_t> tail) {
    Shape s(x.shape_.begin(), x.shape_.end() - 2);
    s.insert(s.end(), tail);
    return x.reshape(s).cast(t).cast(wide);
  };
  Shape all = batch, result = batch;
  all.insert(all.end(), {m, n, k});
  const Tensor left = shaped(a, {m, 1, k}).expand(all);
  const Tensor right = shaped(b.transpose(), {1, n, k}).expand(all);
  Tensor product = apply(Op::mul, left, right, wide).sum({-1});
  if (t.is_float()) product = product.cast(t);
  if (rank() > 1) result.push_back(m);
  if (o.rank() > 1) result.push_back(n);
  return product.reshape(result);
}

}  // namespace hcq::compute
