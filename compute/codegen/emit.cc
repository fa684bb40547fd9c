// SPDX-License-Identifier: MIT
#include "compute/codegen/emit.h"

#include <llvm/IR/Constants.h>
#include <llvm/IR/MDBuilder.h>

#include <bit>
#include <unordered_map>

#include "compute/codegen/math.h"
#include "compute/ir/interval.h"

namespace hcq::compute::codegen {
namespace {

using ir::DType;
using ir::Node;
using ir::Op;
using ir::Scalar;
using llvm::Value;

// Values have the LLVM type one expects, with two exceptions: bf16 is held as the f32 that equals it (hosts without
// bf16 arithmetic would call library functions otherwise), and bool is i1 but one byte in memory.
class Emitter {
 public:
  Emitter(const ir::Kernel& kernel, const Machine& machine, llvm::IRBuilder<>& b, const WorkItem& item)
      : kernel_(kernel), machine_(machine), b_(b), item_(item) {}

  Status run() {
    for (const Node* n : kernel_.code) {
      note_interval(n);
      HCQ_TRY(emit(n));
    }
    return {};
  }

 private:
  // --- types and constants
  // --------------------------------------------------------------------------------------------

  llvm::Type* scalar_type(Scalar s) {
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
  llvm::Type* with_lanes(llvm::Type* t, unsigned lanes) {
    return lanes == 1 ? t : llvm::FixedVectorType::get(t, lanes);
  }
  llvm::Type* value_type(DType t) { return with_lanes(scalar_type(t.scalar), t.lanes); }
  llvm::Type* memory_type(DType t) {
    if (t.is_bool()) return with_lanes(b_.getInt8Ty(), t.lanes);
    if (t.scalar == Scalar::bf16) return with_lanes(b_.getInt16Ty(), t.lanes);
    return value_type(t);
  }
  Value* int_constant(Value* like, std::int64_t v) {
    return llvm::ConstantInt::get(like->getType(), static_cast<std::uint64_t>(v), true);
  }
  Value* constant(const Node* n) {
    llvm::Type* t = value_type(n->dtype);
    if (n->dtype.is_float()) return llvm::ConstantFP::get(t, ir::const_float(n));
    return llvm::ConstantInt::get(t, static_cast<std::uint64_t>(ir::const_int(n)), true);
  }

  // --- the list
  // -------------------------------------------------------------------------------------------------------

  Status emit(const Node* n) {
    switch (n->op) {
      case Op::constant:
        return set(n, constant(n));
      case Op::param:
        return set(n, item_.params[static_cast<std::size_t>(n->arg.i)]);
      case Op::special:
        return set(n, (n->arg.j == 0 ? item_.group : item_.local)[static_cast<std::size_t>(n->arg.i)]);
      case Op::index:
        return {};  // becomes part of its load or store
      case Op::load:
        return emit_load(n);
      case Op::store:
        return emit_store(n);
      case Op::range:
        return open_loop(n);
      case Op::acc:
        return emit_acc(n);
      case Op::end:
        return close_loop(n);
      case Op::result:
        return set(n, at(results_, n->src(1)));
      case Op::splat:
        return set(n, b_.CreateVectorSplat(n->dtype.lanes, value(n->src(0))));
      case Op::stack: {
        Value* v = llvm::PoisonValue::get(value_type(n->dtype));
        for (unsigned i = 0; i < n->src_count; ++i) v = b_.CreateInsertElement(v, value(n->src(i)), i);
        return set(n, v);
      }
      case Op::extract:
        return set(n, b_.CreateExtractElement(value(n->src(0)), static_cast<std::uint64_t>(n->arg.i)));
      case Op::where:
        return set(n, b_.CreateSelect(value(n->src(0)), value(n->src(1)), value(n->src(2))));
      case Op::cmplt:
      case Op::cmpeq:
      case Op::cmpne:
        return set(n, compare(n));
      default:
        break;
    }
    Value* v = nullptr;
    if (ir::info(n->op).kind == ir::OpClass::unary) v = unary(n);
    if (ir::info(n->op).kind == ir::OpClass::binary) v = n->dtype.is_float() ? float_binary(n) : int_binary(n);
    if (v) return set(n, v);
    return Error{.code = Errc::unimplemented,
                 .operation = "codegen/emit",
                 .subject = kernel_.name,
                 .detail = "cannot emit " + ir::to_string(n)};
  }

  using Values = std::unordered_map<const Node*, Value*>;
  static Value* at(const Values& values, const Node* n) {
    const auto it = values.find(n);
    assert(it != values.end() && "a node is used before it is listed");
    return it->second;
  }
  Value* value(const Node* n) const { return at(values_, n); }
  Status set(const Node* n, Value* v) {
    assert(v);
    values_[n] = v;
    return {};
  }

  // --- integer bounds
  // -------------------------------------------------------------------------------------------------

  void note_interval(const Node* n) {
    if (!n->dtype.is_int()) return;
    std::vector<ir::Interval> src;
    for (const Node* s : n->src()) src.push_back(bounds(s));
    intervals_[n] = ir::interval_of(n, src);
  }
  ir::Interval bounds(const Node* n) const {
    const auto it = intervals_.find(n);
    return it == intervals_.end() ? ir::Interval{} : it->second;
  }
  bool non_negative(const Node* n) const {
    const ir::Interval i = bounds(n);
    return n->dtype.is_unsigned() || (i.known && i.lo >= 0);
  }
  // interval_of() answers with the whole type where the operation may wrap.
  bool never_wraps(const Node* n) const {
    const ir::Interval i = bounds(n), all = ir::type_interval(n->dtype.scalar);
    return n->dtype.is_signed() && i.known && (i.lo > all.lo || i.hi < all.hi);
  }

  // --- memory
  // ---------------------------------------------------------------------------------------------------------

  // The address of element `i`, which is known to lie inside the parameter: never negative, below its size.
  Value* address(const Node* index, Value* i) {
    const ir::Param& p = kernel_.params[static_cast<std::size_t>(index->src(0)->arg.i)];
    Value* base = item_.params[static_cast<std::size_t>(index->src(0)->arg.i)];
    const std::uint64_t bytes = p.dtype.scalar_bytes();
    if (machine_.wants_32bit_offsets() && p.elements * bytes <= (1ull << 32)) {
      Value* offset = b_.CreateZExtOrTrunc(i, b_.getInt32Ty());
      if (bytes > 1) offset = b_.CreateMul(offset, b_.getInt32(static_cast<std::uint32_t>(bytes)), "", true, false);
      return b_.CreateInBoundsGEP(b_.getInt8Ty(), base, b_.CreateZExt(offset, b_.getInt64Ty()));
    }
    return b_.CreateInBoundsGEP(memory_type(p.dtype), base, b_.CreateSExtOrTrunc(i, b_.getInt64Ty()));
  }

  llvm::Align alignment(const Node* access, DType t) {
    const auto elements = static_cast<std::uint64_t>(access->arg.i < 1 ? 1 : access->arg.i);
    return llvm::Align(std::bit_floor(elements) * t.scalar_bytes());
  }

  Value* from_memory(Value* raw, DType t) {
    if (t.is_bool()) return b_.CreateICmpNE(raw, int_constant(raw, 0));
    if (t.scalar != Scalar::bf16) return raw;
    Value* wide = b_.CreateZExt(raw, with_lanes(b_.getInt32Ty(), t.lanes));
    return b_.CreateBitCast(b_.CreateShl(wide, int_constant(wide, 16)), value_type(t));
  }
  Value* to_memory(Value* v, DType t) {
    if (t.is_bool()) return b_.CreateZExt(v, memory_type(t));
    if (t.scalar != Scalar::bf16) return v;
    Value* bits = b_.CreateBitCast(v, with_lanes(b_.getInt32Ty(), t.lanes));
    return b_.CreateTrunc(b_.CreateLShr(bits, int_constant(bits, 16)), memory_type(t));
  }

  Value* plain_load(const Node* n, Value* i) {
    auto* load = b_.CreateAlignedLoad(memory_type(n->dtype), address(n->src(0), i), alignment(n, n->dtype));
    // A kernel never reads what it writes, so what is read does not change while it runs.
    load->setMetadata(llvm::LLVMContext::MD_invariant_load, llvm::MDNode::get(b_.getContext(), {}));
    return from_memory(load, n->dtype);
  }

  // A masked lane reads element 0 instead, which always exists: no branch, and vectorizers stay happy. Only a vector
  // longer than the whole buffer needs one.
  Status emit_load(const Node* n) {
    const Node* index = n->src(0);
    Value* i = value(index->src(1));
    if (n->src_count == 1) return set(n, plain_load(n, i));
    Value *gate = value(n->src(1)), *alt = value(n->src(2));
    const std::uint64_t elements = kernel_.params[static_cast<std::size_t>(index->src(0)->arg.i)].elements;
    if (elements >= n->dtype.lanes) {
      i = b_.CreateSelect(gate, i, int_constant(i, 0));
      return set(n, b_.CreateSelect(gate, plain_load(n, i), alt));
    }
    return set(n, alt);  // no element range of this length exists, so the gate is never true
  }

  Status emit_store(const Node* n) {
    const Node* index = n->src(0);
    const DType t = n->src(1)->dtype;
    Value* i = value(index->src(1));
    llvm::BasicBlock* after = nullptr;
    if (n->src_count == 3) {
      auto* f = b_.GetInsertBlock()->getParent();
      auto* doit = llvm::BasicBlock::Create(b_.getContext(), "store", f);
      after = llvm::BasicBlock::Create(b_.getContext(), "stored", f);
      b_.CreateCondBr(value(n->src(2)), doit, after);
      b_.SetInsertPoint(doit);
    }
    b_.CreateAlignedStore(to_memory(value(n->src(1)), t), address(index, i), alignment(n, t));
    if (after) {
      b_.CreateBr(after);
      b_.SetInsertPoint(after);
    }
    return {};
  }

  // --- loops
  // ----------------------------------------------------------------------------------------------------------

  Status open_loop(const Node* n) {
    auto* before = b_.GetInsertBlock();
    auto* header = llvm::BasicBlock::Create(b_.getContext(), "loop", before->getParent());
    b_.CreateBr(header);
    b_.SetInsertPoint(header);
    auto* index = b_.CreatePHI(value_type(n->dtype), 2);
    index->addIncoming(int_constant(index, 0), before);
    loop_entry_[n] = before;
    return set(n, index);
  }

  Status emit_acc(const Node* n) {
    auto* phi = llvm::PHINode::Create(value_type(n->dtype), 2);
    auto* header = llvm::cast<llvm::PHINode>(value(n->src(1)))->getParent();
    phi->insertInto(header, header->getFirstNonPHIIt());
    phi->addIncoming(value(n->src(0)), loop_entry_.at(n->src(1)));
    return set(n, phi);
  }

  // Loops run at least once, so the test stands at the bottom.
  Status close_loop(const Node* n) {
    const Node* range = n->src(0);
    auto* index = llvm::cast<llvm::PHINode>(value(range));
    Value* next = b_.CreateAdd(index, int_constant(index, 1), "", true, true);
    auto* latch = b_.GetInsertBlock();
    auto* after = llvm::BasicBlock::Create(b_.getContext(), "done", latch->getParent());
    b_.CreateCondBr(b_.CreateICmpULT(next, int_constant(index, ir::extent(range))), index->getParent(), after);
    index->addIncoming(next, latch);
    for (std::size_t k = 1; k + 1 < n->src_count; k += 2) {
      Value* last = value(n->src(k + 1));
      llvm::cast<llvm::PHINode>(value(n->src(k)))->addIncoming(last, latch);
      results_[n->src(k)] = last;
    }
    b_.SetInsertPoint(after);
    return {};
  }

  // --- floats
  // ---------------------------------------------------------------------------------------------------------

  // Rounds an f32 to the nearest bf16, which stays in an f32. NaN becomes quiet and keeps its upper payload.
  Value* round_bf16(Value* v) {
    Value* bits = b_.CreateBitCast(v, v->getType()->getWithNewType(b_.getInt32Ty()));
    const auto c = [&](std::int64_t k) { return int_constant(bits, k); };
    Value* even = b_.CreateAnd(b_.CreateLShr(bits, c(16)), c(1));
    Value* rounded = b_.CreateAdd(b_.CreateAdd(bits, c(0x7fff)), even);
    rounded = b_.CreateSelect(b_.CreateFCmpUNO(v, v), b_.CreateOr(bits, c(0x00400000)), rounded);
    return b_.CreateBitCast(b_.CreateAnd(rounded, c(0xffff0000)), v->getType());
  }
  // After an operation on values of type t.
  Value* rounded(Value* v, DType t) { return t.scalar == Scalar::bf16 ? round_bf16(v) : v; }

  // f64 to f32 such that rounding the result once more, to a narrower type, is right: toward zero, and the last bit set
  // if anything was lost.
  Value* round_to_odd(Value* v) {
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
  Value* divide(Value* a, Value* d, float ulps) {
    Value* v = b_.CreateFDiv(a, d);
    if (auto* i = llvm::dyn_cast<llvm::Instruction>(v); i && a->getType()->getScalarType()->isFloatTy())
      i->setMetadata(llvm::LLVMContext::MD_fpmath, llvm::MDBuilder(b_.getContext()).createFPMath(ulps));
    return v;
  }

  // The wide type in which a function of a half float is computed.
  Value* widened(Value* v) {
    if (!v->getType()->getScalarType()->isHalfTy()) return v;
    return b_.CreateFPExt(v, v->getType()->getWithNewType(b_.getFloatTy()));
  }
  Value* narrowed(Value* v, DType t) {
    if (t.scalar == Scalar::f16) return b_.CreateFPTrunc(v, value_type(t));
    return rounded(v, t);
  }

  Value* unary(const Node* n) {
    Value* x = value(n->src(0));
    const DType t = n->dtype;
    switch (n->op) {
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
        return cast(x, n->src(0)->dtype, t);
      case Op::bitcast:
        return from_memory(b_.CreateBitCast(to_memory(x, n->src(0)->dtype), memory_type(t)), t);
      default:
        return nullptr;
    }
  }

  // Only products and sums may be fused, and only the sum of a product.
  Value* contractable(Value* v) {
    if (auto* i = llvm::dyn_cast<llvm::Instruction>(v)) i->setHasAllowContract(true);
    return v;
  }

  Value* float_binary(const Node* n) {
    Value *x = value(n->src(0)), *y = value(n->src(1));
    switch (n->op) {
      case Op::add:
        return rounded(contractable(b_.CreateFAdd(x, y)), n->dtype);
      case Op::sub:
        return rounded(b_.CreateFSub(x, y), n->dtype);
      case Op::mul:
        return rounded(contractable(b_.CreateFMul(x, y)), n->dtype);
      case Op::fdiv:
        return rounded(divide(x, y, 2.5f), n->dtype);
      case Op::max:
      case Op::min: {
        // The comparison is false with a NaN in it, which then passes a NaN in y; one in x is put back.
        Value* first = n->op == Op::max ? b_.CreateFCmpOGT(x, y) : b_.CreateFCmpOLT(x, y);
        return b_.CreateSelect(b_.CreateFCmpUNO(x, x), x, b_.CreateSelect(first, x, y));
      }
      default:
        return nullptr;
    }
  }

  Value* compare(const Node* n) {
    Value *x = value(n->src(0)), *y = value(n->src(1));
    const DType t = n->src(0)->dtype;
    if (t.is_float()) {
      if (n->op == Op::cmplt) return b_.CreateFCmpOLT(x, y);
      return n->op == Op::cmpeq ? b_.CreateFCmpOEQ(x, y) : b_.CreateFCmpUNE(x, y);
    }
    if (n->op == Op::cmplt) return t.is_signed() ? b_.CreateICmpSLT(x, y) : b_.CreateICmpULT(x, y);
    return n->op == Op::cmpeq ? b_.CreateICmpEQ(x, y) : b_.CreateICmpNE(x, y);
  }

  // --- conversions
  // ----------------------------------------------------------------------------------------------------

  Value* cast(Value* x, DType from, DType to) {
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

  Value* int_to_float(Value* x, DType from, DType to) {
    const auto convert = [&](llvm::Type* t) {
      return from.is_signed() ? b_.CreateSIToFP(x, t) : b_.CreateUIToFP(x, t);
    };
    if (to.scalar != Scalar::bf16) return convert(value_type(to));
    if (from.scalar_bytes() < 4) return round_bf16(convert(value_type(to)));
    return round_bf16(round_to_odd(convert(with_lanes(b_.getDoubleTy(), to.lanes))));
  }

  Value* float_to_float(Value* x, DType from, DType to) {
    if (to.scalar == Scalar::bf16) {
      if (from.scalar == Scalar::f64) return round_bf16(round_to_odd(x));
      return round_bf16(widened(x));
    }
    return b_.CreateFPCast(x, value_type(to));
  }

  // --- integers
  // -------------------------------------------------------------------------------------------------------

  Value* int_binary(const Node* n) {
    Value *x = value(n->src(0)), *y = value(n->src(1));
    const bool is_signed = n->dtype.is_signed();
    const bool nsw = never_wraps(n);
    const bool nuw = nsw && non_negative(n->src(0)) && non_negative(n->src(1)) && non_negative(n);
    switch (n->op) {
      case Op::add:
        return b_.CreateAdd(x, y, "", nuw, nsw);
      case Op::sub:
        return b_.CreateSub(x, y, "", nuw, nsw);
      case Op::mul:
        return b_.CreateMul(x, y, "", nuw, nsw);
      case Op::cdiv:
      case Op::cmod:
      case Op::floordiv:
      case Op::floormod:
        return divide_int(n, x, y);
      case Op::max:
        if (n->dtype.is_bool()) return b_.CreateOr(x, y);
        return b_.CreateBinaryIntrinsic(is_signed ? llvm::Intrinsic::smax : llvm::Intrinsic::umax, x, y);
      case Op::min:
        if (n->dtype.is_bool()) return b_.CreateAnd(x, y);
        return b_.CreateBinaryIntrinsic(is_signed ? llvm::Intrinsic::smin : llvm::Intrinsic::umin, x, y);
      case Op::shl:
      case Op::shr:
        return shift(n, x, y);
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

  Value* shift(const Node* n, Value* x, Value* amount) {
    const auto bits = static_cast<std::int64_t>(8 * n->dtype.scalar_bytes());
    Value* in_range = b_.CreateICmpULT(amount, int_constant(amount, bits));
    Value* most = int_constant(amount, bits - 1);
    Value* safe = b_.CreateSelect(in_range, amount, most);
    if (n->op == Op::shr && n->dtype.is_signed()) return b_.CreateAShr(x, safe);
    Value* shifted = n->op == Op::shl ? b_.CreateShl(x, safe) : b_.CreateLShr(x, safe);
    return b_.CreateSelect(in_range, shifted, int_constant(x, 0));
  }

  // Division by a known positive number is by far the most frequent: index arithmetic.
  Value* divide_int(const Node* n, Value* x, Value* y) {
    const bool want_mod = n->op == Op::cmod || n->op == Op::floormod;
    const bool floors = n->op == Op::floordiv || n->op == Op::floormod;
    const bool positive = n->src(1)->is_const() && n->dtype.is_signed() && ir::const_int(n->src(1)) > 0;
    if (non_negative(n->src(0)) &&
        (positive || (n->src(1)->is_const() && ir::const_int(n->src(1)) != 0 && n->dtype.is_unsigned())))
      return want_mod ? b_.CreateURem(x, y) : b_.CreateUDiv(x, y);
    if (positive && floors && std::has_single_bit(static_cast<std::uint64_t>(ir::const_int(n->src(1))))) {
      const auto d = ir::const_int(n->src(1));
      if (want_mod) return b_.CreateAnd(x, int_constant(x, d - 1));
      return b_.CreateAShr(x, int_constant(x, std::countr_zero(static_cast<std::uint64_t>(d))));
    }
    if (n->dtype.is_unsigned()) return divide_checked(x, y, false, want_mod, false);
    return divide_checked(x, y, true, want_mod, floors);
  }

  // x/0 = 0 and x%0 = x; minimum / -1 wraps: such operands are divided by 1 instead.
  Value* divide_checked(Value* x, Value* y, bool is_signed, bool want_mod, bool floors) {
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

  const ir::Kernel& kernel_;
  const Machine& machine_;
  llvm::IRBuilder<>& b_;
  const WorkItem& item_;
  Values values_;
  Values results_;  // by acc: its value in the last iteration
  std::unordered_map<const Node*, llvm::BasicBlock*> loop_entry_;
  std::unordered_map<const Node*, ir::Interval> intervals_;
};

}  // namespace

Status emit_work_item(const ir::Kernel& kernel, const Machine& machine, llvm::IRBuilder<>& b, const WorkItem& item) {
  return Emitter(kernel, machine, b, item).run();
}

}  // namespace hcq::compute::codegen
