// SPDX-License-Identifier: MIT
// Sizes and places the BARs of a function behind the bridge (PCI Local Bus 3.0, section 6.2.5.1).
#pragma once

#include <array>

#include "drivers/usb4/bridge.h"

namespace hcq::usb4 {

struct Bar {
  std::uint64_t size = 0, address = 0;
  bool wide = false, prefetchable = false;
};
using Bars = std::array<Bar, 6>;

// Memory decoding must be off. Input/output BARs stay unassigned. Each BAR is aligned to its size; Errc::no_memory when
// the 32-bit window is too small.
Result<Bars> assign_bars(Bridge& bridge, Bdf function);

}  // namespace hcq::usb4
