// SPDX-License-Identifier: MIT
#include "models/am/sdma.h"

#include <fmt/format.h>

#include "base/deadline.h"
#include "base/log.h"
#include "drivers/am/abi/sdma.h"

namespace hcq::models::am {

namespace sdma = hcq::am::abi::sdma;

namespace {

using namespace std::chrono_literals;
using RbCntl = regs::SDMA0_QUEUE0_RB_CNTL;
using F32Cntl = regs::SDMA0_F32_CNTL;

// GFX_FW_TYPE_SDMA_UCODE_TH0/TH1 of psp_gfx_if.h.
constexpr std::uint32_t kFirmwareTh0 = 71, kFirmwareTh1 = 72;
// Interrupt client and sources. Source: soc21_ih_clientid.h, irqsrcs_gfx_11_0_0.h.
constexpr std::uint8_t kIhClientGfx = 10, kDoorbellInvalid = 54, kQueueHang = 55, kPageFault = 60;

}  // namespace

Sdma::Sdma(Chip& chip, Memory& memory, unsigned instance)
    : chip_(chip), memory_(memory), instance_(instance), worker_([this] { step(); }) {
  packet_.reserve(1024);
  describe();
}

Sdma::~Sdma() {
  give_up_ = true;
  worker_.stop();
}

void Sdma::describe() {
  RegisterBank& bank = chip_.registers.bank();
  bank.spec(dword_of<F32Cntl>()).reset = chip_.registers.map().encode<F32Cntl>(0, {F32Cntl::HALT(1)});
  set_raw<F32Cntl>(bank.spec(dword_of<F32Cntl>()).reset);
  bank.on_write(dword_of<RbCntl>(), [this](std::uint32_t value, std::uint32_t before) { ring_control(value, before); });
  bank.on_write(dword_of<F32Cntl>(), [this](std::uint32_t, std::uint32_t) { worker_.kick(); });
  const auto guard = [this](std::uint32_t value, std::uint32_t before) { write_pointer_guard(value, before); };
  bank.on_write(dword_of<regs::SDMA0_QUEUE0_RB_WPTR>(), guard);
  bank.on_write(dword_of<regs::SDMA0_QUEUE0_RB_RPTR>(), guard);
}

void Sdma::violation(std::string rule, std::uint64_t value, std::string text) const {
  chip_.report("sdma", std::move(rule), fmt::format("SDMA{} queue 0, packet at {:#x}", instance_, packet_va_), value,
               std::move(text), "sdma_v6_0.c, sdma_v6_0_0_pkt_open.h (Linux 6.12)");
}

void Sdma::post(std::uint8_t source, std::uint32_t context0) {
  if (!chip_.interrupts) return;
  // RING_ID: the queue in [3:0], the engine in [7:4] (sdma_v6_0_process_trap_irq).
  IhEntry e{.client = kIhClientGfx, .source = source, .ring = static_cast<std::uint8_t>(instance_ << 4)};
  e.context[0] = context0;
  chip_.interrupts->post(e);
}

void Sdma::write_pointer_guard(std::uint32_t value, std::uint32_t before) {
  if (value < before && !(raw<regs::SDMA0_QUEUE0_MINOR_PTR_UPDATE>() & 1))
    violation("sdma.minor_ptr_update", value, "a ring pointer was moved back without MINOR_PTR_UPDATE");
}

void Sdma::ring_control(std::uint32_t value, std::uint32_t before) {
  const regs::RegisterMap& m = chip_.registers.map();
  const bool now = m.decode<RbCntl>(value)[RbCntl::RB_ENABLE], was = m.decode<RbCntl>(before)[RbCntl::RB_ENABLE];
  if (now && !was) enable();
  if (!now && was) disable();
  if (now && was && value != before) violation("sdma.ring_changed", value, "RB_CNTL of a running ring was changed");
}

void Sdma::enable() {
  const auto cntl = get<RbCntl>();
  const std::uint32_t size = cntl[RbCntl::RB_SIZE];
  if (size < 6 || size > 30) violation("sdma.ring_size", size, "RB_SIZE is log2 of the ring's dwords");
  if (cntl[RbCntl::RB_VMID]) violation("sdma.vmid", cntl[RbCntl::RB_VMID], "only VMID 0 has an address space here");
  if (!cntl[RbCntl::RB_PRIV]) violation("sdma.priv", cntl.raw, "a kernel ring needs RB_PRIV");
  if (raw<regs::SDMA0_QUEUE0_MINOR_PTR_UPDATE>() & 1)
    violation("sdma.minor_ptr_left", 1, "the ring was enabled while MINOR_PTR_UPDATE is set");
  const auto wide = [](std::uint32_t lo, std::uint32_t hi) { return lo | static_cast<std::uint64_t>(hi) << 32; };
  const std::lock_guard lock(mutex_);
  const std::uint64_t rptr = wide(raw<regs::SDMA0_QUEUE0_RB_RPTR>(), raw<regs::SDMA0_QUEUE0_RB_RPTR_HI>());
  const std::uint64_t wptr = wide(raw<regs::SDMA0_QUEUE0_RB_WPTR>(), raw<regs::SDMA0_QUEUE0_RB_WPTR_HI>());
  ring_ = {.base = wide(raw<regs::SDMA0_QUEUE0_RB_BASE>(), raw<regs::SDMA0_QUEUE0_RB_BASE_HI>()) << 8,
           .at = rptr / 4,
           .end = wptr / 4,
           .wrap = (1ull << std::min(size, 30u)) - 1};
  stuck_ = in_buffer_ = false;
  give_up_ = false;
  doorbell_ = wptr;
  rung_ = false;
  enabled_.store(true, std::memory_order_release);
}

void Sdma::disable() {
  worker_.pause(0ms, give_up_);
  {
    const std::lock_guard lock(mutex_);
    enabled_.store(false, std::memory_order_release);
  }
  worker_.resume();
}

bool Sdma::listens_to(std::uint32_t dword) const {
  using D = regs::SDMA0_QUEUE0_DOORBELL;
  using O = regs::SDMA0_QUEUE0_DOORBELL_OFFSET;
  return enabled_.load(std::memory_order_acquire) && get<D>()[D::ENABLE] && get<O>()[O::OFFSET] == dword;
}

void Sdma::doorbell(std::uint32_t dword, std::uint64_t value) {
  if (!listens_to(dword)) {
    chip_.report("sdma", "sdma.doorbell_invalid", fmt::format("doorbell {:#x}", dword), value,
                 "no ring that is enabled listens to this doorbell", "sdma_v6_0.c (Linux 6.12)");
    return post(kDoorbellInvalid, dword);
  }
  const std::uint64_t before = doorbell_.load(std::memory_order_relaxed);
  if (value & 3) return violation("sdma.doorbell_unit", value, "the doorbell counts bytes of whole dwords");
  if (value < before)
    return violation("sdma.doorbell_backwards", value, fmt::format("the doorbell went back from {:#x}", before));
  doorbell_.store(value, std::memory_order_release);
  rung_.store(true, std::memory_order_release);
  worker_.kick();
}

bool Sdma::take_wptr() {
  const std::uint64_t wptr = doorbell_.load(std::memory_order_acquire);
  const std::uint64_t poll = raw<regs::SDMA0_QUEUE0_RB_WPTR_POLL_ADDR_LO>() |
                             static_cast<std::uint64_t>(raw<regs::SDMA0_QUEUE0_RB_WPTR_POLL_ADDR_HI>()) << 32;
  if (get<RbCntl>()[RbCntl::F32_WPTR_POLL_ENABLE]) {
    std::uint64_t in_memory = 0;
    if (poll & 7) {
      violation("sdma.pointer_alignment", poll, "the wptr poll address is 8-byte aligned");
      return false;
    }
    if (!memory_.load64({.client = client()}, poll, in_memory)) return false;
    if (in_memory < wptr)
      violation("sdma.wptr_mismatch", wptr,
                fmt::format("the doorbell is ahead of the wptr in memory ({:#x})", in_memory));
  }
  if (wptr / 4 - ring_.at > ring_.wrap + 1) {
    violation("sdma.ring_overflow", wptr - ring_.at * 4, "more bytes were queued than the ring holds");
    return false;
  }
  ring_.end = wptr / 4;
  return true;
}

void Sdma::report_rptr() {
  const std::uint64_t rptr = ring_.at * 4;
  set_raw<regs::SDMA0_QUEUE0_RB_RPTR>(static_cast<std::uint32_t>(rptr));
  set_raw<regs::SDMA0_QUEUE0_RB_RPTR_HI>(static_cast<std::uint32_t>(rptr >> 32));
  if (!get<RbCntl>()[RbCntl::RPTR_WRITEBACK_ENABLE]) return;
  const std::uint64_t to = raw<regs::SDMA0_QUEUE0_RB_RPTR_ADDR_LO>() |
                           static_cast<std::uint64_t>(raw<regs::SDMA0_QUEUE0_RB_RPTR_ADDR_HI>()) << 32;
  if (to & 7) return violation("sdma.pointer_alignment", to, "the rptr report address is 8-byte aligned");
  if (!memory_.store64({.client = client(), .policy = CachePolicy::bypass}, to, rptr)) stuck_ = true;
}

void Sdma::step() {
  if (!enabled_.load(std::memory_order_acquire) || stuck_ || hung_) return;
  const auto f32 = get<F32Cntl>();
  if (!rung_.load(std::memory_order_acquire)) return;
  if (f32[F32Cntl::HALT] || f32[F32Cntl::TH1_RESET]) {
    rung_ = false;
    return violation("sdma.halted", f32.raw, "a doorbell was rung while the engine is halted");
  }
  if (!chip_.firmware(kFirmwareTh0) || !chip_.firmware(kFirmwareTh1)) {
    stuck_ = true;
    return violation("sdma.no_firmware", 0, "the engine was used and the PSP has not loaded its microcode");
  }
  const BusyTime::Work work(chip_.copy_time);
  while (rung_.exchange(false, std::memory_order_acq_rel)) {
    if (chip_.fault("sdma/hang")) {
      hung_ = true;
      break;
    }
    if (!take_wptr()) {
      stuck_ = true;
      break;
    }
    while (in_buffer_ || ring_.at != ring_.end) {
      if (worker_.interrupted()) {
        rung_ = true;
        return report_rptr();
      }
      const Next n = run_one(in_buffer_ ? buffer_ : ring_);
      if (n == Next::again) {
        rung_ = true;
        return report_rptr();
      }
      if (n == Next::stuck) {
        stuck_ = true;
        break;
      }
      if (in_buffer_ && buffer_.at == buffer_.end) in_buffer_ = false;
    }
    report_rptr();
    if (stuck_) break;
  }
  if (!stuck_ && !hung_) return;
  using W = regs::SDMA0_WATCHDOG_CNTL;
  const std::uint32_t count = get<W>()[W::QUEUE_HANG_COUNT];
  if (count)
    chip_.timer.after(count * 100ms, count * 100ms + 1ms, [this] {
      if (enabled_.load(std::memory_order_acquire)) post(kQueueHang);
    });
}

void Sdma::reset(Reset) {
  worker_.pause(0ms, give_up_);
  {
    const std::lock_guard lock(mutex_);
    enabled_.store(false, std::memory_order_release);
    stuck_ = hung_ = in_buffer_ = false;
    rung_ = false;
  }
  worker_.resume();
}

void Sdma::soft_reset(std::uint32_t bits, bool asserted) {
  using G = regs::GRBM_SOFT_RESET;
  const auto mine = instance_ == 0 ? G::SOFT_RESET_SDMA0 : G::SOFT_RESET_SDMA1;
  if (!asserted || !(bits & chip_.registers.mask<G>({mine, G::SOFT_RESET_GFX}))) return;
  reset(Reset::power_on);
  set_raw<RbCntl>(0);
  set_raw<regs::SDMA0_QUEUE0_RB_RPTR>(0);
  set_raw<regs::SDMA0_QUEUE0_RB_WPTR>(0);
  set_raw<regs::SDMA0_QUEUE0_DOORBELL>(0);
  set_raw<F32Cntl>(chip_.registers.map().encode<F32Cntl>(0, {F32Cntl::HALT(1)}));
}

Requester Sdma::reader() const {
  using P = regs::SDMA0_UTCL1_PAGE;
  const bool keep = get<P>()[P::RD_L2_POLICY] < 2;
  return {.client = client(), .policy = keep ? CachePolicy::lru : CachePolicy::bypass};
}

Requester Sdma::writer() const {
  using P = regs::SDMA0_UTCL1_PAGE;
  const bool keep = get<P>()[P::WR_L2_POLICY] < 2;
  return {.client = client(), .policy = keep ? CachePolicy::lru : CachePolicy::bypass};
}

Sdma::Next Sdma::broken(std::string rule, std::uint64_t value, std::string text) {
  violation(std::move(rule), value, std::move(text));
  return Next::stuck;
}

// The hub has latched the fault; the engine says so as well, when asked to.
Sdma::Next Sdma::faulted() {
  using C = regs::SDMA0_CNTL;
  if (get<C>()[C::PAGE_FAULT_INT_ENABLE]) post(kPageFault);
  return Next::stuck;
}

}  // namespace hcq::models::am
