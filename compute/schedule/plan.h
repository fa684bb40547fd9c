// SPDX-License-Identifier: MIT
// Decides which values of a tensor graph are stored in memory; every stored value becomes one kernel, everything else
// is recomputed inside the kernels that use it.
#pragma once

#include <functional>
#include <span>
#include <unordered_map>
#include <unordered_set>
#include <vector>

#include "compute/ir/node.h"
#include "compute/schedule/shape.h"

namespace hcq::compute::schedule {

struct Plan {
  std::vector<const ir::Node*> order;  // reachable nodes, sources first, not looking behind `leaves`
  std::unordered_map<const ir::Node*, Shape> shape;
  std::vector<const ir::Node*> stored;            // values to compute, in an order that respects their dependencies
  std::unordered_set<const ir::Node*> is_stored;  // the same as a set
  std::unordered_set<const ir::Node*> leaves;     // nodes whose value exists already
};

// The rules, in the order they are applied:
//   1. outputs and `contiguous` are stored;
//   2. the source of a growing `expand` is stored if it contains a reduction, or if recomputing it per copy costs more
//      than storing it once; the source of `pad` and of another reduction is stored if it contains a reduction;
//   3. chains are cut after kMaxDepth operations, so that a kernel stays compilable;
//   4. what several users index in different ways is stored, unless it is a cheap expression over a few loads.
// A reduction is thus fused with the elementwise chain before it and with the elementwise chain after it.
inline constexpr int kMaxDepth = 512;

// `stored` gives the shape of a node whose value exists already, nullptr for all others.
Plan make_plan(std::span<const ir::Node* const> outputs, const std::function<const Shape*(const ir::Node*)>& stored);

}  // namespace hcq::compute::schedule
