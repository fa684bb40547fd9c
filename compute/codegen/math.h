// SPDX-License-Identifier: MIT
// exp2, log2 and sin as straight-line code: no calls, no branches, the same operations on every target. Where the
// target has fused multiply-add (gfx11; x86 with FMA) the results are the same bit for bit. Error bounds: op.h; checked
// over the whole range by tests/unit/codegen_math.cc.
#pragma once

#include <llvm/IR/IRBuilder.h>

namespace hcq::compute::codegen {

// x is float, double or a vector of them.
llvm::Value* emit_exp2(llvm::IRBuilder<>& b, llvm::Value* x);
llvm::Value* emit_log2(llvm::IRBuilder<>& b, llvm::Value* x);
llvm::Value* emit_sin(llvm::IRBuilder<>& b, llvm::Value* x);

}  // namespace hcq::compute::codegen
