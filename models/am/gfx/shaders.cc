// SPDX-License-Identifier: MIT
#include "models/am/gfx/shaders.h"

#include <fmt/format.h>

#include <thread>

#include "drivers/am/abi/kernel_descriptor.h"
#include "drivers/am/abi/pm4.h"

namespace hcq::models::am {

namespace abi = hcq::am::abi;

namespace {

constexpr std::uint32_t kLdsBytes = 64 * 1024, kMostThreads = 1024;
constexpr unsigned kShaderEngines = 6;  // Navi31; COMPUTE_TMPRING_SIZE.WAVES counts per shader engine

// The engine's view of memory: the pages of one address space.
class Port final : public isa::MemoryPort {
 public:
  Port(Memory& memory, unsigned vmid) : memory_(memory), vmid_(vmid) {}
  isa::Translation translate(std::uint64_t va, isa::Access access) override {
    return memory_.shader_page(vmid_, va, access);
  }
  std::uint64_t generation() const override { return memory_.generation(); }

 private:
  Memory& memory_;
  unsigned vmid_;
};

// One look at the registers of a dispatch; collects whether all is well.
class Check {
 public:
  Check(Chip& chip, const ShRegisters& sh, const std::function<std::string()>& where)
      : chip_(chip), sh_(sh), where_(where) {}

  template <class R>
  std::uint32_t value(unsigned index = 0) const {
    return sh_.value[chip_.registers.address<R>(index) - ShRegisters::kFirst];
  }
  template <class R>
  std::uint32_t needed(unsigned index = 0) {
    const std::uint32_t dword = chip_.registers.address<R>(index);
    if (!sh_.written[dword - ShRegisters::kFirst])
      fail("cp.dispatch_register_unset", regs::RegisterMap::describe(*chip_.registers.map().find(dword)), 0,
           "a dispatch needs this register and it was not written since the queue was connected");
    return value<R>(index);
  }
  void fail(std::string rule, const std::string& what, std::uint64_t v, std::string text) {
    chip_.report("cp", std::move(rule), where_() + ", " + what, v, std::move(text),
                 "AMDGPU backend guide and COMPUTE_* registers (gc_11_0_0_sh_mask.h)");
    ok = false;
  }
  bool ok = true;

