// SPDX-License-Identifier: MIT
#include "drivers/am/hqd.h"

#include "drivers/am/gfx.h"
#include "drivers/am/gpu.h"

namespace hcq::am {

using namespace regs;
using namespace std::chrono_literals;
namespace m = abi::mqd;

namespace {

// CP_HQD_DEQUEUE_REQUEST: 1 drains the pipe, 2 resets the queue's waves.
constexpr std::uint32_t kDequeueReset = 2;
constexpr auto kDequeueTimeout = 2s;

}  // namespace

Status activate_hqd(Gpu& gpu, const Mqd& mqd, std::uint64_t paddr, std::uint32_t queue) {
  HCQ_TRY(gpu.vram().write(paddr, std::as_bytes(std::span(mqd))));
  HCQ_TRY(gpu.flush_hdp());
  RegisterIo& io = gpu.io();
  const auto select = HCQ_TRY(GrbmSelect::make(gpu, {.me = kMecEngine, .queue = queue}));
  const auto active = HCQ_TRY(io.read<CP_HQD_ACTIVE>());
  if (active[CP_HQD_ACTIVE::ACTIVE])
    return gpu.link().error(Errc::internal, "CP_HQD_ACTIVE", "the queue slot is in use already");
  const std::uint32_t first = io.map().address<CP_MQD_BASE_ADDR>();
  for (std::uint32_t i = m::kFirstRegister; i <= m::kLastRegister; ++i) {
    const std::uint32_t dword = first + (i - m::kFirstRegister);
    if (i == m::cp_hqd_active || !io.map().find(dword)) continue;  // one dword of the range has no register
    HCQ_TRY(io.write_byte_offset(dword * 4, mqd[i], "CP_HQD"));
  }
  return io.write<CP_HQD_ACTIVE>({CP_HQD_ACTIVE::ACTIVE(1)});
}

Status dequeue_hqd(Gpu& gpu, std::uint32_t queue) {
  RegisterIo& io = gpu.io();
  const auto select = HCQ_TRY(GrbmSelect::make(gpu, {.me = kMecEngine, .queue = queue}));
  const auto active = HCQ_TRY(io.read<CP_HQD_ACTIVE>());
  if (!active[CP_HQD_ACTIVE::ACTIVE]) return {};
  HCQ_TRY(io.write<CP_HQD_DEQUEUE_REQUEST>({CP_HQD_DEQUEUE_REQUEST::DEQUEUE_REQ(kDequeueReset)}));
  HCQ_TRY(io.write<SPI_COMPUTE_QUEUE_RESET>({SPI_COMPUTE_QUEUE_RESET::RESET(1)}));
  HCQ_TRY(io.poll(CP_HQD_ACTIVE::ACTIVE, 0, kDequeueTimeout, "gfx/dequeue"));
  return io.write_raw<CP_HQD_DEQUEUE_REQUEST>(0);
}

}  // namespace hcq::am
