// SPDX-License-Identifier: MIT
// Compiles the suite's kernels. Each kernel is a few lines of LLVM IR for one work-item; what wraps it differs per
// architecture: amdgpu kernels get their id from the hardware, CPU kernels are called once per workgroup
// (drivers/cpu/abi.h).
#include <llvm/AsmParser/Parser.h>
#include <llvm/Config/llvm-config.h>
#include <llvm/IR/LegacyPassManager.h>
#include <llvm/IR/Module.h>
#include <llvm/MC/TargetRegistry.h>
#include <llvm/Support/SourceMgr.h>
#include <llvm/Support/TargetSelect.h>
#include <llvm/Support/raw_ostream.h>
#include <llvm/Target/TargetMachine.h>
#include <llvm/TargetParser/Host.h>

#include <cstring>
#include <map>
#include <mutex>

#include "tests/cts/hcq_device.h"

namespace hcq::cts {
namespace {

struct Source {
  bool second_pointer;    // the second argument is a pointer; otherwise u32, or absent
  bool number;            // has a u32 argument
  std::string_view body;  // uses PTR for the pointer type, %a, %b, %n and the global id %id
};

const std::map<std::string, Source>& sources() {
  static const std::map<std::string, Source> all{
      {"store_value", {false, true, R"(
  %p = getelementptr i32, PTR %a, i32 %id
  %v = add i32 %n, %id
  store i32 %v, PTR %p
  ret void)"}},
      {"add_one", {false, false, R"(
  %p = getelementptr i32, PTR %a, i32 %id
  %v = load i32, PTR %p
  %w = add i32 %v, 1
  store i32 %w, PTR %p
  ret void)"}},
      {"copy_word", {true, false, R"(
  %p = getelementptr i32, PTR %a, i32 %id
  %q = getelementptr i32, PTR %b, i32 %id
  %v = load i32, PTR %q
  store i32 %v, PTR %p
  ret void)"}},
      {"busy", {false, true, R"(
  %local = and i32 %id, 63
  %first = icmp eq i32 %local, 0
  %some = icmp ne i32 %n, 0
  %go = and i1 %first, %some
  br i1 %go, label %loop, label %out
loop:
  %i = phi i32 [ 0, %0 ], [ %next, %loop ]
  %v = load volatile i32, PTR %a
  %w = add i32 %v, 1
  store volatile i32 %w, PTR %a
  %next = add i32 %i, 1
  %more = icmp ult i32 %next, %n
  br i1 %more, label %loop, label %out
out:
  ret void)"}},
  };
  return all;
}

std::string replace_all(std::string text, std::string_view from, std::string_view to) {
  for (std::size_t at = 0; (at = text.find(from, at)) != std::string::npos; at += to.size())
    text.replace(at, from.size(), to);
  return text;
}

std::string parameters(const Source& s) {
  return std::string("PTR %a") + (s.second_pointer ? ", PTR %b" : "") + (s.number ? ", i32 %n" : "");
}

std::string amdgpu_ir(const std::string& name, const Source& s) {
  std::string ir = "define protected amdgpu_kernel void @" + name + "(" + parameters(s) + ") #0 {\n";
  ir += R"(  %group = call i32 @llvm.amdgcn.workgroup.id.x()
  %item = call i32 @llvm.amdgcn.workitem.id.x()
  %base = shl i32 %group, 6
  %id = or i32 %base, %item)";
  ir += s.body;
  ir += R"(
}
declare i32 @llvm.amdgcn.workgroup.id.x()
declare i32 @llvm.amdgcn.workitem.id.x()
attributes #0 = { nounwind "amdgpu-flat-work-group-size"="64,64" "uniform-work-group-size"="true"
  "amdgpu-no-implicitarg-ptr" "amdgpu-no-dispatch-ptr" "amdgpu-no-queue-ptr" "amdgpu-no-dispatch-id"
  "amdgpu-no-hostcall-ptr" "amdgpu-no-heap-ptr" "amdgpu-no-multigrid-sync-arg" "amdgpu-no-default-queue"
  "amdgpu-no-completion-action" "amdgpu-no-lds-kernel-id" "amdgpu-no-flat-scratch-init"
  "amdgpu-no-workgroup-id-y" "amdgpu-no-workgroup-id-z" "amdgpu-no-workitem-id-y" "amdgpu-no-workitem-id-z" }
!llvm.module.flags = !{!0}
!0 = !{i32 1, !"amdhsa_code_object_version", i32 500}
)";
  return replace_all(std::move(ir), "PTR", "ptr addrspace(1)");
}

std::string cpu_ir(const std::string& name, const Source& s, const std::string& arch) {
  const unsigned bytes = 8 + (s.second_pointer ? 8 : 0) + (s.number ? 4 : 0);
  std::string padded = arch;
  for (std::size_t i = arch.size(); i < 32; ++i) padded += "\\00";
  std::string ir = "@hcq." + name + " = constant { [8 x i32], [32 x i8] } { [8 x i32] [i32 1263616840, i32 1, i32 " +
                   std::to_string(bytes) + ", i32 0, i32 64, i32 1, i32 1, i32 0], [32 x i8] c\"" + padded + "\" }\n";
  ir += "define internal void @item(" + parameters(s) + ", i32 %id) nounwind {" + std::string(s.body) + "\n}\n";
  ir += "define void @" + name + "(ptr %args, i32 %gx, i32 %gy, i32 %gz, ptr %local) nounwind {\n";
  ir += "  %a = load ptr, ptr %args\n";
  std::string call = "PTR %a";
  if (s.second_pointer)
    ir += "  %pb = getelementptr i8, ptr %args, i32 8\n  %b = load ptr, ptr %pb\n", call += ", PTR %b";
  if (s.number) {
    ir += "  %pn = getelementptr i8, ptr %args, i32 " + std::to_string(bytes - 4) + "\n  %n = load i32, ptr %pn\n";
    call += ", i32 %n";
  }
  ir += R"(  %base = shl i32 %gx, 6
  br label %items
items:
  %i = phi i32 [ 0, %0 ], [ %next, %items ]
  %id = or i32 %base, %i
  call void @item()" +
        call + R"(, i32 %id)
  %next = add i32 %i, 1
  %more = icmp ult i32 %next, 64
  br i1 %more, label %items, label %out
out:
  ret void
}
)";
  return replace_all(std::move(ir), "PTR", "ptr");
}

