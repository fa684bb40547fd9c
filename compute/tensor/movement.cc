// SPDX-License-Identifier: MIT
#include <algorithm>
#include <numeric>

#include "compute/tensor/session.h"
#include "compute/tensor/support.h"
#include "fmt/format.h"

namespace hcq::compute {

using ir::IntList;
using ir::Op;

namespace {

Tensor moved(Op op, const Tensor& x, IntList arg, Shape shape) {
  Session& s = Session::current();
  return {s.make(op, x.dtype(), {x.node()}, {.list = s.context()->list(std::move(arg))}), std::move(shape)};
}

}  // namespace

Tensor Tensor::reshape(Shape shape) const {
  if (!countable(shape)) fail("tensor/reshape", "shape " + to_string(shape) + " has too many elements");
  std::int64_t known = 1;
  std::int64_t* open = nullptr;
  for (std::int64_t& d : shape) {
    if (d == -1 && !open) {
      open = &d;
    } else if (d < 0) {
      fail("tensor/reshape", "negative extent in " + to_string(shape));
    } else {
      known *= d;
    }
  }
  if (open && known > 0 && elements() % known == 0) *open = elements() / known;
  if (std::ranges::any_of(shape, [](std::int64_t d) { return d < 0; }) || compute::elements(shape) != elements())
    fail("tensor/reshape",
         fmt::format("{} elements of shape {} into {}", elements(), to_string(shape_), to_string(shape)));
  return shape == shape_ ? *this : moved(Op::reshape, *this, shape, shape);
}

Tensor Tensor::permute(std::vector<std::int64_t> axes) const {
  axes = normal_axes("tensor/permute", *this, std::move(axes), false);
  if (axes.size() != rank())
    fail("tensor/permute", fmt::format("{} axes for shape {}", axes.size(), to_string(shape_)));
  if (std::ranges::is_sorted(axes)) return *this;
  Shape shape;
  for (std::int64_t a : axes) shape.push_back(shape_[static_cast<std::size_t>(a)]);
  return moved(Op::permute, *this, axes, shape);
}

Tensor Tensor::transpose(std::int64_t a, std::int64_t b) const {
  const auto pair = normal_axes("tensor/transpose", *this, {a, b}, false);
  std::vector<std::int64_t> axes(rank());
  std::iota(axes.begin(), axes.end(), 0);
  std::swap(axes[static_cast<std::size_t>(pair[0])], axes[static_cast<std::size_t>(pair[1])]);
  return permute(std::move(axes));
}

Tensor Tensor::expand(Shape shape) const {
  if (shape == shape_) return *this;
  bool fits = shape.size() >= rank();
  Shape aligned(shape.size(), 1);
  if (fits) std::ranges::copy_backward(shape_, aligned.end());
  for (std::size_t i = 0; fits && i < shape.size(); ++i)
    fits = shape[i] >= 0 && (aligned[i] == shape[i] || aligned[i] == 1);
  if (!fits) fail("tensor/expand", fmt::format("shape {} to {}", to_string(shape_), to_string(shape)));
  const Tensor same_rank = reshape(aligned);
  return aligned == shape ? same_rank : moved(Op::expand, same_rank, shape, shape);
}

Tensor Tensor::pad(std::vector<std::pair<std::int64_t, std::int64_t>> by, double value) const {
  if (by.size() != rank()) fail("tensor/pad", fmt::format("{} pairs for shape {}", by.size(), to_string(shape_)));
  IntList list;
  Shape shape = shape_;
  for (std::size_t i = 0; i < by.size(); ++i) {
    if (by[i].first < 0 || by[i].second < 0) fail("tensor/pad", "negative padding; use shrink");
    list.insert(list.end(), {by[i].first, by[i].second});
    shape[i] += by[i].first + by[i].second;
  }
  if (shape == shape_) return *this;
  const Tensor zeros = moved(Op::pad, *this, list, shape);
  if (value == 0) return zeros;
  const Tensor inside = moved(Op::pad, full(shape_, 1, ir::kBool), list, shape);
  return inside.where(zeros, full({}, value, dtype()));
}

Tensor Tensor::shrink(std::vector<std::pair<std::int64_t, std::int64_t>> ranges) const {
  if (ranges.size() != rank())
    fail("tensor/shrink", fmt::format("{} pairs for shape {}", ranges.size(), to_string(shape_)));
  IntList list;
  Shape shape;
  for (std::size_t i = 0; i < ranges.size(); ++i) {
    const auto [begin, end] = ranges[i];
    if (begin < 0 || end < begin || end > shape_[i])
      fail("tensor/shrink", fmt::format("[{}, {}) of axis {} of shape {}", begin, end, i, to_string(shape_)));
    list.insert(list.end(), {begin, end});
    shape.push_back(end - begin);
  }
  return shape == shape_ ? *this : moved(Op::shrink, *this, list, shape);
}

Tensor Tensor::flip(std::vector<std::int64_t> axes) const {
  axes = normal_axes("tensor/flip", *this, std::move(axes), false);
  std::ranges::sort(axes);
  return axes.empty() ? *this : moved(Op::flip, *this, axes, shape_);
}

}  // namespace hcq::compute
