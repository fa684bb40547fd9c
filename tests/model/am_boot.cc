// SPDX-License-Identifier: MIT
// The whole boot of the Navi31 model by hand, and what survives what.
#include "am_board.h"

namespace hcq::models::am::test {
namespace {

// The answer to a mode-1 reset races with the reset: whoever reads late finds the chip gone.
bool answered_or_gone(std::uint32_t answer) { return answer == smu::PPSMC_Result_OK || answer == ~0u; }

TEST(Boot, RightSequenceBreaksNoRule) {
  Board b;
  const auto start = Clock::now();
  ASSERT_TRUE(b.boot_all()) << b.said();
  EXPECT_TRUE(b.clean()) << b.said();
  EXPECT_LT(Clock::now() - start, 2s);
}

TEST(Boot, ManySeeds) {
  for (std::uint64_t seed = 2; seed < 8; ++seed) {
    Options o = Board::defaults();
    o.seed = seed;
    Board b(o);
    ASSERT_TRUE(b.boot_all()) << "seed " << seed << "\n" << b.said();
    EXPECT_TRUE(b.clean()) << b.said();
  }
}

TEST(Boot, StateOutlivesTheHostProcess) {
  Board b;
  ASSERT_TRUE(b.boot_all()) << b.said();
  b.write<regs::SCRATCH_REG0>(0xa1b2c3d4, 7);
  b.put(0x3000000, std::uint64_t{42});
  b.hdp_flush();
  b.attach_again();
  EXPECT_EQ(b.read<regs::SCRATCH_REG0>(7), 0xa1b2c3d4u);
  EXPECT_NE(b.read<regs::MP0_SMN_C2PMSG_81>(), 0u);
  EXPECT_EQ(b.get<std::uint64_t>(0x3000000), 42u);
  EXPECT_EQ(b.message(smu::PPSMC_MSG_TestMessage, 7), smu::PPSMC_Result_OK);
}

TEST(Boot, FunctionResetStartsOver) {
  Board b;
  ASSERT_TRUE(b.boot_all()) << b.said();
  ASSERT_TRUE(b.function->reset().ok());
  EXPECT_EQ(b.read<regs::MP0_SMN_C2PMSG_81>(), 0u);
  ASSERT_TRUE(b.boot_all()) << b.said();
  EXPECT_TRUE(b.clean()) << b.said();
}

TEST(Boot, Mode1LosesEverythingAndComesBack) {
  Board b;
  ASSERT_TRUE(b.boot_all()) << b.said();
  b.put(0x3000000, std::uint64_t{42});
  b.hdp_flush();
  std::uint32_t bars[6];
  for (unsigned i = 0; i < 6; ++i)
    bars[i] = *b.function->config_read(static_cast<std::uint16_t>(pci::kBar0 + 4 * i), 4);
  ASSERT_TRUE(answered_or_gone(b.message(smu::PPSMC_MSG_Mode1Reset)));
  ASSERT_TRUE(eventually([&] { return b.reset_began(); }));
  ASSERT_TRUE(eventually([&] { return *b.function->config_read(pci::kVendorId, 2) == 0x1002; }));
  for (unsigned i = 0; i < 6; ++i)
    ASSERT_TRUE(b.function->config_write(static_cast<std::uint16_t>(pci::kBar0 + 4 * i), 4, bars[i]).ok());
  ASSERT_TRUE(b.function->config_write(pci::kCommand, 2, pci::kCommandMemory).ok());
  EXPECT_EQ(b.read<regs::MP0_SMN_C2PMSG_81>(), 0u);
  EXPECT_NE(b.get<std::uint64_t>(0x3000000), 42u);
  EXPECT_NE(b.get<std::uint64_t>(0x3000000), 0u) << "VRAM holds a pattern, not zeros";
  ASSERT_TRUE(b.boot_all()) << b.said();
  EXPECT_TRUE(b.clean()) << b.said();
}

TEST(Boot, Mode1ThroughThePsp) {
  Board b;
  ASSERT_TRUE(b.boot_to_ring()) << b.said();
  b.write<regs::MP0_SMN_C2PMSG_64>(psp::GFX_CTRL_CMD_ID_MODE1_RST);
  EXPECT_TRUE(eventually([&] { return b.reset_began(); }));
  EXPECT_TRUE(eventually([&] { return *b.function->config_read(pci::kVendorId, 2) == 0x1002; }));
  EXPECT_EQ(*b.function->config_read(pci::kCommand, 2), 0u) << "config space is at its reset values";
  EXPECT_TRUE(b.clean()) << b.said();
}

// The reset is over in a few milliseconds; a test that slept through it tries again.
TEST(Boot, TouchingTheChipDuringMode1IsReported) {
  for (int attempt = 0; attempt < 20; ++attempt) {
    Board b;
    ASSERT_TRUE(b.boot_to_smu()) << b.said();
    ASSERT_TRUE(answered_or_gone(b.message(smu::PPSMC_MSG_Mode1Reset)));
    std::uint32_t seen = 0;
    ASSERT_TRUE(eventually([&] {
      seen = b.read<regs::RCC_DEV0_EPF0_RCC_CONFIG_MEMSIZE>();
      return b.saw("pci.in_reset") || b.saw("pci.memory_disabled");
    }));
    if (!b.saw("pci.in_reset")) continue;
    EXPECT_EQ(seen, ~0u);
    return;
  }
  FAIL() << "never seen in reset";
}

TEST(Boot, Mode1WithBusMasteringOnIsReported) {
  Board b;
  ASSERT_TRUE(b.boot_to_smu()) << b.said();
  ASSERT_TRUE(b.function->config_write(pci::kCommand, 2, pci::kCommandMemory | pci::kCommandBusMaster).ok());
  ASSERT_TRUE(answered_or_gone(b.message(smu::PPSMC_MSG_Mode1Reset)));
  EXPECT_TRUE(eventually([&] { return b.saw("smu.mode1_bus_master"); }));
}

TEST(Boot, LostDeviceReadsAllOnesAndComesBackCold) {
  Board b;
  ASSERT_TRUE(b.boot_to_ring()) << b.said();
  b.device->faults().lose_after_accesses = b.device->accesses();
  EXPECT_EQ(b.read<regs::MP0_SMN_C2PMSG_81>(), ~0u);
  EXPECT_EQ(*b.function->config_read(pci::kVendorId, 2), 0xffffu);
  EXPECT_EQ(b.get<std::uint64_t>(0x1000), ~0ull);
  b.device->faults().lose_after_accesses = ~0ull;
  EXPECT_EQ(b.read<regs::MP0_SMN_C2PMSG_81>(), ~0u) << "a lost device does not come back by itself";
  b.attach_again();
  EXPECT_EQ(b.read<regs::MP0_SMN_C2PMSG_81>(), 0u);
  ASSERT_TRUE(b.boot_all()) << b.said();
  EXPECT_TRUE(b.clean()) << b.said();
}

TEST(Boot, FaultsCanBeAskedForByOption) {
  Board lost(Board::with("fault", "lose:200"));
  lost.patience = 100ms;
  EXPECT_FALSE(lost.boot_to_ring());
  EXPECT_EQ(*lost.function->config_read(pci::kVendorId, 2), 0xffffu);
  Board dead(Board::with("fault", "psp/sos_dead"));
  dead.patience = 100ms;
  EXPECT_FALSE(dead.boot_to_ring());
  EXPECT_TRUE(dead.clean()) << dead.said();
  EXPECT_FALSE(create_navi31(Board::with("fault", "lose:often")).ok());
}

// Whatever the moment, a lost device is silent: nothing hangs, no rule of the host's is blamed, and the card boots
// again after it was put back.
TEST(Boot, LostAtEveryFewAccesses) {
  Board b;
  ASSERT_TRUE(b.boot_to_smu()) << b.said();
  const std::uint64_t all = b.device->accesses();
  b.device->faults().lose_after_accesses = all;
  (void)b.read<regs::MP0_SMN_C2PMSG_81>();
  // Only the first half: how often a boot polls varies, and a short one must not be over before the loss.
  for (std::uint64_t n = 40; n < all / 2; n += all / 48 + 1) {
    b.device->faults().lose_after_accesses = ~0ull;
    b.attach_again();
    b.patience = 100ms;
    b.device->faults().lose_after_accesses = n;
    EXPECT_FALSE(b.boot_to_smu()) << n;
    // A slow machine polls more often; the device must be gone before it is put back.
    b.device->faults().lose_after_accesses = 0;
    EXPECT_EQ(b.read<regs::MP0_SMN_C2PMSG_81>(), ~0u);
    EXPECT_TRUE(b.clean()) << n << "\n" << b.said();
    b.device->referee().clear();
  }
  b.device->faults().lose_after_accesses = ~0ull;
  b.attach_again();
  b.patience = 2s;
  EXPECT_TRUE(b.boot_all()) << b.said();
}

TEST(Boot, UnknownOptionsAreRefused) {
  EXPECT_EQ(create_navi31(Board::with("colour", "blue")).error().code, Errc::invalid_argument);
  EXPECT_EQ(create_navi31(Board::with("discovery", "nonsense")).error().code, Errc::invalid_argument);
  Options o;
  o.vram_bytes = 12345;
  EXPECT_EQ(create_navi31(o).error().code, Errc::invalid_argument);
}

}  // namespace
}  // namespace hcq::models::am::test
