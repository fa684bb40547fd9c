// SPDX-License-Identifier: MIT
#include <cassert>
#include <numeric>
#include <unordered_map>

#include "compute/ir/sum.h"
#include "compute/lower/passes.h"

namespace hcq::compute::lower {
namespace {

using ir::AxisType;
using ir::Node;
using ir::Op;

// The copies of one node, one for each point of the axes it depends on (last axis fastest). A vector's copies have the
// lane axis inside.
struct Copies {
  std::vector<int> axes;  // positions in Expander::axes_, ascending
  std::vector<const Node*> nodes;
  bool vector = false;
};

class Expander {
 public:
  Expander(ir::Simplifier& s, const Node* sink) : s_(s), sink_(sink) {
    for (const Node* r : ranges_of(sink))
      if (ir::axis_type(r) == AxisType::upcast || ir::axis_type(r) == AxisType::unroll) {
        position_[r] = static_cast<int>(axes_.size());
        axes_.push_back(r);
      }
    point_.resize(axes_.size());
  }

  const Node* run() {
    if (axes_.empty()) return sink_;
    choose_lanes();
    const Node* roots[] = {sink_};
    for (const Node* n : ir::topological(roots)) copies_[n] = expand(n);
    std::vector<const Node*> stores;
    for (const Node* store : sink_->src())
      for (const Node* copy : copies_.at(store).nodes) stores.push_back(copy);
    return s_.context().make(Op::sink, ir::kVoid, stores);
  }

 private:
  const Node* with_axis(const Node* n, const Node* axis, std::int64_t value) {
    return s_.substitute(n, [&](const Node* x) { return x == axis ? s_.index(value) : nullptr; });
  }

  // Do the addresses of a load or store step by one element along the axis, under one gate?
  bool contiguous(const Node* access, const Node* axis) {
    const Node* index = access->src(0)->src(1);
    const Node* gate = access->op == Op::load && access->src_count == 3    ? access->src(1)
                       : access->op == Op::store && access->src_count == 3 ? access->src(2)
                                                                           : nullptr;
    const Node* first = with_axis(index, axis, 0);
    const Node* first_gate = gate ? with_axis(gate, axis, 0) : nullptr;
    for (std::int64_t v = 1; v < ir::extent(axis); ++v) {
      if (with_axis(index, axis, v) != s_.add(first, v)) return false;
      if (gate && with_axis(gate, axis, v) != first_gate) return false;
    }
    return true;
  }

  static bool lanes_possible(const Node* axis) {
    const std::int64_t n = ir::extent(axis);
    return ir::axis_type(axis) == AxisType::upcast && (n == 2 || n == 4 || n == 8 || n == 16);
  }

  void choose_lanes() {
    const Node* roots[] = {sink_};
    const std::vector<const Node*> order = ir::topological(roots);
    for (Op want : {Op::store, Op::load})
      for (const Node* axis : axes_) {
        if (lane_axis_ || !lanes_possible(axis)) continue;
        for (const Node* n : order)
          if (n->op == want && contiguous(n, axis)) lane_axis_ = axis;
      }
    if (lane_axis_) lanes_ = static_cast<int>(ir::extent(lane_axis_));
  }

  int lane_position() const { return lane_axis_ ? position_.at(lane_axis_) : -1; }

  // The copy of n for the current point; for a vector, the whole vector.
  const Node* at_point(const Node* n) const {
    const Copies& c = copies_.at(n);
    std::size_t i = 0;
    for (int a : c.axes)
      i = i * static_cast<std::size_t>(ir::extent(axes_[static_cast<std::size_t>(a)])) +
          static_cast<std::size_t>(point_[static_cast<std::size_t>(a)]);
    return c.nodes[i];
  }

  bool depends_on_lane(const Copies& c) const {
    for (int a : c.axes)
      if (a == lane_position()) return true;
    return c.vector;
  }

  const Node* as_scalar(const Node* n) {
    const Node* v = at_point(n);
    if (!copies_.at(n).vector) return v;
    const std::int64_t lane = point_[static_cast<std::size_t>(lane_position())];
    return s_.context().make(Op::extract, v->dtype.element(), {v}, {.i = lane});
  }

  const Node* as_vector(const Node* n) {
    const Copies& c = copies_.at(n);
    if (c.vector) return at_point(n);
    if (!depends_on_lane(c)) return splat(at_point(n));
    std::vector<const Node*> lanes;
    std::int64_t& lane = point_[static_cast<std::size_t>(lane_position())];
    for (lane = 0; lane < lanes_; ++lane) lanes.push_back(at_point(n));
    lane = 0;
    return s_.context().make(Op::stack, n->dtype.vec(lanes_), lanes);
  }

  const Node* splat(const Node* n) {
    const ir::DType t = n->dtype.vec(lanes_);
    return n->is_const() ? s_.context().constant(t, ir::const_number(n)) : s_.context().make(Op::splat, t, {n});
  }

  bool becomes_vector(const Node* n, bool on_lane) {
    if (!lane_axis_ || !on_lane) return false;
    if (n->op == Op::load || n->op == Op::store) return contiguous(n, lane_axis_);
    if (n->op != Op::reduce && !ir::is_elementwise(n->op)) return false;
    for (const Node* x : n->src())
      if (copies_.at(x).vector) return true;
    return false;
  }

