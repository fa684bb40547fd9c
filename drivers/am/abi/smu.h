// SPDX-License-Identifier: MIT
// The system management unit's mailbox and metrics, SMU 13.0.0 (Navi31). Source: smu_v13_0_0_ppsmc.h and
// smu13_driver_if_v13_0_0.h of Linux 6.12.
#pragma once

#include <cstddef>
#include <cstdint>

namespace hcq::am::abi::smu13_0_0 {

enum Response : std::uint32_t {
  PPSMC_Result_OK = 0x1,
  PPSMC_Result_Failed = 0xff,
  PPSMC_Result_UnknownCmd = 0xfe,
  PPSMC_Result_CmdRejectedPrereq = 0xfd,
  PPSMC_Result_CmdRejectedBusy = 0xfc,
};

enum Message : std::uint32_t {
  PPSMC_MSG_TestMessage = 0x1,  // answers argument + 1
  PPSMC_MSG_GetSmuVersion = 0x2,
  PPSMC_MSG_GetDriverIfVersion = 0x3,
  PPSMC_MSG_SetAllowedFeaturesMaskLow = 0x4,
  PPSMC_MSG_SetAllowedFeaturesMaskHigh = 0x5,
  PPSMC_MSG_EnableAllSmuFeatures = 0x6,
  PPSMC_MSG_DisableAllSmuFeatures = 0x7,
  PPSMC_MSG_GetRunningSmuFeaturesLow = 0xc,
  PPSMC_MSG_GetRunningSmuFeaturesHigh = 0xd,
  PPSMC_MSG_SetDriverDramAddrHigh = 0xe,
  PPSMC_MSG_SetDriverDramAddrLow = 0xf,
  PPSMC_MSG_SetToolsDramAddrHigh = 0x10,
  PPSMC_MSG_SetToolsDramAddrLow = 0x11,
  PPSMC_MSG_TransferTableSmu2Dram = 0x12,
  PPSMC_MSG_TransferTableDram2Smu = 0x13,
  PPSMC_MSG_SetSoftMinByFreq = 0x19,  // argument: clock << 16 | MHz, as in the next five
  PPSMC_MSG_SetSoftMaxByFreq = 0x1a,
  PPSMC_MSG_SetHardMinByFreq = 0x1b,
  PPSMC_MSG_SetHardMaxByFreq = 0x1c,
  PPSMC_MSG_GetMinDpmFreq = 0x1d,           // argument: clock << 16
  PPSMC_MSG_GetMaxDpmFreq = 0x1e,           // argument: clock << 16
  PPSMC_MSG_GetDpmFreqByIndex = 0x1f,       // argument: clock << 16 | index; index 0xff asks for the count
  PPSMC_MSG_OverridePcieParameters = 0x20,  // argument: level << 16 | generation << 8 | lanes
  PPSMC_MSG_SetWorkloadMask = 0x24,
  PPSMC_MSG_AllowGfxOff = 0x28,
  PPSMC_MSG_DisallowGfxOff = 0x29,
  PPSMC_MSG_PrepareMp1ForUnload = 0x2e,
  PPSMC_MSG_Mode1Reset = 0x2f,
  PPSMC_MSG_SetPptLimit = 0x32,  // watts
  PPSMC_MSG_GetPptLimit = 0x33,
  PPSMC_MSG_NotifyPowerSource = 0x35,  // 0 mains, 1 battery
  PPSMC_MSG_RunDcBtc = 0x36,
  PPSMC_MSG_SetExternalClientDfCstateAllow = 0x3b,
  PPSMC_MSG_SetMGpuFanBoostLimitRpm = 0x3c,
  PPSMC_MSG_AllowIHHostInterrupt = 0x4c,
  PPSMC_MSG_DALNotPresent = 0x4e,
  PPSMC_MSG_EnableUCLKShadow = 0x51,
};
inline constexpr std::uint32_t kDpmCountIndex = 0xff, kDpmFreqMask = 0x7fffffff;

// Messages of the debug mailbox (C2PMSG_75 message, _53 argument, _54 response).
enum DebugMessage : std::uint32_t {
  DEBUGSMC_MSG_TestMessage = 0x1,
  DEBUGSMC_MSG_GetDebugData = 0x2,
  DEBUGSMC_MSG_DebugDumpExit = 0x3,
};

enum Clock : std::uint32_t {
  PPCLK_GFXCLK,
  PPCLK_SOCCLK,
  PPCLK_UCLK,
  PPCLK_FCLK,
  PPCLK_DCLK_0,
  PPCLK_VCLK_0,
  PPCLK_DCLK_1,
  PPCLK_VCLK_1,
  PPCLK_DISPCLK,
  PPCLK_DPPCLK,
  PPCLK_DPREFCLK,
  PPCLK_DCFCLK,
  PPCLK_DTBCLK,
  PPCLK_COUNT,
};
static_assert(PPCLK_COUNT == 13);

enum TableId : std::uint32_t {
  TABLE_PPTABLE = 0,
  TABLE_COMBO_PPTABLE = 1,
  TABLE_WATERMARKS = 2,
  TABLE_AVFS_PSM_DEBUG = 3,
  TABLE_PMSTATUSLOG = 4,
  TABLE_SMU_METRICS = 5,
  TABLE_DRIVER_SMU_CONFIG = 6,
  TABLE_ACTIVITY_MONITOR_COEFF = 7,
  TABLE_OVERDRIVE = 8,
};

enum Temperature : unsigned {
  TEMP_EDGE,
  TEMP_HOTSPOT,
  TEMP_HOTSPOT_G,
  TEMP_HOTSPOT_M,
  TEMP_MEM,
  TEMP_VR_GFX,
  TEMP_VR_MEM0,
  TEMP_VR_MEM1,
  TEMP_VR_SOC,
  TEMP_VR_U,
  TEMP_LIQUID0,
  TEMP_LIQUID1,
  TEMP_PLX,
  TEMP_COUNT,
};

#pragma pack(push, 1)
// Clocks in MHz, temperatures in degrees Celsius, power in watts, voltages in millivolts, activity in percent.
struct SmuMetrics {
  std::uint32_t CurrClock[PPCLK_COUNT];
  std::uint16_t AverageGfxclkFrequencyTarget, AverageGfxclkFrequencyPreDs, AverageGfxclkFrequencyPostDs;
  std::uint16_t AverageFclkFrequencyPreDs, AverageFclkFrequencyPostDs;
  std::uint16_t AverageMemclkFrequencyPreDs, AverageMemclkFrequencyPostDs;
  std::uint16_t AverageVclk0Frequency, AverageDclk0Frequency, AverageVclk1Frequency, AverageDclk1Frequency;
  std::uint16_t PCIeBusy, dGPU_W_MAX, padding;
  std::uint32_t MetricsCounter;
  std::uint16_t AvgVoltage[5], AvgCurrent[5];
  std::uint16_t AverageGfxActivity, AverageUclkActivity, Vcn0ActivityPercentage, Vcn1ActivityPercentage;
  std::uint32_t EnergyAccumulator;
  std::uint16_t AverageSocketPower, AverageTotalBoardPower;
  std::uint16_t AvgTemperature[TEMP_COUNT], AvgTemperatureFanIntake;
  std::uint8_t PcieRate, PcieWidth, AvgFanPwm, Padding;
  std::uint16_t AvgFanRpm;
  std::uint8_t ThrottlingPercentage[22], VmaxThrottlingPercentage, Padding1[3];
};
static_assert(offsetof(SmuMetrics, AverageGfxclkFrequencyPreDs) == 54 && offsetof(SmuMetrics, dGPU_W_MAX) == 76 &&
              offsetof(SmuMetrics, AvgVoltage) == 84 && offsetof(SmuMetrics, AverageGfxActivity) == 104 &&
              offsetof(SmuMetrics, AverageSocketPower) == 116 && offsetof(SmuMetrics, AvgTemperature) == 120 &&
              offsetof(SmuMetrics, AvgFanPwm) == 150 && offsetof(SmuMetrics, ThrottlingPercentage) == 154);
#pragma pack(pop)
inline constexpr std::uint32_t kMetricsTableBytes = 392;  // SmuMetricsExternal_t: SmuMetrics, spare, padding

// The power play table as the driver sees it: a header of its own, then PPTable_t (SkuTable_t, BoardTable_t). Offsets
// in bytes; source: smu_v13_0_0_pptable.h and smu13_driver_if_v13_0_0.h.
namespace power_play {
inline constexpr std::uint32_t kBytes = 4804, kPPTable = 832, kPPTableBytes = 3972, kBoardTableBytes = 488;
inline constexpr std::uint32_t kTableRevision = 4, kTableSize = 6, kSoftwareShutdownTemp = 29;
inline constexpr std::uint32_t kFormatRevision = 15, kPPTableVersion = 43;
// Inside PPTable_t.
inline constexpr std::uint32_t kVersion = 0, kFeaturesToRun = 4, kSocketPowerLimitAc = 16, kTemperatureLimit = 50,
                               kPcieGenSpeed = 1232, kPcieLaneCount = 1235, kLclkFreq = 1238, kMsgLimitsPower = 2808;
}  // namespace power_play
inline constexpr std::uint32_t kOverdriveTableBytes = 140, kActivityMonitorBytes = 124;

}  // namespace hcq::am::abi::smu13_0_0
