// SPDX-License-Identifier: MIT
// The scheduler of the micro engine (MES, pipe 0): takes frames of 64 dwords from its ring and puts queues on the
// hardware and off it, reads and writes registers, and confirms each frame through a fence in memory. Frame layouts are
// in drivers/am/abi/mes.h.
//
// Of its queues the model has those of the kernel ("legacy"), which name their place on the hardware; queues of
// processes, whose place and VMID the scheduler chooses, are refused with a violation and without a confirmation.
#pragma once

#include <array>
#include <functional>
#include <string>

#include "models/am/gfx/pm4.h"

namespace hcq::models::am {

class MesScheduler final : public PacketProcessor {
 public:
  MesScheduler(Chip& chip, Memory& memory, QueueMapper& mapper, std::function<bool()> interrupted)
      : chip_(chip), memory_(memory), mapper_(mapper), interrupted_(std::move(interrupted)) {}

  Pm4Result run(Pm4Ring& ring) override;

 private:
  enum class Next : std::uint8_t { confirm, again, ignore };
  bool fetch(const Pm4Ring& ring);
  Next execute(std::uint32_t& status_at);
  Next add_queue();
  Next remove_queue();
  Next misc();
  Next wait_register();
  Next refuse(std::string rule, std::uint64_t value, std::string text);
  bool confirm(std::uint32_t status_at);
  std::uint64_t wide(std::uint32_t dword) const;

  Chip& chip_;
  Memory& memory_;
  QueueMapper& mapper_;
  const std::function<bool()> interrupted_;
  std::array<std::uint32_t, 64> frame_{};
  bool has_resources_ = false, written_ = false;
};

}  // namespace hcq::models::am
