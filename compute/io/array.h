// SPDX-License-Identifier: MIT
// What the file readers give and the writers take: a dense row-major array in host memory.
#pragma once

#include <cstddef>
#include <string>
#include <vector>

#include "base/bytes.h"
#include "base/error.h"
#include "compute/ir/dtype.h"
#include "compute/schedule/shape.h"

namespace hcq::compute::io {

struct Array {
  ir::DType dtype;
  Shape shape;
  std::vector<std::byte> data;
};

// Bytes that a dense array takes; Errc::corrupt naming `subject` for negative extents and sizes that do not fit 2^62.
Result<std::uint64_t> dense_bytes(const Shape& shape, ir::DType t, const std::string& subject);

}  // namespace hcq::compute::io
