// SPDX-License-Identifier: MIT
#include "models/am/nbio.h"

#include <fmt/format.h>

#include <cstring>

namespace hcq::models::am {

namespace {

constexpr const char* kSource = "nbio_4_3_0 headers; nbio_v4_3.c";
// Where REMAP_HDP_MEM_FLUSH_CNTL points after reset, in bytes of BAR 5 (nbio_2_3_default.h; 4.3.0 has no such file).
constexpr std::uint32_t kRemapReset = 0x385c;
constexpr std::uint32_t kAwidIh = 0, kAwidCp = 3, kAwidSdma = 0xe;

}  // namespace

Nbio::Nbio(Chip& chip) : chip_(chip) {
  auto& r = chip.registers;
  r.read_only<regs::RCC_DEV0_EPF0_RCC_CONFIG_MEMSIZE>();
  r.on_read<regs::RCC_DEV0_EPF0_RCC_CONFIG_MEMSIZE>([this](std::uint32_t) {
    return memory_ready_.load(std::memory_order_acquire) ? static_cast<std::uint32_t>(chip_.vram->size() >> 20) : ~0u;
  });
  r.read_only<regs::RCC_DEV0_EPF0_RCC_IOV_FUNC_IDENTIFIER>();  // 0: a physical function
  // On after reset; drivers of boards without function 2 switch it off (nbio_v4_3.c).
  r.reset_value<regs::RCC_DEV0_EPF2_STRAP2>(
      r.map().encode<regs::RCC_DEV0_EPF2_STRAP2>(0, {regs::RCC_DEV0_EPF2_STRAP2::STRAP_NO_SOFT_RESET_DEV0_F2(1)}));
  // The board's firmware has run what the video BIOS calls ASIC_Init, and left word of it (ATOM_S7_ASIC_INIT_COMPLETE).
  r.bank().spec(r.named("BIF_BX0_BIOS_SCRATCH_7")).reset = 1u << 9;
  // Without a name. Linux reads it when it asks for BIOS_SCRATCH_7 before it knows where the scratch registers start
  // (amdgpu_atombios_scratch_need_asic_init).
  r.bank().add(7, {.name = "BIF dword 7", .block = "nbio", .writable = 0});
  add_window();
  add_indirect();
  add_hdp_flush();
  add_doorbell_registers();
}

// After a reset the memory controller trains again; at power-on the board's firmware has waited for that.
void Nbio::reset(Reset kind) {
  set_memory_ready(kind == Reset::power_on);
  if (kind != Reset::power_on)
    chip_.timer.after(std::chrono::microseconds(200), std::chrono::microseconds(1500),
                      [this] { set_memory_ready(true); });
}

// MM_INDEX[31] chooses VRAM; the address is MM_INDEX_HI:MM_INDEX[30:0], in bytes.
std::uint32_t Nbio::window_read() {
  const std::uint32_t index = chip_.registers.raw<regs::BIF_BX_PF0_MM_INDEX>();
  if (!(index >> 31)) return chip_.registers.bank().read((index & 0x7fffffff) / 4);
  const std::uint64_t at =
      std::uint64_t{chip_.registers.raw<regs::BIF_BX_PF0_MM_INDEX_HI>()} << 31 | (index & 0x7fffffff);
  std::uint32_t v = ~0u;
  if (at % 4 || at + 4 > chip_.vram->size()) {
    chip_.report("nbio", "nbio.window_address", "MM_DATA", at, "the window points outside VRAM or is misaligned",
                 kSource);
    return v;
  }
  chip_.memory->host_read(at, std::as_writable_bytes(std::span(&v, 1)));
  return v;
}

void Nbio::window_write(std::uint32_t value) {
  const std::uint32_t index = chip_.registers.raw<regs::BIF_BX_PF0_MM_INDEX>();
  if (!(index >> 31)) return chip_.registers.bank().write((index & 0x7fffffff) / 4, value);
  const std::uint64_t at =
      std::uint64_t{chip_.registers.raw<regs::BIF_BX_PF0_MM_INDEX_HI>()} << 31 | (index & 0x7fffffff);
  if (at % 4 || at + 4 > chip_.vram->size())
    return chip_.report("nbio", "nbio.window_address", "MM_DATA", at, "the window points outside VRAM or is misaligned",
                        kSource);
  chip_.memory->host_write(at, std::as_bytes(std::span(&value, 1)));
}

void Nbio::add_window() {
  auto& r = chip_.registers;
  r.on_read<regs::BIF_BX_PF0_MM_DATA>([this](std::uint32_t) { return window_read(); });
  r.on_write<regs::BIF_BX_PF0_MM_DATA>([this](std::uint32_t v, std::uint32_t) { window_write(v); });
}

// Registers that BAR 5 does not reach: their byte address goes to an index register, the value through a data register.
void Nbio::add_indirect() {
  auto& r = chip_.registers;
  r.on_read<regs::BIF_BX_PF0_RSMU_DATA>([this](std::uint32_t) {
    return chip_.registers.bank().read(chip_.registers.raw<regs::BIF_BX_PF0_RSMU_INDEX>() / 4);
  });
  r.on_write<regs::BIF_BX_PF0_RSMU_DATA>([this](std::uint32_t v, std::uint32_t) {
    chip_.registers.bank().write(chip_.registers.raw<regs::BIF_BX_PF0_RSMU_INDEX>() / 4, v);
  });
  const auto far = [this] {
    const std::uint32_t hi = chip_.registers.raw<regs::BIF_BX0_PCIE_INDEX2_HI>();
    if (hi)
      chip_.report("nbio", "nbio.other_die", "BIF_BX0_PCIE_INDEX2_HI", hi, "this chip has no other die to address",
                   kSource);
    return hi == 0;
  };
  r.on_read<regs::BIF_BX0_PCIE_DATA2>([this, far](std::uint32_t) {
    return far() ? chip_.registers.bank().read(chip_.registers.raw<regs::BIF_BX0_PCIE_INDEX2>() / 4) : ~0u;
  });
  r.on_write<regs::BIF_BX0_PCIE_DATA2>([this, far](std::uint32_t v, std::uint32_t) {
    if (far()) chip_.registers.bank().write(chip_.registers.raw<regs::BIF_BX0_PCIE_INDEX2>() / 4, v);
  });
}

void Nbio::add_hdp_flush() {
  auto& r = chip_.registers;
  r.reset_value<regs::BIF_BX0_REMAP_HDP_MEM_FLUSH_CNTL>(kRemapReset);
  r.reset_value<regs::BIF_BX0_REMAP_HDP_REG_FLUSH_CNTL>(kRemapReset + 4);
  // The flush registers themselves lie wherever the two remap registers say; they hold no value.
  r.bank().set_fallback([this](std::uint32_t dword, bool write, std::uint32_t& value) {
    const bool mem = dword == chip_.registers.raw<regs::BIF_BX0_REMAP_HDP_MEM_FLUSH_CNTL>() / 4;
    if (!mem && dword != chip_.registers.raw<regs::BIF_BX0_REMAP_HDP_REG_FLUSH_CNTL>() / 4) return false;
    if (write && mem) chip_.memory->hdp_flush();
    value = 0;
    return true;
  });
}

void Nbio::add_doorbell_registers() {
  using C = regs::BIF_BX0_BIF_DOORBELL_INT_CNTL;
  auto& r = chip_.registers;
  auto& s = r.describe<C>();
  const std::uint32_t status =
      r.mask<C>({C::DOORBELL_INTERRUPT_STATUS, C::RAS_CNTLR_INTERRUPT_STATUS, C::RAS_ATHUB_ERR_EVENT_INTERRUPT_STATUS});
  const std::uint32_t clear =
      r.mask<C>({C::DOORBELL_INTERRUPT_CLEAR, C::RAS_CNTLR_INTERRUPT_CLEAR, C::RAS_ATHUB_ERR_EVENT_INTERRUPT_CLEAR});
  s.writable &= ~status;
  s.self_clearing = clear;
  r.on_write<C>([this, clear](std::uint32_t v, std::uint32_t) {
    // The clear bit of each status lies 16 bits above it.
    auto& registers = chip_.registers;
    registers.set_raw<C>(registers.raw<C>() & ~((v & clear) >> 16));
  });
}

void Nbio::raise_ras(bool controller, bool athub) {
  using C = regs::BIF_BX0_BIF_DOORBELL_INT_CNTL;
  chip_.registers.set<C>({C::RAS_CNTLR_INTERRUPT_STATUS(controller), C::RAS_ATHUB_ERR_EVENT_INTERRUPT_STATUS(athub)});
}

std::optional<DoorbellTarget> Nbio::route(std::uint32_t dword) const {
  using E0 = regs::S2A_DOORBELL_ENTRY_0_CTRL;
  using E2 = regs::S2A_DOORBELL_ENTRY_2_CTRL;
  using E1 = regs::S2A_DOORBELL_ENTRY_1_CTRL;
  const auto e1 = chip_.registers.get<E1>();
  const std::uint32_t ih = e1[E1::S2A_DOORBELL_PORT1_RANGE_OFFSET], ihs = e1[E1::S2A_DOORBELL_PORT1_RANGE_SIZE];
  if (e1[E1::S2A_DOORBELL_PORT1_ENABLE] && dword >= ih && dword < ih + ihs) {
    if (e1[E1::S2A_DOORBELL_PORT1_AWID] == kAwidIh && e1[E1::S2A_DOORBELL_PORT1_AWADDR_31_28_VALUE] == 0)
      return DoorbellTarget::ih;
    return std::nullopt;
  }
  const auto e2 = chip_.registers.get<E2>();
  const std::uint32_t first = e2[E2::S2A_DOORBELL_PORT2_RANGE_OFFSET], n = e2[E2::S2A_DOORBELL_PORT2_RANGE_SIZE];
  if (e2[E2::S2A_DOORBELL_PORT2_ENABLE] && dword >= first && dword < first + n) {
    if (e2[E2::S2A_DOORBELL_PORT2_AWID] == kAwidSdma && e2[E2::S2A_DOORBELL_PORT2_AWADDR_31_28_VALUE] == 3)
      return DoorbellTarget::sdma;
    return std::nullopt;
  }
  // Port 0 with an empty range takes what no other port's range holds: nbio_v4_3.c sets 0x30000007 for the CP.
  const auto e0 = chip_.registers.get<E0>();
  if (e0[E0::S2A_DOORBELL_PORT0_ENABLE] && e0[E0::S2A_DOORBELL_PORT0_AWID] == kAwidCp &&
      e0[E0::S2A_DOORBELL_PORT0_AWADDR_31_28_VALUE] == 3)
    return DoorbellTarget::cp;
  return std::nullopt;
}

void Nbio::doorbell(std::uint64_t offset, unsigned size, std::uint64_t value) {
  using A = regs::RCC_DEV0_EPF0_RCC_DOORBELL_APER_EN;
  const auto dword = static_cast<std::uint32_t>(offset / 4);
  const auto target = route(dword);
  if (size != 8 && target != DoorbellTarget::ih)
    return chip_.report("pci", "pci.access_size", fmt::format("doorbell {:#x}", dword), size,
                        "doorbells of queues take aligned 64-bit stores only", "amdgpu: WDOORBELL64");
  if (!chip_.registers.get<A>()[A::BIF_DOORBELL_APER_EN])
    return chip_.report("nbio", "nbio.doorbell_aperture", fmt::format("doorbell {:#x}", dword), value,
                        "a doorbell was rung while the doorbell aperture is off", kSource);
  if (!target)
    return chip_.report("nbio", "nbio.doorbell_unrouted", fmt::format("doorbell {:#x}", dword), value,
                        "no S2A doorbell entry routes this doorbell to an engine", kSource);
  if (target == DoorbellTarget::ih) return chip_.interrupts->doorbell(dword, value);
  chip_.doorbells->doorbell(*target, dword, value);
}

}  // namespace hcq::models::am