Error failed(const std::string& name, std::string detail) {
  return Error{
      .code = Errc::internal, .operation = "compile test kernel", .subject = name, .detail = std::move(detail)};
}

Result<std::vector<std::byte>> compile(const std::string& name, const std::string& ir, const std::string& triple,
                                       const std::string& processor) {
  static std::once_flag once;
  std::call_once(once, [] {
    llvm::InitializeAllTargetInfos();
    llvm::InitializeAllTargets();
    llvm::InitializeAllTargetMCs();
    llvm::InitializeAllAsmPrinters();
  });
  llvm::LLVMContext context;
  llvm::SMDiagnostic diagnostic;
  auto module = llvm::parseAssemblyString(ir, diagnostic, context);
  if (!module)
    return failed(name, diagnostic.getMessage().str() + " in line " + std::to_string(diagnostic.getLineNo()));
  std::string problem;
#if LLVM_VERSION_MAJOR >= 21
  const llvm::Triple t(triple);
#else
  const std::string t = triple;
#endif
  const llvm::Target* target = llvm::TargetRegistry::lookupTarget(t, problem);
  if (!target) return failed(name, problem);
  std::unique_ptr<llvm::TargetMachine> machine(target->createTargetMachine(
      t, processor, "", {}, llvm::Reloc::PIC_, std::nullopt, llvm::CodeGenOptLevel::Default));
  module->setTargetTriple(t);
  module->setDataLayout(machine->createDataLayout());
  llvm::SmallVector<char> object;
  llvm::raw_svector_ostream out(object);
  llvm::legacy::PassManager passes;
  if (machine->addPassesToEmitFile(passes, out, nullptr, llvm::CodeGenFileType::ObjectFile))
    return failed(name, "the target writes no objects");
  passes.run(*module);
  const auto* first = reinterpret_cast<const std::byte*>(object.data());
  return std::vector<std::byte>(first, first + object.size());
}

}  // namespace

Result<std::vector<std::byte>> test_kernel(const DeviceInfo& device, const std::string& name) {
  const auto it = sources().find(name);
  if (it == sources().end()) return failed(name, "no such test kernel");
  if (device.family == "am") return compile(name, amdgpu_ir(name, it->second), "amdgcn-amd-amdhsa", device.arch);
  if (device.family == "cpu")
    return compile(name, cpu_ir(name, it->second, device.arch), llvm::sys::getProcessTriple(), device.arch);
  return failed(name, "no test kernels for family " + device.family);
}

}  // namespace hcq::cts
