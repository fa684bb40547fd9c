// SPDX-License-Identifier: MIT
// WMMA: D = A x B + C of 16x16 tiles spread over a wave, and the bf16 dot products.
//
// Layout (RDNA3 ISA guide, 7.9): lane l holds row l % 16 of A and column l % 16 of B, sixteen elements packed into
// consecutive registers, repeated in every group of 16 lanes. Of C and D, register r of lane l holds row
// (lanes / 16) * r + l / 16 of column l % 16. Sums are made in f32 and in the order of k, and rounded once for 16-bit
// results; the order on silicon is not published (docs/unverified.md).
#include "models/isa/float_kind.h"
#include "models/isa/ops.h"

namespace hcq::models::isa {
namespace {

using Value = llvm::Value;
namespace Intrinsic = llvm::Intrinsic;

constexpr unsigned kTile = 16;
enum class Element { f16, bf16, i8, i4 };
enum class Result { f32, f16, bf16, i32 };

bool selected(const Inst& i, const char* name, unsigned source) {
  const auto bits = i.list(name);
  return source - 1 < bits.size() && bits[source - 1] != 0;
}

// bf16 is the upper half of an f32.
Value* from_bf16(Translator& t, Value* bits16) {
  return t.b.CreateBitCast(t.b.CreateShl(t.b.CreateZExt(bits16, t.vi32), t.v32(16)), t.vf32);
}
// Rounds to nearest even; NaNs stay NaNs.
Value* to_bf16(Translator& t, Value* v) {
  auto& b = t.b;
  auto* bits = b.CreateBitCast(v, t.vi32);
  auto* odd = b.CreateAnd(b.CreateLShr(bits, t.v32(16)), t.v32(1));
  auto* rounded = b.CreateLShr(b.CreateAdd(bits, b.CreateAdd(odd, t.v32(0x7fff))), t.v32(16));
  auto* quiet = b.CreateOr(b.CreateLShr(bits, t.v32(16)), t.v32(0x40));
  return b.CreateTrunc(b.CreateSelect(b.CreateFCmpUNO(v, v), quiet, rounded), t.vi16);
}

Value* half_of(Translator& t, Value* dword, bool high) {
  return t.b.CreateTrunc(high ? t.b.CreateLShr(dword, t.v32(16)) : dword, t.vi16);
}

// Element `n` of a packed row or column, as f32 or i32. For integers NEG_LO says that the source is signed; for floats
// NEG_LO and NEG_HI negate the lower and the upper halves.
template <Element kElement>
Value* element(Translator& t, const Inst& i, unsigned source, const std::vector<Value*>& dwords, unsigned n) {
  auto& b = t.b;
  if constexpr (kElement == Element::i8 || kElement == Element::i4) {
    constexpr unsigned kBits = kElement == Element::i8 ? 8 : 4, kEach = 32 / kBits;
    auto* up = b.CreateShl(dwords[n / kEach], t.v32(32 - kBits * (n % kEach + 1)));
    return selected(i, "neg_lo", source) ? b.CreateAShr(up, t.v32(32 - kBits)) : b.CreateLShr(up, t.v32(32 - kBits));
  } else {
    const bool high = n % 2 != 0;
    auto* bits = half_of(t, dwords[n / 2], high);
    auto* v = kElement == Element::f16 ? b.CreateFPExt(b.CreateBitCast(bits, t.vf16), t.vf32) : from_bf16(t, bits);
    return selected(i, high ? "neg_hi" : "neg_lo", source) ? b.CreateFNeg(v) : v;
  }
}

template <Result kResult>
Value* read_c(Translator& t, const Inst& i, unsigned r, bool upper) {
  auto& b = t.b;
  const auto& op = i.operands[3];
  if constexpr (kResult == Result::i32) return op.is_vgpr() ? t.read_dword(op, r) : t.read32(op);
  Value* v;
  if (!op.is_vgpr()) {
    v = b.CreateBitCast(t.read32(op), t.vf32);  // an inline constant stands for every element
  } else if constexpr (kResult == Result::f32) {
    v = b.CreateBitCast(t.read_dword(op, r), t.vf32);
  } else {
    auto* bits = half_of(t, t.read_dword(op, r), upper);
    v = kResult == Result::f16 ? b.CreateFPExt(b.CreateBitCast(bits, t.vf16), t.vf32) : from_bf16(t, bits);
  }
  if (selected(i, "neg_hi", 3)) v = t.intrinsic(Intrinsic::fabs, v);
  return selected(i, "neg_lo", 3) ? b.CreateFNeg(v) : v;
}

template <Result kResult>
Value* result_dword(Translator& t, const Inst& i, unsigned r, bool upper, Value* sum) {
  auto& b = t.b;
  if constexpr (kResult == Result::i32) return b.CreateTrunc(sum, t.vi32);
  if constexpr (kResult == Result::f32) return b.CreateBitCast(sum, t.vi32);
  auto* bits = kResult == Result::f16 ? b.CreateBitCast(b.CreateFPTrunc(sum, t.vf16), t.vi16) : to_bf16(t, sum);
  auto* wide = b.CreateZExt(bits, t.vi32);
  auto* old = t.read_dword(i.operands[0], r);
  return upper ? b.CreateOr(b.CreateAnd(old, t.v32(0xffff)), b.CreateShl(wide, t.v32(16)))
               : b.CreateOr(b.CreateAnd(old, t.v32(0xffff0000)), wide);
}

template <Element kElement>
std::vector<Value*> packed(Translator& t, const Operand& op) {
  constexpr unsigned kBits = kElement == Element::i4 ? 4 : kElement == Element::i8 ? 8 : 16;
  std::vector<Value*> dwords;
  for (unsigned k = 0; k < kTile * kBits / 32; ++k) dwords.push_back(t.read_dword(op, k));
  return dwords;
}

Value* clamp_sum(Translator& t, const Inst& i, Value* sum) {
  if (!i.flag("clamp")) return sum;
  sum = t.intrinsic(Intrinsic::smin, sum, {t.v64(0x7fffffff)});
  return t.intrinsic(Intrinsic::smax, sum, {t.v64(0xffffffff80000000)});
}

// The instruction ignores EXEC and needs all lanes; anything else is illegal here.
template <Element kElement, Result kResult>
void wmma(Translator& t, const Inst& i) {
  auto& b = t.b;
  t.exit_if(b.CreateICmpNE(t.exec(), llvm::Constant::getAllOnesValue(t.mask_type)), Exit::illegal, i.pc);
  const unsigned groups = t.lanes / kTile, registers = kTile / groups;
  const bool upper = (kResult == Result::f16 || kResult == Result::bf16) && selected(i, "op_sel", 3);
  const auto rows = packed<kElement>(t, i.operands[1]), columns = packed<kElement>(t, i.operands[2]);
  std::vector<Value*> left, right, out;
  for (unsigned k = 0; k < kTile; ++k) {
    left.push_back(element<kElement>(t, i, 1, rows, k));
    right.push_back(element<kElement>(t, i, 2, columns, k));
  }
  for (unsigned r = 0; r < registers; ++r) {
    llvm::SmallVector<int, kMaxLanes> row_of;
    for (unsigned lane = 0; lane < t.lanes; ++lane) row_of.push_back(static_cast<int>(groups * r + lane / kTile));
    Value* sum = read_c<kResult>(t, i, r, upper);
    if constexpr (kResult == Result::i32) sum = b.CreateSExt(sum, t.vi64);
    for (unsigned k = 0; k < kTile; ++k) {
      auto* a = b.CreateShuffleVector(left[k], row_of);
      if constexpr (kResult == Result::i32) sum = b.CreateAdd(sum, b.CreateSExt(b.CreateMul(a, right[k]), t.vi64));
      else sum = t.intrinsic(Intrinsic::fma, a, {right[k], sum});
    }
    if constexpr (kResult == Result::i32) sum = clamp_sum(t, i, sum);
    out.push_back(result_dword<kResult>(t, i, r, upper, sum));
  }
  for (unsigned r = 0; r < registers; ++r) t.write_dword(i.operands[0], r, out[r]);
}

// D = S0.lo * S1.lo + S0.hi * S1.hi + S2, in f32 and rounded once.
template <Element kElement, Result kResult>
void dot2(Translator& t, const Inst& i) {
  auto& b = t.b;
  const auto half = [&](unsigned n, bool high) {
    const auto bits = i.list(high ? "op_sel_hi" : "op_sel");
    const bool upper = n - 1 < bits.size() ? bits[n - 1] != 0 : high;
    return half_of(t, t.read32(i.operands[n]), upper);
  };
  const auto wide = [&](Value* bits) {
    return kElement == Element::f16 ? b.CreateFPExt(b.CreateBitCast(bits, t.vf16), t.vf32) : from_bf16(t, bits);
  };
  Value* sum = kResult == Result::f32 ? t.readf32(i.operands[3]) : wide(t.read16(i.operands[3], t.op_sel(2)));
  for (const bool high : {false, true}) {
    auto* x = wide(half(1, high));
    auto* y = wide(half(2, high));
    if (selected(i, high ? "neg_hi" : "neg_lo", 1)) x = b.CreateFNeg(x);
    if (selected(i, high ? "neg_hi" : "neg_lo", 2)) y = b.CreateFNeg(y);
    sum = t.intrinsic(Intrinsic::fma, x, {y, sum});
  }
  if constexpr (kResult == Result::f32) {
    t.writef32(i.operands[0], sum);
  } else {
    auto* bits = kResult == Result::f16 ? b.CreateBitCast(b.CreateFPTrunc(sum, t.vf16), t.vi16) : to_bf16(t, sum);
    t.write16(i.operands[0], t.op_sel(3), bits);
  }
}

constexpr Op kOps[] = {
    {"v_wmma_f32_16x16x16_f16", wmma<Element::f16, Result::f32>},
    {"v_wmma_f32_16x16x16_bf16", wmma<Element::bf16, Result::f32>},
    {"v_wmma_f16_16x16x16_f16", wmma<Element::f16, Result::f16>},
    {"v_wmma_bf16_16x16x16_bf16", wmma<Element::bf16, Result::bf16>},
    {"v_wmma_i32_16x16x16_iu8", wmma<Element::i8, Result::i32>},
    {"v_wmma_i32_16x16x16_iu4", wmma<Element::i4, Result::i32>},
    {"v_dot2_f32_bf16", dot2<Element::bf16, Result::f32>},
    {"v_dot2_bf16_bf16", dot2<Element::bf16, Result::bf16>},
    {"v_dot2_f16_f16", dot2<Element::f16, Result::f16>},
};

}  // namespace

std::span<const Op> matrix_ops() { return kOps; }

}  // namespace hcq::models::isa
