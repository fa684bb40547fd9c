// SPDX-License-Identifier: MIT
// 16-bit vector integers. They read and write one half of a register and keep the other; f16 stands with the other
// floating-point types in ops_valu_float.cc.
#include "models/isa/float_kind.h"
#include "models/isa/ops.h"

namespace hcq::models::isa {
namespace {

using Value = llvm::Value;
namespace Intrinsic = llvm::Intrinsic;

Value* read(Translator& t, const Inst& i, unsigned n) { return t.read16(i.operands[n], t.op_sel(n - 1)); }
void write(Translator& t, const Inst& i, Value* v) { t.write16(i.operands[0], destination_select(t), v); }

template <auto F>
void unary(Translator& t, const Inst& i) {
  write(t, i, F(t, read(t, i, 1)));
}
template <auto F>
void binary(Translator& t, const Inst& i) {
  write(t, i, F(t, read(t, i, 1), read(t, i, 2)));
}
template <auto F>
void reversed(Translator& t, const Inst& i) {
  write(t, i, F(t, read(t, i, 2), read(t, i, 1)));
}
template <auto F>
void ternary(Translator& t, const Inst& i) {
  write(t, i, F(t, read(t, i, 1), read(t, i, 2), read(t, i, 3)));
}

template <llvm::Intrinsic::ID kSaturate>
Value* add(Translator& t, Value* x, Value* y) {
  return t.current->flag("clamp") ? t.intrinsic(kSaturate, x, {y}) : t.b.CreateAdd(x, y);
}
template <llvm::Intrinsic::ID kSaturate>
Value* sub(Translator& t, Value* x, Value* y) {
  return t.current->flag("clamp") ? t.intrinsic(kSaturate, x, {y}) : t.b.CreateSub(x, y);
}
Value* count(Translator& t, Value* n) { return t.b.CreateAnd(n, t.v16(15)); }

template <llvm::Intrinsic::ID kId>
Value* by_intrinsic(Translator& t, Value* x, Value* y) {
  return t.intrinsic(kId, x, {y});
}
template <llvm::Intrinsic::ID kId>
Value* twice(Translator& t, Value* x, Value* y, Value* z) {
  return t.intrinsic(kId, t.intrinsic(kId, x, {y}), {z});
}
template <llvm::Intrinsic::ID kMin, llvm::Intrinsic::ID kMax>
Value* median(Translator& t, Value* x, Value* y, Value* z) {
  auto* high = t.intrinsic(kMax, x, {y});
  return t.intrinsic(kMax, t.intrinsic(kMin, x, {y}), {t.intrinsic(kMin, high, {z})});
}

// With CLAMP the 32-bit sum saturates to 16 bits.
template <bool kSigned>
Value* multiply_add(Translator& t, Value* x, Value* y, Value* z) {
  auto& b = t.b;
  if (!t.current->flag("clamp")) return b.CreateAdd(b.CreateMul(x, y), z);
  const auto wide = [&](Value* v) { return kSigned ? b.CreateSExt(v, t.vi64) : b.CreateZExt(v, t.vi64); };
  Value* sum = b.CreateAdd(b.CreateMul(wide(x), wide(y)), wide(z));
  sum = t.intrinsic(kSigned ? Intrinsic::smin : Intrinsic::umin, sum, {t.v64(kSigned ? 0x7fff : 0xffff)});
  if (kSigned) sum = t.intrinsic(Intrinsic::smax, sum, {t.v64(static_cast<std::uint64_t>(-0x8000))});
  return b.CreateTrunc(sum, t.vi16);
}

void conditional(Translator& t, const Inst& i) {
  auto source = [&](unsigned n) -> Value* {
    auto* v = read(t, i, n);
    if (!i.operands[n].abs && !i.operands[n].neg) return v;
    return t.b.CreateBitCast(t.modify(t.b.CreateBitCast(v, t.vf16), i.operands[n]), t.vi16);
  };
  auto* first = source(1);
  write(t, i, t.b.CreateSelect(t.read_lanes(i.operands[3]), source(2), first));
}

// Two signed halves to two unsigned bytes.
void saturate_pack(Translator& t, const Inst& i) {
  auto& b = t.b;
  auto* x = t.read32(i.operands[1]);
  const auto byte = [&](Value* half) {
    auto* limited = t.intrinsic(Intrinsic::smin, b.CreateTrunc(half, t.vi16), {t.v16(255)});
    return t.intrinsic(Intrinsic::smax, limited, {t.v16(0)});
  };
  auto* low = byte(x);
  auto* high = b.CreateShl(byte(b.CreateLShr(x, t.v32(16))), t.v16(8));
  write(t, i, b.CreateOr(low, high));
}

void swap(Translator& t, const Inst& i) {
  auto* x = t.read16(i.operands[0], 0);
  auto* y = t.read16(i.operands[1], 0);
  t.write16(i.operands[0], 0, y);
  t.write16(i.operands[1], 0, x);
}

constexpr Op kOps[] = {
    {"v_mov_b16", unary<[](Translator&, Value* x) { return x; }>},
    {"v_not_b16", unary<[](Translator& t, Value* x) { return t.b.CreateNot(x); }>},
    {"v_swap_b16", swap},
    {"v_sat_pk_u8_i16", saturate_pack},
    {"v_add_nc_u16", binary<add<Intrinsic::uadd_sat>>},
    {"v_sub_nc_u16", binary<sub<Intrinsic::usub_sat>>},
    {"v_add_nc_i16", binary<add<Intrinsic::sadd_sat>>},
    {"v_sub_nc_i16", binary<sub<Intrinsic::ssub_sat>>},
    {"v_mul_lo_u16", binary<[](Translator& t, Value* x, Value* y) { return t.b.CreateMul(x, y); }>},
    {"v_and_b16", binary<[](Translator& t, Value* x, Value* y) { return t.b.CreateAnd(x, y); }>},
    {"v_or_b16", binary<[](Translator& t, Value* x, Value* y) { return t.b.CreateOr(x, y); }>},
    {"v_xor_b16", binary<[](Translator& t, Value* x, Value* y) { return t.b.CreateXor(x, y); }>},
    {"v_lshlrev_b16", reversed<[](Translator& t, Value* x, Value* n) { return t.b.CreateShl(x, count(t, n)); }>},
    {"v_lshrrev_b16", reversed<[](Translator& t, Value* x, Value* n) { return t.b.CreateLShr(x, count(t, n)); }>},
    {"v_ashrrev_i16", reversed<[](Translator& t, Value* x, Value* n) { return t.b.CreateAShr(x, count(t, n)); }>},
    {"v_min_i16", binary<by_intrinsic<Intrinsic::smin>>},
    {"v_max_i16", binary<by_intrinsic<Intrinsic::smax>>},
    {"v_min_u16", binary<by_intrinsic<Intrinsic::umin>>},
    {"v_max_u16", binary<by_intrinsic<Intrinsic::umax>>},
    {"v_min3_i16", ternary<twice<Intrinsic::smin>>},
    {"v_max3_i16", ternary<twice<Intrinsic::smax>>},
    {"v_min3_u16", ternary<twice<Intrinsic::umin>>},
    {"v_max3_u16", ternary<twice<Intrinsic::umax>>},
    {"v_med3_i16", ternary<median<Intrinsic::smin, Intrinsic::smax>>},
    {"v_med3_u16", ternary<median<Intrinsic::umin, Intrinsic::umax>>},
    {"v_mad_u16", ternary<multiply_add<false>>},
    {"v_mad_i16", ternary<multiply_add<true>>},
    {"v_cndmask_b16", conditional},
};

}  // namespace

std::span<const Op> valu_half_ops() { return kOps; }

}  // namespace hcq::models::isa
