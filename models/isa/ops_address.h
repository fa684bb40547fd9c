// SPDX-License-Identifier: MIT
// The address operands of global, flat and scratch instructions.
#pragma once

#include "models/isa/runtime.h"
#include "models/isa/translator.h"

namespace hcq::models::isa {

struct VectorAddress {
  llvm::Value* base;  // common to all lanes, i64
  llvm::Value* low;   // per lane
  llvm::Value* high;  // per lane, or null
  Space space;
};

VectorAddress vector_address(Translator& t, const Inst& i, const Operand& vaddr, const Operand* saddr);

// Hands the per-lane part to the runtime.
inline void put_address(Translator& t, const VectorAddress& a) {
  t.put(kAddressLow, a.low);
  if (a.high) t.put(kAddressHigh, a.high);
}

// The scalar address operand at `index`, nullptr for flat instructions, which have none.
inline const Operand* saddr_of(const Inst& i, unsigned index) {
  return i.operands.size() > index ? &i.operands[index] : nullptr;
}

}  // namespace hcq::models::isa
