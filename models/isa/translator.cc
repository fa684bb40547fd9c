// SPDX-License-Identifier: MIT
#include "models/isa/translator.h"

#include <bit>
#include <cmath>

namespace hcq::models::isa {

using llvm::FixedVectorType;

Translator::Translator(llvm::Module& m, llvm::Function& f, const Mode& translation_mode, unsigned lane_count,
                       bool partial)
    : b(m.getContext()),
      module(m),
      function(f),
      mode(translation_mode),
      lanes(lane_count),
      with_partial_(partial),
      float_mode_(translation_mode.float_mode) {
  auto& context = m.getContext();
  i1 = Type::getInt1Ty(context);
  i8 = Type::getInt8Ty(context);
  i16 = Type::getInt16Ty(context);
  i32 = Type::getInt32Ty(context);
  i64 = Type::getInt64Ty(context);
  f16 = Type::getHalfTy(context);
  f32 = Type::getFloatTy(context);
  f64 = Type::getDoubleTy(context);
  ptr = llvm::PointerType::getUnqual(context);
  vi1 = FixedVectorType::get(i1, lanes);
  vi16 = FixedVectorType::get(i16, lanes);
  vi32 = FixedVectorType::get(i32, lanes);
  vi64 = FixedVectorType::get(i64, lanes);
  vf16 = FixedVectorType::get(f16, lanes);
  vf32 = FixedVectorType::get(f32, lanes);
  vf64 = FixedVectorType::get(f64, lanes);
  mask_type = Type::getIntNTy(context, lanes);
  allocas_ = new_block("entry");
  dispatch_ = new_block("dispatch");
  save_exit_ = new_block("save");
  plain_exit_ = new_block("exit");
  fault_exit_ = new_block("fault");
  slot(next_pc_, i64, "next_pc");
  slot(exit_code_, i32, "exit_code");
}

llvm::BasicBlock* Translator::new_block(const char* name) {
  return llvm::BasicBlock::Create(module.getContext(), name, &function);
}

llvm::AllocaInst* Translator::slot(llvm::AllocaInst*& cache, Type* type, const char* name) {
  if (!cache) {
    llvm::IRBuilder<> entry(allocas_);
    cache = entry.CreateAlloca(type, nullptr, name);
  }
  return cache;
}

llvm::AllocaInst* Translator::scalar_slot(unsigned reg) { return slot(scalars_[reg], i32, "s"); }
llvm::AllocaInst* Translator::vector_slot(unsigned reg) { return slot(vectors_[reg], vi32, "v"); }

// --- scalars ---

Translator::Value* Translator::sreg(unsigned reg) {
  if (reg == kNull) return c32(0);
  if (full_ && (reg == kExecLo || (reg == kExecLo + 1 && lanes == 64))) return c32(~0u);
  return b.CreateLoad(i32, scalar_slot(reg));
}

void Translator::set_sreg(unsigned reg, Value* v) {
  if (reg == kNull) return;
  if (reg == kExecLo || reg == kExecLo + 1) exec_lanes_ = nullptr;
  b.CreateStore(v, scalar_slot(reg));
  written_scalars_.insert(reg);
}

Translator::Value* Translator::sreg64(unsigned reg) {
  if (reg == kNull) return c64(0);
  auto* high = b.CreateShl(b.CreateZExt(sreg(reg + 1), i64), 32);
  return b.CreateOr(b.CreateZExt(sreg(reg), i64), high);
}

void Translator::set_sreg64(unsigned reg, Value* v) {
  if (reg == kNull) return;
  set_sreg(reg, b.CreateTrunc(v, i32));
  set_sreg(reg + 1, b.CreateTrunc(b.CreateLShr(v, 32), i32));
}

Translator::Value* Translator::scc() { return b.CreateLoad(i1, slot(scc_, i1, "scc")); }
void Translator::set_scc(Value* v) { b.CreateStore(v, slot(scc_, i1, "scc")); }

Translator::Value* Translator::exec() { return lanes == 32 ? sreg(kExecLo) : sreg64(kExecLo); }
void Translator::set_exec(Value* v) { lanes == 32 ? set_sreg(kExecLo, v) : set_sreg64(kExecLo, v); }

Translator::Value* Translator::read_mask(const Operand& op) { return lanes == 32 ? sread32(op) : sread64(op); }

void Translator::write_lanes(const Operand& op, Value* v) {
  auto* bits = b.CreateBitCast(b.CreateAnd(v, exec_lanes()), mask_type);
  lanes == 32 ? swrite32(op, bits) : swrite64(op, bits);
}

// The value of an inline constant or literal as `bits` wide integer data.
Translator::Value* Translator::constant_bits(const Operand& op, unsigned bits) {
  auto* type = Type::getIntNTy(module.getContext(), bits);
  if (op.kind == Operand::Kind::integer)
    return llvm::ConstantInt::get(type, llvm::APInt(64, static_cast<std::uint64_t>(op.integer)).sextOrTrunc(bits));
  if (op.kind == Operand::Kind::literal) {
    const auto raw = static_cast<std::uint32_t>(op.integer);
    const bool sign = bits == 64 && current->mnemonic.ends_with("_i64");
    const auto wide = sign ? static_cast<std::uint64_t>(static_cast<std::int32_t>(raw)) : std::uint64_t{raw};
    return llvm::ConstantInt::get(type, llvm::APInt(64, wide).zextOrTrunc(bits));
  }
  Type* real = bits == 64 ? f64 : bits == 32 ? f32 : f16;
  auto* constant = llvm::cast<llvm::ConstantFP>(llvm::ConstantFP::get(real, op.real));
  return llvm::ConstantInt::get(type, constant->getValueAPF().bitcastToAPInt());
}

Translator::Value* Translator::special(const Operand& op, bool wide) {
  Value* v = nullptr;
  if (op.text == "src_scc" || op.text == "scc") v = b.CreateZExt(scc(), i64);
  if (op.text == "src_shared_base") v = load_field(i64, offsetof(WaveState, shared_aperture));
  if (op.text == "src_private_base") v = load_field(i64, offsetof(WaveState, private_aperture));
  if (op.text == "src_vccz") {
    auto* vcc = lanes == 32 ? sreg(kVccLo) : sreg64(kVccLo);
    v = b.CreateZExt(b.CreateIsNull(vcc), i64);
  }
  if (op.text == "src_execz") v = b.CreateZExt(b.CreateIsNull(exec()), i64);
  if (!v) {
    illegal();
    v = c64(0);
  }
  return wide ? v : b.CreateTrunc(v, i32);
}

Translator::Value* Translator::sread32(const Operand& op) {
  if (op.is_sgpr()) return sreg(op.reg);
  if (op.kind == Operand::Kind::special) return special(op, false);
  return constant_bits(op, 32);
}

Translator::Value* Translator::sread64(const Operand& op) {
  if (op.is_sgpr()) return sreg64(op.reg);
  if (op.kind == Operand::Kind::special) return special(op, true);
  return constant_bits(op, 64);
}

void Translator::swrite32(const Operand& op, Value* v) { set_sreg(op.reg, v); }
void Translator::swrite64(const Operand& op, Value* v) { set_sreg64(op.reg, v); }

// --- vectors ---

Translator::Value* Translator::vreg(unsigned reg) { return b.CreateLoad(vi32, vector_slot(reg)); }

Translator::Value* Translator::exec_lanes() {
  if (full_) return dpp_write_ ? dpp_write_ : llvm::Constant::getAllOnesValue(vi1);
  if (!exec_lanes_) exec_lanes_ = to_lanes(exec());
  return dpp_write_ ? b.CreateAnd(exec_lanes_, dpp_write_) : exec_lanes_;
}

void Translator::set_vreg_unmasked(unsigned reg, Value* v) {
  b.CreateStore(v, vector_slot(reg));
  written_vectors_.insert(reg);
}

void Translator::set_vreg(unsigned reg, Value* v) {
  if (defer_writes_) {
    pending_.push_back({reg, v});
    return;
  }
  if (full_ && !dpp_write_) return set_vreg_unmasked(reg, v);
  set_vreg_unmasked(reg, b.CreateSelect(exec_lanes(), v, vreg(reg)));
}

Translator::Value* Translator::read_dword(const Operand& op, unsigned index) {
  auto* v = vreg(op.reg + index);
  return &op == dpp_source_ ? dpp_read(v) : v;
}

Translator::Value* Translator::read32(const Operand& op) {
  return op.is_vgpr() ? read_dword(op, 0) : splat(sread32(op));
}

Translator::Value* Translator::read64(const Operand& op) {
  if (!op.is_vgpr()) return splat(sread64(op));
  auto* high = b.CreateShl(b.CreateZExt(read_dword(op, 1), vi64), v64(32));
  return b.CreateOr(b.CreateZExt(read_dword(op, 0), vi64), high);
}

Translator::Value* Translator::read16(const Operand& op, int select) {
  if (!op.is_vgpr() && !op.is_sgpr() && op.kind != Operand::Kind::special) return splat(constant_bits(op, 16));
  auto* v = read32(op);
  const int half = op.half >= 0 ? op.half : select;
  return b.CreateTrunc(half ? b.CreateLShr(v, v32(16)) : v, vi16);
}

void Translator::write_dword(const Operand& op, unsigned index, Value* v) { set_vreg(op.reg + index, v); }
void Translator::write32(const Operand& op, Value* v) { set_vreg(op.reg, v); }

void Translator::write64(const Operand& op, Value* v) {
  set_vreg(op.reg, b.CreateTrunc(v, vi32));
  set_vreg(op.reg + 1, b.CreateTrunc(b.CreateLShr(v, v64(32)), vi32));
}

void Translator::write16(const Operand& op, int select, Value* v) {
  const int half = op.half >= 0 ? op.half : select;
  auto* wide = b.CreateZExt(v, vi32);
  auto* old = vreg(op.reg);
  set_vreg(op.reg, half ? b.CreateOr(b.CreateAnd(old, v32(0xffff)), b.CreateShl(wide, v32(16)))
                        : b.CreateOr(b.CreateAnd(old, v32(0xffff0000)), wide));
}

// --- floating point ---

bool Translator::op_sel(unsigned index) const {
  const auto bits = current->list("op_sel");
  return index < bits.size() && bits[index] != 0;
}

Translator::Value* Translator::intrinsic(llvm::Intrinsic::ID id, Value* first, llvm::ArrayRef<Value*> rest) {
  llvm::SmallVector<Value*, 4> args{first};
  args.append(rest.begin(), rest.end());
  return b.CreateIntrinsic(id, {first->getType()}, args);
}

// FLOAT_MODE holds two bits of denormal control for f32 at 4 and for f16 and f64 at 6: bit 0 lets denormal inputs
// through, bit 1 denormal results (ISA manual, MODE register).
Translator::Value* Translator::flush_denormals(Value* v) {
  auto* element = v->getType()->getScalarType();
  const unsigned control = element == f32 ? float_mode_ >> 4 & 3 : float_mode_ >> 6 & 3;
  if (control == 3) return v;
  const unsigned bits = element->getPrimitiveSizeInBits();
  auto* as_int = b.CreateBitCast(v, FixedVectorType::get(Type::getIntNTy(module.getContext(), bits), lanes));
  const unsigned mantissa = element == f32 ? 23 : element == f64 ? 52 : 10;
  auto* int_type = as_int->getType();
  auto* exponent = llvm::ConstantInt::get(int_type, llvm::APInt::getBitsSet(bits, mantissa, bits - 1));
  auto* sign = llvm::ConstantInt::get(int_type, llvm::APInt::getSignMask(bits));
  auto* tiny = b.CreateICmpEQ(b.CreateAnd(as_int, exponent), llvm::Constant::getNullValue(int_type));
  return b.CreateBitCast(b.CreateSelect(tiny, b.CreateAnd(as_int, sign), as_int), v->getType());
}

Translator::Value* Translator::modify(Value* v, const Operand& op) {
  if (op.abs) v = intrinsic(llvm::Intrinsic::fabs, v);
  return op.neg ? b.CreateFNeg(v) : v;
}

Translator::Value* Translator::readf32(const Operand& op) {
  return flush_denormals(modify(b.CreateBitCast(read32(op), vf32), op));
}

Translator::Value* Translator::readf64(const Operand& op) {
  auto* bits = op.kind == Operand::Kind::literal ? v64(static_cast<std::uint64_t>(op.integer) << 32) : read64(op);
  return flush_denormals(modify(b.CreateBitCast(bits, vf64), op));
}

Translator::Value* Translator::readf16(const Operand& op, int select) {
  return flush_denormals(modify(b.CreateBitCast(read16(op, select), vf16), op));
}

Translator::Value* Translator::clamp_float(Value* v) {
  auto* zero = llvm::Constant::getNullValue(v->getType());
  auto* one = vf(v->getType(), 1.0);
  auto* low = b.CreateSelect(b.CreateFCmpOGT(v, zero), v, zero);
  if (!mode.dx10_clamp) low = b.CreateSelect(b.CreateFCmpUNO(v, v), v, low);
  return b.CreateSelect(b.CreateFCmpOGT(low, one), one, low);
}

Translator::Value* Translator::output_modifiers(Value* v) {
  v = flush_denormals(v);
  if (const auto mul = current->number("mul", 1); mul != 1)
    v = b.CreateFMul(v, vf(v->getType(), static_cast<double>(mul)));
  if (current->number("div", 1) == 2) v = b.CreateFMul(v, vf(v->getType(), 0.5));
  return current->flag("clamp") ? clamp_float(v) : v;
}

void Translator::writef32(const Operand& op, Value* v) { write32(op, b.CreateBitCast(output_modifiers(v), vi32)); }
void Translator::writef64(const Operand& op, Value* v) { write64(op, b.CreateBitCast(output_modifiers(v), vi64)); }
void Translator::writef16(const Operand& op, int select, Value* v) {
  write16(op, select, b.CreateBitCast(output_modifiers(v), vi16));
}

// --- runtime calls ---

void Translator::put(unsigned row, Value* v) {
  b.CreateAlignedStore(v, field(offsetof(WaveState, exchange) + row * sizeof(std::uint32_t) * kMaxLanes),
                       llvm::Align(64));
}

Translator::Value* Translator::get(unsigned row) {
  return b.CreateAlignedLoad(vi32, field(offsetof(WaveState, exchange) + row * sizeof(std::uint32_t) * kMaxLanes),
                             llvm::Align(64));
}

Translator::Value* Translator::call(void* target, Type* result, llvm::ArrayRef<Value*> args) {
  llvm::SmallVector<Type*, 8> types;
  for (auto* arg : args) types.push_back(arg->getType());
  auto* address = b.CreateIntToPtr(c64(reinterpret_cast<std::uint64_t>(target)), ptr);
  return b.CreateCall(llvm::FunctionType::get(result, types, false), address, args);
}

Translator::Value* Translator::gather_lanes(Value* v, Value* index) {
  constexpr unsigned kRow = 15;
  put(kRow, v);
  auto* from = field(offsetof(WaveState, exchange) + kRow * sizeof(std::uint32_t) * kMaxLanes);
  auto* pointers = b.CreateGEP(i32, from, index);
  return b.CreateMaskedGather(vi32, pointers, llvm::Align(4));
}

// --- one instruction ---

void Translator::translate(const Inst& inst) {
  current = &inst;
  const Handler handler = find_handler(inst.mnemonic);
  const Handler second = inst.other ? find_handler(inst.other->mnemonic) : nullptr;
  bool known = handler && (second || !inst.other);
  for (const Inst* part = &inst; part; part = part->other.get())
    for (const auto& op : part->operands) known = known && !(op.is_vgpr() && op.reg + op.count > mode.vgprs);
  if (!known) return illegal();
  prepare_dpp(inst);
  defer_writes_ = second != nullptr;
  handler(*this, inst);
  if (!second) return;
  current = inst.other.get();
  second(*this, *current);
  defer_writes_ = false;
  for (const auto& write : pending_) set_vreg(write.reg, write.value);
  pending_.clear();
}

}  // namespace hcq::models::isa
