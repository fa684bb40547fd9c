// SPDX-License-Identifier: MIT
// The shader array as the command processor uses it: takes a dispatch, checks what silicon would choke on, and runs it
// on the ISA engine, with memory seen through the GC hub and GL2.
#pragma once

#include <atomic>
#include <functional>
#include <memory>
#include <mutex>

#include "models/am/memory.h"
#include "models/isa/isa.h"

namespace hcq::models::am {

using EngineMaker = std::function<Result<std::unique_ptr<isa::Engine>>()>;

// The compute registers of one queue (the SH register window), and which of them were written since it was connected.
struct ShRegisters {
  static constexpr std::uint32_t kFirst = 0x2c00, kCount = 0x400;
  std::array<std::uint32_t, kCount> value{};
  std::array<bool, kCount> written{};
};

class Shaders {
 public:
  Shaders(Chip& chip, Memory& memory, EngineMaker make) : chip_(chip), memory_(memory), make_(std::move(make)) {}

  // What a DISPATCH_DIRECT asks for, from the queue's registers. False, after violations, when a register was never
  // written or holds what cannot be run. `where` names the queue in violations.
  bool prepare(const ShRegisters& sh, const std::uint32_t groups[3], std::uint32_t initiator,
               std::uint32_t sh_mem_bases, const std::function<std::string()>& where, isa::Dispatch& out);

  // Runs it; one at a time, later callers wait.
  isa::Report run(const isa::Dispatch& dispatch, unsigned vmid, const std::atomic<bool>& stop);
  void invalidate_instruction_cache();

 private:
  Status engine();

  Chip& chip_;
  Memory& memory_;
  EngineMaker make_;
  std::mutex mutex_;  // the engine
  std::unique_ptr<isa::Engine> engine_;
  std::atomic<bool> invalidate_{false};
};

}  // namespace hcq::models::am
