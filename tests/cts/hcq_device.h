// SPDX-License-Identifier: MIT
// The conformance suite for hcq::Device, Queue and Signal. It is compiled once; a device joins by registering how it
// is opened, in a source file of its own (hcq_device_cpu.cc):
//
//   const bool registered = cts::register_device({.name = "cpu", .open = ...});
//
// An open that returns Errc::not_found skips the tests of that device; any other error fails them.
#pragma once

#include <cstdint>
#include <functional>
#include <memory>
#include <ostream>
#include <string>
#include <vector>

#include "hcq/device.h"

namespace hcq::cts {

struct OpenOptions {
  std::uint32_t timeline_limit = 0;  // restart the timeline's cell at this value; 0: the device's own limit
};

struct DeviceCase {
  std::string name;  // a C identifier
  std::function<Result<std::unique_ptr<Device>>(const OpenOptions&)> open;
  bool timeline_limit = false;  // `open` honours OpenOptions::timeline_limit
  bool copy_queue = true;       // has QueueKind::copy
  bool reports_faults = true;   // a copy to an unmapped address is a device fault with that address
  std::uint64_t long_copy_bytes = 64ull << 20;
  unsigned repeat = 100;       // how often the repetitive tests repeat
  double slow_kernel_ms = 30;  // length of the kernel of the slow-but-alive test

  friend void PrintTo(const DeviceCase& d, std::ostream* os) { *os << d.name; }
};

bool register_device(DeviceCase device);
const std::vector<DeviceCase>& devices();

// A code object for the device's architecture with one of the test kernels. All run 64 work-items a workgroup
// ("kBlock"); arguments are 8-byte aligned and packed in this order:
//   store_value (out, u32 value)      out[id] = value + id
//   add_one     (inout)               inout[id] += 1
//   copy_word   (out, in)             out[id] = in[id]
//   busy        (inout, u32 rounds)   work-item 0 of each workgroup increments inout[0] `rounds` times, one by one
inline constexpr std::uint32_t kBlock = 64;
Result<std::vector<std::byte>> test_kernel(const DeviceInfo& device, const std::string& name);

}  // namespace hcq::cts
