// SPDX-License-Identifier: MIT
#include "compute/opt/optimize.h"

#include <algorithm>
#include <set>
#include <unordered_map>

#include "compute/ir/sum.h"
#include "compute/opt/split.h"

namespace hcq::compute::opt {
namespace {

using ir::AxisType;
using ir::KernelGraph;
using ir::Node;
using ir::Op;

using AxisSet = std::set<std::int64_t>;

std::vector<const Node*> nodes_of(const KernelGraph& g) {
  const Node* roots[] = {g.sink};
  return ir::topological(roots);
}

std::unordered_map<const Node*, AxisSet> axis_sets(const KernelGraph& g) {
  std::unordered_map<const Node*, AxisSet> sets;
  for (const Node* n : nodes_of(g)) {
    AxisSet& mine = sets[n];
    if (n->op == Op::range) mine.insert(ir::axis_id(n));
    for (const Node* x : n->src()) mine.insert(sets[x].begin(), sets[x].end());
  }
  return sets;
}

std::size_t divisions(const KernelGraph& g) {
  std::size_t n = 0;
  for (const Node* x : nodes_of(g)) n += x->op == Op::floordiv || x->op == Op::floormod;
  return n;
}

std::vector<const Node*> axes_of_type(const KernelGraph& g, AxisType t) {
  std::vector<const Node*> v = axes_of(g);
  std::erase_if(v, [t](const Node* r) { return ir::axis_type(r) != t; });
  return v;
}

// How far the address of an access moves when the axis takes one step; 0 also if it does not move linearly.
std::int64_t stride(const Node* access, const Node* axis) {
  const auto sum = ir::split_sum(access->src(0)->src(1));
  if (!sum) return 0;
  for (const ir::Term& t : sum->terms)
    if (t.node == axis) return t.coefficient;
  return 0;
}

const Node* first_of(const KernelGraph& g, Op op) {
  for (const Node* n : nodes_of(g))
    if (n->op == op) return n;
  return nullptr;
}

// The global axis along which the result lies contiguously in memory.
const Node* contiguous_axis(const KernelGraph& g) {
  const Node* store = g.sink->src(0);
  for (const Node* r : axes_of_type(g, AxisType::global))
    if (stride(store, r) == 1) return r;
  return nullptr;
}

std::int64_t largest_divisor(std::int64_t n, std::int64_t at_most) {
  for (std::int64_t d = std::min(n, at_most); d > 1; --d)
    if (n % d == 0) return d;
  return 1;
}

std::int64_t largest_power(std::int64_t n, std::int64_t at_most) {
  std::int64_t p = 1;
  while (p * 2 <= at_most && n % (p * 2) == 0) p *= 2;
  return p;
}

class Optimizer {
 public:
  Optimizer(KernelGraph g, const DeviceLimits& limits) : g_(std::move(g)), limits_(limits) {}

  Result<KernelGraph> run() {
    HCQ_TRY(merge_axes());
    if (const auto c = contraction()) {
      HCQ_TRY(tile(*c));
    } else if (first_of(g_, Op::reduce)) {
      HCQ_TRY(unroll_reduction(4));
      HCQ_TRY(fill_workgroup(1));
    } else {
      HCQ_TRY(fill_workgroup(vector_lanes()));
    }
    HCQ_TRY(check_limits(g_, limits_));
    return std::move(g_);
  }

 private:
  struct Contraction {
    std::int64_t rows, columns;  // axis ids; columns is the contiguous one where there is one
  };

  Status merge_axes() {
    for (bool again = true; again;) {
      again = false;
      const std::vector<const Node*> axes = axes_of_type(g_, AxisType::global);
      for (std::size_t i = axes.size(); i-- > 1 && !again;) {
        KernelGraph merged = HCQ_TRY(merge(g_, ir::axis_id(axes[i - 1]), ir::axis_id(axes[i])));
        if (divisions(merged) > divisions(g_)) continue;
        g_ = std::move(merged);
        again = true;
      }
    }
    return {};
  }

  std::optional<Contraction> contraction() const {
    const Node* reduce = first_of(g_, Op::reduce);
    if (!reduce || ir::reduce_op(reduce) != Op::add || reduce->src(0)->op != Op::mul) return std::nullopt;
    const auto sets = axis_sets(g_);
    const AxisSet& left = sets.at(reduce->src(0)->src(0));
    const AxisSet& right = sets.at(reduce->src(0)->src(1));
    const auto longest = [&](const AxisSet& in, const AxisSet& not_in) -> const Node* {
      const Node* best = nullptr;
      for (const Node* r : axes_of_type(g_, AxisType::global))
        if (in.contains(ir::axis_id(r)) && !not_in.contains(ir::axis_id(r)))
          if (!best || ir::extent(r) > ir::extent(best)) best = r;
      return best;
    };
    const Node* a = longest(left, right);
    const Node* b = longest(right, left);
    if (!a || !b) return std::nullopt;
    if (stride(g_.sink->src(0), a) == 1) std::swap(a, b);
    return Contraction{.rows = ir::axis_id(a), .columns = ir::axis_id(b)};
  }

