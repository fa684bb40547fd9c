// SPDX-License-Identifier: MIT
// From the tensor graph to a list of kernels and the buffers they work on.
#pragma once

#include <cstdint>
#include <functional>
#include <span>
#include <vector>

#include "base/error.h"
#include "compute/ir/kernel.h"
#include "compute/schedule/shape.h"

namespace hcq::compute::schedule {

// Memory that the kernels of a schedule use.
struct BufferPlan {
  const ir::Node* node = nullptr;  // the tensor graph node it holds
  ir::DType dtype;
  Shape shape;
  std::uint64_t elements = 0;
  bool input = false;                 // exists before the schedule runs
  bool output = false;                // wanted after it
  int first_use = -1, last_use = -1;  // positions in Schedule::items; between them it must not be shared
  std::uint64_t bytes() const { return elements * dtype.bytes(); }
};

struct Item {
  ir::KernelGraph graph;
  std::vector<int> args;  // index into Schedule::buffers for each parameter of the kernel
};

struct Schedule {
  std::vector<BufferPlan> buffers;
  std::vector<Item> items;  // in an order in which every buffer is written before it is read
};

// The shape of a node whose value exists already, or nullptr.
using StoredShape = std::function<const Shape*(const ir::Node*)>;

// The tensor graph is verified first.
Result<Schedule> make_schedule(std::span<const ir::Node* const> outputs, const StoredShape& stored);

}  // namespace hcq::compute::schedule
