// SPDX-License-Identifier: MIT
// Chooses how the axes of a kernel map to the device. The result computes the same as the input.
#pragma once

#include <cstdint>

#include "base/error.h"
#include "compute/ir/kernel.h"

namespace hcq::compute::opt {

// What a device can take. The defaults are what every GPU of the last decade has.
struct DeviceLimits {
  std::uint32_t max_block = 256;      // work-items in a workgroup
  std::uint32_t wave_size = 32;       // work-items that run in lockstep
  std::uint32_t lds_bytes = 65536;    // local memory of a workgroup
  std::uint32_t registers = 192;      // 32-bit values one work-item can hold
  std::uint32_t vector_bytes = 16;    // widest load and store
  bool work_items_are_loops = false;  // CPUs: no LOCAL axes; one workgroup is one call
};

// The heuristic: a few splits (split.h) by the shape of the kernel. Never fails for lack of an idea.
Result<ir::KernelGraph> optimize(const ir::KernelGraph& graph, const DeviceLimits& limits);

}  // namespace hcq::compute::opt
