// SPDX-License-Identifier: MIT
// A program's man page and its shell completion, made from the same description that --help prints, so that they cannot
// say something else. cli::parse() offers them under --generate-man and --generate-completion, which --help does not
// list; the build calls these for every program.
#pragma once

#include <CLI/CLI.hpp>
#include <string>

namespace hcq::cli {

// The page as troff source for section 1. Only what the description says: no date, no path.
std::string man_page(const CLI::App& app);

// A bash script that defines and registers the completion of subcommands, options and file names.
std::string bash_completion(const CLI::App& app);

}  // namespace hcq::cli
