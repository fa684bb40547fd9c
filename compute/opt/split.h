// SPDX-License-Identifier: MIT
// The actions that shape a kernel. Each gives a kernel graph that computes the same values, or an error that says why
// it cannot be done; none looks at a device (limits.h does).
#pragma once

#include <vector>

#include "base/error.h"
#include "compute/ir/kernel.h"

namespace hcq::compute::opt {

// SPLIT: axis r of extent n becomes r' of extent n/amount (the same id and type) and a new inner axis of extent
// `amount` and the given type; r = r' * amount + new. `amount` must divide n. local and upcast come out of global axes,
// unroll out of reduce axes. Errc::unsupported otherwise.
Result<ir::KernelGraph> split(const ir::KernelGraph& graph, std::int64_t axis, std::int64_t amount, ir::AxisType type);

// Joins two global axes: outer = r / n, inner = r % n, where r takes outer's id.
Result<ir::KernelGraph> merge(const ir::KernelGraph& graph, std::int64_t outer, std::int64_t inner);

// PADTO: grows an axis to the next multiple. Loads and stores beyond the old end are masked, reductions take the
// identity there.
Result<ir::KernelGraph> pad_to(const ir::KernelGraph& graph, std::int64_t axis, std::int64_t multiple);

// The axes in order of id.
std::vector<const ir::Node*> axes_of(const ir::KernelGraph& graph);
const ir::Node* find_axis(const ir::KernelGraph& graph, std::int64_t id);  // nullptr if there is none

inline constexpr std::int64_t kMaxUpcast = 16, kMaxUnroll = 32;

}  // namespace hcq::compute::opt
