// SPDX-License-Identifier: MIT
// Rewrite rules as lines of algebra. A rule is data: a pattern, what replaces it, and a condition:
//
//   {"mod_mod", (x % c0) % c1, x % c1, [](const Match& m) { return m.c(0) % m.c(1) == 0; }}
//
// `/` and `%` are floordiv and floormod. Patterns are a few levels deep, so matching may recurse.
#pragma once

#include <array>
#include <cstdint>
#include <vector>

#include "compute/ir/interval.h"
#include "compute/ir/node.h"

namespace hcq::compute::ir {

class Simplifier;

struct Pattern {
  enum class Kind : std::uint8_t { any, constant, literal, operation };
  Kind kind = Kind::any;
  int slot = 0;              // any, constant: which binding
  std::int64_t literal = 0;  // literal: an integer, bool or (whole) float value
  Op op = Op::constant;
  std::vector<Pattern> src{};
};

// Slots 0..3 hold constants (c), 4..7 anything (x).
inline Pattern c(int i) { return {.kind = Pattern::Kind::constant, .slot = i}; }
inline Pattern x(int i) { return {.kind = Pattern::Kind::any, .slot = 4 + i}; }
inline Pattern literal(std::int64_t v) { return {.kind = Pattern::Kind::literal, .literal = v}; }
inline Pattern node(Op op, std::vector<Pattern> src) {
  return {.kind = Pattern::Kind::operation, .op = op, .src = std::move(src)};
}
inline Pattern operator+(Pattern a, Pattern b) { return node(Op::add, {std::move(a), std::move(b)}); }
inline Pattern operator-(Pattern a, Pattern b) { return node(Op::sub, {std::move(a), std::move(b)}); }
inline Pattern operator*(Pattern a, Pattern b) { return node(Op::mul, {std::move(a), std::move(b)}); }
inline Pattern operator/(Pattern a, Pattern b) { return node(Op::floordiv, {std::move(a), std::move(b)}); }
inline Pattern operator%(Pattern a, Pattern b) { return node(Op::floormod, {std::move(a), std::move(b)}); }
inline Pattern operator<(Pattern a, Pattern b) { return node(Op::cmplt, {std::move(a), std::move(b)}); }

struct Match {
  Simplifier* simplifier = nullptr;
  const Node* root = nullptr;
  std::array<const Node*, 8> bound{};
  std::int64_t c(int i) const { return const_int(bound[static_cast<std::size_t>(i)]); }
  const Node* x(int i) const { return bound[static_cast<std::size_t>(4 + i)]; }
  Interval range(int i) const;                           // of x(i)
  Interval root_source(std::size_t i) const;             // of root->src(i)
  bool is_index() const { return root->dtype == kI64; }  // index arithmetic is done in i64
};

struct Rule {
  const char* name;
  Pattern lhs, rhs;
  bool (*when)(const Match&) = nullptr;
  // Instead of rhs, for what algebra on a fixed shape cannot say; nullptr means the rule does not apply.
  const Node* (*build)(Match&) = nullptr;
};

bool matches(const Pattern& p, const Node* n, Match& m);
const Node* instantiate(const Pattern& p, DType literal_type, Match& m);

// All rules, grouped by the op at their root; for each op in the order they are tried.
const std::vector<Rule>& rules_for(Op op);

}  // namespace hcq::compute::ir
