// SPDX-License-Identifier: MIT
// Runs schedules on an hcq::Device: optimizes and compiles kernels (once each), allocates memory, launches on the
// compute queue. Knows nothing of the device but what hcq/device.h says.
#pragma once

#include <memory>
#include <string>
#include <unordered_map>
#include <vector>

#include "compute/codegen/codegen.h"
#include "compute/opt/limits.h"
#include "compute/runtime/executor.h"
#include "hcq/device.h"

namespace hcq::compute {

struct RuntimeOptions {
  bool optimize = true;  // false: kernels as scheduled, one work-item a workgroup
  // A device that gets no further for this long is taken for hung. Since a device says only when a submission is
  // done, the time that its kernels would need at slowest_gflops comes on top.
  Clock::duration timeout = std::chrono::seconds(10);
  double slowest_gflops = 1;
};

class Runtime final : public Executor {
 public:
  // The device must outlive the runtime and all storage it filled. Errc::unsupported if no code generator fits it.
  static Result<std::unique_ptr<Runtime>> create(Device& device, RuntimeOptions options = {});

  const std::string& name() const override { return device_.info().address; }
  Status run(const schedule::Schedule& schedule, std::span<const StorageRef> storage) override;
  Status download(Storage& storage) override;

  // A kernel ready to launch; params in the order of its graph.
  struct Loaded {
    ProgramRef program;
    Dim3 groups, block;
    std::size_t params = 0;
    std::uint64_t flops = 0;
  };
  // From memory, or optimized, lowered, compiled and loaded.
  Result<const Loaded*> load(const ir::KernelGraph& graph);

  struct Statistics {
    std::uint64_t compiled = 0;  // kernels that were not in memory
    double compile_ms = 0;
    std::uint64_t launched = 0;
    std::uint64_t flops = 0;            // of everything launched
    std::uint64_t allocated_bytes = 0;  // temporaries and outputs, reuse counted once
  };
  const Statistics& statistics() const { return statistics_; }
  Device& device() { return device_; }

 private:
  Runtime(Device& device, codegen::Target target, RuntimeOptions options);
  Status upload(Storage& storage);
  Status launch(Queue& queue, const Loaded& kernel, std::span<const BufferRef> args);
  Clock::duration limit(std::uint64_t flops) const;

  Device& device_;
  codegen::Target target_;
  opt::DeviceLimits limits_;
  RuntimeOptions options_;
  // Keyed by the content of the scheduled graph: target and limits are the same for all kernels of a runtime.
  std::unordered_map<std::uint64_t, Loaded> loaded_;
  std::vector<std::byte> kernargs_;
  Statistics statistics_;
};

}  // namespace hcq::compute
