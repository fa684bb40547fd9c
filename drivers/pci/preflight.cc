// SPDX-License-Identifier: MIT
#include "drivers/pci/preflight.h"

#include <fcntl.h>
#include <fmt/format.h>
#include <unistd.h>

#include <array>
#include <bit>
#include <charconv>

#include "drivers/pci/binding.h"
#include "drivers/pci/claim.h"
#include "drivers/pci/iomem.h"
#include "drivers/pci/scan.h"
#include "drivers/pci/vfio_kernel.h"

namespace hcq::pci {

namespace {

struct Context {
  const Host& host;
  const FunctionInfo& info;
  PreflightOptions options;
  MemoryKernel& memory;

  std::string attribute(const char* name) const { return host.device_directory(info.bdf) + "/" + name; }
  std::string setting(const char* name) const { return host.proc + "/sys/" + name; }
};

Finding good(std::string seen) { return {.what = {}, .severity = Severity::ok, .seen = std::move(seen), .fix = {}}; }
Finding note(Severity severity, std::string seen, std::string fix) {
  return {.what = {}, .severity = severity, .seen = std::move(seen), .fix = std::move(fix)};
}

// Bits of CapEff in /proc/self/status (linux/capability.h).
constexpr unsigned kCapIpcLock = 14, kCapSysAdmin = 21;

bool has_capability(const Host& host, unsigned bit) {
  const auto text = read_text(host.proc + "/self/status");
  if (!text.ok()) return false;
  const std::size_t at = text->find("CapEff:\t");
  if (at == std::string::npos) return false;
  std::uint64_t set = 0;
  std::from_chars(text->data() + at + 8, text->data() + text->size(), set, 16);
  return (set >> bit & 1) != 0;
}

Finding check_lock(const Context& c) {
  const auto holder = lock_holder(c.host, c.info.bdf);
  if (!holder) return good("nobody holds the device");
  return note(Severity::blocks, fmt::format("in use by {}", describe(*holder)), "end that process");
}

Finding check_power_state(const Context& c) {
  const std::string& state = c.info.power_state;
  if (state == "D3cold") return note(Severity::blocks, "D3cold: no power, nothing answers", kPowerHint);
  if (state == "D3hot") return note(Severity::info, "D3hot: asleep, woken when opened", "");
  return good(state.empty() ? "the kernel does not say" : state);
}

// Only when awake: reading config space would wake it.
Finding check_config(const Context& c) {
  if (c.info.power_state != "D0" && c.info.power_state != "unknown" && !c.info.power_state.empty())
    return note(Severity::info, "not read, the function is asleep", "");
  const Fd fd{::open(c.attribute("config").c_str(), O_RDONLY | O_CLOEXEC)};
  std::uint16_t vendor = 0;
  if (!fd.valid() || ::pread(fd.get(), &vendor, sizeof vendor, 0) != sizeof vendor)
    return note(Severity::warning, "config space cannot be read", "run as root");
  if (vendor == 0xffff)
    return note(Severity::blocks, "config space reads all ones: the device has left the bus", "power-cycle the device");
  return good("answers");
}

Finding check_driver(const Context& c) {
  const std::string& driver = c.info.driver;
  if (driver.empty()) return good("no kernel driver is bound");
  if (driver == kVfioDriver && c.options.access == Access::vfio) return good("vfio-pci is bound");
  return note(Severity::blocks, fmt::format("the kernel driver {} is bound", driver),
              fmt::format("echo {} > {}", c.info.bdf, c.attribute("driver/unbind")));
}

Finding check_framebuffer_use(const Context& c) {
  const FramebufferUse use = find_framebuffer(c.host, c.info.bars);
  if (!use.owner.empty())
    return note(Severity::blocks, fmt::format("the boot framebuffer {} is inside BAR {}", use.owner, use.bar),
                kFramebufferHint);
  if (use.hidden) return note(Severity::info, "the kernel hides addresses from this user, not checked", "run as root");
  return good("no boot framebuffer is inside a BAR");
}

Finding check_boot_display(const Context& c) {
  if (!c.info.boot_display) return good("not the boot display");
  return note(Severity::warning, "the firmware put the console here; it goes dark when the driver is unbound",
              "give the console another GPU");
}

Finding check_bars(const Context& c) {
  unsigned largest = 0;
  for (unsigned i = 0; i < c.info.bars.size(); ++i)
    if (c.info.bars[i].size() > c.info.bars[largest].size()) largest = i;
  const BarInfo& bar = c.info.bars[largest];
  if (bar.size() == 0) return note(Severity::blocks, "the function has no BAR", "rescan the bus after a power cycle");
  const std::string seen = fmt::format("BAR {} has {} MiB", largest, bar.size() >> 20);
  std::uint64_t mask = 0;
  if (const auto text = read_text(c.attribute(fmt::format("resource{}_resize", largest).c_str())); text.ok())
    std::from_chars(text->data(), text->data() + text->size(), mask, 16);
  const int top = std::bit_width(mask) - 1;
  if (top >= 0 && top < 44 && (1ull << 20) << top > bar.size())
    return note(Severity::info, fmt::format("{} of {} MiB; it is resized when opened", seen, 1ull << top),
                kResizableBarHint);
  // The fixed size of GPUs whose BAR was not resized.
  if (top < 0 && bar.size() == 256u << 20)
    return note(Severity::warning, fmt::format("{} and cannot be resized", seen), kResizableBarHint);
  return good(seen);
}

Finding check_permissions(const Context& c) {
  const std::array sysfs{c.attribute("config"), c.attribute("enable"), c.attribute("resource0")};
  const std::string node = c.info.iommu_group ? group_node(c.host, *c.info.iommu_group) : c.host.dev + "/vfio/vfio";
  const std::array vfio{node};
  const auto denied = [](const auto& paths) -> std::string {
    for (const std::string& p : paths)
      if (path_exists(p) && ::access(p.c_str(), R_OK | W_OK) != 0) return p;
    return {};
  };
  const std::string path = c.options.access == Access::sysfs ? denied(sysfs) : denied(vfio);
  if (!path.empty())
    return note(Severity::blocks, fmt::format("no access to {}", path), "run as root, or add a udev rule");
  if (c.options.access == Access::sysfs && !has_capability(c.host, kCapSysAdmin))
    return note(Severity::blocks, "no CAP_SYS_ADMIN: the kernel hides physical addresses", "run as root, or use VFIO");
  return good("sufficient");
}

// sysfs /sys/kernel/security/lockdown: "none [integrity] confidentiality", the one in brackets is active.
Finding check_lockdown(const Context& c) {
  const auto text = read_text(c.host.sysfs + "/kernel/security/lockdown");
  if (!text.ok() || text->find("[none]") != std::string::npos) return good("off");
  return note(Severity::blocks, "kernel lockdown forbids mapping BARs", "switch Secure Boot off, or use VFIO");
}

Finding check_translation(const Context& c) {
  const auto type = read_text(c.attribute("iommu_group/type"));
  if (!type.ok() || !type->starts_with("DMA")) return good("physical addresses reach memory");
  return note(Severity::blocks, fmt::format("the IOMMU translates ({}), physical addresses are blocked", *type),
              "use VFIO, or boot with iommu=pt");
}

Finding check_compaction(const Context& c) {
  const auto v = read_number(c.setting("vm/compact_unevictable_allowed"));
  if (!v.ok() || *v == 0) return good("locked pages stay where they are");
  return note(Severity::blocks, "the kernel may move locked pages", "sysctl -w vm.compact_unevictable_allowed=0");
}

Finding check_numa_balancing(const Context& c) {
  const auto v = read_number(c.setting("kernel/numa_balancing"));
  if (!v.ok() || *v == 0) return good("off");
  return note(Severity::warning, "NUMA balancing may move pages between nodes", "sysctl -w kernel.numa_balancing=0");
}

Finding check_hugepages(const Context& c) {
  const auto v = read_number(c.setting("vm/nr_hugepages"));
  if (!v.ok() || *v == 0)
    return note(Severity::warning, "no hugepages: contiguous memory beyond one page may fail",
                "sysctl -w vm.nr_hugepages=64");
  return good(fmt::format("{} of 2 MiB", *v));
}

Finding check_memlock(const Context& c) {
  const std::uint64_t limit = c.memory.memlock_limit(), locked = c.memory.locked_bytes();
  if (limit == ~0ull || has_capability(c.host, kCapIpcLock)) return good("no limit");
  const std::string seen =
      fmt::format("{} bytes wanted, {} bytes locked already, limit {} bytes", c.options.memory_bytes, locked, limit);
  if (locked + c.options.memory_bytes <= limit) return good(seen);
  return note(Severity::blocks, seen, "ulimit -l unlimited, or a memlock line in /etc/security/limits.d");
}

Finding check_vfio_module(const Context& c) {
  if (!path_exists(c.host.sysfs + "/bus/pci/drivers/vfio-pci"))
    return note(Severity::blocks, "the module vfio-pci is not loaded", "modprobe vfio-pci disable_idle_d3=1");
  if (!path_exists(c.host.dev + "/vfio/vfio"))
    return note(Severity::blocks, fmt::format("{}/vfio/vfio is missing", c.host.dev), "modprobe vfio");
  return good("loaded");
}

Finding check_iommu_group(const Context& c) {
  if (!c.info.iommu_group) {
    const auto mode = read_text(c.host.sysfs + "/module/vfio/parameters/enable_unsafe_noiommu_mode");
    if (mode.ok() && *mode == "Y") return note(Severity::info, "no IOMMU; no-IOMMU mode is switched on", "");
    return note(Severity::blocks, "no IOMMU group: the IOMMU is off",
                "switch the IOMMU on in the firmware setup (intel_iommu=on for Intel), or use sysfs");
  }
  const Status s = check_group(c.host, c.info.bdf, *c.info.iommu_group);
  if (s) return good(fmt::format("group {} is usable", *c.info.iommu_group));
  return note(Severity::blocks, fmt::format("group {}: {}", *c.info.iommu_group, s.error().detail), s.error().hint);
}

constexpr unsigned kSysfs = 1, kVfio = 2;

struct Check {
  const char* what;
  unsigned access;
  Finding (*run)(const Context&);
};

constexpr std::array kChecks{
    Check{"lock", kSysfs | kVfio, check_lock},
    Check{"power", kSysfs | kVfio, check_power_state},
    Check{"config", kSysfs | kVfio, check_config},
    Check{"driver", kSysfs | kVfio, check_driver},
    Check{"framebuffer", kSysfs | kVfio, check_framebuffer_use},
    Check{"boot-display", kSysfs | kVfio, check_boot_display},
    Check{"bar", kSysfs | kVfio, check_bars},
    Check{"permissions", kSysfs | kVfio, check_permissions},
    Check{"memlock", kSysfs | kVfio, check_memlock},
    Check{"lockdown", kSysfs, check_lockdown},
    Check{"iommu", kSysfs, check_translation},
    Check{"compaction", kSysfs, check_compaction},
    Check{"numa-balancing", kSysfs, check_numa_balancing},
    Check{"hugepages", kSysfs, check_hugepages},
    Check{"vfio-module", kVfio, check_vfio_module},
    Check{"iommu-group", kVfio, check_iommu_group},
};

}  // namespace

const char* severity_name(Severity severity) {
  switch (severity) {
    case Severity::ok:
      return "ok";
    case Severity::info:
      return "info";
    case Severity::warning:
      return "warning";
    case Severity::blocks:
      return "blocks";
  }
  return "unknown";
}

Result<std::vector<Finding>> preflight(const Host& host, const std::string& bdf, PreflightOptions options,
                                       MemoryKernel& memory) {
  const FunctionInfo info = HCQ_TRY(inspect(host, bdf));
  const Context context{host, info, options, memory};
  const unsigned access = options.access == Access::sysfs ? kSysfs : kVfio;
  std::vector<Finding> findings;
  for (const Check& check : kChecks) {
    if (!(check.access & access)) continue;
    Finding f = check.run(context);
    f.what = check.what;
    findings.push_back(std::move(f));
  }
  return findings;
}

}  // namespace hcq::pci
