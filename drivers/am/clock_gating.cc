// SPDX-License-Identifier: MIT
#include "drivers/am/clock_gating.h"

#include "drivers/am/gpu.h"

namespace hcq::am {

using namespace regs;
using namespace std::chrono_literals;

namespace {

// The Linux driver gives the RLC 100 ms.
constexpr auto kSafeModeTimeout = 500ms;
constexpr std::uint32_t kEnter = 1, kLeave = 0;

constexpr std::uint32_t kIdleThreshold = 0x36, kRepeaterDelay = 0xf;
constexpr std::uint32_t kPollFrequency = 0x100, kIdlePollCount = 0x90;

// Between enter() and leave() the RLC starts no power or clock transition of its own.
Status request_safe_mode(Gpu& gpu, std::uint32_t message) {
  using R = RLC_SAFE_MODE;
  HCQ_TRY(gpu.io().poll(R::CMD, 0, kSafeModeTimeout, "gfx/safe_mode"));
  return gpu.io().write<R>({R::CMD(1), R::MESSAGE(message)});
}

Status enter_safe_mode(Gpu& gpu) {
  HCQ_TRY(request_safe_mode(gpu, kEnter));
  HCQ_TRY(gpu.io().poll(RLC_SAFE_MODE::CMD, 0, kSafeModeTimeout, "gfx/safe_mode"));
  return {};
}

// Coarse grain: the whole graphics block; CGLS: light sleep of its memories.
Status enable_coarse(RegisterIo& io) {
  using O = RLC_CGTT_MGCG_OVERRIDE;
  using C = RLC_CGCG_CGLS_CTRL;
  HCQ_TRY(io.update<O>({O::GFXIP_CGCG_OVERRIDE(0), O::GFXIP_CGLS_OVERRIDE(0)}));
  HCQ_TRY(io.update<C>({C::CGCG_GFX_IDLE_THRESHOLD(kIdleThreshold), C::CGCG_EN(1),
                        C::CGLS_REP_COMPANSAT_DELAY(kRepeaterDelay), C::CGLS_EN(1)}));
  using P = CP_RB_WPTR_POLL_CNTL;
  HCQ_TRY(io.update<P>({P::POLL_FREQUENCY(kPollFrequency), P::IDLE_POLL_COUNT(kIdlePollCount)}));
  using I = CP_INT_CNTL;  // how the RLC learns that the command processor is idle
  HCQ_TRY(io.update<I>(
      {I::CNTX_BUSY_INT_ENABLE(1), I::CNTX_EMPTY_INT_ENABLE(1), I::CMP_BUSY_INT_ENABLE(1), I::GFX_IDLE_INT_ENABLE(1)}));
  HCQ_TRY(io.update<SDMA0_RLC_CGCG_CTRL>({SDMA0_RLC_CGCG_CTRL::CGCG_INT_ENABLE(1)}));
  return io.update<SDMA1_RLC_CGCG_CTRL>({SDMA1_RLC_CGCG_CTRL::CGCG_INT_ENABLE(1)});
}

// Medium and fine grain: parts of it, and the clocks of the performance counters.
Status enable_fine(RegisterIo& io) {
  using O = RLC_CGTT_MGCG_OVERRIDE;
  return io.update<O>({O::GRBM_CGTT_SCLK_OVERRIDE(0), O::RLC_CGTT_SCLK_OVERRIDE(0), O::GFXIP_MGCG_OVERRIDE(0),
                       O::GFXIP_REPEATER_FGCG_OVERRIDE(0), O::GFXIP_FGCG_OVERRIDE(0), O::PERFMON_CLOCK_STATE(0)});
}

// HDP's memories shut down when idle. The mode is changed while nothing is enabled and the clock is held on, and of
// light sleep, deep sleep and shut down only one may be chosen (hdp_v6_0.c).
Status enable_hdp_memory_power(RegisterIo& io) {
  using C = HDP_CLK_CNTL;
  using H = HDP_MEM_POWER_CTRL;
  HCQ_TRY(io.update<C>({C::RC_MEM_CLK_SOFT_OVERRIDE(1)}));
  HCQ_TRY(io.update<H>({H::ATOMIC_MEM_POWER_CTRL_EN(0), H::ATOMIC_MEM_POWER_LS_EN(0), H::ATOMIC_MEM_POWER_DS_EN(0),
                        H::ATOMIC_MEM_POWER_SD_EN(0), H::RC_MEM_POWER_CTRL_EN(0), H::RC_MEM_POWER_LS_EN(0),
                        H::RC_MEM_POWER_DS_EN(0), H::RC_MEM_POWER_SD_EN(0)}));
  HCQ_TRY(io.update<H>({H::ATOMIC_MEM_POWER_CTRL_EN(1), H::ATOMIC_MEM_POWER_SD_EN(1), H::RC_MEM_POWER_CTRL_EN(1),
                        H::RC_MEM_POWER_SD_EN(1)}));
  return io.update<C>({C::RC_MEM_CLK_SOFT_OVERRIDE(0)});
}

Status enable_graphics(Gpu& gpu) {
  HCQ_TRY(enter_safe_mode(gpu));
  Status s = enable_coarse(gpu.io());
  if (s.ok()) s = enable_fine(gpu.io());
  Status left = request_safe_mode(gpu, kLeave);
  return s.ok() ? std::move(left) : std::move(s);
}

}  // namespace

Status enable_clock_gating(Gpu& gpu) {
  RegisterIo& io = gpu.io();
  HCQ_TRY(enable_hdp_memory_power(io));
  using M = MM_ATC_L2_MISC_CG;
  if (io.has<M>()) HCQ_TRY(io.update<M>({M::ENABLE(1), M::MEM_LS_ENABLE(1)}));
  return enable_graphics(gpu);
}

}  // namespace hcq::am
