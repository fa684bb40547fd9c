// SPDX-License-Identifier: MIT
// The building blocks of correctly rounded division: scale numerator and denominator into a safe range, refine with
// FMAs, undo the scale, patch the special cases. Rules: V_DIV_SCALE, V_DIV_FMAS, V_DIV_FIXUP of the RDNA3 ISA manual.
#include <cmath>

#include "models/isa/float_kind.h"
#include "models/isa/ops.h"

namespace hcq::models::isa {
namespace {

using Value = llvm::Value;
namespace Intrinsic = llvm::Intrinsic;

// What differs between f32 and f64.
struct Limits {
  unsigned mantissa;
  int bias;
  int near_overflow;   // exponent difference from which the quotient needs scaling down
  int tiny_numerator;  // biased exponent up to which the numerator needs scaling up
  int scale;           // power of two applied
  int underflow;       // exponent difference below which the quotient rounds to zero
};
constexpr Limits kSingle{23, 127, 96, 23, 64, -150};
constexpr Limits kReal{52, 1023, 768, 53, 128, -1075};

template <Kind kKind>
constexpr const Limits& limits() {
  return kKind == Kind::single ? kSingle : kReal;
}

template <Kind kKind>
Value* exponent(Translator& t, Value* v) {
  auto* bits = float_bits(t, v);
  auto* type = bits->getType();
  auto* shifted = t.b.CreateLShr(bits, llvm::ConstantInt::get(type, limits<kKind>().mantissa));
  auto* masked = t.b.CreateAnd(shifted, llvm::ConstantInt::get(type, kKind == Kind::single ? 0xff : 0x7ff));
  return kKind == Kind::single ? masked : t.b.CreateTrunc(masked, t.vi32);
}

template <Kind kKind>
Value* is_denormal_or_zero(Translator& t, Value* v) {
  return t.b.CreateIsNull(exponent<kKind>(t, v));
}

Value* power(Translator& t, Value* like, int n) { return t.vf(like->getType(), std::ldexp(1.0, n)); }

template <Kind kKind>
void div_scale(Translator& t, const Inst& i) {
  auto& b = t.b;
  constexpr Limits l = limits<kKind>();
  auto* x = read_float<kKind>(t, i, 2);  // the one to scale
  auto* denominator = read_float<kKind>(t, i, 3);
  auto* numerator = read_float<kKind>(t, i, 4);
  auto* type = x->getType();
  auto* zero = llvm::Constant::getNullValue(type);
  auto* difference = b.CreateSub(exponent<kKind>(t, numerator), exponent<kKind>(t, denominator));
  auto* any_zero = b.CreateOr(b.CreateFCmpOEQ(numerator, zero), b.CreateFCmpOEQ(denominator, zero));
  auto* overflows = b.CreateICmpSGE(difference, t.v32(static_cast<std::uint32_t>(l.near_overflow)));
  auto* denormal_denominator = is_denormal_or_zero<kKind>(t, denominator);
  // 1 / denominator is denormal when its exponent exceeds that of 2^(bias - 1).
  auto* reciprocal_denormal = b.CreateFCmpOGT(t.intrinsic(Intrinsic::fabs, denominator), power(t, x, l.bias - 1));
  auto* quotient_denormal = is_denormal_or_zero<kKind>(t, b.CreateFDiv(numerator, denominator));
  auto* tiny = b.CreateICmpULE(exponent<kKind>(t, numerator), t.v32(static_cast<std::uint32_t>(l.tiny_numerator)));
  auto* up = b.CreateFMul(x, power(t, x, l.scale));
  auto* down = b.CreateFMul(x, power(t, x, -l.scale));
  auto* is_denominator = b.CreateFCmpOEQ(x, denominator);
  auto* is_numerator = b.CreateFCmpOEQ(x, numerator);

  auto* no = llvm::Constant::getNullValue(t.vi1);
  auto* yes = llvm::Constant::getAllOnesValue(t.vi1);
  // From the last rule to the first.
  Value* d = b.CreateSelect(tiny, up, x);
  Value* undo = no;
  d = b.CreateSelect(quotient_denormal, b.CreateSelect(is_numerator, up, x), d);
  undo = b.CreateSelect(quotient_denormal, yes, undo);
  d = b.CreateSelect(reciprocal_denormal, down, d);
  undo = b.CreateSelect(reciprocal_denormal, no, undo);
  auto* both = b.CreateAnd(reciprocal_denormal, quotient_denormal);
  d = b.CreateSelect(both, b.CreateSelect(is_denominator, down, x), d);
  undo = b.CreateSelect(both, yes, undo);
  d = b.CreateSelect(denormal_denominator, up, d);
  undo = b.CreateSelect(denormal_denominator, no, undo);
  d = b.CreateSelect(overflows, b.CreateSelect(is_denominator, up, x), d);
  undo = b.CreateSelect(overflows, yes, undo);
  d = b.CreateSelect(any_zero, llvm::ConstantFP::getNaN(type), d);
  undo = b.CreateSelect(any_zero, no, undo);
  t.write_lanes(i.operands[1], undo);
  write_float<kKind>(t, i, d);
}

// sum = x * y + addend, rounded, times 2^-scale, as if rounded only once: where the scaled sum lies halfway between two
// denormal numbers, what the first rounding dropped decides.
template <Kind kKind>
Value* scale_down(Translator& t, Value* sum, Value* x, Value* y, Value* addend) {
  auto& b = t.b;
  constexpr Limits l = limits<kKind>();
  constexpr int smallest = 1 - l.bias - static_cast<int>(l.mantissa);
  auto* scaled = b.CreateFMul(sum, power(t, sum, -l.scale));
  auto* rounded_off = b.CreateFSub(sum, b.CreateFMul(scaled, power(t, sum, l.scale)));
  // The sum is within a few units of its addend, so their difference is exact.
  auto* dropped = fused_multiply_add(t, x, y, b.CreateFSub(addend, sum));
  auto* halfway = b.CreateFCmpOEQ(t.intrinsic(Intrinsic::fabs, rounded_off), power(t, sum, smallest + l.scale - 1));
  auto* zero = llvm::Constant::getNullValue(sum->getType());
  auto* up = b.CreateAnd(b.CreateFCmpOGT(rounded_off, zero), b.CreateFCmpOGT(dropped, zero));
  auto* down = b.CreateAnd(b.CreateFCmpOLT(rounded_off, zero), b.CreateFCmpOLT(dropped, zero));
  auto* step =
      b.CreateSelect(up, power(t, sum, smallest), b.CreateSelect(down, b.CreateFNeg(power(t, sum, smallest)), zero));
  return b.CreateSelect(halfway, b.CreateFAdd(scaled, step), scaled);
}

// The scale to undo shows in the exponent of the addend, which approximates the quotient.
template <Kind kKind>
void div_fmas(Translator& t, const Inst& i) {
  auto& b = t.b;
  constexpr Limits l = limits<kKind>();
  Operand vcc;
  vcc.kind = Operand::Kind::sgpr;
  vcc.reg = kVccLo;
  auto* x = read_float<kKind>(t, i, 1);
  auto* y = read_float<kKind>(t, i, 2);
  auto* addend = read_float<kKind>(t, i, 3);
  auto* sum = fused_multiply_add(t, x, y, addend);
  auto* large = b.CreateICmpUGT(exponent<kKind>(t, addend), t.v32(static_cast<std::uint32_t>(l.bias)));
  auto* up = b.CreateFMul(sum, power(t, sum, l.scale));
  auto* scaled = b.CreateSelect(large, up, scale_down<kKind>(t, sum, x, y, addend));
  write_float<kKind>(t, i, b.CreateSelect(t.read_lanes(vcc), scaled, sum));
}

Value* with_sign(Translator& t, Value* magnitude, Value* negative) {
  return t.b.CreateSelect(negative, t.b.CreateFNeg(magnitude), magnitude);
}

template <Kind kKind>
Value* quiet(Translator& t, Value* v) {
  auto* bits = float_bits(t, v);
  const unsigned mantissa = v->getType()->getScalarSizeInBits() == 16 ? 10 : limits<kKind>().mantissa;
  auto* bit = llvm::ConstantInt::get(bits->getType(), std::uint64_t{1} << (mantissa - 1));
  return from_bits(t, t.b.CreateOr(bits, bit), v->getType());
}

// Common to all types; `rounds_to_zero` may be null.
template <Kind kKind>
Value* fix_up(Translator& t, Value* quotient, Value* denominator, Value* numerator, Value* rounds_to_zero) {
  auto& b = t.b;
  auto* type = quotient->getType();
  auto* zero = llvm::Constant::getNullValue(type);
  auto* infinity = llvm::ConstantFP::getInfinity(type);
  const auto magnitude = [&](Value* v) { return t.intrinsic(Intrinsic::fabs, v); };
  auto* sign_bits = b.CreateXor(float_bits(t, denominator), float_bits(t, numerator));
  auto* negative = b.CreateICmpSLT(sign_bits, llvm::Constant::getNullValue(sign_bits->getType()));
  auto* by_zero = b.CreateFCmpOEQ(denominator, zero);
  auto* of_zero = b.CreateFCmpOEQ(numerator, zero);
  auto* by_infinity = b.CreateFCmpOEQ(magnitude(denominator), infinity);
  auto* of_infinity = b.CreateFCmpOEQ(magnitude(numerator), infinity);

  // The refinement of an overflowing quotient ends in infinity or NaN. (The manual tests the denominator's exponent
  // here, which the rules below have already covered.)
  auto* overflow = b.CreateNot(b.CreateFCmpOLT(magnitude(quotient), infinity));
  Value* d = with_sign(t, b.CreateSelect(overflow, infinity, magnitude(quotient)), negative);
  if (rounds_to_zero) d = b.CreateSelect(rounds_to_zero, with_sign(t, zero, negative), d);
  d = b.CreateSelect(b.CreateOr(by_infinity, of_zero), with_sign(t, zero, negative), d);
  d = b.CreateSelect(b.CreateOr(by_zero, of_infinity), with_sign(t, infinity, negative), d);
  auto* undefined = b.CreateOr(b.CreateAnd(by_zero, of_zero), b.CreateAnd(by_infinity, of_infinity));
  d = b.CreateSelect(undefined, llvm::ConstantFP::getNaN(type, /*Negative=*/true), d);
  d = b.CreateSelect(b.CreateFCmpUNO(denominator, denominator), quiet<kKind>(t, denominator), d);
  return b.CreateSelect(b.CreateFCmpUNO(numerator, numerator), quiet<kKind>(t, numerator), d);
}

template <Kind kKind>
void div_fixup(Translator& t, const Inst& i) {
  auto* quotient = read_float<kKind>(t, i, 1);
  auto* denominator = read_float<kKind>(t, i, 2);
  auto* numerator = read_float<kKind>(t, i, 3);
  Value* rounds_to_zero = nullptr;
  if constexpr (kKind != Kind::half) {
    auto* difference = t.b.CreateSub(exponent<kKind>(t, numerator), exponent<kKind>(t, denominator));
    rounds_to_zero = t.b.CreateICmpSLT(difference, t.v32(static_cast<std::uint32_t>(limits<kKind>().underflow)));
  }
  write_float<kKind>(t, i, fix_up<kKind>(t, quotient, denominator, numerator, rounds_to_zero));
}

constexpr Op kOps[] = {
    {"v_div_scale_f32", div_scale<Kind::single>}, {"v_div_scale_f64", div_scale<Kind::real>},
    {"v_div_fmas_f32", div_fmas<Kind::single>},   {"v_div_fmas_f64", div_fmas<Kind::real>},
    {"v_div_fixup_f16", div_fixup<Kind::half>},   {"v_div_fixup_f32", div_fixup<Kind::single>},
    {"v_div_fixup_f64", div_fixup<Kind::real>},
};

}  // namespace

std::span<const Op> valu_divide_ops() { return kOps; }

}  // namespace hcq::models::isa
