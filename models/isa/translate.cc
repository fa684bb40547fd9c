// SPDX-License-Identifier: MIT
// Control flow of the translated function: entry and dispatch, exits, barriers, calls.
#include "models/isa/translator.h"

namespace hcq::models::isa {

llvm::BasicBlock* Translator::block(std::uint64_t pc) {
  auto& found = blocks_[pc];
  if (!found) found = new_block("pc");
  return found;
}

void Translator::begin_block(llvm::BasicBlock* start) {
  b.SetInsertPoint(start);
  exec_lanes_ = nullptr;
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
  begin_block(new_block("dead"));
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

void Translator::jump_indirect(Value* pc) {
  poll_stop(0);
  b.CreateStore(b.CreateSub(pc, load_field(i64, offsetof(WaveState, base))), next_pc_);
  b.CreateBr(dispatch_);
}

void Translator::barrier(std::uint64_t next) {
  auto* meet = new_block("barrier");
  auto* single = load_field(i32, offsetof(WaveState, single));
  b.CreateCondBr(b.CreateICmpNE(single, c32(0)), block(next), meet);
  b.SetInsertPoint(meet);
  b.CreateStore(c64(next), next_pc_);
  b.CreateStore(c32(static_cast<std::uint32_t>(Exit::barrier)), exit_code_);
  b.CreateBr(save_exit_);
}

void Translator::finish(const std::set<std::uint64_t>& roots) {
  slot(scc_, i1, "scc");
  auto* scc_field_type = i32;
  const auto scalar_offset = [](unsigned reg) { return offsetof(WaveState, sgpr) + reg * 4; };
  const auto vector_at = [&](Value* file, unsigned reg) { return b.CreateConstGEP1_64(vi32, file, reg); };

  b.SetInsertPoint(allocas_);
  auto* file = load_field(ptr, offsetof(WaveState, vgpr));
  for (unsigned reg = 0; reg < kScalarCount; ++reg)
    if (scalars_[reg]) b.CreateStore(load_field(i32, scalar_offset(reg)), scalars_[reg]);
  for (unsigned reg = 0; reg < kVectorCount; ++reg)
    if (vectors_[reg]) b.CreateStore(b.CreateAlignedLoad(vi32, vector_at(file, reg), llvm::Align(64)), vectors_[reg]);
  b.CreateStore(b.CreateTrunc(load_field(scc_field_type, offsetof(WaveState, scc)), i1), scc_);
  b.CreateStore(load_field(i64, offsetof(WaveState, pc)), next_pc_);
  b.CreateBr(dispatch_);

  auto* unknown = new_block("unknown");
  b.SetInsertPoint(dispatch_);
  auto* table = b.CreateSwitch(b.CreateLoad(i64, next_pc_), unknown, static_cast<unsigned>(roots.size()));
  for (const auto root : roots) table->addCase(b.getInt64(root), block(root));
  b.SetInsertPoint(unknown);
  b.CreateStore(c32(static_cast<std::uint32_t>(Exit::target)), exit_code_);
  b.CreateBr(save_exit_);

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
