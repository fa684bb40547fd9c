// SPDX-License-Identifier: MIT
// "model:NAME?options" -> a pci::Function with a software device behind it. Not for use outside devices/.
#pragma once

#include <memory>

#include "devices/address.h"
#include "drivers/am/firmware/source.h"
#include "drivers/pci/function.h"

namespace hcq::devices {

// Options: vram=SIZE, bar0=SIZE, seed=N, policy=abort|record|silicon, irq=on|off; further ones are the model's own.
// "model:unix:PATH" attaches to a model that another process serves: seed=N, irq=on|off, shared=on|off (map BARs that
// the server offers as memory; on).
Result<std::unique_ptr<pci::Function>> open_model(const Address& a);

// Firmware for drivers of models, for machines that have none: synthetic files in the vendor's formats.
am::FirmwareSources model_firmware(const Address& a);

}  // namespace hcq::devices
