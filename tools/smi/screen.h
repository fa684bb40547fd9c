// SPDX-License-Identifier: MIT
// The full screen of `hcq-smi monitor`, on ncurses.
#pragma once

#include "tools/smi/commands.h"

namespace hcq::smi {

// Until q is pressed or `count` looks are done. The terminal is restored on every way out.
int run_screen(Arguments& a);

}  // namespace hcq::smi
