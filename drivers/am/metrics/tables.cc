// SPDX-License-Identifier: MIT
#include "drivers/am/metrics/tables.h"

#include <fmt/format.h>

#include <array>
#include <cstring>

#include "drivers/am/abi/gpu_metrics.h"
#include "drivers/am/abi/smu.h"

namespace hcq::am {

namespace {

namespace smu = abi::smu13_0_0;
namespace gm = abi::gpu_metrics;

constexpr std::array kTemperatures{"temperature_edge_c",        "temperature_hotspot_c", "temperature_hotspot_gfx_c",
                                   "temperature_hotspot_mem_c", "temperature_memory_c",  "temperature_vr_gfx_c",
                                   "temperature_vr_mem0_c",     "temperature_vr_mem1_c", "temperature_vr_soc_c",
                                   "temperature_vr_u_c",        "temperature_liquid0_c", "temperature_liquid1_c",
                                   "temperature_plx_c"};
static_assert(kTemperatures.size() == smu::TEMP_COUNT);
constexpr std::array kVoltages{"voltage_gfx_mv", "voltage_soc_mv", "voltage_vmemp_mv", "voltage_vddio_mem_mv",
                               "voltage_u_mv"};
// Bits of ThrottlingPercentage, smu13_driver_if_v13_0_0.h THROTTLER_*.
constexpr std::array kThrottlers{"TEMP_EDGE",   "TEMP_HOTSPOT", "TEMP_HOTSPOT_G", "TEMP_HOTSPOT_M", "TEMP_MEM",
                                 "TEMP_VR_GFX", "TEMP_VR_MEM0", "TEMP_VR_MEM1",   "TEMP_VR_SOC",    "TEMP_VR_U",
                                 "LIQUID0",     "LIQUID1",      "TEMP_PLX",       "TDC_GFX",        "TDC_SOC",
                                 "TDC_U",       "PPT0",         "PPT1",           "PPT2",           "PPT3",
                                 "FIT",         "GFX_APCC_PLUS"};
// Below this activity the average before deep sleep says nothing: smu_v13_0_0_ppt.c, SMU_13_0_0_BUSY_THRESHOLD.
constexpr unsigned kBusyPercent = 15;

void add_clocks(Metrics& m, const smu::SmuMetrics& t) {
  const auto average = [&](unsigned activity, std::uint16_t before, std::uint16_t after) {
    return activity > kBusyPercent && activity <= 100 ? before : after;
  };
  m.add_u16("clock_gfx_mhz",
            average(t.AverageGfxActivity, t.AverageGfxclkFrequencyPreDs, t.AverageGfxclkFrequencyPostDs));
  m.add_u16("clock_memory_mhz",
            average(t.AverageUclkActivity, t.AverageMemclkFrequencyPreDs, t.AverageMemclkFrequencyPostDs));
  m.add_u16("clock_fabric_mhz",
            average(t.AverageUclkActivity, t.AverageFclkFrequencyPreDs, t.AverageFclkFrequencyPostDs));
  m.add_u32("clock_soc_mhz", t.CurrClock[smu::PPCLK_SOCCLK]);
  m.add_u16("clock_vclk0_mhz", t.AverageVclk0Frequency);
  m.add_u16("clock_dclk0_mhz", t.AverageDclk0Frequency);
  m.add_u16("clock_vclk1_mhz", t.AverageVclk1Frequency);
  m.add_u16("clock_dclk1_mhz", t.AverageDclk1Frequency);
}

}  // namespace

Result<Metrics> decode_smu13_0_0(Bytes table) {
  const ByteReader reader(table, "SMU metrics table");
  const auto t = HCQ_TRY(reader.get<smu::SmuMetrics>(0));
  Metrics m;
  // A sensor that is not fitted reads zero here.
  for (std::size_t i = 0; i < kTemperatures.size(); ++i)
    if (t.AvgTemperature[i] != 0) m.add_u16(kTemperatures[i], t.AvgTemperature[i]);
  m.add_u16("power_average_w", t.AverageSocketPower);
  if (t.AverageTotalBoardPower != 0) m.add_u16("power_board_w", t.AverageTotalBoardPower);
  if (t.dGPU_W_MAX != 0) m.add_u16("power_cap_w", t.dGPU_W_MAX);
  m.add_u16("fan_rpm", t.AvgFanRpm);
  m.add_percent("fan_percent", t.AvgFanPwm);
  add_clocks(m, t);
  m.add_percent("utilization_gfx_percent", t.AverageGfxActivity);
  m.add_percent("utilization_memory_percent", t.AverageUclkActivity);
  m.add_percent("utilization_vcn0_percent", t.Vcn0ActivityPercentage);
  m.add_percent("utilization_vcn1_percent", t.Vcn1ActivityPercentage);
  m.add_percent("pcie_busy_percent", t.PCIeBusy);
  if (t.PcieWidth != 0 && t.PcieWidth != 0xff) m.add("pcie_link_width_lanes", t.PcieWidth);
  for (std::size_t i = 0; i < kVoltages.size(); ++i)
    if (t.AvgVoltage[i] != 0) m.add_u16(kVoltages[i], t.AvgVoltage[i]);
  for (std::size_t i = 0; i < kThrottlers.size(); ++i)
    if (t.ThrottlingPercentage[i] != 0 && t.ThrottlingPercentage[i] <= 100) m.throttling.emplace_back(kThrottlers[i]);
  return m;
}

Result<Metrics> decode_gpu_metrics(Bytes blob) {
  const ByteReader reader(blob, "gpu_metrics");
  const auto header = HCQ_TRY(reader.get<gm::Header>(0));
  const unsigned content = header.content_revision;
  const std::size_t size = content == 1 ? 96 : content == 2 ? 104 : sizeof(gm::V1_3);
  if (header.format_revision != 1 || content < 1 || content > 3 || header.structure_size < size)
    return Error{
        .code = Errc::unsupported,
        .operation = "metrics",
        .subject = fmt::format("gpu_metrics {}.{} of {} bytes", header.format_revision, content, header.structure_size),
        .detail = "this version of the table is not supported by this build"};
  gm::V1_3 t;
  std::memset(&t, 0xff, sizeof t);  // what an older version does not have is absent
  const Bytes fields = HCQ_TRY(reader.slice(0, size));
  std::memcpy(&t, fields.data(), fields.size());
  Metrics m;
  m.add_u16("temperature_edge_c", t.temperature_edge);
  m.add_u16("temperature_hotspot_c", t.temperature_hotspot);
  m.add_u16("temperature_memory_c", t.temperature_mem);
  m.add_u16("temperature_vr_gfx_c", t.temperature_vrgfx);
  m.add_u16("temperature_vr_soc_c", t.temperature_vrsoc);
  m.add_u16("temperature_vr_mem_c", t.temperature_vrmem);
  for (std::size_t i = 0; i < std::size(t.temperature_hbm); ++i)
    m.add_u16(fmt::format("temperature_hbm{}_c", i), t.temperature_hbm[i]);
  m.add_u16("power_average_w", t.average_socket_power);
  m.add_u16("fan_rpm", t.current_fan_speed);
  m.add_u16("clock_gfx_mhz", t.current_gfxclk);
  m.add_u16("clock_memory_mhz", t.current_uclk);
  m.add_u16("clock_soc_mhz", t.current_socclk);
  m.add_u16("clock_vclk0_mhz", t.current_vclk0);
  m.add_u16("clock_dclk0_mhz", t.current_dclk0);
  m.add_percent("utilization_gfx_percent", t.average_gfx_activity);
  m.add_percent("utilization_memory_percent", t.average_umc_activity);
  m.add_percent("utilization_media_percent", t.average_mm_activity);
  m.add_u16("pcie_link_width_lanes", t.pcie_link_width);
  m.add_u16("pcie_link_speed_gts", t.pcie_link_speed, 0.1);
  m.add_u16("voltage_gfx_mv", t.voltage_gfx);
  m.add_u16("voltage_soc_mv", t.voltage_soc);
  m.add_u16("voltage_mem_mv", t.voltage_mem);
  if (t.indep_throttle_status != ~0ull)
    for (const gm::ThrottlerBit& b : gm::kThrottlers)
      if (t.indep_throttle_status >> b.bit & 1) m.throttling.emplace_back(b.name);
  return m;
}

}  // namespace hcq::am
