// SPDX-License-Identifier: MIT
// The CPU as an hcq device: one executing thread that runs the queues' commands in timeline order, and helper threads
// that share the workgroups of a kernel with it. Asynchronous like hardware; kernels are native code (abi.h).
#pragma once

#include <memory>

#include "hcq/device.h"
#include "hcq/timeline.h"

namespace hcq::cpu {

struct Options {
  unsigned threads = 0;             // threads that run workgroups; 0: as many as the process may use
  std::uint32_t ring_slots = 4096;  // 64-byte slots per queue, a power of two
  std::uint32_t timeline_limit = Timeline::kDefaultLimit;
  // How long close() waits without any progress before it gives up on unfinished work.
  Clock::duration close_timeout = std::chrono::seconds(5);
  // How long recording waits without any progress for room in a full ring.
  Clock::duration ring_timeout = std::chrono::seconds(30);
};

Result<std::unique_ptr<Device>> open(const Options& options = {});

}  // namespace hcq::cpu
