// SPDX-License-Identifier: MIT
#include "compute/tensor/support.h"

#include <algorithm>

#include "compute/tensor/session.h"
#include "fmt/format.h"

namespace hcq::compute {

void fail(std::string operation, std::string detail) {
  throw Exception(
      Error{.code = Errc::invalid_argument, .operation = std::move(operation), .detail = std::move(detail)});
}

std::vector<std::int64_t> normal_axes(const char* operation, const Tensor& t, std::vector<std::int64_t> axes,
                                      bool all) {
  const auto rank = static_cast<std::int64_t>(t.rank());
  if (axes.empty() && all)
    for (std::int64_t i = 0; i < rank; ++i) axes.push_back(i);
  for (std::int64_t& a : axes) {
    if (a < -rank || a >= rank)
      fail(operation, fmt::format("axis {} of a tensor of shape {}", a, to_string(t.shape())));
    if (a < 0) a += rank;
  }
  std::vector<std::int64_t> sorted = axes;
  std::ranges::sort(sorted);
  if (std::ranges::adjacent_find(sorted) != sorted.end()) fail(operation, "an axis is named twice");
  return axes;
}

Shape broadcast(const char* operation, const Shape& a, const Shape& b) {
  Shape out(std::max(a.size(), b.size()));
  for (std::size_t i = 0; i < out.size(); ++i) {
    const std::int64_t x = i < a.size() ? a[a.size() - 1 - i] : 1, y = i < b.size() ? b[b.size() - 1 - i] : 1;
    if (x != y && x != 1 && y != 1)
      fail(operation, fmt::format("shapes {} and {} do not broadcast", to_string(a), to_string(b)));
    out[out.size() - 1 - i] = x == 1 ? y : x;
  }
  return out;
}

void match(const char* operation, Tensor& a, Tensor& b) {
  const DType t = ir::promote(a.dtype().scalar, b.dtype().scalar);
  const Shape shape = broadcast(operation, a.shape(), b.shape());
  a = a.cast(t).expand(shape);
  b = b.cast(t).expand(shape);
}

Tensor apply(ir::Op op, const Tensor& x) { return {Session::current().make(op, x.dtype(), {x.node()}), x.shape()}; }

Tensor apply(ir::Op op, const Tensor& a, const Tensor& b, DType result) {
  return {Session::current().make(op, result, {a.node(), b.node()}), a.shape()};
}

}  // namespace hcq::compute
