// SPDX-License-Identifier: MIT
// What all programs do with a command line: a subcommand must be named, --help goes to stdout, and anything else that
// is wrong is one line on stderr that says which word, and which --help to read. --generate-man and
// --generate-completion, alone, print the man page and the bash completion (manual.h).
#pragma once

#include <CLI/CLI.hpp>
#include <optional>

#include "tools/cli/exit.h"

namespace hcq::cli {

// Parses into the options bound to `app`. Empty: a subcommand is to be run; otherwise the exit code to end with, and
// everything is printed already.
std::optional<int> parse(CLI::App& app, int argc, char** argv);

}  // namespace hcq::cli
