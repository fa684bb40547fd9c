// SPDX-License-Identifier: MIT
// Chooses how the axes of a kernel map to the device, by rules of thumb. The result computes the same as the input and
// keeps to the limits.
#pragma once

#include "base/error.h"
#include "compute/ir/kernel.h"
#include "compute/opt/limits.h"

namespace hcq::compute::opt {

// First, neighbouring axes that memory walks through as one are merged. Then, by the kind of kernel:
//   contraction   sum of products with an axis only in the left and one only in the right factor: a register tile of up
//                 to 4 x 4 (CPU: 4 x 16) elements a work-item, a workgroup of up to 16 x 16, reduction unrolled by 4
//   reduction     one output a work-item, up to 256 work-items, reduction unrolled by 4
//   elementwise   vectors of 16 bytes (CPU: 32) along the contiguous axis, up to 256 work-items
// Axes that no useful tile divides are padded if that adds at most an eighth.
Result<ir::KernelGraph> optimize(const ir::KernelGraph& graph, const DeviceLimits& limits);

}  // namespace hcq::compute::opt
