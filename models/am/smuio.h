// SPDX-License-Identifier: MIT
// SMUIO 13.0.6, as far as drivers may go there: the read window on the board's ROM, and the golden clock counter. The
// registers that write the ROM are not described: touching them is a violation.
#pragma once

#include <cstddef>
#include <cstdint>
#include <mutex>
#include <vector>

#include "models/am/chip.h"

namespace hcq::models::am {

class Smuio final : public Block {
 public:
  Smuio(Chip& chip, std::vector<std::byte> rom);
  void reset(Reset kind) override;

 private:
  std::uint32_t rom_data();

  Chip& chip_;
  const std::vector<std::byte> rom_;
  std::mutex mutex_;
};

}  // namespace hcq::models::am
