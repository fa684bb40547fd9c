// SPDX-License-Identifier: MIT
// An AMD GPU as an hcq::Device: booted by Gpu, with one compute queue (PM4) and one copy queue (SDMA) whose submissions
// are ordered by one timeline.
#pragma once

#include <cstdint>
#include <memory>

#include "drivers/am/gpu.h"
#include "drivers/pci/function.h"
#include "hcq/device.h"
#include "hcq/timeline.h"

namespace hcq::am {

struct DeviceOptions {
  OpenOptions boot;
  std::string address;                     // DeviceInfo::address; the function's name if empty
  std::string status_path;                 // socket where other processes may read metrics; empty: none
  std::uint32_t ring_bytes = 1u << 20;     // of each queue's ring; a power of two, at least 4 KiB
  std::uint32_t kernarg_bytes = 1u << 20;  // of the kernel argument ring; a power of two, at least 64 KiB
  std::uint32_t timeline_limit = Timeline::kDefaultLimit;
  // How long recording waits, without any progress, for room in a full ring.
  Clock::duration ring_timeout = std::chrono::seconds(30);
  // How long close() waits, without any progress, for unfinished work before it resets the queues; a wait that timed
  // out before counts.
  Clock::duration close_timeout = std::chrono::seconds(5);
  // How long upload() and download() wait without any progress. Longer than the copy engine's own watchdog (10 s),
  // which knows more about why.
  Clock::duration copy_timeout = std::chrono::seconds(12);
};

Result<std::unique_ptr<Device>> open(std::unique_ptr<pci::Function> function, DeviceOptions options = {});

}  // namespace hcq::am
