// SPDX-License-Identifier: MIT
#include "models/isa/float_kind.h"

#include "models/isa/runtime.h"

namespace hcq::models::isa {

using Value = llvm::Value;

Value* float_bits(Translator& t, Value* v) {
  const unsigned bits = v->getType()->getScalarSizeInBits();
  return t.b.CreateBitCast(v, bits == 16 ? t.vi16 : bits == 32 ? t.vi32 : t.vi64);
}

Value* from_bits(Translator& t, Value* bits, llvm::Type* type) { return t.b.CreateBitCast(bits, type); }

namespace {

unsigned mantissa_bits(llvm::Type* type) {
  return type->getScalarSizeInBits() == 16 ? 10 : type->getScalarSizeInBits() == 32 ? 23 : 52;
}

Value* quiet(Translator& t, Value* v) {
  auto* bits = float_bits(t, v);
  const auto bit = std::uint64_t{1} << (mantissa_bits(v->getType()) - 1);
  return from_bits(t, t.b.CreateOr(bits, llvm::ConstantInt::get(bits->getType(), bit)), v->getType());
}

Value* is_signalling(Translator& t, Value* v) {
  auto* bits = float_bits(t, v);
  const auto bit = std::uint64_t{1} << (mantissa_bits(v->getType()) - 1);
  auto* quiet_bit = t.b.CreateAnd(bits, llvm::ConstantInt::get(bits->getType(), bit));
  return t.b.CreateAnd(t.b.CreateFCmpUNO(v, v), t.b.CreateIsNull(quiet_bit));
}

Value* extreme(Translator& t, Value* x, Value* y, bool minimum) {
  auto& b = t.b;
  auto* less = minimum ? b.CreateFCmpOLT(x, y) : b.CreateFCmpOGT(x, y);
  auto* bits = float_bits(t, x);
  auto* negative = b.CreateICmpSLT(bits, llvm::Constant::getNullValue(bits->getType()));
  auto* sign_wins = b.CreateAnd(b.CreateFCmpOEQ(x, y), minimum ? negative : b.CreateNot(negative));
  auto* first = b.CreateOr(b.CreateOr(less, sign_wins), b.CreateFCmpUNO(y, y));
  auto* d = b.CreateSelect(b.CreateAnd(first, b.CreateFCmpORD(x, x)), x, y);
  // Both NaN: the first one.
  d = b.CreateSelect(b.CreateAnd(b.CreateFCmpUNO(x, x), b.CreateFCmpUNO(y, y)), x, d);
  if (!t.mode.ieee) return d;
  d = b.CreateSelect(is_signalling(t, y), quiet(t, y), d);
  return b.CreateSelect(is_signalling(t, x), quiet(t, x), d);
}

}  // namespace

Value* float_min(Translator& t, Value* x, Value* y) { return extreme(t, x, y, true); }
Value* float_max(Translator& t, Value* x, Value* y) { return extreme(t, x, y, false); }

// Rounding to odd at 24 bits first keeps the second rounding exact: f16 needs far fewer than 22 of them.
Value* half_from_double(Translator& t, Value* v) {
  auto& b = t.b;
  constexpr std::uint64_t kLowBits = (std::uint64_t{1} << 29) - 1;
  auto* bits = b.CreateBitCast(v, t.vi64);
  auto* sticky = b.CreateZExt(b.CreateIsNotNull(b.CreateAnd(bits, t.v64(kLowBits))), t.vi64);
  auto* odd = b.CreateOr(b.CreateAnd(bits, t.v64(~kLowBits)), b.CreateShl(sticky, t.v64(29)));
  auto* special = b.CreateFCmpUNO(v, v);
  auto* safe = b.CreateSelect(special, bits, odd);
  return b.CreateFPTrunc(b.CreateFPTrunc(b.CreateBitCast(safe, t.vf64), t.vf32), t.vf16);
}

// The exact f16 product has 22 bits, and for results in range its sum with an f16 fits the 53 bits of f64.
Value* fused_multiply_add(Translator& t, Value* x, Value* y, Value* z) {
  if (x->getType() != t.vf16) return t.intrinsic(llvm::Intrinsic::fma, x, {y, z});
  const auto wide = [&](Value* v) { return t.b.CreateFPExt(v, t.vf64); };
  return half_from_double(t, t.b.CreateFAdd(t.b.CreateFMul(wide(x), wide(y)), wide(z)));
}

Value* call_lane_function(Translator& t, void (*function)(WaveState*), Value* v) {
  t.put(0, t.b.CreateBitCast(v, t.vi32));
  t.call(reinterpret_cast<void*>(function), llvm::Type::getVoidTy(t.module.getContext()), {t.wave()});
  return t.b.CreateBitCast(t.get(0), t.vf32);
}

}  // namespace hcq::models::isa
