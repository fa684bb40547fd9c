// SPDX-License-Identifier: MIT
// A kernel in device memory, with everything that a dispatch of it needs prepared.
#pragma once

#include <memory>
#include <string>

#include "drivers/am/code_object.h"
#include "drivers/am/pm4.h"
#include "drivers/am/queue/core.h"
#include "drivers/am/queue/scratch.h"
#include "hcq/device.h"

namespace hcq::am {

class AmProgram final : public Program {
 public:
  // What submitted work uses; outlives the program until the timeline has passed its last use.
  struct Code {
    std::string name;
    std::shared_ptr<GpuMemory> memory;
    std::shared_ptr<ScratchBuffer> scratch;  // null for kernels without private memory
  };

  // `code->memory` holds the kernel's placed image.
  AmProgram(std::shared_ptr<Core> core, const Kernel& kernel, std::shared_ptr<Code> code);
  ~AmProgram() override;

  const pm4::DispatchState& state() const { return state_; }
  const pm4::Scratch& scratch() const { return scratch_; }
  std::uint32_t launch_dwords() const { return launch_dwords_; }
  const Core* core() const { return core_.get(); }
  const std::string* stable_name() const { return &code_->name; }

 private:
  std::shared_ptr<Core> core_;
  std::shared_ptr<Code> code_;
  pm4::DispatchState state_;
  pm4::Scratch scratch_;
  std::uint32_t launch_dwords_ = 0;
};

}  // namespace hcq::am
