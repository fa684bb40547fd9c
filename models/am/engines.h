// SPDX-License-Identifier: MIT
// The memory and engine side of the chip (memory hubs, HDP, command processors, SDMA), as the assembly sees it.
#pragma once

#include <memory>
#include <vector>

#include "models/am/chip.h"

namespace hcq::models::am {

// Makes those blocks and sets chip.memory and chip.doorbells. chip.interrupts is set before.
std::vector<std::unique_ptr<Block>> make_engines(Chip& chip);

}  // namespace hcq::models::am
