// SPDX-License-Identifier: MIT
// What a device can take, and whether a kernel keeps to it. A kernel that does not is refused here, before any code is
// generated for it.
#pragma once

#include <cstdint>

#include "base/error.h"
#include "compute/ir/kernel.h"
#include "hcq/device.h"

namespace hcq::compute::opt {

// The defaults are what every GPU of the last decade has.
struct DeviceLimits {
  std::string device = "default";
  std::uint32_t max_block = 256;    // work-items in a workgroup
  std::uint32_t wave_size = 32;     // work-items that run in lockstep
  std::uint32_t lds_bytes = 65536;  // local memory of a workgroup
  std::uint32_t registers = 192;    // 32-bit values one work-item can hold
  std::uint32_t vector_bytes = 16;  // widest load and store
  bool is_cpu = false;              // one workgroup is one call that loops over its work-items
};

DeviceLimits limits_of(const DeviceInfo& info);

// Errc::unsupported naming the resource, what is wanted and the limit.
Status check_limits(const ir::KernelGraph& graph, const DeviceLimits& limits);

}  // namespace hcq::compute::opt
