// SPDX-License-Identifier: MIT
#include "drivers/am/gfx.h"

#include <thread>

#include "base/deadline.h"
#include "base/log.h"
#include "drivers/am/gpu.h"
#include "drivers/am/hqd.h"

namespace hcq::am {

using namespace regs;
using namespace std::chrono_literals;

Result<GrbmSelect> GrbmSelect::make(Gpu& gpu, Target t) {
  HCQ_TRY(gpu.io().write<GRBM_GFX_CNTL>({GRBM_GFX_CNTL::PIPEID(t.pipe), GRBM_GFX_CNTL::MEID(t.me),
                                         GRBM_GFX_CNTL::VMID(t.vmid), GRBM_GFX_CNTL::QUEUEID(t.queue)}));
  return GrbmSelect(gpu);
}

GrbmSelect::~GrbmSelect() {
  // A failure means that the device is lost, which the next access reports.
  if (gpu_) (void)gpu_->io().write_raw<GRBM_GFX_CNTL>(0);
}

namespace gfx {
namespace {

// Limits on waits. Loading by the RLC takes tens of milliseconds; the Linux driver waits as long for everything.
constexpr auto kRlcTimeout = 10s;
// The Linux driver gives the microcontroller 50 us after taking it out of reset.
constexpr auto kMecStartDelay = 1ms;
// How long a soft reset is held. No document says how long is needed; drivers in use hold it this long.
constexpr auto kSoftResetHold = 50ms;

// golden_settings_gc_11_0 of gfx_v11_0.c; the headers name no field there.
constexpr std::uint32_t kTcpCntlGolden = 0x20000000;

// Aperture bases in units of 2^48: flat addresses of LDS and of scratch. Anything outside the mapped window works.
constexpr std::uint32_t kSharedBase = 1, kPrivateBase = 2;
constexpr std::uint32_t kAddressMode64 = 0, kAlignmentUnaligned = 3, kInstPrefetch = 3;
constexpr std::uint32_t kVmids = 16;
constexpr std::uint32_t kReadTimeout = 0xff;

Status only_gfx11(Gpu& gpu, const char* what) {
  if (gpu.chip().generation == Generation::gfx11) return {};
  return gpu.link().error(Errc::unimplemented, gpu.chip().arch, std::string(what) + " is written for gfx11 so far");
}

Status hold_mec(Gpu& gpu, bool hold) {
  using R = CP_MEC_RS64_CNTL;
  const std::uint32_t reset = hold ? 1 : 0, active = hold ? 0 : 1;
  return gpu.io().update<R>({R::MEC_INVALIDATE_ICACHE(reset), R::MEC_PIPE0_RESET(reset), R::MEC_PIPE1_RESET(reset),
                             R::MEC_PIPE2_RESET(reset), R::MEC_PIPE3_RESET(reset), R::MEC_PIPE0_ACTIVE(active),
                             R::MEC_PIPE1_ACTIVE(active), R::MEC_PIPE2_ACTIVE(active), R::MEC_PIPE3_ACTIVE(active),
                             R::MEC_HALT(reset)});
}

}  // namespace

Status wait_for_rlc(Gpu& gpu) {
  HCQ_TRY(gpu.io().poll_masked<CP_STAT>(~0u, 0, kRlcTimeout, "gfx/wait_rlc"));
  HCQ_TRY(gpu.io().poll(RLC_RLCS_BOOTLOAD_STATUS::BOOTLOAD_COMPLETE, 1, kRlcTimeout, "gfx/wait_rlc"));
  return {};
}

Status reset_queues(Gpu& gpu) {
  HCQ_TRY(only_gfx11(gpu, "the reset of compute queues"));
  for (std::uint32_t queue = 0; queue < 2; ++queue) HCQ_TRY(dequeue_hqd(gpu, queue));
  return reset_command_processor(gpu);
}

Status reset_command_processor(Gpu& gpu) {
  using R = GRBM_SOFT_RESET;
  HCQ_TRY(gpu.io().update<R>({R::SOFT_RESET_CP(1), R::SOFT_RESET_CPC(1)}));
  std::this_thread::sleep_for(kSoftResetHold);
  return gpu.io().update<R>({R::SOFT_RESET_CP(0), R::SOFT_RESET_CPC(0)});
}

Status configure_mec(Gpu& gpu) {
  HCQ_TRY(only_gfx11(gpu, "the start of the MEC"));
  HCQ_TRY(hold_mec(gpu, true));
  const std::uint64_t start = gpu.firmware().mec_start >> 2;  // the program counter counts dwords
  for (std::uint32_t pipe = 0; pipe < kMecPipes; ++pipe) {
    const auto select = HCQ_TRY(GrbmSelect::make(gpu, {.me = kMecEngine, .pipe = pipe}));
    HCQ_TRY(gpu.io().write_raw<CP_MEC_RS64_PRGRM_CNTR_START>(lo32(start)));
    HCQ_TRY(gpu.io().write_raw<CP_MEC_RS64_PRGRM_CNTR_START_HI>(hi32(start)));
  }
  return {};
}

Status configure_shaders(Gpu& gpu) {
  RegisterIo& io = gpu.io();
  const auto tcp = HCQ_TRY(io.read<TCP_CNTL>());
  HCQ_TRY(io.write_raw<TCP_CNTL>(tcp.raw | kTcpCntlGolden));
  HCQ_TRY(io.write<RLC_CNTL>({RLC_CNTL::RLC_ENABLE_F32(1)}));
  HCQ_TRY(io.update<RLC_SRM_CNTL>({RLC_SRM_CNTL::SRM_ENABLE(1), RLC_SRM_CNTL::AUTO_INCR_ADDR(1)}));
  HCQ_TRY(io.update<GRBM_CNTL>({GRBM_CNTL::READ_TIMEOUT(kReadTimeout)}));
  for (std::uint32_t vmid = 0; vmid < kVmids; ++vmid) {
    const auto select = HCQ_TRY(GrbmSelect::make(gpu, {.vmid = vmid}));
    HCQ_TRY(io.write<SH_MEM_CONFIG>({SH_MEM_CONFIG::ADDRESS_MODE(kAddressMode64),
                                     SH_MEM_CONFIG::ALIGNMENT_MODE(kAlignmentUnaligned),
                                     SH_MEM_CONFIG::INITIAL_INST_PREFETCH(kInstPrefetch)}));
    HCQ_TRY(io.write<SH_MEM_BASES>({SH_MEM_BASES::PRIVATE_BASE(kPrivateBase), SH_MEM_BASES::SHARED_BASE(kSharedBase)}));
  }
  return {};
}

// nbio_v4_3.c, gc_doorbell_init: which bus addresses the doorbells of the command processor go to.
Status route_doorbells(Gpu& gpu) {
  RegisterIo& io = gpu.io();
  using P0 = S2A_DOORBELL_ENTRY_0_CTRL;
  using P3 = S2A_DOORBELL_ENTRY_3_CTRL;
  HCQ_TRY(io.write<P0>({P0::S2A_DOORBELL_PORT0_ENABLE(1), P0::S2A_DOORBELL_PORT0_AWID(3),
                        P0::S2A_DOORBELL_PORT0_AWADDR_31_28_VALUE(3)}));
  HCQ_TRY(io.write<P3>({P3::S2A_DOORBELL_PORT3_ENABLE(1), P3::S2A_DOORBELL_PORT3_AWID(6),
                        P3::S2A_DOORBELL_PORT3_AWADDR_31_28_VALUE(3)}));
  // Bounds are byte offsets in BAR 2.
  HCQ_TRY(io.write_raw<CP_MEC_DOORBELL_RANGE_LOWER>(kDoorbellMecFirst * 8));
  return io.write_raw<CP_MEC_DOORBELL_RANGE_UPPER>(kDoorbellMecLast * 8);
}

// amdgpu_amdkfd_gfx_v11.c, init_interrupts_v11: which events of the pipe the interrupt handler gets to see.
Status enable_interrupts(Gpu& gpu) {
  using R = CPC_INT_CNTL;
  const auto select = HCQ_TRY(GrbmSelect::make(gpu, {.me = kMecEngine}));
  return gpu.io().update<R>({R::TIME_STAMP_INT_ENABLE(1), R::OPCODE_ERROR_INT_ENABLE(1), R::PRIV_REG_INT_ENABLE(1),
                             R::GPF_INT_ENABLE(1), R::RESERVED_BIT_ERROR_INT_ENABLE(1)});
}

Status start_mec(Gpu& gpu) {
  HCQ_TRY(hold_mec(gpu, false));
  std::this_thread::sleep_for(kMecStartDelay);
  return enable_interrupts(gpu);
}

void stop_mec(Gpu& gpu) {
  if (gpu.link().lost()) return;
  for (std::uint32_t queue = 0; queue < 2; ++queue)
    if (auto s = dequeue_hqd(gpu, queue); !s) log::warn("{}", describe(s.error()));
  if (auto s = hold_mec(gpu, true); !s) log::warn("{}", describe(s.error()));
}

}  // namespace gfx
}  // namespace hcq::am
