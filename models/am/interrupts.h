// SPDX-License-Identifier: MIT
// The interrupt handler, OSSSYS 6.0.0: two rings of 32-byte entries in memory, their pointers in byte offsets,
// overflow, and the MSI with its arming rule. Source: ih_v6_0.c, amdgpu_ih.c and the osssys_6_0_0 headers of
// Linux 6.12.
#pragma once

#include <array>
#include <cstdint>
#include <deque>
#include <mutex>

#include "models/am/chip.h"

namespace hcq::models::am {

class Interrupts final : public Block, public InterruptPort {
 public:
  explicit Interrupts(Chip& chip);
  void reset(Reset kind) override;
  void post(const IhEntry& entry) override;
  void doorbell(std::uint32_t dword, std::uint64_t value) override;

 private:
  struct Ring {
    std::uint32_t rptr = 0, wptr = 0;  // byte offsets
    bool overflow = false, enabled = false;
  };
  // Which registers a ring has, so that both share one implementation.
  template <unsigned N>
  struct Set;
  template <unsigned N>
  void add_ring();
  template <unsigned N>
  void control_written(std::uint32_t value, std::uint32_t before);
  template <unsigned N>
  void rptr_written(std::uint32_t value);
  template <unsigned N>
  bool deliver_to(const IhEntry& entry);
  template <unsigned N>
  bool configuration_is_sound();
  template <unsigned N>
  std::uint32_t bytes() const;
  template <unsigned N>
  std::uint64_t base() const;

  bool goes_to_ring1(const IhEntry& e) const;
  void deliver();
  void maybe_interrupt();
  void report(std::string rule, std::string where, std::uint64_t value, std::string text);

  Chip& chip_;
  std::mutex mutex_;
  std::array<Ring, 2> rings_;
  std::deque<IhEntry> queue_;
  std::array<std::uint32_t, 32> ring1_config_{};
  bool armed_ = true, scheduled_ = false;
};

}  // namespace hcq::models::am
