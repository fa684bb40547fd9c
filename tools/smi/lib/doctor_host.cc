// SPDX-License-Identifier: MIT
// The machine as a whole.
#include <fmt/format.h>
#include <unistd.h>

#include <array>
#include <charconv>
#include <filesystem>

#include "base/file.h"
#include "tools/smi/lib/doctor.h"
#include "tools/smi/lib/finding.h"

namespace hcq::smi {

namespace {

namespace fs = std::filesystem;
using pci::Finding;
using pci::Severity;

bool empty_directory(const std::string& path) {
  std::error_code error;
  const auto it = fs::directory_iterator(path, error);
  return error || it == fs::directory_iterator();
}

// Bits of CapEff (linux/capability.h), and what hcq cannot do without them.
struct Capability {
  unsigned bit;
  const char* name;
  const char* without;
};
constexpr std::array kCapabilities{
    Capability{1, "CAP_DAC_OVERRIDE", "open a device's attributes"},
    Capability{5, "CAP_KILL", "end other users' processes"},
    Capability{14, "CAP_IPC_LOCK", "lock memory beyond the limit"},
    Capability{21, "CAP_SYS_ADMIN", "see physical addresses, read config space beyond 64 bytes"},
};

Finding check_rights(const pci::Host& host) {
  const std::string status = text_of(host.proc + "/self/status");
  const std::size_t at = status.find("CapEff:\t");
  if (at == std::string::npos) return note("rights", Severity::info, "capabilities cannot be seen", "");
  std::uint64_t set = 0;
  std::from_chars(status.data() + at + 8, status.data() + status.size(), set, 16);
  std::string missing;
  for (const Capability& c : kCapabilities)
    if (!(set >> c.bit & 1))
      missing += fmt::format("{}no {}: cannot {}", missing.empty() ? "" : "; ", c.name, c.without);
  if (missing.empty()) return good("rights", "all capabilities that hcq needs");
  return note("rights", Severity::warning, missing, "run as root, or reach the device through VFIO with a udev rule");
}

Finding check_lock_directory(const pci::Host& host) {
  if (::access(host.lock_directory.c_str(), W_OK | X_OK) == 0) return good("locks", host.lock_directory);
  return note("locks", Severity::blocks, fmt::format("{} is not writable", host.lock_directory),
              fmt::format("chmod 1777 {}", host.lock_directory));
}

// "none [integrity] confidentiality": the word in brackets is active.
Finding check_lockdown(const pci::Host& host) {
  const std::string text = text_of(host.sysfs + "/kernel/security/lockdown");
  if (text.empty() || text.find("[none]") != std::string::npos) return good("lockdown", "off");
  return note("lockdown", Severity::warning, "the kernel forbids mapping BARs through sysfs",
              "use VFIO, or switch Secure Boot off in the firmware setup");
}

Finding check_iommu(const pci::Host& host) {
  if (!empty_directory(host.sysfs + "/kernel/iommu_groups")) return good("iommu", "on");
  const std::string line = text_of(host.proc + "/cmdline");
  for (const char* off : {"intel_iommu=off", "amd_iommu=off", "iommu=off"})
    if (line.find(off) != std::string::npos)
      return note("iommu", Severity::warning, fmt::format("switched off by {} on the kernel's command line", off),
                  fmt::format("remove {} from the kernel's command line", off));
  return note("iommu", Severity::info, "off: only sysfs access or VFIO's no-IOMMU mode is possible",
              "switch it on in the firmware setup and boot with intel_iommu=on (Intel; AMD needs no option)");
}

Finding check_vfio(const pci::Host& host) {
  if (!path_exists(host.sysfs + "/module/vfio_pci") && !path_exists(host.sysfs + "/bus/pci/drivers/vfio-pci"))
    return note("vfio", Severity::info, "vfio-pci is not loaded", "modprobe vfio-pci disable_idle_d3=1");
  if (text_of(host.sysfs + "/module/vfio_pci/parameters/disable_idle_d3") == "N")
    return note("vfio", Severity::warning, "vfio-pci lets idle devices lose power (disable_idle_d3=N)",
                "echo options vfio-pci disable_idle_d3=1 > /etc/modprobe.d/hcq.conf");
  const std::string noiommu = text_of(host.sysfs + "/module/vfio/parameters/enable_unsafe_noiommu_mode");
  return good("vfio", noiommu == "Y" ? "loaded, no-IOMMU mode on" : "loaded");
}

Finding check_hugepages(const pci::Host& host) {
  const auto n = pci::read_number(host.proc + "/sys/vm/nr_hugepages");
  if (n.ok() && *n != 0) return good("hugepages", fmt::format("{} of 2 MiB", *n));
  return note("hugepages", Severity::info, "none: without an IOMMU, contiguous memory beyond a page may fail",
              "sysctl -w vm.nr_hugepages=64");
}

Finding check_modules(const pci::Host& host) {
  std::string loaded;
  for (const char* m : {"amdgpu", "nouveau", "nvidia", "radeon"})
    if (path_exists(host.sysfs + "/module/" + m)) loaded += (loaded.empty() ? "" : ", ") + std::string(m);
  if (loaded.empty()) return good("gpu-modules", "no kernel GPU driver is loaded");
  const std::string first = loaded.substr(0, loaded.find(','));
  return note("gpu-modules", Severity::info, fmt::format("loaded: {}; each takes its devices at every boot", loaded),
              fmt::format("echo blacklist {} >> /etc/modprobe.d/hcq.conf && update-initramfs -u", first));
}

// ASM2464PD bridges: vendor:product in lower case as sysfs has them.
bool is_bridge(const std::string& id) { return id.starts_with("174c:246") || id == "add1:0001" || id == "3801:0001"; }

Finding check_bridge(const std::string& directory, const std::string& name, const std::string& id) {
  const std::string product = text_of(directory + "/product"), what = "usb-bridge";
  if (id == "174c:2463")
    return note(what, Severity::blocks, fmt::format("usb {}: the bridge is in boot-loader mode ({})", name, product),
                "write the bridge's firmware with hcq-flash");
  for (const char* driver : {"usb-storage", "uas"}) {
    if (pci::link_name(directory + "/" + name + ":1.0/driver") != driver) continue;
    return note(what, Severity::warning, fmt::format("usb {}: {} has the bridge", name, driver),
                fmt::format("echo {}:1.0 > /sys/bus/usb/drivers/{}/unbind", name, driver));
  }
  const auto speed = pci::read_number(directory + "/speed");
  if (!speed.ok()) return note(what, Severity::info, fmt::format("usb {}: {}, speed not known", name, product), "");
  if (*speed < 5000)
    return note(what, Severity::warning, fmt::format("usb {}: {} runs at {} Mb/s only", name, product, *speed),
                "use another port or cable; the bridge does 10000 or 20000 Mb/s");
  return good(what, fmt::format("usb {}: {} at {} Mb/s", name, product, *speed));
}

void check_usb(const pci::Host& host, std::vector<Finding>& findings) {
  std::error_code ignored;
  for (const auto& e : fs::directory_iterator(host.sysfs + "/bus/usb/devices", ignored)) {
    const std::string d = e.path().string(), vendor = text_of(d + "/idVendor");
    const std::string id = vendor + ":" + text_of(d + "/idProduct");
    if (!vendor.empty() && is_bridge(id)) findings.push_back(check_bridge(d, e.path().filename().string(), id));
  }
  for (const auto& e : fs::directory_iterator(host.sysfs + "/bus/thunderbolt/devices", ignored))
    if (text_of(e.path().string() + "/authorized") == "0")
      findings.push_back(note("usb4", Severity::warning,
                              fmt::format("{} is not authorised, so what is behind it is no PCI device yet",
                                          text_of(e.path().string() + "/device_name")),
                              "boltctl enroll --policy auto " + text_of(e.path().string() + "/unique_id")));
}

}  // namespace

std::vector<pci::Finding> host_findings(const pci::Host& host) {
  std::vector<Finding> findings{check_rights(host), check_lock_directory(host), check_lockdown(host), check_iommu(host),
                                check_vfio(host),   check_hugepages(host),      check_modules(host)};
  check_usb(host, findings);
  return findings;
}

}  // namespace hcq::smi
