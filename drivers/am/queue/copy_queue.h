// SPDX-License-Identifier: MIT
// The copy queue: packets in a ring that SDMA engine 0 reads.
#pragma once

#include <memory>

#include "drivers/am/queue/ring_queue.h"
#include "drivers/am/sdma_packets.h"

namespace hcq::am {

class CopyQueue final : public RingQueue {
 public:
  static Result<std::unique_ptr<CopyQueue>> make(std::shared_ptr<Core> core);

  Status wait(Signal& signal, std::uint64_t value) override;
  Status barrier() override;
  Status exec(const Program& program, Bytes kernargs, Dim3 groups, Dim3 block) override;  // Errc::unsupported
  Status copy(std::uint64_t dst, std::uint64_t src, std::uint64_t bytes) override;
  Status write(std::uint64_t address, std::uint32_t value) override;
  Status poll(std::uint64_t address, std::uint32_t value, std::uint32_t mask) override;
  Status timestamp(Signal& signal) override;
  Status signal(Signal& signal, std::uint64_t value) override;

 private:
  CopyQueue(std::shared_ptr<Core> core, HostRing ring);
  std::uint32_t prologue_dwords() const override { return sdma::kPollDwords; }
  std::uint32_t prologue(DwordWriter& w) override;
  std::uint32_t epilogue_dwords() const override { return sdma::kFenceDwords + sdma::kTrapDwords; }
  void epilogue(DwordWriter& w, std::uint32_t raw) override;
  void fill(DwordWriter& w, std::uint32_t dwords) override;

  std::uint32_t hdp_request_ = 0, hdp_done_ = 0, hdp_mask_ = 0;
};

}  // namespace hcq::am
