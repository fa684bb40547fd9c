// SPDX-License-Identifier: MIT
// Vector floating point: arithmetic, minimum and maximum, rounding, elementary functions.
#include "models/isa/float_kind.h"
#include "models/isa/ops.h"
#include "models/isa/runtime.h"

namespace hcq::models::isa {
namespace {

using Value = llvm::Value;
namespace Intrinsic = llvm::Intrinsic;

template <Kind kKind, auto F>
void unary(Translator& t, const Inst& i) {
  write_float<kKind>(t, i, F(t, read_float<kKind>(t, i, 1)));
}
template <Kind kKind, auto F>
void binary(Translator& t, const Inst& i) {
  write_float<kKind>(t, i, F(t, read_float<kKind>(t, i, 1), read_float<kKind>(t, i, 2)));
}
template <Kind kKind, auto F>
void reversed(Translator& t, const Inst& i) {
  write_float<kKind>(t, i, F(t, read_float<kKind>(t, i, 2), read_float<kKind>(t, i, 1)));
}
template <Kind kKind, auto F>
void ternary(Translator& t, const Inst& i) {
  write_float<kKind>(t, i, F(t, read_float<kKind>(t, i, 1), read_float<kKind>(t, i, 2), read_float<kKind>(t, i, 3)));
}
// D = S0 * S1 + D.
template <Kind kKind, auto F>
void accumulate(Translator& t, const Inst& i) {
  Value* d = nullptr;
  if constexpr (kKind == Kind::half) d = t.readf16(i.operands[0], destination_select(t));
  else if constexpr (kKind == Kind::single) d = t.readf32(i.operands[0]);
  else d = t.readf64(i.operands[0]);
  write_float<kKind>(t, i, F(t, read_float<kKind>(t, i, 1), read_float<kKind>(t, i, 2), d));
}

Value* add(Translator& t, Value* x, Value* y) { return t.b.CreateFAdd(x, y); }
Value* sub(Translator& t, Value* x, Value* y) { return t.b.CreateFSub(x, y); }
Value* mul(Translator& t, Value* x, Value* y) { return t.b.CreateFMul(x, y); }

// DX9 rules: zero times anything, NaN included, is zero.
Value* mul_dx9(Translator& t, Value* x, Value* y) {
  auto* zero = llvm::Constant::getNullValue(x->getType());
  auto* any = t.b.CreateOr(t.b.CreateFCmpOEQ(x, zero), t.b.CreateFCmpOEQ(y, zero));
  return t.b.CreateSelect(any, zero, t.b.CreateFMul(x, y));
}
Value* fma_dx9(Translator& t, Value* x, Value* y, Value* z) {
  auto* zero = llvm::Constant::getNullValue(x->getType());
  auto* any = t.b.CreateOr(t.b.CreateFCmpOEQ(x, zero), t.b.CreateFCmpOEQ(y, zero));
  return t.b.CreateSelect(any, t.b.CreateFAdd(zero, z), fused_multiply_add(t, x, y, z));
}

Value* min3(Translator& t, Value* x, Value* y, Value* z) { return float_min(t, float_min(t, x, y), z); }
Value* max3(Translator& t, Value* x, Value* y, Value* z) { return float_max(t, float_max(t, x, y), z); }
Value* maxmin(Translator& t, Value* x, Value* y, Value* z) { return float_min(t, float_max(t, x, y), z); }
Value* minmax(Translator& t, Value* x, Value* y, Value* z) { return float_max(t, float_min(t, x, y), z); }
// With a NaN among the operands the result is their minimum.
Value* median(Translator& t, Value* x, Value* y, Value* z) {
  auto& b = t.b;
  auto* nan = b.CreateOr(b.CreateFCmpUNO(x, y), b.CreateFCmpUNO(z, z));
  auto* middle = float_max(t, float_min(t, x, y), float_min(t, float_max(t, x, y), z));
  return b.CreateSelect(nan, min3(t, x, y, z), middle);
}

template <llvm::Intrinsic::ID kId>
Value* round(Translator& t, Value* x) {
  return t.intrinsic(kId, x);
}
Value* fraction(Translator& t, Value* x) {
  auto* type = x->getType();
  const auto& semantics = type->getScalarType()->getFltSemantics();
  auto below_one = llvm::APFloat::getOne(semantics);
  below_one.next(/*nextDown=*/true);
  auto* limit = llvm::ConstantFP::get(type, below_one);
  auto* d = t.b.CreateFSub(x, t.intrinsic(Intrinsic::floor, x));
  return t.b.CreateSelect(t.b.CreateFCmpOGT(d, limit), limit, d);
}

Value* reciprocal(Translator& t, Value* x) { return t.b.CreateFDiv(t.vf(x->getType(), 1.0), x); }
Value* root(Translator& t, Value* x) { return t.intrinsic(Intrinsic::sqrt, x); }
Value* reciprocal_root(Translator& t, Value* x) { return reciprocal(t, root(t, x)); }

template <LaneFunction kFunction>
Value* elementary(Translator& t, Value* x) {
  return call_lane_function(t, kFunction, x);
}
// f16 elementary functions are computed in f32 and rounded.
template <auto F>
Value* through_single(Translator& t, Value* x) {
  return t.b.CreateFPTrunc(F(t, t.b.CreateFPExt(x, t.vf32)), t.vf16);
}

// x * 2^n in f64, where no f32 result is out of range, and rounded once.
Value* scale_single(Translator& t, Value* x, Value* n) {
  auto& b = t.b;
  auto* limited = t.intrinsic(Intrinsic::smax, t.intrinsic(Intrinsic::smin, n, {t.v32(400)}),
                              {t.v32(static_cast<std::uint32_t>(-400))});
  auto* exponent = b.CreateShl(b.CreateAdd(b.CreateSExt(limited, t.vi64), t.v64(1023)), t.v64(52));
  return b.CreateFMul(b.CreateFPExt(x, t.vf64), b.CreateBitCast(exponent, t.vf64));
}
void ldexp_single(Translator& t, const Inst& i) {
  auto* d = scale_single(t, t.readf32(i.operands[1]), t.read32(i.operands[2]));
  t.writef32(i.operands[0], t.b.CreateFPTrunc(d, t.vf32));
}
void ldexp_half(Translator& t, const Inst& i) {
  auto* x = t.b.CreateFPExt(read_float<Kind::half>(t, i, 1), t.vf32);
  auto* n = t.b.CreateSExt(t.read16(i.operands[2], t.op_sel(1)), t.vi32);
  write_float<Kind::half>(t, i, half_from_double(t, scale_single(t, x, n)));
}
void ldexp_double(Translator& t, const Inst& i) {
  auto& b = t.b;
  auto* bits = b.CreateBitCast(t.readf64(i.operands[1]), t.vi64);
  t.put(0, b.CreateTrunc(bits, t.vi32));
  t.put(1, b.CreateTrunc(b.CreateLShr(bits, t.v64(32)), t.vi32));
  t.put(2, t.read32(i.operands[2]));
  t.call(reinterpret_cast<void*>(&hcq_isa_ldexp64), llvm::Type::getVoidTy(t.module.getContext()), {t.wave()});
  auto* high = b.CreateShl(b.CreateZExt(t.get(1), t.vi64), t.v64(32));
  t.writef64(i.operands[0], b.CreateBitCast(b.CreateOr(b.CreateZExt(t.get(0), t.vi64), high), t.vf64));
}

// Splits x = mantissa * 2^exponent with the mantissa in [0.5, 1). Zero, infinity and NaN have exponent 0.
struct Split {
  Value* mantissa;
  Value* exponent;  // vi32
};
Split split(Translator& t, Value* x) {
  auto& b = t.b;
  auto* wide = x->getType() == t.vf64 ? x : b.CreateFPExt(x, t.vf64);
  auto* magnitude = t.intrinsic(Intrinsic::fabs, wide);
  auto* tiny = b.CreateFCmpOLT(magnitude, t.vf(t.vf64, 0x1p-1022));
  auto* scaled = b.CreateSelect(tiny, b.CreateFMul(wide, t.vf(t.vf64, 0x1p54)), wide);
  auto* bits = b.CreateBitCast(scaled, t.vi64);
  auto* biased = b.CreateAnd(b.CreateLShr(bits, t.v64(52)), t.v64(0x7ff));
  auto* correction = b.CreateSelect(tiny, t.v64(1022 + 54), t.v64(1022));
  Value* exponent = b.CreateTrunc(b.CreateSub(biased, correction), t.vi32);
  auto* half = b.CreateOr(b.CreateAnd(bits, t.v64(0x800fffffffffffff)), t.v64(std::uint64_t{1022} << 52));
  auto* ordinary = b.CreateAnd(b.CreateFCmpONE(magnitude, t.vf(t.vf64, 0.0)),
                               b.CreateFCmpOLT(magnitude, llvm::ConstantFP::getInfinity(t.vf64)));
  exponent = b.CreateSelect(ordinary, exponent, t.v32(0));
  auto* mantissa = b.CreateBitCast(half, t.vf64);
  auto* narrow = x->getType() == t.vf64 ? mantissa : b.CreateFPTrunc(mantissa, x->getType());
  return {b.CreateSelect(ordinary, narrow, x), exponent};
}
Value* mantissa(Translator& t, Value* x) { return split(t, x).mantissa; }
template <Kind kKind>
void frexp_exponent(Translator& t, const Inst& i) {
  auto* x = read_float<kKind>(t, i, 1);
  if (kKind == Kind::half) x = t.b.CreateFPExt(x, t.vf32);
  auto* exponent = split(t, x).exponent;
  if (kKind == Kind::half) t.write16(i.operands[0], destination_select(t), t.b.CreateTrunc(exponent, t.vi16));
  else t.write32(i.operands[0], exponent);
}
Value* mantissa_half(Translator& t, Value* x) {
  return t.b.CreateFPTrunc(mantissa(t, t.b.CreateFPExt(x, t.vf32)), t.vf16);
}

#define HCQ_ALL_KINDS(name, shape, ...)                                                             \
  {name "_f16", shape<Kind::half, __VA_ARGS__>}, {name "_f32", shape<Kind::single, __VA_ARGS__>}, { \
    name "_f64", shape<Kind::real, __VA_ARGS__>                                                     \
  }
#define HCQ_HALF_AND_SINGLE(name, shape, ...) \
  {name "_f16", shape<Kind::half, __VA_ARGS__>}, { name "_f32", shape<Kind::single, __VA_ARGS__> }

constexpr Op kOps[] = {
    HCQ_ALL_KINDS("v_add", binary, add),
    HCQ_HALF_AND_SINGLE("v_sub", binary, sub),
    HCQ_HALF_AND_SINGLE("v_subrev", reversed, sub),
    HCQ_ALL_KINDS("v_mul", binary, mul),
    HCQ_ALL_KINDS("v_fma", ternary, fused_multiply_add),
    HCQ_HALF_AND_SINGLE("v_fmac", accumulate, fused_multiply_add),
    HCQ_HALF_AND_SINGLE("v_fmamk", ternary, fused_multiply_add),
    HCQ_HALF_AND_SINGLE("v_fmaak", ternary, fused_multiply_add),
    {"v_mul_dx9_zero_f32", binary<Kind::single, mul_dx9>},
    {"v_fma_dx9_zero_f32", ternary<Kind::single, fma_dx9>},
    {"v_fmac_dx9_zero_f32", accumulate<Kind::single, fma_dx9>},
    HCQ_ALL_KINDS("v_min", binary, float_min),
    HCQ_ALL_KINDS("v_max", binary, float_max),
    HCQ_HALF_AND_SINGLE("v_min3", ternary, min3),
    HCQ_HALF_AND_SINGLE("v_max3", ternary, max3),
    HCQ_HALF_AND_SINGLE("v_med3", ternary, median),
    HCQ_HALF_AND_SINGLE("v_maxmin", ternary, maxmin),
    HCQ_HALF_AND_SINGLE("v_minmax", ternary, minmax),
    HCQ_ALL_KINDS("v_trunc", unary, round<Intrinsic::trunc>),
    HCQ_ALL_KINDS("v_ceil", unary, round<Intrinsic::ceil>),
    HCQ_ALL_KINDS("v_floor", unary, round<Intrinsic::floor>),
    HCQ_ALL_KINDS("v_rndne", unary, round<Intrinsic::roundeven>),
    HCQ_ALL_KINDS("v_fract", unary, fraction),
    {"v_rcp_f16", unary<Kind::half, through_single<reciprocal>>},
    {"v_rsq_f16", unary<Kind::half, through_single<reciprocal_root>>},
    {"v_sqrt_f16", unary<Kind::half, through_single<root>>},
    {"v_rcp_f32", unary<Kind::single, reciprocal>},
    {"v_rcp_iflag_f32", unary<Kind::single, reciprocal>},
    {"v_rsq_f32", unary<Kind::single, reciprocal_root>},
    {"v_sqrt_f32", unary<Kind::single, root>},
    {"v_rcp_f64", unary<Kind::real, reciprocal>},
    {"v_rsq_f64", unary<Kind::real, reciprocal_root>},
    {"v_sqrt_f64", unary<Kind::real, root>},
    {"v_exp_f16", unary<Kind::half, through_single<elementary<hcq_isa_exp2>>>},
    {"v_log_f16", unary<Kind::half, through_single<elementary<hcq_isa_log2>>>},
    {"v_sin_f16", unary<Kind::half, through_single<elementary<hcq_isa_sin>>>},
    {"v_cos_f16", unary<Kind::half, through_single<elementary<hcq_isa_cos>>>},
    {"v_exp_f32", unary<Kind::single, elementary<hcq_isa_exp2>>},
    {"v_log_f32", unary<Kind::single, elementary<hcq_isa_log2>>},
    {"v_sin_f32", unary<Kind::single, elementary<hcq_isa_sin>>},
    {"v_cos_f32", unary<Kind::single, elementary<hcq_isa_cos>>},
    {"v_ldexp_f16", ldexp_half},
    {"v_ldexp_f32", ldexp_single},
    {"v_ldexp_f64", ldexp_double},
    {"v_frexp_mant_f16", unary<Kind::half, mantissa_half>},
    {"v_frexp_mant_f32", unary<Kind::single, mantissa>},
    {"v_frexp_mant_f64", unary<Kind::real, mantissa>},
    {"v_frexp_exp_i16_f16", frexp_exponent<Kind::half>},
    {"v_frexp_exp_i32_f32", frexp_exponent<Kind::single>},
    {"v_frexp_exp_i32_f64", frexp_exponent<Kind::real>},
};

}  // namespace

std::span<const Op> valu_float_ops() { return kOps; }

}  // namespace hcq::models::isa
