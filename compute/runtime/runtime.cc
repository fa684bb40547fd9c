// SPDX-License-Identifier: MIT
#include "compute/runtime/runtime.h"

#include <algorithm>
#include <cstring>

#include "compute/lower/lower.h"
#include "compute/opt/optimize.h"
#include "compute/runtime/memory_plan.h"

namespace hcq::compute {
namespace {

class RuntimeMemory final : public DeviceMemory {
 public:
  RuntimeMemory(Runtime& runtime, BufferRef buffer) : runtime_(runtime), buffer_(std::move(buffer)) {}
  Executor& executor() const override { return runtime_; }
  const BufferRef& buffer() const { return buffer_; }

 private:
  Runtime& runtime_;
  BufferRef buffer_;
};

// Devices need not be able to allocate nothing.
std::uint64_t allocation(std::uint64_t bytes) { return std::max<std::uint64_t>(bytes, 64); }

const BufferRef& buffer_of(const Storage& s) { return static_cast<const RuntimeMemory&>(*s.device).buffer(); }

// Launches between two submits, so that the device starts before everything is recorded and no ring has to hold it all.
constexpr std::size_t kLaunchesPerSubmit = 32;

}  // namespace

Runtime::Runtime(Device& device, codegen::Target target, RuntimeOptions options)
    : device_(device), target_(std::move(target)), limits_(opt::limits_of(device.info())), options_(options) {}

Result<std::unique_ptr<Runtime>> Runtime::create(Device& device, RuntimeOptions options) {
  codegen::Target target = HCQ_TRY(codegen::target_for(device.info()));
  return std::unique_ptr<Runtime>(new Runtime(device, std::move(target), options));
}

Result<const Runtime::Loaded*> Runtime::load(const ir::KernelGraph& graph) {
  const std::uint64_t key = graph.hash();
  if (auto it = loaded_.find(key); it != loaded_.end()) return &it->second;
  const Clock::time_point start = Clock::now();
  ir::Kernel kernel = HCQ_TRY(lower::lower(options_.optimize ? HCQ_TRY(opt::optimize(graph, limits_)) : graph));
  const codegen::CodeObject code = HCQ_TRY(codegen::compile(kernel, target_));
  Loaded loaded{.program = HCQ_TRY(device_.load(code.bytes, code.name)),
                .groups = code.groups,
                .block = code.block,
                .params = kernel.params.size(),
                .flops = kernel.flops};
  if (loaded.program->kernarg_bytes() != 8 * loaded.params)
    return Error{.code = Errc::internal,
                 .device = name(),
                 .operation = "load kernel",
                 .subject = kernel.name,
                 .expected = 8 * loaded.params,
                 .actual = loaded.program->kernarg_bytes(),
                 .detail = "bytes of kernel arguments"};
  ++statistics_.compiled;
  statistics_.compile_ms += std::chrono::duration<double, std::milli>(Clock::now() - start).count();
  return &loaded_.emplace(key, std::move(loaded)).first->second;
}

Status Runtime::upload(Storage& s) {
  if (s.device && &s.device->executor() == this) return {};
  HCQ_TRY(bring_to_host(s));
  BufferRef buffer = HCQ_TRY(device_.alloc(allocation(s.bytes()), MemoryKind::device));
  if (s.bytes() > 0) HCQ_TRY(device_.upload(*buffer, 0, s.host));
  s.device = std::make_shared<RuntimeMemory>(*this, std::move(buffer));
  return {};
}

Status Runtime::download(Storage& s) {
  s.host.resize(s.bytes());
  if (s.host.empty()) return {};
  Status status = device_.download(*buffer_of(s), 0, s.host);
  if (!status.ok()) s.host.clear();
  return status;
}

Status Runtime::launch(Queue& queue, const Loaded& kernel, std::span<const BufferRef> args) {
  kernargs_.resize(8 * args.size());
  for (std::size_t i = 0; i < args.size(); ++i) {
    const std::uint64_t address = args[i]->address();
    std::memcpy(kernargs_.data() + 8 * i, &address, 8);
  }
  ++statistics_.launched;
  statistics_.flops += kernel.flops;
  return queue.exec(*kernel.program, kernargs_, kernel.groups, kernel.block);
}

Clock::duration Runtime::limit(std::uint64_t flops) const {
  const std::chrono::duration<double> work(static_cast<double>(flops) * 1e-9 / options_.slowest_gflops);
  return options_.timeout + std::chrono::duration_cast<Clock::duration>(work);
}

Status Runtime::run(const schedule::Schedule& schedule, std::span<const StorageRef> storage) {
  // Everything that can fail without the device comes before the first command is recorded.
  std::vector<const Loaded*> kernels;
  for (const schedule::Item& item : schedule.items) kernels.push_back(HCQ_TRY(load(item.graph)));
  const MemoryPlan plan = plan_memory(schedule);
  std::vector<BufferRef> blocks, buffers(schedule.buffers.size());
  for (std::uint64_t bytes : plan.block_bytes) {
    blocks.push_back(HCQ_TRY(device_.alloc(allocation(bytes), MemoryKind::device)));
    statistics_.allocated_bytes += bytes;
  }
  for (std::size_t i = 0; i < buffers.size(); ++i) {
    const schedule::BufferPlan& b = schedule.buffers[i];
    if (b.input) HCQ_TRY(upload(*storage[i]));
    buffers[i] = b.input ? buffer_of(*storage[i]) : blocks[plan.block_of[i]];
  }
  Queue* queue = HCQ_TRY(device_.queue(QueueKind::compute));
  std::vector<BufferRef> args;
  std::uint64_t last = device_.last_submitted();
  std::uint64_t flops = 0, longest = 0;  // of the submission that is being recorded, of the largest one
  for (std::size_t k = 0; k < schedule.items.size(); ++k) {
    const schedule::Item& item = schedule.items[k];
    if (k % kLaunchesPerSubmit == 0) HCQ_TRY(queue->barrier());
    args.clear();
    for (int a : item.args) args.push_back(buffers[static_cast<std::size_t>(a)]);
    HCQ_TRY(launch(*queue, *kernels[k], args));
    longest = std::max(longest, flops += kernels[k]->flops);
    if ((k + 1) % kLaunchesPerSubmit != 0 && k + 1 != schedule.items.size()) continue;
    last = HCQ_TRY(queue->submit());
    flops = 0;
  }
  HCQ_TRY(device_.wait(last, limit(longest)));
  for (std::size_t i = 0; i < buffers.size(); ++i)
    if (schedule.buffers[i].output) storage[i]->device = std::make_shared<RuntimeMemory>(*this, buffers[i]);
  return {};
}

}  // namespace hcq::compute
