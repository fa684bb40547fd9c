// SPDX-License-Identifier: MIT
#include "models/isa/jit.h"

#include <llvm/ExecutionEngine/Orc/JITTargetMachineBuilder.h>
#include <llvm/Passes/PassBuilder.h>
#include <llvm/Support/TargetSelect.h>
#include <llvm/Target/TargetMachine.h>
#include <llvm/Transforms/InstCombine/InstCombine.h>
#include <llvm/Transforms/Scalar/EarlyCSE.h>
#include <llvm/Transforms/Scalar/SimplifyCFG.h>
#include <llvm/Transforms/Utils/Mem2Reg.h>

namespace hcq::models::isa {
namespace {

Error failed(const char* operation, llvm::Error error) {
  return {.code = Errc::internal, .operation = operation, .detail = llvm::toString(std::move(error))};
}

// Few and cheap passes: registers become SSA values, repeated mask conversions and operand reads are shared, dead
// carry-outs go away.
void optimize(llvm::Module& module, llvm::TargetMachine& machine) {
  llvm::LoopAnalysisManager loops;
  llvm::FunctionAnalysisManager functions;
  llvm::CGSCCAnalysisManager sccs;
  llvm::ModuleAnalysisManager modules;
  llvm::PassBuilder builder(&machine);
  builder.registerModuleAnalyses(modules);
  builder.registerCGSCCAnalyses(sccs);
  builder.registerFunctionAnalyses(functions);
  builder.registerLoopAnalyses(loops);
  builder.crossRegisterProxies(loops, functions, sccs, modules);
  llvm::FunctionPassManager passes;
  passes.addPass(llvm::SimplifyCFGPass());
  passes.addPass(llvm::PromotePass());
  passes.addPass(llvm::EarlyCSEPass());
  passes.addPass(llvm::InstCombinePass());
  passes.addPass(llvm::SimplifyCFGPass());
  for (auto& function : module)
    if (!function.isDeclaration()) passes.run(function, functions);
}

}  // namespace

Result<std::unique_ptr<Jit>> Jit::create() {
  llvm::InitializeNativeTarget();
  llvm::InitializeNativeTargetAsmPrinter();
  auto host = llvm::orc::JITTargetMachineBuilder::detectHost();
  if (!host) return failed("isa/detect_host", host.takeError());
  auto machine = host->createTargetMachine();
  if (!machine) return failed("isa/target_machine", machine.takeError());
  auto jit = llvm::orc::LLJITBuilder().setJITTargetMachineBuilder(*host).create();
  if (!jit) return failed("isa/create_jit", jit.takeError());
  auto out = std::make_unique<Jit>();
  out->machine_ = std::move(*machine);
  out->jit_ = std::move(*jit);
  // The backend turns some operations on half and double into library calls.
  auto library = llvm::orc::DynamicLibrarySearchGenerator::GetForCurrentProcess(out->layout().getGlobalPrefix());
  if (!library) return failed("isa/process_symbols", library.takeError());
  out->jit_->getMainJITDylib().addGenerator(std::move(*library));
  return out;
}

Result<NativeCode> Jit::compile(std::unique_ptr<llvm::LLVMContext> context, std::unique_ptr<llvm::Module> module,
                                const std::string& name) {
  module->setDataLayout(layout());
  optimize(*module, *machine_);
  auto error = jit_->addIRModule(llvm::orc::ThreadSafeModule(std::move(module), std::move(context)));
  if (error) return failed("isa/add_module", std::move(error));
  auto address = jit_->lookup(name);
  if (!address) return failed("isa/compile", address.takeError());
  return address->toPtr<NativeCode>();
}

}  // namespace hcq::models::isa
