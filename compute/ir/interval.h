// SPDX-License-Identifier: MIT
// Bounds of integer values. They decide which index simplifications hold, whether an index fits 32 bits, and whether an
// access can leave its buffer.
#pragma once

#include <cstdint>
#include <span>

#include "compute/ir/node.h"

namespace hcq::compute::ir {

// Inclusive. For u64 the bounds are those of i64 read as unsigned only where hi fits; otherwise `known` is false and
// nothing may be concluded.
struct Interval {
  std::int64_t lo = 0, hi = 0;
  bool known = false;
  bool is_point() const { return known && lo == hi; }
  bool contains(std::int64_t v) const { return !known || (lo <= v && v <= hi); }
};

Interval type_interval(Scalar s);  // everything the type holds; unknown for floats and u64

// Bounds of a node from those of its sources. An operation that may wrap gives the whole range of its type.
Interval interval_of(const Node* n, std::span<const Interval> src);

}  // namespace hcq::compute::ir
