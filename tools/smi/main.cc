// SPDX-License-Identifier: MIT
#include <cstdio>
#include <map>

#include "tools/cli/arguments.h"
#include "tools/smi/doctor.h"
#include "tools/smi/list.h"

namespace {

enum Exit { kOk = 0, kFailed = 1, kUsage = 2, kNotFound = 3 };

constexpr const char* kAbout =
    "hcq-smi shows the devices that hcq can drive, who uses them and what stands in the way. Looking never opens, "
    "wakes\n"
    "or locks a device.";

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

constexpr const char* kDoctorHelp =
    "Severities:\n"
    "  ok       nothing to do\n"
    "  info     worth knowing\n"
    "  warning  works, with less speed or under a condition\n"
    "  blocks   opening or using the device will fail\n"
    "Under a finding stands the one line that mends it, where there is one.\n"
    "\n"
    "Examples:\n"
    "  hcq-smi doctor                       devices of a known kind, each on the path it would be opened by\n"
    "  hcq-smi doctor 03:00.0 --via vfio    one function, through VFIO\n"
    "  hcq-smi doctor --json                one JSON document on stdout\n"
    "\n"
    "Exit codes: 0 every device shown can be opened, 1 one cannot (or none was found), 2 wrong usage, 3 no function "
    "at\n"
    "the address.\n";

int fail(const hcq::Error& e) {
  std::fprintf(stderr, "hcq-smi: %s\n", hcq::describe(e).c_str());
  if (e.code == hcq::Errc::not_found && !e.device.empty()) return kNotFound;
  return e.code == hcq::Errc::invalid_argument ? kUsage : kFailed;
}

struct Arguments {
  hcq::pci::Host host = hcq::pci::Host::system();
  hcq::smi::ListOptions list;
  hcq::smi::DoctorOptions doctor;
  std::uint64_t memory_mib = 64;
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

int run_doctor(Arguments& a) {
  if (!a.doctor.address.empty()) {
    auto address = hcq::pci::parse_bdf(a.doctor.address);
    if (!address.ok()) return fail(address.error());
    a.doctor.address = *address;
  }
  a.doctor.memory_bytes = a.memory_mib << 20;
  const auto result = hcq::smi::examine(a.host, a.doctor);
  if (!result.ok()) {
    if (a.json) print(hcq::smi::doctor_json({.devices = {}, .problems = {result.error()}}));
    return fail(result.error());
  }
  for (const hcq::Error& e : result->problems) std::fprintf(stderr, "hcq-smi: %s\n", hcq::describe(e).c_str());
  if (const int code = print(a.json ? hcq::smi::doctor_json(*result) : hcq::smi::doctor_text(*result))) return code;
  bool usable = !result->devices.empty() && result->problems.empty();
  for (const hcq::smi::Diagnosis& d : result->devices) usable = usable && d.usable();
  return usable ? kOk : kFailed;
}

// For a copy of another machine's trees, and for tests.
void add_trees(CLI::App& app, hcq::pci::Host& host) {
  app.add_option("--sysfs", host.sysfs, "Where sysfs is")->capture_default_str()->group("Trees");
  app.add_option("--proc", host.proc, "Where procfs is")->capture_default_str()->group("Trees");
  app.add_option("--locks", host.lock_directory, "Where the lock files are")->capture_default_str()->group("Trees");
}

}  // namespace

int main(int argc, char** argv) {
  Arguments a;
  CLI::App app{kAbout, "hcq-smi"};
  CLI::App* list = app.add_subcommand("list", "List devices with their kernel driver, power, BARs and lock holder");
  list->add_option("address", a.list.address, "Only this function, as 0000:03:00.0 or 03:00.0");
  list->add_flag("--json", a.json, "One JSON document on stdout");
  list->add_flag("--all", a.list.all, "Every PCI function, not only devices of a known kind");
  add_trees(*list, a.host);
  list->footer(kListHelp);

  CLI::App* doctor = app.add_subcommand("doctor", "What stands in the way of opening a device, and what mends it");
  doctor->add_option("address", a.doctor.address, "Only this function, as 0000:03:00.0 or 03:00.0");
  doctor->add_flag("--json", a.json, "One JSON document on stdout");
  const std::map<std::string, hcq::pci::Via> paths{{"sysfs", hcq::pci::Via::sysfs}, {"vfio", hcq::pci::Via::vfio}};
  doctor->add_option("--via", a.doctor.via, "sysfs or vfio; default: what the device would be opened by")
      ->transform(CLI::Transformer(paths))
      ->check(CLI::IsMember({static_cast<int>(hcq::pci::Via::sysfs), static_cast<int>(hcq::pci::Via::vfio)}));
  doctor->add_option("--memory", a.memory_mib, "Host memory in MiB that a program will lock")
      ->capture_default_str()
      ->check(CLI::Range(std::uint64_t{1}, std::uint64_t{1} << 30));
  add_trees(*doctor, a.host);
  doctor->add_option("--dev", a.host.dev, "Where the device nodes are")->capture_default_str()->group("Trees");
  doctor->footer(kDoctorHelp);
  if (const auto code = hcq::cli::parse(app, argc, argv)) return *code;
  return *doctor ? run_doctor(a) : run_list(a);
}