  std::int64_t extent_of(std::int64_t axis) const {
    const Node* r = find_axis(g_, axis);
    return r ? ir::extent(r) : 1;
  }

  Status apply_split(std::int64_t axis, std::int64_t amount, AxisType type) {
    if (amount > 1) g_ = HCQ_TRY(split(g_, axis, amount, type));
    return {};
  }

  // Pads the axis so that the largest wanted multiple that costs little divides it.
  Status pad_for(std::int64_t axis, std::int64_t multiple) {
    const std::int64_t n = extent_of(axis);
    for (; multiple > 1; multiple /= 2) {
      if (n % multiple == 0) return {};
      const std::int64_t padded = (n + multiple - 1) / multiple * multiple;
      if ((padded - n) * 8 > n) continue;
      g_ = HCQ_TRY(pad_to(g_, axis, multiple));
      return {};
    }
    return {};
  }

  Status tile(const Contraction& c) {
    const std::int64_t tile_rows = 4, tile_columns = limits_.is_cpu ? 16 : 4;
    std::int64_t block = limits_.is_cpu ? 1 : 16;
    while (block > 1 && block * block > limits_.max_block) block /= 2;
    HCQ_TRY(pad_for(c.rows, tile_rows * block));
    // Lanes that lie inside and outside of the old end cannot share a mask, so a CPU takes shorter vectors first.
    if (!limits_.is_cpu || largest_power(extent_of(c.columns), tile_columns) < 4)
      HCQ_TRY(pad_for(c.columns, tile_columns * block));
    HCQ_TRY(unroll_reduction(4));
    const std::int64_t rows = largest_power(extent_of(c.rows), tile_rows);
    const std::int64_t columns = largest_power(extent_of(c.columns), tile_columns);
    HCQ_TRY(apply_split(c.rows, rows, AxisType::upcast));
    HCQ_TRY(apply_split(c.columns, columns, AxisType::upcast));
    if (limits_.is_cpu)
      return apply_split(c.rows, largest_divisor(extent_of(c.rows), std::min<std::int64_t>(16, limits_.max_block)),
                         AxisType::local);
    HCQ_TRY(apply_split(c.rows, largest_power(extent_of(c.rows), block), AxisType::local));
    return apply_split(c.columns, largest_power(extent_of(c.columns), block), AxisType::local);
  }

  Status unroll_reduction(std::int64_t by) {
    const std::vector<const Node*> axes = axes_of_type(g_, AxisType::reduce);
    if (axes.empty()) return {};
    const Node* last = axes.back();
    return apply_split(ir::axis_id(last), largest_power(ir::extent(last), by), AxisType::unroll);
  }

  std::int64_t vector_lanes() const {
    const std::size_t size = std::max<std::size_t>(1, g_.params[0].dtype.bytes());
    return std::max<std::int64_t>(1, std::min<std::int64_t>(limits_.vector_bytes / static_cast<std::int64_t>(size), 8));
  }

  // Vectors and work-items along the contiguous axis (or the longest one).
  Status fill_workgroup(std::int64_t lanes) {
    const Node* axis = contiguous_axis(g_);
    const bool contiguous = axis != nullptr;
    for (const Node* r : axes_of_type(g_, AxisType::global))
      if (!axis || (!contiguous && ir::extent(r) > ir::extent(axis))) axis = r;
    if (!axis) return {};
    const std::int64_t id = ir::axis_id(axis);
    if (contiguous) lanes = largest_power(ir::extent(axis), lanes);
    const std::int64_t most = std::min<std::int64_t>(256, limits_.max_block), n = ir::extent(axis) / lanes;
    if (largest_divisor(n, most) < std::min(most, n) / 2) HCQ_TRY(pad_for(id, most * lanes));
    if (contiguous) HCQ_TRY(apply_split(id, lanes, AxisType::upcast));
    return apply_split(id, largest_divisor(extent_of(id), most), AxisType::local);
  }

  KernelGraph g_;
  const DeviceLimits& limits_;
};

}  // namespace

Result<KernelGraph> optimize(const KernelGraph& graph, const DeviceLimits& limits) {
  return Optimizer(graph, limits).run();
}

}  // namespace hcq::compute::opt
