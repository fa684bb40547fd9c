// SPDX-License-Identifier: MIT
#include "models/am/smu.h"

#include <fmt/format.h>

#include <algorithm>
#include <cstring>

#include "drivers/am/abi/smu.h"

namespace hcq::models::am {

namespace {

namespace s = hcq::am::abi::smu13_0_0;
using std::chrono::microseconds;

// Clock levels in MHz of a Radeon RX 7900 XTX. The graphics clock moves freely between its two ends.
constexpr std::uint32_t kGfxclk[] = {500, 2482};
constexpr std::uint32_t kSocclk[] = {500, 550, 600, 667, 750, 858, 1000, 1200};
constexpr std::uint32_t kUclk[] = {97, 457, 773, 1249};
constexpr std::uint32_t kFclk[] = {501, 1000, 1500, 2000};
constexpr std::uint32_t kVideo[] = {500, 857, 1200, 1500};
constexpr std::uint32_t kDisplay[] = {400, 600, 1200, 2100};
// In the order of PPCLK_*.
constexpr std::span<const std::uint32_t> kClocks[] = {kGfxclk, kSocclk,  kUclk,    kFclk,    kVideo,   kVideo,  kVideo,
                                                      kVideo,  kDisplay, kDisplay, kDisplay, kDisplay, kDisplay};
static_assert(std::size(kClocks) == s::PPCLK_COUNT);
constexpr std::uint32_t kFineGrained = 1u << 31;  // smu_v13_0_get_fine_grained_status
constexpr std::uint32_t kDefaultPpt = 339, kMaxPpt = 390;

// Debug message 2 resets this chip as well; smu_v13_0.c sends it on 13.0.10.
constexpr std::uint32_t kDebugMode1Reset = 2;

// What the board's firmware holds: enough of it for a driver to see a board with a fan, limits and one link speed. No
// overdrive: its limits are zero.
std::vector<std::byte> power_play_table() {
  namespace t = s::power_play;
  std::vector<std::byte> table(t::kBytes);
  const auto put = [&](std::uint32_t at, auto v) { std::memcpy(table.data() + at, &v, sizeof v); };
  put(0, static_cast<std::uint16_t>(t::kBytes));
  put(2, static_cast<std::uint8_t>(t::kFormatRevision));
  put(t::kTableRevision, std::uint8_t{2});
  put(t::kTableSize, static_cast<std::uint16_t>(t::kPPTable));
  put(t::kSoftwareShutdownTemp, std::uint16_t{118});
  const auto sku = [&](std::uint32_t at, auto v) { put(t::kPPTable + at, v); };
  sku(t::kVersion, t::kPPTableVersion);
  sku(t::kFeaturesToRun, ~0u);
  sku(t::kFeaturesToRun + 4, 0x0003'ffffu);
  sku(t::kSocketPowerLimitAc, static_cast<std::uint16_t>(kDefaultPpt));
  sku(t::kMsgLimitsPower, static_cast<std::uint16_t>(kMaxPpt));
  for (unsigned i = 0; i < s::TEMP_COUNT; ++i)
    sku(t::kTemperatureLimit + 2 * i, static_cast<std::uint16_t>(i ? 110 : 100));
  sku(t::kPcieGenSpeed, std::uint8_t{3});   // generation 4
  sku(t::kPcieLaneCount, std::uint8_t{6});  // 16 lanes
  sku(t::kLclkFreq, std::uint16_t{619});
  return table;
}

}  // namespace

Smu::Smu(Chip& chip) : chip_(chip), metrics_(chip.shader_time, chip.copy_time) {
  auto& r = chip.registers;
  r.on_write<regs::MP1_SMN_C2PMSG_66>([this](std::uint32_t v, std::uint32_t) { message(v); });
  r.on_write<regs::MP1_SMN_C2PMSG_75>([this](std::uint32_t v, std::uint32_t) { debug_message(v); });
  // Beyond BAR 5, for the index and data registers of NBIO, in the window that drivers use (MP1_Public of smu_v13_0.c).
  constexpr std::uint32_t kPublic = 0x03b00000;
  const std::uint32_t flags = (kPublic | r.named("MP1_FIRMWARE_FLAGS") * 4) / 4;
  r.bank().add(flags, {.name = "MP1_FIRMWARE_FLAGS", .block = "smu", .writable = 0});
  r.bank().on_read(flags,
                   [this](std::uint32_t) { return chip_.smu_running.load(std::memory_order_acquire) ? 1u : 0u; });
  r.on_read<regs::MP1_SMN_C2PMSG_82>([this](std::uint32_t stored) {
    const std::lock_guard lock(mutex_);
    if (busy_)
      report("smu.argument_early", "MP1_SMN_C2PMSG_82", stored, "the argument was read before the response came");
    return stored;
  });
}

void Smu::reset(Reset) {
  const std::lock_guard lock(mutex_);
  busy_ = features_on_ = dram_high_set_ = dram_low_set_ = false;
  dram_ = 0;
  ppt_limit_ = kDefaultPpt;
  metrics_.reset(SmuMetricsSource::Clock::now());
  power_play_ = power_play_table();
  pp_.assign(s::power_play::kPPTableBytes, std::byte{});
  sampled_.assign(s::kMetricsTableBytes, std::byte{});
  overdrive_.assign(s::kOverdriveTableBytes, std::byte{});
  for (auto& a : activity_) a.assign(s::kActivityMonitorBytes, std::byte{});
  for (std::size_t i = 0; i < soft_min_.size(); ++i) {
    soft_min_[i] = kClocks[i].front();
    soft_max_[i] = kClocks[i].back();
  }
}

void Smu::report(const char* rule, const char* where, std::uint32_t value, const char* text) {
  chip_.report("smu", rule, where, value, text, "smu_cmn.c, smu_v13_0_0_ppsmc.h");
}

void Smu::message(std::uint32_t id) {
  const std::lock_guard lock(mutex_);
  if (busy_) {
    report("smu.busy", "MP1_SMN_C2PMSG_66", id, "a message was sent before the one before was answered");
    chip_.registers.set_raw<regs::MP1_SMN_C2PMSG_90>(s::PPSMC_Result_CmdRejectedBusy);
    return;
  }
  // Without firmware nobody answers. Asking whether somebody is there is how a driver finds out.
  if (!chip_.smu_running.load(std::memory_order_acquire)) {
    if (id != s::PPSMC_MSG_TestMessage && id != s::PPSMC_MSG_GetSmuVersion)
      report("smu.not_running", "MP1_SMN_C2PMSG_66", id, "the SMU has no firmware yet");
    return;
  }
  if (chip_.registers.raw<regs::MP1_SMN_C2PMSG_90>() != 0)
    report(
        "smu.response_not_cleared", "MP1_SMN_C2PMSG_90", id,
        "the response register must be cleared before a message is sent, or an old response is taken for the new one");
  busy_ = true;
  const std::uint32_t argument = chip_.registers.raw<regs::MP1_SMN_C2PMSG_82>();
  if (chip_.fault("smu/timeout")) return;
  chip_.timer.after(microseconds(10), microseconds(120), [this, id, argument] { finish(id, argument); });
}

void Smu::debug_message(std::uint32_t id) {
  if (!chip_.smu_running.load(std::memory_order_acquire)) return;
  chip_.timer.after(microseconds(50), microseconds(200), [this, id] {
    chip_.registers.set_raw<regs::MP1_SMN_C2PMSG_54>(
        id == s::DEBUGSMC_MSG_TestMessage || id == kDebugMode1Reset ? s::PPSMC_Result_OK : s::PPSMC_Result_UnknownCmd);
    if (id == kDebugMode1Reset) mode1_soon();
  });
}

// The response is visible for a moment before the chip is gone.
void Smu::mode1_soon() {
  chip_.timer.after(microseconds(1000), microseconds(2000), [this] { chip_.begin_mode1(); });
}

void Smu::finish(std::uint32_t id, std::uint32_t argument) {
  const std::lock_guard lock(mutex_);
  const Answer a = chip_.fault("smu/failed") ? Answer{s::PPSMC_Result_Failed, 0} : execute(id, argument);
  busy_ = false;
  chip_.registers.set_raw<regs::MP1_SMN_C2PMSG_82>(a.argument);
  chip_.registers.set_raw<regs::MP1_SMN_C2PMSG_90>(a.response);
  if (a.mode1) mode1_soon();
}

Smu::Answer Smu::fail(std::uint32_t response, const char* rule, std::uint32_t value, const char* text) {
  report(rule, "MP1_SMN_C2PMSG_66", value, text);
  return {response, 0};
}

Smu::Answer Smu::execute(std::uint32_t id, std::uint32_t argument) {
  constexpr auto kOk = s::PPSMC_Result_OK;
  switch (id) {
    case s::PPSMC_MSG_TestMessage:
      return {kOk, argument + 1};
    case s::PPSMC_MSG_GetSmuVersion:
      return {kOk, 0x004e8100};  // 78.129.0
    case s::PPSMC_MSG_GetDriverIfVersion:
      return {kOk, 0x3d};
    case s::PPSMC_MSG_SetAllowedFeaturesMaskLow:
    case s::PPSMC_MSG_SetAllowedFeaturesMaskHigh:
    case s::PPSMC_MSG_SetToolsDramAddrHigh:
    case s::PPSMC_MSG_SetToolsDramAddrLow:
    case s::PPSMC_MSG_AllowGfxOff:
    case s::PPSMC_MSG_DisallowGfxOff:
    case s::PPSMC_MSG_PrepareMp1ForUnload:
    case s::PPSMC_MSG_OverridePcieParameters:
    case s::PPSMC_MSG_SetWorkloadMask:
    case s::PPSMC_MSG_NotifyPowerSource:
    case s::PPSMC_MSG_RunDcBtc:
    case s::PPSMC_MSG_SetExternalClientDfCstateAllow:
    case s::PPSMC_MSG_SetMGpuFanBoostLimitRpm:
    case s::PPSMC_MSG_AllowIHHostInterrupt:
    case s::PPSMC_MSG_DALNotPresent:
    case s::PPSMC_MSG_EnableUCLKShadow:
      return {kOk, argument};
    case s::PPSMC_MSG_EnableAllSmuFeatures:
      features_on_ = true;
      return {kOk, argument};
    case s::PPSMC_MSG_DisableAllSmuFeatures:
      features_on_ = false;
      return {kOk, argument};
    case s::PPSMC_MSG_GetRunningSmuFeaturesLow:
      return {kOk, features_on_ ? 0xfeff'ffffu : 0u};
    case s::PPSMC_MSG_GetRunningSmuFeaturesHigh:
      return {kOk, features_on_ ? 0x0003'ffffu : 0u};
    case s::PPSMC_MSG_SetDriverDramAddrHigh:
      dram_ = (dram_ & 0xffffffff) | std::uint64_t{argument} << 32;
      dram_high_set_ = true;
      return {kOk, argument};
    case s::PPSMC_MSG_SetDriverDramAddrLow:
      dram_ = (dram_ & ~0xffffffffull) | argument;
      dram_low_set_ = true;
      return {kOk, argument};
    case s::PPSMC_MSG_TransferTableSmu2Dram:
      return transfer(argument, true);
    case s::PPSMC_MSG_TransferTableDram2Smu:
      return transfer(argument, false);
    case s::PPSMC_MSG_SetSoftMinByFreq:
    case s::PPSMC_MSG_SetSoftMaxByFreq:
    case s::PPSMC_MSG_SetHardMinByFreq:
    case s::PPSMC_MSG_SetHardMaxByFreq:
    case s::PPSMC_MSG_GetMinDpmFreq:
    case s::PPSMC_MSG_GetMaxDpmFreq:
    case s::PPSMC_MSG_GetDpmFreqByIndex:
      return clock_message(id, argument);
    case s::PPSMC_MSG_Mode1Reset:
      return {kOk, argument, true};
    case s::PPSMC_MSG_SetPptLimit:
      if (argument == 0 || argument > kMaxPpt)
        return fail(s::PPSMC_Result_Failed, "smu.bad_argument", argument, "the board does not allow this power limit");
      ppt_limit_ = argument;
      return {kOk, argument};
    case s::PPSMC_MSG_GetPptLimit:
      return {kOk, ppt_limit_};
    default:
      return fail(s::PPSMC_Result_UnknownCmd, "smu.unknown_message", id, "SMU 13.0.0 has no such message");
  }
}

Smu::Answer Smu::clock_message(std::uint32_t id, std::uint32_t argument) {
  const std::uint32_t clock = argument >> 16, low = argument & 0xffff;
  if (!features_on_)
    return fail(s::PPSMC_Result_CmdRejectedPrereq, "smu.features_off", id, "clocks need EnableAllSmuFeatures first");
  if (clock >= std::size(kClocks))
    return fail(s::PPSMC_Result_Failed, "smu.bad_argument", argument, "the clock has no DPM levels here");
  const auto levels = kClocks[clock];
  const bool fine = clock == s::PPCLK_GFXCLK;
  const auto in_range = [&] { return low >= levels.front() && low <= levels.back(); };
  switch (id) {
    case s::PPSMC_MSG_GetMinDpmFreq:
      return {s::PPSMC_Result_OK, levels.front()};
    case s::PPSMC_MSG_GetMaxDpmFreq:
      return {s::PPSMC_Result_OK, levels.back()};
    case s::PPSMC_MSG_GetDpmFreqByIndex: {
      const std::uint32_t flag = fine ? kFineGrained : 0;
      if ((low & 0xff) == s::kDpmCountIndex)
        return {s::PPSMC_Result_OK, static_cast<std::uint32_t>(levels.size()) | flag};
      if (low >= levels.size())
        return fail(s::PPSMC_Result_Failed, "smu.dpm_index", argument, "the clock has fewer DPM levels");
      return {s::PPSMC_Result_OK, levels[low] | flag};
    }
    case s::PPSMC_MSG_SetSoftMinByFreq:
    case s::PPSMC_MSG_SetHardMinByFreq:
      // 0 lifts the limit.
      if (low && !in_range())
        return fail(s::PPSMC_Result_Failed, "smu.bad_argument", argument, "the frequency is outside the clock's range");
      soft_min_[clock] = low ? low : levels.front();
      return {s::PPSMC_Result_OK, argument};
    default:
      if (low != 0xffff && low && !in_range())
        return fail(s::PPSMC_Result_Failed, "smu.bad_argument", argument, "the frequency is outside the clock's range");
      soft_max_[clock] = low && low != 0xffff ? low : levels.back();
      return {s::PPSMC_Result_OK, argument};
  }
}

// The argument of a transfer: the table in the low half, which of several (a workload) in the high half.
std::vector<std::byte>* Smu::table(std::uint32_t argument) {
  const std::uint32_t id = argument & 0xffff, which = argument >> 16;
  if (id == s::TABLE_ACTIVITY_MONITOR_COEFF && which < activity_.size()) return &activity_[which];
  if (which) return nullptr;
  switch (id) {
    case s::TABLE_PPTABLE:
      return &pp_;
    case s::TABLE_COMBO_PPTABLE:
      return &power_play_;
    case s::TABLE_SMU_METRICS:
      return &sampled_;
    case s::TABLE_OVERDRIVE:
      return &overdrive_;
    default:
      return nullptr;
  }
}

void Smu::sample_metrics() {
  std::array<ClockLimits, 4> limits;
  for (std::size_t i = 0; i < limits.size(); ++i) limits[i] = {soft_min_[i], std::max(soft_min_[i], soft_max_[i])};
  const s::SmuMetrics m = metrics_.sample(SmuMetricsSource::Clock::now(), limits, ppt_limit_);
  std::copy_n(reinterpret_cast<const std::byte*>(&m), sizeof m, sampled_.begin());
}

Smu::Answer Smu::transfer(std::uint32_t argument, bool to_dram) {
  if (!dram_high_set_ || !dram_low_set_)
    return fail(s::PPSMC_Result_Failed, "smu.table_address", argument,
                "a table was to be transferred before both halves of the driver's address were set");
  std::vector<std::byte>* t = table(argument);
  if (!t) return fail(s::PPSMC_Result_Failed, "smu.table", argument, "the model has no such table");
  if (!to_dram && (t == &sampled_ || t == &power_play_))
    return fail(s::PPSMC_Result_Failed, "smu.table", argument, "this table goes towards memory only");
  if (t == &sampled_) sample_metrics();
  const bool ok =
      to_dram ? chip_.memory->mc_write("SMU table", dram_, *t) : chip_.memory->mc_read("SMU table", dram_, *t);
  return ok ? Answer{s::PPSMC_Result_OK, argument} : Answer{s::PPSMC_Result_Failed, 0};
}

}  // namespace hcq::models::am
