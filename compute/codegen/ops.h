// SPDX-License-Identifier: MIT
// The types and elementwise operations of the IR in LLVM's terms, with the semantics of op.h on every target.
//
// Values have the LLVM type one expects, with two exceptions: bf16 is held as the f32 that equals it (hosts without
// bf16 arithmetic would call library functions otherwise), and bool is i1 but one byte in memory.
#pragma once

#include <llvm/IR/IRBuilder.h>

#include <cstdint>
#include <optional>

#include "compute/ir/node.h"

namespace hcq::compute::codegen {

// What the bounds of an integer operation's operands and result say.
struct IntFacts {
  bool nsw = false, nuw = false;         // the result never wraps
  bool x_non_negative = false;           // the first operand
  std::optional<std::int64_t> constant;  // the value of the second operand
};

class Ops {
 public:
  explicit Ops(llvm::IRBuilder<>& b) : b_(b) {}

  llvm::Type* value_type(ir::DType t);
  llvm::Type* memory_type(ir::DType t);
  llvm::Value* from_memory(llvm::Value* raw, ir::DType t);
  llvm::Value* to_memory(llvm::Value* v, ir::DType t);
  llvm::Value* constant(const ir::Node* n);
  llvm::Value* int_constant(llvm::Value* like, std::int64_t v);

  // nullptr: the op is not defined for the type.
  llvm::Value* unary(ir::Op op, llvm::Value* x, ir::DType from, ir::DType to);
  llvm::Value* float_binary(ir::Op op, llvm::Value* x, llvm::Value* y, ir::DType t);
  llvm::Value* int_binary(ir::Op op, llvm::Value* x, llvm::Value* y, ir::DType t, const IntFacts& facts);
  llvm::Value* compare(ir::Op op, llvm::Value* x, llvm::Value* y, ir::DType operands);

 private:
  llvm::Type* scalar_type(ir::Scalar s);
  llvm::Value* cast(llvm::Value* x, ir::DType from, ir::DType to);
  llvm::Value* int_to_float(llvm::Value* x, ir::DType from, ir::DType to);
  llvm::Value* float_to_float(llvm::Value* x, ir::DType from, ir::DType to);
  llvm::Value* round_bf16(llvm::Value* v);
  llvm::Value* rounded(llvm::Value* v, ir::DType t);
  llvm::Value* round_to_odd(llvm::Value* v);
  llvm::Value* widened(llvm::Value* v);
  llvm::Value* narrowed(llvm::Value* v, ir::DType t);
  llvm::Value* divide(llvm::Value* a, llvm::Value* d, float ulps);
  llvm::Value* shift(ir::Op op, llvm::Value* x, llvm::Value* amount, ir::DType t);
  llvm::Value* divide_int(ir::Op op, llvm::Value* x, llvm::Value* y, ir::DType t, const IntFacts& facts);
  llvm::Value* divide_checked(llvm::Value* x, llvm::Value* y, bool is_signed, bool want_mod, bool floors);

  llvm::IRBuilder<>& b_;
};

}  // namespace hcq::compute::codegen
