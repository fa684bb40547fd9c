// SPDX-License-Identifier: MIT
// Boot of the graphics block in the Navi31 model: the gate before it, RLC safe mode, clock gating, soft reset.
#include "am_board.h"

namespace hcq::models::am::test {
namespace {

TEST(GraphicsBoot, RegistersDoNotAnswerBefore) {
  Board b;
  b.write<regs::GRBM_CNTL>(0xff);
  EXPECT_TRUE(b.saw("gc.before_boot"));
  b.device->referee().clear();
  EXPECT_EQ(b.read<regs::SH_MEM_CONFIG>(), 0u);
  EXPECT_TRUE(b.saw("gc.before_boot"));
}

TEST(GraphicsBoot, StatusAndScratchAlwaysAnswer) {
  Board b;
  b.write<regs::SCRATCH_REG0>(0x55, 7);
  EXPECT_EQ(b.read<regs::SCRATCH_REG0>(7), 0x55u);
  EXPECT_EQ(b.field(regs::RLC_RLCS_BOOTLOAD_STATUS::BOOTLOAD_COMPLETE), 0u);
  (void)b.read<regs::CP_STAT>();
  EXPECT_TRUE(b.clean()) << b.said();
}

TEST(GraphicsBoot, CompleteOnlyAfterAutoload) {
  Board b;
  ASSERT_TRUE(b.boot_to_tmr()) << b.said();
  for (const auto& [type, content] : b.graphics_firmware()) ASSERT_EQ(b.load_fw(type, content), 0u);
  ASSERT_EQ(b.load_fw(psp::GFX_FW_TYPE_RLC_G, b.rlc_g()), 0u);
  std::this_thread::sleep_for(10ms);
  EXPECT_EQ(b.field(regs::RLC_RLCS_BOOTLOAD_STATUS::BOOTLOAD_COMPLETE), 0u);
  ASSERT_EQ(b.simple_command(psp::GFX_CMD_ID_AUTOLOAD_RLC), 0u);
  EXPECT_TRUE(eventually([&] { return b.field(regs::RLC_RLCS_BOOTLOAD_STATUS::BOOTLOAD_COMPLETE) == 1; }));
  EXPECT_EQ(b.read<regs::CP_STAT>(), 0u);
  b.write<regs::GRBM_CNTL>(0xff);
  EXPECT_TRUE(b.clean()) << b.said();
}

TEST(GraphicsBoot, CanFail) {
  Board b;
  ASSERT_TRUE(b.boot_to_tmr()) << b.said();
  for (const auto& [type, content] : b.graphics_firmware()) ASSERT_EQ(b.load_fw(type, content), 0u);
  ASSERT_EQ(b.load_fw(psp::GFX_FW_TYPE_RLC_G, b.rlc_g()), 0u);
  b.failing = "rlc/never_boots";
  ASSERT_EQ(b.simple_command(psp::GFX_CMD_ID_AUTOLOAD_RLC), 0u);
  std::this_thread::sleep_for(20ms);
  EXPECT_EQ(b.field(regs::RLC_RLCS_BOOTLOAD_STATUS::BOOTLOAD_COMPLETE), 0u);
  EXPECT_NE(b.read<regs::CP_STAT>(), 0u);
}

class RlcTest : public ::testing::Test, public Board {
 protected:
  using S = regs::RLC_SAFE_MODE;
  void SetUp() override { ASSERT_TRUE(boot_all()) << said(); }
  void request(bool enter) { write<S>(map.encode<S>(0, {S::CMD(1), S::MESSAGE(enter)})); }
  bool done() {
    return eventually([&] { return field(S::CMD) == 0; });
  }
};

TEST_F(RlcTest, ClockGatingInSafeMode) {
  request(true);
  ASSERT_TRUE(done());
  set<regs::RLC_CGCG_CGLS_CTRL>({regs::RLC_CGCG_CGLS_CTRL::CGCG_EN(1)});
  write<regs::RLC_CGTT_MGCG_OVERRIDE>(0);
  request(false);
  ASSERT_TRUE(done());
  EXPECT_TRUE(clean()) << said();
}

TEST_F(RlcTest, ClockGatingOutsideSafeMode) {
  write<regs::RLC_CGTT_MGCG_OVERRIDE>(0);
  EXPECT_TRUE(saw("rlc.outside_safe_mode"));
}

TEST_F(RlcTest, ClockGatingBeforeTheHandshakeIsDone) {
  request(true);
  write<regs::RLC_CGTT_MGCG_OVERRIDE>(0);
  EXPECT_TRUE(saw("rlc.outside_safe_mode"));
}

TEST_F(RlcTest, SecondRequestTooEarly) {
  request(true);
  request(false);
  EXPECT_TRUE(saw("rlc.handshake"));
}

TEST_F(RlcTest, LeavingWithoutEntering) {
  request(false);
  EXPECT_TRUE(saw("rlc.not_in_safe_mode"));
}

TEST_F(RlcTest, NobodyAnswersWhileTheRlcIsOff) {
  write<regs::RLC_CNTL>(0);
  request(true);
  EXPECT_TRUE(saw("rlc.disabled"));
}

TEST_F(RlcTest, HandshakeCanHang) {
  failing = "rlc/safe_mode_hang";
  request(true);
  std::this_thread::sleep_for(5ms);
  EXPECT_EQ(field(S::CMD), 1u);
}

TEST_F(RlcTest, ReferenceClockRuns) {
  const auto now = [&] {
    write<regs::RLC_CAPTURE_GPU_CLOCK_COUNT>(1);
    return std::uint64_t{read<regs::RLC_GPU_CLOCK_COUNT_MSB>()} << 32 | read<regs::RLC_GPU_CLOCK_COUNT_LSB>();
  };
  const std::uint64_t a = now();
  std::this_thread::sleep_for(5ms);
  const std::uint64_t ticks = now() - a;
  EXPECT_GE(ticks, 500'000u) << "100 MHz";
  EXPECT_LT(ticks, 500'000'000u);
}

}  // namespace
}  // namespace hcq::models::am::test
