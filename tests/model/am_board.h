// SPDX-License-Identifier: MIT
// A Navi31 model behind its PCI function, and the steps of a correct boot in small pieces, so that a test can do one of
// them wrongly. Written from the register headers, independent of the driver.
#pragma once

#include <gtest/gtest.h>

#include <algorithm>
#include <atomic>
#include <cstring>
#include <memory>
#include <string>
#include <thread>
#include <vector>

#include "base/bytes.h"
#include "base/deadline.h"
#include "drivers/am/abi/firmware.h"
#include "drivers/am/abi/psp.h"
#include "drivers/am/abi/smu.h"
#include "drivers/am/regs/register.h"
#include "drivers/am/regs/registers.h"
#include "models/am/discovery.h"
#include "models/am/navi31.h"
#include "models/am/synthetic_firmware.h"
#include "models/core/device.h"

namespace hcq::models::am::test {

using namespace std::chrono_literals;
namespace regs = hcq::am::regs;
namespace psp = hcq::am::abi::psp;
namespace fw = hcq::am::abi::firmware;
namespace smu = hcq::am::abi::smu13_0_0;

template <class F>
bool eventually(F&& condition, Clock::duration limit = 2s) {
  const auto deadline = Deadline::in(limit);
  Backoff backoff;
  while (!condition()) {
    if (deadline.expired()) return false;
    backoff.pause();
  }
  return true;
}

class Board {
 public:
  static constexpr std::uint64_t kVram = 256ull << 20;
  // Where this host puts things in VRAM.
  static constexpr std::uint64_t kRing0 = 0x100000, kRing1 = 0x140000, kWptr = 0x180000, kBuffer = 0x200000,
                                 kCommand = 0x310000, kFence = 0x311000, kPspRing = 0x320000, kTable = 0x340000,
                                 kTmr = 0x400000;

  explicit Board(Options options = defaults()) : options_(std::move(options)) {
    auto d = create_navi31(options_);
    if (!d) throw std::runtime_error(describe(d.error()));
    device = *d;
    // Installed before anything runs; tests choose the point that fails through an atomic.
    if (auto& hook = device->faults().hook; !hook)
      hook = [this](std::string_view p) {
        const char* point = failing.load();
        if (!point || p != point) return false;
        failed = true;
        return true;
      };
    attach_again();
  }
  static Options defaults() {
    Options o;
    o.vram_bytes = kVram;
    o.policy = Policy::record;
    return o;
  }
  static Options with(std::string name, std::string value) {
    Options o = defaults();
    o.extra.emplace_back(std::move(name), std::move(value));
    return o;
  }
  void attach_again() {
    function.reset();
    auto f = attach("model:navi31", device, options_);
    if (!f) throw std::runtime_error(describe(f.error()));
    function = std::move(*f);
    map_bars();
  }
  void map_bars() {
    vram = *function->map_bar(0, pci::Caching::write_combining);
    doorbells = *function->map_bar(2, pci::Caching::uncached);
    mmio = *function->map_bar(5, pci::Caching::uncached);
  }

  // Registers; those that BAR 5 does not reach go through the index register.
  template <class R>
  std::uint32_t read(unsigned index = 0) {
    const std::uint32_t at = map.address<R>(index);
    if (at < 0x40000) return mmio.read32(std::uint64_t{at} * 4);
    mmio.write32(map.address<regs::BIF_BX_PF0_RSMU_INDEX>() * 4ull, at * 4);
    return mmio.read32(map.address<regs::BIF_BX_PF0_RSMU_DATA>() * 4ull);
  }
  template <class R>
  void write(std::uint32_t value, unsigned index = 0) {
    const std::uint32_t at = map.address<R>(index);
    if (at < 0x40000) return mmio.write32(std::uint64_t{at} * 4, value);
    mmio.write32(map.address<regs::BIF_BX_PF0_RSMU_INDEX>() * 4ull, at * 4);
    mmio.write32(map.address<regs::BIF_BX_PF0_RSMU_DATA>() * 4ull, value);
  }
  template <class R>
  void set(std::initializer_list<regs::FieldValue<R>> fields) {
    write<R>(map.encode<R>(read<R>(), fields));
  }
  template <class R>
  std::uint32_t field(regs::Field<R> f) {
    return map.decode<R>(read<R>())[f];
  }
  template <class R>
  bool poll(std::uint32_t mask, std::uint32_t value) {
    return eventually([&] { return (read<R>() & mask) == value; }, patience);
  }

