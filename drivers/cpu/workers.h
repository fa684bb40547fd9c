// SPDX-License-Identifier: MIT
// The threads that run workgroups. The thread that executes the queue is one of them: it starts with the first
// workgroups alone and calls the others in only when enough work is left to pay for waking them.
#pragma once

#include <atomic>
#include <cstdint>
#include <memory>
#include <thread>
#include <vector>

#include "drivers/cpu/abi.h"
#include "drivers/cpu/event.h"
#include "hcq/device.h"

namespace hcq::cpu {

class Workers {
 public:
  // `helpers`: threads beside the one that calls run(). `budget` must outlive this.
  Workers(unsigned helpers, SpinBudget& budget);
  // Joins the helpers; a kernel that never returns keeps it waiting, so only after run() has returned.
  ~Workers();
  Workers(const Workers&) = delete;
  Workers& operator=(const Workers&) = delete;

  // Runs all workgroups and returns when the last one has finished. One call at a time. Raising `stop` ends it early,
  // between workgroups.
  void run(abi::Kernel kernel, const void* kernargs, Dim3 groups, std::uint32_t local_bytes,
           const std::atomic<bool>& stop);

 private:
  struct Job {
    abi::Kernel kernel = nullptr;
    const void* kernargs = nullptr;
    Dim3 groups;
    std::uint64_t total = 0;
    std::uint64_t chunk = 1;
    const std::atomic<bool>* stop = nullptr;
  };
  // Workgroup memory of one thread, grown on first use.
  struct Local {
    std::unique_ptr<std::byte[]> storage;
    std::size_t size = 0;
    std::byte* get(std::size_t bytes);
  };

  void helper_main();
  void run_range(std::uint64_t begin, std::uint64_t end, std::byte* local) const;
  void run_chunks(std::byte* local);

  // The gate: bit 31 says that a job is open, the rest counts the helpers inside. The job's fields change only while
  // the gate is shut and empty.
  static constexpr std::uint32_t kOpen = 1u << 31;
  std::atomic<std::uint32_t> gate_{0};
  std::atomic<std::uint64_t> next_{0};  // first workgroup that nobody has taken
  std::uint32_t local_bytes_ = 0;
  Job job_;
  std::atomic<bool> quit_{false};
  Event opened_, emptied_;
  SpinBudget& budget_;
  Local own_;
  std::vector<std::thread> helpers_;
};

}  // namespace hcq::cpu
