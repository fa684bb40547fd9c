// SPDX-License-Identifier: MIT
// The SMU of the Navi31 model: mailbox rules, clock tables, metrics.
#include "am_board.h"
#include "models/am/smu_metrics.h"

namespace hcq::models::am::test {
namespace {

class SmuTest : public ::testing::Test, public Board {
 protected:
  void SetUp() override { ASSERT_TRUE(boot_to_smu()) << said(); }
  std::uint32_t ask(std::uint32_t id, std::uint32_t argument = 0) {
    std::uint32_t v = 0;
    EXPECT_EQ(message(id, argument, &v), smu::PPSMC_Result_OK) << id << "\n" << said();
    return v;
  }
};

TEST(SmuCold, NobodyAnswersBeforeTheFirmware) {
  Board b;
  EXPECT_EQ(b.message(smu::PPSMC_MSG_GetSmuVersion), 0u);
  EXPECT_TRUE(b.clean()) << "asking whether it is there is allowed\n" << b.said();
  b.message(smu::PPSMC_MSG_EnableAllSmuFeatures);
  EXPECT_TRUE(b.saw("smu.not_running"));
}

TEST_F(SmuTest, TestMessageAndVersion) {
  EXPECT_EQ(ask(smu::PPSMC_MSG_TestMessage, 41), 42u);
  EXPECT_NE(ask(smu::PPSMC_MSG_GetSmuVersion), 0u);
  EXPECT_NE(ask(smu::PPSMC_MSG_GetDriverIfVersion), 0u);
  EXPECT_TRUE(clean()) << said();
}

TEST_F(SmuTest, MessageWhileBusy) {
  write<regs::MP1_SMN_C2PMSG_90>(0);
  write<regs::MP1_SMN_C2PMSG_66>(smu::PPSMC_MSG_TestMessage);
  write<regs::MP1_SMN_C2PMSG_66>(smu::PPSMC_MSG_TestMessage);
  EXPECT_TRUE(saw("smu.busy"));
}

TEST_F(SmuTest, ResponseNotCleared) {
  ask(smu::PPSMC_MSG_TestMessage);
  write<regs::MP1_SMN_C2PMSG_66>(smu::PPSMC_MSG_TestMessage);
  EXPECT_TRUE(saw("smu.response_not_cleared"));
}

TEST_F(SmuTest, ArgumentReadTooEarly) {
  write<regs::MP1_SMN_C2PMSG_90>(0);
  write<regs::MP1_SMN_C2PMSG_66>(smu::PPSMC_MSG_TestMessage);
  (void)read<regs::MP1_SMN_C2PMSG_82>();
  EXPECT_TRUE(saw("smu.argument_early"));
}

TEST_F(SmuTest, UnknownMessage) {
  EXPECT_EQ(message(0x7f), smu::PPSMC_Result_UnknownCmd);
  EXPECT_TRUE(saw("smu.unknown_message"));
}

TEST_F(SmuTest, ClocksNeedFeatures) {
  EXPECT_EQ(message(smu::PPSMC_MSG_GetMaxDpmFreq, smu::PPCLK_UCLK << 16), smu::PPSMC_Result_CmdRejectedPrereq);
  EXPECT_TRUE(saw("smu.features_off"));
}

TEST_F(SmuTest, ClockTables) {
  ask(smu::PPSMC_MSG_EnableAllSmuFeatures);
  for (const std::uint32_t clock : {smu::PPCLK_GFXCLK, smu::PPCLK_SOCCLK, smu::PPCLK_UCLK, smu::PPCLK_FCLK}) {
    const std::uint32_t n =
        ask(smu::PPSMC_MSG_GetDpmFreqByIndex, clock << 16 | smu::kDpmCountIndex) & smu::kDpmFreqMask;
    ASSERT_GE(n, 2u);
    std::uint32_t last = 0;
    for (std::uint32_t i = 0; i < n; ++i) {
      const std::uint32_t mhz = ask(smu::PPSMC_MSG_GetDpmFreqByIndex, clock << 16 | i) & smu::kDpmFreqMask;
      EXPECT_GT(mhz, last);
      last = mhz;
    }
    EXPECT_EQ(ask(smu::PPSMC_MSG_GetMaxDpmFreq, clock << 16), last);
    ask(smu::PPSMC_MSG_SetSoftMinByFreq, clock << 16 | last);
    ask(smu::PPSMC_MSG_SetSoftMaxByFreq, clock << 16 | last);
  }
  EXPECT_TRUE(clean()) << said();
}

TEST_F(SmuTest, BadArguments) {
  ask(smu::PPSMC_MSG_EnableAllSmuFeatures);
  EXPECT_EQ(message(smu::PPSMC_MSG_GetDpmFreqByIndex, smu::PPCLK_UCLK << 16 | 40), smu::PPSMC_Result_Failed);
  EXPECT_TRUE(saw("smu.dpm_index"));
  EXPECT_EQ(message(smu::PPSMC_MSG_GetMaxDpmFreq, 77u << 16), smu::PPSMC_Result_Failed);
  EXPECT_TRUE(saw("smu.bad_argument"));
  device->referee().clear();
  EXPECT_EQ(message(smu::PPSMC_MSG_SetSoftMinByFreq, smu::PPCLK_UCLK << 16 | 9999), smu::PPSMC_Result_Failed);
  EXPECT_TRUE(saw("smu.bad_argument"));
  device->referee().clear();
  EXPECT_EQ(message(smu::PPSMC_MSG_SetPptLimit, 5000), smu::PPSMC_Result_Failed);
  EXPECT_TRUE(saw("smu.bad_argument"));
}

TEST_F(SmuTest, PowerLimit) {
  ask(smu::PPSMC_MSG_SetPptLimit, 300);
  EXPECT_EQ(ask(smu::PPSMC_MSG_GetPptLimit), 300u);
}

TEST_F(SmuTest, MetricsTable) {
  ask(smu::PPSMC_MSG_SetDriverDramAddrHigh, hi32(mc(kTable)));
  ask(smu::PPSMC_MSG_SetDriverDramAddrLow, lo32(mc(kTable)));
  ask(smu::PPSMC_MSG_TransferTableSmu2Dram, smu::TABLE_SMU_METRICS);
  const auto m = get<smu::SmuMetrics>(kTable);
  EXPECT_GT(m.CurrClock[smu::PPCLK_GFXCLK], 100u);
  EXPECT_GT(m.AvgTemperature[smu::TEMP_EDGE], 10);
  EXPECT_LT(m.AvgTemperature[smu::TEMP_EDGE], 110);
  EXPECT_GT(m.AverageSocketPower, 0);
  EXPECT_EQ(m.PcieWidth, 16);
  EXPECT_TRUE(clean()) << said();
  ask(smu::PPSMC_MSG_TransferTableSmu2Dram, smu::TABLE_SMU_METRICS);
  EXPECT_EQ(get<smu::SmuMetrics>(kTable).MetricsCounter, m.MetricsCounter + 1);
}

TEST(SmuMetrics, FollowTheLoad) {
  const std::array<ClockLimits, 4> limits{{{500, 2482}, {500, 1200}, {97, 1249}, {501, 2000}}};
  BusyTime shaders, copies;
  SmuMetricsSource source(shaders, copies);
  const auto start = SmuMetricsSource::Clock::now();
  source.reset(start);
  const auto idle = source.sample(start + 1s, limits, 339);
  EXPECT_EQ(idle.AverageGfxActivity, 0);
  EXPECT_EQ(idle.CurrClock[smu::PPCLK_GFXCLK], 500u);
  smu::SmuMetrics busy, limited;
  {
    const BusyTime::Work work(shaders);
    busy = source.sample(start + 61s, limits, 339);
    limited = source.sample(start + 62s, {{{500, 1000}, {500, 1200}, {97, 1249}, {501, 2000}}}, 200);
  }
  EXPECT_GT(busy.AverageGfxActivity, 90);
  EXPECT_GT(busy.CurrClock[smu::PPCLK_GFXCLK], 2300u);
  EXPECT_LE(busy.CurrClock[smu::PPCLK_GFXCLK], 2482u);
  EXPECT_GT(busy.AverageSocketPower, 5 * idle.AverageSocketPower);
  EXPECT_LE(busy.AverageSocketPower, 339);
  EXPECT_GT(busy.AvgTemperature[smu::TEMP_EDGE], idle.AvgTemperature[smu::TEMP_EDGE] + 15);
  EXPECT_GT(busy.AvgTemperature[smu::TEMP_HOTSPOT], busy.AvgTemperature[smu::TEMP_EDGE]);
  EXPECT_GT(busy.EnergyAccumulator, idle.EnergyAccumulator);
  EXPECT_LE(limited.CurrClock[smu::PPCLK_GFXCLK], 1000u);
  EXPECT_LE(limited.AverageSocketPower, 200);
  const auto cool = source.sample(start + 200s, limits, 339);
  EXPECT_EQ(cool.AverageGfxActivity, 0);
  EXPECT_LT(cool.AvgTemperature[smu::TEMP_EDGE], busy.AvgTemperature[smu::TEMP_EDGE] - 15);
  EXPECT_EQ(cool.MetricsCounter, idle.MetricsCounter + 3);
}

TEST_F(SmuTest, TableBeforeTheAddress) {
  ask(smu::PPSMC_MSG_SetDriverDramAddrHigh, hi32(mc(kTable)));
  EXPECT_EQ(message(smu::PPSMC_MSG_TransferTableSmu2Dram, smu::TABLE_SMU_METRICS), smu::PPSMC_Result_Failed);
  EXPECT_TRUE(saw("smu.table_address"));
}

TEST_F(SmuTest, TableToAnOffsetInsteadOfAnMcAddress) {
  ask(smu::PPSMC_MSG_SetDriverDramAddrHigh, 0);
  ask(smu::PPSMC_MSG_SetDriverDramAddrLow, lo32(kTable));
  EXPECT_EQ(message(smu::PPSMC_MSG_TransferTableSmu2Dram, smu::TABLE_SMU_METRICS), smu::PPSMC_Result_Failed);
  EXPECT_FALSE(clean());
}

TEST_F(SmuTest, TableNobodyHas) {
  ask(smu::PPSMC_MSG_SetDriverDramAddrHigh, hi32(mc(kTable)));
  ask(smu::PPSMC_MSG_SetDriverDramAddrLow, lo32(mc(kTable)));
  EXPECT_EQ(message(smu::PPSMC_MSG_TransferTableSmu2Dram, 9), smu::PPSMC_Result_Failed);
  EXPECT_TRUE(saw("smu.table"));
}

TEST_F(SmuTest, CanTimeOutAndFail) {
  failing = "smu/failed";
  EXPECT_EQ(message(smu::PPSMC_MSG_TestMessage), smu::PPSMC_Result_Failed);
  failing = "smu/timeout";
  EXPECT_EQ(message(smu::PPSMC_MSG_TestMessage), 0u);
}

TEST_F(SmuTest, DebugMailboxResetsToo) {
  write<regs::MP1_SMN_C2PMSG_53>(0);
  write<regs::MP1_SMN_C2PMSG_75>(2);
  write<regs::MP1_SMN_C2PMSG_54>(0);
  EXPECT_TRUE(eventually([&] { return reset_began(); }));
  EXPECT_TRUE(eventually([&] { return *function->config_read(pci::kVendorId, 2) == 0x1002; }));
}

}  // namespace
}  // namespace hcq::models::am::test
