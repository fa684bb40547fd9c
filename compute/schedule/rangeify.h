// SPDX-License-Identifier: MIT
// Turns one stored value of a tensor graph into a kernel graph: movement ops become functions on index expressions,
// there are no view objects.
#pragma once

#include <vector>

#include "base/error.h"
#include "compute/ir/kernel.h"
#include "compute/schedule/plan.h"

namespace hcq::compute::schedule {

struct Ranged {
  ir::KernelGraph graph;
  std::vector<const ir::Node*> args;  // the tensor node behind each parameter; args[0] is the stored value
};

// What each op does to the index tuple (i0, i1, ...) of its result, giving that of its source:
//   reshape  flatten to one number row-major, then div and mod by the source's extents
//   permute  reorder                     expand   0 where the source's extent is 1
//   shrink   i + begin                   flip     n-1-i
//   pad      i - before, and the mask before <= i < before + n, outside of which the value is zero and nothing is
//   loaded reduce   a fresh range for each reduced axis
// Extents of 1 always have the index 0. Reductions over ranges of equal extents share them, so that they can share a
// loop.
Ranged rangeify(const Plan& plan, const ir::Node* value);

}  // namespace hcq::compute::schedule
