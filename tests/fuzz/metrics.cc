// SPDX-License-Identifier: MIT
// What an owner's process sends, and the kernel driver's table: any bytes end in metrics or an error.
#include "hcq/metrics.h"

#include <cstdlib>

#include "drivers/am/metrics/tables.h"

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  const hcq::Bytes bytes(reinterpret_cast<const std::byte*>(data), size);
  (void)hcq::am::decode_gpu_metrics(bytes);
  (void)hcq::am::decode_smu13_0_0(bytes);
  const auto m = hcq::parse_metrics(std::string_view(reinterpret_cast<const char*>(data), size));
  // What was read can be sent on and reads the same.
  if (m.ok() && !hcq::parse_metrics(hcq::serialize(*m)).ok()) std::abort();
  return 0;
}
