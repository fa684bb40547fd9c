// SPDX-License-Identifier: MIT
// The address operands of global, flat and scratch instructions.
#pragma once

#include "models/isa/runtime.h"
#include "models/isa/translator.h"

namespace hcq::models::isa {

struct VectorAddress {
  llvm::Value* base;
  Space space;
};

// Puts the per-lane part of the address into the exchange area and returns the common part.
VectorAddress vector_address(Translator& t, const Inst& i, const Operand& vaddr, const Operand* saddr);

// The scalar address operand at `index`, nullptr for flat instructions, which have none.
inline const Operand* saddr_of(const Inst& i, unsigned index) {
  return i.operands.size() > index ? &i.operands[index] : nullptr;
}

}  // namespace hcq::models::isa
