// SPDX-License-Identifier: MIT
#include "tools/run/reference.h"

#include <algorithm>
#include <cmath>
#include <limits>

namespace hcq::run {
namespace {

Error shapes_do_not_fit(const char* what) {
  return Error{.code = Errc::unsupported, .operation = "verify", .detail = what};
}

// Row-major offset of `index` (in the broadcast shape) in an operand of shape `own`, aligned right.
std::int64_t broadcast_offset(const std::vector<std::int64_t>& index, const compute::Shape& own) {
  std::int64_t offset = 0;
  const std::size_t skip = index.size() - own.size();
  for (std::size_t i = 0; i < own.size(); ++i) offset = offset * own[i] + (own[i] == 1 ? 0 : index[skip + i]);
  return offset;
}

Result<compute::Shape> broadcast(const compute::Shape& a, const compute::Shape& b) {
  compute::Shape s(std::max(a.size(), b.size()), 1);
  for (std::size_t i = 0; i < s.size(); ++i) {
    const auto x = i < a.size() ? a[a.size() - 1 - i] : 1, y = i < b.size() ? b[b.size() - 1 - i] : 1;
    if (x != y && x != 1 && y != 1) return shapes_do_not_fit("the shapes do not broadcast");
    s[s.size() - 1 - i] = x == 1 ? y : x;
  }
  return s;
}

// Counts `index` up within `shape`, last axis fastest.
void advance(std::vector<std::int64_t>& index, const compute::Shape& shape) {
  for (std::size_t i = shape.size(); i-- > 0;) {
    if (++index[i] < shape[i]) return;
    index[i] = 0;
  }
}

using compute::ir::Number;
using compute::ir::Scalar;

// What a type of floats can hold. `accumulator` is the relative rounding error of the type that sums are made in, and
// `near_zero` covers products and results that underflow.
struct Limits {
  double epsilon, accumulator, largest, accumulator_largest, near_zero;
};
Limits limits(compute::DType t) {
  constexpr double kLargestF32 = std::numeric_limits<float>::max();
  switch (t.scalar) {
    case Scalar::f64:
      return {0x1p-52, 0x1p-51, std::numeric_limits<double>::max(), std::numeric_limits<double>::max(), 1e-300};
    case Scalar::f16:
      return {0x1p-10, 0x1p-23, 65504.0, kLargestF32, 0x1p-24};
    case Scalar::bf16:
      return {0x1p-7, 0x1p-23, kLargestF32, kLargestF32, 1e-30};
    default:
      return {0x1p-23, 0x1p-23, kLargestF32, kLargestF32, 1e-30};
  }
}

// Whether a result is right where the reference is no number, infinite, or outside the type. Where sums may leave the
// accumulator's range on the way, the order of summation decides, and nothing is wrong.
bool special_matches(double got, double want, double scale, double bound, const Limits& l) {
  if (std::isnan(want) || std::isnan(scale)) return std::isnan(got);
  if (std::isinf(want)) return got == want;
  if (scale >= l.accumulator_largest) return true;
  return std::isinf(got) && std::signbit(got) == std::signbit(want) && std::abs(want) + bound >= l.largest;
}

// Both kinds of a reference are filled through this: element `at` gets the product x * y (or the term x) added.
struct Sum {
  Reference& r;
  bool is_float;

