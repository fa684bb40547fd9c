// SPDX-License-Identifier: MIT
// Builds nodes in simplified form. Every node made here has been folded and rewritten by the rules in rules.cc until
// none applies; since sources are simplified before their users, there is no separate pass over index expressions.
#pragma once

#include <array>
#include <cstdint>
#include <string>
#include <utility>
#include <vector>

#include "compute/ir/interval.h"
#include "compute/ir/node.h"

namespace hcq::compute::ir {

class Simplifier {
 public:
  explicit Simplifier(Context& context) : context_(context) {}
  Context& context() { return context_; }

  // The simplified node. Sources must have been made by this Simplifier or be leaves.
  const Node* make(Op op, DType dtype, std::span<const Node* const> src, Arg arg = {});
  const Node* make(Op op, DType dtype, std::initializer_list<const Node*> src, Arg arg = {}) {
    return make(op, dtype, std::span<const Node* const>(src.begin(), src.size()), arg);
  }

  // Index arithmetic in i64.
  const Node* index(std::int64_t v) { return context_.constant(kI64, v); }
  const Node* add(const Node* a, const Node* b) { return make(Op::add, a->dtype, {a, b}); }
  const Node* mul(const Node* a, const Node* b) { return make(Op::mul, a->dtype, {a, b}); }
  const Node* add(const Node* a, std::int64_t b) { return add(a, context_.constant(a->dtype, b)); }
  const Node* mul(const Node* a, std::int64_t b) { return mul(a, context_.constant(a->dtype, b)); }
  const Node* floordiv(const Node* a, std::int64_t b);
  const Node* floormod(const Node* a, std::int64_t b);
  const Node* less(const Node* a, std::int64_t b);      // a < b
  const Node* at_least(const Node* a, std::int64_t b);  // a >= b
  const Node* both(const Node* a, const Node* b) { return make(Op::bit_and, kBool, {a, b}); }

  // Rebuilds everything reachable from the root with `replace(node)` in place of the nodes for which it answers
  // non-null, simplifying on the way up. One memo per call; without recursion.
  template <class Replace>
  const Node* substitute(const Node* root, Replace&& replace);

  Interval interval(const Node* n);

  // How often each rule fired, for tests and traces.
  const std::vector<std::pair<const char*, std::uint64_t>>& hits() const { return hits_; }

 private:
  const Node* rewrite_once(const Node* n);
  void count(const char* rule);

  Context& context_;
  std::vector<Interval> intervals_;
  std::vector<bool> has_interval_;
  std::vector<std::pair<const char*, std::uint64_t>> hits_;
};

template <class Replace>
const Node* Simplifier::substitute(const Node* root, Replace&& replace) {
  const Node* roots[] = {root};
  const std::vector<const Node*> order = topological(roots);
  std::vector<const Node*> now(context_.id_limit());
  std::vector<const Node*> src;
  for (const Node* n : order) {
    const Node* r = replace(n);
    if (!r) {
      src.clear();
      bool same = true;
      for (const Node* s : n->src()) {
        src.push_back(now[s->id]);
        same &= src.back() == s;
      }
      r = same ? n : make(n->op, n->dtype, src, n->arg);
    }
    now[n->id] = r;
  }
  return now[root->id];
}

}  // namespace hcq::compute::ir
