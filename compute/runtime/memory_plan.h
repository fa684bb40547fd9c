// SPDX-License-Identifier: MIT
// Which buffers of a schedule share memory. Kernels run in order, so memory is free again after the last kernel that
// uses it; outputs keep a block to themselves.
#pragma once

#include <cstddef>
#include <cstdint>
#include <vector>

#include "compute/schedule/schedule.h"

namespace hcq::compute {

struct MemoryPlan {
  std::vector<std::uint64_t> block_bytes;  // to allocate
  std::vector<std::size_t> block_of;       // for each buffer that is no input
};

MemoryPlan plan_memory(const schedule::Schedule& schedule);

}  // namespace hcq::compute
