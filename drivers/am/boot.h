// SPDX-License-Identifier: MIT
// Boot order as data: a table of named steps with run and undo, and the runner that traces, times, skips what a warm
// start need not do again, and takes back what was done when a step fails.
#pragma once

#include <cstdint>
#include <functional>
#include <span>
#include <string_view>
#include <vector>

#include "base/error.h"
#include "hcq/device.h"

namespace hcq::am {

class Gpu;

enum class When : std::uint8_t { cold, always };

struct BootStep {
  const char* name;  // "psp/load_sos"; also Error::operation and the trace line
  When when;         // a warm start skips `cold` rows
  Status (*run)(Gpu&);
  void (*undo)(Gpu&);  // nullptr: nothing to take back. Must not wait without limit, must not touch a lost device.
};

// The steps from a mapped device to one that takes queues, in order.
std::span<const BootStep> boot_steps();

struct BootObserver {
  // Before each step; an error is taken as the step's own failure.
  std::function<Status(std::string_view name)> before;
  // When a step's undo has run.
  std::function<void(std::string_view name)> undone;
};

// Runs the steps. On failure undoes the finished ones in reverse and returns the failed step's error with
// Error::operation naming it. `times` gets one entry per step that ran.
Status run_boot(Gpu& gpu, std::span<const BootStep> steps, bool warm, const BootObserver& observer,
                std::vector<DeviceInfo::BootStep>& times);
// Undoes all steps in reverse, as close() does.
void undo_boot(Gpu& gpu, std::span<const BootStep> steps, const BootObserver& observer);

}  // namespace hcq::am
