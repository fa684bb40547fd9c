// SPDX-License-Identifier: MIT
// The host's processor. A kernel becomes the two symbols that the CPU device expects (drivers/cpu/abi.h): a function
// that runs one workgroup, and a description. The work-items' loops are in an inner function whose parameters carry
// what is known about the buffers.
#include <llvm/IR/Constants.h>
#include <llvm/IR/GlobalVariable.h>
#include <llvm/TargetParser/Host.h>

#include "compute/codegen/llvm_compat.h"
#include "compute/codegen/target.h"

namespace hcq::compute::codegen {
namespace {

// drivers/cpu/abi.h, KernelInfo. tests/unit/codegen_cpu.cc runs what is made here on that device.
constexpr std::uint32_t kMagic = 0x4b514348, kVersion = 1;
constexpr std::size_t kArchBytes = 32;

class CpuMachine final : public Machine {
 public:
  explicit CpuMachine(const Target& target) : target_(target) {}

  std::string triple() const override { return llvm::sys::getProcessTriple(); }
  const char* passes() const override {
    return "function(early-cse,instcombine<no-verify-fixpoint>,simplifycfg,loop-simplify,lcssa,loop-mssa(licm),"
           "loop-vectorize,slp-vectorizer,instcombine<no-verify-fixpoint>,simplifycfg,early-cse)";
  }
  Limits limits() const override { return {.max_block = 1024}; }
  bool wants_32bit_offsets() const override { return false; }

  Status build(const ir::Kernel& kernel, llvm::Module& module, const Body& body) const override {
    llvm::Function* items = HCQ_TRY(build_items(kernel, module, body));
    build_entry(kernel, module, *items);
    build_info(kernel, module);
    return {};
  }

 private:
  // void NAME.items(ptr p0, ..., i32 group_x, i32 group_y, i32 group_z): the loops over the work-items.
  Result<llvm::Function*> build_items(const ir::Kernel& kernel, llvm::Module& module, const Body& body) const {
    auto& context = module.getContext();
    auto* i32 = llvm::Type::getInt32Ty(context);
    std::vector<llvm::Type*> types(kernel.params.size(), llvm::PointerType::get(context, 0));
    types.insert(types.end(), 3, i32);
    auto* type = llvm::FunctionType::get(llvm::Type::getVoidTy(context), types, false);
    auto* f = llvm::Function::Create(type, llvm::Function::InternalLinkage, kernel.name + ".items", module);
    add_attributes(*f);
    f->addFnAttr(llvm::Attribute::NoInline);  // inlining would lose what the parameters promise
    annotate_params(kernel, *f);

    llvm::IRBuilder<> b(llvm::BasicBlock::Create(context, "entry", f));
    WorkItem item;
    for (std::size_t i = 0; i < kernel.params.size(); ++i) item.params.push_back(f->getArg(static_cast<unsigned>(i)));
    for (unsigned d = 0; d < 3; ++d) item.group[d] = f->getArg(static_cast<unsigned>(kernel.params.size()) + d);

    struct Loop {
      llvm::BasicBlock* header;
      llvm::PHINode* index;
      std::uint32_t count;
    };
    std::vector<Loop> loops;
    for (int d = 2; d >= 0; --d) {  // x innermost
      const auto dim = static_cast<std::size_t>(d);
      item.local[dim] = llvm::ConstantInt::get(i32, 0);
      if (kernel.block[dim] == 1) continue;
      auto* before = b.GetInsertBlock();
      auto* header = llvm::BasicBlock::Create(context, "item", f);
      b.CreateBr(header);
      b.SetInsertPoint(header);
      auto* index = b.CreatePHI(i32, 2);
      index->addIncoming(llvm::ConstantInt::get(i32, 0), before);
      item.local[dim] = index;
      loops.push_back({header, index, kernel.block[dim]});
    }
    HCQ_TRY(body(b, item));
    for (; !loops.empty(); loops.pop_back()) {
      const Loop& l = loops.back();
      auto* next = b.CreateNUWAdd(l.index, llvm::ConstantInt::get(i32, 1));
      auto* after = llvm::BasicBlock::Create(context, "items.done", f);
      b.CreateCondBr(b.CreateICmpULT(next, llvm::ConstantInt::get(i32, l.count)), l.header, after);
      l.index->addIncoming(next, b.GetInsertBlock());
      b.SetInsertPoint(after);
    }
    b.CreateRetVoid();
    return f;
  }

  // void NAME(ptr kernargs, i32 group_x, i32 group_y, i32 group_z, ptr local)
  void build_entry(const ir::Kernel& kernel, llvm::Module& module, llvm::Function& items) const {
    auto& context = module.getContext();
    auto* i32 = llvm::Type::getInt32Ty(context);
    auto* ptr = llvm::PointerType::get(context, 0);
    auto* type = llvm::FunctionType::get(llvm::Type::getVoidTy(context), {ptr, i32, i32, i32, ptr}, false);
    auto* f = llvm::Function::Create(type, llvm::Function::ExternalLinkage, kernel.name, module);
    add_attributes(*f);
    llvm::IRBuilder<> b(llvm::BasicBlock::Create(context, "entry", f));
    std::vector<llvm::Value*> args;
    for (std::size_t i = 0; i < kernel.params.size(); ++i)
      args.push_back(b.CreateLoad(ptr, b.CreateConstInBoundsGEP1_64(ptr, f->getArg(0), i)));
    for (unsigned d = 0; d < 3; ++d) args.push_back(f->getArg(1 + d));
    b.CreateCall(&items, args);
    b.CreateRetVoid();
  }

  void build_info(const ir::Kernel& kernel, llvm::Module& module) const {
    auto& context = module.getContext();
    const std::uint32_t words[8] = {kMagic,          kVersion,        ir::kernarg_bytes(kernel), 0,
                                    kernel.block[0], kernel.block[1], kernel.block[2],           0};
    std::string arch = target_.processor.substr(0, kArchBytes - 1);
    arch.resize(kArchBytes);
    auto* info =
        llvm::ConstantStruct::getAnon({llvm::ConstantDataArray::get(context, llvm::ArrayRef<std::uint32_t>(words)),
                                       llvm::ConstantDataArray::getString(context, arch, false)});
    new llvm::GlobalVariable(module, info->getType(), true, llvm::GlobalValue::ExternalLinkage, info,
                             "hcq." + kernel.name);
  }

  void add_attributes(llvm::Function& f) const {
    f.addFnAttr(llvm::Attribute::NoUnwind);
    f.addFnAttr("target-cpu", target_.processor);
    if (!target_.features.empty()) f.addFnAttr("target-features", target_.features);
  }

  Target target_;
};

}  // namespace

std::unique_ptr<Machine> make_cpu_machine(const Target& target) { return std::make_unique<CpuMachine>(target); }

}  // namespace hcq::compute::codegen
