// SPDX-License-Identifier: MIT
// Movement between lanes, and between vector and scalar registers.
#include "models/isa/ops.h"

namespace hcq::models::isa {
namespace {

using Value = llvm::Value;

Value* lane_index(Translator& t, const Operand& op) { return t.b.CreateAnd(t.sread32(op), t.c32(t.lanes - 1)); }

// Both ignore EXEC.
void read_lane(Translator& t, const Inst& i) {
  t.swrite32(i.operands[0], t.b.CreateExtractElement(t.read32(i.operands[1]), lane_index(t, i.operands[2])));
}
void write_lane(Translator& t, const Inst& i) {
  auto* v = t.b.CreateInsertElement(t.vreg(i.operands[0].reg), t.sread32(i.operands[1]), lane_index(t, i.operands[2]));
  t.set_vreg_unmasked(i.operands[0].reg, v);
}

// The lowest active lane, or lane 0 when none is.
void read_first_lane(Translator& t, const Inst& i) {
  auto* exec = t.exec();
  Value* first = t.intrinsic(llvm::Intrinsic::cttz, exec, {t.b.getFalse()});
  first = t.b.CreateSelect(t.b.CreateIsNull(exec), llvm::ConstantInt::get(exec->getType(), 0), first);
  t.swrite32(i.operands[0], t.b.CreateExtractElement(t.read32(i.operands[1]), first));
}

// Lane l of a row of 16 reads lane (select >> 4l) & 15 of its own row, or of the neighbour row for x16. op_sel holds
// FI and BOUND_CTRL.
template <bool kOtherRow>
void permute16(Translator& t, const Inst& i) {
  auto& b = t.b;
  auto* low = b.CreateZExt(t.sread32(i.operands[2]), t.i64);
  auto* select = t.splat(b.CreateOr(low, b.CreateShl(b.CreateZExt(t.sread32(i.operands[3]), t.i64), 32)));
  llvm::SmallVector<llvm::Constant*, kMaxLanes> shift, row;
  for (unsigned lane = 0; lane < t.lanes; ++lane) {
    shift.push_back(b.getInt64(lane % 16 * 4));
    row.push_back(b.getInt32((lane & ~15u) ^ (kOtherRow ? 16 : 0)));
  }
  auto* nibble = b.CreateAnd(b.CreateLShr(select, llvm::ConstantVector::get(shift)), t.v64(15));
  auto* source = b.CreateOr(b.CreateTrunc(nibble, t.vi32), llvm::ConstantVector::get(row));
  auto* exec_bits = b.CreateSelect(t.exec_lanes(), t.v32(1), t.v32(0));
  auto* v = t.gather_lanes(t.read32(i.operands[1]), source);
  if (t.op_sel(0)) return t.write32(i.operands[0], v);
  auto* valid = b.CreateIsNotNull(t.gather_lanes(exec_bits, source));
  auto* otherwise = t.op_sel(1) ? t.v32(0) : t.vreg(i.operands[0].reg);
  t.write32(i.operands[0], b.CreateSelect(valid, v, otherwise));
}

// Swaps the halves of a 64-lane wave; a move in wave32.
void permute64(Translator& t, const Inst& i) {
  llvm::SmallVector<int, kMaxLanes> source;
  for (int lane = 0; lane < static_cast<int>(t.lanes); ++lane) source.push_back(t.lanes == 64 ? lane ^ 32 : lane);
  t.write32(i.operands[0], t.b.CreateShuffleVector(t.read32(i.operands[1]), source));
}

constexpr Op kOps[] = {
    {"v_readlane_b32", read_lane},
    {"v_writelane_b32", write_lane},
    {"v_readfirstlane_b32", read_first_lane},
    {"v_permlane16_b32", permute16<false>},
    {"v_permlanex16_b32", permute16<true>},
    {"v_permlane64_b32", permute64},
};

}  // namespace

std::span<const Op> lane_ops() { return kOps; }

}  // namespace hcq::models::isa
