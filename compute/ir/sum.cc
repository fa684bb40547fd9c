// SPDX-License-Identifier: MIT
#include "compute/ir/sum.h"

#include <algorithm>
#include <numeric>
#include <utility>

#include "compute/ir/eval.h"

namespace hcq::compute::ir {
namespace {

constexpr std::size_t kMaxTerms = 32;
// Beyond this no index needs to go; staying below keeps every product of a few of them inside 128 bits.
constexpr std::int64_t kMaxCoefficient = 1ll << 56;

bool in_range(__int128 v) { return v > -kMaxCoefficient && v < kMaxCoefficient; }

void normalise(Sum& sum) {
  std::ranges::sort(sum.terms, [](const Term& a, const Term& b) { return a.node->hash < b.node->hash; });
  std::vector<Term> merged;
  for (const Term& t : sum.terms) {
    if (!merged.empty() && merged.back().node == t.node) {
      merged.back().coefficient += t.coefficient;
    } else {
      merged.push_back(t);
    }
  }
  std::erase_if(merged, [](const Term& t) { return t.coefficient == 0; });
  sum.terms = std::move(merged);
}

// sum = divisible * c + rest, with as much as possible in `divisible` (which is already divided by c).
void separate(const Sum& sum, std::int64_t c, Sum& divisible, Sum& rest) {
  for (const Term& t : sum.terms) {
    if (t.coefficient % c == 0) {
      divisible.terms.push_back({t.node, t.coefficient / c});
    } else {
      rest.terms.push_back(t);
    }
  }
  divisible.constant = floor_div(sum.constant, c);
  rest.constant = floor_mod(sum.constant, c);
}

// All g > 1 that divide c and some coefficient, largest first: candidates for splitting sum = g * a + r, 0 <= r < g.
std::vector<std::int64_t> common_factors(const Sum& sum, std::int64_t c) {
  std::vector<std::int64_t> g;
  for (const Term& t : sum.terms)
    if (const std::int64_t d = std::gcd(t.coefficient, c); d > 1) g.push_back(d);
  std::ranges::sort(g, std::greater<>());
  g.erase(std::unique(g.begin(), g.end()), g.end());
  return g;
}

// (a + t // d) // c = (a * d + t) // (c * d): the one spelling of a quotient whose dividend is itself a quotient.
const Node* merge_quotient(Simplifier& s, const Sum& sum, std::int64_t c) {
  for (std::size_t i = 0; i < sum.terms.size(); ++i) {
    const Node* q = sum.terms[i].node;
    if (sum.terms[i].coefficient != 1 || q->op != Op::floordiv || !q->src(1)->is_const()) continue;
    const std::int64_t d = const_int(q->src(1));
    if (d <= 0 || d >= (1ll << 31) || c >= (1ll << 31)) continue;
    const auto inner = split_sum(q->src(0));
    if (!inner) continue;
    Sum merged = *inner;
    const __int128 constant = merged.constant + static_cast<__int128>(sum.constant) * d;
    if (!in_range(constant)) continue;
    merged.constant = static_cast<std::int64_t>(constant);
    bool fits = true;
    for (std::size_t k = 0; k < sum.terms.size(); ++k) {
      const __int128 coefficient = static_cast<__int128>(sum.terms[k].coefficient) * d;
      fits &= in_range(coefficient);
      if (k != i && fits) merged.terms.push_back({sum.terms[k].node, static_cast<std::int64_t>(coefficient)});
    }
    if (!fits) continue;
    normalise(merged);
    if (!bounds(s, *inner).known || !bounds(s, merged).known) continue;
    return s.floordiv(build_sum(s, merged), c * d);
  }
  return nullptr;
}

const Node* scaled(Simplifier& s, const Node* n, std::int64_t factor) { return factor == 1 ? n : s.mul(n, factor); }

}  // namespace

std::optional<Sum> split_sum(const Node* root) {
  Sum sum;
  std::vector<Term> work{{root, 1}};
  while (!work.empty()) {
    const auto [n, k] = work.back();
    work.pop_back();
    if (n->op == Op::add) {
      work.push_back({n->src(0), k});
      work.push_back({n->src(1), k});
    } else if (n->op == Op::mul && n->src(1)->is_const()) {
      const __int128 product = static_cast<__int128>(k) * const_int(n->src(1));
      if (!in_range(product)) return std::nullopt;
      work.push_back({n->src(0), static_cast<std::int64_t>(product)});
    } else if (n->is_const()) {
      const __int128 c = sum.constant + static_cast<__int128>(k) * const_int(n);
      if (!in_range(c)) return std::nullopt;
      sum.constant = static_cast<std::int64_t>(c);
    } else {
      sum.terms.push_back({n, k});
    }
    if (sum.terms.size() + work.size() > kMaxTerms) return std::nullopt;
  }
  normalise(sum);
  return sum;
}

const Node* build_sum(Simplifier& s, const Sum& sum) {
  Context& context = s.context();
  const Node* n = nullptr;
  // Raw nodes: going through Simplifier::make would come back here.
  for (const Term& t : sum.terms) {
    const Node* term = t.coefficient == 1 ? t.node : context.make(Op::mul, kI64, {t.node, s.index(t.coefficient)});
    n = n ? context.make(Op::add, kI64, {n, term}) : term;
  }
  if (!n) return s.index(sum.constant);
  return sum.constant == 0 ? n : context.make(Op::add, kI64, {n, s.index(sum.constant)});
}

Interval bounds(Simplifier& s, const Sum& sum) {
  __int128 lo = sum.constant, hi = sum.constant;
  for (const Term& t : sum.terms) {
    const Interval i = s.interval(t.node);
    if (!i.known) return {};
    const __int128 a = static_cast<__int128>(i.lo) * t.coefficient, b = static_cast<__int128>(i.hi) * t.coefficient;
    lo += std::min(a, b);
    hi += std::max(a, b);
  }
  const Interval all = type_interval(Scalar::i64);
  if (lo < all.lo || hi > all.hi) return {};
  return {static_cast<std::int64_t>(lo), static_cast<std::int64_t>(hi), true};
}

const Node* divide_sum(Simplifier& s, const Sum& sum, std::int64_t c) {
  const Interval all = bounds(s, sum);
  if (floor_div(all.lo, c) == floor_div(all.hi, c)) return s.index(floor_div(all.lo, c));
  Sum whole, rest;
  separate(sum, c, whole, rest);
  if (!whole.terms.empty() || whole.constant != 0) {
    if (!bounds(s, rest).known) return nullptr;
    return s.add(build_sum(s, whole), s.floordiv(build_sum(s, rest), c));
  }
  for (std::int64_t g : common_factors(sum, c)) {
    Sum a, r;
    separate(sum, g, a, r);
    const Interval low = bounds(s, r);
    if (!low.known || low.lo < 0 || low.hi >= g) continue;
    return s.floordiv(build_sum(s, a), c / g);
  }
  return merge_quotient(s, sum, c);
}

const Node* remainder_sum(Simplifier& s, const Sum& sum, std::int64_t c) {
  const Interval all = bounds(s, sum);
  if (const std::int64_t q = floor_div(all.lo, c); q == floor_div(all.hi, c)) {
    Sum shifted = sum;
    const __int128 constant = static_cast<__int128>(sum.constant) - static_cast<__int128>(q) * c;
    if (!in_range(constant)) return nullptr;
    shifted.constant = static_cast<std::int64_t>(constant);
    return build_sum(s, shifted);
  }
  Sum whole, rest;
  separate(sum, c, whole, rest);
  if (!whole.terms.empty() || whole.constant != 0) {
    if (!bounds(s, rest).known) return nullptr;
    return s.floormod(build_sum(s, rest), c);
  }
  for (std::int64_t g : common_factors(sum, c)) {
    Sum a, r;
    separate(sum, g, a, r);
    const Interval low = bounds(s, r);
    if (!low.known || low.lo < 0 || low.hi >= g) continue;
    return s.add(scaled(s, s.floormod(build_sum(s, a), c / g), g), build_sum(s, r));
  }
  return nullptr;
}

bool recombine(Simplifier& s, Sum& sum) {
  for (std::size_t i = 0; i < sum.terms.size(); ++i) {
    const Node* mod = sum.terms[i].node;
    if (mod->op != Op::floormod || !mod->src(1)->is_const() || const_int(mod->src(1)) <= 0) continue;
    const std::int64_t c = const_int(mod->src(1)), d = sum.terms[i].coefficient;
    const __int128 want = static_cast<__int128>(c) * d;
    const Node* quotient = s.floordiv(mod->src(0), c);
    for (std::size_t j = 0; j < sum.terms.size(); ++j) {
      if (sum.terms[j].node != quotient || sum.terms[j].coefficient != want) continue;
      sum.terms[i] = {mod->src(0), d};
      sum.terms.erase(sum.terms.begin() + static_cast<std::ptrdiff_t>(j));
      return true;
    }
  }
  return false;
}

}  // namespace hcq::compute::ir
