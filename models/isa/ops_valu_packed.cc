// SPDX-License-Identifier: MIT
// VOP3P: two 16-bit operations at once, mixed precision, dot products.
#include "models/isa/float_kind.h"
#include "models/isa/ops.h"

namespace hcq::models::isa {
namespace {

using Value = llvm::Value;
namespace Intrinsic = llvm::Intrinsic;

bool bit_of(const Inst& i, const char* name, unsigned index, bool otherwise) {
  const auto bits = i.list(name);
  return index < bits.size() ? bits[index] != 0 : otherwise;
}

// Both halves of source `n` in one dword. An inline constant fills the low half, sign-extended when an integer.
Value* packed_bits(Translator& t, const Inst& i, unsigned n) {
  const auto& op = i.operands[n];
  if (op.kind == Operand::Kind::real) return t.b.CreateZExt(t.read16(op, 0), t.vi32);
  return t.read32(op);
}

// What the low (high) operation reads: OP_SEL (OP_SEL_HI) picks the half.
Value* packed_half(Translator& t, const Inst& i, unsigned n, bool high) {
  const bool upper = high ? bit_of(i, "op_sel_hi", n - 1, true) : bit_of(i, "op_sel", n - 1, false);
  auto* v = packed_bits(t, i, n);
  return t.b.CreateTrunc(upper ? t.b.CreateLShr(v, t.v32(16)) : v, t.vi16);
}
Value* packed_float(Translator& t, const Inst& i, unsigned n, bool high) {
  Value* v = t.b.CreateBitCast(packed_half(t, i, n, high), t.vf16);
  if (bit_of(i, high ? "neg_hi" : "neg_lo", n - 1, false)) v = t.b.CreateFNeg(v);
  return t.flush_denormals(v);
}

void write_packed(Translator& t, const Inst& i, Value* low, Value* high) {
  auto* upper = t.b.CreateShl(t.b.CreateZExt(high, t.vi32), t.v32(16));
  t.write32(i.operands[0], t.b.CreateOr(t.b.CreateZExt(low, t.vi32), upper));
}

template <auto F>
void int_binary(Translator& t, const Inst& i) {
  Value* d[2];
  for (const bool high : {false, true}) d[high] = F(t, packed_half(t, i, 1, high), packed_half(t, i, 2, high));
  write_packed(t, i, d[0], d[1]);
}
template <auto F>
void int_ternary(Translator& t, const Inst& i) {
  Value* d[2];
  for (const bool high : {false, true})
    d[high] = F(t, packed_half(t, i, 1, high), packed_half(t, i, 2, high), packed_half(t, i, 3, high));
  write_packed(t, i, d[0], d[1]);
}
template <auto F>
void float_binary(Translator& t, const Inst& i) {
  Value* d[2];
  for (const bool high : {false, true})
    d[high] = float_bits(t, t.output_modifiers(F(t, packed_float(t, i, 1, high), packed_float(t, i, 2, high))));
  write_packed(t, i, d[0], d[1]);
}
// `kAddend`: operand index of the addend, 0 for the destination itself.
template <unsigned kAddend>
void float_fma(Translator& t, const Inst& i) {
  Value* d[2];
  for (const bool high : {false, true}) {
    auto* addend = kAddend != 0 ? packed_float(t, i, kAddend, high)
                                : t.flush_denormals(t.b.CreateBitCast(t.read16(i.operands[0], high), t.vf16));
    auto* sum = fused_multiply_add(t, packed_float(t, i, 1, high), packed_float(t, i, 2, high), addend);
    d[high] = float_bits(t, t.output_modifiers(sum));
  }
  write_packed(t, i, d[0], d[1]);
}

template <llvm::Intrinsic::ID kSaturate>
Value* add(Translator& t, Value* x, Value* y) {
  return t.current->flag("clamp") ? t.intrinsic(kSaturate, x, {y}) : t.b.CreateAdd(x, y);
}
template <llvm::Intrinsic::ID kSaturate>
Value* sub(Translator& t, Value* x, Value* y) {
  return t.current->flag("clamp") ? t.intrinsic(kSaturate, x, {y}) : t.b.CreateSub(x, y);
}
template <llvm::Intrinsic::ID kId>
Value* by_intrinsic(Translator& t, Value* x, Value* y) {
  return t.intrinsic(kId, x, {y});
}
Value* count(Translator& t, Value* n) { return t.b.CreateAnd(n, t.v16(15)); }
Value* multiply(Translator& t, Value* x, Value* y) { return t.b.CreateMul(x, y); }
Value* multiply_add(Translator& t, Value* x, Value* y, Value* z) { return t.b.CreateAdd(t.b.CreateMul(x, y), z); }
Value* float_add(Translator& t, Value* x, Value* y) { return t.b.CreateFAdd(x, y); }
Value* float_mul(Translator& t, Value* x, Value* y) { return t.b.CreateFMul(x, y); }

// v_fma_mix: each source is f32, or with OP_SEL_HI the half of an f16 pair that OP_SEL names.
Value* mixed_source(Translator& t, const Inst& i, unsigned n) {
  const auto& op = i.operands[n];
  if (!bit_of(i, "op_sel_hi", n - 1, false)) return t.readf32(op);
  auto* v = packed_bits(t, i, n);
  if (bit_of(i, "op_sel", n - 1, false)) v = t.b.CreateLShr(v, t.v32(16));
  auto* half = t.b.CreateBitCast(t.b.CreateTrunc(v, t.vi16), t.vf16);
  return t.modify(t.b.CreateFPExt(t.flush_denormals(half), t.vf32), op);
}
Value* mixed_fma(Translator& t, const Inst& i) {
  return fused_multiply_add(t, mixed_source(t, i, 1), mixed_source(t, i, 2), mixed_source(t, i, 3));
}
void fma_mix(Translator& t, const Inst& i) { t.writef32(i.operands[0], mixed_fma(t, i)); }
template <bool kHigh>
void fma_mix_half(Translator& t, const Inst& i) {
  t.writef16(i.operands[0], kHigh, t.b.CreateFPTrunc(mixed_fma(t, i), t.vf16));
}

// Products of the halves are exact in f32.
void dot2_f32_f16(Translator& t, const Inst& i) {
  auto& b = t.b;
  Value* sum = t.readf32(i.operands[3]);
  for (const bool high : {false, true}) {
    auto* x = b.CreateFPExt(packed_float(t, i, 1, high), t.vf32);
    sum = t.intrinsic(Intrinsic::fma, x, {b.CreateFPExt(packed_float(t, i, 2, high), t.vf32), sum});
  }
  t.writef32(i.operands[0], sum);
}
// The accumulating VOP2 form; it has no selectors.
void dot2acc_f32_f16(Translator& t, const Inst& i) {
  auto& b = t.b;
  Value* sum = t.readf32(i.operands[0]);
  for (const bool high : {false, true}) {
    auto* x = b.CreateFPExt(b.CreateBitCast(t.read16(i.operands[1], high), t.vf16), t.vf32);
    auto* y = b.CreateFPExt(b.CreateBitCast(t.read16(i.operands[2], high), t.vf16), t.vf32);
    sum = t.intrinsic(Intrinsic::fma, x, {y, sum});
  }
  t.writef32(i.operands[0], sum);
}

// Sum of products of `32 / kBits` small integers. In the _iu forms NEG_LO says which source is signed.
template <unsigned kBits, bool kMixed>
void dot_int(Translator& t, const Inst& i) {
  auto& b = t.b;
  const auto element = [&](unsigned n, unsigned index) {
    const bool is_signed = kMixed && bit_of(i, "neg_lo", n - 1, false);
    auto* up = b.CreateShl(t.read32(i.operands[n]), t.v32(32 - kBits * (index + 1)));
    return is_signed ? b.CreateAShr(up, t.v32(32 - kBits)) : b.CreateLShr(up, t.v32(32 - kBits));
  };
  const auto wide = [&](Value* v) { return kMixed ? b.CreateSExt(v, t.vi64) : b.CreateZExt(v, t.vi64); };
  Value* sum = wide(t.read32(i.operands[3]));
  for (unsigned k = 0; k < 32 / kBits; ++k) sum = b.CreateAdd(sum, wide(b.CreateMul(element(1, k), element(2, k))));
  if (i.flag("clamp")) {
    const auto largest = kMixed ? std::uint64_t{0x7fffffff} : std::uint64_t{0xffffffff};
    sum = t.intrinsic(kMixed ? Intrinsic::smin : Intrinsic::umin, sum, {t.v64(largest)});
    if (kMixed) sum = t.intrinsic(Intrinsic::smax, sum, {t.v64(0xffffffff80000000)});
  }
  t.write32(i.operands[0], b.CreateTrunc(sum, t.vi32));
}

constexpr Op kOps[] = {
    {"v_pk_add_f16", float_binary<float_add>},
    {"v_pk_mul_f16", float_binary<float_mul>},
    {"v_pk_min_f16", float_binary<float_min>},
    {"v_pk_max_f16", float_binary<float_max>},
    {"v_pk_fma_f16", float_fma<3>},
    {"v_pk_fmac_f16", float_fma<0>},
    {"v_pk_add_u16", int_binary<add<Intrinsic::uadd_sat>>},
    {"v_pk_add_i16", int_binary<add<Intrinsic::sadd_sat>>},
    {"v_pk_sub_u16", int_binary<sub<Intrinsic::usub_sat>>},
    {"v_pk_sub_i16", int_binary<sub<Intrinsic::ssub_sat>>},
    {"v_pk_mul_lo_u16", int_binary<multiply>},
    {"v_pk_mad_u16", int_ternary<multiply_add>},
    {"v_pk_mad_i16", int_ternary<multiply_add>},
    {"v_pk_min_i16", int_binary<by_intrinsic<Intrinsic::smin>>},
    {"v_pk_max_i16", int_binary<by_intrinsic<Intrinsic::smax>>},
    {"v_pk_min_u16", int_binary<by_intrinsic<Intrinsic::umin>>},
    {"v_pk_max_u16", int_binary<by_intrinsic<Intrinsic::umax>>},
    {"v_pk_lshlrev_b16", int_binary<[](Translator& t, Value* n, Value* x) { return t.b.CreateShl(x, count(t, n)); }>},
    {"v_pk_lshrrev_b16", int_binary<[](Translator& t, Value* n, Value* x) { return t.b.CreateLShr(x, count(t, n)); }>},
    {"v_pk_ashrrev_i16", int_binary<[](Translator& t, Value* n, Value* x) { return t.b.CreateAShr(x, count(t, n)); }>},
    {"v_fma_mix_f32", fma_mix},
    {"v_fma_mixlo_f16", fma_mix_half<false>},
    {"v_fma_mixhi_f16", fma_mix_half<true>},
    {"v_dot2_f32_f16", dot2_f32_f16},
    {"v_dot2acc_f32_f16", dot2acc_f32_f16},
    {"v_dot2c_f32_f16", dot2acc_f32_f16},
    {"v_dot4_i32_iu8", dot_int<8, true>},
    {"v_dot8_i32_iu4", dot_int<4, true>},
    {"v_dot4_u32_u8", dot_int<8, false>},
    {"v_dot8_u32_u4", dot_int<4, false>},
};

}  // namespace

std::span<const Op> valu_packed_ops() { return kOps; }

}  // namespace hcq::models::isa
