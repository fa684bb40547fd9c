// SPDX-License-Identifier: MIT
// LLVM ORC behind a small interface: optimizes a module for the host and returns native code.
#pragma once

#include <llvm/ExecutionEngine/Orc/LLJIT.h>
#include <llvm/IR/Module.h>

#include <memory>
#include <string>

#include "base/error.h"
#include "models/isa/wave.h"

namespace hcq::models::isa {

class Jit {
 public:
  static Result<std::unique_ptr<Jit>> create();
  // Compiles `module`, whose one function is named `name`; names must be unique. Not thread-safe.
  Result<NativeCode> compile(std::unique_ptr<llvm::LLVMContext> context, std::unique_ptr<llvm::Module> module,
                             const std::string& name);
  const llvm::DataLayout& layout() const { return jit_->getDataLayout(); }

 private:
  std::unique_ptr<llvm::TargetMachine> machine_;
  std::unique_ptr<llvm::orc::LLJIT> jit_;
};

}  // namespace hcq::models::isa
