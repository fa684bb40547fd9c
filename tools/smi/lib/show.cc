// SPDX-License-Identifier: MIT
#include "tools/smi/lib/show.h"

#include <fmt/format.h>

#include <algorithm>
#include <charconv>
#include <filesystem>
#include <sstream>

#include "base/file.h"
#include "devices/inspect.h"
#include "tools/smi/lib/known.h"
#include "tools/smi/lib/list.h"

namespace hcq::smi {

namespace {

namespace fs = std::filesystem;

std::string text_of(const std::string& path) {
  auto text = read_text(path, 4096);
  return text.ok() ? printable(*text) : std::string{};
}

std::vector<std::string> names_in(const std::string& directory) {
  std::vector<std::string> names;
  std::error_code ignored;
  for (const auto& e : fs::directory_iterator(directory, ignored)) names.push_back(e.path().filename().string());
  std::sort(names.begin(), names.end());
  return names;
}

// Attributes of amdgpu; a driver that has none of them leaves the fields empty. An attribute may wake the device, so
// nothing is read from one that sleeps.
void read_kernel_facts(const std::string& d, Portrait& p) {
  for (const char* name : {"product_name", "serial_number", "unique_id", "vbios_version"})
    if (std::string text = text_of(d + "/" + name); !text.empty()) p.identity.emplace_back(name, std::move(text));
  constexpr std::string_view kVersion = "_fw_version";
  for (const std::string& name : names_in(d + "/fw_version")) {
    if (!name.ends_with(kVersion)) continue;
    const std::string version = text_of(d + "/fw_version/" + name);
    if (!version.empty() && version != "0x00000000")
      p.firmware.emplace_back(name.substr(0, name.size() - kVersion.size()), version);
  }
  if (!p.firmware.empty()) p.firmware_source = p.target.info.driver;
}

void read_blocks(const std::string& d, Portrait& p) {
  for (const std::string& die : names_in(d + "/ip_discovery/die"))
    for (const std::string& name : names_in(d + "/ip_discovery/die/" + die)) {
      const std::string block = d + "/ip_discovery/die/" + die + "/" + name;
      if (name.empty() || std::isdigit(static_cast<unsigned char>(name[0]))) continue;  // the same by hardware id
      for (const std::string& instance : names_in(block)) {
        unsigned n = 0;
        const auto [end, error] = std::from_chars(instance.data(), instance.data() + instance.size(), n);
        if (error != std::errc{} || end != instance.data() + instance.size()) continue;
        const std::string i = block + "/" + instance;
        p.blocks.push_back(
            {name, n, fmt::format("{}.{}.{}", text_of(i + "/major"), text_of(i + "/minor"), text_of(i + "/revision"))});
      }
    }
}

// "ue: 0\nce: 3"
void read_ras(const std::string& d, Portrait& p) {
  constexpr std::string_view kSuffix = "_err_count";
  for (const std::string& name : names_in(d + "/ras")) {
    if (!name.ends_with(kSuffix)) continue;
    const auto text = read_text(d + "/ras/" + name, 4096);
    if (!text.ok()) continue;
    std::istringstream words(*text);
    Portrait::Ras r{.block = name.substr(0, name.size() - kSuffix.size())};
    std::string ue, ce;
    if (words >> ue >> r.uncorrectable >> ce >> r.correctable && ue == "ue:" && ce == "ce:") p.ras.push_back(r);
  }
}

void read_path(const pci::Host& host, Portrait& p) {
  std::error_code error;
  fs::path at = fs::canonical(host.device_directory(p.target.address()), error);
  while (!error && at.has_parent_path() && at != at.parent_path()) {
    at = at.parent_path();
    const auto bdf = pci::parse_bdf(at.filename().string());
    if (!bdf.ok()) break;
    const auto info = pci::inspect(host, *bdf);
    p.path.push_back(*bdf + (info.ok() && !link_text(info->link).empty() ? "  " + link_text(info->link) : ""));
  }
}

json pairs_json(const std::vector<std::pair<std::string, std::string>>& pairs) {
  json j = json::object();
  for (const auto& [key, value] : pairs) j[key] = value;
  return j;
}

json holders_json(const std::vector<pci::LockHolder>& holders) {
  json j = json::array();
  for (const auto& h : holders) j.push_back(holder_json(h));
  return j;
}

class Lines {
 public:
  void title(const char* text) { text_ += std::string(text) + "\n"; }
  void add(const std::string& key, const std::string& value) {
    if (!value.empty()) text_ += fmt::format("  {:<18}{}\n", key, value);
  }
  std::string take() { return std::move(text_); }

