// SPDX-License-Identifier: MIT
#include "drivers/am/queue/compute_queue.h"

#include <fmt/core.h>

#include <cstring>

#include "drivers/am/gfx.h"
#include "drivers/am/hqd.h"
#include "drivers/am/queue/program.h"
#include "drivers/am/queue/signal.h"

namespace hcq::am {

using namespace regs;

namespace {
constexpr std::uint32_t kEopBytes = 4096;
constexpr std::uint64_t kKernargAlign = 64;  // a cache line; the ABI asks for 16
}  // namespace

ComputeQueue::ComputeQueue(std::shared_ptr<Core> core, HostRing ring, std::shared_ptr<GpuMemory> kernargs,
                           std::shared_ptr<GpuMemory> eop)
    : RingQueue(std::move(core), QueueKind::compute, std::move(ring)),
      kernargs_(std::move(kernargs)),
      eop_(std::move(eop)) {
  const RegisterMap& map = core_->gpu().io().map();
  registers_ = pm4::dispatch_registers(map);
  hdp_request_ = map.address<BIF_BX_PF0_GPU_HDP_FLUSH_REQ>();
  hdp_done_ = map.address<BIF_BX_PF0_GPU_HDP_FLUSH_DONE>();
  // MEC 1 reports on the bit that the Linux driver calls CP2, shifted by the pipe (gfx_v11_0_ring_emit_hdp_flush).
  hdp_mask_ = map.encode<BIF_BX_PF0_GPU_HDP_FLUSH_DONE>(0, {BIF_BX_PF0_GPU_HDP_FLUSH_DONE::CP2(1)});
}

Result<std::unique_ptr<ComputeQueue>> ComputeQueue::make(std::shared_ptr<Core> core) {
  Gpu& gpu = core->gpu();
  HostRing ring = HCQ_TRY(HostRing::make(core->memory(), core->options().ring_bytes, /*unit=*/1,
                                         gpu.doorbells().sub(kDoorbellMecRing0 * 8ull, 8)));
  auto kernargs = HCQ_TRY(core->memory().host(core->options().kernarg_bytes));
  auto eop = HCQ_TRY(core->memory().vram(kEopBytes, {.uncached = true}));
  const BootLayout& layout = gpu.layout();
  const HqdConfig config{.mqd_mc = gpu.mc(layout.mqd[kSlot].paddr),
                         .ring = ring.address(),
                         .ring_dwords = ring.dwords(),
                         .rptr = ring.rptr_address(),
                         .wptr = ring.wptr_address(),
                         .eop = eop->address(),
                         .eop_bytes = kEopBytes,
                         .doorbell = kDoorbellMecRing0};
  std::unique_ptr<ComputeQueue> queue(new ComputeQueue(core, std::move(ring), std::move(kernargs), std::move(eop)));
  HCQ_TRY(activate_hqd(gpu, build_mqd(gpu.io().map(), config), layout.mqd[kSlot].paddr, kSlot));
  return queue;
}

std::uint32_t ComputeQueue::prologue(DwordWriter& w) {
  pm4::wait_memory(w, core_->cell_address(), pm4::Compare::greater_equal, 0, ~0u);
  // New code, copies of the copy queue, host writes: nothing cached from before is to be trusted.
  pm4::acquire(w, pm4::Acquire::all);
  return 4;  // the wait's reference word
}

void ComputeQueue::epilogue(DwordWriter& w, std::uint32_t raw) {
  pm4::release(w, core_->cell_address(), pm4::Data::value32, raw, /*interrupt=*/true);
}

Status ComputeQueue::wait(Signal& signal, std::uint64_t value) {
  const auto address = signal_address(signal, value, "wait");
  if (!address) return spoil(address.error());
  DwordWriter w;
  HCQ_TRY(reserve(pm4::kWaitMemoryDwords, &w));
  pm4::wait_memory(w, *address, pm4::Compare::greater_equal, lo32(value), ~0u);
  commit(w);
  return {};
}

Status ComputeQueue::barrier() {
  DwordWriter w;
  HCQ_TRY(reserve(pm4::kHdpFlushDwords + pm4::kAcquireDwords, &w));
  pm4::flush_hdp(w, hdp_request_, hdp_done_, hdp_mask_);
  pm4::acquire(w, pm4::Acquire::all);
  commit(w);
  return {};
}

// A slot of the argument ring, as a position. Slots do not straddle the ring's end.
Result<std::uint64_t> ComputeQueue::reserve_kernargs(std::uint64_t bytes) {
  const std::uint64_t size = kernargs_->size();
  const std::uint64_t need = round_up(bytes, kKernargAlign);
  std::uint64_t at = args_put_;
  if (size - at % size < need) at = round_up(at, size);
  const std::uint64_t end = at + need;
  if (end - args_freed_ > size)
    HCQ_TRY(wait_for_room([&] { return end - args_freed_ <= size; }, "kernel argument ring"));
  return at;
}

Status ComputeQueue::exec(const Program& program, Bytes kernargs, Dim3 groups, Dim3 block) {
  const auto* p = dynamic_cast<const AmProgram*>(&program);
  if (!p || p->core() != core_.get())
    return spoil(bad("exec", program.name(), "the program belongs to another device"));
  if (kernargs.size() != p->kernarg_bytes()) {
    Error e = bad("exec", p->name(), "size of the kernel arguments");
    e.expected = p->kernarg_bytes();
    e.actual = kernargs.size();
    return spoil(std::move(e));
  }
  const std::uint64_t threads = std::uint64_t{block.x} * block.y * block.z;
  if (block.x > kMaxThreads || block.y > kMaxThreads || block.z > kMaxThreads || threads == 0 || threads > kMaxThreads)
    return spoil(
        bad("exec", p->name(),
            fmt::format("block {}x{}x{}: a workgroup has 1 to {} work-items", block.x, block.y, block.z, kMaxThreads)));
  if (groups.x == 0 || groups.y == 0 || groups.z == 0)
    return spoil(bad("exec", p->name(), fmt::format("grid {}x{}x{} is empty", groups.x, groups.y, groups.z)));
  DwordWriter w;
  HCQ_TRY(reserve(p->launch_dwords(), &w));
  const std::uint64_t slot = HCQ_TRY(reserve_kernargs(kernargs.size()));
  const std::uint64_t offset = slot & (kernargs_->size() - 1);
  if (!kernargs.empty()) std::memcpy(kernargs_->host() + offset, kernargs.data(), kernargs.size());
  args_put_ = slot + round_up<std::uint64_t>(kernargs.size(), kKernargAlign);
  pm4::dispatch(w, registers_, p->state(), p->scratch(), kernargs_->address() + offset, groups, block);
  commit(w);
  note_program(p->stable_name());
  return {};
}

Status ComputeQueue::copy(std::uint64_t dst, std::uint64_t src, std::uint64_t bytes) {
  if ((dst | src | bytes) % 4 != 0)
    return spoil(core_->error(Errc::unsupported, "copy", "compute queue",
                              "the compute queue copies whole words; addresses and size must be multiples of 4"));
  if (bytes > kMaxCopyBytes) {
    Error e = core_->error(Errc::unsupported, "copy", "compute queue", "too large for the compute queue");
    e.expected = kMaxCopyBytes;
    e.actual = bytes;
    e.hint = "use the copy queue";
    return spoil(std::move(e));
  }
  const unsigned wide = (dst | src) % 8 == 0 ? 8 : 4;
  for (std::uint64_t done = 0; done < bytes;) {
    const unsigned n = bytes - done >= wide ? wide : 4;
    DwordWriter w;
    HCQ_TRY(reserve(pm4::kCopyWordDwords, &w));
    pm4::copy_word(w, dst + done, src + done, n);
    commit(w);
    done += n;
  }
  return {};
}

Status ComputeQueue::write(std::uint64_t address, std::uint32_t value) {
  if (address % 4 != 0) return spoil(bad("write", "address", "not a multiple of 4"));
  DwordWriter w;
  HCQ_TRY(reserve(pm4::kWriteDwords, &w));
  pm4::write_memory(w, address, value);
  commit(w);
  return {};
}

Status ComputeQueue::poll(std::uint64_t address, std::uint32_t value, std::uint32_t mask) {
  if (address % 4 != 0) return spoil(bad("poll", "address", "not a multiple of 4"));
  DwordWriter w;
  HCQ_TRY(reserve(pm4::kWaitMemoryDwords, &w));
  pm4::wait_memory(w, address, pm4::Compare::equal, value, mask);
  commit(w);
  return {};
}

Status ComputeQueue::timestamp(Signal& signal) {
  const auto address = signal_address(signal, 0, "timestamp");
  if (!address) return spoil(address.error());
  DwordWriter w;
  HCQ_TRY(reserve(pm4::kReleaseDwords, &w));
  pm4::release(w, *address + AmSignal::kTimestamp, pm4::Data::gpu_clock, 0, /*interrupt=*/false);
  commit(w);
  return {};
}

Status ComputeQueue::signal(Signal& signal, std::uint64_t value) {
  const auto address = signal_address(signal, value, "signal");
  if (!address) return spoil(address.error());
  DwordWriter w;
  HCQ_TRY(reserve(pm4::kReleaseDwords, &w));
  pm4::release(w, *address, pm4::Data::value64, value, /*interrupt=*/true);
  commit(w);
  return {};
}

}  // namespace hcq::am
