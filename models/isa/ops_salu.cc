// SPDX-License-Identifier: MIT
// Scalar arithmetic and logic (SOP1, SOP2, SOPK). SCC rules follow the instruction descriptions of the RDNA3 ISA
// manual.
#include "models/isa/ops.h"

namespace hcq::models::isa {
namespace {

using Value = llvm::Value;
using Builder = llvm::IRBuilder<>;
using llvm::Intrinsic::ID;
namespace Intrinsic = llvm::Intrinsic;

constexpr bool kSetsScc = true;
constexpr bool kKeepsScc = false;

Value* nonzero(Translator& t, Value* v) { return t.b.CreateIsNotNull(v); }

// D = F(S0, S1), SCC = D != 0 where the instruction says so.
template <unsigned kBits, bool kScc, auto F>
void binary(Translator& t, const Inst& i) {
  constexpr bool wide = kBits == 64;
  auto* x = wide ? t.sread64(i.operands[1]) : t.sread32(i.operands[1]);
  auto* y = wide ? t.sread64(i.operands[2]) : t.sread32(i.operands[2]);
  auto* d = F(t, x, y);
  wide ? t.swrite64(i.operands[0], d) : t.swrite32(i.operands[0], d);
  if (kScc) t.set_scc(nonzero(t, d));
}

template <unsigned kBits, bool kScc, auto F>
void unary(Translator& t, const Inst& i) {
  constexpr bool wide = kBits == 64;
  auto* d = F(t, wide ? t.sread64(i.operands[1]) : t.sread32(i.operands[1]));
  d->getType() == t.i64 ? t.swrite64(i.operands[0], d) : t.swrite32(i.operands[0], d);
  if (kScc) t.set_scc(nonzero(t, d));
}

// Shifts take a 32-bit count, of which the low 5 or 6 bits count.
template <unsigned kBits, auto F>
void shift(Translator& t, const Inst& i) {
  constexpr bool wide = kBits == 64;
  auto* x = wide ? t.sread64(i.operands[1]) : t.sread32(i.operands[1]);
  Value* n = t.b.CreateAnd(t.sread32(i.operands[2]), t.c32(kBits - 1));
  if (wide) n = t.b.CreateZExt(n, t.i64);
  auto* d = F(t, x, n);
  wide ? t.swrite64(i.operands[0], d) : t.swrite32(i.operands[0], d);
  t.set_scc(nonzero(t, d));
}

// Results in 32 bits with the overflow or carry in SCC.
template <ID kIntrinsic>
void with_overflow(Translator& t, const Inst& i) {
  auto* pair = t.intrinsic(kIntrinsic, t.sread32(i.operands[1]), {t.sread32(i.operands[2])});
  t.swrite32(i.operands[0], t.b.CreateExtractValue(pair, 0));
  t.set_scc(t.b.CreateExtractValue(pair, 1));
}

template <bool kSubtract>
void with_carry(Translator& t, const Inst& i) {
  auto& b = t.b;
  auto* x = b.CreateZExt(t.sread32(i.operands[1]), t.i64);
  auto* y = b.CreateZExt(t.sread32(i.operands[2]), t.i64);
  auto* c = b.CreateZExt(t.scc(), t.i64);
  auto* d = kSubtract ? b.CreateSub(b.CreateSub(x, y), c) : b.CreateAdd(b.CreateAdd(x, y), c);
  t.swrite32(i.operands[0], b.CreateTrunc(d, t.i32));
  t.set_scc(nonzero(t, b.CreateLShr(d, 32)));
}

template <unsigned kShift>
void shift_add(Translator& t, const Inst& i) {
  auto& b = t.b;
  auto* x = b.CreateShl(b.CreateZExt(t.sread32(i.operands[1]), t.i64), kShift);
  auto* d = b.CreateAdd(x, b.CreateZExt(t.sread32(i.operands[2]), t.i64));
  t.swrite32(i.operands[0], b.CreateTrunc(d, t.i32));
  t.set_scc(nonzero(t, b.CreateLShr(d, 32)));
}

template <llvm::CmpInst::Predicate kFirstWins>
void select(Translator& t, const Inst& i) {
  auto* x = t.sread32(i.operands[1]);
  auto* y = t.sread32(i.operands[2]);
  auto* first = t.b.CreateICmp(kFirstWins, x, y);
  t.swrite32(i.operands[0], t.b.CreateSelect(first, x, y));
  t.set_scc(first);
}

// S1 holds the offset in its low bits and the width at bit 16.
template <unsigned kBits, bool kSigned>
void bit_field_extract(Translator& t, const Inst& i) {
  auto& b = t.b;
  constexpr bool wide = kBits == 64;
  auto* type = wide ? t.i64 : t.i32;
  const auto c = [&](std::uint64_t v) { return llvm::ConstantInt::get(type, v); };
  auto* x = wide ? t.sread64(i.operands[1]) : t.sread32(i.operands[1]);
  auto* control = b.CreateZExt(t.sread32(i.operands[2]), type);
  auto* offset = b.CreateAnd(control, c(kBits - 1));
  auto* width = b.CreateAnd(b.CreateLShr(control, c(16)), c(0x7f));
  auto* shifted = kSigned ? b.CreateAShr(x, offset) : b.CreateLShr(x, offset);
  auto* narrow = b.CreateICmpULT(width, c(kBits));
  auto* unused = b.CreateSelect(narrow, b.CreateSub(c(kBits), width), c(0));
  auto* safe = b.CreateAnd(unused, c(kBits - 1));
  auto* up = b.CreateShl(shifted, safe);
  Value* d = kSigned ? b.CreateAShr(up, safe) : b.CreateLShr(up, safe);
  d = b.CreateSelect(b.CreateIsNull(width), c(0), d);
  wide ? t.swrite64(i.operands[0], d) : t.swrite32(i.operands[0], d);
  t.set_scc(nonzero(t, d));
}

template <unsigned kBits>
void bit_field_mask(Translator& t, const Inst& i) {
  auto& b = t.b;
  constexpr bool wide = kBits == 64;
  auto* type = wide ? t.i64 : t.i32;
  const auto c = [&](std::uint64_t v) { return llvm::ConstantInt::get(type, v); };
  auto* width = b.CreateAnd(b.CreateZExt(t.sread32(i.operands[1]), type), c(kBits - 1));
  auto* offset = b.CreateAnd(b.CreateZExt(t.sread32(i.operands[2]), type), c(kBits - 1));
  auto* d = b.CreateShl(b.CreateSub(b.CreateShl(c(1), width), c(1)), offset);
  wide ? t.swrite64(i.operands[0], d) : t.swrite32(i.operands[0], d);
}

template <bool kSigned>
Value* mul_high(Translator& t, Value* x, Value* y) {
  auto& b = t.b;
  auto* wx = kSigned ? b.CreateSExt(x, t.i64) : b.CreateZExt(x, t.i64);
  auto* wy = kSigned ? b.CreateSExt(y, t.i64) : b.CreateZExt(y, t.i64);
  return b.CreateTrunc(b.CreateLShr(b.CreateMul(wx, wy), 32), t.i32);
}

template <bool kHighX, bool kHighY>
Value* pack(Translator& t, Value* x, Value* y) {
  auto& b = t.b;
  auto* low = kHighX ? b.CreateLShr(x, 16) : b.CreateAnd(x, t.c32(0xffff));
  auto* high = kHighY ? b.CreateAnd(y, t.c32(0xffff0000)) : b.CreateShl(y, 16);
  return b.CreateOr(low, high);
}

// Position of the first one bit from one end; -1 when there is none.
template <ID kIntrinsic>
Value* find_bit(Translator& t, Value* x) {
  Value* n = t.intrinsic(kIntrinsic, x, {t.b.getTrue()});
  if (n->getType() == t.i64) n = t.b.CreateTrunc(n, t.i32);
  return t.b.CreateSelect(t.b.CreateIsNull(x), t.c32(~0u), n);
}

Value* leading_sign_bits(Translator& t, Value* x) {
  auto* folded = t.b.CreateXor(x, t.b.CreateAShr(x, 31));
  return find_bit<Intrinsic::ctlz>(t, folded);
}

template <bool kOnes>
Value* count_bits(Translator& t, Value* x) {
  auto* n = t.intrinsic(Intrinsic::ctpop, kOnes ? x : t.b.CreateNot(x));
  return n->getType() == t.i64 ? t.b.CreateTrunc(n, t.i32) : n;
}

Value* absolute(Translator& t, Value* x) { return t.intrinsic(Intrinsic::abs, x, {t.b.getFalse()}); }

template <bool kSet>
void bit_set(Translator& t, const Inst& i) {
  auto& b = t.b;
  auto* bit = b.CreateShl(t.c32(1), b.CreateAnd(t.sread32(i.operands[1]), t.c32(31)));
  auto* old = t.sread32(i.operands[0]);
  t.swrite32(i.operands[0], kSet ? b.CreateOr(old, bit) : b.CreateAnd(old, b.CreateNot(bit)));
}

void addk(Translator& t, const Inst& i) {
  auto* immediate = t.c32(static_cast<std::uint32_t>(i.simm16()));
  auto* pair = t.intrinsic(Intrinsic::sadd_with_overflow, t.sread32(i.operands[0]), {immediate});
  t.swrite32(i.operands[0], t.b.CreateExtractValue(pair, 0));
  t.set_scc(t.b.CreateExtractValue(pair, 1));
}

void mulk(Translator& t, const Inst& i) {
  t.swrite32(i.operands[0], t.b.CreateMul(t.sread32(i.operands[0]), t.c32(static_cast<std::uint32_t>(i.simm16()))));
}

#define HCQ_BINARY(expression) [](Translator& t, Value* x, Value* y) -> Value* { return t.b.expression; }
#define HCQ_LOGIC(name, expression)                              \
  {name "_b32", binary<32, kSetsScc, HCQ_BINARY(expression)>}, { \
    name "_b64", binary<64, kSetsScc, HCQ_BINARY(expression)>    \
  }

constexpr Op kOps[] = {
    {"s_add_u32", with_overflow<Intrinsic::uadd_with_overflow>},
    {"s_sub_u32", with_overflow<Intrinsic::usub_with_overflow>},
    {"s_add_i32", with_overflow<Intrinsic::sadd_with_overflow>},
    {"s_sub_i32", with_overflow<Intrinsic::ssub_with_overflow>},
    {"s_addc_u32", with_carry<false>},
    {"s_subb_u32", with_carry<true>},
    {"s_lshl1_add_u32", shift_add<1>},
    {"s_lshl2_add_u32", shift_add<2>},
    {"s_lshl3_add_u32", shift_add<3>},
    {"s_lshl4_add_u32", shift_add<4>},
    {"s_absdiff_i32",
     binary<32, kSetsScc, [](Translator& t, Value* x, Value* y) { return absolute(t, t.b.CreateSub(x, y)); }>},
    {"s_min_i32", select<llvm::CmpInst::ICMP_SLT>},
    {"s_min_u32", select<llvm::CmpInst::ICMP_ULT>},
    {"s_max_i32", select<llvm::CmpInst::ICMP_SGE>},
    {"s_max_u32", select<llvm::CmpInst::ICMP_UGE>},
    {"s_mul_i32", binary<32, kKeepsScc, HCQ_BINARY(CreateMul(x, y))>},
    {"s_mul_hi_u32", binary<32, kKeepsScc, mul_high<false>>},
    {"s_mul_hi_i32", binary<32, kKeepsScc, mul_high<true>>},
    HCQ_LOGIC("s_and", CreateAnd(x, y)),
    HCQ_LOGIC("s_or", CreateOr(x, y)),
    HCQ_LOGIC("s_xor", CreateXor(x, y)),
    HCQ_LOGIC("s_nand", CreateNot(t.b.CreateAnd(x, y))),
    HCQ_LOGIC("s_nor", CreateNot(t.b.CreateOr(x, y))),
    HCQ_LOGIC("s_xnor", CreateNot(t.b.CreateXor(x, y))),
    HCQ_LOGIC("s_and_not1", CreateAnd(x, t.b.CreateNot(y))),
    HCQ_LOGIC("s_or_not1", CreateOr(x, t.b.CreateNot(y))),
    {"s_lshl_b32", shift<32, HCQ_BINARY(CreateShl(x, y))>},
    {"s_lshl_b64", shift<64, HCQ_BINARY(CreateShl(x, y))>},
    {"s_lshr_b32", shift<32, HCQ_BINARY(CreateLShr(x, y))>},
    {"s_lshr_b64", shift<64, HCQ_BINARY(CreateLShr(x, y))>},
    {"s_ashr_i32", shift<32, HCQ_BINARY(CreateAShr(x, y))>},
    {"s_ashr_i64", shift<64, HCQ_BINARY(CreateAShr(x, y))>},
    {"s_bfe_u32", bit_field_extract<32, false>},
    {"s_bfe_i32", bit_field_extract<32, true>},
    {"s_bfe_u64", bit_field_extract<64, false>},
    {"s_bfe_i64", bit_field_extract<64, true>},
    {"s_bfm_b32", bit_field_mask<32>},
    {"s_bfm_b64", bit_field_mask<64>},
    {"s_pack_ll_b32_b16", binary<32, kKeepsScc, pack<false, false>>},
    {"s_pack_lh_b32_b16", binary<32, kKeepsScc, pack<false, true>>},
    {"s_pack_hh_b32_b16", binary<32, kKeepsScc, pack<true, true>>},
    {"s_pack_hl_b32_b16", binary<32, kKeepsScc, pack<true, false>>},
    {"s_not_b32", unary<32, kSetsScc, [](Translator& t, Value* x) { return t.b.CreateNot(x); }>},
    {"s_not_b64", unary<64, kSetsScc, [](Translator& t, Value* x) { return t.b.CreateNot(x); }>},
    {"s_abs_i32", unary<32, kSetsScc, absolute>},
    {"s_brev_b32", unary<32, kKeepsScc, [](Translator& t, Value* x) { return t.intrinsic(Intrinsic::bitreverse, x); }>},
    {"s_brev_b64", unary<64, kKeepsScc, [](Translator& t, Value* x) { return t.intrinsic(Intrinsic::bitreverse, x); }>},
    {"s_bcnt0_i32_b32", unary<32, kSetsScc, count_bits<false>>},
    {"s_bcnt0_i32_b64", unary<64, kSetsScc, count_bits<false>>},
    {"s_bcnt1_i32_b32", unary<32, kSetsScc, count_bits<true>>},
    {"s_bcnt1_i32_b64", unary<64, kSetsScc, count_bits<true>>},
    {"s_ctz_i32_b32", unary<32, kKeepsScc, find_bit<Intrinsic::cttz>>},
    {"s_ctz_i32_b64", unary<64, kKeepsScc, find_bit<Intrinsic::cttz>>},
    {"s_clz_i32_u32", unary<32, kKeepsScc, find_bit<Intrinsic::ctlz>>},
    {"s_clz_i32_u64", unary<64, kKeepsScc, find_bit<Intrinsic::ctlz>>},
    {"s_cls_i32", unary<32, kKeepsScc, leading_sign_bits>},
    {"s_sext_i32_i8",
     unary<32, kKeepsScc, [](Translator& t, Value* x) { return t.b.CreateSExt(t.b.CreateTrunc(x, t.i8), t.i32); }>},
    {"s_sext_i32_i16",
     unary<32, kKeepsScc, [](Translator& t, Value* x) { return t.b.CreateSExt(t.b.CreateTrunc(x, t.i16), t.i32); }>},
    {"s_bitset0_b32", bit_set<false>},
    {"s_bitset1_b32", bit_set<true>},
    {"s_addk_i32", addk},
    {"s_mulk_i32", mulk},
};

}  // namespace

std::span<const Op> salu_ops() { return kOps; }

}  // namespace hcq::models::isa
