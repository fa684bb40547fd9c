// SPDX-License-Identifier: MIT
// The interrupt handler of the Navi31 model, on a bench of its own: ring entries, pointers, overflow, MSI.
#include <gtest/gtest.h>

#include <cstring>
#include <thread>

#include "drivers/am/abi/ih.h"
#include "models/am/discovery.h"
#include "models/am/interrupts.h"
#include "models/am/memory.h"
#include "models/core/host_memory.h"

namespace hcq::models::am {
namespace {

using namespace std::chrono_literals;
namespace ih = hcq::am::abi::ih;
using C = regs::IH_RB_CNTL;
using C1 = regs::IH_RB_CNTL_RING1;

constexpr std::uint64_t kVram = 64ull << 20, kRing0 = 0x100000, kRing1 = 0x140000, kWptr = 0x180000;
constexpr std::uint32_t kEntries = 32;  // a small ring overflows soon
constexpr std::uint32_t kRingLog2 = 8;  // of dwords

class Ih : public ::testing::Test {
 protected:
  Ih()
      : host(std::make_shared<HostMemory>("test", 1)),
        irq(std::move(pci::EventIrq::create()).value()),
        chip(options(), std::move(regs::RegisterMap::build(navi31_blocks())).value(),
             std::move(SparseMemory::create(kVram, 1)).value()),
        memory(chip),
        interrupts(chip) {
    chip.memory = &memory;
    host->set_irq(irq.get());
    host->set_bus_master(true);
    chip.host = host.get();
    chip.bus_master = true;
    chip.msi_enabled = true;
    using L1 = regs::MMMC_VM_MX_L1_TLB_CNTL;
    write<regs::MMMC_VM_SYSTEM_APERTURE_LOW_ADDR>(static_cast<std::uint32_t>(chip.fb_base >> 18));
    write<regs::MMMC_VM_SYSTEM_APERTURE_HIGH_ADDR>(static_cast<std::uint32_t>((chip.fb_base + kVram - 1) >> 18));
    write<L1>(chip.registers.map().encode<L1>(
        0, {L1::ENABLE_L1_TLB(1), L1::SYSTEM_ACCESS_MODE(3), L1::ENABLE_ADVANCED_DRIVER_MODEL(1), L1::MTYPE(3)}));
  }
  ~Ih() override { chip.timer.stop(); }
  static Options options() {
    Options o;
    o.policy = Policy::record;
    return o;
  }

  template <class R>
  void write(std::uint32_t v) {
    chip.registers.bank().write(chip.registers.address<R>(), v);
  }
  template <class R>
  std::uint32_t read() {
    return chip.registers.bank().read(chip.registers.address<R>());
  }
  std::uint32_t control(bool enable, bool rearm = true) {
    return chip.registers.map().encode<C>(
        0, {C::MC_SPACE(4), C::RB_SIZE(kRingLog2), C::MC_SNOOP(1), C::WPTR_OVERFLOW_ENABLE(1), C::RPTR_REARM(rearm),
            C::RB_ENABLE(enable), C::ENABLE_INTR(enable)});
  }
  void start(bool rearm = true) {
    const std::uint64_t mc = chip.fb_base + kRing0;
    write<regs::IH_RB_BASE>(lo32(mc >> 8));
    write<regs::IH_RB_BASE_HI>(hi32(mc >> 8));
    write<C>(control(false, rearm));
    write<regs::IH_RB_WPTR>(0);
    write<regs::IH_RB_RPTR>(0);
    write<C>(control(true, rearm));
  }
  void start_ring1() {
    const std::uint64_t mc = chip.fb_base + kRing1;
    write<regs::IH_RB_BASE_RING1>(lo32(mc >> 8));
    write<regs::IH_RB_BASE_HI_RING1>(hi32(mc >> 8));
    const std::uint32_t v = chip.registers.map().encode<C1>(
        0, {C1::MC_SPACE(4), C1::RB_SIZE(kRingLog2), C1::MC_SNOOP(1), C1::RB_FULL_DRAIN_ENABLE(1), C1::RB_ENABLE(1)});
    write<C1>(v);
  }
  void post(unsigned n, std::uint8_t source = ih::CP_EOP_INTERRUPT) {
    for (unsigned i = 0; i < n; ++i)
      interrupts.post(
          {.client = ih::SOC21_IH_CLIENTID_GRBM_CP, .source = source, .vmid = 2, .context = {++serial, 7, 8, 9}});
  }
  bool wptr_becomes(std::uint32_t v) {
    for (int i = 0; i < 2000; ++i) {
      if (read<regs::IH_RB_WPTR>() == v) return true;
      std::this_thread::sleep_for(100us);
    }
    return false;
  }
  std::uint32_t entry(std::uint64_t ring, std::uint32_t index, unsigned dword) {
    std::uint32_t v;
    std::memcpy(&v, chip.vram->at(ring + index * 32 + dword * 4, 4), 4);
    return v;
  }
  bool interrupted(std::chrono::milliseconds limit = 200ms) { return *irq->wait(Deadline::in(limit)); }
  bool saw(const char* rule) { return chip.referee.saw(rule); }

