// SPDX-License-Identifier: MIT
// The run list controller and the register bus of the graphics block, as far as booting goes: bootloading after
// AUTOLOAD_RLC, the gate in front of every graphics register until then, safe mode, clock gating, soft reset, the
// reference clock counter. Source: gfx_v11_0.c and the gc_11_0_0 headers of Linux 6.12.
#pragma once

#include <cstdint>
#include <mutex>

#include "models/am/chip.h"

namespace hcq::models::am {

class Rlc final : public Block {
 public:
  explicit Rlc(Chip& chip);
  void reset(Reset kind) override;
  void start();  // the PSP has everything and lets the graphics block boot

 private:
  void close_gate();
  void safe_mode(std::uint32_t value);
  template <class R>
  void needs_safe_mode();
  void soft_reset_written(std::uint32_t value, std::uint32_t before);
  void report(const char* rule, const char* where, std::uint32_t value, const char* text);

  Chip& chip_;
  Gate gate_;
  std::mutex mutex_;
  bool safe_ = false, handshake_ = false;
  std::uint64_t captured_ = 0;
};

}  // namespace hcq::models::am
