// SPDX-License-Identifier: MIT
#include <algorithm>
#include <map>
#include <unordered_map>
#include <unordered_set>

#include "compute/lower/passes.h"

namespace hcq::compute::lower {
namespace {

using ir::Node;
using ir::Op;

// Reductions over the same ranges run in one loop nest.
struct Nest {
  std::vector<const Node*> ranges;  // outermost first
  std::vector<const Node*> reduces;
  std::vector<const Node*> body;  // nodes that depend on some range of the nest, sources first
  bool done = false;
};

class Linearizer {
 public:
  Linearizer(ir::Context& context, const Node* sink) : context_(context), sink_(sink) {}

  Result<std::vector<const Node*>> run() {
    const Node* roots[] = {sink_};
    order_ = ir::topological(roots);
    HCQ_TRY(find_nests());
    for (const Node* n : order_) {
      if (n->op == Op::sink || in_nest_.contains(n) || n->op == Op::range) continue;
      HCQ_TRY(emit_outside(n));
    }
    return std::move(code_);
  }

 private:
  Error unsupported(const char* what) const {
    return Error{.code = Errc::unimplemented, .operation = "linearize", .detail = what};
  }

  // Which nest each node lies in: those that depend on a range below no reduce of it.
  Status find_nests() {
    std::map<std::vector<const Node*>, int> by_ranges;
    for (const Node* n : order_) {
      if (n->op != Op::reduce) continue;
      std::vector<const Node*> ranges;
      for (const Node* x : n->src())
        if (x->op == Op::range) ranges.push_back(x);
      const auto [it, fresh] = by_ranges.emplace(ranges, static_cast<int>(nests_.size()));
      if (fresh) {
        nests_.push_back({.ranges = ranges, .reduces = {}, .body = {}});
        for (const Node* r : ranges)
          if (!nest_of_range_.emplace(r, it->second).second)
            return unsupported("two reductions share only some of their ranges");
      }
      nests_[static_cast<std::size_t>(it->second)].reduces.push_back(n);
      nest_of_reduce_[n] = it->second;
    }
    for (const Node* n : order_) {
      if (n->op == Op::range) {
        if (!nest_of_range_.contains(n)) return unsupported("a loop that reduces nothing");
        in_nest_[n] = nest_of_range_[n];
        continue;
      }
      if (n->op == Op::reduce) {
        for (const Node* x : n->src())
          if (auto it = in_nest_.find(x); it != in_nest_.end() && it->second != nest_of_reduce_[n])
            return unsupported("a reduction inside another one");
        continue;
      }
      for (const Node* x : n->src()) {
        const auto it = in_nest_.find(x);
        if (it == in_nest_.end()) continue;
        if (in_nest_.contains(n) && in_nest_[n] != it->second) return unsupported("a value inside two loop nests");
        in_nest_[n] = it->second;
      }
      if (n->op == Op::store && in_nest_.contains(n)) return unsupported("a store inside a reduction");
      if (auto it = in_nest_.find(n); it != in_nest_.end())
        nests_[static_cast<std::size_t>(it->second)].body.push_back(n);
    }
    return {};
  }

  // Emits a node outside of all loops, after the nest it needs. Its sources have been emitted (topological order).
  Status emit_outside(const Node* n) {
    if (now_.contains(n)) return {};
    if (n->op == Op::reduce) return emit_nest(nests_[static_cast<std::size_t>(nest_of_reduce_.at(n))]);
    now_[n] = place(n);
    return {};
  }

  const Node* place(const Node* n) {
    std::vector<const Node*> src;
    bool same = true;
    for (const Node* x : n->src()) {
      src.push_back(now_.at(x));
      same &= src.back() == x;
    }
    const Node* placed = same ? n : context_.make(n->op, n->dtype, src, n->arg);
    code_.push_back(placed);
    return placed;
  }

