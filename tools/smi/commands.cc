// SPDX-License-Identifier: MIT
#include "tools/smi/commands.h"

#include <cstdio>
#include <map>

#include "tools/smi/lib/json.h"

namespace hcq::smi {

namespace {

constexpr const char* kListHelp =
    "Columns:\n"
    "  ADDRESS  PCI address; open it as pci:ADDRESS\n"
    "  ID       vendor and device id\n"
    "  CHIP     its name where hcq knows it; VF marks an SR-IOV virtual function\n"
    "  MEMORY   device memory, where the kernel driver tells it\n"
    "  DRIVER   bound kernel driver; hcq needs it unbound, or vfio-pci bound\n"
    "  POWER    D0 is awake, D3cold is without power\n"
    "  GROUP    IOMMU group; VFIO needs the whole group\n"
    "  BARS     memory BARs as number:size\n"
    "  LINK     present speed and width, and what both ends could do; both are low while a device is idle\n"
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
    "  hcq-smi doctor                       this machine, and each device on the path it would be opened by\n"
    "  hcq-smi doctor 03:00.0 --via vfio    one function, through VFIO\n"
    "  hcq-smi doctor --json                one JSON document on stdout\n"
    "\n"
    "Exit codes: 0 every device shown can be opened, 1 one cannot (or none was found), 2 wrong usage, 3 no function "
    "at\n"
    "the address.\n";

constexpr const char* kKillHelp =
    "Shows the processes and asks; without a terminal it needs --yes or --sudoless. SIGTERM first, SIGKILL after the\n"
    "grace time. Only processes that hold a device's lock at that moment, never pid 1, hcq-smi or what started it.\n"
    "\n"
    "Exit codes: 0 the devices are free, 1 failed, 2 wrong usage, 3 no such device, 4 refused.\n";

void add_trees(CLI::App* c, Arguments& a) {
  // For a copy of another machine's trees, and for tests.
  c->add_option("--sysfs", a.host.sysfs, "Where sysfs is")->capture_default_str()->group("Trees");
  c->add_option("--proc", a.host.proc, "Where procfs is")->capture_default_str()->group("Trees");
  c->add_option("--dev", a.host.dev, "Where device nodes are")->capture_default_str()->group("Trees");
  c->add_option("--locks", a.host.lock_directory, "Where the lock files are")->capture_default_str()->group("Trees");
}

class Adder {
 public:
  Adder(CLI::App& app, Arguments& a, std::vector<Command>& commands) : app_(app), a_(a), commands_(commands) {}

  CLI::App* add(const char* name, const char* about, int (*run)(Arguments&)) {
    CLI::App* c = app_.add_subcommand(name, about);
    c->add_flag("--json", a_.json, "One JSON document on stdout, and nothing else there");
    commands_.push_back({c, run});
    return c;
  }
  CLI::App* add_for_devices(const char* name, const char* about, int (*run)(Arguments&)) {
    CLI::App* c = add(name, about, run);
    c->add_option("--device,device", a_.selection.device, "This device: a PCI address, am:N, model:unix:PATH");
    c->add_option("--pci-bus", a_.selection.bus_prefix, "Only PCI addresses that begin so");
    add_trees(c, a_);
    return c;
  }
  CLI::App* add_for_one(const char* name, const char* about, int (*run)(Arguments&)) {
    CLI::App* c = add_for_devices(name, about, run);
    c->get_option("--device")->description("The device; may be left out where there is only one");
    return c;
  }

