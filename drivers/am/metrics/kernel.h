// SPDX-License-Identifier: MIT
// Metrics of a card that amdgpu drives, from its sysfs attributes; needs no rights. The caller has seen that the card
// is awake (power_state D0): reading these attributes wakes one that sleeps.
#pragma once

#include <string>

#include "drivers/pci/host.h"
#include "hcq/metrics.h"

namespace hcq::am {

// Never fails: what cannot be read is absent, and a note says why where a whole source is missing.
Metrics read_kernel_metrics(const pci::Host& host, const std::string& bdf);

}  // namespace hcq::am
