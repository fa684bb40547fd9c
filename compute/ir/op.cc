// SPDX-License-Identifier: MIT
#include "compute/ir/op.h"

#include <array>

namespace hcq::compute::ir {
namespace {

using K = OpClass;
// In the order of the enumeration.
constexpr std::array<OpInfo, kOpCount> kOps{{
    {"constant", K::leaf, 0, false},    {"buffer", K::leaf, 0, false},      {"iota", K::leaf, 0, false},
    {"param", K::leaf, 0, false},       {"special", K::leaf, 0, false},     {"range", K::leaf, 0, false},
    {"reshape", K::movement, 1, false}, {"permute", K::movement, 1, false}, {"expand", K::movement, 1, false},
    {"pad", K::movement, 1, false},     {"shrink", K::movement, 1, false},  {"flip", K::movement, 1, false},
    {"contiguous", K::unary, 1, false}, {"reduce", K::reduce, -1, false},   {"neg", K::unary, 1, false},
    {"recip", K::unary, 1, false},      {"sqrt", K::unary, 1, false},       {"exp2", K::unary, 1, false},
    {"log2", K::unary, 1, false},       {"sin", K::unary, 1, false},        {"trunc", K::unary, 1, false},
    {"not", K::unary, 1, false},        {"cast", K::unary, 1, false},       {"bitcast", K::unary, 1, false},
    {"add", K::binary, 2, true},        {"sub", K::binary, 2, false},       {"mul", K::binary, 2, true},
    {"fdiv", K::binary, 2, false},      {"cdiv", K::binary, 2, false},      {"cmod", K::binary, 2, false},
    {"floordiv", K::binary, 2, false},  {"floormod", K::binary, 2, false},  {"max", K::binary, 2, true},
    {"min", K::binary, 2, true},        {"shl", K::binary, 2, false},       {"shr", K::binary, 2, false},
    {"and", K::binary, 2, true},        {"or", K::binary, 2, true},         {"xor", K::binary, 2, true},
    {"cmplt", K::compare, 2, false},    {"cmpeq", K::compare, 2, true},     {"cmpne", K::compare, 2, true},
    {"where", K::ternary, 3, false},    {"splat", K::vector, 1, false},     {"stack", K::vector, -1, false},
    {"extract", K::vector, 1, false},   {"index", K::memory, 2, false},     {"load", K::memory, -1, false},
    {"store", K::memory, -1, false},    {"acc", K::loop, 2, false},         {"end", K::loop, -1, false},
    {"result", K::loop, 2, false},      {"sink", K::loop, -1, false},
}};

}  // namespace

const OpInfo& info(Op op) { return kOps[static_cast<std::size_t>(op)]; }

const char* name(AxisType t) {
  switch (t) {
    case AxisType::global:
      return "global";
    case AxisType::local:
      return "local";
    case AxisType::loop:
      return "loop";
    case AxisType::upcast:
      return "upcast";
    case AxisType::reduce:
      return "reduce";
    case AxisType::unroll:
      return "unroll";
  }
  return "?";
}

}  // namespace hcq::compute::ir
