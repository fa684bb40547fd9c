// SPDX-License-Identifier: MIT
// From an (optimized) kernel graph to a kernel. The passes, in order, each one function in the file of its name:
//
//   grid        global and local ranges become workgroup and work-item ids
//   expand      upcast and unroll ranges are written out; one upcast axis becomes vector lanes
//   narrow      index arithmetic goes from i64 to i32 where it fits, floor division to shifts and cdiv
//   linearize   loops for what is left of the reductions, and an order
#pragma once

#include "base/error.h"
#include "compute/ir/kernel.h"

namespace hcq::compute::lower {

// The input is not changed; the kernel lives in a context of its own. The result is verified.
Result<ir::Kernel> lower(const ir::KernelGraph& graph);

}  // namespace hcq::compute::lower
