// SPDX-License-Identifier: MIT
// Conversions. Float to integer saturates, and NaN becomes 0.
#include "models/isa/float_kind.h"
#include "models/isa/ops.h"

namespace hcq::models::isa {
namespace {

using Value = llvm::Value;
namespace Intrinsic = llvm::Intrinsic;

Value* to_signed(Translator& t, Value* v, llvm::Type* type) {
  return t.b.CreateIntrinsic(Intrinsic::fptosi_sat, {type, v->getType()}, {v});
}
Value* to_unsigned(Translator& t, Value* v, llvm::Type* type) {
  return t.b.CreateIntrinsic(Intrinsic::fptoui_sat, {type, v->getType()}, {v});
}

template <Kind kFrom, bool kSigned>
void to_int32(Translator& t, const Inst& i) {
  auto* x = read_float<kFrom>(t, i, 1);
  t.write32(i.operands[0], kSigned ? to_signed(t, x, t.vi32) : to_unsigned(t, x, t.vi32));
}
template <Kind kTo, bool kSigned>
void from_int32(Translator& t, const Inst& i) {
  auto* type = kTo == Kind::real ? t.vf64 : t.vf32;
  auto* x = t.read32(i.operands[1]);
  write_float<kTo>(t, i, kSigned ? t.b.CreateSIToFP(x, type) : t.b.CreateUIToFP(x, type));
}
template <bool kSigned>
void half_to_int16(Translator& t, const Inst& i) {
  auto* x = t.b.CreateFPExt(read_float<Kind::half>(t, i, 1), t.vf32);
  auto* d = kSigned ? to_signed(t, x, t.vi16) : to_unsigned(t, x, t.vi16);
  t.write16(i.operands[0], destination_select(t), d);
}
// Every 16-bit integer is exact in f32, so this rounds once.
template <bool kSigned>
void half_from_int16(Translator& t, const Inst& i) {
  auto* x = t.read16(i.operands[1], t.op_sel(0));
  auto* wide = kSigned ? t.b.CreateSIToFP(x, t.vf32) : t.b.CreateUIToFP(x, t.vf32);
  write_float<Kind::half>(t, i, t.b.CreateFPTrunc(wide, t.vf16));
}

template <unsigned kByte>
void from_byte(Translator& t, const Inst& i) {
  auto* byte = t.b.CreateAnd(t.b.CreateLShr(t.read32(i.operands[1]), t.v32(8 * kByte)), t.v32(0xff));
  t.writef32(i.operands[0], t.b.CreateUIToFP(byte, t.vf32));
}

void half_to_single(Translator& t, const Inst& i) {
  t.writef32(i.operands[0], t.b.CreateFPExt(read_float<Kind::half>(t, i, 1), t.vf32));
}
void single_to_half(Translator& t, const Inst& i) {
  write_float<Kind::half>(t, i, t.b.CreateFPTrunc(read_float<Kind::single>(t, i, 1), t.vf16));
}
void single_to_double(Translator& t, const Inst& i) {
  t.writef64(i.operands[0], t.b.CreateFPExt(t.readf32(i.operands[1]), t.vf64));
}
void double_to_single(Translator& t, const Inst& i) {
  t.writef32(i.operands[0], t.b.CreateFPTrunc(t.readf64(i.operands[1]), t.vf32));
}

void floor_to_int(Translator& t, const Inst& i) {
  auto* x = t.intrinsic(Intrinsic::floor, t.readf32(i.operands[1]));
  t.write32(i.operands[0], to_signed(t, x, t.vi32));
}
void nearest_to_int(Translator& t, const Inst& i) {
  auto* x = t.intrinsic(Intrinsic::floor, t.b.CreateFAdd(t.readf32(i.operands[1]), t.vf(t.vf32, 0.5)));
  t.write32(i.operands[0], to_signed(t, x, t.vi32));
}

Value* pack(Translator& t, Value* low, Value* high) {
  auto* wide = t.b.CreateShl(t.b.CreateZExt(high, t.vi32), t.v32(16));
  return t.b.CreateOr(t.b.CreateZExt(low, t.vi32), wide);
}

// Rounds to nearest and takes one step back where that went away from zero.
Value* half_toward_zero(Translator& t, Value* x) {
  auto& b = t.b;
  auto* nearest = b.CreateFPTrunc(x, t.vf16);
  auto* back = b.CreateFPExt(nearest, t.vf32);
  auto* too_far = b.CreateFCmpOGT(t.intrinsic(Intrinsic::fabs, back), t.intrinsic(Intrinsic::fabs, x));
  auto* bits = b.CreateBitCast(nearest, t.vi16);
  return b.CreateSelect(too_far, b.CreateSub(bits, t.v16(1)), bits);
}
void pack_half_toward_zero(Translator& t, const Inst& i) {
  auto* low = half_toward_zero(t, t.readf32(i.operands[1]));
  t.write32(i.operands[0], pack(t, low, half_toward_zero(t, t.readf32(i.operands[2]))));
}
void pack_half(Translator& t, const Inst& i) {
  const auto half = [&](unsigned n) { return float_bits(t, read_float<Kind::half>(t, i, n)); };
  auto* low = half(1);
  t.write32(i.operands[0], pack(t, low, half(2)));
}

template <bool kSigned>
void pack_int(Translator& t, const Inst& i) {
  const auto narrow = [&](unsigned n) {
    auto* x = t.read32(i.operands[n]);
    if (kSigned) {
      x = t.intrinsic(Intrinsic::smin, x, {t.v32(0x7fff)});
      x = t.intrinsic(Intrinsic::smax, x, {t.v32(static_cast<std::uint32_t>(-0x8000))});
    } else {
      x = t.intrinsic(Intrinsic::umin, x, {t.v32(0xffff)});
    }
    return t.b.CreateTrunc(x, t.vi16);
  };
  auto* low = narrow(1);
  t.write32(i.operands[0], pack(t, low, narrow(2)));
}
template <bool kSigned>
void pack_int_of_single(Translator& t, const Inst& i) {
  const auto narrow = [&](unsigned n) {
    auto* x = t.readf32(i.operands[n]);
    return kSigned ? to_signed(t, x, t.vi16) : to_unsigned(t, x, t.vi16);
  };
  auto* low = narrow(1);
  t.write32(i.operands[0], pack(t, low, narrow(2)));
}
// Maps [-1, 1] or [0, 1] to the whole integer range, rounding to nearest.
template <Kind kFrom, bool kSigned>
void pack_normalized(Translator& t, const Inst& i) {
  const auto narrow = [&](unsigned n) {
    Value* x = read_float<kFrom>(t, i, n);
    if (kFrom == Kind::half) x = t.b.CreateFPExt(x, t.vf32);
    auto* low = t.vf(t.vf32, kSigned ? -1.0 : 0.0);
    x = t.b.CreateSelect(t.b.CreateFCmpOGT(x, t.vf(t.vf32, 1.0)), t.vf(t.vf32, 1.0), x);
    x = t.b.CreateSelect(t.b.CreateFCmpOLT(x, low), low, x);
    x = t.intrinsic(Intrinsic::roundeven, t.b.CreateFMul(x, t.vf(t.vf32, kSigned ? 32767.0 : 65535.0)));
    return kSigned ? to_signed(t, x, t.vi16) : to_unsigned(t, x, t.vi16);
  };
  auto* low = narrow(1);
  t.write32(i.operands[0], pack(t, low, narrow(2)));
}

// Rounds, saturates and inserts one byte.
void pack_byte(Translator& t, const Inst& i) {
  auto& b = t.b;
  auto* x = t.intrinsic(Intrinsic::roundeven, t.readf32(i.operands[1]));
  auto* byte = b.CreateZExt(to_unsigned(t, x, llvm::FixedVectorType::get(t.i8, t.lanes)), t.vi32);
  auto* shift = b.CreateShl(b.CreateAnd(t.read32(i.operands[2]), t.v32(3)), t.v32(3));
  auto* kept = b.CreateAnd(t.read32(i.operands[3]), b.CreateNot(b.CreateShl(t.v32(0xff), shift)));
  t.write32(i.operands[0], b.CreateOr(kept, b.CreateShl(byte, shift)));
}

template <bool kSigned>
void extend16(Translator& t, const Inst& i) {
  auto* x = t.read16(i.operands[1], t.op_sel(0));
  t.write32(i.operands[0], kSigned ? t.b.CreateSExt(x, t.vi32) : t.b.CreateZExt(x, t.vi32));
}

constexpr Op kOps[] = {
    {"v_cvt_i32_f32", to_int32<Kind::single, true>},
    {"v_cvt_u32_f32", to_int32<Kind::single, false>},
    {"v_cvt_i32_f64", to_int32<Kind::real, true>},
    {"v_cvt_u32_f64", to_int32<Kind::real, false>},
    {"v_cvt_f32_i32", from_int32<Kind::single, true>},
    {"v_cvt_f32_u32", from_int32<Kind::single, false>},
    {"v_cvt_f64_i32", from_int32<Kind::real, true>},
    {"v_cvt_f64_u32", from_int32<Kind::real, false>},
    {"v_cvt_i16_f16", half_to_int16<true>},
    {"v_cvt_u16_f16", half_to_int16<false>},
    {"v_cvt_f16_i16", half_from_int16<true>},
    {"v_cvt_f16_u16", half_from_int16<false>},
    {"v_cvt_f32_f16", half_to_single},
    {"v_cvt_f16_f32", single_to_half},
    {"v_cvt_f64_f32", single_to_double},
    {"v_cvt_f32_f64", double_to_single},
    {"v_cvt_f32_ubyte0", from_byte<0>},
    {"v_cvt_f32_ubyte1", from_byte<1>},
    {"v_cvt_f32_ubyte2", from_byte<2>},
    {"v_cvt_f32_ubyte3", from_byte<3>},
    {"v_cvt_floor_i32_f32", floor_to_int},
    {"v_cvt_nearest_i32_f32", nearest_to_int},
    {"v_cvt_pk_rtz_f16_f32", pack_half_toward_zero},
    {"v_pack_b32_f16", pack_half},
    {"v_cvt_pk_i16_i32", pack_int<true>},
    {"v_cvt_pk_u16_u32", pack_int<false>},
    {"v_cvt_pk_i16_f32", pack_int_of_single<true>},
    {"v_cvt_pk_u16_f32", pack_int_of_single<false>},
    {"v_cvt_pk_norm_i16_f32", pack_normalized<Kind::single, true>},
    {"v_cvt_pk_norm_u16_f32", pack_normalized<Kind::single, false>},
    {"v_cvt_pk_norm_i16_f16", pack_normalized<Kind::half, true>},
    {"v_cvt_pk_norm_u16_f16", pack_normalized<Kind::half, false>},
    {"v_cvt_pk_u8_f32", pack_byte},
    {"v_cvt_i32_i16", extend16<true>},
    {"v_cvt_u32_u16", extend16<false>},
};

}  // namespace

std::span<const Op> valu_convert_ops() { return kOps; }

}  // namespace hcq::models::isa
