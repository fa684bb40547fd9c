// SPDX-License-Identifier: MIT
// The simplifier against evaluation: an index expression is built twice, once as written and once through the
// Simplifier, and both are compared on every point of their (small) ranges, negative values included.
#include <gtest/gtest.h>

#include <map>
#include <random>

#include "compute/ir/eval.h"
#include "compute/ir/simplify.h"

namespace hcq::compute::ir {
namespace {

using Point = std::map<const Node*, std::int64_t>;

std::int64_t value(const Node* root, const Point& point) {
  const Node* roots[] = {root};
  std::map<const Node*, Number> v;
  for (const Node* n : topological(roots)) {
    if (n->is_const()) {
      v[n] = const_number(n);
    } else if (n->op == Op::range) {
      v[n] = integer(point.at(n));
    } else {
      Number src[3];
      for (std::size_t i = 0; i < n->src_count; ++i) src[i] = v.at(n->src(i));
      v[n] = evaluate(n->op, n->dtype.scalar, n->src(n->src_count - 1)->dtype.scalar, {src, n->src_count});
    }
  }
  return v.at(root).i;
}

template <class F>
void every_point(const std::vector<const Node*>& ranges, F&& f) {
  Point p;
  for (const Node* r : ranges) p[r] = 0;
  for (;;) {
    f(p);
    std::size_t i = 0;
    while (i < ranges.size() && ++p[ranges[i]] == extent(ranges[i])) p[ranges[i++]] = 0;
    if (i == ranges.size()) return;
  }
}

std::size_t count(const Node* root, Op op) {
  const Node* roots[] = {root};
  std::size_t c = 0;
  for (const Node* n : topological(roots)) c += n->op == op;
  return c;
}

// A pair of the same expression: raw and simplified.
struct Pair {
  const Node* raw;
  const Node* simple;
};

class Fuzz {
 public:
  explicit Fuzz(unsigned seed) : rng_(seed) {
    const int n = pick(1, 3);
    for (int i = 0; i < n; ++i) {
      ranges.push_back(context.range(i, AxisType::global, pick(1, 7)));
      pool_.push_back({ranges.back(), ranges.back()});
    }
  }

  Pair grow() {
    for (int i = pick(3, 12); i > 0; --i) pool_.push_back(step());
    return pool_.back();
  }

  Context context;
  Simplifier simplifier{context};
  std::vector<const Node*> ranges;

 private:
  int pick(int lo, int hi) { return std::uniform_int_distribution<int>(lo, hi)(rng_); }
  Pair any() { return pool_[static_cast<std::size_t>(pick(0, static_cast<int>(pool_.size()) - 1))]; }
  Pair constant(int lo, int hi) {
    const Node* c = context.constant(kI64, std::int64_t{pick(lo, hi)});
    return {c, c};
  }
  Pair both(Op op, DType t, std::vector<Pair> s) {
    std::vector<const Node*> raw, simple;
    for (const Pair& p : s) raw.push_back(p.raw), simple.push_back(p.simple);
    return {context.make(op, t, raw), simplifier.make(op, t, simple)};
  }

  Pair step() {
    static constexpr int kDivisors[] = {1, 2, 3, 4, 6, 8, 12, -2, -3, 0};
    switch (pick(0, 11)) {
      case 0:
      case 1:
        return both(Op::add, kI64, {any(), any()});
      case 2:
        return both(Op::sub, kI64, {any(), any()});
      case 3:
        return both(Op::add, kI64, {any(), constant(-9, 9)});
      case 4:
      case 5:
        return both(Op::mul, kI64, {any(), constant(-4, 12)});
      case 6:
      case 7:
      case 8:
      case 9: {
        const Node* d = context.constant(kI64, std::int64_t{kDivisors[pick(0, 9)]});
        static constexpr Op kOps[] = {Op::floordiv, Op::floordiv, Op::floormod, Op::floormod, Op::cdiv, Op::cmod};
        return both(kOps[pick(0, 5)], kI64, {any(), {d, d}});
      }
      case 10:
        return both(pick(0, 1) ? Op::max : Op::min, kI64, {any(), any()});
      default: {
        const Pair cond = both(Op::cmplt, kBool, {any(), pick(0, 1) ? any() : constant(-5, 20)});
        return both(Op::where, kI64, {cond, any(), any()});
      }
    }
  }

