// SPDX-License-Identifier: MIT
// Whether an image belongs on a chip: its size, what it is made of, and the board it was made for. What does not fit is
// refused, unless the user types the name of each finding.
#pragma once

#include <string>
#include <vector>

#include "base/bytes.h"
#include "base/error.h"
#include "drivers/pci/function.h"

namespace hcq::flash {

// `token` is what the user types to accept it: "device=1002:73bf", "ish_a_checksum", "board=unknown".
struct Mismatch {
  std::string token{}, text{};
};

// Findings in the image, and differences between the board that it names and the board at hand: its PCI ids, and the
// part number and subsystem in its present content.
std::vector<Mismatch> check_image(Bytes image, const pci::Identity& board, Bytes current);

// Ok when every mismatch was accepted, and nothing was accepted that is not one. Errc::refused says what to type.
Status accept(const std::vector<Mismatch>& found, const std::vector<std::string>& accepted);

// Errc::refused: no flag makes an image of another size fit.
Status check_size(std::uint64_t image_bytes, std::uint64_t chip_bytes);

}  // namespace hcq::flash
