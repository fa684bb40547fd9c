// SPDX-License-Identifier: MIT
// What the blocks of the Navi31 model share: host memory through the IOMMU, soft reset, fatal error bits.
#include <gtest/gtest.h>

#include <chrono>
#include <thread>

#include "models/am/discovery.h"
#include "models/am/nbio.h"
#include "models/am/rlc.h"
#include "models/core/host_memory.h"

namespace hcq::models::am {
namespace {

class Listener final : public Block {
 public:
  void reset(Reset) override {}
  void soft_reset(std::uint32_t bits, bool asserted) override { (asserted ? set : cleared) |= bits; }
  std::uint32_t set = 0, cleared = 0;
};

class ChipTest : public ::testing::Test {
 protected:
  ChipTest()
      : chip(options(), std::move(regs::RegisterMap::build(navi31_blocks())).value(),
             std::move(SparseMemory::create(64ull << 20, 1)).value()),
        nbio(chip),
        rlc(chip) {
    chip.host = host.get();
    chip.bus_master = true;
    host->set_bus_master(true);
    chip.rlc_booted = true;
    chip.blocks = {&nbio, &rlc, &listener};
  }
  ~ChipTest() override { chip.timer.stop(); }
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
  bool saw(const char* rule) { return chip.referee.saw(rule); }

  std::shared_ptr<HostMemory> host = std::make_shared<HostMemory>("test", 1);
  Chip chip;
  Nbio nbio;
  Rlc rlc;
  Listener listener;
};

TEST_F(ChipTest, DmaReachesWhatTheHostHandedOut) {
  auto m = *host->allocate(8192, {});
  EXPECT_EQ(chip.dma("SDMA0", m->pages()[1] + 8, 8, true), m->data() + 4096 + 8);
  EXPECT_TRUE(chip.referee.violations().empty());
}

TEST_F(ChipTest, DmaWithBusMasteringOff) {
  auto m = *host->allocate(4096, {});
  chip.bus_master = false;
  EXPECT_EQ(chip.dma("SDMA0", m->pages()[0], 8, true), nullptr);
  EXPECT_TRUE(saw("pci.bus_master_off"));
}

TEST_F(ChipTest, DmaToAnAddressNobodyHandedOut) {
  EXPECT_EQ(chip.dma("SDMA0", 0x1234'5000, 8, false), nullptr);
  EXPECT_TRUE(saw("pci.dma_unmapped"));
}

TEST_F(ChipTest, DmaToFreedMemory) {
  auto m = *host->allocate(4096, {});
  const std::uint64_t bus = m->pages()[0];
  m.reset();
  EXPECT_EQ(chip.dma("SDMA0", bus, 8, false), nullptr);
  EXPECT_TRUE(saw("pci.dma_unmapped"));
}

TEST_F(ChipTest, LostDeviceIsSilent) {
  auto m = *host->allocate(4096, {});
  chip.lost = true;
  EXPECT_EQ(chip.dma("SDMA0", m->pages()[0], 8, false), nullptr);
  EXPECT_TRUE(chip.referee.violations().empty());
}

TEST_F(ChipTest, SoftResetTellsEveryBlockWhichBitsChanged) {
  using S = regs::GRBM_SOFT_RESET;
  const std::uint32_t bits = chip.registers.mask<S>({S::SOFT_RESET_CP, S::SOFT_RESET_CPC});
  write<S>(bits);
  EXPECT_EQ(listener.set, bits);
  EXPECT_EQ(listener.cleared, 0u);
  write<S>(0);
  EXPECT_EQ(listener.cleared, bits);
}

TEST_F(ChipTest, FatalErrorBitsAreClearedByTheirOwnBits) {
  using C = regs::BIF_BX0_BIF_DOORBELL_INT_CNTL;
  nbio.raise_ras(true, true);
  const auto status = [&](regs::Field<C> f) { return chip.registers.map().decode<C>(read<C>())[f]; };
  EXPECT_EQ(status(C::RAS_CNTLR_INTERRUPT_STATUS), 1u);
  write<C>(chip.registers.mask<C>({C::RAS_CNTLR_INTERRUPT_CLEAR}));
  EXPECT_EQ(status(C::RAS_CNTLR_INTERRUPT_STATUS), 0u);
  EXPECT_EQ(status(C::RAS_ATHUB_ERR_EVENT_INTERRUPT_STATUS), 1u);
  write<C>(chip.registers.mask<C>({C::RAS_ATHUB_ERR_EVENT_INTERRUPT_CLEAR}));
  EXPECT_EQ(read<C>(), 0u);
  EXPECT_TRUE(chip.referee.violations().empty());
}

TEST_F(ChipTest, EveryRegisterOfTheGraphicsBlockIsGated) {
  chip.rlc_booted = false;
  unsigned gated = 0, open = 0;
  for (const auto& [dword, location] : chip.registers.map().all()) {
    if (regs::register_infos()[location.id].ip != regs::Ip::gc) continue;
    chip.referee.clear();
    (void)chip.registers.bank().read(dword);
    (saw("gc.before_boot") ? gated : open) += 1;
  }
  EXPECT_GT(gated, 100u);
  EXPECT_EQ(open, 14u)
      << "eight scratch registers, CP_STAT, three GRBM_STATUS, RLC_RLCS_BOOTLOAD_STATUS, RLC_SPM_MC_CNTL";
}

TEST_F(ChipTest, MemoryTrainsAgainAfterAReset) {
  nbio.reset(Reset::mode1);
  EXPECT_EQ(read<regs::RCC_DEV0_EPF0_RCC_CONFIG_MEMSIZE>(), ~0u);
  for (int i = 0; i < 2000 && read<regs::RCC_DEV0_EPF0_RCC_CONFIG_MEMSIZE>() == ~0u; ++i)
    std::this_thread::sleep_for(std::chrono::microseconds(100));
  EXPECT_EQ(read<regs::RCC_DEV0_EPF0_RCC_CONFIG_MEMSIZE>(), 64u);
}

}  // namespace
}  // namespace hcq::models::am
