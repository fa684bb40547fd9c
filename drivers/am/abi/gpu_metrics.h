// SPDX-License-Identifier: MIT
// The kernel driver's gpu_metrics as sysfs gives it. Source: kgd_pp_interface.h of Linux 6.12. Fields that a chip does
// not have are all ones. Temperatures in degrees Celsius, power in watts, clocks in MHz, activity in percent.
#pragma once

#include <cstddef>
#include <cstdint>

namespace hcq::am::abi::gpu_metrics {

struct Header {
  std::uint16_t structure_size;
  std::uint8_t format_revision, content_revision;
};

// Format 1.3. Format 1.1 is its first 96 bytes, 1.2 its first 104; 1.0 has another layout.
struct V1_3 {
  Header common_header;
  std::uint16_t temperature_edge, temperature_hotspot, temperature_mem, temperature_vrgfx, temperature_vrsoc,
      temperature_vrmem;
  std::uint16_t average_gfx_activity, average_umc_activity, average_mm_activity;
  std::uint16_t average_socket_power;
  std::uint64_t energy_accumulator;  // units of 15.259 microjoules
  std::uint64_t system_clock_counter;
  std::uint16_t average_gfxclk_frequency, average_socclk_frequency, average_uclk_frequency, average_vclk0_frequency,
      average_dclk0_frequency, average_vclk1_frequency, average_dclk1_frequency;
  std::uint16_t current_gfxclk, current_socclk, current_uclk, current_vclk0, current_dclk0, current_vclk1,
      current_dclk1;
  std::uint32_t throttle_status;
  std::uint16_t current_fan_speed;
  std::uint16_t pcie_link_width, pcie_link_speed;  // speed in 0.1 GT/s
  std::uint16_t padding;
  std::uint32_t gfx_activity_acc, mem_activity_acc;
  std::uint16_t temperature_hbm[4];
  std::uint64_t firmware_timestamp;
  std::uint16_t voltage_soc, voltage_gfx, voltage_mem, padding1;
  std::uint64_t indep_throttle_status;
};
static_assert(sizeof(V1_3) == 120 && offsetof(V1_3, current_fan_speed) == 72 && offsetof(V1_3, voltage_soc) == 104 &&
              offsetof(V1_3, energy_accumulator) == 24 && offsetof(V1_3, throttle_status) == 68);

// Bits of indep_throttle_status: amdgpu_smu.h, SMU_THROTTLER_*_BIT.
struct ThrottlerBit {
  unsigned bit;
  const char* name;
};
inline constexpr ThrottlerBit kThrottlers[] = {
    {0, "PPT0"},          {1, "PPT1"},          {2, "PPT2"},          {3, "PPT3"},         {4, "SPL"},
    {5, "FPPT"},          {6, "SPPT"},          {7, "SPPT_APU"},      {16, "TDC_GFX"},     {17, "TDC_SOC"},
    {18, "TDC_MEM"},      {19, "TDC_VDD"},      {20, "TDC_CVIP"},     {21, "EDC_CPU"},     {22, "EDC_GFX"},
    {23, "APCC"},         {32, "TEMP_GPU"},     {33, "TEMP_CORE"},    {34, "TEMP_MEM"},    {35, "TEMP_EDGE"},
    {36, "TEMP_HOTSPOT"}, {37, "TEMP_SOC"},     {38, "TEMP_VR_GFX"},  {39, "TEMP_VR_SOC"}, {40, "TEMP_VR_MEM0"},
    {41, "TEMP_VR_MEM1"}, {42, "TEMP_LIQUID0"}, {43, "TEMP_LIQUID1"}, {44, "VRHOT0"},      {45, "VRHOT1"},
    {46, "PROCHOT_CPU"},  {47, "PROCHOT_GFX"},  {56, "PPM"},          {57, "FIT"},
};

}  // namespace hcq::am::abi::gpu_metrics
