// SPDX-License-Identifier: MIT
#include "compute/schedule/schedule.h"

#include <algorithm>

#include "compute/ir/verify.h"
#include "compute/schedule/plan.h"
#include "compute/schedule/rangeify.h"

namespace hcq::compute::schedule {

Result<Schedule> make_schedule(std::span<const ir::Node* const> outputs, const StoredShape& stored) {
  HCQ_TRY(ir::verify_tensor_graph(outputs));
  const Plan plan = make_plan(outputs, stored);
  Schedule schedule;
  std::unordered_map<const ir::Node*, int> index;
  const auto buffer = [&](const ir::Node* n) {
    const auto [it, fresh] = index.emplace(n, static_cast<int>(schedule.buffers.size()));
    if (fresh)
      schedule.buffers.push_back({.node = n,
                                  .dtype = n->dtype,
                                  .shape = plan.shape.at(n),
                                  .elements = static_cast<std::uint64_t>(elements(plan.shape.at(n))),
                                  .input = plan.leaves.contains(n),
                                  .output = false});
    return it->second;
  };
  for (const ir::Node* n : outputs) schedule.buffers[static_cast<std::size_t>(buffer(n))].output = true;
  for (const ir::Node* n : plan.stored) {
    if (elements(plan.shape.at(n)) == 0) continue;  // nothing to compute; whoever reads it reads nothing
    Ranged r = rangeify(plan, n);
    HCQ_TRY(ir::verify_graph(r.graph));
    const int position = static_cast<int>(schedule.items.size());
    Item item{.graph = std::move(r.graph), .args = {}};
    for (const ir::Node* a : r.args) {
      BufferPlan& b = schedule.buffers[static_cast<std::size_t>(item.args.emplace_back(buffer(a)))];
      if (b.first_use < 0) b.first_use = position;
      b.last_use = position;
    }
    schedule.items.push_back(std::move(item));
  }
  return schedule;
}

}  // namespace hcq::compute::schedule
