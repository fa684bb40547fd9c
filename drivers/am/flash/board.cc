// SPDX-License-Identifier: MIT
#include "drivers/am/flash/board.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>

#include "drivers/am/abi/psp.h"
#include "drivers/am/chip.h"

namespace hcq::am::flash {
namespace {

// Segment 0 of MP0 and SMUIO, as the discovery tables of these boards say it.
constexpr std::uint32_t kMp0Base = 0x16000, kSmuioBase = 0x16800;
constexpr std::array<std::uint16_t, 2> kNavi31{0x744c, 0x7448};

}  // namespace

Result<regs::RegisterMap> register_map() {
  const std::array blocks{regs::IpBlock{regs::Ip::mp0, 0, 13, 0, 0, {kMp0Base}},
                          regs::IpBlock{regs::Ip::smuio, 0, 13, 0, 6, {kSmuioBase}}};
  return regs::RegisterMap::build(blocks);
}

bool is_amd_display(const pci::Identity& id) {
  constexpr std::uint32_t kDisplay = 0x03;  // base class, PCI Code and ID Assignment Specification
  return id.vendor == kVendorAmd && id.class_code >> 16 == kDisplay;
}

Board::Board(std::unique_ptr<pci::Function> function, pci::Mmio bar5, regs::RegisterMap map, spi::Pacer& pacer)
    : function_(std::move(function)), link_(*function_), io_(link_, bar5), pacer_(pacer) {
  io_.set_map(std::move(map));
  link_.set_operation("flash");
}

Result<std::unique_ptr<Board>> Board::open(std::unique_ptr<pci::Function> function, spi::Pacer& pacer) {
  const pci::Identity& id = function->identity();
  if (id.vendor != kVendorAmd || std::find(kNavi31.begin(), kNavi31.end(), id.device) == kNavi31.end())
    return Error{.code = Errc::unsupported,
                 .device = function->name(),
                 .operation = "flash/open",
                 .subject = fmt::format("{:04x}:{:04x}", id.vendor, id.device),
                 .detail = "the flash of this device is not known",
                 .hint = "Navi31 boards (1002:744c) are"};
  const std::uint32_t command = HCQ_TRY(function->config_read(pci::kCommand, 2));
  HCQ_TRY(function->config_write(pci::kCommand, 2, command | pci::kCommandMemory));
  const pci::Mmio bar5 = HCQ_TRY(function->map_bar(5, pci::Caching::uncached));
  auto map = HCQ_TRY(register_map());
  return std::unique_ptr<Board>(new Board(std::move(function), bar5, std::move(map), pacer));
}

Result<bool> Board::firmware_ran() {
  const auto v = HCQ_TRY(io_.read<regs::MP0_SMN_C2PMSG_33>());
  return (v.raw & abi::psp::kMailboxReady) != 0;
}

Result<bool> Board::secure_os_runs() { return HCQ_TRY(io_.read<regs::MP0_SMN_C2PMSG_81>()).raw != 0; }

}  // namespace hcq::am::flash
