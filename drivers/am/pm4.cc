// SPDX-License-Identifier: MIT
#include "drivers/am/pm4.h"

#include "base/bytes.h"
#include "drivers/am/abi/pm4.h"
#include "drivers/am/regs/registers.h"

namespace hcq::am::pm4 {

namespace p = abi::pm4;

namespace {

constexpr std::uint32_t kPollInterval = 4;  // in units of 16 clocks, as the Linux driver polls

// The cache actions of a release: everything that a host, another queue or a peer may look at is written back, and
// nothing stale stays in L2 for the next submission.
constexpr std::uint32_t kReleaseCaches =
    p::release_mem::GLM_WB.mask | p::release_mem::GLM_INV.mask | p::release_mem::GLV_INV.mask |
    p::release_mem::GL1_INV.mask | p::release_mem::GL2_INV.mask | p::release_mem::GL2_WB.mask | p::release_mem::SEQ(1);
constexpr std::uint32_t kAcquireData = p::acquire_mem::GLM_WB.mask | p::acquire_mem::GLM_INV.mask |
                                       p::acquire_mem::GLK_WB.mask | p::acquire_mem::GLK_INV.mask |
                                       p::acquire_mem::GLV_INV.mask | p::acquire_mem::GL1_INV.mask;
constexpr std::uint32_t kAcquireAll =
    kAcquireData | p::acquire_mem::GLI_INV(1) | p::acquire_mem::GL2_INV.mask | p::acquire_mem::GL2_WB.mask;

// Registers from `first` on, in the SH window.
template <class... Values>
void set_sh(DwordWriter& w, std::uint32_t first, Values... values) {
  assert(first >= p::kShRegStart && first + sizeof...(values) <= p::kShRegEnd);
  w.put(p::header(p::SET_SH_REG, 1 + sizeof...(values)), first - p::kShRegStart, values...);
}

void set_user_data(DwordWriter& w, std::uint32_t first, std::uint32_t count, std::uint64_t kernargs) {
  if (count == 0) return;
  assert(first >= p::kShRegStart && first + count <= p::kShRegEnd);
  w.put(p::header(p::SET_SH_REG, 1 + count), first - p::kShRegStart);
  for (std::uint32_t i = 0; i < count; ++i) w.put(i == 0 ? lo32(kernargs) : i == 1 ? hi32(kernargs) : 0);
}

}  // namespace

DispatchRegisters dispatch_registers(const regs::RegisterMap& map) {
  return {.pgm_lo = map.address<regs::COMPUTE_PGM_LO>(),
          .pgm_rsrc1 = map.address<regs::COMPUTE_PGM_RSRC1>(),
          .pgm_rsrc3 = map.address<regs::COMPUTE_PGM_RSRC3>(),
          .tmpring_size = map.address<regs::COMPUTE_TMPRING_SIZE>(),
          .scratch_base_lo = map.address<regs::COMPUTE_DISPATCH_SCRATCH_BASE_LO>(),
          .restart_x = map.address<regs::COMPUTE_RESTART_X>(),
          .user_data_0 = map.address<regs::COMPUTE_USER_DATA_0>(),
          .resource_limits = map.address<regs::COMPUTE_RESOURCE_LIMITS>(),
          .start_x = map.address<regs::COMPUTE_START_X>()};
}

void wait_memory(DwordWriter& w, std::uint64_t address, Compare compare, std::uint32_t reference, std::uint32_t mask) {
  assert(address % 4 == 0);
  namespace f = p::wait_reg_mem;
  w.put(p::header(p::WAIT_REG_MEM, f::kBody),
        f::FUNCTION(static_cast<std::uint32_t>(compare)) | f::MEM_SPACE(f::kMemory) | f::OPERATION(f::kWait),
        lo32(address), hi32(address), reference, mask, kPollInterval);
}

void flush_hdp(DwordWriter& w, std::uint32_t request, std::uint32_t done, std::uint32_t mask) {
  namespace f = p::wait_reg_mem;
  w.put(p::header(p::WAIT_REG_MEM, f::kBody),
        f::FUNCTION(f::kEqual) | f::MEM_SPACE(f::kRegister) | f::OPERATION(f::kWriteWaitWrite), request, done, mask,
        mask, kPollInterval);
}

void acquire(DwordWriter& w, Acquire what) {
  w.put(p::header(p::ACQUIRE_MEM, p::acquire_mem::kBody), 0u, ~0u, p::acquire_mem::SIZE_HI.mask, 0u, 0u, 0u,
        what == Acquire::all ? kAcquireAll : kAcquireData);
}

void release(DwordWriter& w, std::uint64_t address, Data what, std::uint64_t value, bool interrupt) {
  assert(address % (what == Data::value32 ? 4 : 8) == 0);
  namespace f = p::release_mem;
  w.put(p::header(p::RELEASE_MEM, f::kBody),
        f::EVENT_TYPE(f::kCacheFlushAndInvTs) | f::EVENT_INDEX(f::kEndOfPipe) | kReleaseCaches,
        f::DST_SEL(f::kDstMemory) | f::INT_SEL(interrupt ? f::kIntAfterConfirm : f::kIntNone) |
            f::DATA_SEL(static_cast<std::uint32_t>(what)),
        lo32(address), hi32(address), lo32(value), hi32(value), 0u);
}

void flush_shaders(DwordWriter& w) {
  namespace f = p::event_write;
  w.put(p::header(p::EVENT_WRITE, f::kBody),
        f::EVENT_TYPE(f::kCsPartialFlush) | f::EVENT_INDEX(f::kCsPartialFlushIndex));
}

void write_memory(DwordWriter& w, std::uint64_t address, std::uint32_t value) {
  assert(address % 4 == 0);
  namespace f = p::write_data;
  w.put(p::header(p::WRITE_DATA, f::kBodyMin), f::DST_SEL(f::kDstTcL2) | f::WR_CONFIRM(1), lo32(address), hi32(address),
        value);
}

void copy_word(DwordWriter& w, std::uint64_t dst, std::uint64_t src, unsigned bytes) {
  assert((bytes == 4 || bytes == 8) && dst % bytes == 0 && src % bytes == 0);
  namespace f = p::copy_data;
  w.put(p::header(p::COPY_DATA, f::kBody),
        f::SRC_SEL(f::kSrcTcL2) | f::DST_SEL(f::kDstTcL2) | f::COUNT_SEL(bytes == 8 ? 1 : 0) | f::WR_CONFIRM(1),
        lo32(src), hi32(src), lo32(dst), hi32(dst));
}

void nop(DwordWriter& w, std::uint32_t dwords) {
  if (dwords == 0) return;
  if (dwords == 1) {
    w.put(p::kType(3) | p::kCount(p::kNopSingle) | p::kOpcode(p::NOP));
    return;
  }
  w.put(p::header(p::NOP, dwords - 1));
  for (std::uint32_t i = 1; i < dwords; ++i) w.put(0);
}

void dispatch(DwordWriter& w, const DispatchRegisters& regs, const DispatchState& state, const Scratch& scratch,
              std::uint64_t kernargs, Dim3 groups, Dim3 block) {
  namespace f = p::dispatch_direct;
  const std::uint64_t entry = state.entry >> 8, scratch_base = scratch.base >> 8;
  acquire(w, Acquire::data);
  set_sh(w, regs.pgm_lo, lo32(entry), hi32(entry));
  set_sh(w, regs.pgm_rsrc1, state.rsrc1, state.rsrc2);
  set_sh(w, regs.pgm_rsrc3, state.rsrc3);
  set_sh(w, regs.tmpring_size, scratch.tmpring);
  set_sh(w, regs.scratch_base_lo, lo32(scratch_base), hi32(scratch_base));
  set_sh(w, regs.restart_x, 0u, 0u, 0u);
  set_user_data(w, regs.user_data_0, state.user_sgprs, kernargs);
  set_sh(w, regs.resource_limits, 0u);
  set_sh(w, regs.start_x, 0u, 0u, 0u, block.x, block.y, block.z, 0u, 0u);
  w.put(p::header(p::DISPATCH_DIRECT, f::kBody), groups.x, groups.y, groups.z,
        f::COMPUTE_SHADER_EN(1) | f::FORCE_START_AT_000(1) | f::CS_W32_EN(state.wave32 ? 1 : 0));
  flush_shaders(w);
}

}  // namespace hcq::am::pm4
