// SPDX-License-Identifier: MIT
// Nbio: the bus interface block. HDP flush, doorbell aperture, straps.
#pragma once

#include <cstdint>

#include "base/error.h"

namespace hcq::am {

class Gpu;

class Nbio {
 public:
  explicit Nbio(Gpu& gpu) : gpu_(gpu) {}

  // Finds the HDP flush register through its remap register; needed by everything that writes VRAM.
  Status locate_hdp_flush();
  // Boot steps.
  Status init();
  Status enable_doorbells();
  void disable_doorbells();

  // Writes everything that sits in the HDP write cache out to VRAM. Thread-safe.
  Status flush_hdp();

 private:
  Gpu& gpu_;
  std::uint32_t hdp_flush_ = 0;  // byte offset in BAR 5
};

}  // namespace hcq::am
