// SPDX-License-Identifier: MIT
#include "compute/codegen/compile.h"

#include <fmt/format.h>
#include <llvm/IR/DiagnosticInfo.h>
#include <llvm/IR/DiagnosticPrinter.h>
#include <llvm/IR/LegacyPassManager.h>
#include <llvm/IR/Verifier.h>
#include <llvm/Passes/PassBuilder.h>
#include <llvm/Support/TargetSelect.h>
#include <llvm/Support/raw_ostream.h>

#include <algorithm>
#include <map>
#include <mutex>

#include "base/deadline.h"
#include "base/log.h"
#include "compute/codegen/cache.h"
#include "compute/codegen/emit.h"
#include "compute/codegen/guard.h"
#include "compute/codegen/llvm_compat.h"
#include "compute/codegen/target.h"

namespace hcq::compute::codegen {
namespace {

// Larger kernels than this make LLVM's schedulers and combiners take minutes.
constexpr std::size_t kMaxNodes = 200'000;

Error failed(const ir::Kernel& kernel, Errc code, std::string detail) {
  std::replace(detail.begin(), detail.end(), '\n', ' ');
  return Error{.code = code, .operation = "codegen", .subject = kernel.name, .detail = std::move(detail)};
}

void initialize_llvm() {
  static std::once_flag once;
  std::call_once(once, [] {
    LLVMInitializeAMDGPUTargetInfo();
    LLVMInitializeAMDGPUTarget();
    LLVMInitializeAMDGPUTargetMC();
    LLVMInitializeAMDGPUAsmPrinter();
    llvm::InitializeNativeTarget();
    llvm::InitializeNativeTargetAsmPrinter();
  });
}

// Making a TargetMachine costs up to a millisecond, so each thread keeps its own. A machine that LLVM gave up in is
// never used again.
class MachinePool {
 public:
  Result<llvm::TargetMachine*> get(const ir::Kernel& kernel, const Machine& machine, const Target& target) {
    auto& slot = machines_[target.key()];
    if (!slot) {
      std::string problem;
      slot = compat::create_machine(machine.triple(), target.processor, target.features, problem);
      if (!slot) return failed(kernel, Errc::unsupported, problem);
    }
    return slot.get();
  }
  void abandon(const Target& target) { (void)machines_[target.key()].release(); }

 private:
  std::map<std::string, std::unique_ptr<llvm::TargetMachine>> machines_;
};

MachinePool& machine_pool() {
  thread_local MachinePool pool;
  return pool;
}

Status check_limits(const ir::Kernel& kernel, const Limits& limits) {
  std::uint64_t block = 1;
  for (int d = 0; d < 3; ++d) {
    if (kernel.groups[d] == 0 || kernel.block[d] == 0) return failed(kernel, Errc::invalid_argument, "an empty grid");
    block *= kernel.block[d];
  }
  if (block > limits.max_block) {
    Error e = failed(kernel, Errc::unsupported, "more work-items in a workgroup than the target allows");
    e.expected = limits.max_block;
    e.actual = block;
    return e;
  }
  if (kernel.code.size() > kMaxNodes) {
    Error e = failed(kernel, Errc::unsupported, "the kernel has too many operations to compile in reasonable time");
    e.expected = kMaxNodes;
    e.actual = kernel.code.size();
    return e;
  }
  return {};
}

// Collects LLVM's complaints about a module, for example too many registers or too much local memory.
class Complaints final : public llvm::DiagnosticHandler {
 public:
  explicit Complaints(std::string& text) : text_(text) {}
  bool handleDiagnostics(const llvm::DiagnosticInfo& d) override {
    if (d.getSeverity() != llvm::DS_Error) return true;
    llvm::raw_string_ostream out(text_);
    llvm::DiagnosticPrinterRawOStream printer(out);
    d.print(printer);
    return true;
  }

 private:
  std::string& text_;
};

Status run_passes(const ir::Kernel& kernel, llvm::Module& module, llvm::TargetMachine& machine, const char* pipeline) {
  llvm::LoopAnalysisManager loops;
  llvm::FunctionAnalysisManager functions;
  llvm::CGSCCAnalysisManager graphs;
  llvm::ModuleAnalysisManager modules;
  llvm::PassBuilder builder(&machine);
  builder.registerModuleAnalyses(modules);
  builder.registerCGSCCAnalyses(graphs);
  builder.registerFunctionAnalyses(functions);
  builder.registerLoopAnalyses(loops);
  builder.crossRegisterProxies(loops, functions, graphs, modules);
  llvm::ModulePassManager passes;
  if (auto e = builder.parsePassPipeline(passes, pipeline))
    return failed(kernel, Errc::internal, llvm::toString(std::move(e)));
  passes.run(module, modules);
  return {};
}

class Stopwatch {
 public:
  double lap() {
    const auto now = Clock::now();
    const std::chrono::duration<double, std::milli> d = now - last_;
    last_ = now;
    return d.count();
  }

