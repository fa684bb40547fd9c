// SPDX-License-Identifier: MIT
#include "drivers/cpu/program.h"

#include <fmt/format.h>
#include <llvm/Config/llvm-config.h>
#include <llvm/ExecutionEngine/Orc/Core.h>
#include <llvm/ExecutionEngine/Orc/ObjectLinkingLayer.h>
#if LLVM_VERSION_MAJOR >= 20
#include <llvm/ExecutionEngine/Orc/AbsoluteSymbols.h>
#include <llvm/ExecutionEngine/Orc/SelfExecutorProcessControl.h>
#endif
#include <llvm/Support/MemoryBuffer.h>
#include <llvm/TargetParser/Host.h>

#include <algorithm>
#include <cmath>
#include <cstring>
#include <mutex>

#include "drivers/cpu/object_check.h"

extern "C" {
// libgcc's half-float conversions; only their addresses are taken, the kernels know the real types.
void __truncsfhf2();
void __truncdfhf2();
void __extendhfsf2();
}

namespace hcq::cpu {
namespace {

namespace orc = llvm::orc;

Error load_error(Errc code, std::string subject, std::string detail) {
  return Error{
      .code = code, .device = "cpu", .operation = "load", .subject = std::move(subject), .detail = std::move(detail)};
}

class OrcLinker;

class OrcCode final : public Code {
 public:
  OrcCode(std::shared_ptr<OrcLinker> linker, orc::JITDylib& dylib) : linker_(std::move(linker)), dylib_(dylib) {}
  ~OrcCode() override;

 private:
  std::shared_ptr<OrcLinker> linker_;
  orc::JITDylib& dylib_;
};

class OrcLinker final : public Linker, public std::enable_shared_from_this<OrcLinker> {
 public:
  explicit OrcLinker(std::unique_ptr<orc::ExecutorProcessControl> control)
      : session_(std::move(control)), layer_(session_) {
    session_.setErrorReporter([this](llvm::Error e) {
      const std::lock_guard lock(mutex_);
      problem_ = llvm::toString(std::move(e));
    });
  }
  ~OrcLinker() override { llvm::consumeError(session_.endSession()); }

  Result<std::shared_ptr<Code>> link(Bytes object, std::string_view wanted) override {
    const ObjectSummary summary = HCQ_TRY(check_object(object));
    const std::string name = HCQ_TRY(choose(summary, wanted));
    orc::JITDylib& dylib = session_.createBareJITDylib("object" + std::to_string(++serial_));
    auto code = std::make_shared<OrcCode>(shared_from_this(), dylib);
    if (auto e = dylib.define(orc::absoluteSymbols(imports()))) return failed(name, std::move(e));
    auto buffer = llvm::MemoryBuffer::getMemBufferCopy(
        llvm::StringRef(reinterpret_cast<const char*>(object.data()), object.size()), name);
    if (auto e = layer_.add(dylib, std::move(buffer))) return failed(name, std::move(e));
    const void* info = HCQ_TRY(address(dylib, abi::kInfoPrefix + name));
    std::memcpy(&code->info, info, sizeof(abi::KernelInfo));
    HCQ_TRY(check_info(name, code->info));
    code->kernel = reinterpret_cast<abi::Kernel>(const_cast<void*>(HCQ_TRY(address(dylib, name))));
    code->name = name;
    return std::shared_ptr<Code>(std::move(code));
  }

  void remove(orc::JITDylib& dylib) { llvm::consumeError(session_.removeJITDylib(dylib)); }

 private:
  static Result<std::string> choose(const ObjectSummary& summary, std::string_view wanted) {
    const auto& k = summary.kernels;
    if (wanted.empty()) {
      if (k.size() == 1) return k.front();
      return load_error(Errc::invalid_argument, "cpu code object",
                        fmt::format("it holds {} kernels; name one of them", k.size()));
    }
    if (std::find(k.begin(), k.end(), wanted) != k.end()) return std::string(wanted);
    return load_error(Errc::not_found, std::string(wanted), fmt::format("no such kernel; there is '{}'", k.front()));
  }

