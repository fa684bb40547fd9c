// SPDX-License-Identifier: MIT
// Opens devices by address. This is the only place that knows every driver and every model; what it returns are the
// plain interfaces of hcq/ and drivers/pci/.
#pragma once

#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "base/deadline.h"
#include "devices/address.h"
#include "drivers/pci/function.h"
#include "hcq/device.h"

namespace hcq::devices {

struct OpenOptions {
  // A function that a kernel driver holds is refused unless this is set; then the driver is unbound for as long as the
  // device is open, and bound again at close.
  bool unbind_kernel_driver = false;
  // How long the device may get no further with a copy before it is taken for hung. Closing waits for unfinished work
  // that long, but no longer than the driver's default. Empty: the driver's defaults, some seconds.
  std::optional<Clock::duration> timeout{};
};

// Opens the device for compute: boots it if it must, and takes its lock. Errors: everything from a malformed address to
// a failed boot step, always with the address in Error::device.
Result<std::unique_ptr<Device>> open(std::string_view address, const OpenOptions& options = {});

// Only the PCI function behind the address, unbooted (pci:, am:, model: forms).
Result<std::unique_ptr<pci::Function>> open_function(std::string_view address, const OpenOptions& options = {});

enum class ResetKind : std::uint8_t {
  function,  // what the platform offers for one PCI function
  chip,      // the whole chip through its own firmware (AMD: mode 1), the function's reset where that is dead
};

// Resets devices; all are locked and identified before the first is touched, so several chips can be reset as one hive.
// All their state is lost. Errors as of open_function(), and those of the reset.
Status reset(const std::vector<std::string>& addresses, ResetKind kind, const OpenOptions& options = {});

// The models that "model:NAME" knows, with one line about each.
std::vector<std::pair<std::string, std::string>> models();

// Writes the synthetic firmware files that the models accept into DIRECTORY/amdgpu, for drivers in another machine.
Status write_model_firmware(const std::string& directory);

}  // namespace hcq::devices
