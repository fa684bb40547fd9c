// SPDX-License-Identifier: MIT
// The subcommands of hcq-smi: what each takes and what it runs.
#pragma once

#include <functional>
#include <string>
#include <vector>

#include "drivers/pci/open.h"
#include "tools/cli/arguments.h"
#include "tools/smi/lib/target.h"

namespace hcq::smi {

struct Arguments {
  pci::Host host = pci::Host::system();
  Selection selection;
  bool json = false, all = false, expect = false, force = false, yes = false, sudoless = false, csv = false;
  double grace_seconds = 5, interval_seconds = 1;
  unsigned count = 0;
  std::string driver, modprobe = "modprobe", how = "mode1";
  pci::Via via = pci::Via::automatic;
  std::uint64_t memory_mib = 64;
};

struct Command {
  CLI::App* app;
  std::function<int(Arguments&)> run;
};

// Adds the subcommands to `app`, bound to `arguments`.
std::vector<Command> add_commands(CLI::App& app, Arguments& arguments);

// Output and errors, the same for all commands.
int print(const std::string& text);            // to stdout; the exit code
void say(const std::string& line);             // to stderr
int fail(const Arguments& a, const Error& e);  // one line on stderr, with --json a document on stdout; the exit code

// Commands, one group a file.
int run_list(Arguments& a);
int run_show(Arguments& a);
int run_doctor(Arguments& a);
int run_pids(Arguments& a);
int run_kill_pids(Arguments& a);
int run_rmmod(Arguments& a);
int run_insmod(Arguments& a);
int run_bind(Arguments& a);
int run_unbind(Arguments& a);
int run_monitor(Arguments& a);
int run_export(Arguments& a);
int run_watch(Arguments& a);
int run_reset(Arguments& a);

}  // namespace hcq::smi