  std::mt19937 rng_;
  std::vector<Pair> pool_;
};

TEST(Simplify, RandomExpressionsKeepTheirValue) {
  std::map<std::string, std::uint64_t> hits;
  for (unsigned seed = 0; seed < 12000; ++seed) {
    Fuzz f(seed);
    const Pair p = f.grow();
    const Interval bounds = f.simplifier.interval(p.simple);
    every_point(f.ranges, [&](const Point& at) {
      const std::int64_t want = value(p.raw, at), got = value(p.simple, at);
      const Node* roots[] = {p.raw};
      const Node* simple[] = {p.simple};
      ASSERT_EQ(got, want) << "seed " << seed << "\n" << dump(topological(roots)) << dump(topological(simple));
      ASSERT_TRUE(bounds.contains(want)) << "seed " << seed;
    });
    if (HasFatalFailure()) return;
    for (const auto& [name, n] : f.simplifier.hits()) hits[name] += n;
  }
  // A fuzzer that never fires a rule says nothing about it.
  for (const char* rule : {"sum", "distribute", "div_div", "div_of_mod", "div_of_sum", "mod_mod", "mod_of_sum",
                           "lt_sum", "lt_range", "max_range", "sub_as_add", "where_same"})
    EXPECT_GT(hits[rule], 20u) << rule;
}

// Comparisons as roots, where a wrong bound shows directly.
TEST(Simplify, RandomComparisonsKeepTheirValue) {
  for (unsigned seed = 0; seed < 3000; ++seed) {
    Fuzz f(seed + 100000);
    const Pair a = f.grow();
    for (std::int64_t c : {-7, -1, 0, 1, 2, 5, 11, 30}) {
      const Node* k = f.context.constant(kI64, c);
      const Node* raw = f.context.make(Op::cmplt, kBool, {a.raw, k});
      const Node* simple = f.simplifier.make(Op::cmplt, kBool, {a.simple, k});
      every_point(f.ranges, [&](const Point& at) { ASSERT_EQ(value(simple, at), value(raw, at)) << seed << " " << c; });
      if (HasFatalFailure()) return;
    }
  }
}

TEST(Simplify, WrappingSumsAreLeftAlone) {
  Context context;
  Simplifier s(context);
  // A loaded i64 may be anything: (v + 10) < 20 is not v < 10.
  const Node* v = context.make(Op::load, kI64, {context.make(Op::index, kI64, {context.param(0, kI64), s.index(0)})});
  const Node* cmp = s.less(s.add(v, 10), 20);
  EXPECT_EQ(count(cmp, Op::add), 1u);
  const Node* div = s.floordiv(s.add(s.mul(v, 4), 1), 4);
  EXPECT_EQ(count(div, Op::floordiv), 1u);
}

struct Shapes : testing::Test {
  Context context;
  Simplifier s{context};
  const Node* range(std::int64_t id, std::int64_t n) { return context.range(id, AxisType::global, n); }
  // Index tuple of `to` for row-major element `flat`.
  std::vector<const Node*> unflatten(const Node* flat, std::vector<std::int64_t> to) {
    std::vector<const Node*> out;
    std::int64_t stride = 1;
    for (std::size_t i = to.size(); i-- > 0;) {
      out.insert(out.begin(), s.floormod(s.floordiv(flat, stride), to[i]));
      stride *= to[i];
    }
    return out;
  }
  const Node* flatten(const std::vector<const Node*>& i, std::vector<std::int64_t> shape) {
    const Node* n = s.index(0);
    for (std::size_t k = 0; k < i.size(); ++k) n = s.add(s.mul(n, shape[k]), i[k]);
    return n;
  }
};

TEST_F(Shapes, ReshapeThereAndBackIsTheIdentity) {
  std::mt19937 rng(5);
  const std::vector<std::vector<std::int64_t>> shapes = {{24, 60},  {2, 12, 60}, {1440},      {4, 6, 5, 12}, {8, 3, 60},
                                                         {10, 144}, {3, 480},    {16, 9, 10}, {2, 2, 2, 180}};
  for (const auto& from : shapes)
    for (const auto& via : shapes) {
      std::vector<const Node*> r;
      for (std::size_t i = 0; i < from.size(); ++i) r.push_back(range(static_cast<std::int64_t>(i), from[i]));
      const Node* flat = flatten(r, from);
      const auto there = unflatten(flat, via);
      const Node* again = flatten(there, via);
      const Node* roots[] = {again};
      EXPECT_EQ(again, flat) << dump(topological(roots));
      const auto back = unflatten(again, from);
      for (std::size_t i = 0; i < r.size(); ++i) EXPECT_EQ(back[i], r[i]);
    }
}

TEST_F(Shapes, CommonFactorsCancel) {
  const Node* a = range(0, 10);
  const Node* b = range(1, 4);
  EXPECT_EQ(s.floordiv(s.add(s.mul(a, 4), b), 4), a);
  EXPECT_EQ(s.floormod(s.add(s.mul(a, 4), b), 4), b);
  EXPECT_EQ(s.floordiv(s.add(s.mul(a, 4), b), 12), s.floordiv(a, 3));
  EXPECT_EQ(s.add(s.mul(s.floordiv(a, 3), 3), s.floormod(a, 3)), a);
  EXPECT_EQ(s.less(s.add(s.mul(a, 4), 8), 16), s.less(a, 2));
  EXPECT_EQ(s.less(a, 10), context.constant(kBool, 1));
  EXPECT_EQ(s.at_least(a, 0), context.constant(kBool, 1));
}

// Equal nodes are one node; a million lookups of the same do not grow the context.
TEST(Context, IsHashConsed) {
  Context context;
  const Node* r = context.range(0, AxisType::global, 4);
  const Node* a = context.make(Op::add, kI64, {r, context.constant(kI64, std::int64_t{1})});
  const std::size_t size = context.size();
  EXPECT_EQ(context.make(Op::add, kI64, {r, context.constant(kI64, std::int64_t{1})}), a);
  EXPECT_EQ(context.size(), size);
  Context other;
  EXPECT_EQ(other.range(0, AxisType::global, 4)->hash, r->hash);
}

TEST(Context, CountedNodesDieWithTheirLastHandle) {
  auto context = std::make_shared<Context>(Context::Kind::counted);
  std::size_t freed = 0;
  context->on_free = [&](const Node*) { ++freed; };
  {
    NodeRef n(context, context->constant(kF32, real(1)));
    for (int i = 0; i < 200000; ++i) {
      NodeRef two(context, context->constant(kF32, real(2)));
      n = NodeRef(context, context->make(Op::add, kF32, {n.get(), two.get()}));
    }
    EXPECT_EQ(context->size(), 200002u);
  }
  EXPECT_EQ(freed, 200002u);
  EXPECT_EQ(context->size(), 0u);
}

}  // namespace
}  // namespace hcq::compute::ir