 private:
  CLI::App& app_;
  Arguments& a_;
  std::vector<Command>& commands_;
};

void add_acting(Adder& add, Arguments& a) {
  CLI::App* kill = add.add_for_devices("kill-pids", "End the processes that hold a device", run_kill_pids);
  kill->add_flag("--sudoless", a.sudoless, "Never escalate (it never does); without a terminal, also go on unasked");
  kill->add_flag("-y,--yes", a.yes, "Do not ask");
  kill->add_option("--grace", a.grace_seconds, "Seconds between SIGTERM and SIGKILL")
      ->check(CLI::Range(0.0, 3600.0))
      ->capture_default_str();
  kill->footer(kKillHelp);
  CLI::App* reset = add.add_for_one("reset", "Reset a device; all its state is lost", run_reset);
  reset->add_option("--how", a.how, "function; mode1, the whole chip; hive, all selected chips together")
      ->check(CLI::IsMember({"function", "mode1", "hive"}))
      ->capture_default_str();
  reset->add_flag("-y,--yes", a.yes, "Do not ask");
  reset->add_flag("--force", a.force, "Although a kernel driver has it: it is unbound for the time of the reset");
  CLI::App* rmmod = add.add("rmmod", "Unload the kernel's GPU drivers", run_rmmod);
  rmmod->add_flag("--expect", a.expect, "Only look: print what is loaded, exit code 1 if anything is");
  CLI::App* insmod = add.add("insmod", "Load the kernel's GPU driver", run_insmod);
  CLI::App* bind = add.add_for_one("bind", "Give a device to a kernel driver", run_bind);
  bind->add_option("--driver", a.driver, "This one (vfio-pci, amdgpu); default: the one that the kernel finds");
  CLI::App* unbind = add.add_for_one("unbind", "Take a device from its kernel driver", run_unbind);
  for (CLI::App* c : {rmmod, bind, unbind})
    c->add_flag("--force", a.force, "Although the device is in use or shows the console");
  for (CLI::App* c : {rmmod, insmod}) {
    add_trees(c, a);
    c->add_option("--modprobe", a.modprobe, "The program that loads and unloads")
        ->capture_default_str()
        ->group("Trees");
  }
}

void add_watching(Adder& add, Arguments& a) {
  CLI::App* monitor = add.add_for_devices("monitor", "Temperatures, power, clocks, load, memory", run_monitor);
  monitor->add_flag("--csv", a.csv, "Comma-separated values; what is not reported is empty");
  CLI::App* watch =
      add.add_for_devices("watch", "Events as they come: throttling, owner, power, device lost", run_watch);
  add.add_for_devices("export", "Metrics once, in the Prometheus text format", run_export);
  for (CLI::App* c : {monitor, watch}) {
    c->add_option("-i,--interval", a.interval_seconds, "Seconds between two looks")
        ->check(CLI::Range(0.05, 86400.0))
        ->capture_default_str();
    c->add_option("-n,--count", a.count, "Looks before it ends; with --json and more than one: a document per line");
  }
  monitor->footer(
      "On a terminal: a full screen. Keys: q quit, p pause, s sort, f next device only, + and - interval. Else, or "
      "with\n"
      "--json, --csv or --count: printed, once unless --count says more. N/A: the device does not report it.\n");
}

}  // namespace

std::vector<Command> add_commands(CLI::App& app, Arguments& a) {
  std::vector<Command> commands;
  Adder add(app, a, commands);
  CLI::App* list =
      add.add_for_devices("list", "List devices with their kernel driver, power, BARs and lock holder", run_list);
  list->add_flag("--all", a.all, "Every PCI function, not only devices of a known kind");
  list->footer(kListHelp);
  add.add_for_one("show", "One device in full: firmware, blocks, error counters, users", run_show);
  CLI::App* doctor =
      add.add_for_devices("doctor", "What stands in the way of driving devices, and what mends it", run_doctor);
  const std::map<std::string, pci::Via> paths{{"sysfs", pci::Via::sysfs}, {"vfio", pci::Via::vfio}};
  doctor->add_option("--via", a.via, "sysfs or vfio; default: what the device would be opened by")
      ->transform(CLI::Transformer(paths))
      ->check(CLI::IsMember({static_cast<int>(pci::Via::sysfs), static_cast<int>(pci::Via::vfio)}));
  doctor->add_option("--memory", a.memory_mib, "Host memory in MiB that a program will lock")
      ->capture_default_str()
      ->check(CLI::Range(std::uint64_t{1}, std::uint64_t{1} << 30));
  doctor->footer(kDoctorHelp);
  add.add_for_devices("pids", "The processes that use a device", run_pids);
  add_watching(add, a);
  add_acting(add, a);
  return commands;
}

int print(const std::string& text) {
  if (std::fwrite(text.data(), 1, text.size(), stdout) == text.size() && std::fflush(stdout) == 0) return kOk;
  std::perror("hcq-smi: standard output");
  return kFailed;
}

void say(const std::string& line) { std::fprintf(stderr, "hcq-smi: %s\n", printable(line).c_str()); }

int fail(const Arguments& a, const Error& e) {
  if (a.json) print(document({{"error", error_json(e)}}));
  say(describe(e));
  return exit_code(e);
}

}  // namespace hcq::smi