  // Everything the nest uses from outside comes first, then nested ranges, each followed by what only needs it and the
  // ranges around it.
  Status emit_nest(Nest& nest) {
    HCQ_TRY(emit_needed(nest));
    if (nest.done) return {};
    nest.done = true;
    std::vector<std::vector<const Node*>> accs;  // one list a range, one acc a reduce
    for (std::size_t d = 0; d < nest.ranges.size(); ++d) {
      const Node* r = nest.ranges[d];
      accs.emplace_back();
      std::vector<const Node*> initial = d == 0 ? identities(nest) : accs[d - 1];
      code_.push_back(now_[r] = r);
      for (std::size_t k = 0; k < nest.reduces.size(); ++k) {
        const Node* acc = context_.make(Op::acc, nest.reduces[k]->dtype, {initial[k], r}, {.i = next_acc_++});
        accs[d].push_back(acc);
        code_.push_back(acc);
      }
      for (const Node* n : nest.body)
        if (depth_of(nest, n) == d) now_[n] = place(n);
    }
    std::vector<const Node*> value;
    for (std::size_t k = 0; k < nest.reduces.size(); ++k) value.push_back(fold(nest.reduces[k], accs.back()[k]));
    for (std::size_t d = nest.ranges.size(); d-- > 0;) close(nest, accs[d], nest.ranges[d], value);
    for (std::size_t k = 0; k < nest.reduces.size(); ++k) now_[nest.reduces[k]] = value[k];
    return {};
  }

  // Depth first, without recursion on the graph: the nest's outer sources in topological order, nests before users.
  Status emit_needed(const Nest& nest) {
    std::vector<const Node*> roots;
    for (const Node* n : nest.body)
      for (const Node* x : n->src())
        if (!in_nest_.contains(x) && !now_.contains(x)) roots.push_back(x);
    for (const Node* n : nest.reduces)
      for (const Node* x : n->src())
        if (!in_nest_.contains(x) && !now_.contains(x)) roots.push_back(x);
    if (roots.empty()) return {};
    for (const Node* n : ir::topological(roots))
      if (!in_nest_.contains(n) && n->op != Op::range) HCQ_TRY(emit_outside(n));
    return {};
  }

  std::vector<const Node*> identities(const Nest& nest) {
    std::vector<const Node*> v;
    for (const Node* n : nest.reduces) {
      const Node* c = context_.constant(n->dtype, ir::identity_element(ir::reduce_op(n), n->dtype.scalar));
      if (now_.emplace(c, c).second) code_.push_back(c);
      v.push_back(c);
    }
    return v;
  }

  std::size_t depth_of(const Nest& nest, const Node* n) {
    if (auto it = depth_.find(n); it != depth_.end()) return it->second;
    std::size_t d = 0;
    for (const Node* x : n->src()) {
      if (!in_nest_.contains(x)) continue;
      const auto range = std::ranges::find(nest.ranges, x);
      d = std::max(d, range != nest.ranges.end() ? static_cast<std::size_t>(range - nest.ranges.begin())
                                                 : depth_.at(x));  // body is in topological order
    }
    return depth_[n] = d;
  }

  const Node* fold(const Node* reduce, const Node* acc) {
    for (const Node* x : reduce->src()) {
      if (x->op == Op::range) continue;
      acc = context_.make(ir::reduce_op(reduce), reduce->dtype, {acc, now_.at(x)});
      code_.push_back(acc);
    }
    return acc;
  }

  void close(const Nest&, const std::vector<const Node*>& accs, const Node* range, std::vector<const Node*>& value) {
    std::vector<const Node*> src{range};
    for (std::size_t k = 0; k < accs.size(); ++k) src.insert(src.end(), {accs[k], value[k]});
    const Node* end = context_.make(Op::end, ir::kVoid, src);
    code_.push_back(end);
    for (std::size_t k = 0; k < accs.size(); ++k) {
      value[k] = context_.make(Op::result, accs[k]->dtype, {end, accs[k]});
      code_.push_back(value[k]);
    }
  }

  ir::Context& context_;
  const Node* sink_;
  std::vector<const Node*> order_, code_;
  std::vector<Nest> nests_;
  std::unordered_map<const Node*, int> nest_of_range_, nest_of_reduce_, in_nest_;
  std::unordered_map<const Node*, std::size_t> depth_;
  std::unordered_map<const Node*, const Node*> now_;
  std::int64_t next_acc_ = 0;
};

}  // namespace

Result<std::vector<const Node*>> linearize(ir::Context& context, const Node* sink) {
  return Linearizer(context, sink).run();
}

}  // namespace hcq::compute::lower
