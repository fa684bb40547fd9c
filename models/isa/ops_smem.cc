// SPDX-License-Identifier: MIT
// Scalar memory reads.
#include "models/isa/ops.h"
#include "models/isa/runtime.h"

namespace hcq::models::isa {
namespace {

using Value = llvm::Value;

// `count`: dwords to read, null for all of them; those beyond it become zero.
void load_dwords(Translator& t, const Inst& i, Value* address, Value* count, unsigned dwords) {
  auto* aligned = t.b.CreateAnd(address, t.c64(~std::uint64_t{3}));
  auto* failed = t.call(reinterpret_cast<void*>(&hcq_isa_scalar_load), t.i32,
                        {t.wave(), aligned, count ? count : t.c32(dwords), t.c64(i.pc)});
  t.exit_if(t.b.CreateIsNotNull(failed), Exit::fault, i.pc);
  auto* row = t.field(offsetof(WaveState, exchange));
  for (unsigned n = 0; n < dwords; ++n) {
    Value* v = t.b.CreateLoad(t.i32, t.b.CreateConstGEP1_64(t.i32, row, n));
    if (count) v = t.b.CreateSelect(t.b.CreateICmpULT(t.c32(n), count), v, t.c32(0));
    t.set_sreg(i.operands[0].reg + n, v);
  }
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
  load_dwords(t, i, t.b.CreateAdd(t.sread64(i.operands[1]), offset(t, i)), nullptr, kDwords);
}

// Through a buffer descriptor: dwords beyond its size read as zero (RDNA3 ISA guide, 7.2).
template <unsigned kDwords>
void buffer_load(Translator& t, const Inst& i) {
  auto& b = t.b;
  constexpr std::uint32_t kBaseHigh = 0xffff, kStrideMask = 0x3fff;
  const unsigned rsrc = i.operands[1].reg;
  auto* high = t.sreg(rsrc + 1);
  auto* base = b.CreateOr(b.CreateZExt(t.sreg(rsrc), t.i64),
                          b.CreateShl(b.CreateZExt(b.CreateAnd(high, t.c32(kBaseHigh)), t.i64), 32));
  auto* stride = b.CreateZExt(b.CreateAnd(b.CreateLShr(high, 16), t.c32(kStrideMask)), t.i64);
  auto* records = b.CreateZExt(t.sreg(rsrc + 2), t.i64);
  auto* size = b.CreateSelect(b.CreateIsNull(stride), records, b.CreateMul(records, stride));
  auto* from = b.CreateAnd(offset(t, i), t.c64(~std::uint64_t{3}));
  auto* left = t.b.CreateBinaryIntrinsic(llvm::Intrinsic::usub_sat, size, from);
  auto* inside = b.CreateBinaryIntrinsic(llvm::Intrinsic::umin, b.CreateLShr(left, 2), t.c64(kDwords));
  load_dwords(t, i, b.CreateAdd(base, from), b.CreateTrunc(inside, t.i32), kDwords);
}

constexpr Op kOps[] = {
    {"s_load_b32", load<1>},
    {"s_load_b64", load<2>},
    {"s_load_b128", load<4>},
    {"s_load_b256", load<8>},
    {"s_load_b512", load<16>},
    {"s_buffer_load_b32", buffer_load<1>},
    {"s_buffer_load_b64", buffer_load<2>},
    {"s_buffer_load_b128", buffer_load<4>},
    {"s_buffer_load_b256", buffer_load<8>},
    {"s_buffer_load_b512", buffer_load<16>},
};

}  // namespace

std::span<const Op> smem_ops() { return kOps; }

}  // namespace hcq::models::isa
