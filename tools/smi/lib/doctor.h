// SPDX-License-Identifier: MIT
// `hcq-smi doctor`: what on this machine stands in the way of opening a device, and the line that mends it. Reads
// attributes only: takes no lock, wakes nothing, works without rights and says what it could not see.
#pragma once

#include <memory>
#include <string>
#include <vector>

#include "drivers/pci/dma.h"
#include "drivers/pci/open.h"
#include "drivers/pci/preflight.h"
#include "tools/smi/lib/target.h"

namespace hcq::smi {

struct DoctorOptions {
  pci::Via via = pci::Via::automatic;
  std::uint64_t memory_bytes = 64u << 20;       // host memory that a program will lock
  std::shared_ptr<pci::MemoryKernel> memory{};  // null: the system's
};

struct Diagnosis {
  pci::Identity identity;
  std::string bdf;
  pci::Access access = pci::Access::sysfs;
  std::vector<pci::Finding> findings;
  bool usable() const;  // nothing blocks
};

struct DoctorResult {
  std::vector<pci::Finding> host;  // of the machine as a whole; empty when one device was named
  std::vector<Diagnosis> devices;
  std::vector<Error> problems;  // functions that could not be looked at; they hide no others
};

// Errc::not_found when a device is named and not there.
Result<DoctorResult> examine(const pci::Host& host, const Selection& selection, const DoctorOptions& options);

// Findings of the machine as a whole: rights, kernel, IOMMU, VFIO, memory, USB bridges.
std::vector<pci::Finding> host_findings(const pci::Host& host);

// Findings of one function beyond pci::preflight(): D3cold, siblings, link along the path, ACS, NUMA, error counters,
// firmware files.
std::vector<pci::Finding> device_findings(const pci::Host& host, const Target& target);

// A block of lines per device: each check, what was seen, and the line that mends it.
std::string doctor_text(const DoctorResult& result);
std::string doctor_json(const DoctorResult& result);

}  // namespace hcq::smi
