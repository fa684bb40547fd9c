// SPDX-License-Identifier: MIT
// The subcommands of hcq-run as functions, so that tests can call them. Each prints its result on stdout; an Error is
// printed by main.
#pragma once

#include <cstdint>
#include <memory>
#include <optional>
#include <string>

#include "base/error.h"
#include "hcq/device.h"

namespace hcq::run {

struct DeviceChoice {
  std::string address = "cpu";
  bool unbind = false;  // take the function from a bound kernel driver while it is open
};

struct InfoOptions {
  DeviceChoice device;
  bool json = false;
};
Status info(const InfoOptions& options);

struct BinaryOptions {
  std::string a, b;    // FILE.npy, FILE.safetensors or FILE.safetensors:TENSOR
  std::string output;  // the same forms; empty: nothing is written
  DeviceChoice device;
  bool verify = false;            // compare with a double-precision reference on the host
  unsigned repeat = 1;            // further runs of the same kernel, for the throughput figure
  std::optional<double> timeout;  // seconds without progress after which the device is taken for hung
  bool json = false;
};
// After an error `device` is still open, so that the error can be told first: closing a device that has left the bus
// can take a minute inside the kernel.
Status matmul(const BinaryOptions& options, std::unique_ptr<Device>& device);
Status add(const BinaryOptions& options, std::unique_ptr<Device>& device);

struct GenerateOptions {
  std::string shape;  // "256x256"
  std::uint64_t seed = 1;
  std::string output;
};
Status generate(const GenerateOptions& options);

}  // namespace hcq::run
