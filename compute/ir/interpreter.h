// SPDX-License-Identifier: MIT
// Runs a Kernel on the host exactly as op.h says, one work-item after the other, with every access checked. It is the
// definition that code generators are tested against, not a fast path.
#pragma once

#include <span>

#include "base/bytes.h"
#include "base/error.h"
#include "compute/ir/kernel.h"

namespace hcq::compute::ir {

// Memory of one parameter. A view without data only checks bounds: loads give zero, stores vanish.
struct ParamMemory {
  std::byte* data = nullptr;
  std::uint64_t bytes = 0;
};

// Workgroups are numbered x fastest.
struct GroupRange {
  std::uint64_t first = 0, count = ~0ull;
};

// Errc::invalid_argument if the memory does not fit the parameters; Errc::device_fault with kernel, parameter and
// element for an access outside its buffer.
Status interpret(const Kernel& k, std::span<const ParamMemory> params, GroupRange groups = {});

}  // namespace hcq::compute::ir