  // The axes n's copies run over: those of its sources, without those it reduces over.
  std::vector<int> axes_below(const Node* n) const {
    std::vector<bool> on(axes_.size());
    for (const Node* x : n->src())
      for (int a : copies_.at(x).axes) on[static_cast<std::size_t>(a)] = true;
    for (const Node* x : n->src())
      if (copies_.at(x).vector) on[static_cast<std::size_t>(lane_position())] = true;
    if (auto it = position_.find(n); it != position_.end()) on[static_cast<std::size_t>(it->second)] = true;
    if (n->op == Op::reduce)
      for (const Node* x : n->src())
        if (auto it = position_.find(x); it != position_.end()) on[static_cast<std::size_t>(it->second)] = false;
    std::vector<int> v;
    for (std::size_t i = 0; i < on.size(); ++i)
      if (on[i]) v.push_back(static_cast<int>(i));
    return v;
  }

  // Calls f for every point of the axes, last fastest; leaves them at 0.
  template <class F>
  void each(const std::vector<int>& axes, F&& f) {
    for (int a : axes) point_[static_cast<std::size_t>(a)] = 0;
    for (;;) {
      f();
      std::size_t i = axes.size();
      for (; i > 0; --i) {
        const auto a = static_cast<std::size_t>(axes[i - 1]);
        if (++point_[a] < ir::extent(axes_[a])) break;
        point_[a] = 0;
      }
      if (i == 0) return;
    }
  }

  Copies expand(const Node* n) {
    Copies c;
    c.axes = axes_below(n);
    bool on_lane = false;
    for (int a : c.axes) on_lane |= a == lane_position();
    c.vector = becomes_vector(n, on_lane);
    if (c.vector) std::erase(c.axes, lane_position());
    if (n->op == Op::sink) return c;
    each(c.axes, [&] { c.nodes.push_back(c.vector ? vector_copy(n) : scalar_copy(n)); });
    return c;
  }

  const Node* scalar_copy(const Node* n) {
    if (auto it = position_.find(n); it != position_.end())
      return s_.index(point_[static_cast<std::size_t>(it->second)]);
    if (n->op == Op::reduce) return reduce_copy(n, false);
    std::vector<const Node*> src;
    for (const Node* x : n->src()) src.push_back(as_scalar(x));
    return src.empty() ? n : s_.make(n->op, n->dtype, src, n->arg);
  }

  const Node* vector_copy(const Node* n) {
    ir::Context& context = s_.context();
    const ir::DType t = n->op == Op::store ? ir::kVoid : n->dtype.vec(lanes_);
    if (n->op == Op::reduce) return reduce_copy(n, true);
    std::vector<const Node*> src;
    if (n->op == Op::load || n->op == Op::store) {
      point_[static_cast<std::size_t>(lane_position())] = 0;
      src.push_back(as_scalar(n->src(0)));
      const ir::Arg arg{.i = alignment(src[0]->src(1))};
      if (n->op == Op::store) {
        src.push_back(as_vector(n->src(1)));
        if (n->src_count == 3) src.push_back(as_scalar(n->src(2)));
      } else if (n->src_count == 3) {
        src.push_back(as_scalar(n->src(1)));
        src.push_back(as_vector(n->src(2)));
      }
      return context.make(n->op, t, src, arg);
    }
    for (const Node* x : n->src()) src.push_back(as_vector(x));
    return s_.make(n->op, t, src, n->arg);
  }

  std::int64_t alignment(const Node* index) const {
    const auto sum = ir::split_sum(index);
    std::int64_t g = lanes_;
    if (!sum) return 1;
    for (const ir::Term& t : sum->terms) g = std::gcd(g, t.coefficient);
    return std::gcd(g, sum->constant);
  }

  // One reduction over what is left of the ranges, of one value for each point of the unrolled ones.
  const Node* reduce_copy(const Node* n, bool vector) {
    std::vector<int> unrolled;
    std::vector<const Node*> loops, src;
    for (const Node* x : n->src()) {
      if (x->op != Op::range) continue;
      if (auto it = position_.find(x); it != position_.end()) {
        unrolled.push_back(it->second);
      } else {
        loops.push_back(x);
      }
    }
    each(unrolled, [&] { src.push_back(vector ? as_vector(n->src(0)) : as_scalar(n->src(0))); });
    const ir::DType t = vector ? n->dtype.vec(lanes_) : n->dtype;
    if (!loops.empty()) {
      src.insert(src.end(), loops.begin(), loops.end());
      return s_.context().make(Op::reduce, t, src, n->arg);
    }
    const Node* total = src[0];
    for (std::size_t i = 1; i < src.size(); ++i) total = s_.make(ir::reduce_op(n), t, {total, src[i]});
    return total;
  }

  ir::Simplifier& s_;
  const Node* sink_;
  std::vector<const Node*> axes_;
  std::unordered_map<const Node*, int> position_;
  std::vector<std::int64_t> point_;
  const Node* lane_axis_ = nullptr;
  int lanes_ = 1;
  std::unordered_map<const Node*, Copies> copies_;
};

}  // namespace

const Node* expand(ir::Simplifier& s, const Node* sink) { return Expander(s, sink).run(); }

}  // namespace hcq::compute::lower
