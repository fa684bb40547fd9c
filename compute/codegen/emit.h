// SPDX-License-Identifier: MIT
// One work-item of a kernel as LLVM IR, the same on every target.
#pragma once

#include <llvm/IR/IRBuilder.h>

#include "compute/codegen/target.h"
#include "compute/ir/kernel.h"

namespace hcq::compute::codegen {

// Emits kernel.code behind the builder's position. Errc::unimplemented names an op or type that cannot be emitted.
Status emit_work_item(const ir::Kernel& kernel, const Machine& machine, llvm::IRBuilder<>& b, const WorkItem& item);

}  // namespace hcq::compute::codegen