  void put(std::uint64_t offset, Bytes bytes) { vram.write_block(offset, bytes); }
  template <class T>
  void put(std::uint64_t offset, const T& v) {
    put(offset, std::as_bytes(std::span(&v, 1)));
  }
  template <class T>
  T get(std::uint64_t offset) {
    T v;
    vram.read_block(offset, std::as_writable_bytes(std::span(&v, 1)));
    return v;
  }
  void hdp_flush() {
    const std::uint32_t at = read<regs::BIF_BX0_REMAP_HDP_MEM_FLUSH_CNTL>();
    if (at != ~0u) mmio.write32(at & ~3u, 0);  // all ones: the device is gone
  }
  std::uint64_t fb_base() { return std::uint64_t{read<regs::MMMC_VM_FB_LOCATION_BASE>() & 0xffffff} << 24; }
  std::uint64_t mc(std::uint64_t offset) { return fb_base() + offset; }

  // A mode1 reset has begun: the function does not answer, or answers without the state it had. It is gone for a few
  // milliseconds only, which a test on a busy machine may sleep through.
  bool reset_began() {
    return *function->config_read(pci::kVendorId, 2) == 0xffff ||
           !(*function->config_read(pci::kCommand, 2) & pci::kCommandMemory);
  }
  bool saw(std::string_view rule) { return device->referee().saw(rule); }
  std::string said() {
    std::string s;
    for (const Violation& v : device->referee().violations()) s += v.rule + " at " + v.where + ": " + v.text + "\n";
    return s;
  }
  bool clean() { return device->referee().violations().empty(); }

  // ---- Boot, step by step.

