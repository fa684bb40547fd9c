// SPDX-License-Identifier: MIT
#include "models/am/interrupts.h"

#include <fmt/format.h>

#include <chrono>

#include "drivers/am/abi/ih.h"

namespace hcq::models::am {

namespace {
namespace ih = hcq::am::abi::ih;
using std::chrono::microseconds;
constexpr std::uint32_t kMcSpaceVirtual = 4;  // MC_SPACE: an address of VMID 0
}  // namespace

template <>
struct Interrupts::Set<0> {
  using Cntl = regs::IH_RB_CNTL;
  using Base = regs::IH_RB_BASE;
  using BaseHi = regs::IH_RB_BASE_HI;
  using Rptr = regs::IH_RB_RPTR;
  using Wptr = regs::IH_RB_WPTR;
  using Doorbell = regs::IH_DOORBELL_RPTR;
  static constexpr const char* name = "IH_RB";
};
template <>
struct Interrupts::Set<1> {
  using Cntl = regs::IH_RB_CNTL_RING1;
  using Base = regs::IH_RB_BASE_RING1;
  using BaseHi = regs::IH_RB_BASE_HI_RING1;
  using Rptr = regs::IH_RB_RPTR_RING1;
  using Wptr = regs::IH_RB_WPTR_RING1;
  using Doorbell = regs::IH_DOORBELL_RPTR_RING1;
  static constexpr const char* name = "IH_RB_RING1";
};

Interrupts::Interrupts(Chip& chip) : chip_(chip) {
  add_ring<0>();
  add_ring<1>();
  auto& r = chip.registers;
  // ih_v6_0.c sets it for both rings; the headers give it a meaning for ring 0 only.
  r.describe<regs::IH_RB_CNTL_RING1>().fields |= r.mask<regs::IH_RB_CNTL>({regs::IH_RB_CNTL::WPTR_WRITEBACK_ENABLE});
  r.read_only<regs::IH_STATUS>();
  r.reset_value<regs::IH_STATUS>(r.map().encode<regs::IH_STATUS>(
      0, {regs::IH_STATUS::IDLE(1), regs::IH_STATUS::INPUT_IDLE(1), regs::IH_STATUS::BUFFER_IDLE(1)}));
  r.on_write<regs::IH_RING1_CLIENT_CFG_DATA>([this](std::uint32_t v, std::uint32_t) {
    const std::lock_guard lock(mutex_);
    const auto index = chip_.registers.get<regs::IH_RING1_CLIENT_CFG_INDEX>()[regs::IH_RING1_CLIENT_CFG_INDEX::INDEX];
    if (index < ring1_config_.size()) ring1_config_[index] = v;
  });
  chip.interrupts = this;
}

void Interrupts::reset(Reset) {
  const std::lock_guard lock(mutex_);
  rings_ = {};
  queue_.clear();
  ring1_config_ = {};
  armed_ = true;
  scheduled_ = false;
}

void Interrupts::report(std::string rule, std::string where, std::uint64_t value, std::string text) {
  chip_.report("ih", std::move(rule), std::move(where), value, std::move(text), "ih_v6_0.c");
}

template <unsigned N>
void Interrupts::add_ring() {
  using S = Set<N>;
  auto& r = chip_.registers;
  r.on_write<typename S::Cntl>([this](std::uint32_t v, std::uint32_t before) { control_written<N>(v, before); });
  r.on_write<typename S::Rptr>([this](std::uint32_t v, std::uint32_t) { rptr_written<N>(v); });
  r.on_read<typename S::Wptr>([this](std::uint32_t) {
    const std::lock_guard lock(mutex_);
    return rings_[N].wptr | (rings_[N].overflow ? 1u : 0u);
  });
  r.on_write<typename S::Wptr>([this](std::uint32_t v, std::uint32_t) {
    const std::lock_guard lock(mutex_);
    if (rings_[N].enabled)
      report("ih.wptr_while_enabled", S::name, v,
             "the write pointer belongs to the hardware while the ring is enabled");
    rings_[N].wptr = v & ~3u;
    rings_[N].overflow = false;
  });
  const auto base_written = [this](std::uint32_t v, std::uint32_t) {
    const std::lock_guard lock(mutex_);
    if (rings_[N].enabled)
      report("ih.base_while_enabled", S::name, v, "the base was changed while the ring is enabled");
  };
  r.on_write<typename S::Base>(base_written);
  r.on_write<typename S::BaseHi>(base_written);
}

template <unsigned N>
std::uint32_t Interrupts::bytes() const {
  using C = typename Set<N>::Cntl;
  const std::uint32_t log2 = chip_.registers.get<C>()[C::RB_SIZE];
  return log2 >= 3 && log2 <= 20 ? 4u << log2 : 0;
}

template <unsigned N>
std::uint64_t Interrupts::base() const {
  using S = Set<N>;
  return std::uint64_t{chip_.registers.raw<typename S::Base>()} << 8 |
         std::uint64_t{chip_.registers.raw<typename S::BaseHi>() & 0xff} << 40;
}

template <unsigned N>
bool Interrupts::configuration_is_sound() {
  using C = typename Set<N>::Cntl;
  const auto c = chip_.registers.get<C>();
  const std::uint64_t mc = base<N>();
  const char* text = nullptr;
  if (!bytes<N>()) text = "RB_SIZE is the logarithm of the ring's dwords and cannot be that";
  else if (c[C::MC_VMID] != 0) text = "MC_VMID must be 0";
  else if (c[C::MC_SPACE] != kMcSpaceVirtual)
    text = "MC_SPACE must be 4: IH_CHICKEN does not let the ring use bus addresses";
  else if (!chip_.memory->mc_valid(mc, bytes<N>()))
    text = "the ring is neither in VRAM by its memory-controller address nor in the page table of VMID 0";
  if (text) report("ih.ring_config", Set<N>::name, mc, text);
  return !text;
}

template <unsigned N>
void Interrupts::control_written(std::uint32_t /*value*/, std::uint32_t /*before*/) {
  using C = typename Set<N>::Cntl;
  const std::lock_guard lock(mutex_);
  const auto c = chip_.registers.get<C>();
  Ring& ring = rings_[N];
  if (c[C::WPTR_OVERFLOW_CLEAR]) ring.overflow = false;
  const bool enable = c[C::RB_ENABLE];
  if (enable && !ring.enabled) {
    if (ring.rptr != ring.wptr)
      report("ih.pointers", Set<N>::name, ring.wptr, "the ring was enabled with read and write pointer apart");
    if (!configuration_is_sound<N>()) return;
    if (N == 0) armed_ = true;
  }
  ring.enabled = enable;
}

void Interrupts::doorbell(std::uint32_t dword, std::uint64_t value) {
  const auto listens = [&]<class D>(const regs::Value<D>& d) { return d[D::ENABLE] && d[D::OFFSET] == dword; };
  const auto pointer = static_cast<std::uint32_t>(value);
  if (listens(chip_.registers.get<regs::IH_DOORBELL_RPTR>())) return rptr_written<0>(pointer);
  if (listens(chip_.registers.get<regs::IH_DOORBELL_RPTR_RING1>())) return rptr_written<1>(pointer);
  report("ih.doorbell_unowned", fmt::format("doorbell {:#x}", dword), value, "no ring takes its read pointer from it");
}

template <unsigned N>
void Interrupts::rptr_written(std::uint32_t value) {
  const std::lock_guard lock(mutex_);
  Ring& ring = rings_[N];
  const std::uint32_t size = bytes<N>();
  if (ring.enabled && size) {
    if (value % ih::kEntryBytes || value >= size)
      return report("ih.rptr", Set<N>::name, value,
                    "the read pointer is a byte offset, a multiple of 32 inside the ring");
    // After an overflow the reader starts over behind the write pointer, so that any place is allowed once.
    const std::uint32_t step = (value - ring.rptr) % size, available = (ring.wptr - ring.rptr) % size;
    if (step > available && available != 0 && value != (ring.wptr + ih::kEntryBytes) % size)
      report("ih.rptr_beyond", Set<N>::name, value, "the read pointer was moved past the write pointer");
  }
  ring.rptr = value;
  using C = regs::IH_RB_CNTL;
  if (N != 0) return;
  if (chip_.registers.get<C>()[C::RPTR_REARM]) armed_ = true;
  maybe_interrupt();
}

bool Interrupts::goes_to_ring1(const IhEntry& e) const {
  using D = regs::IH_RING1_CLIENT_CFG_DATA;
  if (!rings_[1].enabled) return false;
  for (const std::uint32_t raw : ring1_config_) {
    const auto d = chip_.registers.map().decode<D>(raw);
    if (raw && d[D::CLIENT_ID] == e.client && (!d[D::SOURCE_ID_MATCH_ENABLE] || d[D::SOURCE_ID] == e.source))
      return true;
  }
  return false;
}

void Interrupts::post(const IhEntry& entry) {
  const std::lock_guard lock(mutex_);
  queue_.push_back(entry);
  if (scheduled_) return;
  scheduled_ = true;
  chip_.timer.after(microseconds(1), microseconds(15), [this] { deliver(); });
}

void Interrupts::deliver() {
  const std::lock_guard lock(mutex_);
  scheduled_ = false;
  for (; !queue_.empty(); queue_.pop_front()) {
    if (goes_to_ring1(queue_.front())) deliver_to<1>(queue_.front());
    else deliver_to<0>(queue_.front());
  }
  maybe_interrupt();
}

template <unsigned N>
bool Interrupts::deliver_to(const IhEntry& e) {
  using C = typename Set<N>::Cntl;
  Ring& ring = rings_[N];
  if (!ring.enabled) return false;
  const auto c = chip_.registers.get<C>();
  const std::uint32_t size = bytes<N>(), next = (ring.wptr + ih::kEntryBytes) % size;
  if (next == ring.rptr) {
    if (!c[C::WPTR_OVERFLOW_ENABLE]) return false;  // a ring that drains: what does not fit is dropped
    if (!c[C::WPTR_OVERFLOW_CLEAR]) ring.overflow = true;
  }
  const auto now =
      std::chrono::duration_cast<std::chrono::nanoseconds>(std::chrono::steady_clock::now().time_since_epoch());
  const std::uint64_t ticks = static_cast<std::uint64_t>(now.count()) / 10;  // 100 MHz
  std::array<std::uint32_t, ih::kEntryDwords> dw{};
  dw[0] = ih::dw0::CLIENT_ID(e.client) | ih::dw0::SOURCE_ID(e.source) | ih::dw0::RING_ID(e.ring) |
          ih::dw0::VMID(e.vmid & 0xfu) | ih::dw0::VMID_TYPE(e.vmid_of_mmhub);
  dw[1] = lo32(ticks);
  dw[2] = hi32(ticks) & 0xffff;
  dw[3] = ih::dw3::PASID(e.pasid) | ih::dw3::NODE_ID(e.node);
  for (unsigned i = 0; i < 4; ++i) dw[ih::kContextId0 + i] = e.context[i];
  // The entry is in memory before the pointer says so.
  if (!chip_.memory->mc_write("IH ring", base<N>() + ring.wptr, std::as_bytes(std::span(dw)))) return false;
  ring.wptr = next;
  if constexpr (N == 0) {
    if (!c[C::WPTR_WRITEBACK_ENABLE]) return true;
    const std::uint64_t to = std::uint64_t{chip_.registers.raw<regs::IH_RB_WPTR_ADDR_HI>() & 0xffff} << 32 |
                             chip_.registers.raw<regs::IH_RB_WPTR_ADDR_LO>();
    const std::uint32_t v = ring.wptr | (ring.overflow ? 1u : 0u);
    chip_.memory->mc_write("IH wptr", to, std::as_bytes(std::span(&v, 1)));
  }
  return true;
}

// One message when the ring is not empty; the next only after the read pointer was written with RPTR_REARM set.
void Interrupts::maybe_interrupt() {
  using C = regs::IH_RB_CNTL;
  const auto c = chip_.registers.get<C>();
  if (!rings_[0].enabled || !c[C::ENABLE_INTR] || !armed_) return;
  if (rings_[0].rptr == rings_[0].wptr && rings_[1].rptr == rings_[1].wptr) return;
  armed_ = false;
  chip_.raise_msi();
}

}  // namespace hcq::models::am
