// SPDX-License-Identifier: MIT
#include "compute/ir/simplify.h"

#include <cassert>
#include <cstring>

#include "compute/ir/eval.h"
#include "compute/ir/pattern.h"

namespace hcq::compute::ir {
namespace {

bool foldable(const Node* n) {
  if (!is_elementwise(n->op) || n->op == Op::contiguous || n->dtype.lanes != 1) return false;
  for (const Node* s : n->src())
    if (!s->is_const()) return false;
  return true;
}

const Node* fold(Context& context, const Node* n) {
  Number v[3];
  for (std::size_t i = 0; i < n->src_count; ++i) v[i] = const_number(n->src(i));
  const Scalar operand = n->src(n->src_count - 1)->dtype.scalar;
  return context.constant(n->dtype, evaluate(n->op, n->dtype.scalar, operand, {v, n->src_count}));
}

bool try_match(const Pattern& p, const Node* n, Match& m, bool swapped) {
  for (std::size_t i = 0; i < p.src.size(); ++i)
    if (!matches(p.src[i], n->src(swapped ? 1 - i : i), m)) return false;
  return true;
}

}  // namespace

Interval Match::range(int i) const { return simplifier->interval(x(i)); }
Interval Match::root_source(std::size_t i) const { return simplifier->interval(root->src(i)); }

bool matches(const Pattern& p, const Node* n, Match& m) {
  switch (p.kind) {
    case Pattern::Kind::literal:
      if (!n->is_const()) return false;
      return n->dtype.is_float() ? const_float(n) == static_cast<double>(p.literal) : const_int(n) == p.literal;
    case Pattern::Kind::constant:
      if (!n->is_const() || n->dtype.is_float()) return false;
      [[fallthrough]];
    case Pattern::Kind::any: {
      const Node*& slot = m.bound[static_cast<std::size_t>(p.slot)];
      if (slot) return slot == n;
      slot = n;
      return true;
    }
    case Pattern::Kind::operation:
      break;
  }
  if (n->op != p.op || n->src_count != p.src.size()) return false;
  const Match before = m;
  if (try_match(p, n, m, false)) return true;
  m = before;
  if (!info(p.op).commutative) return false;
  if (try_match(p, n, m, true)) return true;
  m = before;
  return false;
}

const Node* instantiate(const Pattern& p, DType type, Match& m) {
  switch (p.kind) {
    case Pattern::Kind::literal:
      return m.simplifier->context().constant(type, p.literal);
    case Pattern::Kind::constant:
    case Pattern::Kind::any:
      return m.bound[static_cast<std::size_t>(p.slot)];
    case Pattern::Kind::operation:
      break;
  }
  const bool compare = info(p.op).kind == OpClass::compare;
  const DType operand = compare ? m.root->src(0)->dtype : type;
  const Node* src[3];
  for (std::size_t i = 0; i < p.src.size(); ++i)
    src[i] = instantiate(p.src[i], p.op == Op::where && i == 0 ? kBool : operand, m);
  return m.simplifier->make(p.op, compare ? kBool : type, {src, p.src.size()});
}

const Node* Simplifier::rewrite_once(const Node* n) {
  for (const Rule& rule : rules_for(n->op)) {
    Match m{.simplifier = this, .root = n, .bound = {}};
    if (!matches(rule.lhs, n, m)) continue;
    if (rule.when && !rule.when(m)) continue;
    const Node* r = rule.build ? rule.build(m) : instantiate(rule.rhs, n->dtype, m);
    if (!r || r == n) continue;
    count(rule.name);
    return r;
  }
  return nullptr;
}

const Node* Simplifier::make(Op op, DType dtype, std::span<const Node* const> src, Arg arg) {
  const Node* ordered[2];
  if (info(op).commutative && src.size() == 2 &&
      (src[0]->is_const() > src[1]->is_const() ||
       (src[0]->is_const() == src[1]->is_const() && src[0]->hash > src[1]->hash))) {
    ordered[0] = src[1];  // constants stand right; otherwise any fixed order makes equal sums the same node
    ordered[1] = src[0];
    src = ordered;
  }
  const Node* n = context_.make(op, dtype, src, arg);
  if (foldable(n)) return fold(context_, n);
  const Node* r = rewrite_once(n);
  return r ? r : n;  // what a rule built is itself simplified
}

Interval Simplifier::interval(const Node* root) {
  const auto known = [this](const Node* n) { return n->id < has_interval_.size() && has_interval_[n->id]; };
  std::vector<const Node*> stack{root};
  std::vector<Interval> src;
  while (!stack.empty()) {
    const Node* n = stack.back();
    if (known(n)) {
      stack.pop_back();
      continue;
    }
    bool ready = true;
    for (const Node* s : n->src())
      if (!known(s)) {
        stack.push_back(s);
        ready = false;
      }
    if (!ready) continue;
    src.clear();
    for (const Node* s : n->src()) src.push_back(intervals_[s->id]);
    if (has_interval_.size() <= n->id) {
      has_interval_.resize(context_.id_limit());
      intervals_.resize(context_.id_limit());
    }
    intervals_[n->id] = interval_of(n, src);
    has_interval_[n->id] = true;
    stack.pop_back();
  }
  return intervals_[root->id];
}

void Simplifier::count(const char* rule) {
  for (auto& [name, n] : hits_)
    if (name == rule) {
      ++n;
      return;
    }
  hits_.emplace_back(rule, 1);
}

const Node* Simplifier::floordiv(const Node* a, std::int64_t b) {
  return make(Op::floordiv, a->dtype, {a, context_.constant(a->dtype, b)});
}
const Node* Simplifier::floormod(const Node* a, std::int64_t b) {
  return make(Op::floormod, a->dtype, {a, context_.constant(a->dtype, b)});
}
const Node* Simplifier::less(const Node* a, std::int64_t b) {
  return make(Op::cmplt, kBool, {a, context_.constant(a->dtype, b)});
}
const Node* Simplifier::at_least(const Node* a, std::int64_t b) {
  return make(Op::cmplt, kBool, {context_.constant(a->dtype, b - 1), a});
}

}  // namespace hcq::compute::ir