  bool wait_bootloader() {
    return poll<regs::MP0_SMN_C2PMSG_33>(psp::kMailboxReady, psp::kMailboxReady) &&
           poll<regs::MP0_SMN_C2PMSG_35>(psp::kMailboxReady, psp::kMailboxReady);
  }
  void setup_mm_hub() {
    using L1 = regs::MMMC_VM_MX_L1_TLB_CNTL;
    const std::uint64_t base = fb_base(), end = base + kVram - 1;
    write<regs::MMMC_VM_SYSTEM_APERTURE_LOW_ADDR>(static_cast<std::uint32_t>(base >> 18));
    write<regs::MMMC_VM_SYSTEM_APERTURE_HIGH_ADDR>(static_cast<std::uint32_t>(end >> 18));
    write<L1>(map.encode<L1>(
        0, {L1::ENABLE_L1_TLB(1), L1::SYSTEM_ACCESS_MODE(3), L1::ENABLE_ADVANCED_DRIVER_MODEL(1), L1::MTYPE(3)}));
  }
  Bytes file(const std::string& name) const { return synthetic_firmware().at(name); }
  Bytes sos_component(std::uint32_t type) const {
    const ByteReader r(file("psp_13_0_0_sos.bin"), "sos");
    const auto h = *r.get<fw::PspHeaderV2_0>(0);
    for (std::uint32_t i = 0; i < h.psp_fw_bin_count; ++i) {
      const auto d = *r.get<fw::PspBinDesc>(sizeof h + i * sizeof(fw::PspBinDesc));
      if (d.fw_type == type) return *r.slice(h.header.ucode_array_offset_bytes + d.offset_bytes, d.size_bytes);
    }
    return {};
  }
  // One bootloader command; returns C2PMSG_35 afterwards.
  std::uint32_t bootloader(std::uint32_t command, Bytes content, std::uint64_t at = kBuffer) {
    put(at, content);
    hdp_flush();
    write<regs::MP0_SMN_C2PMSG_36>(static_cast<std::uint32_t>(mc(at) >> 20));
    write<regs::MP0_SMN_C2PMSG_35>(command);
    if (command != psp::PSP_BL__LOAD_SOSDRV) poll<regs::MP0_SMN_C2PMSG_35>(psp::kMailboxReady, psp::kMailboxReady);
    return read<regs::MP0_SMN_C2PMSG_35>();
  }
  bool start_sos() {
    const Bytes kdb = sos_component(fw::PSP_FW_TYPE_PSP_KDB);
    const auto loaded = [&](std::uint32_t command, Bytes content) {
      return bootloader(command, content) == psp::kMailboxReady;
    };
    if (!loaded(psp::PSP_BL__LOAD_KEY_DATABASE, kdb) || !loaded(psp::PSP_BL__LOAD_TOS_SPL_TABLE, kdb) ||
        !loaded(psp::PSP_BL__LOAD_SYSDRV, sos_component(fw::PSP_FW_TYPE_PSP_SYS_DRV)))
      return false;
    bootloader(psp::PSP_BL__LOAD_SOSDRV, sos_component(fw::PSP_FW_TYPE_PSP_SOS));
    return eventually([&] { return read<regs::MP0_SMN_C2PMSG_81>() != 0; }, patience);
  }
  std::uint32_t create_ring(std::uint64_t address, std::uint32_t bytes = 0x10000) {
    poll<regs::MP0_SMN_C2PMSG_64>(psp::kMailboxReady, psp::kMailboxReady);
    write<regs::MP0_SMN_C2PMSG_69>(lo32(address));
    write<regs::MP0_SMN_C2PMSG_70>(hi32(address));
    write<regs::MP0_SMN_C2PMSG_71>(bytes);
    write<regs::MP0_SMN_C2PMSG_64>(psp::GFX_CTRL_CMD_ID_INIT_GPCOM_RING);
    poll<regs::MP0_SMN_C2PMSG_64>(psp::kMailboxReady, psp::kMailboxReady);
    return read<regs::MP0_SMN_C2PMSG_64>();
  }
  // Sends a command and waits for its fence; false: no answer within half a second.
  bool submit(psp::Command& c, bool flush = true) {
    const std::uint32_t wptr = read<regs::MP0_SMN_C2PMSG_67>();
    psp::RingFrame f{};
    f.cmd_buf_addr_lo = lo32(mc(kCommand));
    f.cmd_buf_addr_hi = hi32(mc(kCommand));
    f.fence_addr_lo = lo32(mc(kFence));
    f.fence_addr_hi = hi32(mc(kFence));
    f.fence_value = ++fence_;
    put(kCommand, c);
    put(kPspRing + wptr * 4, f);
    put(kFence, std::uint32_t{0});
    if (flush) hdp_flush();
    write<regs::MP0_SMN_C2PMSG_67>((wptr + 16) % (0x10000 / 4));
    if (!eventually([&] { return get<std::uint32_t>(kFence) == fence_; }, std::min<Clock::duration>(patience, 500ms)))
      return false;
    c = get<psp::Command>(kCommand);
    return true;
  }
  std::uint32_t load_toc(Bytes toc) {
    put(kBuffer, toc);
    psp::Command c{};
    c.cmd_id = psp::GFX_CMD_ID_LOAD_TOC;
    c.cmd.load_toc = {lo32(mc(kBuffer)), hi32(mc(kBuffer)), static_cast<std::uint32_t>(toc.size())};
    if (!submit(c)) return ~0u;
    tmr_bytes = c.resp.tmr_size;
    return c.resp.status;
  }
  std::uint32_t setup_tmr(psp::SetupTmr t) {
    psp::Command c{};
    c.cmd_id = psp::GFX_CMD_ID_SETUP_TMR;
    c.cmd.setup_tmr = t;
    return submit(c) ? c.resp.status : ~0u;
  }
  psp::SetupTmr good_tmr() {
    return {lo32(mc(kTmr)), hi32(mc(kTmr)), tmr_bytes, psp::kTmrVirtPhyAddr, lo32(kTmr), hi32(kTmr)};
  }
  std::uint32_t load_fw(std::uint32_t type, Bytes content, bool flush = true) {
    put(kBuffer, content);
    psp::Command c{};
    c.cmd_id = psp::GFX_CMD_ID_LOAD_IP_FW;
    c.cmd.load_ip_fw = {lo32(mc(kBuffer)), hi32(mc(kBuffer)), static_cast<std::uint32_t>(content.size()), type};
    return submit(c, flush) ? c.resp.status : ~0u;
  }
  std::uint32_t simple_command(std::uint32_t id) {
    psp::Command c{};
    c.cmd_id = id;
    return submit(c) ? c.resp.status : ~0u;
  }
  Bytes part(const std::string& name, std::uint64_t offset, std::uint64_t size) const {
    return file(name).subspan(offset, size);
  }
  Bytes smu_firmware() const { return part("smu_13_0_0.bin", 0x100, 0x3fe00); }
  // The graphics set in the order of a compute-only driver, without RLC_G.
  std::vector<std::pair<std::uint32_t, Bytes>> graphics_firmware() const {
    const ByteReader mec(file("gc_11_0_0_mec.bin"), "mec"), rlc(file("gc_11_0_0_rlc.bin"), "rlc"),
        sdma(file("sdma_6_0_0.bin"), "sdma");
    const auto m = *mec.get<fw::GfxHeaderV2_0>(0);
    const auto r = *rlc.get<fw::RlcHeaderV2_3>(0);
    const auto s = *sdma.get<fw::SdmaHeaderV2_0>(0);
    return {
        {psp::GFX_FW_TYPE_SDMA_UCODE_TH1, *sdma.slice(s.ctl_ucode_offset, s.ctl_ucode_size_bytes)},
        {psp::GFX_FW_TYPE_SDMA_UCODE_TH0, *sdma.slice(0x100, s.ctx_ucode_size_bytes)},
        {psp::GFX_FW_TYPE_RS64_MEC, *mec.slice(m.ucode_offset_bytes, m.ucode_size_bytes)},
        {psp::GFX_FW_TYPE_RS64_MEC_P0_STACK, *mec.slice(m.data_offset_bytes, m.data_size_bytes)},
        {psp::GFX_FW_TYPE_IMU_I, part("gc_11_0_0_imu.bin", 0x100, 0x10200)},
        {psp::GFX_FW_TYPE_IMU_D, part("gc_11_0_0_imu.bin", 0x10300, 0x10200)},
        {psp::GFX_FW_TYPE_RLC_IRAM, *rlc.slice(r.v2_2.rlc_iram_ucode_offset_bytes, r.v2_2.rlc_iram_ucode_size_bytes)},
        {psp::GFX_FW_TYPE_RLC_DRAM_BOOT,
         *rlc.slice(r.v2_2.rlc_dram_ucode_offset_bytes, r.v2_2.rlc_dram_ucode_size_bytes)},
        {psp::GFX_FW_TYPE_RLC_P, *rlc.slice(r.rlcp_ucode_offset_bytes, r.rlcp_ucode_size_bytes)},
        {psp::GFX_FW_TYPE_RLC_V, *rlc.slice(r.rlcv_ucode_offset_bytes, r.rlcv_ucode_size_bytes)},
    };
  }
  Bytes rlc_g() const { return part("gc_11_0_0_rlc.bin", 0x100, 0x6200); }

