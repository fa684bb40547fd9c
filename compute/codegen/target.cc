// SPDX-License-Identifier: MIT
#include "compute/codegen/target.h"

#include <llvm/Config/llvm-config.h>
#include <llvm/TargetParser/Host.h>

namespace hcq::compute::codegen {

namespace {

// What this host really has: a virtual machine may lack features that its processor's name promises.
std::string host_features() {
  std::string text;
  for (const auto& f : llvm::sys::getHostCPUFeatures()) {
    text += text.empty() ? "" : ",";
    text += (f.getValue() ? "+" : "-") + f.getKey().str();
  }
  return text;
}

}  // namespace

std::string Target::key() const { return processor + "|" + features + "|llvm-" LLVM_VERSION_STRING; }

Result<Target> target_for(const DeviceInfo& info) {
  if (info.family == "cpu") return Target{TargetKind::cpu, info.arch, host_features(), 1};
  if (info.family == "am") {
    const AmdChip chip = HCQ_TRY(amd_chip(info.arch));
    return Target{TargetKind::amdgpu, info.arch, "", chip.wave_size};
  }
  return Error{.code = Errc::unsupported,
               .device = info.address,
               .operation = "codegen/target",
               .subject = info.family,
               .detail = "no code generator for this family of devices"};
}

std::array<std::array<bool, 3>, 2> used_ids(const ir::Kernel& kernel) {
  std::array<std::array<bool, 3>, 2> used{};
  for (const ir::Node* n : kernel.code)
    if (n->op == ir::Op::special) used[n->arg.j != 0][static_cast<std::size_t>(n->arg.i)] = true;
  return used;
}

void annotate_params(const ir::Kernel& kernel, llvm::Function& function) {
  for (std::size_t i = 0; i < kernel.params.size(); ++i) {
    const ir::Param& p = kernel.params[i];
    llvm::Argument* a = function.getArg(static_cast<unsigned>(i));
    a->setName("p" + std::to_string(i));
    a->addAttr(llvm::Attribute::NoAlias);
    a->addAttr(llvm::Attribute::NonNull);
    a->addAttr(llvm::Attribute::NoUndef);
    a->addAttr(p.written ? llvm::Attribute::WriteOnly : llvm::Attribute::ReadOnly);
    a->addAttr(
        llvm::Attribute::getWithDereferenceableBytes(function.getContext(), p.elements * p.dtype.scalar_bytes()));
  }
}

}  // namespace hcq::compute::codegen
