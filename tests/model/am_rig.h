// SPDX-License-Identifier: MIT
// A bench for the blocks of the AMD model, without PCI and boot: registers, VRAM, host memory and the memory side, plus
// the steps a correct driver takes (hub setup, page tables, TLB invalidation), so that a test can take one wrongly.
#pragma once

#include <gtest/gtest.h>

#include <cstring>
#include <memory>
#include <thread>
#include <vector>

#include "base/deadline.h"
#include "models/am/hub_registers.h"
#include "models/am/memory.h"
#include "models/am/nbio.h"
#include "models/core/host_memory.h"

namespace hcq::models::am::test {

using regs::IpBlock;
using regs::RegisterMap;
using namespace std::chrono_literals;

inline RegisterMap navi31_registers() {
  using regs::Ip;
  const std::vector<std::uint32_t> mp = {0x16000, 0xdc0000, 0xe00000, 0xe40000, 0x243fc00};
  const std::vector<IpBlock> blocks = {
      {Ip::gc, 0, 11, 0, 0, {0x1260, 0xa000, 0x1c000, 0x2402c00}},
      {Ip::mmhub, 0, 3, 0, 0, {0x1a000, 0x2408800}},
      {Ip::nbio, 0, 4, 3, 0, {0, 0x14, 0xd20, 0x10400, 0x241b000, 0x4040000}},
      {Ip::hdp, 0, 6, 0, 0, {0xf20, 0x240a400}},
      {Ip::osssys, 0, 6, 0, 0, {0x10a0, 0x240a000}},
      {Ip::mp0, 0, 13, 0, 0, mp},
      {Ip::mp1, 0, 13, 0, 0, mp},
  };
  auto map = RegisterMap::build(blocks);
  if (!map.ok()) ADD_FAILURE() << describe(map.error());
  return std::move(map).value();
}

class Interrupts final : public InterruptPort {
 public:
  void post(const IhEntry& e) override {
    const std::lock_guard lock(mutex_);
    entries_.push_back(e);
  }
  void doorbell(std::uint32_t, std::uint64_t) override {}
  std::vector<IhEntry> entries() const {
    const std::lock_guard lock(mutex_);
    return entries_;
  }
  bool saw(unsigned client, unsigned source) const {
    for (const IhEntry& e : entries())
      if (e.client == client && e.source == source) return true;
    return false;
  }

 private:
  mutable std::mutex mutex_;
  std::vector<IhEntry> entries_;
};

// Waits until `condition` holds; false after two seconds.
template <class F>
bool eventually(F&& condition) {
  const auto deadline = Deadline::in(2s);
  Backoff backoff;
  while (!condition()) {
    if (deadline.expired()) return false;
    backoff.pause();
  }
  return true;
}

inline constexpr std::uint64_t kVram = 64ull << 20;
inline constexpr std::uint64_t kVaBase = 0x2000'0000'0000;
inline constexpr std::uint64_t kRoot = 0x10000;  // VRAM offset of the root table
inline constexpr std::uint64_t kLeaf = pt::kValid | pt::kReadable | pt::kWriteable | pt::kExecutable;
inline constexpr std::uint64_t kUc = 3ull << 48;  // MTYPE UC on gfx11
inline constexpr std::uint64_t kSystemLeaf = kLeaf | pt::kSystem | pt::kSnooped | kUc;

class MemoryRig {
 public:
  explicit MemoryRig(std::uint64_t seed = 1)
      : host(std::make_shared<HostMemory>("test", seed)),
        chip(Options{.seed = seed, .policy = Policy::record, .extra = {}}, navi31_registers(),
             std::move(SparseMemory::create(kVram, seed)).value()) {
    chip.memory = &memory;
    chip.interrupts = &interrupts;
    chip.host = host.get();
    chip.bus_master = true;
    host->set_bus_master(true);
  }

  ~MemoryRig() { chip.timer.stop(); }

  template <class R>
  void write(std::uint32_t value, unsigned index = 0) {
    chip.registers.bank().write(chip.registers.address<R>(index), value);
  }
  template <class R>
  std::uint32_t read(unsigned index = 0) {
    return chip.registers.bank().read(chip.registers.address<R>(index));
  }
  bool saw(std::string_view rule) const { return chip.referee.saw(rule); }
  // The list of violations as text, for messages.
  std::string said() const {
    std::string s;
    for (const Violation& v : chip.referee.violations()) s += v.rule + " at " + v.where + ": " + v.text + "\n";
    return s;
  }

