// SPDX-License-Identifier: MIT
#include "models/am/smu_metrics.h"

#include <algorithm>
#include <cmath>

namespace hcq::models::am {

namespace s = hcq::am::abi::smu13_0_0;

namespace {

constexpr double kIdleWatts = 21, kBoardWatts = 7;      // the board around the chip takes a little more
constexpr double kIdleCelsius = 41, kLoadCelsius = 66;  // edge, settled
constexpr double kSettle = 15;                          // seconds

std::uint16_t whole(double v) { return static_cast<std::uint16_t>(std::lround(v)); }

double seconds(BusyTime::Clock::duration d) { return std::chrono::duration<double>(d).count(); }

std::uint32_t between(const ClockLimits& l, double share) {
  return l.least + static_cast<std::uint32_t>(std::lround(share * static_cast<double>(l.most - l.least)));
}

}  // namespace

void SmuMetricsSource::reset(Clock::time_point now) {
  last_ = now;
  shaders_before_ = shaders_.total(now);
  copies_before_ = copies_.total(now);
  gfx_ = memory_ = joules_ = 0;
  watts_ = kIdleWatts;
  counter_ = 0;
}

void SmuMetricsSource::advance(Clock::time_point now, std::uint32_t ppt) {
  const double elapsed = seconds(now - last_);
  if (elapsed <= 0) return;
  const auto shaders = shaders_.total(now), copies = copies_.total(now);
  gfx_ = std::clamp(seconds(shaders - shaders_before_) / elapsed, 0.0, 1.0);
  // Kernels use memory, too.
  memory_ = std::clamp(seconds(copies - copies_before_) / elapsed + gfx_ / 2, 0.0, 1.0);
  shaders_before_ = shaders;
  copies_before_ = copies;
  last_ = now;
  const double load = std::max(gfx_, memory_ / 2);
  watts_ = kIdleWatts + load * 0.9 * (static_cast<double>(ppt) - kIdleWatts);
  joules_ += watts_ * elapsed;
  const double target = kIdleCelsius + load * (kLoadCelsius - kIdleCelsius);
  celsius_ += (target - celsius_) * (1 - std::exp(-elapsed / kSettle));
}

s::SmuMetrics SmuMetricsSource::sample(Clock::time_point now, const std::array<ClockLimits, 4>& limits,
                                       std::uint32_t ppt) {
  advance(now, ppt);
  s::SmuMetrics m{};
  // Shaders race: their clock follows activity steeply; the others have a few levels and follow in steps.
  const auto stepped = [](double v) { return std::ceil(v * 3) / 3; };
  m.CurrClock[s::PPCLK_GFXCLK] = between(limits[0], std::sqrt(gfx_));
  m.CurrClock[s::PPCLK_SOCCLK] = between(limits[1], stepped(memory_));
  m.CurrClock[s::PPCLK_UCLK] = between(limits[2], stepped(memory_));
  m.CurrClock[s::PPCLK_FCLK] = between(limits[3], stepped(memory_));
  const auto mhz = [&](s::Clock c) { return static_cast<std::uint16_t>(m.CurrClock[c]); };
  m.AverageGfxclkFrequencyTarget = m.AverageGfxclkFrequencyPreDs = m.AverageGfxclkFrequencyPostDs =
      mhz(s::PPCLK_GFXCLK);
  m.AverageFclkFrequencyPreDs = m.AverageFclkFrequencyPostDs = mhz(s::PPCLK_FCLK);
  m.AverageMemclkFrequencyPreDs = m.AverageMemclkFrequencyPostDs = mhz(s::PPCLK_UCLK);
  m.dGPU_W_MAX = static_cast<std::uint16_t>(ppt);
  m.MetricsCounter = ++counter_;
  const double volts[5] = {0.706 + 0.35 * gfx_, 0.868, 0.75 + 0.1 * memory_, 1.35, 0.75};
  std::transform(std::begin(volts), std::end(volts), m.AvgVoltage, [](double v) { return whole(1000 * v); });
  m.AverageGfxActivity = whole(100 * gfx_);
  m.AverageUclkActivity = whole(100 * memory_);
  m.EnergyAccumulator = static_cast<std::uint32_t>(joules_);
  m.AverageSocketPower = whole(watts_);
  m.AverageTotalBoardPower = whole(watts_ + kBoardWatts);
  const double above_edge[s::TEMP_COUNT] = {
      0, 5 + 15 * gfx_, 5 + 15 * gfx_, 3 + 8 * memory_, 11 + 14 * memory_, 2, 4, 4, 1, 1, 0, 0, 0};
  for (unsigned i = 0; i < s::TEMP_LIQUID0; ++i) m.AvgTemperature[i] = whole(celsius_ + above_edge[i]);
  m.AvgTemperatureFanIntake = 31;
  // The fan stands still on a cool board.
  const double fan = std::clamp((celsius_ - 50) / 40, 0.0, 1.0);
  m.AvgFanPwm = static_cast<std::uint8_t>(100 * fan);
  m.AvgFanRpm = whole(3000 * fan);
  m.PcieRate = 4;
  m.PcieWidth = 16;
  return m;
}

}  // namespace hcq::models::am
