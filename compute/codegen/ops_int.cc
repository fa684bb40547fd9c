// SPDX-License-Identifier: MIT
// Integer operations: total functions (op.h), and no more instructions than the bounds of the operands require.
#include <llvm/IR/Constants.h>

#include <bit>

#include "base/bytes.h"
#include "compute/codegen/ops.h"

namespace hcq::compute::codegen {

using ir::DType;
using ir::Op;
using llvm::Value;

Value* Ops::int_binary(Op op, Value* x, Value* y, DType t, const IntFacts& facts) {
  const bool is_signed = t.is_signed();
  switch (op) {
    case Op::add:
      return b_.CreateAdd(x, y, "", facts.nuw, facts.nsw);
    case Op::sub:
      return b_.CreateSub(x, y, "", facts.nuw, facts.nsw);
    case Op::mul:
      return b_.CreateMul(x, y, "", facts.nuw, facts.nsw);
    case Op::cdiv:
    case Op::cmod:
    case Op::floordiv:
    case Op::floormod:
      return divide_int(op, x, y, t, facts);
    case Op::max:
      if (t.is_bool()) return b_.CreateOr(x, y);
      return b_.CreateBinaryIntrinsic(is_signed ? llvm::Intrinsic::smax : llvm::Intrinsic::umax, x, y);
    case Op::min:
      if (t.is_bool()) return b_.CreateAnd(x, y);
      return b_.CreateBinaryIntrinsic(is_signed ? llvm::Intrinsic::smin : llvm::Intrinsic::umin, x, y);
    case Op::shl:
    case Op::shr:
      return shift(op, x, y, t);
    case Op::bit_and:
      return b_.CreateAnd(x, y);
    case Op::bit_or:
      return b_.CreateOr(x, y);
    case Op::bit_xor:
      return b_.CreateXor(x, y);
    default:
      return nullptr;
  }
}

Value* Ops::shift(Op op, Value* x, Value* amount, DType t) {
  const auto bits = static_cast<std::int64_t>(8 * t.scalar_bytes());
  Value* in_range = b_.CreateICmpULT(amount, int_constant(amount, bits));
  Value* most = int_constant(amount, bits - 1);
  Value* safe = b_.CreateSelect(in_range, amount, most);
  if (op == Op::shr && t.is_signed()) return b_.CreateAShr(x, safe);
  Value* shifted = op == Op::shl ? b_.CreateShl(x, safe) : b_.CreateLShr(x, safe);
  return b_.CreateSelect(in_range, shifted, int_constant(x, 0));
}

// Division by a known positive number is by far the most frequent: index arithmetic.
Value* Ops::divide_int(Op op, Value* x, Value* y, DType t, const IntFacts& facts) {
  const bool want_mod = op == Op::cmod || op == Op::floormod;
  const bool floors = op == Op::floordiv || op == Op::floormod;
  const std::int64_t d = facts.constant.value_or(0);
  const bool positive = t.is_signed() ? d > 0 : d != 0;
  if (positive && (facts.x_non_negative || t.is_unsigned()))
    return want_mod ? b_.CreateURem(x, y) : b_.CreateUDiv(x, y);
  if (positive && floors && is_pow2(static_cast<std::uint64_t>(d))) {
    if (want_mod) return b_.CreateAnd(x, int_constant(x, d - 1));
    return b_.CreateAShr(x, int_constant(x, std::countr_zero(static_cast<std::uint64_t>(d))));
  }
  if (t.is_unsigned()) return divide_checked(x, y, false, want_mod, false);
  return divide_checked(x, y, true, want_mod, floors);
}

// x/0 = 0 and x%0 = x; minimum / -1 wraps: such operands are divided by 1 instead.
Value* Ops::divide_checked(Value* x, Value* y, bool is_signed, bool want_mod, bool floors) {
  Value* zero = int_constant(y, 0);
  Value* by_zero = b_.CreateICmpEQ(y, zero);
  Value* unsafe = by_zero;
  if (is_signed) {
    const auto bits = x->getType()->getScalarSizeInBits();
    Value* lowest = llvm::ConstantInt::get(x->getType(), llvm::APInt::getSignedMinValue(bits));
    Value* wraps = b_.CreateAnd(b_.CreateICmpEQ(x, lowest), b_.CreateICmpEQ(y, int_constant(y, -1)));
    unsafe = b_.CreateOr(by_zero, wraps);
  }
  Value* d = b_.CreateSelect(unsafe, int_constant(y, 1), y);
  Value* q = want_mod && !floors ? nullptr : is_signed ? b_.CreateSDiv(x, d) : b_.CreateUDiv(x, d);
  Value* r = !want_mod && !floors ? nullptr : is_signed ? b_.CreateSRem(x, d) : b_.CreateURem(x, d);
  if (floors) {
    Value* differ = b_.CreateICmpSLT(b_.CreateXor(r, d), zero);
    Value* adjust = b_.CreateAnd(b_.CreateICmpNE(r, zero), differ);
    if (want_mod) r = b_.CreateSelect(adjust, b_.CreateAdd(r, d), r);
    else q = b_.CreateSub(q, b_.CreateZExt(adjust, q->getType()));
  }
  return want_mod ? b_.CreateSelect(by_zero, x, r) : b_.CreateSelect(by_zero, zero, q);
}

}  // namespace hcq::compute::codegen