  template <class H>
  void setup_hub(std::uint32_t depth = 3) {
    using L1 = typename H::L1TlbCntl;
    using C = typename H::ContextCntl;
    const RegisterMap& m = chip.registers.map();
    const std::uint64_t fb_end = chip.fb_base + kVram - 1;
    write<typename H::ApertureLow>(static_cast<std::uint32_t>(chip.fb_base >> 18));
    write<typename H::ApertureHigh>(static_cast<std::uint32_t>(fb_end >> 18));
    write<L1>(m.encode<L1>(
        0, {L1::ENABLE_L1_TLB(1), L1::SYSTEM_ACCESS_MODE(3), L1::ENABLE_ADVANCED_DRIVER_MODEL(1), L1::MTYPE(3)}));
    write<typename H::StartLo>(lo32(kVaBase >> 12));
    write<typename H::StartHi>(hi32(kVaBase >> 12));
    write<typename H::EndLo>(lo32(kVaEnd >> 12));
    write<typename H::EndHi>(hi32(kVaEnd >> 12));
    write<typename H::BaseLo>(kRoot | 1);
    write<typename H::BaseHi>(0);
    write<C>(
        m.encode<C>(0, {C::ENABLE_CONTEXT(1), C::PAGE_TABLE_DEPTH(depth), C::RANGE_PROTECTION_FAULT_ENABLE_INTERRUPT(1),
                        C::PDE0_PROTECTION_FAULT_ENABLE_INTERRUPT(1), C::VALID_PROTECTION_FAULT_ENABLE_INTERRUPT(1),
                        C::READ_PROTECTION_FAULT_ENABLE_INTERRUPT(1), C::WRITE_PROTECTION_FAULT_ENABLE_INTERRUPT(1),
                        C::EXECUTE_PROTECTION_FAULT_ENABLE_INTERRUPT(1)}));
    for (unsigned e = 0; e < 18; ++e) {
      write<typename H::RangeLo>(0xffffffff, e);
      write<typename H::RangeHi>(0x1f, e);
    }
  }
  void setup_hubs() {
    zero(kRoot, 4096);
    setup_hub<GcHub>();
    setup_hub<MmHub>();
  }

  template <class H>
  std::uint32_t whole_request(unsigned vmid = 0) {
    using Q = typename H::Req;
    return chip.registers.map().encode<Q>(
        0, {Q::PER_VMID_INVALIDATE_REQ(1u << vmid), Q::INVALIDATE_L2_PTES(1), Q::INVALIDATE_L2_PDE0(1),
            Q::INVALIDATE_L2_PDE1(1), Q::INVALIDATE_L2_PDE2(1), Q::INVALIDATE_L1_PTES(1)});
  }
  // As a correct driver does it, on engine 17.
  void flush_tlb() {
    write<GcHub::Req>(whole_request<GcHub>(), 17);
    EXPECT_TRUE(eventually([&] { return read<GcHub::Ack>(17) & 1; }));
    EXPECT_TRUE(eventually([&] { return read<MmHub::Sem>(17) & 1; }));
    write<MmHub::Req>(whole_request<MmHub>(), 17);
    EXPECT_TRUE(eventually([&] { return read<MmHub::Ack>(17) & 1; }));
    write<MmHub::Sem>(0, 17);
  }

  // VRAM as the host writes it: through the HDP, then flushed.
  void poke(std::uint64_t offset, std::uint64_t value) {
    memory.host_write(offset, std::as_bytes(std::span(&value, 1)));
    memory.hdp_flush();
  }
  void zero(std::uint64_t offset, std::size_t bytes) {
    const std::vector<std::byte> z(bytes);
    memory.host_write(offset, z);
    memory.hdp_flush();
  }
  template <class T = std::uint64_t>
  T vram(std::uint64_t offset) {
    T v;
    copy_words(reinterpret_cast<std::byte*>(&v), chip.vram->at(offset, sizeof v), sizeof v);
    return v;
  }
  std::uint64_t entry(std::uint64_t offset) { return vram<std::uint64_t>(offset); }

  // Offset in VRAM of the entry for `va` at `level`, making the tables above it.
  std::uint64_t entry_at(std::uint64_t va, pt::Level level = pt::Level::PTB) {
    const std::uint64_t relative = va - kVaBase;
    std::uint64_t table = kRoot;
    for (unsigned n = 0;; ++n) {
      const std::uint64_t at = table + (relative >> pt::coverage_shift(static_cast<pt::Level>(n)) & 511) * 8;
      if (n == static_cast<unsigned>(level)) return at;
      if (!(entry(at) & pt::kValid)) {
        zero(next_table_, 4096);
        poke(at, (next_table_ + fb_offset) | pt::kValid);
        next_table_ += 4096;
      }
      table = pt::table_address(entry(at)) - fb_offset;
    }
  }
  // Maps [va, va + bytes) page by page to `address` on.
  void map(std::uint64_t va, std::uint64_t address, std::uint64_t bytes, std::uint64_t flags = kLeaf) {
    for (std::uint64_t o = 0; o < bytes; o += 4096) poke(entry_at(va + o), (address + o) | flags);
  }
  // Host memory, mapped at `va`.
  std::byte* map_host(std::uint64_t va, std::size_t bytes, std::uint64_t flags = kSystemLeaf) {
    auto m = host->allocate(bytes, {});
    EXPECT_TRUE(m.ok());
    dma.push_back(std::move(m).value());
    for (std::size_t i = 0; i < dma.back()->pages().size(); ++i)
      poke(entry_at(va + i * 4096), dma.back()->pages()[i] | flags);
    return dma.back()->data();
  }

  static constexpr std::uint64_t kVaEnd = kVaBase + (1ull << 44) - 1;
  std::shared_ptr<HostMemory> host;
  std::vector<std::unique_ptr<pci::DmaMemory>> dma;
  Interrupts interrupts;
  Chip chip;
  Memory memory{chip};
  Nbio nbio{chip};
  std::uint64_t fb_offset = 0;

 private:
  std::uint64_t next_table_ = kRoot + 4096;
};

inline constexpr Requester kShader{.client = ClientId::tcp};
inline constexpr Requester kMmEngine{.client = ClientId::sdma0, .hub = HubKind::mm};

}  // namespace hcq::models::am::test
