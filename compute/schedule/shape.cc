// SPDX-License-Identifier: MIT
#include "compute/schedule/shape.h"

#include <algorithm>
#include <limits>

#include "fmt/format.h"

namespace hcq::compute {

std::int64_t elements(const Shape& s) {
  std::int64_t n = 1;
  if (std::ranges::find(s, 0) != s.end()) return 0;
  for (std::int64_t d : s)
    if (__builtin_mul_overflow(n, d, &n)) return std::numeric_limits<std::int64_t>::max();
  return n;
}

bool countable(const Shape& s) {
  constexpr std::int64_t kLimit = std::int64_t{1} << 60;
  std::int64_t n = 1;
  for (std::int64_t d : s)
    if (d > 0 && (__builtin_mul_overflow(n, d, &n) || n > kLimit)) return false;
  return true;
}

std::vector<std::int64_t> row_major_strides(const Shape& s) {
  std::vector<std::int64_t> strides(s.size());
  std::int64_t n = 1;
  for (std::size_t i = s.size(); i-- > 0;) {
    strides[i] = n;
    n *= s[i];
  }
  return strides;
}

std::string to_string(const Shape& s) { return fmt::format("({})", fmt::join(s, ", ")); }

Shape shape_of(const ir::Node* n, const Shape& first) {
  using ir::Op;
  switch (n->op) {
    case Op::constant:
      return {};
    case Op::buffer:
    case Op::reshape:
    case Op::expand:
      return n->list();
    case Op::iota:
      return {n->arg.k};
    default:
      break;
  }
  Shape s = first;
  const auto at = [](std::int64_t i) { return static_cast<std::size_t>(i); };
  if (n->op == Op::permute)
    for (std::size_t i = 0; i < s.size(); ++i) s[i] = first[at(n->list()[i])];
  if (n->op == Op::pad)
    for (std::size_t i = 0; i < s.size(); ++i) s[i] += n->list()[2 * i] + n->list()[2 * i + 1];
  if (n->op == Op::shrink)
    for (std::size_t i = 0; i < s.size(); ++i) s[i] = n->list()[2 * i + 1] - n->list()[2 * i];
  if (n->op == Op::reduce)
    for (std::int64_t axis : n->list()) s[at(axis)] = 1;
  return s;
}

}  // namespace hcq::compute
