// SPDX-License-Identifier: MIT
// What can be said about a device without driving it: names, firmware files of this machine, who has a served model.
#pragma once

#include <array>
#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

#include "base/error.h"
#include "drivers/pci/function.h"
#include "hcq/device.h"

namespace hcq::devices {

// "Navi31"; nullptr for a chip that no driver here has a name for.
const char* chip_name(std::uint16_t vendor, std::uint16_t device);

// The firmware files that a boot of this chip would load from this machine's directories, with their versions. Reads
// and checks files only. Errc::not_found names the file and the places searched; Errc::unsupported: no driver here
// boots such a chip.
Result<std::vector<DeviceInfo::Firmware>> installed_firmware(std::uint16_t vendor, std::uint16_t device);

struct ModelState {
  int holder = 0;           // pid of the host that has the model; 0: nobody, and the rest below is filled in
  std::string holder_name;  // its command line, where it can be read
  pci::Identity identity{};
  std::array<std::uint64_t, 6> bar_bytes{};
};

// Connects to a served model for a moment: its identity when it is free, its host when it is not. Changes nothing in
// it, but a host that comes within that moment is told that it is busy. Errc::not_found: nobody serves there.
Result<ModelState> look_at_model(std::string_view address);

}  // namespace hcq::devices
