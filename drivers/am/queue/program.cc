// SPDX-License-Identifier: MIT
#include "drivers/am/queue/program.h"

#include "drivers/am/abi/kernel_descriptor.h"

namespace hcq::am {

AmProgram::AmProgram(std::shared_ptr<Core> core, const Kernel& k, std::shared_ptr<Code> code)
    : core_(std::move(core)), code_(std::move(code)) {
  name_ = k.name;
  kernarg_bytes_ = k.kernarg_bytes;
  lds_bytes_ = k.lds_bytes;
  state_.entry = code_->memory->address() + k.entry;
  state_.rsrc1 = k.rsrc1;
  // On gfx11 waves run privileged: a trap handler needs it, and this is what the vendor's runtime sets.
  if (core_->gpu().chip().generation == Generation::gfx11) state_.rsrc1 |= abi::rsrc1::PRIV.mask;
  constexpr std::uint32_t granule = abi::rsrc2::kLdsGranule;
  state_.rsrc2 = k.rsrc2 | abi::rsrc2::LDS_SIZE((k.lds_bytes + granule - 1) / granule);
  state_.rsrc3 = k.rsrc3;
  state_.user_sgprs = abi::rsrc2::USER_SGPR.in(k.rsrc2);
  state_.wave32 = k.wave32;
  if (code_->scratch) scratch_ = code_->scratch->state();
  launch_dwords_ = pm4::dispatch_dwords(state_.user_sgprs);
}

AmProgram::~AmProgram() { core_->retire(std::move(code_)); }

}  // namespace hcq::am
