// SPDX-License-Identifier: MIT
#pragma once

#include <string>

namespace hcq::smi {

// Command lines come from other processes: nothing in them may reach the terminal as a control sequence.
std::string printable(std::string text);

}  // namespace hcq::smi