 private:
  Clock::time_point last_ = Clock::now();
};

CodeObject make_object(const ir::Kernel& kernel, std::vector<std::byte> bytes) {
  CodeObject o;
  o.bytes = std::move(bytes);
  o.name = kernel.name;
  o.kernarg_bytes = ir::kernarg_bytes(kernel);
  o.groups = {kernel.groups[0], kernel.groups[1], kernel.groups[2]};
  o.block = {kernel.block[0], kernel.block[1], kernel.block[2]};
  return o;
}

std::string text_of(const llvm::Module& module) {
  std::string text;
  llvm::raw_string_ostream out(text);
  module.print(out, nullptr);
  return text;
}

Status emit_module(const ir::Kernel& kernel, const Machine& machine, llvm::Module& module) {
  HCQ_TRY(machine.build(kernel, module, [&](llvm::IRBuilder<>& b, const WorkItem& item) {
    return emit_work_item(kernel, machine, b, item);
  }));
  std::string problem;
  llvm::raw_string_ostream out(problem);
  if (llvm::verifyModule(module, &out)) return failed(kernel, Errc::internal, "invalid LLVM IR: " + problem);
  return {};
}

Result<std::vector<std::byte>> emit_object(const ir::Kernel& kernel, llvm::Module& module, llvm::TargetMachine& tm) {
  llvm::SmallVector<char> object;
  llvm::raw_svector_ostream out(object);
  llvm::legacy::PassManager codegen;
  if (tm.addPassesToEmitFile(codegen, out, nullptr, llvm::CodeGenFileType::ObjectFile))
    return failed(kernel, Errc::internal, "the target writes no objects");
  codegen.run(module);
  const auto* first = reinterpret_cast<const std::byte*>(object.data());
  return std::vector<std::byte>(first, first + object.size());
}

Result<std::unique_ptr<Machine>> make_machine(const Target& target) {
  if (target.kind == TargetKind::cpu) return make_cpu_machine(target);
  return make_amdgpu_machine(target, HCQ_TRY(amd_chip(target.processor)));
}

Result<CodeObject> compile_steps(const ir::Kernel& kernel, const Target& target, CompileTimes& times,
                                 std::string* ir_text, const DiskCache* disk) {
  const auto machine = HCQ_TRY(make_machine(target));
  HCQ_TRY(check_limits(kernel, machine->limits()));
  llvm::TargetMachine* tm = HCQ_TRY(machine_pool().get(kernel, *machine, target));

  Stopwatch watch;
  std::string complaints;
  llvm::LLVMContext context;
  context.setDiagnosticHandler(std::make_unique<Complaints>(complaints));
  llvm::Module module(kernel.name, context);
  compat::set_triple(module, *tm);
  HCQ_TRY(emit_module(kernel, *machine, module));
  times.emit_ms = watch.lap();

  std::string key;
  if (disk) {
    key = target.key() + "|" + machine->passes() + "\n" + text_of(module);
    if (auto hit = disk->find(key)) return make_object(kernel, std::move(*hit));
    watch.lap();
  }
  HCQ_TRY(run_passes(kernel, module, *tm, machine->passes()));
  times.passes_ms = watch.lap();
  if (ir_text) {
    *ir_text = text_of(module);
    watch.lap();
  }
  auto object = HCQ_TRY(emit_object(kernel, module, *tm));
  times.object_ms = watch.lap();
  if (!complaints.empty()) return failed(kernel, Errc::internal, complaints);
  if (disk) disk->put(key, object);
  return make_object(kernel, std::move(object));
}

}  // namespace

Result<CodeObject> compile_uncached(const ir::Kernel& kernel, const Target& target, CompileTimes* times,
                                    std::string* ir_text, const DiskCache* disk) {
  initialize_llvm();
  CompileTimes local;
  CompileTimes& t = times ? *times : local;
  std::optional<Result<CodeObject>> result;
  const auto gave_up = guarded([&] { result.emplace(compile_steps(kernel, target, t, ir_text, disk)); });
  if (gave_up) {
    machine_pool().abandon(target);
    return failed(kernel, Errc::internal, "LLVM gave up: " + *gave_up);
  }
  log::trace(log::Area::compute, "compiled {} for {}: emit {:.2f} ms, passes {:.2f} ms, object {:.2f} ms", kernel.name,
             target.processor, t.emit_ms, t.passes_ms, t.object_ms);
  return std::move(*result);
}

Result<CodeObject> compile(const ir::Kernel& kernel, const Target& target) {
  static MemoryCache memory;
  static const DiskCache disk(DiskCache::default_directory());
  const std::string key = kernel_key(kernel, target);
  if (auto hit = memory.find(key)) return make_object(kernel, std::move(*hit));
  auto object = HCQ_TRY(compile_uncached(kernel, target, nullptr, nullptr, &disk));
  memory.put(key, object.bytes);
  return object;
}

}  // namespace hcq::compute::codegen
