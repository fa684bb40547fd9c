// SPDX-License-Identifier: MIT
// The driver for AMD GPUs, booted from cold on a modelled Navi31.
#include "drivers/am/device.h"
#include "models/am/navi31.h"
#include "models/am/synthetic_firmware.h"
#include "tests/cts/hcq_device.h"

namespace hcq::cts {
namespace {

Result<std::unique_ptr<Device>> open_navi31(const OpenOptions& o) {
  models::Options model_options;
  model_options.vram_bytes = 512ull << 20;
  auto model = HCQ_TRY(models::am::create_navi31(model_options));
  auto function = HCQ_TRY(models::attach("model:navi31", std::move(model), model_options));
  am::DeviceOptions options;
  options.boot.firmware = {am::firmware_memory("synthetic", models::am::synthetic_firmware())};
  options.ring_bytes = 16384;  // small, so that the suite goes round it often
  if (o.timeline_limit != 0) options.timeline_limit = o.timeline_limit;
  return am::open(std::move(function), options);
}

const bool registered = register_device(
    {.name = "navi31", .open = open_navi31, .timeline_limit = true, .long_copy_bytes = 8ull << 20, .repeat = 30});

}  // namespace
}  // namespace hcq::cts
