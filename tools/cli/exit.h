// SPDX-License-Identifier: MIT
// The exit codes that all programs share.
#pragma once

#include "base/error.h"

namespace hcq::cli {

enum Exit : int { kOk = 0, kFailed = 1, kUsage = 2, kNotFound = 3, kRefused = 4 };

// The exit code for an error: wrong usage, not found, refused for safety, or failed.
Exit exit_code(const Error& e);

}  // namespace hcq::cli
