// SPDX-License-Identifier: MIT
#include "compute/opt/split.h"

#include <algorithm>
#include <functional>

#include "compute/ir/simplify.h"
#include "fmt/format.h"

namespace hcq::compute::opt {
namespace {

using ir::AxisType;
using ir::KernelGraph;
using ir::Node;
using ir::Op;

Error refuse(const KernelGraph& g, const char* action, std::string why) {
  return Error{.code = Errc::unsupported, .operation = action, .subject = g.name, .detail = std::move(why)};
}

std::int64_t next_id(const KernelGraph& g) {
  std::int64_t id = 0;
  for (const Node* r : axes_of(g)) id = std::max(id, ir::axis_id(r) + 1);
  return id;
}

// One axis replaced: its value by an expression, its place among a reduction's ranges by other ranges.
struct Change {
  const Node* axis;
  const Node* value;
  std::vector<const Node*> ranges;
};

using Adjust = std::function<const Node*(const Node* original, std::vector<const Node*>& src)>;

// Rebuilds the graph with the changes. `adjust` may make a node of its own from the rebuilt sources.
KernelGraph rebuild(const KernelGraph& g, ir::Simplifier& s, const std::vector<Change>& changes, const Adjust& adjust) {
  const Node* roots[] = {g.sink};
  const std::vector<const Node*> order = ir::topological(roots);
  std::vector<const Node*> now(g.context->id_limit());
  std::vector<const Node*> src;
  for (const Node* n : order) {
    const auto change = std::ranges::find(changes, n, &Change::axis);
    if (change != changes.end()) {
      now[n->id] = change->value;
      continue;
    }
    src.clear();
    for (const Node* x : n->src()) {
      const auto c = n->op == Op::reduce ? std::ranges::find(changes, x, &Change::axis) : changes.end();
      if (c != changes.end()) {
        src.insert(src.end(), c->ranges.begin(), c->ranges.end());
      } else {
        src.push_back(now[x->id]);
      }
    }
    const Node* made = adjust ? adjust(n, src) : nullptr;
    if (!made && n->op == Op::reduce && src.size() == 1) made = src[0];
    now[n->id] = made ? made : src.empty() ? n : s.make(n->op, n->dtype, src, n->arg);
  }
  KernelGraph out = g;
  out.sink = now[g.sink->id];
  return out;
}

bool allowed(AxisType from, AxisType to) {
  if (from == AxisType::global) return to == AxisType::local || to == AxisType::upcast || to == AxisType::global;
  if (from == AxisType::reduce) return to == AxisType::unroll || to == AxisType::reduce;
  return false;
}

}  // namespace

std::vector<const Node*> axes_of(const KernelGraph& g) {
  std::vector<const Node*> v;
  const Node* roots[] = {g.sink};
  for (const Node* n : ir::topological(roots))
    if (n->op == Op::range) v.push_back(n);
  std::ranges::sort(v, {}, [](const Node* r) { return ir::axis_id(r); });
  return v;
}

const Node* find_axis(const KernelGraph& g, std::int64_t id) {
  for (const Node* r : axes_of(g))
    if (ir::axis_id(r) == id) return r;
  return nullptr;
}

Result<KernelGraph> split(const KernelGraph& g, std::int64_t axis, std::int64_t amount, AxisType type) {
  const Node* r = find_axis(g, axis);
  if (!r) return refuse(g, "split", fmt::format("no axis {}", axis));
  const std::int64_t n = ir::extent(r);
  if (amount < 2 || n % amount != 0) return refuse(g, "split", fmt::format("{} does not divide {}", amount, n));
  if (!allowed(ir::axis_type(r), type))
    return refuse(g, "split", fmt::format("{} out of a {} axis", name(type), name(ir::axis_type(r))));
  if ((type == AxisType::upcast && amount > kMaxUpcast) || (type == AxisType::unroll && amount > kMaxUnroll))
    return refuse(g, "split", fmt::format("{} {} is more than is worth writing out", name(type), amount));
  ir::Simplifier s(*g.context);
  const Node* inner = g.context->range(next_id(g), type, amount);
  Change c{.axis = r, .value = inner, .ranges = {}};
  if (n != amount) {
    const Node* outer = g.context->range(axis, ir::axis_type(r), n / amount);
    c.value = s.add(s.mul(outer, amount), inner);
    c.ranges.push_back(outer);
  }
  c.ranges.push_back(inner);
  return rebuild(g, s, {c}, nullptr);
}

Result<KernelGraph> merge(const KernelGraph& g, std::int64_t outer, std::int64_t inner) {
  const Node* a = find_axis(g, outer);
  const Node* b = find_axis(g, inner);
  if (!a || !b || ir::axis_type(a) != AxisType::global || ir::axis_type(b) != AxisType::global)
    return refuse(g, "merge", "takes two global axes");
  ir::Simplifier s(*g.context);
  const std::int64_t n = ir::extent(b);
  const Node* r = g.context->range(outer, AxisType::global, ir::extent(a) * n);
  return rebuild(g, s, {{a, s.floordiv(r, n), {}}, {b, s.floormod(r, n), {}}}, nullptr);
}

Result<KernelGraph> pad_to(const KernelGraph& g, std::int64_t axis, std::int64_t multiple) {
  const Node* r = find_axis(g, axis);
  if (!r || multiple < 1) return refuse(g, "pad_to", fmt::format("no axis {}", axis));
  const AxisType type = ir::axis_type(r);
  if (type != AxisType::global && type != AxisType::reduce) return refuse(g, "pad_to", "takes global and reduce axes");
  const std::int64_t n = ir::extent(r), padded = (n + multiple - 1) / multiple * multiple;
  if (padded == n) return g;
  ir::Simplifier s(*g.context);
  const Node* longer = g.context->range(axis, type, padded);
  const Node* inside = s.less(longer, n);
  // What depends on the axis is masked where it meets memory or is folded.
  std::vector<bool> depends(g.context->id_limit());
  const Node* roots[] = {g.sink};
  for (const Node* x : ir::topological(roots)) {
    if (x == r) depends[x->id] = true;
    for (const Node* y : x->src()) depends[x->id] = depends[x->id] || depends[y->id];
  }
  const Adjust adjust = [&](const Node* x, std::vector<const Node*>& src) -> const Node* {
    if (!depends[x->id]) return nullptr;
    ir::Context& context = *g.context;
    if (x->op == Op::load && depends[x->src(0)->id]) {
      const Node* gate = src.size() == 3 ? s.both(src[1], inside) : inside;
      const Node* alt = src.size() == 3 ? src[2] : context.constant(x->dtype, std::int64_t{0});
      return context.make(Op::load, x->dtype, {src[0], gate, alt}, x->arg);
    }
    if (x->op == Op::store && type == AxisType::global) {
      const Node* gate = src.size() == 3 ? s.both(src[2], inside) : inside;
      return context.make(Op::store, ir::kVoid, {src[0], src[1], gate}, x->arg);
    }
    if (x->op == Op::reduce && std::ranges::find(x->src(), r) != x->src().end()) {
      const Node* identity = context.constant(x->dtype, ir::identity_element(ir::reduce_op(x), x->dtype.scalar));
      src[0] = s.make(Op::where, x->dtype, {inside, src[0], identity});
    }
    return nullptr;
  };
  return rebuild(g, s, {{r, longer, {longer}}}, adjust);
}

}  // namespace hcq::compute::opt
