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

double epsilon(compute::DType t) {
  if (t == compute::ir::kBF16) return 0x1p-7;
  return t.bytes() == 2 ? 0x1p-10 : 0x1p-23;
}

double largest(compute::DType t) {
  return t == compute::ir::kF16 ? 65504.0 : static_cast<double>(std::numeric_limits<float>::max());
}

// Whether a result is right where the reference is no number, infinite, or outside the type. Where sums may leave the
// range of f32 on the way, the order of summation decides, and nothing is wrong.
bool special_matches(double got, double want, double scale, double bound, compute::DType t) {
  if (std::isnan(want) || std::isnan(scale)) return std::isnan(got);
  if (std::isinf(want)) return got == want;
  if (scale >= static_cast<double>(std::numeric_limits<float>::max())) return true;
  return std::isinf(got) && std::signbit(got) == std::signbit(want) && std::abs(want) + bound >= largest(t);
}

}  // namespace

Result<Reference> reference_add(const Operand& a, const Operand& b) {
  const compute::Shape shape = HCQ_TRY(broadcast(a.shape, b.shape));
  Reference r;
  r.terms = 2;
  std::vector<std::int64_t> index(shape.size(), 0);
  for (std::int64_t n = compute::elements(shape); n > 0; --n) {
    const double x = a.values[static_cast<std::size_t>(broadcast_offset(index, a.shape))];
    const double y = b.values[static_cast<std::size_t>(broadcast_offset(index, b.shape))];
    r.value.push_back(x + y);
    r.scale.push_back(std::abs(x) + std::abs(y));
    advance(index, shape);
  }
  return r;
}

Result<Reference> reference_matmul(const Operand& a, const Operand& b) {
  if (a.shape.empty() || b.shape.empty()) return shapes_do_not_fit("a matrix product takes no scalars");
  // One axis: a row on the left, a column on the right. The result's elements are the same with or without that axis.
  compute::Shape left = a.shape, right = b.shape;
  if (left.size() == 1) left.insert(left.begin(), 1);
  if (right.size() == 1) right.push_back(1);
  const auto m = left[left.size() - 2], k = left.back(), n = right.back();
  const compute::Shape outer_a(left.begin(), left.end() - 2), outer_b(right.begin(), right.end() - 2);
  const compute::Shape outer = HCQ_TRY(broadcast(outer_a, outer_b));
  Reference r;
  r.terms = static_cast<double>(k);
  std::vector<std::int64_t> index(outer.size(), 0);
  for (std::int64_t batch = compute::elements(outer); batch > 0; --batch) {
    const float* x = a.values.data() + broadcast_offset(index, outer_a) * m * k;
    const float* y = b.values.data() + broadcast_offset(index, outer_b) * k * n;
    const std::size_t base = r.value.size();
    r.value.resize(base + static_cast<std::size_t>(m * n));
    r.scale.resize(r.value.size());
    for (std::int64_t i = 0; i < m; ++i)
      for (std::int64_t p = 0; p < k; ++p)
        for (std::int64_t j = 0; j < n; ++j) {
          const double product = static_cast<double>(x[i * k + p]) * y[p * n + j];
          r.value[base + static_cast<std::size_t>(i * n + j)] += product;
          r.scale[base + static_cast<std::size_t>(i * n + j)] += std::abs(product);
        }
    advance(index, outer);
  }
  return r;
}

Comparison compare(const Reference& reference, const std::vector<float>& result, compute::DType dtype) {
  Comparison c;
  if (result.size() != reference.value.size()) return {.max_error = INFINITY, .bound = 0, .within = false};
  for (std::size_t i = 0; i < result.size(); ++i) {
    const double error = std::abs(static_cast<double>(result[i]) - reference.value[i]);
    // Forward error of a sum of `terms` products in any order (Higham, Accuracy and Stability, section 3.1), plus the
    // rounding of the result itself.
    const double bound =
        reference.terms * reference.scale[i] * 0x1p-23 + std::abs(reference.value[i]) * epsilon(dtype) + 1e-30;
    if (!std::isfinite(error) || !std::isfinite(bound)) {
      if (special_matches(result[i], reference.value[i], reference.scale[i], bound, dtype)) continue;
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
