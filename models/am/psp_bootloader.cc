// SPDX-License-Identifier: MIT
// The boot ROM's loader: components of the secure OS, one after the other, through C2PMSG_35 and C2PMSG_36.
#include <fmt/format.h>

#include <algorithm>
#include <array>

#include "drivers/am/abi/firmware.h"
#include "models/am/board_flash.h"
#include "models/am/psp.h"

namespace hcq::models::am {

namespace {

namespace f = hcq::am::abi::firmware;
namespace p = hcq::am::abi::psp;
using std::chrono::microseconds;

// In the order in which they must come. The key database is sent a second time under the SPL command by drivers of
// PSP 13 (psp_v13_0_bootloader_load_spl), so that both are taken there.
struct Component {
  std::uint32_t command;
  const char* name;
  bool mandatory;
  std::array<std::uint32_t, 2> types;
};
constexpr Component kComponents[] = {
    {p::PSP_BL__LOAD_KEY_DATABASE, "KDB", true, {f::PSP_FW_TYPE_PSP_KDB, 0}},
    {p::PSP_BL__LOAD_TOS_SPL_TABLE, "SPL", true, {f::PSP_FW_TYPE_PSP_KDB, f::PSP_FW_TYPE_PSP_SPL}},
    {p::PSP_BL__LOAD_SYSDRV, "SYS_DRV", true, {f::PSP_FW_TYPE_PSP_SYS_DRV, 0}},
    {p::PSP_BL__LOAD_SOCDRV, "SOC_DRV", false, {f::PSP_FW_TYPE_PSP_SOC_DRV, 0}},
    {p::PSP_BL__LOAD_INTFDRV, "INTF_DRV", false, {f::PSP_FW_TYPE_PSP_INTF_DRV, 0}},
    {p::PSP_BL__LOAD_DBGDRV, "DBG_DRV", false, {f::PSP_FW_TYPE_PSP_DBG_DRV, 0}},
    {p::PSP_BL__LOAD_RASDRV, "RAS_DRV", false, {f::PSP_FW_TYPE_PSP_RAS_DRV, 0}},
    {p::PSP_BL__LOAD_SOSDRV, "SOS", true, {f::PSP_FW_TYPE_PSP_SOS, 0}},
};

const Component* component(std::uint32_t command) {
  for (const Component& c : kComponents)
    if (c.command == command) return &c;
  return nullptr;
}

enum BootError : std::uint32_t { kUnknownCommand = 0x01, kBadAddress = 0x02, kBadContent = 0x03, kBadOrder = 0x04 };

}  // namespace

void Psp::add_bootloader() {
  auto& r = chip_.registers;
  r.read_only<regs::MP0_SMN_C2PMSG_33>();
  r.read_only<regs::MP0_SMN_C2PMSG_58>();
  r.read_only<regs::MP0_SMN_C2PMSG_81>();
  r.on_write<regs::MP0_SMN_C2PMSG_35>([this](std::uint32_t v, std::uint32_t) { bootloader_command(v); });
}

void Psp::bootloader_fail(std::uint32_t code, std::string rule, std::uint32_t command, std::string text) {
  boot_failed_ = true;
  report(std::move(rule), "MP0_SMN_C2PMSG_35", command, std::move(text));
  chip_.registers.set_raw<regs::MP0_SMN_C2PMSG_35>(p::kMailboxReady | code);
}

void Psp::bootloader_command(std::uint32_t command) {
  const std::lock_guard lock(mutex_);
  if (sos_alive_)
    return report("psp.bootloader_after_sos", "MP0_SMN_C2PMSG_35", command,
                  "the secure OS is running; the bootloader no longer listens");
  if (boot_busy_ || !(chip_.registers.raw<regs::MP0_SMN_C2PMSG_33>() & p::kMailboxReady)) {
    report("psp.bootloader_busy", "MP0_SMN_C2PMSG_35", command, "a command was written while bit 31 was not set");
    return;
  }
  if (boot_failed_) return;  // only a reset helps
  boot_busy_ = true;
  if (chip_.fault("psp/bootloader_hang")) return;
  chip_.timer.after(microseconds(40), microseconds(300), [this, command] { bootloader_run(command); });
}

bool Psp::in_order(std::uint32_t command) {
  for (const Component& c : kComponents) {
    if (c.command == command) return !loaded_.count(command);
    if (c.mandatory && !loaded_.count(c.command)) return false;
  }
  return false;
}

bool Psp::component_matches(std::uint32_t command, Bytes buffer) const {
  for (const std::uint32_t type : component(command)->types)
    for (const auto& blob : known_.bootloader(type))
      if (blob.size <= buffer.size() && fnv1a(buffer.first(blob.size)) == blob.hash) return true;
  return false;
}

void Psp::bootloader_run(std::uint32_t command) {
  const std::lock_guard lock(mutex_);
  boot_busy_ = false;
  const Component* c = component(command);
  if (!c || (!c->mandatory && known_.bootloader(c->types[0]).empty()))
    return bootloader_fail(kUnknownCommand, "psp.bootloader_command", command,
                           "no such bootloader command, or no such component on this chip");
  if (!in_order(command))
    return bootloader_fail(kBadOrder, "psp.bootloader_order", command,
                           fmt::format("{} came out of order: KDB, SPL, SYS_DRV, ..., SOS, each once", c->name));
  const std::uint64_t mc = std::uint64_t{chip_.registers.raw<regs::MP0_SMN_C2PMSG_36>()} << 20;
  // VRAM and host memory that VMID 0 of the MM hub maps are both good: amdgpu_psp.c takes the latter.
  std::vector<std::byte> buffer(p::PSP_1_MEG);
  if (!chip_.memory->mc_valid(mc, buffer.size()) || !chip_.memory->mc_read("PSP bootloader", mc, buffer))
    return bootloader_fail(kBadAddress, "psp.bootloader_address", chip_.registers.raw<regs::MP0_SMN_C2PMSG_36>(),
                           "C2PMSG_36 << 20 is not the memory-controller address of 1 MiB of memory");
  if (!component_matches(command, buffer))
    return bootloader_fail(
        kBadContent, "psp.bootloader_content", command,
        fmt::format("the buffer does not hold the {} of a known file (was the HDP flushed?)", c->name));
  loaded_.insert(command);
  if (command != p::PSP_BL__LOAD_SOSDRV) {
    chip_.registers.set_raw<regs::MP0_SMN_C2PMSG_35>(p::kMailboxReady);
    return;
  }
  // The secure OS starts; the mailbox of the bootloader stays silent from here on.
  if (chip_.fault("psp/sos_dead")) return;
  chip_.timer.after(sos_start_ + microseconds(500), sos_start_ + microseconds(3000), [this] {
    const std::lock_guard sos_lock(mutex_);
    sos_alive_ = true;
    chip_.flash->set_secure_os(true);
    auto& r = chip_.registers;
    r.set_raw<regs::MP0_SMN_C2PMSG_58>(0x00310041);
    r.set_raw<regs::MP0_SMN_C2PMSG_64>(p::kMailboxReady);
    r.set_raw<regs::MP0_SMN_C2PMSG_81>(0x00310041);
  });
}

// The board's own firmware reports in a little after power-on and after a reset.
void Psp::bootloader_ready() {
  if (!chip_.flash->boots() || chip_.fault("psp/never_ready")) return;
  chip_.timer.after(microseconds(200), microseconds(2000), [this] {
    const std::lock_guard lock(mutex_);
    chip_.registers.set_raw<regs::MP0_SMN_C2PMSG_33>(p::kMailboxReady);
    chip_.registers.set_raw<regs::MP0_SMN_C2PMSG_35>(p::kMailboxReady);
  });
}

}  // namespace hcq::models::am