  bool boot_to_ring() {
    if (!wait_bootloader()) return false;
    setup_mm_hub();
    return start_sos() && create_ring(mc(kPspRing)) == psp::kMailboxReady;
  }
  bool boot_to_smu() {
    return boot_to_ring() && load_toc(sos_component(fw::PSP_FW_TYPE_PSP_TOC)) == 0 &&
           load_fw(psp::GFX_FW_TYPE_SMU, smu_firmware()) == 0;
  }
  bool boot_to_tmr() { return boot_to_smu() && setup_tmr(good_tmr()) == 0; }
  bool boot_all() {
    if (!boot_to_tmr()) return false;
    for (const auto& [type, content] : graphics_firmware())
      if (load_fw(type, content) != 0) return false;
    if (load_fw(psp::GFX_FW_TYPE_RLC_G, rlc_g()) != 0) return false;
    if (simple_command(psp::GFX_CMD_ID_AUTOLOAD_RLC) != 0) return false;
    using S = regs::RLC_RLCS_BOOTLOAD_STATUS;
    return eventually([&] { return read<regs::CP_STAT>() == 0 && field(S::BOOTLOAD_COMPLETE) == 1; });
  }

  // An SMU message the way smu_cmn.c sends it. Returns the response; 0 when none came.
  std::uint32_t message(std::uint32_t id, std::uint32_t argument = 0, std::uint32_t* out = nullptr) {
    write<regs::MP1_SMN_C2PMSG_90>(0);
    write<regs::MP1_SMN_C2PMSG_82>(argument);
    write<regs::MP1_SMN_C2PMSG_66>(id);
    eventually([&] { return read<regs::MP1_SMN_C2PMSG_90>() != 0; }, 300ms);
    const std::uint32_t response = read<regs::MP1_SMN_C2PMSG_90>();
    if (out && response == smu::PPSMC_Result_OK) *out = read<regs::MP1_SMN_C2PMSG_82>();
    return response;
  }

  std::shared_ptr<Device> device;
  std::unique_ptr<pci::Function> function;
  regs::RegisterMap map = std::move(regs::RegisterMap::build(navi31_blocks())).value();
  pci::Mmio vram, doorbells, mmio;
  std::uint32_t tmr_bytes = 0;
  std::atomic<const char*> failing{nullptr};  // fault point that fails from now on
  std::atomic<bool> failed{false};            // it was reached
  Clock::duration patience = 2s;              // of every wait

 private:
  Options options_;
  std::uint32_t fence_ = 0;
};

}  // namespace hcq::models::am::test