  std::shared_ptr<HostMemory> host;
  std::unique_ptr<pci::EventIrq> irq;
  Chip chip;
  Memory memory;
  Interrupts interrupts;
  std::uint32_t serial = 0;
};

TEST_F(Ih, EntryThenPointerThenMessage) {
  start();
  post(1);
  ASSERT_TRUE(interrupted());
  EXPECT_EQ(read<regs::IH_RB_WPTR>(), 32u) << "a byte offset";
  EXPECT_EQ(ih::dw0::CLIENT_ID.in(entry(kRing0, 0, 0)), 20u);
  EXPECT_EQ(ih::dw0::SOURCE_ID.in(entry(kRing0, 0, 0)), 181u);
  EXPECT_EQ(ih::dw0::VMID.in(entry(kRing0, 0, 0)), 2u);
  EXPECT_EQ(entry(kRing0, 0, 4), 1u);
  EXPECT_EQ(entry(kRing0, 0, 7), 9u);
  EXPECT_TRUE(chip.referee.violations().empty());
}

TEST_F(Ih, NextMessageOnlyAfterTheReadPointerMoved) {
  start();
  post(1);
  ASSERT_TRUE(interrupted());
  post(1);
  ASSERT_TRUE(wptr_becomes(64));
  EXPECT_FALSE(interrupted(20ms)) << "not armed";
  write<regs::IH_RB_RPTR>(32);
  EXPECT_TRUE(interrupted()) << "there is still one entry";
  write<regs::IH_RB_RPTR>(64);
  EXPECT_FALSE(interrupted(20ms)) << "the ring is empty";
  post(1);
  EXPECT_TRUE(interrupted());
}

TEST_F(Ih, ReadPointerByDoorbell) {
  using D = regs::IH_DOORBELL_RPTR;
  start();
  write<D>(chip.registers.map().encode<D>(0, {D::OFFSET(0x1f4), D::ENABLE(1)}));
  post(2);
  ASSERT_TRUE(wptr_becomes(2 * ih::kEntryBytes));
  interrupts.doorbell(0x1f4, ih::kEntryBytes + 4);
  EXPECT_TRUE(saw("ih.rptr"));
  chip.referee.clear();
  interrupts.doorbell(0x1f4, 2 * ih::kEntryBytes);
  post(kEntries - 2);
  EXPECT_TRUE(wptr_becomes(0)) << "the ring has been read";
  EXPECT_TRUE(chip.referee.violations().empty());
  interrupts.doorbell(0x1f6, 0);
  EXPECT_TRUE(saw("ih.doorbell_unowned"));
}

TEST_F(Ih, WithoutRearmThereIsOneMessageOnly) {
  start(false);
  post(1);
  ASSERT_TRUE(interrupted());
  write<regs::IH_RB_RPTR>(32);
  post(1);
  ASSERT_TRUE(wptr_becomes(64));
  EXPECT_FALSE(interrupted(20ms));
}

TEST_F(Ih, ReadPointerIsInBytes) {
  start();
  post(3);
  ASSERT_TRUE(wptr_becomes(96));
  write<regs::IH_RB_RPTR>(8);  // an entry, counted in dwords
  EXPECT_TRUE(saw("ih.rptr"));
  chip.referee.clear();
  write<regs::IH_RB_RPTR>(kEntries * 32);
  EXPECT_TRUE(saw("ih.rptr"));
}

TEST_F(Ih, ReadPointerPastTheWritePointer) {
  start();
  post(2);
  ASSERT_TRUE(wptr_becomes(64));
  write<regs::IH_RB_RPTR>(160);
  EXPECT_TRUE(saw("ih.rptr_beyond"));
}

TEST_F(Ih, OverflowWhenNobodyReads) {
  start();
  post(kEntries + 3);
  ASSERT_TRUE(wptr_becomes(3 * 32 | 1)) << "RB_OVERFLOW is bit 0";
  // Clear as ih_v6_0_get_wptr does and start over behind the write pointer.
  write<regs::IH_RB_RPTR>(4 * 32);
  write<C>(control(true) | chip.registers.mask<C>({C::WPTR_OVERFLOW_CLEAR}));
  write<C>(control(true));
  EXPECT_EQ(read<regs::IH_RB_WPTR>(), 3u * 32);
  EXPECT_TRUE(chip.referee.violations().empty());
  EXPECT_EQ(entry(kRing0, 4, 4), 5u) << "the oldest entry that was not overwritten";
  post(1);
  EXPECT_TRUE(wptr_becomes(4 * 32 | 1)) << "still full: the reader did not advance";
}

TEST_F(Ih, WrapsAround) {
  start();
  for (unsigned i = 0; i < 100; ++i) {
    post(1);
    const std::uint32_t next = (i + 1) % kEntries * 32;
    ASSERT_TRUE(wptr_becomes(next));
    EXPECT_EQ(entry(kRing0, i % kEntries, 4), i + 1);
    write<regs::IH_RB_RPTR>(next);
  }
  EXPECT_TRUE(chip.referee.violations().empty());
}

TEST_F(Ih, WritePointerWriteBack) {
  const std::uint64_t mc = chip.fb_base + kWptr;
  write<regs::IH_RB_WPTR_ADDR_LO>(lo32(mc));
  write<regs::IH_RB_WPTR_ADDR_HI>(hi32(mc));
  start();
  write<C>(control(true) | chip.registers.mask<C>({C::WPTR_WRITEBACK_ENABLE}));
  post(2);
  ASSERT_TRUE(wptr_becomes(64));
  std::uint32_t v;
  std::memcpy(&v, chip.vram->at(kWptr, 4), 4);
  EXPECT_EQ(v, 64u);
}

TEST_F(Ih, ChosenSourcesGoToRing1) {
  using D = regs::IH_RING1_CLIENT_CFG_DATA;
  start();
  start_ring1();
  write<regs::IH_RING1_CLIENT_CFG_INDEX>(0);
  write<D>(chip.registers.map().encode<D>(
      0, {D::CLIENT_ID(ih::SOC21_IH_CLIENTID_GRBM_CP), D::SOURCE_ID(200), D::SOURCE_ID_MATCH_ENABLE(1)}));
  post(1, 200);
  post(1, 181);
  ASSERT_TRUE(wptr_becomes(32));
  EXPECT_EQ(read<regs::IH_RB_WPTR_RING1>(), 32u);
  EXPECT_EQ(ih::dw0::SOURCE_ID.in(entry(kRing1, 0, 0)), 200u);
  EXPECT_EQ(ih::dw0::SOURCE_ID.in(entry(kRing0, 0, 0)), 181u);
}

TEST_F(Ih, RingByOffsetInsteadOfMcAddress) {
  write<regs::IH_RB_BASE>(kRing0 >> 8);
  write<regs::IH_RB_BASE_HI>(0);
  write<C>(control(true));
  EXPECT_TRUE(saw("ih.ring_config"));
}

TEST_F(Ih, RingInAnotherAddressSpace) {
  const std::uint64_t mc = chip.fb_base + kRing0;
  write<regs::IH_RB_BASE>(lo32(mc >> 8));
  write<regs::IH_RB_BASE_HI>(hi32(mc >> 8));
  write<C>(chip.registers.map().encode<C>(control(true), {C::MC_SPACE(2)}));
  EXPECT_TRUE(saw("ih.ring_config"));
}

TEST_F(Ih, ChangesWhileEnabled) {
  start();
  write<regs::IH_RB_BASE>(0);
  EXPECT_TRUE(saw("ih.base_while_enabled"));
  write<regs::IH_RB_WPTR>(0);
  EXPECT_TRUE(saw("ih.wptr_while_enabled"));
}

TEST_F(Ih, EnabledWithPointersApart) {
  write<regs::IH_RB_WPTR>(64);
  write<C>(control(true));
  EXPECT_TRUE(saw("ih.pointers"));
}

TEST_F(Ih, MessageWithoutBusMastering) {
  start();
  chip.bus_master = false;
  post(1);
  ASSERT_TRUE(wptr_becomes(32));
  EXPECT_FALSE(interrupted(20ms));
  EXPECT_TRUE(saw("pci.bus_master_off"));
}

TEST_F(Ih, MessageCanGetLost) {
  chip.faults.hook = [](std::string_view p) { return p == "ih/lost_interrupt"; };
  start();
  post(1);
  ASSERT_TRUE(wptr_becomes(32));
  EXPECT_FALSE(interrupted(20ms));
  EXPECT_TRUE(chip.referee.violations().empty());
}

}  // namespace
}  // namespace hcq::models::am
