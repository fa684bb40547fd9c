// SPDX-License-Identifier: MIT
// A software device alone, for who serves it to other processes (hcq-model).
#pragma once

#include <memory>

#include "base/error.h"
#include "devices/address.h"

namespace hcq::models {
class Device;
}

namespace hcq::devices {

// The device of a "model:NAME?options" address, powered on and attached to nothing. Broken rules are recorded and do
// not abort the program, unless the address says policy=abort. `shared_vram`: see models::Options.
Result<std::shared_ptr<models::Device>> create_model(const Address& a, bool shared_vram);

}  // namespace hcq::devices
