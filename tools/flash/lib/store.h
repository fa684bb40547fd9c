// SPDX-License-Identifier: MIT
// Files that must be there after a power loss of this machine too. Without `durable` nothing is flushed, for tests that
// only kill the board.
#pragma once

#include <string>

#include "base/bytes.h"
#include "base/error.h"

namespace hcq::flash {

// Writes a new file beside `path`, flushes it, renames it over, flushes the directory.
Status store_file(const std::string& path, Bytes content, bool durable);

// A new directory with its parents; Errc::busy when it is there already.
Status make_directory(const std::string& path);

// Where jobs are kept: $XDG_STATE_HOME/hcq-flash, else $HOME/.local/state/hcq-flash, else ./hcq-flash.
std::string state_directory();

}  // namespace hcq::flash
