// SPDX-License-Identifier: MIT
// From interrupt entries to errors that say what happened: page faults with address, access, client and VMID, errors of
// the command processor, the copy engine and the shaders.
#pragma once

#include "base/error.h"
#include "drivers/am/ih.h"

namespace hcq::am {

class Gpu;

// Makes faults that the interrupt rings report the GPU's fault state.
void install_fault_handler(Gpu& gpu);

// What the event says, enriched by the memory hub's fault registers, which are cleared for the next fault.
Error fault_error(Gpu& gpu, const IhEvent& event);

// Name of a client of the GC memory hub (gfxhub_v3_0.c of Linux 6.12), as in GCVM_L2_PROTECTION_FAULT_STATUS.CID.
const char* gc_client_name(std::uint32_t cid);

}  // namespace hcq::am
