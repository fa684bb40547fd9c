// SPDX-License-Identifier: MIT
// The passes of lower.h. Each takes and gives a sink in the same context.
#pragma once

#include <vector>

#include "base/error.h"
#include "compute/ir/kernel.h"
#include "compute/ir/simplify.h"

namespace hcq::compute::lower {

// All ranges below the sink, by axis id.
std::vector<const ir::Node*> ranges_of(const ir::Node* sink);

// Before: ranges of type global and local. After: `special` ids, cast to i64. The last axis becomes dimension x; more
// than three global axes, or one too long for dimensions y and z, are folded into one number and taken apart again.
// Fills groups and block.
const ir::Node* assign_grid(ir::Simplifier& s, const ir::Node* sink, ir::Kernel& kernel);

// Before: ranges of type upcast and unroll. After: none; every node that depends on some is there once for each of
// their points. One upcast axis of 2, 4, 8 or 16 along which the stores (or else some loads) are contiguous becomes the
// lanes of vectors instead.
const ir::Node* expand(ir::Simplifier& s, const ir::Node* sink);

// Before: i64 index arithmetic. After: i32 wherever all values on the way fit; division of what cannot be negative by
// cdiv/cmod, by powers of two as shr and bit_and (which floor, as floordiv does).
const ir::Node* narrow(ir::Simplifier& s, const ir::Node* sink);

// Before: a graph with reduce nodes over loop and reduce ranges. After: a list with range, acc, end and result. Every
// node stands in the outermost loop it can.
Result<std::vector<const ir::Node*>> linearize(ir::Context& context, const ir::Node* sink);

}  // namespace hcq::compute::lower
