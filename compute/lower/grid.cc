// SPDX-License-Identifier: MIT
#include <algorithm>
#include <unordered_map>

#include "compute/lower/passes.h"

namespace hcq::compute::lower {
namespace {

using ir::AxisType;
using ir::Node;
using ir::Op;

constexpr std::int64_t kMaxOuterDimension = 65535;  // of workgroups in y and z that every device takes

std::vector<const Node*> of_type(const std::vector<const Node*>& ranges, AxisType t) {
  std::vector<const Node*> v;
  for (const Node* r : ranges)
    if (ir::axis_type(r) == t) v.push_back(r);
  return v;
}

using Replacement = std::unordered_map<const Node*, const Node*>;

const Node* id(ir::Simplifier& s, int dimension, bool local, std::int64_t extent) {
  return s.make(Op::cast, ir::kI64, {s.context().special(dimension, local, extent)});
}

// Gives the axes from..end, whose product of extents is `total`, one dimension.
void fold_into(ir::Simplifier& s, const std::vector<const Node*>& axes, std::size_t count, int dimension, bool local,
               Replacement& out, std::uint32_t& extent) {
  std::int64_t total = 1;
  for (std::size_t i = 0; i < count; ++i) total *= ir::extent(axes[i]);
  extent = total < (1ll << 31) ? static_cast<std::uint32_t>(total) : 0;  // ids are i32; lower() refuses 0
  const Node* flat = id(s, dimension, local, total);
  std::int64_t stride = 1;
  for (std::size_t i = count; i-- > 0;) {
    const std::int64_t n = ir::extent(axes[i]);
    const Node* q = s.floordiv(flat, stride);
    out[axes[i]] = i == 0 ? q : s.floormod(q, n);
    stride *= n;
  }
}

void place(ir::Simplifier& s, const std::vector<const Node*>& axes, bool local, Replacement& out,
           std::uint32_t (&extents)[3]) {
  if (axes.empty()) return;
  bool too_long = false;
  for (std::size_t i = 0; i + 1 < axes.size(); ++i) too_long |= ir::extent(axes[i]) > kMaxOuterDimension;
  std::int64_t outer = 1;
  for (std::size_t i = 0; i + 2 < axes.size(); ++i) outer *= ir::extent(axes[i]);
  if (too_long || outer > kMaxOuterDimension) {
    fold_into(s, axes, axes.size(), 0, local, out, extents[0]);
    return;
  }
  const std::size_t n = axes.size();
  for (std::size_t d = 0; d < std::min<std::size_t>(n, 2); ++d) {
    const Node* axis = axes[n - 1 - d];
    extents[d] = static_cast<std::uint32_t>(ir::extent(axis));
    out[axis] = id(s, static_cast<int>(d), local, ir::extent(axis));
  }
  if (n > 2) fold_into(s, axes, n - 2, 2, local, out, extents[2]);
}

}  // namespace

std::vector<const Node*> ranges_of(const Node* sink) {
  std::vector<const Node*> v;
  const Node* roots[] = {sink};
  for (const Node* n : ir::topological(roots))
    if (n->op == Op::range) v.push_back(n);
  std::ranges::sort(v, {}, [](const Node* r) { return ir::axis_id(r); });
  return v;
}

const Node* assign_grid(ir::Simplifier& s, const Node* sink, ir::Kernel& kernel) {
  const std::vector<const Node*> ranges = ranges_of(sink);
  Replacement ids;
  place(s, of_type(ranges, AxisType::global), false, ids, kernel.groups);
  place(s, of_type(ranges, AxisType::local), true, ids, kernel.block);
  return s.substitute(sink, [&](const Node* n) {
    const auto it = ids.find(n);
    return it == ids.end() ? nullptr : it->second;
  });
}

}  // namespace hcq::compute::lower
