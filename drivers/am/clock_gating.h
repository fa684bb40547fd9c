// SPDX-License-Identifier: MIT
// Clock gating: blocks that have nothing to do stop their clocks. Costs no function, saves power.
//
// Order and values: gfx_v11_0_update_gfx_clock_gating, hdp_v6_0_update_clock_gating and mmhub_v3_0_set_clockgating of
// Linux 6.12.
#pragma once

#include "base/error.h"

namespace hcq::am {

class Gpu;

// Boot step, idempotent. The graphics block's registers are written in the RLC's safe mode, which is left again
// whatever happens.
Status enable_clock_gating(Gpu& gpu);

}  // namespace hcq::am
