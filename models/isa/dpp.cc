// SPDX-License-Identifier: MIT
// Data-parallel primitives: the first source of a vector instruction is read from other lanes. A lane whose source lies
// outside its row, or is inactive without FI, reads 0 under BOUND_CTRL and is otherwise not written.
#include "models/isa/translator.h"

namespace hcq::models::isa {
namespace {

constexpr int kInvalid = -1;

// The lane that `lane` reads from, or kInvalid.
int dpp_source_lane(const Inst& inst, int lane) {
  const int row = lane & ~15;
  const int in_row = lane & 15;
  if (const auto perm = inst.list("quad_perm"); perm.size() == 4)
    return (lane & ~3) | perm[static_cast<unsigned>(lane & 3)];
  if (const auto perm = inst.list("dpp8"); perm.size() == 8) return (lane & ~7) | perm[static_cast<unsigned>(lane & 7)];
  if (const auto n = static_cast<int>(inst.number("row_shl", 0))) return in_row + n < 16 ? lane + n : kInvalid;
  if (const auto n = static_cast<int>(inst.number("row_shr", 0))) return in_row >= n ? lane - n : kInvalid;
  if (const auto n = static_cast<int>(inst.number("row_ror", 0))) return row | ((in_row - n) & 15);
  if (inst.flag("row_mirror")) return row | (15 - in_row);
  if (inst.flag("row_half_mirror")) return (lane & ~7) | (7 - (lane & 7));
  if (inst.flag("row_share")) return row | static_cast<int>(inst.number("row_share", 0));
  if (inst.flag("row_xmask")) return row | (in_row ^ static_cast<int>(inst.number("row_xmask", 0)));
  return lane;
}

}  // namespace

void Translator::prepare_dpp(const Inst& inst) {
  dpp_source_ = nullptr;
  dpp_write_ = nullptr;
  dpp_valid_ = nullptr;
  if (!inst.dpp) return;
  const unsigned first = inst.operands.size() > 2 && !inst.operands[1].is_vgpr() ? 2 : 1;
  if (inst.operands.size() <= first) return;

  llvm::SmallVector<int, kMaxLanes> shuffle;
  llvm::SmallVector<llvm::Constant*, kMaxLanes> in_range, selected;
  const auto row_mask = inst.number("row_mask", 0xf);
  const auto bank_mask = inst.number("bank_mask", 0xf);
  for (int lane = 0; lane < static_cast<int>(lanes); ++lane) {
    const int source = dpp_source_lane(inst, lane);
    shuffle.push_back(source == kInvalid ? lane : source);
    in_range.push_back(b.getInt1(source != kInvalid));
    selected.push_back(b.getInt1((row_mask >> (lane / 16) & 1) && (bank_mask >> (lane % 16 / 4) & 1)));
  }
  Value* valid = llvm::ConstantVector::get(in_range);
  const bool fetch_inactive = inst.number("fi", 0) != 0;
  if (!fetch_inactive) valid = b.CreateAnd(valid, b.CreateShuffleVector(exec_lanes(), shuffle));
  Value* write = llvm::ConstantVector::get(selected);
  const bool dpp8 = inst.flag("dpp8");
  const bool zero_invalid = dpp8 || inst.number("bound_ctrl", 0) != 0;
  dpp_shuffle_ = shuffle;
  dpp_valid_ = valid;
  dpp_write_ = zero_invalid ? write : b.CreateAnd(write, valid);
  dpp_source_ = &inst.operands[first];
}

Translator::Value* Translator::dpp_read(Value* v) {
  return b.CreateSelect(dpp_valid_, b.CreateShuffleVector(v, dpp_shuffle_), v32(0));
}

}  // namespace hcq::models::isa
