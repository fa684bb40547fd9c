// SPDX-License-Identifier: MIT
// Full reset of the chip, for devices that somebody else (the kernel driver, a killed process) has left running.
#pragma once

#include "base/error.h"

namespace hcq::am {

class Gpu;

// Bus mastering off first, then a mode-1 reset through the SMU where that is alive, else the PCI function's own reset;
// then waits until the boot firmware is back. VRAM and all state are lost. On success nothing of the previous owner
// runs any more.
Status full_reset(Gpu& gpu);

// Whether somebody has started this chip: its secure OS runs.
Result<bool> in_use_by_somebody(Gpu& gpu);

}  // namespace hcq::am