  void resize(std::size_t n) {
    if (!is_float) return r.exact.resize(n);
    r.value.resize(n);
    r.scale.resize(n);
  }
  void term(std::size_t at, Number x) {
    if (!is_float) {
      r.exact[at] += static_cast<std::uint64_t>(x.i);
      return;
    }
    r.value[at] += x.f;
    r.scale[at] += std::abs(x.f);
  }
  void product(std::size_t at, Number x, Number y) {
    if (is_float) return term(at, compute::ir::real(x.f * y.f));
    r.exact[at] += static_cast<std::uint64_t>(x.i) * static_cast<std::uint64_t>(y.i);
  }
};

Comparison compare_exact(const Reference& reference, Bytes result) {
  Comparison c;
  const Scalar s = reference.type.scalar;
  for (std::size_t i = 0; i < reference.exact.size(); ++i) {
    const std::int64_t want = compute::ir::wrap(s, static_cast<std::int64_t>(reference.exact[i]));
    const std::int64_t got = compute::ir::load(s, result.data() + i * reference.type.bytes()).i;
    if (got == want) continue;
    c.within = false;
    c.max_error = std::max(c.max_error, std::abs(static_cast<double>(got) - static_cast<double>(want)));
  }
  return c;
}

}  // namespace

Operand operand(const compute::Shape& shape, compute::DType type, Bytes data) {
  Operand o{shape, {}};
  o.values.reserve(data.size() / type.bytes());
  for (std::size_t at = 0; at < data.size(); at += type.bytes())
    o.values.push_back(compute::ir::load(type.scalar, data.data() + at));
  return o;
}

Result<Reference> reference_add(const Operand& a, const Operand& b, compute::DType type) {
  const compute::Shape shape = HCQ_TRY(broadcast(a.shape, b.shape));
  Reference r;
  r.type = type;
  r.terms = 2;
  Sum sum{r, type.is_float()};
  sum.resize(static_cast<std::size_t>(compute::elements(shape)));
  std::vector<std::int64_t> index(shape.size(), 0);
  for (std::size_t i = 0; i < static_cast<std::size_t>(compute::elements(shape)); ++i) {
    sum.term(i, a.values[static_cast<std::size_t>(broadcast_offset(index, a.shape))]);
    sum.term(i, b.values[static_cast<std::size_t>(broadcast_offset(index, b.shape))]);
    advance(index, shape);
  }
  return r;
}

Result<Reference> reference_matmul(const Operand& a, const Operand& b, compute::DType type) {
  if (a.shape.empty() || b.shape.empty()) return shapes_do_not_fit("a matrix product takes no scalars");
  // One axis: a row on the left, a column on the right. The result's elements are the same with or without that axis.
  compute::Shape left = a.shape, right = b.shape;
  if (left.size() == 1) left.insert(left.begin(), 1);
  if (right.size() == 1) right.push_back(1);
  const auto m = left[left.size() - 2], k = left.back(), n = right.back();
  const compute::Shape outer_a(left.begin(), left.end() - 2), outer_b(right.begin(), right.end() - 2);
  const compute::Shape outer = HCQ_TRY(broadcast(outer_a, outer_b));
  Reference r;
  r.type = type;
  r.terms = static_cast<double>(k);
  Sum sum{r, type.is_float()};
  sum.resize(static_cast<std::size_t>(compute::elements(outer) * m * n));
  std::vector<std::int64_t> index(outer.size(), 0);
  std::size_t base = 0;
  for (std::int64_t batch = compute::elements(outer); batch > 0; --batch) {
    const Number* x = a.values.data() + broadcast_offset(index, outer_a) * m * k;
    const Number* y = b.values.data() + broadcast_offset(index, outer_b) * k * n;
    for (std::int64_t i = 0; i < m; ++i)
      for (std::int64_t p = 0; p < k; ++p)
        for (std::int64_t j = 0; j < n; ++j)
          sum.product(base + static_cast<std::size_t>(i * n + j), x[i * k + p], y[p * n + j]);
    base += static_cast<std::size_t>(m * n);
    advance(index, outer);
  }
  return r;
}

Comparison compare(const Reference& reference, Bytes result) {
  Comparison c;
  const bool is_float = reference.type.is_float();
  const std::size_t count = is_float ? reference.value.size() : reference.exact.size();
  if (result.size() != count * reference.type.bytes()) return {.max_error = INFINITY, .bound = 0, .within = false};
  if (!is_float) return compare_exact(reference, result);
  const Limits l = limits(reference.type);
  for (std::size_t i = 0; i < count; ++i) {
    const double got = compute::ir::load(reference.type.scalar, result.data() + i * reference.type.bytes()).f;
    const double error = std::abs(got - reference.value[i]);
    // Forward error of a sum of `terms` products in any order (Higham, Accuracy and Stability, section 3.1), plus the
    // rounding of the result itself, which next to zero is a step of the subnormals.
    const double bound =
        reference.terms * reference.scale[i] * l.accumulator + std::abs(reference.value[i]) * l.epsilon + l.near_zero;
    if (!std::isfinite(error) || !std::isfinite(bound)) {
      if (special_matches(got, reference.value[i], reference.scale[i], bound, l)) continue;
      return {.max_error = error, .bound = bound, .within = false};
    }
    if (!(error <= bound)) c.within = false;
    if (!(error <= c.max_error) || i == 0) {
      c.max_error = error;
      c.bound = bound;
    }
  }
  return c;
}

}  // namespace hcq::run
