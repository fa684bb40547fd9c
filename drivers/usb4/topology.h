// SPDX-License-Identifier: MIT
// The PCI buses behind an ASM24 bridge, which nobody has configured yet: numbers them, opens every bridge's windows,
// and finds the device at the end of the chain. Registers: PCI-to-PCI Bridge Architecture 1.2, section 3.2.
#pragma once

#include "drivers/usb4/bridge.h"

namespace hcq::usb4 {

// What the bridges let through.
inline constexpr std::uint64_t kWindow32 = 0x1000'0000, kWindow32End = 0x1'0000'0000, kWindow64 = 0x8'0000'0000;

// The first function behind the last bridge. Errc::not_found when nothing answers behind the bridges, Errc::corrupt
// when the chain does not end.
Result<Bdf> enumerate(Bridge& bridge);

}  // namespace hcq::usb4