 private:
  Chip& chip_;
  const ShRegisters& sh_;
  const std::function<std::string()>& where_;
};

void check_zero(Check& c) {
  if (c.needed<regs::COMPUTE_START_X>() | c.needed<regs::COMPUTE_START_Y>() | c.needed<regs::COMPUTE_START_Z>() |
      c.needed<regs::COMPUTE_RESTART_X>() | c.needed<regs::COMPUTE_RESTART_Y>() | c.needed<regs::COMPUTE_RESTART_Z>())
    c.fail("cp.dispatch_restart", "COMPUTE_START/RESTART", 1, "a fresh dispatch must start at workgroup 0");
}

void check_size(Check& c, isa::Dispatch& d) {
  d.block[0] = c.needed<regs::COMPUTE_NUM_THREAD_X>() & 0xffff;
  d.block[1] = c.needed<regs::COMPUTE_NUM_THREAD_Y>() & 0xffff;
  d.block[2] = c.needed<regs::COMPUTE_NUM_THREAD_Z>() & 0xffff;
  const std::uint64_t threads = std::uint64_t{d.block[0]} * d.block[1] * d.block[2];
  if (threads == 0 || threads > kMostThreads)
    c.fail("cp.dispatch_threads", "COMPUTE_NUM_THREAD", threads, "a workgroup has 1 to 1024 threads");
  const std::uint32_t lds = abi::rsrc2::LDS_SIZE.in(d.rsrc2) * abi::rsrc2::kLdsGranule;
  if (lds > kLdsBytes) c.fail("cp.dispatch_lds", "COMPUTE_PGM_RSRC2", lds, "more LDS than a workgroup can have");
  // Registers are allocated by 8 in wave32 and by 4 in wave64; 256 is the most.
  const std::uint32_t vgprs = (abi::rsrc1::VGPRS.in(d.rsrc1) + 1) * (d.wave32 ? 8 : 4);
  if (vgprs > 256) c.fail("cp.dispatch_vgprs", "COMPUTE_PGM_RSRC1", vgprs, "more VGPRS than a wave can have");
}

void check_scratch(Check& c, isa::Dispatch& d) {
  if (!abi::rsrc2::SCRATCH_EN.in(d.rsrc2)) return;
  const std::uint32_t ring = c.needed<regs::COMPUTE_TMPRING_SIZE>();
  d.scratch_base = (c.needed<regs::COMPUTE_DISPATCH_SCRATCH_BASE_LO>() |
                    static_cast<std::uint64_t>(c.needed<regs::COMPUTE_DISPATCH_SCRATCH_BASE_HI>()) << 32)
                   << 8;
  d.scratch_wave_bytes = abi::tmpring::WAVESIZE.in(ring)*abi::tmpring::kWaveSizeUnit;
  d.scratch_waves = abi::tmpring::WAVES.in(ring)*kShaderEngines;
  if (!d.scratch_wave_bytes || !d.scratch_waves || !d.scratch_base)
    c.fail("cp.dispatch_scratch", "COMPUTE_TMPRING_SIZE", ring, "the kernel uses scratch and none was set up");
}

}  // namespace

bool Shaders::prepare(const ShRegisters& sh, const std::uint32_t groups[3], std::uint32_t initiator,
                      std::uint32_t sh_mem_bases, const std::function<std::string()>& where, isa::Dispatch& d) {
  Check c(chip_, sh, where);
  using Bases = regs::SH_MEM_BASES;
  if (!abi::pm4::dispatch_direct::COMPUTE_SHADER_EN.in(initiator))
    c.fail("cp.dispatch_initiator", "DISPATCH_INITIATOR", initiator, "COMPUTE_SHADER_EN is not set: nothing runs");
  std::copy(groups, groups + 3, d.groups);
  d.wave32 = abi::pm4::dispatch_direct::CS_W32_EN.in(initiator);
  d.entry =
      (c.needed<regs::COMPUTE_PGM_LO>() | static_cast<std::uint64_t>(c.needed<regs::COMPUTE_PGM_HI>() & 0xff) << 32)
      << 8;
  d.rsrc1 = c.needed<regs::COMPUTE_PGM_RSRC1>();
  d.rsrc2 = c.needed<regs::COMPUTE_PGM_RSRC2>();
  d.rsrc3 = c.needed<regs::COMPUTE_PGM_RSRC3>();
  (void)c.needed<regs::COMPUTE_RESOURCE_LIMITS>();
  const std::uint32_t user = abi::rsrc2::USER_SGPR.in(d.rsrc2);
  if (user > 16) c.fail("cp.dispatch_user_sgpr", "COMPUTE_PGM_RSRC2", user, "there are 16 user data registers");
  for (std::uint32_t i = 0; i < std::min(user, 16u); ++i) d.user_data[i] = c.needed<regs::COMPUTE_USER_DATA_0>(i);
  check_zero(c);
  check_size(c, d);
  check_scratch(c, d);
  const auto bases = chip_.registers.map().decode<Bases>(sh_mem_bases);
  d.shared_aperture = static_cast<std::uint64_t>(bases[Bases::SHARED_BASE]) << 48;
  d.private_aperture = static_cast<std::uint64_t>(bases[Bases::PRIVATE_BASE]) << 48;
  if (sh_mem_bases == 0)
    c.fail("cp.sh_mem_bases", "SH_MEM_BASES", 0, "the apertures of LDS and scratch were not set for this VMID");
  return c.ok;
}

Status Shaders::engine() {
  if (!engine_) engine_ = HCQ_TRY(make_());
  return {};
}

isa::Report Shaders::run(const isa::Dispatch& dispatch, unsigned vmid, const std::atomic<bool>& stop) {
  const std::lock_guard lock(mutex_);
  const BusyTime::Work work(chip_.shader_time);
  isa::Report report;
  if (chip_.fault("wave/hang")) {
    while (!stop.load(std::memory_order_acquire)) std::this_thread::sleep_for(std::chrono::microseconds(50));
    report.outcome = isa::Outcome::stopped;
    return report;
  }
  if (const Status s = engine(); !s.ok()) {
    report.outcome = isa::Outcome::illegal;
    report.text = describe(s.error());
    return report;
  }
  if (invalidate_.exchange(false, std::memory_order_acq_rel)) engine_->invalidate_instruction_cache();
  Port port(memory_, vmid);
  memory_.l2().enter();
  memory_.l1().enter();
  report = engine_->run(dispatch, port, stop);
  memory_.l1().leave();
  memory_.l2().leave();
  return report;
}

// Takes effect before the next dispatch: the one that runs on another queue keeps what it has fetched.
void Shaders::invalidate_instruction_cache() { invalidate_.store(true, std::memory_order_release); }

}  // namespace hcq::models::am
