// SPDX-License-Identifier: MIT
// The same jobs in double precision on the host, written without the compute layer, to check devices against.
#pragma once

#include <cstdint>
#include <vector>

#include "base/error.h"
#include "compute/tensor/tensor.h"

namespace hcq::run {

struct Operand {
  compute::Shape shape;
  std::vector<float> values;
};

// value[i] is the exact result up to double rounding, scale[i] the sum of the magnitudes that went into it and terms
// their number: rounding errors of any summation order stay below terms * scale * epsilon of the result's type.
struct Reference {
  std::vector<double> value, scale;
  double terms = 1;
};

Result<Reference> reference_matmul(const Operand& a, const Operand& b);
Result<Reference> reference_add(const Operand& a, const Operand& b);

struct Comparison {
  double max_error = 0;  // largest |result - reference|
  double bound = 0;      // allowed where that error occurred
  bool within = true;    // every element within its own bound
  bool ok() const { return within; }
};
Comparison compare(const Reference& reference, const std::vector<float>& result, compute::DType dtype);

}  // namespace hcq::run
