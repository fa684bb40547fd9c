// SPDX-License-Identifier: MIT
// What the SMU measures: activity of shaders and memory since the last look, and clocks, power and temperatures that
// follow from it. The numbers are plausible for a Radeon RX 7900 XTX, not measured on one (docs/unverified.md).
#pragma once

#include <array>
#include <cstdint>

#include "drivers/am/abi/smu.h"
#include "models/am/busy_time.h"

namespace hcq::models::am {

struct ClockLimits {
  std::uint32_t least = 0, most = 0;  // MHz, as set by the driver
};

class SmuMetricsSource {
 public:
  using Clock = BusyTime::Clock;
  SmuMetricsSource(const BusyTime& shaders, const BusyTime& copies) : shaders_(shaders), copies_(copies) {}

  // Looks at the engines at `now` and brings the model of the board up to that moment. `limits`: GFXCLK, SOCCLK, UCLK,
  // FCLK; `ppt`: power limit in watts.
  hcq::am::abi::smu13_0_0::SmuMetrics sample(Clock::time_point now, const std::array<ClockLimits, 4>& limits,
                                             std::uint32_t ppt);
  void reset(Clock::time_point now);  // counters and activity; the board keeps its temperature

 private:
  void advance(Clock::time_point now, std::uint32_t ppt);

  const BusyTime &shaders_, &copies_;
  Clock::time_point last_ = Clock::now();
  Clock::duration shaders_before_{}, copies_before_{};
  double gfx_ = 0, memory_ = 0;  // activity, 0 to 1
  double watts_ = 0, joules_ = 0;
  double celsius_ = 41;  // edge
  std::uint32_t counter_ = 0;
};

}  // namespace hcq::models::am
