// SPDX-License-Identifier: MIT
// The recording side of a queue. Commands go straight into the ring behind the published part; submit() takes the next
// timeline value and publishes. A command that was refused spoils its submission: submit() then drops everything
// recorded since the last one and returns the reason.
#pragma once

#include <memory>
#include <optional>

#include "drivers/cpu/core.h"

namespace hcq::cpu {

class CpuQueue final : public Queue {
 public:
  CpuQueue(std::shared_ptr<Core> core, QueueKind kind);

  QueueKind kind() const override { return kind_; }
  Status wait(Signal& signal, std::uint64_t value) override;
  Status barrier() override;
  Status exec(const Program& program, Bytes kernargs, Dim3 groups, Dim3 block) override;
  Status copy(std::uint64_t dst, std::uint64_t src, std::uint64_t bytes) override;
  Status write(std::uint64_t address, std::uint32_t value) override;
  Status poll(std::uint64_t address, std::uint32_t value, std::uint32_t mask) override;
  Status timestamp(Signal& signal) override;
  Status signal(Signal& signal, std::uint64_t value) override;
  Result<std::uint64_t> submit() override;

 private:
  Status spoil(Error e);
  void set_recording(bool on);
  // Room for one command with `extra` contiguous slots behind it; nullptr in `out` never happens on success.
  Status reserve(std::uint32_t extra, Command** out);
  Status ensure_room(std::uint64_t slots);
  Status put(const Command& command);

  std::shared_ptr<Core> core_;
  QueueKind kind_;
  Ring& ring_;
  std::uint64_t begin_ = 0;   // position of this submission's `begin` slot
  std::uint64_t cursor_ = 0;  // next free slot; == begin_ when nothing is recorded
  bool recording_ = false;    // told the retire list so
  std::optional<Error> spoiled_;
};

}  // namespace hcq::cpu
