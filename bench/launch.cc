// SPDX-License-Identifier: MIT
// What one kernel launch (record and submit, without waiting) costs the calling thread: on the modelled Navi31, on the
// CPU device, and a plain function call with an atomic store as the yardstick. Usage: bench-launch [submissions]
#include <fmt/format.h>

#include <algorithm>
#include <atomic>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <vector>

#include "compute/codegen/compile.h"
#include "drivers/am/device.h"
#include "drivers/cpu/device.h"
#include "models/am/navi31.h"
#include "models/am/synthetic_firmware.h"
#include "tests/support/amd_object.h"
#include "tests/support/kernel_maker.h"

namespace hcq {
namespace {

// Submissions between two synchronisations: few enough that no ring is ever full, so that nothing waits in the loop.
constexpr unsigned kBatch = 256;

struct Cost {
  double median_ns = 0, best_ns = 0;
};

template <class Launch, class Settle>
Cost measure(unsigned batches, Launch&& launch, Settle&& settle) {
  std::vector<double> per_launch;
  for (unsigned b = 0; b < batches; ++b) {
    const auto start = Clock::now();
    for (unsigned i = 0; i < kBatch; ++i) launch();
    const std::chrono::duration<double, std::nano> t = Clock::now() - start;
    per_launch.push_back(t.count() / kBatch);
    settle();
  }
  std::sort(per_launch.begin(), per_launch.end());
  return {per_launch[per_launch.size() / 2], per_launch.front()};
}

__attribute__((noinline)) void plain_call(std::atomic<std::uint32_t>* out, std::uint32_t v) {
  out->store(v, std::memory_order_release);
}

// A device's compute queue and a kernel whose work is next to nothing.
struct Subject {
  const char* name;
  Device& device;
  Queue& queue;
  ProgramRef program;
  std::vector<std::byte> args;
  Dim3 block;
};

Status measure_device(const Subject& s, unsigned batches, double plain_ns) {
  const auto gate = HCQ_TRY(s.device.create_signal(0));
  std::uint64_t opened = 0;
  bool failed = false;
  // The queue stands still while launches are recorded, so that the device's threads do not compete for the processor.
  const auto shut = [&] { failed |= !s.queue.wait(*gate, opened + 1).ok(); };
  const auto settle = [&] {
    gate->set(++opened);
    failed |= !s.device.synchronize().ok();
    shut();
  };
  const auto record = [&] { failed |= !s.queue.exec(*s.program, s.args, {}, s.block).ok(); };
  const auto launch = [&] {
    record();
    failed |= !s.queue.submit().ok();
  };
  const auto show = [&](const char* what, const Cost& c) {
    fmt::print("{:<28} {:>9.1f} ns  (best {:.1f}), {:.0f} times the call\n", fmt::format("{} {}", s.name, what),
               c.median_ns, c.best_ns, c.median_ns / plain_ns);
  };
  shut();
  measure(2, launch, settle);
  show("exec + submit", measure(batches, launch, settle));
  show("exec only", measure(batches, record, [&] {
         failed |= !s.queue.submit().ok();
         settle();
       }));
  gate->set(opened + 1);
  HCQ_TRY(s.device.synchronize());
  if (failed)
    return Error{.code = Errc::internal, .operation = "bench", .subject = s.name, .detail = "a launch failed"};
  return {};
}

Status run_navi31(unsigned batches, double plain_ns) {
  models::Options model_options;
  model_options.vram_bytes = 256ull << 20;
  auto model = HCQ_TRY(models::am::create_navi31(model_options));
  auto function = HCQ_TRY(models::attach("model:navi31", model, model_options));
  am::DeviceOptions options;
  options.boot.firmware = {am::firmware_memory("synthetic", models::am::synthetic_firmware())};
  auto device = HCQ_TRY(am::open(std::move(function), options));
  Queue* queue = HCQ_TRY(device->queue(QueueKind::compute));
  const auto program = HCQ_TRY(device->load(test::compile_amd(test::store_kernel(64)), ""));
  const auto out = HCQ_TRY(device->alloc(4096, MemoryKind::host));
  std::vector<std::byte> args(12);  // store(out, 0)
  const std::uint64_t address = out->address();
  std::memcpy(args.data(), &address, sizeof address);
  HCQ_TRY(measure_device({"navi31", *device, *queue, program, args, {.x = 64}}, batches, plain_ns));
  return device->close();
}

Status run_cpu(unsigned batches, double plain_ns) {
  namespace ir = compute::ir;
  auto device = HCQ_TRY(cpu::open());
  Queue* queue = HCQ_TRY(device->queue(QueueKind::compute));
  test::KernelMaker k("store");
  const ir::Node* id = k.launch(1, 64);
  const ir::Node* param = k.param(ir::kI32, 64, true);
  k.store(param, id, id);
  const auto target = HCQ_TRY(compute::codegen::target_for(device->info()));
  const auto object = HCQ_TRY(compute::codegen::compile_uncached(k.kernel(), target));
  const auto program = HCQ_TRY(device->load(object.bytes, object.name));
  const auto out = HCQ_TRY(device->alloc(4096, MemoryKind::host));
  const std::uint64_t address = out->address();
  std::vector<std::byte> args(sizeof address);
  std::memcpy(args.data(), &address, sizeof address);
  HCQ_TRY(measure_device({"cpu", *device, *queue, program, args, object.block}, batches, plain_ns));
  return device->close();
}

Status run(unsigned batches) {
  std::atomic<std::uint32_t> cell{0};
  std::uint32_t n = 0;
  const Cost plain = measure(batches, [&] { plain_call(&cell, ++n); }, [] {});
  fmt::print("{:<28} {:>9.1f} ns  (best {:.1f})\n", "function call + store", plain.median_ns, plain.best_ns);
  HCQ_TRY(run_navi31(batches, plain.median_ns));
  return run_cpu(batches, plain.median_ns);
}

}  // namespace
}  // namespace hcq

int main(int argc, char** argv) {
  const unsigned submissions = argc > 1 ? static_cast<unsigned>(std::atoi(argv[1])) : 20000;
  const hcq::Status s = hcq::run(std::max(3u, submissions / hcq::kBatch));
  if (!s.ok()) fmt::print(stderr, "{}\n", hcq::describe(s.error()));
  return s.ok() ? 0 : 1;
}
