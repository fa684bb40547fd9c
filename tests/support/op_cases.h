// SPDX-License-Identifier: MIT
// Kernels that together use every elementwise op on every type it is defined for, over all pairs of edge values, and
// the check of what they computed against the definition (ir/eval.h). For every target that code is generated for.
#pragma once

#include <string>
#include <vector>

#include "compute/ir/eval.h"
#include "tests/support/kernel_maker.h"

namespace hcq::test {

struct OpCase {
  ir::Op op;
  double ulps = 0;      // allowed error of floats
  double absolute = 0;  // or this, whichever allows more
};

// One kernel: two inputs of type `operand`, one output of type `result` for each op.
struct OpBatch {
  ir::Scalar operand, result;
  std::vector<OpCase> ops;  // all unary or all binary
  unsigned lanes = 1;
  std::string name() const;
};

std::vector<OpBatch> integer_batches();
std::vector<OpBatch> float_batches();  // arithmetic and math functions
std::vector<OpBatch> cast_batches();
std::vector<OpBatch> all_batches();

struct OpRun {
  explicit OpRun(const OpBatch& batch);
  // Empty, or what was wrong with the first wrong element.
  std::string check() const;

  OpBatch batch;
  ir::Kernel kernel;
  Buffers buffers;  // inputs filled in

 private:
  std::vector<ir::Number> a_, b_;
};

// Distance in units of the last place, counted over the ordered bit patterns; NaN equals NaN.
double ulps_between(ir::Scalar s, double a, double b);

}  // namespace hcq::test
