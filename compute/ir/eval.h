// SPDX-License-Identifier: MIT
// The meaning of every elementwise op on one lane. The interpreter, constant folding and the rule fuzzer all call this,
// so that a folded constant equals the value computed at run time.
#pragma once

#include <span>

#include "compute/ir/dtype.h"
#include "compute/ir/op.h"

namespace hcq::compute::ir {

// `result` is the node's type, `operand` the type of its last source (for `where`: of its branches).
Number evaluate(Op op, Scalar result, Scalar operand, std::span<const Number> src);

// Floor division and remainder with the rules of op.h (division by zero included), for index math on the host.
std::int64_t floor_div(std::int64_t a, std::int64_t b);
std::int64_t floor_mod(std::int64_t a, std::int64_t b);

}  // namespace hcq::compute::ir
