// SPDX-License-Identifier: MIT
// Branches, calls, barriers and the instructions that only order or hint.
#include "models/isa/ops.h"
#include "models/isa/runtime.h"

namespace hcq::models::isa {
namespace {

using Value = llvm::Value;

std::uint64_t next_pc(const Inst& i) { return i.pc + i.size; }

Value* vcc(Translator& t) { return t.lanes == 32 ? t.sreg(kVccLo) : t.sreg64(kVccLo); }
Value* base(Translator& t) { return t.load_field(t.i64, offsetof(WaveState, base)); }

void nop(Translator&, const Inst&) {}

void branch(Translator& t, const Inst& i, Value* condition) { t.jump_if(condition, i.branch_target(), next_pc(i)); }

// MSG_DEALLOC_VGPRS only frees registers early; every other message needs a receiver that compute waves do not have.
void sendmsg(Translator& t, const Inst& i) {
  constexpr std::int32_t kDeallocVgprs = 3;
  if (i.simm16() != kDeallocVgprs) t.illegal();
}

// The only message with an answer that a compute wave can use is the time.
template <unsigned kDwords>
void sendmsg_return(Translator& t, const Inst& i) {
  if (i.operands[1].text.find("MSG_RTN_GET_REALTIME") == std::string::npos) return t.illegal();
  auto* now = t.call(reinterpret_cast<void*>(&hcq_isa_clock), t.i64, {});
  kDwords == 2 ? t.swrite64(i.operands[0], now) : t.swrite32(i.operands[0], t.b.CreateTrunc(now, t.i32));
}

void swappc(Translator& t, const Inst& i) {
  auto* target = t.sread64(i.operands[1]);
  t.swrite64(i.operands[0], t.b.CreateAdd(base(t), t.c64(next_pc(i))));
  t.jump_indirect(target);
}

void call(Translator& t, const Inst& i) {
  t.swrite64(i.operands[0], t.b.CreateAdd(base(t), t.c64(next_pc(i))));
  t.jump(i.branch_target());
}

constexpr Op kOps[] = {
    {"s_branch", [](Translator& t, const Inst& i) { t.jump(i.branch_target()); }},
    {"s_cbranch_scc0", [](Translator& t, const Inst& i) { branch(t, i, t.b.CreateNot(t.scc())); }},
    {"s_cbranch_scc1", [](Translator& t, const Inst& i) { branch(t, i, t.scc()); }},
    {"s_cbranch_vccz", [](Translator& t, const Inst& i) { branch(t, i, t.b.CreateIsNull(vcc(t))); }},
    {"s_cbranch_vccnz", [](Translator& t, const Inst& i) { branch(t, i, t.b.CreateIsNotNull(vcc(t))); }},
    {"s_cbranch_execz", [](Translator& t, const Inst& i) { branch(t, i, t.b.CreateIsNull(t.exec())); }},
    {"s_cbranch_execnz", [](Translator& t, const Inst& i) { branch(t, i, t.b.CreateIsNotNull(t.exec())); }},
    {"s_setpc_b64", [](Translator& t, const Inst& i) { t.jump_indirect(t.sread64(i.operands[0])); }},
    {"s_getpc_b64",
     [](Translator& t, const Inst& i) { t.swrite64(i.operands[0], t.b.CreateAdd(base(t), t.c64(next_pc(i)))); }},
    {"s_swappc_b64", swappc},
    {"s_call_b64", call},
    {"s_endpgm", [](Translator& t, const Inst& i) { t.exit_always(Exit::end, i.pc); }},
    {"s_barrier", [](Translator& t, const Inst& i) { t.barrier(next_pc(i)); }},
    {"s_sendmsg", sendmsg},
    {"s_sendmsg_rtn_b32", sendmsg_return<1>},
    {"s_sendmsg_rtn_b64", sendmsg_return<2>},
    {"s_nop", nop},
    {"s_sleep", nop},
    {"s_clause", nop},
    {"s_delay_alu", nop},
    {"s_waitcnt", nop},
    {"s_waitcnt_depctr", nop},
    {"s_waitcnt_vscnt", nop},
    {"s_waitcnt_vmcnt", nop},
    {"s_waitcnt_expcnt", nop},
    {"s_waitcnt_lgkmcnt", nop},
    {"s_wait_idle", nop},
    {"s_wait_event", nop},
    {"s_set_inst_prefetch_distance", nop},
    {"s_inst_prefetch", nop},
    {"s_icache_inv", nop},
    {"s_dcache_inv", nop},
    {"s_gl1_inv", nop},
    {"s_setprio", nop},
    {"s_ttracedata", nop},
    {"s_ttracedata_imm", nop},
    {"s_incperflevel", nop},
    {"s_decperflevel", nop},
    {"buffer_gl0_inv", nop},
    {"buffer_gl1_inv", nop},
    {"buffer_wbl2", nop},
    {"buffer_inv", nop},
};

}  // namespace

std::span<const Op> control_ops() { return kOps; }

}  // namespace hcq::models::isa
