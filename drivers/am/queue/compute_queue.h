// SPDX-License-Identifier: MIT
// The compute queue: PM4 in a ring that the MEC reads, kernel arguments in a second ring.
#pragma once

#include <memory>

#include "drivers/am/pm4.h"
#include "drivers/am/queue/ring_queue.h"

namespace hcq::am {

class ComputeQueue final : public RingQueue {
 public:
  // Allocates the rings, builds the MQD and activates the queue.
  static Result<std::unique_ptr<ComputeQueue>> make(std::shared_ptr<Core> core);

  Status wait(Signal& signal, std::uint64_t value) override;
  Status barrier() override;
  Status exec(const Program& program, Bytes kernargs, Dim3 groups, Dim3 block) override;
  // Up to kMaxCopyBytes, in words: larger copies are the copy queue's.
  Status copy(std::uint64_t dst, std::uint64_t src, std::uint64_t bytes) override;
  Status write(std::uint64_t address, std::uint32_t value) override;
  Status poll(std::uint64_t address, std::uint32_t value, std::uint32_t mask) override;
  Status timestamp(Signal& signal) override;
  Status signal(Signal& signal, std::uint64_t value) override;

  static constexpr std::uint64_t kMaxCopyBytes = 4096;
  static constexpr std::uint32_t kSlot = 0;           // of the hardware's queue slots, and of the MQD pages
  static constexpr std::uint32_t kMaxThreads = 1024;  // work-items of a workgroup

 private:
  ComputeQueue(std::shared_ptr<Core> core, HostRing ring, std::shared_ptr<GpuMemory> kernargs,
               std::shared_ptr<GpuMemory> eop);
  Result<std::uint64_t> reserve_kernargs(std::uint64_t bytes);

  std::uint32_t prologue_dwords() const override { return pm4::kWaitMemoryDwords + pm4::kAcquireDwords; }
  std::uint32_t prologue(DwordWriter& w) override;
  std::uint32_t epilogue_dwords() const override { return pm4::kReleaseDwords; }
  void epilogue(DwordWriter& w, std::uint32_t raw) override;
  void fill(DwordWriter& w, std::uint32_t dwords) override { pm4::nop(w, dwords); }
  std::uint64_t extra_position() const override { return args_put_; }
  void extra_freed(std::uint64_t position) override { args_freed_ = position; }
  void extra_closed(bool submitted) override {
    if (submitted) args_begin_ = args_put_;
    else args_put_ = args_begin_;
  }

  std::shared_ptr<GpuMemory> kernargs_, eop_;
  std::uint64_t args_begin_ = 0;  // of the recording; positions in bytes that only grow
  std::uint64_t args_put_ = 0, args_freed_ = 0;
  pm4::DispatchRegisters registers_;
  std::uint32_t hdp_request_ = 0, hdp_done_ = 0, hdp_mask_ = 0;
};

}  // namespace hcq::am
