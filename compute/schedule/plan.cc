// SPDX-License-Identifier: MIT
#include "compute/schedule/plan.h"

#include <algorithm>
#include <map>
#include <tuple>

namespace hcq::compute::schedule {
namespace {

using ir::Node;
using ir::Op;

// What it takes to compute one element of a value inside another kernel.
struct Cost {
  bool has_reduce = false;
  std::int64_t loads = 0;
  std::int64_t heavy = 0;  // operations that take many instructions
  int depth = 0;           // longest chain of operations
};

constexpr std::int64_t kMuch = 1 << 20;  // costs stop growing here (shared subexpressions count once per use)
constexpr std::int64_t kCheapLoads = 3, kCheapHeavy = 2;
constexpr std::size_t kMaxUses = 4;  // different index patterns under which a cheap value is recomputed
// Recomputing this many element costs in total is cheaper than one more kernel launch.
constexpr std::int64_t kFreeRecompute = 1 << 14;
constexpr std::int64_t kHeavyCost = 8;
constexpr int kFreeDepth = 16;

bool is_heavy(Op op) {
  return op == Op::exp2 || op == Op::log2 || op == Op::sin || op == Op::cdiv || op == Op::cmod || op == Op::floordiv ||
         op == Op::floormod || op == Op::fdiv || op == Op::sqrt;
}

class Planner {
 public:
  Planner(Plan& plan, std::span<const Node* const> outputs) : plan_(plan) {
    for (const Node* n : outputs)
      if (!plan_.leaves.contains(n)) store(n);
  }

  void run() {
    for (const Node* n : plan_.order) forward(n);
    for (std::size_t i = plan_.order.size(); i-- > 0;) backward(plan_.order[i]);
    for (const Node* n : plan_.order)
      if (plan_.is_stored.contains(n)) plan_.stored.push_back(n);
  }

 private:
  bool in_memory(const Node* n) const { return plan_.is_stored.contains(n) || plan_.leaves.contains(n); }
  void store(const Node* n) { plan_.is_stored.insert(n); }

  Cost cost_of_use(const Node* n) const {
    if (in_memory(n)) return {.loads = 1};
    return cost_.at(n);
  }

  // Rules 1 to 3.
  void forward(const Node* n) {
    if (plan_.leaves.contains(n)) {
      cost_[n] = {.loads = 1};
      return;
    }
    const Shape none;
    plan_.shape[n] = shape_of(n, n->src_count ? plan_.shape.at(n->src(0)) : none);
    if (n->op == Op::contiguous) store(n);
    if (n->op == Op::expand || n->op == Op::pad || n->op == Op::reduce) separate_source(n);
    Cost c;
    for (const Node* s : n->src()) {
      const Cost u = cost_of_use(s);
      c.has_reduce |= u.has_reduce;
      c.loads = std::min(kMuch, c.loads + u.loads);
      c.heavy = std::min(kMuch, c.heavy + u.heavy);
      c.depth = std::max(c.depth, u.depth + 1);
    }
    c.heavy += is_heavy(n->op);
    c.has_reduce |= n->op == Op::reduce;
    if (c.depth >= kMaxDepth) store(n);
    cost_[n] = c;
  }

  void separate_source(const Node* n) {
    const Node* s = n->src(0);
    if (in_memory(s)) return;
    const Cost c = cost_.at(s);
    if (n->op != Op::expand) {
      if (c.has_reduce) store(s);
      return;
    }
    const std::int64_t from = elements(plan_.shape.at(s)), to = elements(n->list());
    if (to <= from) return;
    const bool dear = c.heavy > 0 || c.loads > 1;
    const std::int64_t extra = (to - from) * std::min<std::int64_t>(kMuch, c.loads + kHeavyCost * c.heavy);
    if (c.has_reduce || (dear && extra > kFreeRecompute)) store(s);
  }

  // Rule 4. Walking from users to sources, each node learns under which index patterns it is used. A pattern is named
  // by how it came about: the kernel, then the movement ops and reductions on the way.
  void backward(const Node* n) {
    std::vector<int>& uses = uses_[n];
    if (!in_memory(n) && uses.size() > 1) {
      const Cost& c = cost_.at(n);
      const auto count = static_cast<std::int64_t>(uses.size());
      const bool cheap = !c.has_reduce && c.heavy * count <= kCheapHeavy && c.loads <= kCheapLoads &&
                         c.loads * count <= 2 * kCheapLoads;
      // Reading the stored value would cost as much as making it again from one load (or none).
      const bool free = !c.has_reduce && c.heavy == 0 && c.loads <= 1 && c.depth <= kFreeDepth;
      if (!free && (!cheap || uses.size() > kMaxUses)) store(n);
    }
    if (plan_.leaves.contains(n)) return;
    if (plan_.is_stored.contains(n)) uses = {pattern(-1, n, nullptr)};
    const std::vector<int> mine = uses;
    const bool same_index = ir::is_elementwise(n->op);
    for (const Node* s : n->src()) {
      std::vector<int>& theirs = uses_[s];
      for (int p : mine) {
        const int q = same_index ? p : pattern(p, n, &n->op);
        if (std::ranges::find(theirs, q) == theirs.end() && theirs.size() <= kMaxUses) theirs.push_back(q);
      }
    }
  }

  // Numbers (pattern so far, step). Movement steps are told apart by what they do, not by which node does it.
  int pattern(int before, const Node* n, const Op* op) {
    const ir::IntList list = n && op && n->arg.list ? n->list() : ir::IntList{};
    const Shape source = n && op ? plan_.shape.at(n->src(0)) : Shape{};
    const std::int64_t kernel = n && !op ? static_cast<std::int64_t>(n->id) : -1;
    const auto key = std::make_tuple(before, kernel, op ? static_cast<int>(*op) : -1, list, source);
    return patterns_.emplace(key, static_cast<int>(patterns_.size())).first->second;
  }

  Plan& plan_;
  std::unordered_map<const Node*, Cost> cost_;
  std::unordered_map<const Node*, std::vector<int>> uses_;
  std::map<std::tuple<int, std::int64_t, int, ir::IntList, Shape>, int> patterns_;
};

// Nodes reachable from the outputs without looking behind leaves, sources first; without recursion.
void find_leaves(Plan& plan, std::span<const Node* const> outputs,
                 const std::function<const Shape*(const Node*)>& stored) {
  std::unordered_set<const Node*> seen;
  std::vector<std::pair<const Node*, std::size_t>> stack;
  const auto visit = [&](const Node* n) {
    if (!seen.insert(n).second) return;
    const Shape* shape = stored(n);
    if (shape) {
      plan.leaves.insert(n);
      plan.shape[n] = *shape;
    }
    stack.emplace_back(n, shape ? n->src_count : 0);
  };
  for (const Node* root : outputs) {
    visit(root);
    while (!stack.empty()) {
      auto& [n, next] = stack.back();
      if (next == n->src_count) {
        plan.order.push_back(n);
        stack.pop_back();
      } else {
        visit(n->src(next++));
      }
    }
  }
}

}  // namespace

Plan make_plan(std::span<const Node* const> outputs, const std::function<const Shape*(const Node*)>& stored) {
  Plan plan;
  find_leaves(plan, outputs, stored);
  Planner(plan, outputs).run();
  return plan;
}

}  // namespace hcq::compute::schedule
