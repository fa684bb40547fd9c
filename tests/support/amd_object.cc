// SPDX-License-Identifier: MIT
#include "tests/support/amd_object.h"

#include <fmt/core.h>
#include <llvm/AsmParser/Parser.h>
#include <llvm/IR/LLVMContext.h>
#include <llvm/IR/LegacyPassManager.h>
#include <llvm/IR/Module.h>
#include <llvm/MC/TargetRegistry.h>
#include <llvm/Support/SourceMgr.h>
#include <llvm/Support/TargetSelect.h>
#include <llvm/Support/raw_ostream.h>
#include <llvm/Target/TargetMachine.h>
#include <llvm/Target/TargetOptions.h>

#include <memory>

namespace hcq::test {
namespace {

constexpr const char* kTriple = "amdgcn-amd-amdhsa";

void initialize() {
  static const bool once = [] {
    LLVMInitializeAMDGPUTargetInfo();
    LLVMInitializeAMDGPUTarget();
    LLVMInitializeAMDGPUTargetMC();
    LLVMInitializeAMDGPUAsmPrinter();
    return true;
  }();
  (void)once;
}

std::unique_ptr<llvm::TargetMachine> machine(const std::string& cpu, unsigned level) {
  const auto opt = level == 0 ? llvm::CodeGenOptLevel::None : llvm::CodeGenOptLevel::Default;
  std::string error;
#if LLVM_VERSION_MAJOR >= 21
  const llvm::Triple triple(kTriple);
  const llvm::Target* target = llvm::TargetRegistry::lookupTarget(triple, error);
#else
  const std::string triple = kTriple;
  const llvm::Target* target = llvm::TargetRegistry::lookupTarget(triple, error);
#endif
  if (!target) {
    fmt::print(stderr, "{}\n", error);
    return nullptr;
  }
  return std::unique_ptr<llvm::TargetMachine>(
      target->createTargetMachine(triple, cpu, "", llvm::TargetOptions(), llvm::Reloc::PIC_, std::nullopt, opt));
}

}  // namespace

std::vector<std::byte> compile_amd(const std::string& ir, const std::string& cpu, unsigned level) {
  initialize();
  llvm::LLVMContext context;
  llvm::SMDiagnostic diagnostic;
  const auto module = llvm::parseAssemblyString(ir, diagnostic, context);
  if (!module) {
    std::string text;
    llvm::raw_string_ostream out(text);
    diagnostic.print("amd_object", out);
    fmt::print(stderr, "{}\n", text);
    return {};
  }
  const auto tm = machine(cpu, level);
  if (!tm) return {};
  module->setDataLayout(tm->createDataLayout());
  llvm::SmallVector<char, 0> bytes;
  llvm::raw_svector_ostream out(bytes);
  llvm::legacy::PassManager passes;
  if (tm->addPassesToEmitFile(passes, out, nullptr, llvm::CodeGenFileType::ObjectFile)) return {};
  passes.run(*module);
  const auto* begin = reinterpret_cast<const std::byte*>(bytes.data());
  return {begin, begin + bytes.size()};
}

std::string amd_module(const std::string& body, unsigned block) {
  const char* absent[] = {"implicitarg-ptr",   "dispatch-ptr",  "queue-ptr",          "dispatch-id",
                          "hostcall-ptr",      "heap-ptr",      "multigrid-sync-arg", "default-queue",
                          "completion-action", "lds-kernel-id", "flat-scratch-init",  "workgroup-id-y",
                          "workgroup-id-z",    "workitem-id-y", "workitem-id-z"};
  std::string attributes;
  for (const char* a : absent) attributes += fmt::format(" \"amdgpu-no-{}\"", a);
  return fmt::format(
      "target triple = \"{}\"\n{}\n"
      "declare i32 @llvm.amdgcn.workitem.id.x()\ndeclare i32 @llvm.amdgcn.workgroup.id.x()\n"
      "declare void @llvm.amdgcn.s.barrier()\n"
      "attributes #0 = {{ nounwind \"amdgpu-flat-work-group-size\"=\"{},{}\" \"uniform-work-group-size\"=\"true\"{} "
      "}}\n"
      "!llvm.module.flags = !{{!0}}\n!0 = !{{i32 1, !\"amdhsa_code_object_version\", i32 500}}\n",
      kTriple, body, block, block, attributes);
}

namespace {
std::string global_id(unsigned block) {
  return fmt::format(
      "  %t = call i32 @llvm.amdgcn.workitem.id.x()\n  %g = call i32 @llvm.amdgcn.workgroup.id.x()\n"
      "  %b = mul i32 %g, {}\n  %i = add i32 %b, %t\n",
      block);
}
}  // namespace

std::string store_kernel(unsigned block) {
  return amd_module("define amdgpu_kernel void @store(ptr addrspace(1) %out, i32 %value) #0 {\n" + global_id(block) +
                        "  %v = add i32 %i, %value\n"
                        "  %p = getelementptr i32, ptr addrspace(1) %out, i32 %i\n"
                        "  store i32 %v, ptr addrspace(1) %p\n  ret void\n}\n",
                    block);
}

std::string table_kernel(unsigned block) {
  return amd_module(
      "@numbers = internal addrspace(4) constant [8 x i32] [i32 286331153, i32 572662306, i32 858993459, i32 "
      "1145324612, i32 1431655765, i32 1717986918, i32 2004318071, i32 -2004318072]\n"
      "define amdgpu_kernel void @table(ptr addrspace(1) %out) #0 {\n" +
          global_id(block) +
          "  %k = and i32 %i, 7\n"
          "  %q = getelementptr [8 x i32], ptr addrspace(4) @numbers, i32 0, i32 %k\n"
          "  %v = load i32, ptr addrspace(4) %q\n"
          "  %p = getelementptr i32, ptr addrspace(1) %out, i32 %i\n"
          "  store i32 %v, ptr addrspace(1) %p\n  ret void\n}\n",
      block);
}

std::string local_kernel(unsigned block) {
  return amd_module(fmt::format("@shared = internal addrspace(3) global [{} x i32] poison\n", block) +
                        "define amdgpu_kernel void @local(ptr addrspace(1) %out) #0 {\n" + global_id(block) +
                        fmt::format("  %w = getelementptr [{0} x i32], ptr addrspace(3) @shared, i32 0, i32 %t\n"
                                    "  store i32 %i, ptr addrspace(3) %w\n"
                                    "  fence syncscope(\"workgroup\") release\n"
                                    "  call void @llvm.amdgcn.s.barrier()\n"
                                    "  fence syncscope(\"workgroup\") acquire\n"
                                    "  %r = sub i32 {1}, %t\n"
                                    "  %q = getelementptr [{0} x i32], ptr addrspace(3) @shared, i32 0, i32 %r\n"
                                    "  %v = load i32, ptr addrspace(3) %q\n",
                                    block, block - 1) +
                        "  %p = getelementptr i32, ptr addrspace(1) %out, i32 %i\n"
                        "  store i32 %v, ptr addrspace(1) %p\n  ret void\n}\n",
                    block);
}

std::string scratch_kernel(unsigned block) {
  return amd_module(
      "define amdgpu_kernel void @scratch(ptr addrspace(1) %out, i32 %n) #0 {\nentry:\n"
      "  %a = alloca [64 x i32], addrspace(5)\n" +
          global_id(block) +
          "  br label %fill\n"
          "fill:\n"
          "  %j = phi i32 [ 0, %entry ], [ %next, %fill ]\n"
          "  %slot = getelementptr [64 x i32], ptr addrspace(5) %a, i32 0, i32 %j\n"
          "  %x = mul i32 %j, %n\n  %y = add i32 %x, %i\n"
          "  store volatile i32 %y, ptr addrspace(5) %slot\n"
          "  %next = add i32 %j, 1\n  %done = icmp eq i32 %next, 64\n"
          "  br i1 %done, label %read, label %fill\n"
          "read:\n"
          "  %k = and i32 %i, 63\n"
          "  %from = getelementptr [64 x i32], ptr addrspace(5) %a, i32 0, i32 %k\n"
          "  %v = load volatile i32, ptr addrspace(5) %from\n"
          "  %p = getelementptr i32, ptr addrspace(1) %out, i32 %i\n"
          "  store i32 %v, ptr addrspace(1) %p\n  ret void\n}\n",
      block);
}

}  // namespace hcq::test
