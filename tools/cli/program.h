// SPDX-License-Identifier: MIT
// What holds for all programs around their own main: standard files that are closed, an output that cannot be written,
// limits of the process and memory that runs out end in one line and exit code 1, never in a signal or a stack trace.
#pragma once

#include <functional>

#include "tools/cli/exit.h"

namespace hcq::cli {

// Runs `body` and returns its exit code, or 1 where it returned 0 and standard output could not be written.
int run_program(const char* name, const std::function<int()>& body);

}  // namespace hcq::cli
