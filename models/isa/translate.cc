// SPDX-License-Identifier: MIT
// Control flow of the translated function: entry and dispatch, exits, barriers, calls.
#include "models/isa/translator.h"

namespace hcq::models::isa {

llvm::BasicBlock* Translator::block(std::uint64_t pc, bool full) {
  const Place place{pc, full, float_mode_};
  auto& found = blocks_[place];
  if (!found) {
    found = new_block(full ? "full" : "partial");
    wanted_.push_back(place);
  }
  return found;
}

std::optional<Translator::Place> Translator::next_place() {
  if (wanted_.empty()) return std::nullopt;
  const Place place = wanted_.back();
  wanted_.pop_back();
  return place;
}

void Translator::continue_at(llvm::BasicBlock* start) {
  b.SetInsertPoint(start);
  exec_lanes_ = nullptr;
}

void Translator::begin_block(Place place) {
  full_ = place.full;
  float_mode_ = place.float_mode;
  continue_at(block(place.pc));
}

Translator::Value* Translator::stored_exec() {
  Value* low = b.CreateLoad(i32, scalar_slot(kExecLo));
  if (lanes == 32) return low;
  auto* high = b.CreateZExt(b.CreateLoad(i32, scalar_slot(kExecLo + 1)), i64);
  return b.CreateOr(b.CreateZExt(low, i64), b.CreateShl(high, 32));
}

void Translator::choose_variant(std::uint64_t pc) {
  auto* all = b.CreateICmpEQ(stored_exec(), llvm::Constant::getAllOnesValue(mask_type));
  if (with_partial_) {
    b.CreateCondBr(all, block(pc, true), block(pc, false));
    return;
  }
  auto* leave = new_block("leave");
  b.CreateCondBr(all, block(pc, true), leave);
  b.SetInsertPoint(leave);
  if (float_mode_ != mode.float_mode) return switch_mode(c64(pc), c32(mode_word()));
  b.CreateStore(c64(pc), next_pc_);
  b.CreateStore(c32(static_cast<std::uint32_t>(Exit::partial)), exit_code_);
  b.CreateBr(save_exit_);
}

void Translator::exit_if(Value* condition, Exit code, std::uint64_t pc) {
  auto* next = new_block("next");
  if (code == Exit::fault) {
    b.CreateCondBr(condition, fault_exit_, next);
  } else {
    auto* leave = new_block("leave");
    b.CreateCondBr(condition, leave, next);
    b.SetInsertPoint(leave);
    b.CreateStore(c64(pc), next_pc_);
    b.CreateStore(c32(static_cast<std::uint32_t>(code)), exit_code_);
    b.CreateBr(plain_exit_);
  }
  b.SetInsertPoint(next);
}

// What follows in the same block is unreachable, and LLVM removes it.
void Translator::exit_always(Exit code, std::uint64_t pc) {
  b.CreateStore(c64(pc), next_pc_);
  b.CreateStore(c32(static_cast<std::uint32_t>(code)), exit_code_);
  b.CreateBr(plain_exit_);
  continue_at(new_block("dead"));
}

void Translator::poll_stop(std::uint64_t target) {
  if (target > current->pc) return;
  auto* flag = b.CreateLoad(i8, load_field(ptr, offsetof(WaveState, stop)), /*isVolatile=*/true);
  exit_if(b.CreateICmpNE(flag, llvm::ConstantInt::get(i8, 0)), Exit::stopped, current->pc);
}

void Translator::jump(std::uint64_t pc) {
  poll_stop(pc);
  b.CreateBr(block(pc));
}

void Translator::jump_if(Value* condition, std::uint64_t taken, std::uint64_t otherwise) {
  poll_stop(taken);
  b.CreateCondBr(condition, block(taken), block(otherwise));
}

std::uint32_t mode_bits(const Mode& mode) {
  return mode.float_mode | (mode.dx10_clamp ? kDx10ClampBit : 0) | (mode.ieee ? kIeeeBit : 0);
}

Mode with_mode_bits(Mode mode, std::uint32_t word) {
  mode.float_mode = static_cast<std::uint8_t>(word & kFloatModeBits);
  mode.dx10_clamp = (word & kDx10ClampBit) != 0;
  mode.ieee = (word & kIeeeBit) != 0;
  return mode;
}

std::uint32_t Translator::mode_word() const { return (mode_bits(mode) & ~kFloatModeBits) | float_mode_; }

void Translator::switch_mode(Value* pc, Value* word) {
  auto* at = field(offsetof(WaveState, mode));
  b.CreateStore(b.CreateOr(b.CreateAnd(b.CreateLoad(i32, at), c32(~kModeOfTranslation)), word), at);
  b.CreateStore(pc, next_pc_);
  b.CreateStore(c32(static_cast<std::uint32_t>(Exit::mode)), exit_code_);
  b.CreateBr(save_exit_);
}

// Roots of this translation are for the MODE it was made for.
void Translator::jump_indirect(Value* pc) {
  poll_stop(0);
  auto* offset = b.CreateSub(pc, load_field(i64, offsetof(WaveState, base)));
  if (float_mode_ != mode.float_mode) return switch_mode(offset, c32(mode_word()));
  b.CreateStore(offset, next_pc_);
  b.CreateBr(dispatch_);
}

void Translator::barrier(std::uint64_t next) {
  if (float_mode_ != mode.float_mode) {
    auto* at = field(offsetof(WaveState, mode));
    auto* rest = b.CreateAnd(b.CreateLoad(i32, at), c32(~kModeOfTranslation));
    b.CreateStore(b.CreateOr(rest, c32(mode_word())), at);
  }
  auto* meet = new_block("barrier");
  auto* single = load_field(i32, offsetof(WaveState, single));
  b.CreateCondBr(b.CreateICmpNE(single, c32(0)), block(next), meet);
  b.SetInsertPoint(meet);
  b.CreateStore(c64(next), next_pc_);
  b.CreateStore(c32(static_cast<std::uint32_t>(Exit::barrier)), exit_code_);
  b.CreateBr(save_exit_);
}

void Translator::begin(const std::set<std::uint64_t>& roots) {
  auto* unknown = new_block("unknown");
  b.SetInsertPoint(dispatch_);
  auto* table = b.CreateSwitch(b.CreateLoad(i64, next_pc_), unknown, static_cast<unsigned>(roots.size()));
  for (const auto root : roots) {
    auto* start = new_block("root");
    table->addCase(b.getInt64(root), start);
    b.SetInsertPoint(start);
    choose_variant(root);
  }
  b.SetInsertPoint(unknown);
  b.CreateStore(c32(static_cast<std::uint32_t>(Exit::target)), exit_code_);
  b.CreateBr(save_exit_);
}

void Translator::finish() {
  slot(scc_, i1, "scc");
  const auto scalar_offset = [](unsigned reg) { return offsetof(WaveState, sgpr) + reg * 4; };
  const auto vector_at = [&](Value* file, unsigned reg) { return b.CreateConstGEP1_64(vi32, file, reg); };

  b.SetInsertPoint(allocas_);
  auto* file = load_field(ptr, offsetof(WaveState, vgpr));
  for (unsigned reg = 0; reg < kScalarCount; ++reg)
    if (scalars_[reg]) b.CreateStore(load_field(i32, scalar_offset(reg)), scalars_[reg]);
  for (unsigned reg = 0; reg < kVectorCount; ++reg)
    if (vectors_[reg]) b.CreateStore(b.CreateAlignedLoad(vi32, vector_at(file, reg), llvm::Align(64)), vectors_[reg]);
  b.CreateStore(b.CreateTrunc(load_field(i32, offsetof(WaveState, scc)), i1), scc_);
  b.CreateStore(load_field(i64, offsetof(WaveState, pc)), next_pc_);
  b.CreateBr(dispatch_);

  b.SetInsertPoint(save_exit_);
  for (const auto reg : written_scalars_) b.CreateStore(b.CreateLoad(i32, scalars_[reg]), field(scalar_offset(reg)));
  for (const auto reg : written_vectors_)
    b.CreateAlignedStore(b.CreateLoad(vi32, vectors_[reg]), vector_at(file, reg), llvm::Align(64));
  b.CreateStore(b.CreateZExt(b.CreateLoad(i1, scc_), i32), field(offsetof(WaveState, scc)));
  b.CreateBr(plain_exit_);

  b.SetInsertPoint(plain_exit_);
  b.CreateStore(b.CreateLoad(i64, next_pc_), field(offsetof(WaveState, pc)));
  b.CreateRet(b.CreateLoad(i32, exit_code_));

  b.SetInsertPoint(fault_exit_);
  b.CreateRet(c32(static_cast<std::uint32_t>(Exit::fault)));
}

}  // namespace hcq::models::isa
