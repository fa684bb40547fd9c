// SPDX-License-Identifier: MIT
#include "compute/runtime/memory_plan.h"

#include <map>

namespace hcq::compute {

MemoryPlan plan_memory(const schedule::Schedule& s) {
  MemoryPlan plan;
  plan.block_of.resize(s.buffers.size());
  std::multimap<std::uint64_t, std::size_t> free;  // blocks that nobody needs any more, by size
  std::vector<std::vector<std::size_t>> begin(s.items.size()), end(s.items.size());
  const auto new_block = [&](std::uint64_t bytes) {
    plan.block_bytes.push_back(bytes);
    return plan.block_bytes.size() - 1;
  };
  for (std::size_t i = 0; i < s.buffers.size(); ++i) {
    const schedule::BufferPlan& b = s.buffers[i];
    if (b.input) continue;
    if (b.output || b.first_use < 0) {
      plan.block_of[i] = new_block(b.bytes());
      continue;
    }
    begin[static_cast<std::size_t>(b.first_use)].push_back(i);
    end[static_cast<std::size_t>(b.last_use)].push_back(i);
  }
  for (std::size_t k = 0; k < s.items.size(); ++k) {
    for (std::size_t i : begin[k]) {
      const std::uint64_t bytes = s.buffers[i].bytes();
      const auto fit = free.lower_bound(bytes);
      // A far larger block would only be missing where it is needed.
      if (fit != free.end() && fit->first <= 2 * bytes + 4096) {
        plan.block_of[i] = fit->second;
        free.erase(fit);
      } else {
        plan.block_of[i] = new_block(bytes);
      }
    }
    for (std::size_t i : end[k]) free.emplace(plan.block_bytes[plan.block_of[i]], plan.block_of[i]);
  }
  return plan;
}

}  // namespace hcq::compute
