// SPDX-License-Identifier: MIT
// What on this machine stands in the way of driving one function, before anything is touched: reads attributes only,
// takes no lock, wakes nothing, works without rights and says what it could not see.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "drivers/pci/dma.h"
#include "drivers/pci/host.h"

namespace hcq::pci {

enum class Severity : std::uint8_t {
  ok,
  info,     // worth knowing
  warning,  // works, with less speed or under a condition
  blocks,   // opening or using the function will fail
};

const char* severity_name(Severity severity);

struct Finding {
  std::string what;  // name of the check, stable: "power", "driver", "iommu-group", ...
  Severity severity = Severity::ok;
  std::string seen;  // what was found, one sentence
  std::string fix;   // the one line that mends it; empty when there is nothing to mend
};

enum class Access : std::uint8_t { sysfs, vfio };

struct PreflightOptions {
  Access access = Access::sysfs;
  std::uint64_t memory_bytes = 64u << 20;  // host memory that will be locked
};

// One finding per check, in a fixed order. Errc::not_found when there is no such function.
Result<std::vector<Finding>> preflight(const Host& host, const std::string& bdf, PreflightOptions options,
                                       MemoryKernel& memory);

}  // namespace hcq::pci
