// SPDX-License-Identifier: MIT
// Compile time, and speed on the CPU device, of the kernels that the compiler makes of a few tensor expressions.
//   bench_codegen [--ir NAME] [--out DIR]     prints the LLVM IR of one kernel, writes the objects to a folder
#include <algorithm>
#include <cstdio>
#include <cstring>
#include <fstream>
#include <string>

#include "compute/codegen/compile.h"
#include "compute/lower/lower.h"
#include "compute/opt/optimize.h"
#include "compute/schedule/schedule.h"
#include "compute/tensor/session.h"
#include "compute/tensor/tensor.h"
#include "drivers/cpu/device.h"

namespace hcq::compute {
namespace {

struct Case {
  std::string name;
  Tensor tensor;
};

Tensor input(std::int64_t rows, std::int64_t columns, ir::DType t = ir::kF32) {
  std::vector<std::byte> bytes(static_cast<std::size_t>(rows * columns) * t.bytes());
  for (std::size_t i = 0; i < bytes.size(); i += t.bytes())
    ir::store(t.scalar, bytes.data() + i, ir::real(static_cast<double>(i / t.bytes() % 17) / 16 - 0.5));
  return Tensor::from_bytes(t, {rows, columns}, bytes);
}

std::vector<Case> cases() {
  return {
      {"matmul256", input(256, 256).matmul(input(256, 256))},
      {"matmul1024", input(1024, 1024).matmul(input(1024, 1024))},
      {"matmul256_f16", input(256, 256, ir::kF16).matmul(input(256, 256, ir::kF16))},
      {"add4096", input(4096, 4096) + input(4096, 4096)},
      {"sum_rows4096", input(4096, 4096).sum({1})},
      {"exp4096", input(4096, 4096).exp()},
  };
}

struct Options {
  std::string ir, out;
};

codegen::CodeObject compile_and_print(const ir::Kernel& kernel, const codegen::Target& target, const Options& options) {
  codegen::CompileTimes t;
  std::string text;
  auto object = codegen::compile_uncached(kernel, target, &t, &text);
  if (!object) {
    std::printf("%s\n", describe(object.error()).c_str());
    return {};
  }
  std::printf("  %-8s emit %6.2f ms  passes %6.2f ms  object %6.2f ms  %6zu bytes\n", target.processor.c_str(),
              t.emit_ms, t.passes_ms, t.object_ms, object->bytes.size());
  if (options.ir == kernel.name + ":" + target.processor) std::puts(text.c_str());
  if (!options.out.empty())
    std::ofstream(options.out + "/" + kernel.name + "." + target.processor + ".o", std::ios::binary)
        .write(reinterpret_cast<const char*>(object->bytes.data()), static_cast<std::streamsize>(object->bytes.size()));
  return std::move(*object);
}

double run_ms(Device& device, const ir::Kernel& kernel, const codegen::CodeObject& object) {
  auto program = device.load(object.bytes, object.name);
  if (!program) return 0;
  std::vector<BufferRef> buffers;
  std::vector<std::uint64_t> args;
  for (const ir::Param& p : kernel.params) {
    buffers.push_back(*device.alloc(p.elements * p.dtype.bytes(), MemoryKind::host));
    std::memset(buffers.back()->host(), 0, buffers.back()->size());
    args.push_back(buffers.back()->address());
  }
  Queue& queue = **device.queue(QueueKind::compute);
  std::vector<double> ms;
  for (int i = 0; i < 9; ++i) {
    const auto start = Clock::now();
    (void)queue.exec(**program, std::as_bytes(std::span(args)), object.groups, object.block);
    (void)queue.submit();
    (void)device.synchronize();
    ms.push_back(std::chrono::duration<double, std::milli>(Clock::now() - start).count());
  }
  std::nth_element(ms.begin(), ms.begin() + 4, ms.end());
  return ms[4];
}

Result<ir::Kernel> kernel_for(const ir::KernelGraph& graph, const DeviceInfo& info) {
  return lower::lower(HCQ_TRY(opt::optimize(graph, opt::limits_of(info))));
}

int run(const Options& options) {
  auto one = cpu::open({.threads = 1}), all = cpu::open();
  DeviceInfo gpu;
  gpu.family = "am";
  gpu.arch = "gfx1100";
  gpu.max_block = 1024;
  gpu.wave_size = 32;
  gpu.lds_bytes = 65536;
  for (const Case& c : cases()) {
    const ir::Node* roots[] = {c.tensor.node()};
    auto schedule = schedule::make_schedule(roots, [&](const ir::Node* n) -> const Shape* {
      const StorageRef stored = Session::current().storage(n);
      return stored ? &stored->shape : nullptr;
    });
    if (!schedule) {
      std::printf("%s: %s\n", c.name.c_str(), describe(schedule.error()).c_str());
      continue;
    }
    for (const schedule::Item& item : schedule->items) {
      for (const DeviceInfo& info : {(*one)->info(), gpu}) {
        auto kernel = kernel_for(item.graph, info);
        if (!kernel) {
          std::printf("%s: %s\n", c.name.c_str(), describe(kernel.error()).c_str());
          continue;
        }
        kernel->name = c.name;
        const auto target = codegen::target_for(info);
        std::printf("%s: %zu nodes, %u x %u work-items\n", c.name.c_str(), kernel->code.size(),
                    kernel->groups[0] * kernel->groups[1] * kernel->groups[2],
                    kernel->block[0] * kernel->block[1] * kernel->block[2]);
        const auto object = compile_and_print(*kernel, *target, options);
        if (info.family != "cpu" || object.bytes.empty()) continue;
        double bytes = 0;
        for (const ir::Param& p : kernel->params) bytes += static_cast<double>(p.elements * p.dtype.bytes());
        for (Device* d : {one->get(), all->get()}) {
          const double ms = run_ms(*d, *kernel, object);
          std::printf("  %u threads: %.3f ms, %.2f GFLOP/s, %.2f GB/s\n", d->info().compute_units, ms,
                      static_cast<double>(kernel->flops) / ms / 1e6, bytes / ms / 1e6);
        }
      }
    }
  }
  return 0;
}

}  // namespace
}  // namespace hcq::compute

int main(int argc, char** argv) {
  hcq::compute::Options options;
  for (int i = 1; i + 1 < argc; i += 2) {
    if (std::string(argv[i]) == "--ir") options.ir = argv[i + 1];
    if (std::string(argv[i]) == "--out") options.out = argv[i + 1];
  }
  return hcq::compute::run(options);
}
