// SPDX-License-Identifier: MIT
#pragma once

#include "models/isa/runtime.h"

namespace hcq::models::isa {

// One lane's atomic operation on 4 or 8 bytes at `target`: operand (and comparand, behind it) from the data rows of the
// exchange area, old value into them.
void atomic_lane(WaveState& wave, unsigned lane, std::byte* target, Atomic op, std::uint32_t bytes);

}  // namespace hcq::models::isa
