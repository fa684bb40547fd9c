// SPDX-License-Identifier: MIT
// What the commands that write rely on and nobody here has seen on silicon; printed before they act. docs/unverified.md
// has the sources.
#pragma once

#include <array>

namespace hcq::flash {

inline constexpr std::array kUnverifiedRaw{
    "the raw engine through PCI Express: sequence, pads and the window that is one transaction late",
    "which ranges this flash chip's status registers protect",
    "that a board whose first sector is erased leaves the engine to the host at its next start",
};

inline constexpr std::array kUnverifiedMailbox{
    "the firmware's mailbox: meaning of its commands, items and phases; reported to work once, on one stock board",
    "the window through which the present content is read for the backup",
    "while the board boots the raw engine is gated, so that it cannot be tried out beforehand as a way back",
};

}  // namespace hcq::flash
