// SPDX-License-Identifier: MIT
// Random kernels: expressions over all types, loops with carried values, masked loads and stores, vectors. Their
// results do not depend on rounding or contraction (floats are kept to small whole numbers), so every way to run one
// must agree with the interpreter bit for bit.
#pragma once

#include <string>

#include "tests/support/kernel_maker.h"

namespace hcq::test {

struct RandomKernel {
  explicit RandomKernel(unsigned seed);
  // Runs it in the interpreter and compares with what `got` holds; empty, or what differs.
  std::string compare(const Buffers& got) const;

  ir::Kernel kernel;
  Buffers buffers;  // inputs filled in, outputs zero
};

}  // namespace hcq::test
