// SPDX-License-Identifier: MIT
// Global and flat atomics. Operands: [destination,] address, data [, scalar address]; GLC asks for the old value.
#include "models/isa/ops.h"
#include "models/isa/ops_address.h"

namespace hcq::models::isa {
namespace {

constexpr bool has_comparand(Atomic op) { return op == Atomic::cmpswap || op == Atomic::fcmpswap; }

template <Atomic kOp, unsigned kBytes>
void atomic(Translator& t, const Inst& i) {
  const bool returns = i.flag("glc");
  const unsigned first = returns ? 1 : 0;
  const auto address = vector_address(t, i, i.operands[first], saddr_of(i, first + 2));
  put_address(t, address);
  const unsigned words = kBytes / 4 * (has_comparand(kOp) ? 2 : 1);
  for (unsigned k = 0; k < words; ++k) t.put(kData + k, t.read_dword(i.operands[first + 1], k));
  auto* failed = t.call(reinterpret_cast<void*>(&hcq_isa_atomic), t.i32,
                        {t.wave(), t.mask64(t.exec()), address.base, t.c32(static_cast<std::uint32_t>(address.space)),
                         t.c32(static_cast<std::uint32_t>(kOp)), t.c32(kBytes), t.c64(i.pc)});
  t.exit_if(t.b.CreateIsNotNull(failed), Exit::fault, i.pc);
  if (returns)
    for (unsigned k = 0; k * 4 < kBytes; ++k) t.write_dword(i.operands[0], k, t.get(kData + k));
}

#define HCQ_ATOMIC(name, kind, bytes) \
  {"global_atomic_" name, atomic<Atomic::kind, bytes>}, { "flat_atomic_" name, atomic<Atomic::kind, bytes> }

constexpr Op kOps[] = {
    HCQ_ATOMIC("swap_b32", swap, 4),        HCQ_ATOMIC("swap_b64", swap, 8),
    HCQ_ATOMIC("cmpswap_b32", cmpswap, 4),  HCQ_ATOMIC("cmpswap_b64", cmpswap, 8),
    HCQ_ATOMIC("cmpswap_f32", fcmpswap, 4), HCQ_ATOMIC("add_u32", add, 4),
    HCQ_ATOMIC("add_u64", add, 8),          HCQ_ATOMIC("sub_u32", sub, 4),
    HCQ_ATOMIC("sub_u64", sub, 8),          HCQ_ATOMIC("csub_u32", csub, 4),
    HCQ_ATOMIC("min_i32", smin, 4),         HCQ_ATOMIC("min_i64", smin, 8),
    HCQ_ATOMIC("min_u32", umin, 4),         HCQ_ATOMIC("min_u64", umin, 8),
    HCQ_ATOMIC("max_i32", smax, 4),         HCQ_ATOMIC("max_i64", smax, 8),
    HCQ_ATOMIC("max_u32", umax, 4),         HCQ_ATOMIC("max_u64", umax, 8),
    HCQ_ATOMIC("and_b32", bit_and, 4),      HCQ_ATOMIC("and_b64", bit_and, 8),
    HCQ_ATOMIC("or_b32", bit_or, 4),        HCQ_ATOMIC("or_b64", bit_or, 8),
    HCQ_ATOMIC("xor_b32", bit_xor, 4),      HCQ_ATOMIC("xor_b64", bit_xor, 8),
    HCQ_ATOMIC("inc_u32", inc, 4),          HCQ_ATOMIC("inc_u64", inc, 8),
    HCQ_ATOMIC("dec_u32", dec, 4),          HCQ_ATOMIC("dec_u64", dec, 8),
    HCQ_ATOMIC("add_f32", fadd, 4),         HCQ_ATOMIC("min_f32", fmin, 4),
    HCQ_ATOMIC("max_f32", fmax, 4),
};

}  // namespace

std::span<const Op> atomic_ops() { return kOps; }

}  // namespace hcq::models::isa
