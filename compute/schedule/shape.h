// SPDX-License-Identifier: MIT
// Shapes of tensor graph nodes.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "compute/ir/node.h"

namespace hcq::compute {

using Shape = std::vector<std::int64_t>;

std::int64_t elements(const Shape& s);  // the largest std::int64_t if there are more
// Whether offsets fit into 64 bits with room to compute: at most 2^60 elements, extents of zero counted as one.
bool countable(const Shape& s);
std::vector<std::int64_t> row_major_strides(const Shape& s);
std::string to_string(const Shape& s);  // "(2, 3)"

// The shape of a node from those of its sources (only the first counts: elementwise operands have equal shapes, and a
// constant has shape ()).
Shape shape_of(const ir::Node* n, const Shape& first_source);

}  // namespace hcq::compute
