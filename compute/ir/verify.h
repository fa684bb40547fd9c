// SPDX-License-Identifier: MIT
// What each form of the IR may contain. A pass that produces something else has a bug; tests verify after every pass.
#pragma once

#include "base/error.h"
#include "compute/ir/kernel.h"

namespace hcq::compute::ir {

// Each: Errc::internal naming the kernel and the first node that breaks the rule.
Status verify_tensor_graph(std::span<const Node* const> roots);
Status verify_graph(const KernelGraph& k);
Status verify_kernel(const Kernel& k);

// Accesses that interval analysis cannot prove to lie in their buffer (gated ones are judged by their index alone, so
// an entry here is a question, not an error). Used by tests on schedules without masks.
std::vector<const Node*> unproven_accesses(const KernelGraph& k);

}  // namespace hcq::compute::ir