 private:
  std::string text_;
};

}  // namespace

Portrait portrait_of(const pci::Host& host, const Target& target) {
  Portrait p;
  p.target = target;
  if (target.is_model()) {
    if (target.info.holder) p.holders.push_back(*target.info.holder);
    return p;
  }
  const std::string d = host.device_directory(target.address());
  const bool awake = target.info.power_state.empty() || target.info.power_state == "D0";
  if (awake) {
    read_kernel_facts(d, p);
    read_blocks(d, p);
    read_ras(d, p);
  }
  if (p.firmware.empty()) {
    if (const auto files = devices::installed_firmware(target.info.identity.vendor, target.info.identity.device);
        files.ok()) {
      for (const auto& f : *files) p.firmware.emplace_back(f.name, f.version);
      p.firmware_source = "files of this machine, loaded at the next cold start";
    }
  }
  p.holders = holders_of(host, target);
  p.users = pci::openers_of(host, device_nodes(host, target));
  if (target.info.iommu_group)
    p.group_members = names_in(fmt::format("{}/kernel/iommu_groups/{}/devices", host.sysfs, *target.info.iommu_group));
  read_path(host, p);
  return p;
}

json portrait_json(const pci::Host& host, const Portrait& p) {
  json j = target_json(host, p.target);
  if (!p.identity.empty()) j["identity"] = pairs_json(p.identity);
  if (!p.firmware.empty()) j["firmware"] = {{"source", p.firmware_source}, {"versions", pairs_json(p.firmware)}};
  for (const auto& b : p.blocks)
    j["ip_blocks"].push_back({{"name", b.name}, {"instance", b.instance}, {"version", b.version}});
  for (const auto& r : p.ras)
    j["ras"].push_back({{"block", r.block}, {"uncorrectable", r.uncorrectable}, {"correctable", r.correctable}});
  j["lock_holders"] = holders_json(p.holders);
  j["node_users"] = holders_json(p.users);
  if (!p.group_members.empty()) j["iommu_group_members"] = p.group_members;
  if (!p.path.empty()) j["path_to_root"] = p.path;
  return j;
}

std::string portrait_text(const pci::Host& host, const Portrait& p) {
  const pci::FunctionInfo& f = p.target.info;
  Lines out;
  out.title(f.bdf.c_str());
  if (f.identity.vendor != 0) {
    out.add("chip", chip_of(f));
    out.add("id",
            fmt::format("{:04x}:{:04x} revision {:02x}, board {:04x}:{:04x}", f.identity.vendor, f.identity.device,
                        f.identity.revision, f.identity.subsystem_vendor, f.identity.subsystem_device));
  }
  if (const std::uint64_t memory = memory_bytes(host, p.target)) out.add("memory", size_text(memory));
  out.add("driver", f.driver.empty() ? "none" : f.driver);
  out.add("power state", f.power_state);
  out.add("virtual function", f.physical_function.empty() ? "" : "of " + f.physical_function);
  if (f.virtual_functions != 0) out.add("virtual functions", fmt::format("{}", f.virtual_functions));
  out.add("bars", bars_text(f.bars));
  out.add("link", link_text(f.link));
  if (f.iommu_group) out.add("iommu group", fmt::format("{}", *f.iommu_group));
  for (const std::string& m : p.group_members) out.add("", m);
  for (const std::string& b : p.path) out.add("below", b);
  for (const auto& [key, value] : p.identity) out.add(key, value);
  for (const auto& h : p.holders) out.add("held by", printable(describe(h)));
  for (const auto& h : p.users) out.add("open in", printable(describe(h)));
  if (p.holders.empty()) out.add("lock", "free");
  if (!p.firmware.empty()) out.title(fmt::format("firmware ({})", p.firmware_source).c_str());
  for (const auto& [key, value] : p.firmware) out.add(key, value);
  if (!p.blocks.empty()) out.title("blocks");
  for (const auto& b : p.blocks) out.add(b.instance ? fmt::format("{} {}", b.name, b.instance) : b.name, b.version);
  if (!p.ras.empty()) out.title("errors (RAS)");
  for (const auto& r : p.ras)
    out.add(r.block, fmt::format("{} uncorrectable, {} correctable", r.uncorrectable, r.correctable));
  return out.take();
}

}  // namespace hcq::smi
