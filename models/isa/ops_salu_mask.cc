// SPDX-License-Identifier: MIT
// Scalar moves, compares, and the bookkeeping of EXEC.
#include <algorithm>

#include "models/isa/ops.h"
#include "models/isa/runtime.h"

namespace hcq::models::isa {
namespace {

using Value = llvm::Value;
using Predicate = llvm::CmpInst::Predicate;
using enum llvm::CmpInst::Predicate;

void move32(Translator& t, const Inst& i) { t.swrite32(i.operands[0], t.sread32(i.operands[1])); }
void move64(Translator& t, const Inst& i) { t.swrite64(i.operands[0], t.sread64(i.operands[1])); }

Value* immediate(Translator& t, const Inst& i) { return t.c32(static_cast<std::uint32_t>(i.simm16())); }

void cmov32(Translator& t, const Inst& i) {
  t.swrite32(i.operands[0], t.b.CreateSelect(t.scc(), t.sread32(i.operands[1]), t.sread32(i.operands[0])));
}
void cmov64(Translator& t, const Inst& i) {
  t.swrite64(i.operands[0], t.b.CreateSelect(t.scc(), t.sread64(i.operands[1]), t.sread64(i.operands[0])));
}
void cmovk(Translator& t, const Inst& i) {
  t.swrite32(i.operands[0], t.b.CreateSelect(t.scc(), immediate(t, i), t.sread32(i.operands[0])));
}
void cselect32(Translator& t, const Inst& i) {
  t.swrite32(i.operands[0], t.b.CreateSelect(t.scc(), t.sread32(i.operands[1]), t.sread32(i.operands[2])));
}
void cselect64(Translator& t, const Inst& i) {
  t.swrite64(i.operands[0], t.b.CreateSelect(t.scc(), t.sread64(i.operands[1]), t.sread64(i.operands[2])));
}

template <Predicate kPredicate>
void compare32(Translator& t, const Inst& i) {
  t.set_scc(t.b.CreateICmp(kPredicate, t.sread32(i.operands[0]), t.sread32(i.operands[1])));
}
template <Predicate kPredicate>
void compare64(Translator& t, const Inst& i) {
  t.set_scc(t.b.CreateICmp(kPredicate, t.sread64(i.operands[0]), t.sread64(i.operands[1])));
}
// The 16-bit immediate is sign-extended for signed compares and zero-extended for unsigned ones.
template <Predicate kPredicate, bool kSigned>
void comparek(Translator& t, const Inst& i) {
  auto* k = kSigned ? immediate(t, i) : t.c32(static_cast<std::uint16_t>(i.simm16()));
  t.set_scc(t.b.CreateICmp(kPredicate, t.sread32(i.operands[0]), k));
}

template <unsigned kBits, bool kOne>
void bit_compare(Translator& t, const Inst& i) {
  auto& b = t.b;
  Value* n = b.CreateAnd(t.sread32(i.operands[1]), t.c32(kBits - 1));
  Value* x = kBits == 64 ? t.sread64(i.operands[0]) : t.sread32(i.operands[0]);
  if (kBits == 64) n = b.CreateZExt(n, t.i64);
  auto* bit = b.CreateTrunc(b.CreateLShr(x, n), t.i1);
  t.set_scc(kOne ? bit : b.CreateNot(bit));
}

// D = EXEC; EXEC = F(S0, EXEC); SCC = EXEC != 0. The suffix says how much of EXEC takes part.
template <unsigned kBits, auto F>
void save_exec(Translator& t, const Inst& i) {
  constexpr bool wide = kBits == 64;
  auto* source = wide ? t.sread64(i.operands[1]) : t.sread32(i.operands[1]);
  auto* old = wide ? t.sreg64(kExecLo) : t.sreg(kExecLo);
  auto* fresh = F(t.b, source, old);
  wide ? t.swrite64(i.operands[0], old) : t.swrite32(i.operands[0], old);
  wide ? t.set_sreg64(kExecLo, fresh) : t.set_sreg(kExecLo, fresh);
  t.set_scc(t.b.CreateIsNotNull(fresh));
}
// EXEC = F(S0, EXEC); D = EXEC; SCC = EXEC != 0.
template <unsigned kBits, auto F>
void write_exec(Translator& t, const Inst& i) {
  constexpr bool wide = kBits == 64;
  auto* source = wide ? t.sread64(i.operands[1]) : t.sread32(i.operands[1]);
  auto* fresh = F(t.b, source, wide ? t.sreg64(kExecLo) : t.sreg(kExecLo));
  wide ? t.set_sreg64(kExecLo, fresh) : t.set_sreg(kExecLo, fresh);
  wide ? t.swrite64(i.operands[0], fresh) : t.swrite32(i.operands[0], fresh);
  t.set_scc(t.b.CreateIsNotNull(fresh));
}

// Whole quad mode: a quad of lanes becomes active when one of its lanes is.
template <unsigned kBits>
void whole_quad(Translator& t, const Inst& i) {
  auto& b = t.b;
  constexpr bool wide = kBits == 64;
  auto* x = wide ? t.sread64(i.operands[1]) : t.sread32(i.operands[1]);
  const auto c = [&](std::uint64_t v) { return llvm::ConstantInt::get(x->getType(), v); };
  Value* any = b.CreateOr(x, b.CreateLShr(x, c(1)));
  any = b.CreateAnd(b.CreateOr(any, b.CreateLShr(any, c(2))), c(0x1111111111111111));
  auto* d = b.CreateMul(any, c(15));
  wide ? t.swrite64(i.operands[0], d) : t.swrite32(i.operands[0], d);
  t.set_scc(b.CreateIsNotNull(d));
}

// Denormal control may change, rounding must stay to nearest even.
void set_mode_bits(Translator& t, unsigned offset, unsigned size, std::uint32_t value) {
  constexpr std::uint32_t kRounding = 0xf, kFloatBits = 0xff;
  const std::uint32_t mask = ((size < 32 ? 1u << size : 0) - 1) << offset;
  const std::uint32_t fresh = (t.float_mode() & ~mask) | (value << offset & mask);
  const bool known = (mask & ~kFloatBits) == 0 && (fresh & kRounding) == 0;
  if (!known) return t.illegal();
  t.set_float_mode(static_cast<std::uint8_t>(fresh));
}
// s_setreg_b32: the value is known when it runs. Another MODE means another translation of what follows.
void set_mode_bits(Translator& t, const Inst& i, unsigned offset, unsigned size, Value* value) {
  auto& b = t.b;
  constexpr std::uint32_t kRounding = 0xf;
  const std::uint32_t mask = ((size < 32 ? 1u << size : 0) - 1) << offset;
  auto* bits = b.CreateAnd(b.CreateShl(value, offset), t.c32(mask));
  auto* word = b.CreateOr(t.c32(t.mode_word() & ~mask), b.CreateAnd(bits, t.c32(kModeOfTranslation)));
  t.exit_if(b.CreateIsNotNull(b.CreateAnd(word, t.c32(kRounding))), Exit::illegal, i.pc);
  // LOD_CLAMPED (bit 10) matters to image instructions only; what lies above enables traps.
  constexpr std::uint32_t kLodClamped = 1u << 10;
  auto* traps = b.CreateAnd(bits, t.c32(~(kModeOfTranslation | kLodClamped)));
  t.exit_if(b.CreateIsNotNull(traps), Exit::illegal, i.pc);
  const std::uint64_t next = i.pc + i.size;
  auto* other = t.new_block("other_mode");
  auto* same = t.new_block("same_mode");
  b.CreateCondBr(b.CreateICmpEQ(word, t.c32(t.mode_word())), same, other);
  b.SetInsertPoint(other);
  t.switch_mode(t.c64(next), word);
  b.SetInsertPoint(same);
  t.fall_through(next);
}
void round_mode(Translator& t, const Inst& i) { set_mode_bits(t, 0, 4, i.simm16() & 0xf); }
void denorm_mode(Translator& t, const Inst& i) { set_mode_bits(t, 4, 4, i.simm16() & 0xf); }

// hwreg encoding in SIMM16: id[5:0], offset[10:6], size-1[15:11].
struct HardwareRegister {
  unsigned id, offset, size;
};
HardwareRegister hardware_register(const Inst& i) {
  const auto code = static_cast<std::uint16_t>(i.simm16());
  return {code & 0x3fu, code >> 6 & 0x1fu, (code >> 11) + 1u};
}
constexpr unsigned kHwregMode = 1;

void getreg(Translator& t, const Inst& i) {
  const auto r = hardware_register(i);
  // 20 bits that count clocks; the rate on silicon follows the shader clock, here it is fixed.
  constexpr unsigned kHwregShaderCycles = 29, kClocksPerTick = 25;
  if (r.id == kHwregShaderCycles) {
    auto* clocks = t.b.CreateMul(t.call(reinterpret_cast<void*>(&hcq_isa_clock), t.i64, {}), t.c64(kClocksPerTick));
    return t.swrite32(i.operands[0], t.b.CreateAnd(t.b.CreateTrunc(clocks, t.i32), t.c32(0xfffff)));
  }
  if (r.id != kHwregMode) return t.illegal();
  auto* rest = t.b.CreateAnd(t.load_field(t.i32, offsetof(WaveState, mode)), t.c32(~kModeOfTranslation));
  auto* mode = t.b.CreateOr(rest, t.c32(t.mode_word()));
  const std::uint32_t mask = r.size == 32 ? ~0u : (1u << r.size) - 1;
  t.swrite32(i.operands[0], t.b.CreateAnd(t.b.CreateLShr(mode, r.offset), t.c32(mask)));
}
void setreg(Translator& t, const Inst& i) {
  const auto r = hardware_register(i);
  if (r.id != kHwregMode) return t.illegal();
  set_mode_bits(t, i, r.offset, r.size, t.sread32(i.operands[1]));
}
void setreg_immediate(Translator& t, const Inst& i) {
  const auto r = hardware_register(i);
  if (r.id != kHwregMode) return t.illegal();
  set_mode_bits(t, r.offset, r.size, i.words[1]);
}

// Relative moves: M0 is added to the register number. Reaches the 32 registers that the largest vector has.
constexpr unsigned kReach = 32;
Value* relative_is(Translator& t, unsigned n) { return t.b.CreateICmpEQ(t.sreg(kM0), t.c32(n)); }
void check_reach(Translator& t, const Inst& i, unsigned count) {
  t.exit_if(t.b.CreateICmpUGE(t.sreg(kM0), t.c32(count)), Exit::illegal, i.pc);
}

void move_relative_source(Translator& t, const Inst& i) {
  const unsigned count = std::min(kReach, kVccLo - i.operands[1].reg);
  check_reach(t, i, count);
  Value* v = t.sreg(i.operands[1].reg);
  for (unsigned n = 1; n < count; ++n) v = t.b.CreateSelect(relative_is(t, n), t.sreg(i.operands[1].reg + n), v);
  t.swrite32(i.operands[0], v);
}
void move_relative_destination(Translator& t, const Inst& i) {
  const unsigned count = std::min(kReach, kVccLo - i.operands[0].reg);
  check_reach(t, i, count);
  auto* v = t.sread32(i.operands[1]);
  for (unsigned n = 0; n < count; ++n) {
    const unsigned reg = i.operands[0].reg + n;
    t.set_sreg(reg, t.b.CreateSelect(relative_is(t, n), v, t.sreg(reg)));
  }
}
void vector_relative_source(Translator& t, const Inst& i) {
  const unsigned count = std::min<unsigned>(kReach, t.mode.vgprs - i.operands[1].reg);
  check_reach(t, i, count);
  Value* v = t.vreg(i.operands[1].reg);
  for (unsigned n = 1; n < count; ++n) v = t.b.CreateSelect(relative_is(t, n), t.vreg(i.operands[1].reg + n), v);
  t.write32(i.operands[0], v);
}
void vector_relative_destination(Translator& t, const Inst& i) {
  const unsigned count = std::min<unsigned>(kReach, t.mode.vgprs - i.operands[0].reg);
  check_reach(t, i, count);
  auto* v = t.read32(i.operands[1]);
  for (unsigned n = 0; n < count; ++n) {
    const unsigned reg = i.operands[0].reg + n;
    t.set_vreg(reg, t.b.CreateSelect(relative_is(t, n), v, t.vreg(reg)));
  }
}

#define HCQ_MASK(expression) [](llvm::IRBuilder<>& b, Value* s, Value* e) -> Value* { return b.expression; }
#define HCQ_SAVE(name, expression) \
  {name "_b32", save_exec<32, HCQ_MASK(expression)>}, { name "_b64", save_exec<64, HCQ_MASK(expression)> }
#define HCQ_WRITE(name, expression) \
  {name "_b32", write_exec<32, HCQ_MASK(expression)>}, { name "_b64", write_exec<64, HCQ_MASK(expression)> }

constexpr Op kOps[] = {
    {"s_mov_b32", move32},
    {"s_mov_b64", move64},
    {"s_movk_i32", [](Translator& t, const Inst& i) { t.swrite32(i.operands[0], immediate(t, i)); }},
    {"s_cmov_b32", cmov32},
    {"s_cmov_b64", cmov64},
    {"s_cmovk_i32", cmovk},
    {"s_cselect_b32", cselect32},
    {"s_cselect_b64", cselect64},
    {"s_cmp_eq_i32", compare32<ICMP_EQ>},
    {"s_cmp_lg_i32", compare32<ICMP_NE>},
    {"s_cmp_gt_i32", compare32<ICMP_SGT>},
    {"s_cmp_ge_i32", compare32<ICMP_SGE>},
    {"s_cmp_lt_i32", compare32<ICMP_SLT>},
    {"s_cmp_le_i32", compare32<ICMP_SLE>},
    {"s_cmp_eq_u32", compare32<ICMP_EQ>},
    {"s_cmp_lg_u32", compare32<ICMP_NE>},
    {"s_cmp_gt_u32", compare32<ICMP_UGT>},
    {"s_cmp_ge_u32", compare32<ICMP_UGE>},
    {"s_cmp_lt_u32", compare32<ICMP_ULT>},
    {"s_cmp_le_u32", compare32<ICMP_ULE>},
    {"s_cmp_eq_u64", compare64<ICMP_EQ>},
    {"s_cmp_lg_u64", compare64<ICMP_NE>},
    {"s_cmpk_eq_i32", comparek<ICMP_EQ, true>},
    {"s_cmpk_lg_i32", comparek<ICMP_NE, true>},
    {"s_cmpk_gt_i32", comparek<ICMP_SGT, true>},
    {"s_cmpk_ge_i32", comparek<ICMP_SGE, true>},
    {"s_cmpk_lt_i32", comparek<ICMP_SLT, true>},
    {"s_cmpk_le_i32", comparek<ICMP_SLE, true>},
    {"s_cmpk_eq_u32", comparek<ICMP_EQ, false>},
    {"s_cmpk_lg_u32", comparek<ICMP_NE, false>},
    {"s_cmpk_gt_u32", comparek<ICMP_UGT, false>},
    {"s_cmpk_ge_u32", comparek<ICMP_UGE, false>},
    {"s_cmpk_lt_u32", comparek<ICMP_ULT, false>},
    {"s_cmpk_le_u32", comparek<ICMP_ULE, false>},
    {"s_bitcmp0_b32", bit_compare<32, false>},
    {"s_bitcmp1_b32", bit_compare<32, true>},
    {"s_bitcmp0_b64", bit_compare<64, false>},
    {"s_bitcmp1_b64", bit_compare<64, true>},
    HCQ_SAVE("s_and_saveexec", CreateAnd(s, e)),
    HCQ_SAVE("s_or_saveexec", CreateOr(s, e)),
    HCQ_SAVE("s_xor_saveexec", CreateXor(s, e)),
    HCQ_SAVE("s_nand_saveexec", CreateNot(b.CreateAnd(s, e))),
    HCQ_SAVE("s_nor_saveexec", CreateNot(b.CreateOr(s, e))),
    HCQ_SAVE("s_xnor_saveexec", CreateNot(b.CreateXor(s, e))),
    HCQ_SAVE("s_and_not0_saveexec", CreateAnd(b.CreateNot(s), e)),
    HCQ_SAVE("s_or_not0_saveexec", CreateOr(b.CreateNot(s), e)),
    HCQ_SAVE("s_and_not1_saveexec", CreateAnd(s, b.CreateNot(e))),
    HCQ_SAVE("s_or_not1_saveexec", CreateOr(s, b.CreateNot(e))),
    HCQ_WRITE("s_and_not0_wrexec", CreateAnd(b.CreateNot(s), e)),
    HCQ_WRITE("s_and_not1_wrexec", CreateAnd(s, b.CreateNot(e))),
    {"s_wqm_b32", whole_quad<32>},
    {"s_wqm_b64", whole_quad<64>},
    {"s_round_mode", round_mode},
    {"s_denorm_mode", denorm_mode},
    {"s_getreg_b32", getreg},
    {"s_setreg_b32", setreg},
    {"s_setreg_imm32_b32", setreg_immediate},
    {"s_movrels_b32", move_relative_source},
    {"s_movreld_b32", move_relative_destination},
    {"v_movrels_b32", vector_relative_source},
    {"v_movreld_b32", vector_relative_destination},
};

}  // namespace

std::span<const Op> salu_mask_ops() { return kOps; }

}  // namespace hcq::models::isa
