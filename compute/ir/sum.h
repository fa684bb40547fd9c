// SPDX-License-Identifier: MIT
// An integer expression as constant + sum of coefficient * term: the form in which div and mod by a constant, and the
// recombination of what a reshape took apart, are easy to see.
#pragma once

#include <cstdint>
#include <optional>
#include <vector>

#include "compute/ir/simplify.h"

namespace hcq::compute::ir {

struct Term {
  const Node* node;
  std::int64_t coefficient;
};

struct Sum {
  std::vector<Term> terms;  // sorted by the terms' hash, no two with the same node, no zero coefficients
  std::int64_t constant = 0;
};

// Takes an i64 expression apart; nothing for sums of more terms than are worth looking at, or on overflow.
std::optional<Sum> split_sum(const Node* n);
// The expression again, in canonical order.
const Node* build_sum(Simplifier& s, const Sum& sum);
// Bounds of the sum as a true integer; unknown if it (or the expression it came from) could wrap.
Interval bounds(Simplifier& s, const Sum& sum);

// (sum) // c and (sum) % c for c > 0, or nullptr if nothing can be said. Both expect bounds(sum).known.
const Node* divide_sum(Simplifier& s, const Sum& sum, std::int64_t c);
const Node* remainder_sum(Simplifier& s, const Sum& sum, std::int64_t c);
// Joins (e // c) * (c * d) + (e % c) * d into e * d; true if it did.
bool recombine(Simplifier& s, Sum& sum);

}  // namespace hcq::compute::ir
