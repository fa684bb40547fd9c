// SPDX-License-Identifier: MIT
// Types, memory formats, floats and conversions.
#include "compute/codegen/ops.h"

#include <llvm/IR/Constants.h>
#include <llvm/IR/DerivedTypes.h>
#include <llvm/IR/MDBuilder.h>

#include "compute/codegen/math.h"

namespace hcq::compute::codegen {

using ir::DType;
using ir::Op;
using ir::Scalar;
using llvm::Value;

namespace {

llvm::Type* with_lanes(llvm::Type* t, unsigned lanes) { return lanes == 1 ? t : llvm::FixedVectorType::get(t, lanes); }

// Only products and sums may be fused, and only the sum of a product.
Value* contractable(Value* v) {
  if (auto* i = llvm::dyn_cast<llvm::Instruction>(v)) i->setHasAllowContract(true);
  return v;
}

}  // namespace

llvm::Type* Ops::scalar_type(Scalar s) {
  switch (s) {
    case Scalar::boolean:
      return b_.getInt1Ty();
    case Scalar::f16:
      return b_.getHalfTy();
    case Scalar::bf16:
    case Scalar::f32:
      return b_.getFloatTy();
    case Scalar::f64:
      return b_.getDoubleTy();
    default:
      return b_.getIntNTy(8 * ir::info(s).bytes);
  }
}

llvm::Type* Ops::value_type(DType t) { return with_lanes(scalar_type(t.scalar), t.lanes); }

llvm::Type* Ops::memory_type(DType t) {
  if (t.is_bool()) return with_lanes(b_.getInt8Ty(), t.lanes);
  if (t.scalar == Scalar::bf16) return with_lanes(b_.getInt16Ty(), t.lanes);
  return value_type(t);
}

Value* Ops::from_memory(Value* raw, DType t) {
  if (t.is_bool()) return b_.CreateICmpNE(raw, int_constant(raw, 0));
  if (t.scalar != Scalar::bf16) return raw;
  Value* wide = b_.CreateZExt(raw, with_lanes(b_.getInt32Ty(), t.lanes));
  return b_.CreateBitCast(b_.CreateShl(wide, int_constant(wide, 16)), value_type(t));
}

Value* Ops::to_memory(Value* v, DType t) {
  if (t.is_bool()) return b_.CreateZExt(v, memory_type(t));
  if (t.scalar != Scalar::bf16) return v;
  Value* bits = b_.CreateBitCast(v, with_lanes(b_.getInt32Ty(), t.lanes));
  return b_.CreateTrunc(b_.CreateLShr(bits, int_constant(bits, 16)), memory_type(t));
}

Value* Ops::int_constant(Value* like, std::int64_t v) {
  return llvm::ConstantInt::get(like->getType(), static_cast<std::uint64_t>(v), true);
}

Value* Ops::constant(const ir::Node* n) {
  llvm::Type* t = value_type(n->dtype);
  if (n->dtype.is_float()) return llvm::ConstantFP::get(t, ir::const_float(n));
  return llvm::ConstantInt::get(t, static_cast<std::uint64_t>(ir::const_int(n)), true);
}

// Rounds an f32 to the nearest bf16, which stays in an f32. NaN becomes quiet and keeps its upper payload.
Value* Ops::round_bf16(Value* v) {
  Value* bits = b_.CreateBitCast(v, v->getType()->getWithNewType(b_.getInt32Ty()));
  const auto c = [&](std::int64_t k) { return int_constant(bits, k); };
  Value* even = b_.CreateAnd(b_.CreateLShr(bits, c(16)), c(1));
  Value* rounded = b_.CreateAdd(b_.CreateAdd(bits, c(0x7fff)), even);
  rounded = b_.CreateSelect(b_.CreateFCmpUNO(v, v), b_.CreateOr(bits, c(0x00400000)), rounded);
  return b_.CreateBitCast(b_.CreateAnd(rounded, c(0xffff0000)), v->getType());
}
// After an operation on values of type t.
Value* Ops::rounded(Value* v, DType t) { return t.scalar == Scalar::bf16 ? round_bf16(v) : v; }

// f64 to f32 such that rounding the result once more, to a narrower type, is right: toward zero, and the last bit set
// if anything was lost.
Value* Ops::round_to_odd(Value* v) {
  llvm::Type* narrow = v->getType()->getWithNewType(b_.getFloatTy());
  Value* near = b_.CreateFPTrunc(v, narrow);
  Value* back = b_.CreateFPExt(near, v->getType());
  Value* bits = b_.CreateBitCast(near, narrow->getWithNewType(b_.getInt32Ty()));
  const auto abs = [&](Value* x) { return b_.CreateUnaryIntrinsic(llvm::Intrinsic::fabs, x); };
  Value* away = b_.CreateFCmpOGT(abs(back), abs(v));
  Value* down = b_.CreateSub(bits, b_.CreateZExt(away, bits->getType()));
  Value* lost = b_.CreateFCmpONE(back, v);
  return b_.CreateBitCast(b_.CreateOr(down, b_.CreateZExt(lost, bits->getType())), narrow);
}

// Divisions may be off by `ulps`; GPUs then need no correction sequence.
Value* Ops::divide(Value* a, Value* d, float ulps) {
  Value* v = b_.CreateFDiv(a, d);
  if (auto* i = llvm::dyn_cast<llvm::Instruction>(v); i && a->getType()->getScalarType()->isFloatTy())
    i->setMetadata(llvm::LLVMContext::MD_fpmath, llvm::MDBuilder(b_.getContext()).createFPMath(ulps));
  return v;
}

// The wide type in which a function of a half float is computed.
Value* Ops::widened(Value* v) {
  if (!v->getType()->getScalarType()->isHalfTy()) return v;
  return b_.CreateFPExt(v, v->getType()->getWithNewType(b_.getFloatTy()));
}
Value* Ops::narrowed(Value* v, DType t) {
  if (t.scalar == Scalar::f16) return b_.CreateFPTrunc(v, value_type(t));
  return rounded(v, t);
}

Value* Ops::unary(Op op, Value* x, DType from, DType t) {
  switch (op) {
    case Op::neg:
      return t.is_float() ? b_.CreateFNeg(x) : b_.CreateNeg(x);
    case Op::recip:
      return rounded(divide(llvm::ConstantFP::get(x->getType(), 1.0), x, 1.0f), t);
    case Op::sqrt:
      return rounded(b_.CreateUnaryIntrinsic(llvm::Intrinsic::sqrt, x), t);
    case Op::exp2:
      return narrowed(emit_exp2(b_, widened(x)), t);
    case Op::log2:
      return narrowed(emit_log2(b_, widened(x)), t);
    case Op::sin:
      return narrowed(emit_sin(b_, widened(x)), t);
    case Op::trunc:
      return b_.CreateUnaryIntrinsic(llvm::Intrinsic::trunc, x);
    case Op::logic_not:
      return b_.CreateNot(x);
    case Op::cast:
      return cast(x, from, t);
    case Op::bitcast:
      return from_memory(b_.CreateBitCast(to_memory(x, from), memory_type(t)), t);
    default:
      return nullptr;
  }
}

Value* Ops::float_binary(Op op, Value* x, Value* y, DType t) {
  switch (op) {
    case Op::add:
      return rounded(contractable(b_.CreateFAdd(x, y)), t);
    case Op::sub:
      return rounded(b_.CreateFSub(x, y), t);
    case Op::mul:
      return rounded(contractable(b_.CreateFMul(x, y)), t);
    case Op::fdiv:
      return rounded(divide(x, y, 2.5f), t);
    case Op::max:
    case Op::min: {
      // The comparison is false with a NaN in it, which then passes a NaN in y; one in x is put back.
      Value* first = op == Op::max ? b_.CreateFCmpOGT(x, y) : b_.CreateFCmpOLT(x, y);
      return b_.CreateSelect(b_.CreateFCmpUNO(x, x), x, b_.CreateSelect(first, x, y));
    }
    default:
      return nullptr;
  }
}

Value* Ops::compare(Op op, Value* x, Value* y, DType t) {
  if (t.is_float()) {
    if (op == Op::cmplt) return b_.CreateFCmpOLT(x, y);
    return op == Op::cmpeq ? b_.CreateFCmpOEQ(x, y) : b_.CreateFCmpUNE(x, y);
  }
  if (op == Op::cmplt) return t.is_signed() ? b_.CreateICmpSLT(x, y) : b_.CreateICmpULT(x, y);
  return op == Op::cmpeq ? b_.CreateICmpEQ(x, y) : b_.CreateICmpNE(x, y);
}

Value* Ops::cast(Value* x, DType from, DType to) {
  if (from.scalar == to.scalar) return x;
  if (to.is_bool()) {
    if (from.is_float()) return b_.CreateFCmpUNE(x, llvm::ConstantFP::get(x->getType(), 0.0));
    return b_.CreateICmpNE(x, int_constant(x, 0));
  }
  if (to.is_float()) return from.is_float() ? float_to_float(x, from, to) : int_to_float(x, from, to);
  if (from.is_float()) {
    const auto id = to.is_signed() ? llvm::Intrinsic::fptosi_sat : llvm::Intrinsic::fptoui_sat;
    Value* wide = widened(x);
    return b_.CreateIntrinsic(id, {value_type(to), wide->getType()}, {wide});
  }
  return from.is_signed() ? b_.CreateSExtOrTrunc(x, value_type(to)) : b_.CreateZExtOrTrunc(x, value_type(to));
}

Value* Ops::int_to_float(Value* x, DType from, DType to) {
  const auto convert = [&](llvm::Type* t) { return from.is_signed() ? b_.CreateSIToFP(x, t) : b_.CreateUIToFP(x, t); };
  if (to.scalar != Scalar::bf16) return convert(value_type(to));
  if (from.scalar_bytes() < 4) return round_bf16(convert(value_type(to)));
  return round_bf16(round_to_odd(convert(with_lanes(b_.getDoubleTy(), to.lanes))));
}

Value* Ops::float_to_float(Value* x, DType from, DType to) {
  if (to.scalar == Scalar::bf16) {
    if (from.scalar == Scalar::f64) return round_bf16(round_to_odd(x));
    return round_bf16(widened(x));
  }
  return b_.CreateFPCast(x, value_type(to));
}

}  // namespace hcq::compute::codegen
