// SPDX-License-Identifier: MIT
// Metrics of any device, by the way that does not disturb it: from the kernel driver's attributes where one has it,
// from the process that drives it where hcq has it, and not at all from one that sleeps or that nobody drives.
#pragma once

#include <string>
#include <vector>

#include "drivers/pci/host.h"
#include "drivers/pci/scan.h"
#include "hcq/metrics.h"

namespace hcq::devices {

// Where the owner of a device offers its metrics: beside the lock, or beside a served model's socket. Empty where there
// is no such place (a model inside a process).
std::string status_path(const pci::Host& host, std::string_view address);

// Never fails; `notes` says why something is missing. A status socket of a process that does not hold the device's lock
// is not believed.
Metrics read_metrics(const pci::Host& host, const pci::FunctionInfo& function);
Metrics read_model_metrics(const std::string& socket);

}  // namespace hcq::devices
