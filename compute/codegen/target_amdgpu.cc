// SPDX-License-Identifier: MIT
// AMD GPUs: calling convention, attributes and ids. See LLVM's "User Guide for AMDGPU Backend".
#include <llvm/IR/IntrinsicsAMDGPU.h>
#include <llvm/IR/MDBuilder.h>

#include <algorithm>

#include "compute/codegen/llvm_compat.h"
#include "compute/codegen/target.h"

namespace hcq::compute::codegen {
namespace {

constexpr unsigned kGlobal = 1;  // address space of device memory

// Chips that code is generated for: wave size as compiled here, largest workgroup, local memory of a workgroup.
constexpr AmdChip kChips[] = {
    {"gfx1030", 32, 1024, 65536}, {"gfx1100", 32, 1024, 65536}, {"gfx1101", 32, 1024, 65536},
    {"gfx1102", 32, 1024, 65536}, {"gfx1103", 32, 1024, 65536}, {"gfx1150", 32, 1024, 65536},
    {"gfx1151", 32, 1024, 65536}, {"gfx1200", 32, 1024, 65536}, {"gfx1201", 32, 1024, 65536},
    {"gfx90a", 64, 1024, 65536},  {"gfx942", 64, 1024, 65536},
};

// Whatever LLVM might pass implicitly. Without these a kernel gets 256 bytes of arguments that nobody reads, and (by
// the cluster ids, since LLVM 22) the workgroup ids of all three dimensions.
constexpr const char* kNoImplicit[] = {
    "amdgpu-no-implicitarg-ptr",   "amdgpu-no-dispatch-ptr",  "amdgpu-no-queue-ptr",          "amdgpu-no-dispatch-id",
    "amdgpu-no-hostcall-ptr",      "amdgpu-no-heap-ptr",      "amdgpu-no-multigrid-sync-arg", "amdgpu-no-default-queue",
    "amdgpu-no-completion-action", "amdgpu-no-lds-kernel-id", "amdgpu-no-flat-scratch-init",  "amdgpu-no-cluster-id-x",
    "amdgpu-no-cluster-id-y",      "amdgpu-no-cluster-id-z",
};

class AmdMachine final : public Machine {
 public:
  AmdMachine(const Target& target, const AmdChip& chip) : target_(target), chip_(chip) {}

  std::string triple() const override { return "amdgcn-amd-amdhsa"; }
  const char* passes() const override { return "function(early-cse,instcombine<no-verify-fixpoint>,simplifycfg)"; }
  Limits limits() const override { return {.max_block = chip_.max_block}; }
  bool wants_32bit_offsets() const override { return true; }

  Status build(const ir::Kernel& kernel, llvm::Module& module, const Body& body) const override {
    auto& context = module.getContext();
    module.addModuleFlag(llvm::Module::Error, "amdhsa_code_object_version", 500);
    llvm::Function* f = declare(kernel, module);
    llvm::IRBuilder<> b(llvm::BasicBlock::Create(context, "entry", f));
    HCQ_TRY(body(b, work_item(kernel, *f, b)));
    b.CreateRetVoid();
    return {};
  }

 private:
  llvm::Function* declare(const ir::Kernel& kernel, llvm::Module& module) const {
    auto& context = module.getContext();
    const std::vector<llvm::Type*> types(kernel.params.size(), llvm::PointerType::get(context, kGlobal));
    auto* type = llvm::FunctionType::get(llvm::Type::getVoidTy(context), types, false);
    auto* f = llvm::Function::Create(type, llvm::Function::ExternalLinkage, kernel.name, module);
    f->setCallingConv(llvm::CallingConv::AMDGPU_KERNEL);
    f->setVisibility(llvm::GlobalValue::ProtectedVisibility);
    f->addFnAttr(llvm::Attribute::NoUnwind);
    annotate_params(kernel, *f);
    for (const char* a : kNoImplicit) f->addFnAttr(a);
    const auto used = used_ids(kernel);
    const char* const group_attr[] = {"amdgpu-no-workgroup-id-x", "amdgpu-no-workgroup-id-y",
                                      "amdgpu-no-workgroup-id-z"};
    const char* const item_attr[] = {"amdgpu-no-workitem-id-x", "amdgpu-no-workitem-id-y", "amdgpu-no-workitem-id-z"};
    for (std::size_t d = 0; d < 3; ++d) {
      if (!used[0][d]) f->addFnAttr(group_attr[d]);
      if (!used[1][d]) f->addFnAttr(item_attr[d]);
    }
    const std::string size = std::to_string(kernel.block[0] * kernel.block[1] * kernel.block[2]);
    f->addFnAttr("amdgpu-flat-work-group-size", size + "," + size);
    f->addFnAttr("uniform-work-group-size", "true");
    llvm::MDBuilder md(context);
    auto* i32 = llvm::Type::getInt32Ty(context);
    llvm::Metadata* block[3];
    for (std::size_t d = 0; d < 3; ++d) block[d] = md.createConstant(llvm::ConstantInt::get(i32, kernel.block[d]));
    f->setMetadata("reqd_work_group_size", llvm::MDNode::get(context, block));
    return f;
  }

  static WorkItem work_item(const ir::Kernel& kernel, llvm::Function& f, llvm::IRBuilder<>& b) {
    using namespace llvm::Intrinsic;
    constexpr ID group_ids[] = {amdgcn_workgroup_id_x, amdgcn_workgroup_id_y, amdgcn_workgroup_id_z};
    constexpr ID item_ids[] = {amdgcn_workitem_id_x, amdgcn_workitem_id_y, amdgcn_workitem_id_z};
    const auto used = used_ids(kernel);
    const auto read = [&](ID id, std::uint32_t count) {
      auto* call = b.CreateCall(compat::intrinsic(*f.getParent(), id));
      call->setMetadata(llvm::LLVMContext::MD_range,
                        llvm::MDBuilder(f.getContext()).createRange(llvm::APInt(32, 0), llvm::APInt(32, count)));
      return call;
    };
    WorkItem w;
    for (std::size_t d = 0; d < 3; ++d) {
      if (used[0][d]) w.group[d] = read(group_ids[d], kernel.groups[d]);
      if (used[1][d]) w.local[d] = read(item_ids[d], kernel.block[d]);
    }
    for (llvm::Argument& a : f.args()) w.params.push_back(&a);
    return w;
  }

  Target target_;
  AmdChip chip_;
};

}  // namespace

Result<AmdChip> amd_chip(const std::string& processor) {
  std::string known;
  for (const AmdChip& c : kChips) {
    if (processor == c.processor) return c;
    known += known.empty() ? "" : ", ";
    known += c.processor;
  }
  return Error{.code = Errc::unsupported,
               .operation = "codegen/target",
               .subject = processor,
               .detail = "code is generated for " + known};
}

std::unique_ptr<Machine> make_amdgpu_machine(const Target& target, const AmdChip& chip) {
  return std::make_unique<AmdMachine>(target, chip);
}

}  // namespace hcq::compute::codegen
