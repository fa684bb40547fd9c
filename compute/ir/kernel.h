// SPDX-License-Identifier: MIT
// A kernel in its two forms. The scheduler makes a KernelGraph, the optimizer splits its axes, lower/ turns it into a
// Kernel, and the interpreter and codegen/ run or compile that.
#pragma once

#include <cstdint>
#include <memory>
#include <string>
#include <vector>

#include "base/bytes.h"
#include "base/error.h"
#include "compute/ir/node.h"

namespace hcq::compute::ir {

// One pointer argument. Slots are dense and in argument order.
struct Param {
  DType dtype;             // element type, one lane
  std::uint64_t elements;  // size of the buffer; every access lies in [0, elements)
  bool written = false;    // the kernel stores to it (and then never loads from it)
};

// Unordered: a sink over stores whose free ranges are the axes of the kernel. Meaning: for every point of the axes that
// are not reduce or unroll, every store runs once; the points are independent of each other.
struct KernelGraph {
  std::shared_ptr<Context> context;
  std::string name;
  std::vector<Param> params;
  const Node* sink = nullptr;
  std::uint64_t hash() const;  // contents without the name; equal kernels have equal hashes in every process
};

// Ordered and launchable. `code` is in SSA form and execution order for one work-item:
//   - every node comes after its sources; each node is listed once, except that `index` nodes may be left for their
//     load or store to fold into an address;
//   - a `range` opens a loop that the `end` naming it closes; loops nest; what is listed inside runs once an iteration
//     and is not used outside, except through `result`;
//   - accs of a loop follow its range directly.
// The ops that may occur: constant, param, special, range, unary, binary, compare, ternary, vector, index, load, store,
// acc, end, result (verify_kernel checks it).
struct Kernel {
  std::shared_ptr<Context> context;
  std::string name;  // a C identifier; the symbol of the compiled kernel
  std::vector<Param> params;
  std::vector<const Node*> code;
  std::uint32_t groups[3] = {1, 1, 1};  // workgroups
  std::uint32_t block[3] = {1, 1, 1};   // work-items in one workgroup
  std::uint64_t flops = 0;              // float operations of the whole launch, for reports
  std::uint64_t hash() const;           // as KernelGraph::hash, over code, params, groups and block
};

// Kernel arguments in memory: one 8-byte little-endian device address per param, in slot order; nothing else.
inline std::uint32_t kernarg_bytes(const Kernel& k) { return static_cast<std::uint32_t>(8 * k.params.size()); }

}  // namespace hcq::compute::ir
