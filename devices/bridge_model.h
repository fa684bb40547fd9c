// SPDX-License-Identifier: MIT
// The USB bridge driver in front of a model of a USB device in this process: a usb4::Transport whose other end is a
// models::usb4::UsbDevice.
#pragma once

#include <memory>

#include "drivers/usb4/transport.h"
#include "models/usb4/usb_device.h"

namespace hcq::devices {

// Attaches the device for as long as the transport lives; one transport at a time.
std::unique_ptr<usb4::Transport> in_process_transport(std::shared_ptr<models::usb4::UsbDevice> device);

}  // namespace hcq::devices
