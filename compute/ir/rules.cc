// SPDX-License-Identifier: MIT
// The rewrite rules. All hold for every value the operands can take, wrapping included, unless `when` restricts them;
// tests/unit/compute_simplify.cc checks them against evaluation. Index rules (i64) put sums into one canonical form so
// that what a reshape divides apart meets again and cancels.
#include <array>
#include <numeric>
#include <optional>

#include "compute/ir/eval.h"
#include "compute/ir/pattern.h"
#include "compute/ir/sum.h"

namespace hcq::compute::ir {
namespace {

bool is_int(const Match& m) { return m.root->dtype.is_int(); }
bool is_index(const Match& m) { return m.is_index(); }
bool is_bool(const Match& m) { return m.root->dtype.is_bool(); }

bool int_operands(const Match& m) { return m.root->src(0)->dtype.is_int(); }

// The product of two positive constants, if it is small enough to be an extent.
bool small_product(const Match& m) {
  return m.is_index() && m.c(0) > 0 && m.c(1) > 0 && m.c(0) < (1ll << 31) && m.c(1) < (1ll << 31);
}

bool mod_nests(const Match& m) { return m.is_index() && m.c(1) > 0 && m.c(0) > 0 && m.c(0) % m.c(1) == 0; }

const Node* constant_of(const Match& m, Interval i) {
  return i.is_point() ? m.simplifier->context().constant(m.root->dtype, i.lo) : nullptr;
}

const Node* by_interval(Match& m) { return constant_of(m, m.simplifier->interval(m.root)); }

const Node* canonical_sum(Match& m) {
  if (!m.is_index()) return nullptr;
  auto sum = split_sum(m.root);
  if (!sum) return nullptr;
  while (recombine(*m.simplifier, *sum)) {
    auto again = split_sum(build_sum(*m.simplifier, *sum));
    if (!again) break;
    sum = std::move(again);
  }
  return build_sum(*m.simplifier, *sum);
}

std::optional<Sum> bounded_sum(const Match& m) {
  if (!m.is_index() || m.c(0) <= 0) return std::nullopt;
  auto sum = split_sum(m.root->src(0));
  if (!sum || !bounds(*m.simplifier, *sum).known) return std::nullopt;
  return sum;
}

const Node* div_of_sum(Match& m) {
  const auto sum = bounded_sum(m);
  return sum ? divide_sum(*m.simplifier, *sum, m.c(0)) : nullptr;
}

const Node* mod_of_sum(Match& m) {
  const auto sum = bounded_sum(m);
  return sum ? remainder_sum(*m.simplifier, *sum, m.c(0)) : nullptr;
}

// sum < c: the constant moves right, a common factor is divided out. Needs a sum that cannot wrap.
const Node* compare_sum(Match& m) {
  if (m.root->src(0)->dtype != kI64) return nullptr;
  const auto sum = split_sum(m.root->src(0));
  if (!sum || sum->terms.empty() || !bounds(*m.simplifier, *sum).known) return nullptr;
  std::int64_t g = 0;
  for (const Term& t : sum->terms) g = std::gcd(g, t.coefficient);
  if (sum->constant == 0 && g == 1) return nullptr;
  Sum scaled = *sum;
  scaled.constant = 0;
  for (Term& t : scaled.terms) t.coefficient /= g;
  if (!bounds(*m.simplifier, scaled).known) return nullptr;
  const __int128 limit = static_cast<__int128>(m.c(0)) - sum->constant;
  if (limit < -(1ll << 60) || limit > (1ll << 60)) return nullptr;
  // g * t < limit  <=>  t < ceil(limit / g)
  return m.simplifier->less(build_sum(*m.simplifier, scaled), -floor_div(-static_cast<std::int64_t>(limit), g));
}

const Node* larger(Match& m) {
  const Interval a = m.root_source(0), b = m.root_source(1);
  if (!a.known || !b.known) return nullptr;
  return a.lo >= b.hi ? m.root->src(0) : b.lo >= a.hi ? m.root->src(1) : nullptr;
}

const Node* smaller(Match& m) {
  const Interval a = m.root_source(0), b = m.root_source(1);
  if (!a.known || !b.known) return nullptr;
  return a.hi <= b.lo ? m.root->src(0) : b.hi <= a.lo ? m.root->src(1) : nullptr;
}

bool same_type(const Match& m) { return m.root->dtype == m.x(0)->dtype; }

std::vector<Rule> all_rules() {
  const Pattern x0 = x(0), x1 = x(1), c0 = c(0), c1 = c(1);
  const auto op1 = [](Op op, Pattern a) { return node(op, {std::move(a)}); };
  const auto op2 = [](Op op, Pattern a, Pattern b) { return node(op, {std::move(a), std::move(b)}); };
  const auto where = [](Pattern c, Pattern a, Pattern b) {
    return node(Op::where, {std::move(c), std::move(a), std::move(b)});
  };
  return {
      // integers of any width
      {"add_zero", x0 + literal(0), x0, is_int},
      {"sub_zero", x0 - literal(0), x0},
      {"sub_self", x0 - x0, literal(0), is_int},
      {"mul_zero", x0 * literal(0), literal(0), is_int},
      {"mul_one", x0 * literal(1), x0},
      {"add_constants", (x0 + c0) + c1, x0 + (c0 + c1), is_int},
      {"mul_constants", (x0 * c0) * c1, x0 * (c0 * c1), is_int},
      {"div_one", x0 / literal(1), x0},
      {"mod_one", x0 % literal(1), literal(0)},
      {"cdiv_one", op2(Op::cdiv, x0, literal(1)), x0},
      {"fdiv_one", op2(Op::fdiv, x0, literal(1)), x0},
      {"neg_neg", op1(Op::neg, op1(Op::neg, x0)), x0},
      {"max_same", op2(Op::max, x0, x0), x0},
      {"min_same", op2(Op::min, x0, x0), x0},
      {"max_range", op2(Op::max, x0, x1), {}, nullptr, larger},
      {"min_range", op2(Op::min, x0, x1), {}, nullptr, smaller},

      // index arithmetic
      {"sub_as_add", x0 - x1, x0 + x1 * literal(-1), is_index},
      {"neg_as_mul", op1(Op::neg, x0), x0 * literal(-1), is_index},
      {"distribute", (x0 + x1) * c0, x0 * c0 + x1 * c0, is_index},
      {"sum", x0 + x1, {}, nullptr, canonical_sum},
      {"div_div", (x0 / c0) / c1, x0 / (c0 * c1), small_product},
      {"div_of_mod", (x0 % c0) / c1, (x0 / c1) % (c0 / c1), mod_nests},
      {"div_of_sum", x0 / c0, {}, nullptr, div_of_sum},
      {"mod_mod", (x0 % c0) % c1, x0 % c1, mod_nests},
      {"mod_of_sum", x0 % c0, {}, nullptr, mod_of_sum},

      // comparisons and logic
      {"lt_range", x0 < x1, {}, int_operands, by_interval},
      {"eq_range", op2(Op::cmpeq, x0, x1), {}, int_operands, by_interval},
      {"ne_range", op2(Op::cmpne, x0, x1), {}, int_operands, by_interval},
      {"lt_sum", x0 < c0, {}, nullptr, compare_sum},
      {"and_true", op2(Op::bit_and, x0, literal(1)), x0, is_bool},
      {"and_false", op2(Op::bit_and, x0, literal(0)), literal(0)},
      {"and_same", op2(Op::bit_and, x0, x0), x0},
      {"or_false", op2(Op::bit_or, x0, literal(0)), x0},
      {"or_true", op2(Op::bit_or, x0, literal(1)), literal(1), is_bool},
      {"or_same", op2(Op::bit_or, x0, x0), x0},
      {"not_not", op1(Op::logic_not, op1(Op::logic_not, x0)), x0},

      // choices and conversions
      {"where_true", where(literal(1), x0, x1), x0},
      {"where_false", where(literal(0), x0, x1), x1},
      {"where_same", where(x(2), x0, x0), x0},
      {"where_not", where(op1(Op::logic_not, x(2)), x0, x1), where(x(2), x1, x0)},
      {"cast_same", op1(Op::cast, x0), x0, same_type},
  };
}

}  // namespace

const std::vector<Rule>& rules_for(Op op) {
  static const std::array<std::vector<Rule>, kOpCount> table = [] {
    std::array<std::vector<Rule>, kOpCount> t;
    for (Rule& r : all_rules()) t[static_cast<std::size_t>(r.lhs.op)].push_back(r);
    return t;
  }();
  return table[static_cast<std::size_t>(op)];
}

}  // namespace hcq::compute::ir
