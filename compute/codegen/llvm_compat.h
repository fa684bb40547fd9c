// SPDX-License-Identifier: MIT
// The one place that knows what differs between the LLVM releases this builds with (22 and 19).
#pragma once

#include <llvm/Config/llvm-config.h>
#include <llvm/IR/Intrinsics.h>
#include <llvm/IR/Module.h>
#include <llvm/MC/TargetRegistry.h>
#include <llvm/Target/TargetMachine.h>
#include <llvm/TargetParser/Triple.h>

#include <memory>
#include <string>

namespace hcq::compute::codegen::compat {

inline std::unique_ptr<llvm::TargetMachine> create_machine(const std::string& triple, const std::string& processor,
                                                           const std::string& features, std::string& problem) {
#if LLVM_VERSION_MAJOR >= 21
  const llvm::Triple t(triple);
#else
  const std::string t = triple;
#endif
  const llvm::Target* target = llvm::TargetRegistry::lookupTarget(t, problem);
  if (!target) return nullptr;
  return std::unique_ptr<llvm::TargetMachine>(target->createTargetMachine(
      t, processor, features, {}, llvm::Reloc::PIC_, std::nullopt, llvm::CodeGenOptLevel::Default));
}

inline void set_triple(llvm::Module& module, const llvm::TargetMachine& machine) {
#if LLVM_VERSION_MAJOR >= 21
  module.setTargetTriple(machine.getTargetTriple());
#else
  module.setTargetTriple(machine.getTargetTriple().str());
#endif
  module.setDataLayout(machine.createDataLayout());
}

inline llvm::Function* intrinsic(llvm::Module& module, llvm::Intrinsic::ID id,
                                 llvm::ArrayRef<llvm::Type*> overloads = {}) {
#if LLVM_VERSION_MAJOR >= 20
  return llvm::Intrinsic::getOrInsertDeclaration(&module, id, overloads);
#else
  return llvm::Intrinsic::getDeclaration(&module, id, overloads);
#endif
}

}  // namespace hcq::compute::codegen::compat
