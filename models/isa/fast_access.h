// SPDX-License-Identifier: MIT
// The inline path of vector accesses: with all lanes active and their addresses either equal or consecutive, an access
// is one scalar or one vector access of the host. Everything else goes to the runtime.
#pragma once

#include <functional>

#include "models/isa/ops_address.h"

namespace hcq::models::isa {

// Where a dword access goes: device memory at `base` plus the lane's part, or LDS at `base` plus the lane's offset.
struct DwordAccess {
  llvm::Value* base;            // i64; LDS: the instruction's offset
  llvm::Value* low;             // per lane
  llvm::Value* high = nullptr;  // per lane, or null
  bool lds = false;
};

using LoadedWords = llvm::SmallVector<llvm::Value*, 4>;

// The loaded vectors, `words` of them; `slow` emits the general access and returns what it loads. Of wide accesses only
// those with equal addresses are done inline.
LoadedWords load_words_inline(Translator& t, const DwordAccess& access, unsigned words,
                              const std::function<LoadedWords()>& slow);
void store_dwords_inline(Translator& t, const DwordAccess& access, llvm::Value* data,
                         const std::function<void()>& slow);

}  // namespace hcq::models::isa
