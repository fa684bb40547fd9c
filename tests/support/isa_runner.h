// SPDX-License-Identifier: MIT
// Runs a kernel that our code generator made on the ISA engine alone: the AMD loader lays the object out, a flat memory
// holds it and the buffers, no queue and no driver.
#pragma once

#include "tests/support/kernel_maker.h"

namespace hcq::test {

// Compiles for gfx1100, runs all workgroups, reads the written buffers back.
Status run_on_isa(const ir::Kernel& kernel, Buffers& buffers);

}  // namespace hcq::test
