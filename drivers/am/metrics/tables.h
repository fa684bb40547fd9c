// SPDX-License-Identifier: MIT
// Decoders of what AMD GPUs report about themselves: the SMU firmware's metrics table and the kernel driver's
// gpu_metrics. Both are told apart by version; a version that is not known is refused by name, never guessed.
#pragma once

#include "base/bytes.h"
#include "base/error.h"
#include "hcq/metrics.h"

namespace hcq::am {

// SmuMetricsExternal_t of SMU 13.0.0 (abi/smu.h). `table` has at least abi::smu13_0_0::kMetricsTableBytes bytes.
Result<Metrics> decode_smu13_0_0(Bytes table);

// sysfs gpu_metrics, formats 1.0 to 1.3 (kgd_pp_interface.h of Linux 6.12). Errc::unsupported names the version.
Result<Metrics> decode_gpu_metrics(Bytes blob);

}  // namespace hcq::am
