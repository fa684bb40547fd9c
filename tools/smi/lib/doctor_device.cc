// SPDX-License-Identifier: MIT
// One function, beyond what pci::preflight() looks at.
#include <fcntl.h>
#include <fmt/format.h>
#include <unistd.h>

#include <charconv>
#include <cstring>
#include <filesystem>
#include <sstream>

#include "base/file.h"
#include "devices/inspect.h"
#include "tools/smi/lib/doctor.h"
#include "tools/smi/lib/finding.h"
#include "tools/smi/lib/list.h"

namespace hcq::smi {

namespace {

namespace fs = std::filesystem;
using pci::Finding;
using pci::Severity;

// The bridges between the function and the root, nearest first: sysfs puts a function's directory inside its bridge's.
std::vector<std::string> path_to_root(const pci::Host& host, const std::string& bdf) {
  std::vector<std::string> bridges;
  std::error_code error;
  fs::path p = fs::canonical(host.device_directory(bdf), error);
  while (!error && p.has_parent_path() && p != p.parent_path()) {
    p = p.parent_path();
    const auto parsed = pci::parse_bdf(p.filename().string());
    if (!parsed.ok()) break;
    bridges.push_back(*parsed);
  }
  return bridges;
}

Finding check_d3cold(const std::string& d, const pci::FunctionInfo& f) {
  if (text_of(d + "/d3cold_allowed") != "1") return good("d3cold", "not allowed");
  if (f.driver.empty() || f.driver == "vfio-pci")
    return note("d3cold", Severity::info, "allowed: the slot may cut the power while nobody uses the device",
                fmt::format("echo 0 > {}/d3cold_allowed", d));
  return good("d3cold", fmt::format("allowed, under the control of {}", f.driver));
}

Finding check_siblings(const pci::Host& host, const pci::FunctionInfo& f) {
  std::string bound;
  for (char n = '0'; n <= '7'; ++n) {
    const std::string other = f.bdf.substr(0, f.bdf.size() - 1) + n;
    const std::string driver = pci::link_name(host.device_directory(other) + "/driver");
    if (other != f.bdf && !driver.empty()) bound += fmt::format("{}{} on {}", bound.empty() ? "" : ", ", other, driver);
  }
  if (bound.empty()) return good("siblings", "no other function of the slot has a driver");
  return note("siblings", Severity::info, bound + "; VFIO needs the whole IOMMU group", "");
}

Finding check_link(const pci::Host& host, const pci::FunctionInfo& f) {
  const pci::LinkInfo& link = f.link;
  if (link.width == 0 || link.max_width == 0) return note("link", Severity::info, "speed and width are not known", "");
  if (link.width >= link.max_width) {
    if (link.speed == link.max_speed) return good("link", link_text(link));
    return note("link", Severity::info, link_text(link) + ": a lower speed is normal while the device is idle", "");
  }
  for (const std::string& bridge : path_to_root(host, f.bdf)) {
    const auto width = pci::read_number(host.device_directory(bridge) + "/max_link_width");
    if (width.ok() && *width != 0 && *width < link.max_width)
      return note("link", Severity::info,
                  fmt::format("{}: the slot at {} has {} lanes", link_text(link), bridge, *width),
                  "use a slot with more lanes");
  }
  return note("link", Severity::warning, link_text(link) + ": fewer lanes than both ends have",
              "reseat the card, try without riser, look at the slot's bifurcation in the firmware setup");
}

// Access Control Services, PCIe 6.0 section 7.7.11: control at 6, P2P Request Redirect bit 2, Completion Redirect
// bit 3.
constexpr std::uint16_t kAcsCapability = 0x000d, kFirstExtended = 0x100;

// Empty: not readable. The walk is bounded, the list comes from the device.
std::optional<bool> acs_redirects(const std::string& config) {
  const Fd fd{::open(config.c_str(), O_RDONLY | O_CLOEXEC)};
  std::uint32_t header = 0;
  std::uint16_t at = kFirstExtended;
  for (unsigned n = 0; fd.valid() && n < 48 && at >= kFirstExtended && at < 4096 - 8; ++n) {
    if (::pread(fd.get(), &header, 4, at) != 4) return std::nullopt;
    if (header == 0 || header == 0xffffffffu) return false;
    if ((header & 0xffff) == kAcsCapability) {
      std::uint16_t control = 0;
      if (::pread(fd.get(), &control, 2, at + 6) != 2) return std::nullopt;
      return (control & 0xc) != 0;
    }
    at = static_cast<std::uint16_t>(header >> 20 & ~3u);
  }
  if (!fd.valid()) return std::nullopt;
  return false;
}

Finding check_acs(const pci::Host& host, const pci::FunctionInfo& f) {
  bool unread = false;
  for (const std::string& bridge : path_to_root(host, f.bdf)) {
    const std::string d = host.device_directory(bridge);
    const std::string power = text_of(d + "/power_state");
    if (!power.empty() && power != "D0" && power != "unknown") continue;
    const auto redirects = acs_redirects(d + "/config");
    unread |= !redirects;
    if (redirects.value_or(false))
      return note("acs", Severity::info, fmt::format("{} redirects peer-to-peer traffic to the root complex", bridge),
                  "for GPU-to-GPU or GPU-to-NIC copies at full speed, clear ACS redirect on that port (setpci)");
  }
  if (unread) return note("acs", Severity::info, "not seen: config space beyond 64 bytes needs root", "run as root");
  return good("acs", "no bridge above redirects peer-to-peer traffic");
}

std::uint64_t aer_total(const std::string& path) {
  std::istringstream lines(text_of(path));
  std::uint64_t n = 0;
  for (std::string line; std::getline(lines, line);)
    if (line.starts_with("TOTAL_ERR_")) {
      const std::size_t at = line.find(' ');
      if (at != std::string::npos) std::from_chars(line.data() + at + 1, line.data() + line.size(), n);
    }
  return n;
}

Finding check_aer(const std::string& d) {
  const std::uint64_t fatal = aer_total(d + "/aer_dev_fatal"), nonfatal = aer_total(d + "/aer_dev_nonfatal"),
                      corrected = aer_total(d + "/aer_dev_correctable");
  const std::string seen = fmt::format("{} fatal, {} non-fatal, {} corrected errors", fatal, nonfatal, corrected);
  if (fatal + nonfatal != 0)
    return note("pcie-errors", Severity::warning, seen, "reseat the card, try another slot, cable or riser");
  if (corrected > 1000) return note("pcie-errors", Severity::info, seen + ": the signal is poor", "try another riser");
  return good("pcie-errors", seen);
}

Finding check_numa(const std::string& d) {
  const std::string node = text_of(d + "/numa_node");
  return good("numa", node.empty() || node == "-1" ? "one node, or not known" : "node " + node);
}

Finding check_firmware(const pci::Identity& id) {
  const auto files = devices::installed_firmware(id.vendor, id.device);
  if (!files.ok() && files.error().code == Errc::unsupported) return good("firmware", "no files of ours for this chip");
  if (!files.ok())
    return note("firmware", Severity::warning, describe(files.error()),
                "install firmware-amd-graphics, or set HCQ_FIRMWARE_PATH to a directory that has the files");
  std::string seen;
  for (const auto& f : *files) seen += fmt::format("{}{} {}", seen.empty() ? "" : ", ", f.name, f.version);
  return good("firmware", seen);
}

}  // namespace

std::vector<pci::Finding> device_findings(const pci::Host& host, const Target& t) {
  const std::string d = host.device_directory(t.address());
  std::vector<Finding> findings{check_d3cold(d, t.info),
                                check_siblings(host, t.info),
                                check_link(host, t.info),
                                check_acs(host, t.info),
                                check_aer(d),
                                check_numa(d),
                                check_firmware(t.info.identity)};
  if (!t.info.physical_function.empty())
    findings.push_back(note("virtual-function", Severity::warning,
                            fmt::format("an SR-IOV virtual function of {}", t.info.physical_function),
                            "drive the physical function; hcq does not drive virtual functions"));
  return findings;
}

}  // namespace hcq::smi
