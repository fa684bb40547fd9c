// SPDX-License-Identifier: MIT
// Scalar memory reads.
#include "models/isa/ops.h"
#include "models/isa/runtime.h"

namespace hcq::models::isa {
namespace {

using Value = llvm::Value;

void load_dwords(Translator& t, const Inst& i, Value* address, unsigned dwords) {
  auto* aligned = t.b.CreateAnd(address, t.c64(~std::uint64_t{3}));
  auto* failed =
      t.call(reinterpret_cast<void*>(&hcq_isa_scalar_load), t.i32, {t.wave(), aligned, t.c32(dwords), t.c64(i.pc)});
  t.exit_if(t.b.CreateIsNotNull(failed), Exit::fault, i.pc);
  auto* row = t.field(offsetof(WaveState, exchange));
  for (unsigned n = 0; n < dwords; ++n)
    t.set_sreg(i.operands[0].reg + n, t.b.CreateLoad(t.i32, t.b.CreateConstGEP1_64(t.i32, row, n)));
}

Value* offset(Translator& t, const Inst& i) {
  const auto& op = i.operands[2];
  if (op.is_sgpr()) {
    auto* immediate = t.c64(static_cast<std::uint64_t>(i.number("offset", 0)));
    return t.b.CreateAdd(t.b.CreateZExt(t.sreg(op.reg), t.i64), immediate);
  }
  return t.c64(static_cast<std::uint64_t>(op.integer));
}

template <unsigned kDwords>
void load(Translator& t, const Inst& i) {
  load_dwords(t, i, t.b.CreateAdd(t.sread64(i.operands[1]), offset(t, i)), kDwords);
}

constexpr Op kOps[] = {
    {"s_load_b32", load<1>},  {"s_load_b64", load<2>},   {"s_load_b128", load<4>},
    {"s_load_b256", load<8>}, {"s_load_b512", load<16>},
};

}  // namespace

std::span<const Op> smem_ops() { return kOps; }

}  // namespace hcq::models::isa
