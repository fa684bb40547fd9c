// SPDX-License-Identifier: MIT
#include <cstdio>

#include "tools/cli/arguments.h"
#include "tools/smi/list.h"

namespace {

enum Exit { kOk = 0, kFailed = 1, kUsage = 2, kNotFound = 3 };

constexpr const char* kAbout =
    "hcq-smi shows the devices that hcq can drive and who uses them. Looking never opens, wakes or locks a device.";

constexpr const char* kListHelp =
    "Columns:\n"
    "  ADDRESS  PCI address; open it as pci:ADDRESS\n"
    "  ID       vendor and device id\n"
    "  DRIVER   bound kernel driver; hcq needs it unbound, or vfio-pci bound\n"
    "  POWER    D0 is awake, D3cold is without power\n"
    "  GROUP    IOMMU group; VFIO needs the whole group\n"
    "  BARS     memory BARs as number:size\n"
    "  LINK     present speed and width; both are low while a device is idle\n"
    "  LOCK     free, or the process that drives the device through hcq\n"
    "\n"
    "Examples:\n"
    "  hcq-smi list                   devices of a known kind\n"
    "  hcq-smi list 03:00.0           one function\n"
    "  hcq-smi list --all --json      every PCI function, as one JSON document on stdout\n"
    "\n"
    "Exit codes: 0 done, 1 failed, 2 wrong usage, 3 no function at the address.\n";

int fail(const hcq::Error& e) {
  std::fprintf(stderr, "hcq-smi: %s\n", hcq::describe(e).c_str());
  if (e.code == hcq::Errc::not_found && !e.device.empty()) return kNotFound;
  return e.code == hcq::Errc::invalid_argument ? kUsage : kFailed;
}

struct Arguments {
  hcq::pci::Host host = hcq::pci::Host::system();
  hcq::smi::ListOptions list;
  bool json = false;
};

int print(const std::string& text) {
  if (std::fwrite(text.data(), 1, text.size(), stdout) == text.size() && std::fflush(stdout) == 0) return kOk;
  std::perror("hcq-smi: standard output");
  return kFailed;
}

int run_list(Arguments& a) {
  if (!a.list.address.empty()) {
    auto address = hcq::pci::parse_bdf(a.list.address);
    if (!address.ok()) return fail(address.error());
    a.list.address = *address;
  }
  const auto found = hcq::smi::list(a.host, a.list);
  if (!found.ok()) {
    // Whoever reads JSON gets JSON.
    if (a.json) print(hcq::smi::list_json({.functions = {}, .problems = {found.error()}}));
    return fail(found.error());
  }
  // On stderr too: in a document they are easily missed.
  for (const hcq::Error& e : found->problems) std::fprintf(stderr, "hcq-smi: %s\n", hcq::describe(e).c_str());
  return print(a.json ? hcq::smi::list_json(*found) : hcq::smi::list_text(*found));
}

}  // namespace

int main(int argc, char** argv) {
  Arguments a;
  CLI::App app{kAbout, "hcq-smi"};
  CLI::App* list = app.add_subcommand("list", "List devices with their kernel driver, power, BARs and lock holder");
  list->add_option("address", a.list.address, "Only this function, as 0000:03:00.0 or 03:00.0");
  list->add_flag("--json", a.json, "One JSON document on stdout");
  list->add_flag("--all", a.list.all, "Every PCI function, not only devices of a known kind");
  // For a copy of another machine's trees, and for tests.
  list->add_option("--sysfs", a.host.sysfs, "Where sysfs is")->capture_default_str()->group("Trees");
  list->add_option("--proc", a.host.proc, "Where procfs is")->capture_default_str()->group("Trees");
  list->add_option("--locks", a.host.lock_directory, "Where the lock files are")->capture_default_str()->group("Trees");
  list->footer(kListHelp);
  if (const auto code = hcq::cli::parse(app, argc, argv)) return *code;
  return run_list(a);
}
