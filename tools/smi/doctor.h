// SPDX-License-Identifier: MIT
// `hcq-smi doctor`: what on this machine stands in the way of opening a device, and the line that mends it. Looks only.
#pragma once

#include <string>
#include <vector>

#include "drivers/pci/open.h"
#include "drivers/pci/preflight.h"

namespace hcq::smi {

struct DoctorOptions {
  std::string address;  // one function, in the form pci::parse_bdf() returns; empty for all of a known kind
  pci::Via via = pci::Via::automatic;
  std::uint64_t memory_bytes = 64u << 20;  // host memory that a program will lock
};

struct Diagnosis {
  pci::Identity identity;
  std::string bdf;
  pci::Access access = pci::Access::sysfs;
  std::vector<pci::Finding> findings;
  bool usable() const;  // nothing blocks
};

struct DoctorResult {
  std::vector<Diagnosis> devices;
  std::vector<Error> problems;  // functions that could not be looked at; they hide no others
};

// Errc::not_found when `address` is given and not there.
Result<DoctorResult> examine(const pci::Host& host, const DoctorOptions& options);

// A block of lines per device: each check, what was seen, and the line that mends it.
std::string doctor_text(const DoctorResult& result);
std::string doctor_json(const DoctorResult& result);

}  // namespace hcq::smi