  static Status check_info(const std::string& name, const abi::KernelInfo& i) {
    if (i.magic != abi::kMagic || i.version != abi::kVersion)
      return load_error(Errc::unsupported, name, "kernel description of another version");
    const std::string arch(i.arch, strnlen(i.arch, sizeof(i.arch)));
    if (arch != host_processor())
      return load_error(Errc::unsupported, name,
                        fmt::format("compiled for '{}', but this is '{}'", arch, host_processor()));
    const std::uint64_t block = std::uint64_t{i.block[0]} * i.block[1];
    if (i.block[0] == 0 || i.block[1] == 0 || i.block[2] == 0 || block > abi::kMaxBlock ||
        block * i.block[2] > abi::kMaxBlock)
      return load_error(Errc::corrupt, name, "block size is zero or above the limit");
    if (i.kernarg_bytes > abi::kMaxKernargBytes || i.local_bytes > abi::kMaxLocalBytes)
      return load_error(Errc::corrupt, name, "arguments or local memory above the limit");
    return {};
  }

  orc::SymbolMap imports() {
    constexpr auto flags = llvm::JITSymbolFlags::Exported | llvm::JITSymbolFlags::Callable;
    orc::SymbolMap map;
    const auto add = [&](const char* name, auto* function) {
      map[session_.intern(name)] = {orc::ExecutorAddr::fromPtr(function), flags};
    };
    add("memcpy", static_cast<void* (*)(void*, const void*, std::size_t)>(&std::memcpy));
    add("memmove", static_cast<void* (*)(void*, const void*, std::size_t)>(&std::memmove));
    add("memset", static_cast<void* (*)(void*, int, std::size_t)>(&std::memset));
    add("fmaxf", static_cast<float (*)(float, float)>(&std::fmax));
    add("fminf", static_cast<float (*)(float, float)>(&std::fmin));
    add("fmax", static_cast<double (*)(double, double)>(&std::fmax));
    add("fmin", static_cast<double (*)(double, double)>(&std::fmin));
    add("truncf", static_cast<float (*)(float)>(&std::trunc));
    add("trunc", static_cast<double (*)(double)>(&std::trunc));
    add("fmaf", static_cast<float (*)(float, float, float)>(&std::fma));
    add("fma", static_cast<double (*)(double, double, double)>(&std::fma));
    add("__truncsfhf2", &__truncsfhf2);
    add("__truncdfhf2", &__truncdfhf2);
    add("__extendhfsf2", &__extendhfsf2);
    return map;
  }

  Result<const void*> address(orc::JITDylib& dylib, const std::string& symbol) {
    auto found = session_.lookup({&dylib}, session_.intern(symbol));
    if (!found) return failed(symbol, found.takeError());
    return found->getAddress().toPtr<const void*>();
  }

  // The lookup's own error only says that it failed; the reporter was told why.
  Error failed(const std::string& name, llvm::Error e) {
    std::string text = llvm::toString(std::move(e));
    const std::lock_guard lock(mutex_);
    if (!problem_.empty()) text = std::exchange(problem_, {});
    std::replace(text.begin(), text.end(), '\n', ' ');
    return load_error(Errc::corrupt, name, "the linker refused the object: " + text);
  }

  orc::ExecutionSession session_;
  orc::ObjectLinkingLayer layer_;
  std::mutex mutex_;
  std::string problem_;
  std::atomic<unsigned> serial_{0};
};

OrcCode::~OrcCode() { linker_->remove(dylib_); }

}  // namespace

std::string host_processor() {
  static const std::string name = llvm::sys::getHostCPUName().str();
  return name;
}

Result<std::shared_ptr<Linker>> Linker::create() {
  auto control = orc::SelfExecutorProcessControl::Create();
  if (!control) return load_error(Errc::internal, "linker", llvm::toString(control.takeError()));
  return std::shared_ptr<Linker>(std::make_shared<OrcLinker>(std::move(*control)));
}

CpuProgram::CpuProgram(std::shared_ptr<Core> core, std::shared_ptr<Code> code)
    : core_(std::move(core)), code_(std::move(code)) {
  name_ = code_->name;
  kernarg_bytes_ = code_->info.kernarg_bytes;
  lds_bytes_ = code_->info.local_bytes;
}

CpuProgram::~CpuProgram() { core_->retire(std::move(code_)); }

}  // namespace hcq::cpu
