// SPDX-License-Identifier: MIT
#include "devices/inspect.h"

#include <fmt/format.h>

#include <algorithm>

#include "base/file.h"
#include "devices/devices.h"
#include "drivers/am/chip.h"
#include "drivers/am/firmware/firmware.h"
#include "models/served/client.h"

namespace hcq::devices {

const char* chip_name(std::uint16_t vendor, std::uint16_t device) {
  const am::KnownDevice* known = vendor == am::kVendorAmd ? am::find_device(device) : nullptr;
  return known ? known->chip : nullptr;
}

Result<std::vector<DeviceInfo::Firmware>> installed_firmware(std::uint16_t vendor, std::uint16_t device) {
  const auto chip = vendor == am::kVendorAmd ? am::nominal_chip(device) : std::nullopt;
  if (!chip)
    return Error{.code = Errc::unsupported,
                 .operation = "firmware",
                 .subject = fmt::format("{:04x}:{:04x}", vendor, device),
                 .detail = "no driver of this version boots this chip"};
  return HCQ_TRY(am::load_firmware_set(*chip, am::firmware_chain({}))).versions;
}

Result<ModelState> look_at_model(std::string_view address) {
  ModelState state;
  auto f = open_function(address);
  if (f.ok()) {
    state.identity = (*f)->identity();
    for (unsigned i = 0; i < state.bar_bytes.size(); ++i) state.bar_bytes[i] = (*f)->bar_size(i);
    return state;
  }
  Error e = std::move(f).error();
  if (e.code != Errc::busy) return e;
  state.holder = models::served::holder_pid(e);
  if (auto line = read_text(fmt::format("/proc/{}/cmdline", state.holder)); line.ok() && state.holder != 0) {
    std::replace(line->begin(), line->end(), '\0', ' ');
    state.holder_name = *line;
  }
  return state;
}

}  // namespace hcq::devices
