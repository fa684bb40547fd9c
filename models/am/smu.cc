// SPDX-License-Identifier: MIT
#include "models/am/smu.h"

#include <fmt/format.h>

#include <algorithm>

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
constexpr std::span<const std::uint32_t> kClocks[] = {kGfxclk, kSocclk, kUclk, kFclk};
constexpr std::uint32_t kDiscrete = 1u << 31;  // smu_v13_0_get_fine_grained_status: 0 means fine grained
constexpr std::uint32_t kDefaultPpt = 339, kMaxPpt = 390;

// Debug message 2 resets this chip as well; smu_v13_0.c sends it on 13.0.10.
constexpr std::uint32_t kDebugMode1Reset = 2;

}  // namespace

Smu::Smu(Chip& chip) : chip_(chip), metrics_(chip.shader_time, chip.copy_time) {
  auto& r = chip.registers;
  r.on_write<regs::MP1_SMN_C2PMSG_66>([this](std::uint32_t v, std::uint32_t) { message(v); });
  r.on_write<regs::MP1_SMN_C2PMSG_75>([this](std::uint32_t v, std::uint32_t) { debug_message(v); });
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
      const std::uint32_t flag = fine ? 0 : kDiscrete;
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

Smu::Answer Smu::transfer(std::uint32_t table, bool to_dram) {
  if (!dram_high_set_ || !dram_low_set_)
    return fail(s::PPSMC_Result_Failed, "smu.table_address", table,
                "a table was to be transferred before both halves of the driver's address were set");
  if (table != s::TABLE_SMU_METRICS || !to_dram)
    return fail(s::PPSMC_Result_Failed, "smu.table", table, "the model has only the metrics table, towards memory");
  std::array<std::byte, s::kMetricsTableBytes> out{};
  std::array<ClockLimits, 4> limits;
  for (std::size_t i = 0; i < limits.size(); ++i) limits[i] = {soft_min_[i], std::max(soft_min_[i], soft_max_[i])};
  const s::SmuMetrics m = metrics_.sample(SmuMetricsSource::Clock::now(), limits, ppt_limit_);
  std::copy_n(reinterpret_cast<const std::byte*>(&m), sizeof m, out.begin());
  if (!chip_.memory->mc_write("SMU table", dram_, out)) return {s::PPSMC_Result_Failed, 0};
  return {s::PPSMC_Result_OK, table};
}

}  // namespace hcq::models::am
