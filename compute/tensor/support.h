// SPDX-License-Identifier: MIT
// Shared by the files of this folder: errors, axes and broadcasting.
#pragma once

#include <string>
#include <vector>

#include "compute/tensor/tensor.h"

namespace hcq::compute {

// Errc::invalid_argument, thrown.
[[noreturn]] void fail(std::string operation, std::string detail);

// Axis numbers counted from the end when negative, checked against the rank and for repetitions. Empty: `all`.
std::vector<std::int64_t> normal_axes(const char* operation, const Tensor& t, std::vector<std::int64_t> axes, bool all);

// The shape two shapes broadcast to.
Shape broadcast(const char* operation, const Shape& a, const Shape& b);

// Brings both to one shape and type (ir::promote).
void match(const char* operation, Tensor& a, Tensor& b);

// A unary or binary node on operands that match.
Tensor apply(ir::Op op, const Tensor& x);
Tensor apply(ir::Op op, const Tensor& a, const Tensor& b, DType result);

}  // namespace hcq::compute
