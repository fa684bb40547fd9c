// SPDX-License-Identifier: MIT
#include "drivers/am/queue/copy_queue.h"

#include <algorithm>

#include "drivers/am/gfx.h"
#include "drivers/am/queue/signal.h"
#include "drivers/am/sdma.h"

namespace hcq::am {

using namespace regs;

CopyQueue::CopyQueue(std::shared_ptr<Core> core, HostRing ring)
    : RingQueue(std::move(core), QueueKind::copy, std::move(ring)) {
  const RegisterMap& map = core_->gpu().io().map();
  hdp_request_ = map.address<BIF_BX_PF0_GPU_HDP_FLUSH_REQ>();
  hdp_done_ = map.address<BIF_BX_PF0_GPU_HDP_FLUSH_DONE>();
  hdp_mask_ = map.encode<BIF_BX_PF0_GPU_HDP_FLUSH_DONE>(0, {BIF_BX_PF0_GPU_HDP_FLUSH_DONE::SDMA0(1)});
}

Result<std::unique_ptr<CopyQueue>> CopyQueue::make(std::shared_ptr<Core> core) {
  Gpu& gpu = core->gpu();
  HostRing ring = HCQ_TRY(HostRing::make(core->memory(), core->options().ring_bytes, /*unit=*/4,
                                         gpu.doorbells().sub(kDoorbellSdma0 * 8ull, 8)));
  const sdma::RingConfig config{.ring = ring.address(),
                                .ring_dwords = ring.dwords(),
                                .rptr = ring.rptr_address(),
                                .wptr = ring.wptr_address(),
                                .doorbell = kDoorbellSdma0};
  std::unique_ptr<CopyQueue> queue(new CopyQueue(core, std::move(ring)));
  HCQ_TRY(sdma::start_ring(gpu, config));
  return queue;
}

std::uint32_t CopyQueue::prologue(DwordWriter& w) {
  sdma::poll_memory(w, core_->cell_address(), sdma::Compare::greater_equal, 0, ~0u);
  return 3;  // the packet's reference word
}

void CopyQueue::epilogue(DwordWriter& w, std::uint32_t raw) {
  sdma::fence(w, core_->cell_address(), raw);
  sdma::trap(w);
}

// A zero is a NOP of one dword.
void CopyQueue::fill(DwordWriter& w, std::uint32_t dwords) {
  for (std::uint32_t i = 0; i < dwords; ++i) w.put(0);
}

Status CopyQueue::wait(Signal& signal, std::uint64_t value) {
  const auto address = signal_address(signal, value, "wait");
  if (!address) return spoil(address.error());
  DwordWriter w;
  HCQ_TRY(reserve(sdma::kPollDwords, &w));
  sdma::poll_memory(w, *address, sdma::Compare::greater_equal, lo32(value), ~0u);
  commit(w);
  return {};
}

Status CopyQueue::barrier() {
  DwordWriter w;
  HCQ_TRY(reserve(sdma::kPollDwords, &w));
  sdma::flush_hdp(w, hdp_request_, hdp_done_, hdp_mask_);
  commit(w);
  return {};
}

Status CopyQueue::exec(const Program& program, Bytes, Dim3, Dim3) {
  return spoil(core_->error(Errc::unsupported, "exec", program.name(), "the copy queue runs no kernels"));
}

Status CopyQueue::copy(std::uint64_t dst, std::uint64_t src, std::uint64_t bytes) {
  while (bytes != 0) {
    const std::uint64_t n = std::min(bytes, sdma::kMaxCopyBytes);
    DwordWriter w;
    HCQ_TRY(reserve(sdma::kCopyDwords, &w));
    sdma::copy(w, dst, src, n);
    commit(w);
    dst += n;
    src += n;
    bytes -= n;
  }
  return {};
}

Status CopyQueue::write(std::uint64_t address, std::uint32_t value) {
  if (address % 4 != 0) return spoil(bad("write", "address", "not a multiple of 4"));
  DwordWriter w;
  HCQ_TRY(reserve(sdma::kWriteDwords, &w));
  sdma::write(w, address, value);
  commit(w);
  return {};
}

Status CopyQueue::poll(std::uint64_t address, std::uint32_t value, std::uint32_t mask) {
  if (address % 4 != 0) return spoil(bad("poll", "address", "not a multiple of 4"));
  DwordWriter w;
  HCQ_TRY(reserve(sdma::kPollDwords, &w));
  sdma::poll_memory(w, address, sdma::Compare::equal, value, mask);
  commit(w);
  return {};
}

Status CopyQueue::timestamp(Signal& signal) {
  const auto address = signal_address(signal, 0, "timestamp");
  if (!address) return spoil(address.error());
  DwordWriter w;
  HCQ_TRY(reserve(sdma::kTimestampDwords, &w));
  sdma::timestamp(w, *address + AmSignal::kTimestamp);
  commit(w);
  return {};
}

Status CopyQueue::signal(Signal& signal, std::uint64_t value) {
  const auto address = signal_address(signal, value, "signal");
  if (!address) return spoil(address.error());
  DwordWriter w;
  HCQ_TRY(reserve(sdma::kFenceDwords + sdma::kTrapDwords, &w));
  sdma::fence(w, *address, lo32(value));
  sdma::trap(w);
  commit(w);
  return {};
}

}  // namespace hcq::am
