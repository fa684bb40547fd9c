// SPDX-License-Identifier: MIT
// NBIO 4.3.0: the bus interface. Size of VRAM, the index/data windows to VRAM and to registers beyond BAR 5, the HDP
// flush registers, and the way of a doorbell from BAR 2 to its engine.
#pragma once

#include <atomic>
#include <cstdint>
#include <optional>

#include "models/am/chip.h"

namespace hcq::models::am {

class Nbio final : public Block {
 public:
  explicit Nbio(Chip& chip);
  void reset(Reset kind) override;

  // A store of 4 or 8 bytes to BAR 2.
  void doorbell(std::uint64_t offset, unsigned size, std::uint64_t value);
  // False while the memory controller is in training after power-on: MEMSIZE then reads all ones.
  void set_memory_ready(bool on) { memory_ready_.store(on, std::memory_order_release); }
  // Bits of BIF_DOORBELL_INT_CNTL that report a fatal error; an injection point.
  void raise_ras(bool controller, bool athub);

 private:
  void add_window();
  void add_indirect();
  void add_hdp_flush();
  void add_doorbell_registers();
  std::optional<DoorbellTarget> route(std::uint32_t dword) const;
  std::uint32_t window_read();
  void window_write(std::uint32_t value);

  Chip& chip_;
  std::atomic<bool> memory_ready_{true};
};

}  // namespace hcq::models::am
