// SPDX-License-Identifier: MIT
// A modelled Navi31 and the way to open it as often as a test likes; closing and attaching again is what a second
// process sees.
#pragma once

#include <gtest/gtest.h>

#include <cstdlib>
#include <memory>
#include <string>

#include "am_interposer.h"
#include "drivers/am/gpu.h"
#include "models/am/navi31.h"
#include "models/am/synthetic_firmware.h"

namespace hcq::am {

// The model accepts these and, with HCQ_FIRMWARE_PATH set, the vendor's files, which the driver then prefers.
inline FirmwareSources synthetic_sources() {
  static const auto source = firmware_memory("synthetic", models::am::synthetic_firmware());
  return {source};
}

class BootRig {
 public:
  explicit BootRig(models::Options options = {}) : options_(std::move(options)) { power_on(); }

  // A new card in its state after power-on.
  void power_on() {
    auto model = models::am::create_navi31(options_);
    EXPECT_TRUE(model.ok()) << (model.ok() ? "" : describe(model.error()));
    model_ = std::move(*model);
  }

  // A new process: nothing is left of what the last one did to the interposer.
  Result<std::unique_ptr<Gpu>> open(OpenOptions options = {}) {
    interposer = {};
    return open_as_is(std::move(options));
  }
  // With whatever the test has set in the interposer.
  Result<std::unique_ptr<Gpu>> open_as_is(OpenOptions options = {}) {
    auto function = models::attach("model:navi31", model_, options_);
    if (!function.ok()) return std::move(function).error();
    if (options.firmware.empty()) options.firmware = synthetic_sources();
    return open_gpu(std::make_unique<InterposedFunction>(interposer, std::move(*function)), std::move(options));
  }

  Interposer interposer;

  models::Device& model() { return *model_; }
  models::Options& options() { return options_; }

  std::uint32_t config(std::uint16_t offset, unsigned size) { return model_->config_read(offset, size); }
  bool bus_master() { return config(pci::kCommand, 2) & pci::kCommandBusMaster; }

 private:
  models::Options options_;
  std::shared_ptr<models::Device> model_;
};

}  // namespace hcq::am
