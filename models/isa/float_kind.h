// SPDX-License-Identifier: MIT
// f16, f32 and f64 instructions share their handlers; a kind says how operands are read and written.
#pragma once

#include "models/isa/translator.h"

namespace hcq::models::isa {

enum class Kind { half, single, real };

// op_sel of 16-bit instructions lists the sources and then the destination.
inline bool destination_select(const Translator& t) {
  const auto bits = t.current->list("op_sel");
  return !bits.empty() && bits.back() != 0;
}

// Source `n`, counted from 1 as operands[0] is the destination.
template <Kind kKind>
llvm::Value* read_float(Translator& t, const Inst& i, unsigned n) {
  if constexpr (kKind == Kind::half) return t.readf16(i.operands[n], t.op_sel(n - 1));
  if constexpr (kKind == Kind::single) return t.readf32(i.operands[n]);
  return t.readf64(i.operands[n]);
}

template <Kind kKind>
void write_float(Translator& t, const Inst& i, llvm::Value* v) {
  if constexpr (kKind == Kind::half) t.writef16(i.operands[0], destination_select(t), v);
  else if constexpr (kKind == Kind::single) t.writef32(i.operands[0], v);
  else t.writef64(i.operands[0], v);
}

// Same-sized integers of a float vector and back.
llvm::Value* float_bits(Translator& t, llvm::Value* v);
llvm::Value* from_bits(Translator& t, llvm::Value* bits, llvm::Type* type);

// IEEE 754 minimum and maximum as the hardware has them: the number wins over a NaN, -0 is less than +0, and in IEEE
// mode a signalling NaN is returned quieted.
llvm::Value* float_min(Translator& t, llvm::Value* x, llvm::Value* y);
llvm::Value* float_max(Translator& t, llvm::Value* x, llvm::Value* y);
// x * y + z rounded once, for any of the three types.
llvm::Value* fused_multiply_add(Translator& t, llvm::Value* x, llvm::Value* y, llvm::Value* z);
// Rounds f64 to f16 once.
llvm::Value* half_from_double(Translator& t, llvm::Value* v);
// A runtime function of the lanes of an f32 vector.
llvm::Value* call_lane_function(Translator& t, void (*function)(WaveState*), llvm::Value* v);

}  // namespace hcq::models::isa
