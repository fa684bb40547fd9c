// SPDX-License-Identifier: MIT
// The system management unit, SMU 13.0.0: message mailbox, clock tables, metrics, mode1 reset. Source: smu_cmn.c,
// smu_v13_0.c, smu_v13_0_0_ppsmc.h and smu13_driver_if_v13_0_0.h of Linux 6.12.
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <mutex>
#include <span>
#include <vector>

#include "drivers/am/abi/smu.h"
#include "models/am/chip.h"
#include "models/am/smu_metrics.h"

namespace hcq::models::am {

class Smu final : public Block {
 public:
  explicit Smu(Chip& chip);
  void reset(Reset kind) override;

 private:
  struct Answer {
    std::uint32_t response, argument;
    bool mode1 = false;
  };
  void message(std::uint32_t id);
  void debug_message(std::uint32_t id);
  void finish(std::uint32_t id, std::uint32_t argument);
  Answer execute(std::uint32_t id, std::uint32_t argument);
  Answer clock_message(std::uint32_t id, std::uint32_t argument);
  Answer transfer(std::uint32_t argument, bool to_dram);
  std::vector<std::byte>* table(std::uint32_t id);
  void sample_metrics();
  Answer fail(std::uint32_t response, const char* rule, std::uint32_t value, const char* text);
  void mode1_soon();
  void report(const char* rule, const char* where, std::uint32_t value, const char* text);

  Chip& chip_;
  std::mutex mutex_;
  bool busy_ = false, features_on_ = false;
  std::uint64_t dram_ = 0;
  bool dram_high_set_ = false, dram_low_set_ = false;
  std::uint32_t ppt_limit_ = 0;
  std::array<std::uint32_t, hcq::am::abi::smu13_0_0::PPCLK_COUNT> soft_min_{}, soft_max_{};
  SmuMetricsSource metrics_;
  std::vector<std::byte> power_play_, pp_, sampled_, overdrive_;
  std::array<std::vector<std::byte>, 8> activity_;  // by workload
};

}  // namespace hcq::models::am
