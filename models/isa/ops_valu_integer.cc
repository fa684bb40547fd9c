// SPDX-License-Identifier: MIT
// Vector integer arithmetic and logic on 32 and 64 bits.
#include "models/isa/ops.h"

namespace hcq::models::isa {
namespace {

using Value = llvm::Value;
namespace Intrinsic = llvm::Intrinsic;
using enum llvm::CmpInst::Predicate;

template <auto F>
void unary(Translator& t, const Inst& i) {
  t.write32(i.operands[0], F(t, t.read32(i.operands[1])));
}
template <auto F>
void binary(Translator& t, const Inst& i) {
  t.write32(i.operands[0], F(t, t.read32(i.operands[1]), t.read32(i.operands[2])));
}
// The second operand comes first: v_sub(rev), shifts.
template <auto F>
void reversed(Translator& t, const Inst& i) {
  t.write32(i.operands[0], F(t, t.read32(i.operands[2]), t.read32(i.operands[1])));
}
template <auto F>
void ternary(Translator& t, const Inst& i) {
  t.write32(i.operands[0], F(t, t.read32(i.operands[1]), t.read32(i.operands[2]), t.read32(i.operands[3])));
}

Value* add(Translator& t, Value* x, Value* y) { return t.b.CreateAdd(x, y); }
Value* bit_and(Translator& t, Value* x, Value* y) { return t.b.CreateAnd(x, y); }
Value* bit_or(Translator& t, Value* x, Value* y) { return t.b.CreateOr(x, y); }
Value* bit_xor(Translator& t, Value* x, Value* y) { return t.b.CreateXor(x, y); }

// CLAMP saturates integer results.
template <llvm::Intrinsic::ID kSaturate>
Value* add_clamped(Translator& t, Value* x, Value* y) {
  return t.current->flag("clamp") ? t.intrinsic(kSaturate, x, {y}) : t.b.CreateAdd(x, y);
}
template <llvm::Intrinsic::ID kSaturate>
Value* sub_clamped(Translator& t, Value* x, Value* y) {
  return t.current->flag("clamp") ? t.intrinsic(kSaturate, x, {y}) : t.b.CreateSub(x, y);
}

Value* count5(Translator& t, Value* n) { return t.b.CreateAnd(n, t.v32(31)); }
Value* shl(Translator& t, Value* x, Value* n) { return t.b.CreateShl(x, count5(t, n)); }
Value* lshr(Translator& t, Value* x, Value* n) { return t.b.CreateLShr(x, count5(t, n)); }
Value* ashr(Translator& t, Value* x, Value* n) { return t.b.CreateAShr(x, count5(t, n)); }

enum class Shift { left, logical, arithmetic };
template <Shift kShift>
void shift64(Translator& t, const Inst& i) {
  auto& b = t.b;
  auto* n = b.CreateZExt(b.CreateAnd(t.read32(i.operands[1]), t.v32(63)), t.vi64);
  auto* x = t.read64(i.operands[2]);
  t.write64(i.operands[0], kShift == Shift::left      ? b.CreateShl(x, n)
                           : kShift == Shift::logical ? b.CreateLShr(x, n)
                                                      : b.CreateAShr(x, n));
}

// D, carry-out = X +/- Y: the carry of active lanes, 0 for the others.
template <bool kSubtract, bool kReversed>
void add_carry_out(Translator& t, const Inst& i) {
  auto& b = t.b;
  auto* x = t.read32(i.operands[kReversed ? 3 : 2]);
  auto* y = t.read32(i.operands[kReversed ? 2 : 3]);
  auto* d = kSubtract ? b.CreateSub(x, y) : b.CreateAdd(x, y);
  auto* carry = kSubtract ? b.CreateICmpULT(x, y) : b.CreateICmpULT(d, x);
  if (t.current->flag("clamp")) d = b.CreateSelect(carry, t.v32(kSubtract ? 0 : ~0u), d);
  t.write_lanes(i.operands[1], carry);
  t.write32(i.operands[0], d);
}

template <bool kSubtract, bool kReversed>
void add_carry_in_out(Translator& t, const Inst& i) {
  auto& b = t.b;
  auto* x = t.read32(i.operands[kReversed ? 3 : 2]);
  auto* y = t.read32(i.operands[kReversed ? 2 : 3]);
  auto* c = b.CreateZExt(t.read_lanes(i.operands[4]), t.vi32);
  auto* first = kSubtract ? b.CreateSub(x, y) : b.CreateAdd(x, y);
  auto* d = kSubtract ? b.CreateSub(first, c) : b.CreateAdd(first, c);
  auto* carry = kSubtract ? b.CreateOr(b.CreateICmpULT(x, y), b.CreateICmpULT(first, c))
                          : b.CreateOr(b.CreateICmpULT(first, x), b.CreateICmpULT(d, c));
  if (t.current->flag("clamp")) d = b.CreateSelect(carry, t.v32(kSubtract ? 0 : ~0u), d);
  t.write_lanes(i.operands[1], carry);
  t.write32(i.operands[0], d);
}

template <bool kSigned>
Value* widen(Translator& t, Value* x) {
  return kSigned ? t.b.CreateSExt(x, t.vi64) : t.b.CreateZExt(x, t.vi64);
}
template <bool kSigned>
Value* mul_high(Translator& t, Value* x, Value* y) {
  auto* product = t.b.CreateMul(widen<kSigned>(t, x), widen<kSigned>(t, y));
  return t.b.CreateTrunc(t.b.CreateLShr(product, t.v64(32)), t.vi32);
}
template <bool kSigned>
Value* low24(Translator& t, Value* x) {
  if (!kSigned) return t.b.CreateAnd(x, t.v32(0xffffff));
  return t.b.CreateAShr(t.b.CreateShl(x, t.v32(8)), t.v32(8));
}
template <bool kSigned>
Value* mul24(Translator& t, Value* x, Value* y) {
  return t.b.CreateMul(low24<kSigned>(t, x), low24<kSigned>(t, y));
}
template <bool kSigned>
Value* mul_high24(Translator& t, Value* x, Value* y) {
  return mul_high<kSigned>(t, low24<kSigned>(t, x), low24<kSigned>(t, y));
}

template <bool kSigned>
void mad64(Translator& t, const Inst& i) {
  auto& b = t.b;
  auto* product = b.CreateMul(widen<kSigned>(t, t.read32(i.operands[2])), widen<kSigned>(t, t.read32(i.operands[3])));
  auto* addend = t.read64(i.operands[4]);
  auto* sum = b.CreateAdd(product, addend);
  if (!i.operands[1].is_null()) {
    // Signed: the overflow of the 64-bit sum; unsigned: its carry.
    auto* negative = b.CreateAnd(b.CreateXor(sum, product), b.CreateXor(sum, addend));
    t.write_lanes(i.operands[1], kSigned ? b.CreateICmpSLT(negative, t.v64(0)) : b.CreateICmpULT(sum, product));
  }
  t.write64(i.operands[0], sum);
}

template <bool kSigned>
void mad32_16(Translator& t, const Inst& i) {
  const auto half = [&](unsigned n) {
    auto* v = t.read16(i.operands[n], t.op_sel(n - 1));
    return kSigned ? t.b.CreateSExt(v, t.vi32) : t.b.CreateZExt(v, t.vi32);
  };
  t.write32(i.operands[0], t.b.CreateAdd(t.b.CreateMul(half(1), half(2)), t.read32(i.operands[3])));
}

template <llvm::Intrinsic::ID kId>
Value* by_intrinsic(Translator& t, Value* x, Value* y) {
  return t.intrinsic(kId, x, {y});
}
template <llvm::Intrinsic::ID kFirst, llvm::Intrinsic::ID kSecond>
Value* chain(Translator& t, Value* x, Value* y, Value* z) {
  return t.intrinsic(kSecond, t.intrinsic(kFirst, x, {y}), {z});
}
template <llvm::Intrinsic::ID kMin, llvm::Intrinsic::ID kMax>
Value* median(Translator& t, Value* x, Value* y, Value* z) {
  auto* low = t.intrinsic(kMin, x, {y});
  auto* high = t.intrinsic(kMax, x, {y});
  return t.intrinsic(kMax, low, {t.intrinsic(kMin, high, {z})});
}

template <bool kSigned>
Value* bit_field_extract(Translator& t, Value* x, Value* offset, Value* width) {
  auto& b = t.b;
  width = count5(t, width);
  auto* shifted = kSigned ? ashr(t, x, offset) : lshr(t, x, offset);
  auto* unused = count5(t, b.CreateSub(t.v32(32), width));
  auto* up = b.CreateShl(shifted, unused);
  auto* d = kSigned ? b.CreateAShr(up, unused) : b.CreateLShr(up, unused);
  return b.CreateSelect(b.CreateIsNull(width), t.v32(0), d);
}
Value* bit_field_insert(Translator& t, Value* mask, Value* x, Value* y) {
  return t.b.CreateOr(t.b.CreateAnd(mask, x), t.b.CreateAnd(t.b.CreateNot(mask), y));
}
Value* bit_field_mask(Translator& t, Value* width, Value* offset) {
  auto* ones = t.b.CreateSub(shl(t, t.v32(1), width), t.v32(1));
  return shl(t, ones, offset);
}
Value* align_bit(Translator& t, Value* high, Value* low, Value* n) {
  return t.intrinsic(Intrinsic::fshr, high, {low, count5(t, n)});
}
Value* align_byte(Translator& t, Value* high, Value* low, Value* n) {
  return t.intrinsic(Intrinsic::fshr, high, {low, t.b.CreateShl(t.b.CreateAnd(n, t.v32(3)), t.v32(3))});
}

// Each byte of the selector picks a byte of {x, y}, a replicated sign, 0x00 or 0xff.
Value* permute_bytes(Translator& t, Value* x, Value* y, Value* selector) {
  auto& b = t.b;
  auto* wide = b.CreateOr(b.CreateShl(b.CreateZExt(x, t.vi64), t.v64(32)), b.CreateZExt(y, t.vi64));
  Value* d = t.v32(0);
  for (unsigned n = 0; n < 4; ++n) {
    auto* select = b.CreateAnd(b.CreateLShr(selector, t.v32(8 * n)), t.v32(0xff));
    auto* offset = b.CreateZExt(b.CreateShl(b.CreateAnd(select, t.v32(7)), t.v32(3)), t.vi64);
    Value* byte = b.CreateAnd(b.CreateTrunc(b.CreateLShr(wide, offset), t.vi32), t.v32(0xff));
    // 8..11: the sign of bytes 1, 3, 5, 7.
    auto* sign_at = b.CreateAdd(b.CreateShl(b.CreateAnd(select, t.v32(3)), t.v32(4)), t.v32(15));
    auto* sign = b.CreateAnd(b.CreateTrunc(b.CreateLShr(wide, b.CreateZExt(sign_at, t.vi64)), t.vi32), t.v32(1));
    byte = b.CreateSelect(b.CreateICmpUGE(select, t.v32(8)), b.CreateMul(sign, t.v32(0xff)), byte);
    byte = b.CreateSelect(b.CreateICmpEQ(select, t.v32(12)), t.v32(0), byte);
    byte = b.CreateSelect(b.CreateICmpUGE(select, t.v32(13)), t.v32(0xff), byte);
    d = b.CreateOr(d, b.CreateShl(byte, t.v32(8 * n)));
  }
  return d;
}

template <llvm::Intrinsic::ID kId>
Value* find_bit(Translator& t, Value* x) {
  return t.b.CreateSelect(t.b.CreateIsNull(x), t.v32(~0u), t.intrinsic(kId, x, {t.b.getFalse()}));
}
Value* leading_sign_bits(Translator& t, Value* x) {
  return find_bit<Intrinsic::ctlz>(t, t.b.CreateXor(x, t.b.CreateAShr(x, t.v32(31))));
}
Value* count_bits(Translator& t, Value* x, Value* y) { return t.b.CreateAdd(t.intrinsic(Intrinsic::ctpop, x), y); }

// Counts the set bits of a lane mask below each lane; _lo covers lanes 0..31, _hi lanes 32..63.
template <bool kHigh>
void masked_bit_count(Translator& t, const Inst& i) {
  llvm::SmallVector<llvm::Constant*, kMaxLanes> below;
  for (unsigned lane = 0; lane < t.lanes; ++lane) {
    const std::uint64_t mask = (std::uint64_t{1} << lane) - 1;
    below.push_back(t.b.getInt32(static_cast<std::uint32_t>(kHigh ? mask >> 32 : mask)));
  }
  auto* bits = t.b.CreateAnd(t.read32(i.operands[1]), llvm::ConstantVector::get(below));
  t.write32(i.operands[0], count_bits(t, bits, t.read32(i.operands[2])));
}

Value* abs_difference(Translator& t, Value* x, Value* y) {
  return t.b.CreateSub(t.intrinsic(Intrinsic::umax, x, {y}), t.intrinsic(Intrinsic::umin, x, {y}));
}
template <unsigned kBits, unsigned kShift>
Value* sum_abs_differences(Translator& t, Value* x, Value* y, Value* sum) {
  auto& b = t.b;
  Value* total = t.v32(0);
  for (unsigned n = 0; n < 32; n += kBits) {
    const auto part = [&](Value* v) {
      return kBits == 32 ? v : b.CreateAnd(b.CreateLShr(v, t.v32(n)), t.v32((1u << (kBits % 32)) - 1));
    };
    total = b.CreateAdd(total, abs_difference(t, part(x), part(y)));
  }
  return b.CreateAdd(b.CreateShl(total, t.v32(kShift)), sum);
}

Value* byte_of(Translator& t, Value* v, unsigned n) {
  return t.b.CreateAnd(t.b.CreateLShr(v, t.v32(8 * n)), t.v32(0xff));
}
// As v_sad_u8, but bytes of the reference `y` that are zero do not count.
Value* masked_sum_abs_differences(Translator& t, Value* x, Value* y, Value* sum) {
  for (unsigned n = 0; n < 4; ++n) {
    auto* reference = byte_of(t, y, n);
    auto* difference = abs_difference(t, byte_of(t, x, n), reference);
    sum = t.b.CreateAdd(sum, t.b.CreateSelect(t.b.CreateIsNull(reference), t.v32(0), difference));
  }
  return sum;
}
// Byte-wise mean, rounded up where the byte of `z` is odd.
Value* average_bytes(Translator& t, Value* x, Value* y, Value* z) {
  Value* d = t.v32(0);
  for (unsigned n = 0; n < 4; ++n) {
    auto* up = t.b.CreateAnd(byte_of(t, z, n), t.v32(1));
    auto* mean = t.b.CreateLShr(t.b.CreateAdd(t.b.CreateAdd(byte_of(t, x, n), byte_of(t, y, n)), up), t.v32(1));
    d = t.b.CreateOr(d, t.b.CreateShl(mean, t.v32(8 * n)));
  }
  return d;
}
// Four sums against the dwords at byte 0, 1, 2 and 3 of a 64-bit source; 16-bit results, packed, with 16-bit addends.
template <auto kSum>
void quad_sums(Translator& t, const Inst& i) {
  auto& b = t.b;
  auto* x = t.read64(i.operands[1]);
  auto* reference = t.read32(i.operands[2]);
  auto* addends = t.read64(i.operands[3]);
  Value* d = t.v64(0);
  for (unsigned n = 0; n < 4; ++n) {
    auto* window = b.CreateTrunc(b.CreateLShr(x, t.v64(8 * n)), t.vi32);
    auto* addend = b.CreateAnd(b.CreateTrunc(b.CreateLShr(addends, t.v64(16 * n)), t.vi32), t.v32(0xffff));
    auto* sum = b.CreateAnd(kSum(t, window, reference, addend), t.v32(0xffff));
    d = b.CreateOr(d, b.CreateShl(b.CreateZExt(sum, t.vi64), t.v64(16 * n)));
  }
  t.write64(i.operands[0], d);
}

// Operand 3 is absent in dual instructions, which read VCC.
void conditional(Translator& t, const Inst& i) {
  Operand vcc;
  vcc.kind = Operand::Kind::sgpr;
  vcc.reg = kVccLo;
  auto* take = t.read_lanes(i.operands.size() > 3 ? i.operands[3] : vcc);
  auto source = [&](const Operand& op) -> Value* {
    auto* v = t.read32(op);
    if (!op.abs && !op.neg) return v;
    return t.b.CreateBitCast(t.modify(t.b.CreateBitCast(v, t.vf32), op), t.vi32);
  };
  auto* first = source(i.operands[1]);
  t.write32(i.operands[0], t.b.CreateSelect(take, source(i.operands[2]), first));
}

void swap(Translator& t, const Inst& i) {
  auto* x = t.read32(i.operands[0]);
  auto* y = t.read32(i.operands[1]);
  t.write32(i.operands[0], y);
  t.write32(i.operands[1], x);
}

constexpr Op kOps[] = {
    {"v_nop", [](Translator&, const Inst&) {}},
    {"v_mov_b32", unary<[](Translator&, Value* x) { return x; }>},
    {"v_not_b32", unary<[](Translator& t, Value* x) { return t.b.CreateNot(x); }>},
    {"v_bfrev_b32", unary<[](Translator& t, Value* x) { return t.intrinsic(Intrinsic::bitreverse, x); }>},
    {"v_clz_i32_u32", unary<find_bit<Intrinsic::ctlz>>},
    {"v_ctz_i32_b32", unary<find_bit<Intrinsic::cttz>>},
    {"v_cls_i32", unary<leading_sign_bits>},
    {"v_swap_b32", swap},
    {"v_add_nc_u32", binary<add_clamped<Intrinsic::uadd_sat>>},
    {"v_sub_nc_u32", binary<sub_clamped<Intrinsic::usub_sat>>},
    {"v_subrev_nc_u32", reversed<sub_clamped<Intrinsic::usub_sat>>},
    {"v_add_nc_i32", binary<add_clamped<Intrinsic::sadd_sat>>},
    {"v_sub_nc_i32", binary<sub_clamped<Intrinsic::ssub_sat>>},
    {"v_add_co_u32", add_carry_out<false, false>},
    {"v_sub_co_u32", add_carry_out<true, false>},
    {"v_subrev_co_u32", add_carry_out<true, true>},
    {"v_add_co_ci_u32", add_carry_in_out<false, false>},
    {"v_sub_co_ci_u32", add_carry_in_out<true, false>},
    {"v_subrev_co_ci_u32", add_carry_in_out<true, true>},
    {"v_mul_lo_u32", binary<[](Translator& t, Value* x, Value* y) { return t.b.CreateMul(x, y); }>},
    {"v_mul_hi_u32", binary<mul_high<false>>},
    {"v_mul_hi_i32", binary<mul_high<true>>},
    {"v_mul_u32_u24", binary<mul24<false>>},
    {"v_mul_i32_i24", binary<mul24<true>>},
    {"v_mul_hi_u32_u24", binary<mul_high24<false>>},
    {"v_mul_hi_i32_i24", binary<mul_high24<true>>},
    {"v_mad_u32_u24",
     ternary<[](Translator& t, Value* x, Value* y, Value* z) { return t.b.CreateAdd(mul24<false>(t, x, y), z); }>},
    {"v_mad_i32_i24",
     ternary<[](Translator& t, Value* x, Value* y, Value* z) { return t.b.CreateAdd(mul24<true>(t, x, y), z); }>},
    {"v_mad_u32_u16", mad32_16<false>},
    {"v_mad_i32_i16", mad32_16<true>},
    {"v_mad_u64_u32", mad64<false>},
    {"v_mad_i64_i32", mad64<true>},
    {"v_and_b32", binary<bit_and>},
    {"v_or_b32", binary<bit_or>},
    {"v_xor_b32", binary<bit_xor>},
    {"v_xnor_b32", binary<[](Translator& t, Value* x, Value* y) { return t.b.CreateNot(t.b.CreateXor(x, y)); }>},
    {"v_lshlrev_b32", reversed<shl>},
    {"v_lshrrev_b32", reversed<lshr>},
    {"v_ashrrev_i32", reversed<ashr>},
    {"v_lshlrev_b64", shift64<Shift::left>},
    {"v_lshrrev_b64", shift64<Shift::logical>},
    {"v_ashrrev_i64", shift64<Shift::arithmetic>},
    {"v_lshl_add_u32", ternary<[](Translator& t, Value* x, Value* n, Value* z) { return add(t, shl(t, x, n), z); }>},
    {"v_add_lshl_u32", ternary<[](Translator& t, Value* x, Value* y, Value* n) { return shl(t, add(t, x, y), n); }>},
    {"v_lshl_or_b32", ternary<[](Translator& t, Value* x, Value* n, Value* z) { return bit_or(t, shl(t, x, n), z); }>},
    {"v_and_or_b32",
     ternary<[](Translator& t, Value* x, Value* y, Value* z) { return bit_or(t, bit_and(t, x, y), z); }>},
    {"v_or3_b32", ternary<[](Translator& t, Value* x, Value* y, Value* z) { return bit_or(t, bit_or(t, x, y), z); }>},
    {"v_xor3_b32",
     ternary<[](Translator& t, Value* x, Value* y, Value* z) { return bit_xor(t, bit_xor(t, x, y), z); }>},
    {"v_xad_u32", ternary<[](Translator& t, Value* x, Value* y, Value* z) { return add(t, bit_xor(t, x, y), z); }>},
    {"v_add3_u32", ternary<[](Translator& t, Value* x, Value* y, Value* z) { return add(t, add(t, x, y), z); }>},
    {"v_bfe_u32", ternary<bit_field_extract<false>>},
    {"v_bfe_i32", ternary<bit_field_extract<true>>},
    {"v_bfi_b32", ternary<bit_field_insert>},
    {"v_bfm_b32", binary<bit_field_mask>},
    {"v_alignbit_b32", ternary<align_bit>},
    {"v_alignbyte_b32", ternary<align_byte>},
    {"v_perm_b32", ternary<permute_bytes>},
    {"v_min_i32", binary<by_intrinsic<Intrinsic::smin>>},
    {"v_max_i32", binary<by_intrinsic<Intrinsic::smax>>},
    {"v_min_u32", binary<by_intrinsic<Intrinsic::umin>>},
    {"v_max_u32", binary<by_intrinsic<Intrinsic::umax>>},
    {"v_min3_i32", ternary<chain<Intrinsic::smin, Intrinsic::smin>>},
    {"v_max3_i32", ternary<chain<Intrinsic::smax, Intrinsic::smax>>},
    {"v_min3_u32", ternary<chain<Intrinsic::umin, Intrinsic::umin>>},
    {"v_max3_u32", ternary<chain<Intrinsic::umax, Intrinsic::umax>>},
    {"v_maxmin_i32", ternary<chain<Intrinsic::smax, Intrinsic::smin>>},
    {"v_minmax_i32", ternary<chain<Intrinsic::smin, Intrinsic::smax>>},
    {"v_maxmin_u32", ternary<chain<Intrinsic::umax, Intrinsic::umin>>},
    {"v_minmax_u32", ternary<chain<Intrinsic::umin, Intrinsic::umax>>},
    {"v_med3_i32", ternary<median<Intrinsic::smin, Intrinsic::smax>>},
    {"v_med3_u32", ternary<median<Intrinsic::umin, Intrinsic::umax>>},
    {"v_bcnt_u32_b32", binary<count_bits>},
    {"v_mbcnt_lo_u32_b32", masked_bit_count<false>},
    {"v_mbcnt_hi_u32_b32", masked_bit_count<true>},
    {"v_sad_u8", ternary<sum_abs_differences<8, 0>>},
    {"v_sad_hi_u8", ternary<sum_abs_differences<8, 16>>},
    {"v_sad_u16", ternary<sum_abs_differences<16, 0>>},
    {"v_sad_u32", ternary<sum_abs_differences<32, 0>>},
    {"v_msad_u8", ternary<masked_sum_abs_differences>},
    {"v_lerp_u8", ternary<average_bytes>},
    {"v_qsad_pk_u16_u8", quad_sums<sum_abs_differences<8, 0>>},
    {"v_mqsad_pk_u16_u8", quad_sums<masked_sum_abs_differences>},
    {"v_cndmask_b32", conditional},
};

}  // namespace

std::span<const Op> valu_integer_ops() { return kOps; }

}  // namespace hcq::models::isa
