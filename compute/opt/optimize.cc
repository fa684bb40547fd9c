// SPDX-License-Identifier: MIT
#include "compute/opt/optimize.h"

namespace hcq::compute::opt {

Result<ir::KernelGraph> optimize(const ir::KernelGraph& graph, const DeviceLimits&) { return graph; }

}  // namespace hcq::compute::opt
