// SPDX-License-Identifier: MIT
// Loads native kernels (abi.h). The object is checked here (object_check.h), then linked into the process by LLVM's
// JITLink.
#pragma once

#include <memory>
#include <string>
#include <string_view>

#include "drivers/cpu/abi.h"
#include "drivers/cpu/core.h"
#include "hcq/device.h"

namespace hcq::cpu {

// LLVM's name for the processor this runs on.
std::string host_processor();

// Linked code of one object; unmapped when the last owner goes.
class Code {
 public:
  virtual ~Code() = default;
  abi::Kernel kernel = nullptr;
  abi::KernelInfo info{};
  std::string name;
};

// One linker serves a device; thread-safe. Codes keep it alive.
class Linker {
 public:
  static Result<std::shared_ptr<Linker>> create();
  virtual ~Linker() = default;
  // `name` empty: the object must hold exactly one kernel.
  virtual Result<std::shared_ptr<Code>> link(Bytes object, std::string_view name) = 0;
};

class CpuProgram final : public Program {
 public:
  CpuProgram(std::shared_ptr<Core> core, std::shared_ptr<Code> code);
  ~CpuProgram() override;
  const Code& code() const { return *code_; }
  const Core* core() const { return core_.get(); }

 private:
  std::shared_ptr<Core> core_;
  std::shared_ptr<Code> code_;
};

}  // namespace hcq::cpu
