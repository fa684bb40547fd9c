// SPDX-License-Identifier: MIT
// A pci::Function behind an ASM24 bridge with custom firmware.
//
// What it cannot do it says at once: there is no interrupt (irq() is null: poll), and no DMA memory (alloc_dma() is
// Errc::unsupported): the memory that the device reaches lies in the bridge, where no pointer of this machine leads.
// reset() takes the power away from the card and starts it anew.
#pragma once

#include <memory>
#include <string>

#include "drivers/pci/function.h"
#include "drivers/usb4/transport.h"

namespace hcq::usb4 {

struct OpenOptions {
  Clock::duration link_timeout = std::chrono::seconds(5);  // from power on until the PCIe link must be up
};

// Identifies the bridge, brings the link up, numbers the buses and assigns the BARs. Memory decoding is on, bus
// mastering off. The caller holds the lock of the USB device.
Result<std::unique_ptr<pci::Function>> open(std::string name, std::unique_ptr<Transport> transport,
                                            const OpenOptions& options = {});

}  // namespace hcq::usb4
