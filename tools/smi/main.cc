// SPDX-License-Identifier: MIT
#include <memory>

#include "tools/cli/arguments.h"
#include "tools/cli/program.h"
#include "tools/smi/commands.h"
#include "tools/smi/words.h"

namespace {

constexpr const char* kAbout =
    "hcq-smi shows the devices that hcq can drive, who uses them and what stands in the way. Looking never opens, "
    "wakes, "
    "locks or resets a device.\n"
    "A vendor's word may stand before the command: hcq-smi amd rmmod --expect, hcq-smi NV kill-pids.";

int dispatch(int argc, char** argv) {
  hcq::smi::Words words = hcq::smi::normalised(argc, argv);
  hcq::smi::Arguments arguments;
  arguments.selection.family = words.family;
  CLI::App app{kAbout, "hcq-smi"};
  const std::vector<hcq::smi::Command> commands = hcq::smi::add_commands(app, arguments);
  app.footer("Exit codes: 0 done, 1 failed, 2 wrong usage, 3 no such device, 4 refused for safety.");

  std::vector<char*> pointers{argv[0]};
  for (std::string& w : words.words) pointers.push_back(w.data());
  if (const auto code = hcq::cli::parse(app, static_cast<int>(pointers.size()), pointers.data())) return *code;
  for (const hcq::smi::Command& c : commands)
    if (c.app->parsed()) return c.run(arguments);
  return hcq::smi::kUsage;
}

}  // namespace

int main(int argc, char** argv) {
  return hcq::cli::run_program("hcq-smi", [&] { return dispatch(argc, argv); });
}
