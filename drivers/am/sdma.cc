// SPDX-License-Identifier: MIT
#include "drivers/am/sdma.h"

#include <bit>
#include <thread>

#include "base/log.h"
#include "drivers/am/gfx.h"
#include "drivers/am/gpu.h"

namespace hcq::am::sdma {

using namespace regs;
using namespace std::chrono_literals;

namespace {

constexpr std::uint32_t kHangUnits = 100;                   // of 100 ms
constexpr std::uint32_t kRespMode = 3, kRedoDelay = 9;      // sdma_v6_0_gfx_resume
constexpr std::uint32_t kReadPolicy = 2, kWritePolicy = 3;  // CACHE_*_POLICY_L2__DEFAULT of the Linux driver
constexpr std::uint32_t kWritebackTimer = 4;
constexpr auto kResetHold = 10ms;  // how long drivers in use hold the engine in reset

// Bus route of the SDMA doorbells (nbio_v4_3.c, sdma_doorbell_range), in dwords of BAR 2.
constexpr std::uint32_t kRouteAwid = 0xe, kRouteHigh = 3, kRouteDwords = 4;

Status only_gfx11(Gpu& gpu) {
  if (gpu.chip().generation == Generation::gfx11) return {};
  return gpu.link().error(Errc::unimplemented, gpu.chip().arch, "the copy engine's start is written for gfx11 so far");
}

Status route_doorbell(Gpu& gpu) {
  using R = S2A_DOORBELL_ENTRY_2_CTRL;
  return gpu.io().write<R>({R::S2A_DOORBELL_PORT2_ENABLE(1), R::S2A_DOORBELL_PORT2_AWID(kRouteAwid),
                            R::S2A_DOORBELL_PORT2_RANGE_OFFSET(kDoorbellSdma0 * 2),
                            R::S2A_DOORBELL_PORT2_RANGE_SIZE(kRouteDwords),
                            R::S2A_DOORBELL_PORT2_AWADDR_31_28_VALUE(kRouteHigh)});
}

}  // namespace

Status start_engine(Gpu& gpu) {
  HCQ_TRY(only_gfx11(gpu));
  RegisterIo& io = gpu.io();
  HCQ_TRY(io.update<SDMA0_WATCHDOG_CNTL>({SDMA0_WATCHDOG_CNTL::QUEUE_HANG_COUNT(kHangUnits)}));
  HCQ_TRY(
      io.update<SDMA0_UTCL1_CNTL>({SDMA0_UTCL1_CNTL::RESP_MODE(kRespMode), SDMA0_UTCL1_CNTL::REDO_DELAY(kRedoDelay)}));
  HCQ_TRY(
      io.update<SDMA0_UTCL1_PAGE>({SDMA0_UTCL1_PAGE::RD_L2_POLICY(kReadPolicy),
                                   SDMA0_UTCL1_PAGE::WR_L2_POLICY(kWritePolicy), SDMA0_UTCL1_PAGE::LLC_NOALLOC(1)}));
  HCQ_TRY(io.update<SDMA0_F32_CNTL>({SDMA0_F32_CNTL::HALT(0), SDMA0_F32_CNTL::TH1_RESET(0)}));
  HCQ_TRY(io.update<SDMA0_CNTL>({SDMA0_CNTL::TRAP_ENABLE(1)}));
  return route_doorbell(gpu);
}

Status start_ring(Gpu& gpu, const RingConfig& c) {
  assert(is_pow2(c.ring_dwords) && c.ring % 256 == 0);
  RegisterIo& io = gpu.io();
  HCQ_TRY(io.write<SDMA0_QUEUE0_MINOR_PTR_UPDATE>({SDMA0_QUEUE0_MINOR_PTR_UPDATE::ENABLE(1)}));
  HCQ_TRY(io.write_raw<SDMA0_QUEUE0_RB_RPTR>(0));
  HCQ_TRY(io.write_raw<SDMA0_QUEUE0_RB_RPTR_HI>(0));
  HCQ_TRY(io.write_raw<SDMA0_QUEUE0_RB_WPTR>(0));
  HCQ_TRY(io.write_raw<SDMA0_QUEUE0_RB_WPTR_HI>(0));
  HCQ_TRY(io.write_raw<SDMA0_QUEUE0_RB_BASE>(lo32(c.ring >> 8)));
  HCQ_TRY(io.write_raw<SDMA0_QUEUE0_RB_BASE_HI>(hi32(c.ring >> 8)));
  HCQ_TRY(io.write_raw<SDMA0_QUEUE0_RB_RPTR_ADDR_LO>(lo32(c.rptr)));
  HCQ_TRY(io.write_raw<SDMA0_QUEUE0_RB_RPTR_ADDR_HI>(hi32(c.rptr)));
  HCQ_TRY(io.write_raw<SDMA0_QUEUE0_RB_WPTR_POLL_ADDR_LO>(lo32(c.wptr)));
  HCQ_TRY(io.write_raw<SDMA0_QUEUE0_RB_WPTR_POLL_ADDR_HI>(hi32(c.wptr)));
  HCQ_TRY(io.write<SDMA0_QUEUE0_DOORBELL_OFFSET>({SDMA0_QUEUE0_DOORBELL_OFFSET::OFFSET(c.doorbell * 2)}));
  HCQ_TRY(io.write<SDMA0_QUEUE0_DOORBELL>({SDMA0_QUEUE0_DOORBELL::ENABLE(1)}));
  HCQ_TRY(io.write<SDMA0_QUEUE0_MINOR_PTR_UPDATE>({SDMA0_QUEUE0_MINOR_PTR_UPDATE::ENABLE(0)}));
  using R = SDMA0_QUEUE0_RB_CNTL;
  HCQ_TRY(io.write<R>({R::RB_ENABLE(1), R::RB_SIZE(static_cast<std::uint32_t>(std::countr_zero(c.ring_dwords))),
                       R::RPTR_WRITEBACK_ENABLE(1), R::RPTR_WRITEBACK_TIMER(kWritebackTimer), R::RB_PRIV(1),
                       R::RB_VMID(0), R::F32_WPTR_POLL_ENABLE(1)}));
  return io.update<SDMA0_QUEUE0_IB_CNTL>({SDMA0_QUEUE0_IB_CNTL::IB_ENABLE(1)});
}

Status stop_ring(Gpu& gpu) {
  RegisterIo& io = gpu.io();
  HCQ_TRY(io.update<SDMA0_QUEUE0_RB_CNTL>({SDMA0_QUEUE0_RB_CNTL::RB_ENABLE(0)}));
  HCQ_TRY(io.update<SDMA0_QUEUE0_IB_CNTL>({SDMA0_QUEUE0_IB_CNTL::IB_ENABLE(0)}));
  HCQ_TRY(io.write<SDMA0_QUEUE0_DOORBELL>({SDMA0_QUEUE0_DOORBELL::ENABLE(0)}));
  return io.write<SDMA0_QUEUE0_DOORBELL_OFFSET>({SDMA0_QUEUE0_DOORBELL_OFFSET::OFFSET(0)});
}

void stop_engine(Gpu& gpu) {
  if (gpu.link().lost()) return;
  const auto stop = [&]() -> Status {
    HCQ_TRY(stop_ring(gpu));
    HCQ_TRY(gpu.io().update<GRBM_SOFT_RESET>({GRBM_SOFT_RESET::SOFT_RESET_SDMA0(1)}));
    std::this_thread::sleep_for(kResetHold);
    return gpu.io().update<GRBM_SOFT_RESET>({GRBM_SOFT_RESET::SOFT_RESET_SDMA0(0)});
  };
  if (auto s = stop(); !s) log::warn("{}", describe(s.error()));
}

}  // namespace hcq::am::sdma
