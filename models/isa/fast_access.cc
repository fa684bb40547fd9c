// SPDX-License-Identifier: MIT
#include "models/isa/fast_access.h"

#include <llvm/IR/MDBuilder.h>

namespace hcq::models::isa {
namespace {

using Value = llvm::Value;

Value* all_ones(Translator& t) { return llvm::Constant::getAllOnesValue(t.mask_type); }

struct Fast {
  Value* usable;                 // i1: the inline path may be taken
  Value* consecutive;            // i1: addresses rise by 4; otherwise all are equal
  std::function<Value*()> host;  // emits the host address of lane 0
};

// low[l] == low[0] + l * (low[1] - low[0]) with a difference of 0 or 4.
Value* regular(Translator& t, const DwordAccess& a, unsigned words, Value* first, Value*& consecutive) {
  auto& b = t.b;
  llvm::SmallVector<llvm::Constant*, kMaxLanes> steps;
  for (unsigned lane = 0; lane < t.lanes; ++lane) steps.push_back(b.getInt32(lane * 4));
  auto* second = b.CreateExtractElement(a.low, std::uint64_t{1});
  consecutive = words == 1 ? b.CreateICmpEQ(b.CreateSub(second, first), t.c32(4)) : b.getFalse();
  auto* pattern = b.CreateSelect(consecutive, llvm::ConstantVector::get(steps), t.v32(0));
  const auto all = [&](Value* lanes) { return b.CreateICmpEQ(b.CreateBitCast(lanes, t.mask_type), all_ones(t)); };
  auto* matches = all(b.CreateICmpEQ(b.CreateSub(a.low, t.splat(first)), pattern));
  if (a.high) {
    auto* high = b.CreateExtractElement(a.high, std::uint64_t{0});
    matches = b.CreateAnd(matches, all(b.CreateICmpEQ(a.high, t.splat(high))));
  }
  // No carry out of the low dword on the way.
  auto* no_wrap = b.CreateICmpULE(first, t.c32(~std::uint32_t{0} - 4 * t.lanes));
  return b.CreateAnd(matches, no_wrap);
}

Fast in_lds(Translator& t, const DwordAccess& a, unsigned words) {
  auto& b = t.b;
  auto* first = b.CreateExtractElement(a.low, std::uint64_t{0});
  Value* consecutive = nullptr;
  auto* matches = regular(t, a, words, first, consecutive);
  auto* offset = b.CreateAdd(a.base, b.CreateZExt(first, t.i64));
  auto* end = b.CreateAdd(offset, t.c64(4 * t.lanes));
  auto* size = b.CreateZExt(t.load_field(t.i32, offsetof(WaveState, lds_size)), t.i64);
  return {b.CreateAnd(matches, b.CreateICmpULE(end, size)), consecutive,
          [&t, offset] { return t.b.CreateGEP(t.i8, t.load_field(t.ptr, offsetof(WaveState, lds)), offset); }};
}

Fast in_memory(Translator& t, const DwordAccess& a, unsigned words, std::size_t table) {
  auto& b = t.b;
  auto* first = b.CreateExtractElement(a.low, std::uint64_t{0});
  Value* consecutive = nullptr;
  auto* matches = regular(t, a, words, first, consecutive);
  Value* va = b.CreateZExt(first, t.i64);
  if (a.high)
    va = b.CreateOr(va, b.CreateShl(b.CreateZExt(b.CreateExtractElement(a.high, std::uint64_t{0}), t.i64), 32));
  va = b.CreateAdd(va, a.base);
  auto* in_page = b.CreateAnd(va, t.c64(kPageSize - 1));
  auto* fits = b.CreateICmpULE(in_page, t.c64(kPageSize - 4 * t.lanes));
  auto* page = b.CreateLShr(va, t.c64(kPageShift));
  auto* slot = b.CreateShl(b.CreateAnd(page, t.c64(kTlbEntries - 1)), t.c64(4));
  static_assert(sizeof(TlbEntry) == 16 && offsetof(TlbEntry, tag) == 0 && offsetof(TlbEntry, host) == 8);
  auto* worker = t.load_field(t.ptr, offsetof(WaveState, worker));
  auto* entry = b.CreateGEP(t.i8, b.CreateConstGEP1_64(t.i8, worker, table), slot);
  auto* hit = b.CreateICmpEQ(b.CreateLoad(t.i64, entry), b.CreateAdd(page, t.c64(1)));
  return {b.CreateAnd(b.CreateAnd(matches, fits), hit), consecutive, [&t, entry, in_page] {
            auto* host = t.b.CreateLoad(t.ptr, t.b.CreateConstGEP1_64(t.i8, entry, offsetof(TlbEntry, host)));
            return t.b.CreateGEP(t.i8, host, in_page);
          }};
}

Fast prepare(Translator& t, const DwordAccess& a, unsigned words, std::size_t table) {
  return a.lds ? in_lds(t, a, words) : in_memory(t, a, words, table);
}

llvm::MDNode* likely(Translator& t) { return llvm::MDBuilder(t.module.getContext()).createBranchWeights(1000, 1); }

}  // namespace

LoadedWords load_words_inline(Translator& t, const DwordAccess& a, unsigned words,
                              const std::function<LoadedWords()>& slow) {
  if (!t.full()) return slow();
  auto& b = t.b;
  const Fast fast = prepare(t, a, words, offsetof(Worker, read));
  auto *quick = t.new_block("quick"), *scalar = t.new_block("scalar");
  auto *general = t.new_block("general"), *join = t.new_block("join");
  b.CreateCondBr(fast.usable, quick, general, likely(t));
  b.SetInsertPoint(quick);
  auto* host = fast.host();
  llvm::BasicBlock* vector = words == 1 ? t.new_block("vector") : nullptr;
  Value* whole = nullptr;
  if (vector) {
    b.CreateCondBr(fast.consecutive, vector, scalar);
    b.SetInsertPoint(vector);
    whole = b.CreateAlignedLoad(t.vi32, host, llvm::Align(1));
    b.CreateBr(join);
  } else {
    b.CreateBr(scalar);
  }
  b.SetInsertPoint(scalar);
  LoadedWords same;
  for (unsigned k = 0; k < words; ++k)
    same.push_back(t.splat(b.CreateAlignedLoad(t.i32, b.CreateConstGEP1_64(t.i32, host, k), llvm::Align(1))));
  b.CreateBr(join);
  b.SetInsertPoint(general);
  const LoadedWords loaded = slow();
  auto* general_end = b.GetInsertBlock();
  b.CreateBr(join);
  b.SetInsertPoint(join);
  LoadedWords results;
  for (unsigned k = 0; k < words; ++k) {
    auto* result = b.CreatePHI(t.vi32, 3);
    if (vector) result->addIncoming(whole, vector);
    result->addIncoming(same[k], scalar);
    result->addIncoming(loaded[k], general_end);
    results.push_back(result);
  }
  return results;
}

void store_dwords_inline(Translator& t, const DwordAccess& a, Value* data, const std::function<void()>& slow) {
  if (!t.full()) return slow();
  auto& b = t.b;
  const Fast fast = prepare(t, a, 1, offsetof(Worker, write));
  auto *quick = t.new_block("quick"), *general = t.new_block("general"), *join = t.new_block("join");
  b.CreateCondBr(b.CreateAnd(fast.usable, fast.consecutive), quick, general, likely(t));
  b.SetInsertPoint(quick);
  b.CreateAlignedStore(data, fast.host(), llvm::Align(1));
  b.CreateBr(join);
  b.SetInsertPoint(general);
  slow();
  b.CreateBr(join);
  b.SetInsertPoint(join);
}

}  // namespace hcq::models::isa
