// SPDX-License-Identifier: MIT
// Smu: the system management unit: power, clocks, metrics, mode-1 reset. One message at a time through a mailbox.
#pragma once

#include <array>
#include <cstdint>

#include "base/deadline.h"
#include "base/error.h"
#include "drivers/am/abi/smu.h"
#include "hcq/metrics.h"

namespace hcq::am {

class Gpu;

class Smu {
 public:
  using Message = abi::smu13_0_0::Message;

  explicit Smu(Gpu& gpu) : gpu_(gpu) {}

  // Sends a message and returns its result argument. Anything but the answer OK is an error that names message, answer
  // and argument.
  Result<std::uint32_t> send(Message message, std::uint32_t argument = 0, Clock::duration timeout = kTimeout);

  // Whether its firmware runs; an answer is only waited for briefly. Losing the device is an error.
  Result<bool> alive();

  // Boot steps.
  Status start();  // versions, driver table, features
  Status raise_clocks();
  void lower_clocks();

  std::uint32_t version() const { return version_; }
  // False when the firmware's interface is not the one whose tables this driver knows: metrics must not be shown.
  bool tables_known() const { return tables_known_; }

  // What the firmware measures. Errc::unsupported when tables_known() is false. Uses the mailbox and the SMU table: one
  // caller at a time, and none while the device boots or closes.
  Result<Metrics> metrics();

  // Asks for a mode-1 reset; the device stops answering right after.
  Status request_mode1_reset();

  static constexpr Clock::duration kTimeout = std::chrono::seconds(10);

 private:
  Status wait_idle(Clock::duration timeout);
  Result<std::uint32_t> dpm_level(std::uint32_t clock, bool highest);
  Status set_clock(std::uint32_t clock, bool highest);

  Gpu& gpu_;
  std::uint32_t version_ = 0, driver_if_ = 0;
  bool tables_known_ = false, asked_ = false;
};

}  // namespace hcq::am
