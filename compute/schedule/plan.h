// SPDX-License-Identifier: MIT
// Decides which values of a tensor graph are stored in memory; every stored value becomes one kernel, everything else
// is recomputed inside the kernels that use it.
#pragma once

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
  std::unordered_set<const ir::Node*> leaves;     // buffers, and nodes that `has_storage` says exist already
};

// The rules, in the order they are applied:
//   1. outputs and `contiguous` are stored;
//   2. the source of a growing `expand` is stored if it contains a reduction, or if recomputing it per copy costs more
//      than storing it once; the source of `pad` and of another reduction is stored if it contains a reduction;
//   3. chains are cut after kMaxDepth operations, so that a kernel stays compilable;
//   4. what several users index in different ways is stored, unless it is a cheap expression over a few loads.
// A reduction is thus fused with the elementwise chain before it and with the elementwise chain after it.
inline constexpr int kMaxDepth = 512;

template <class HasStorage>
Plan make_plan(std::span<const ir::Node* const> outputs, HasStorage&& has_storage);

Plan make_plan_from(std::span<const ir::Node* const> outputs, std::vector<const ir::Node*> order,
                    std::unordered_set<const ir::Node*> leaves);

// Nodes reachable from the outputs, sources first, with `is_leaf(node)` ending the walk; without recursion.
template <class IsLeaf>
std::vector<const ir::Node*> walk(std::span<const ir::Node* const> outputs, IsLeaf&& is_leaf) {
  std::vector<const ir::Node*> order;
  std::unordered_set<const ir::Node*> seen;
  std::vector<std::pair<const ir::Node*, std::size_t>> stack;
  for (const ir::Node* root : outputs) {
    if (!seen.insert(root).second) continue;
    stack.emplace_back(root, is_leaf(root) ? root->src_count : 0);
    while (!stack.empty()) {
      auto& [n, next] = stack.back();
      if (next == n->src_count) {
        order.push_back(n);
        stack.pop_back();
      } else if (const ir::Node* s = n->src(next++); seen.insert(s).second) {
        stack.emplace_back(s, is_leaf(s) ? s->src_count : 0);
      }
    }
  }
  return order;
}

template <class HasStorage>
Plan make_plan(std::span<const ir::Node* const> outputs, HasStorage&& has_storage) {
  const auto is_leaf = [&](const ir::Node* n) { return n->op == ir::Op::buffer || has_storage(n); };
  std::vector<const ir::Node*> order = walk(outputs, is_leaf);
  std::unordered_set<const ir::Node*> leaves;
  for (const ir::Node* n : order)
    if (is_leaf(n)) leaves.insert(n);
  return make_plan_from(outputs, std::move(order), std::move(leaves));
}

}  // namespace hcq::compute::schedule
