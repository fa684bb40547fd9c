// SPDX-License-Identifier: MIT
#include "compute/ir/interpreter.h"

#include "compute/lower/lower.h"
#include "compute/opt/optimize.h"
#include "compute/runtime/executor.h"

namespace hcq::compute {
namespace {

class InterpreterExecutor final : public Executor {
 public:
  explicit InterpreterExecutor(InterpreterOptions options) : options_(options) {}
  const std::string& name() const override { return name_; }

  Status run(const schedule::Schedule& schedule, std::span<const StorageRef> storage) override {
    std::vector<std::vector<std::byte>> temporary(schedule.buffers.size());
    std::vector<ir::ParamMemory> memory;
    for (std::size_t i = 0; i < schedule.buffers.size(); ++i) {
      const schedule::BufferPlan& b = schedule.buffers[i];
      if (b.input) HCQ_TRY(bring_to_host(*storage[i]));
      std::vector<std::byte>& bytes = storage[i] ? storage[i]->host : temporary[i];
      if (!b.input) bytes.resize(b.bytes());
      memory.push_back({.data = bytes.data(), .bytes = bytes.size()});
    }
    for (const schedule::Item& item : schedule.items) {
      ir::KernelGraph graph = item.graph;
      if (options_.optimize) graph = HCQ_TRY(opt::optimize(graph, opt::DeviceLimits{}));
      const ir::Kernel kernel = HCQ_TRY(lower::lower(graph));
      std::vector<ir::ParamMemory> params;
      for (int a : item.args) params.push_back(memory[static_cast<std::size_t>(a)]);
      HCQ_TRY(ir::interpret(kernel, params));
    }
    return {};
  }

  Status download(Storage&) override {
    return Error{
        .code = Errc::internal, .device = name_, .operation = "download", .detail = "has no memory of its own"};
  }

 private:
  InterpreterOptions options_;
  std::string name_ = "interpreter";
};

}  // namespace

std::unique_ptr<Executor> make_interpreter(InterpreterOptions options) {
  return std::make_unique<InterpreterExecutor>(options);
}

Status bring_to_host(Storage& storage) {
  if (storage.host.size() == storage.bytes()) return {};
  if (!storage.device)
    return Error{.code = Errc::internal, .operation = "read tensor", .detail = "storage without a value"};
  return storage.device->executor().download(storage);
}

}  // namespace hcq::compute
