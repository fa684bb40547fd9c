// SPDX-License-Identifier: MIT
// The same jobs in double precision on the host, written without the compute layer, to check devices against.
#pragma once

#include <cstdint>
#include <vector>

#include "base/bytes.h"
#include "base/error.h"
#include "compute/tensor/tensor.h"

namespace hcq::run {

// The elements of a tensor after their promotion to the result's type: as numbers for a float, exactly for an integer.
struct Operand {
  compute::Shape shape;
  std::vector<compute::ir::Number> values;
};
// `data` is row-major and holds elements of `type`.
Operand operand(const compute::Shape& shape, compute::DType type, Bytes data);

// For a float, value[i] is the exact result up to double rounding, scale[i] the sum of the magnitudes that went into it
// and terms their number: rounding errors of any summation order stay below terms * scale * epsilon of the accumulator.
// For an integer, exact[i] is the result modulo 2^64: integers wrap, and every order of summation gives the same.
struct Reference {
  compute::DType type;
  std::vector<double> value, scale;
  std::vector<std::uint64_t> exact;
  double terms = 1;
};

// `type` is that of the result, and of both operands.
Result<Reference> reference_matmul(const Operand& a, const Operand& b, compute::DType type);
Result<Reference> reference_add(const Operand& a, const Operand& b, compute::DType type);

struct Comparison {
  double max_error = 0;  // largest |result - reference|
  double bound = 0;      // allowed where that error occurred
  bool within = true;    // every element within its own bound
  bool ok() const { return within; }
};
// `result` holds elements of the reference's type.
Comparison compare(const Reference& reference, Bytes result);

}  // namespace hcq::run
