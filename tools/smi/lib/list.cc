// SPDX-License-Identifier: MIT
#include "tools/smi/lib/list.h"

#include <fmt/format.h>

#include "tools/smi/lib/known.h"

namespace hcq::smi {

namespace {

std::string or_dash(const std::string& text) { return text.empty() ? "-" : text; }

// "16.0 GT/s PCIe" -> "16.0 GT/s x8"
std::string one_link(const std::string& speed, unsigned width) {
  if (speed.empty() || width == 0) return {};
  return fmt::format("{} x{}", speed.substr(0, speed.find(" PCIe")), width);
}

std::string id_text(const pci::Identity& id) {
  return id.vendor == 0 ? "-" : fmt::format("{:04x}:{:04x}", id.vendor, id.device);
}

std::vector<std::string> row_of(const pci::Host& host, const Target& t) {
  const pci::FunctionInfo& f = t.info;
  const std::uint64_t memory = memory_bytes(host, t);
  return {f.bdf,
          id_text(f.identity),
          f.identity.vendor == 0 ? "-" : chip_of(f),
          memory == 0 ? "-" : size_text(memory),
          or_dash(f.driver),
          or_dash(f.power_state),
          f.iommu_group ? fmt::format("{}", *f.iommu_group) : "-",
          or_dash(bars_text(f.bars)),
          or_dash(link_text(f.link)),
          f.holder ? printable(describe(*f.holder)) : "free"};
}

json bars_json(const pci::BarTable& table) {
  json bars = json::array();
  for (unsigned i = 0; i < table.size(); ++i) {
    if (!table[i].is_memory() || table[i].size() == 0) continue;
    json bar = {{"index", i}, {"size_bytes", table[i].size()}, {"prefetchable", table[i].is_prefetchable()}};
    if (table[i].start != 0) bar["address"] = table[i].start;
    bars.push_back(std::move(bar));
  }
  return bars;
}

json link_json(const pci::LinkInfo& link) {
  json j = json::object();
  put(j, "speed", link.speed);
  put(j, "max_speed", link.max_speed);
  put(j, "width_lanes", link.width);
  put(j, "max_width_lanes", link.max_width);
  return j;
}

void put_identity(json& j, const pci::FunctionInfo& f) {
  if (f.identity.vendor == 0) return;
  j["vendor_id"] = f.identity.vendor;
  j["device_id"] = f.identity.device;
  j["subsystem_vendor_id"] = f.identity.subsystem_vendor;
  j["subsystem_device_id"] = f.identity.subsystem_device;
  j["class_code"] = f.identity.class_code;
  j["revision"] = f.identity.revision;
  j["chip"] = chip_of(f);
  if (const KnownKind* kind = kind_of(f.identity)) j["kind"] = kind->name, j["family"] = kind->family;
}

}  // namespace

std::uint64_t memory_bytes(const pci::Host& host, const Target& t) {
  if (t.is_model()) return 0;
  const auto n = pci::read_number(host.device_directory(t.address()) + "/mem_info_vram_total");
  return n.ok() ? *n : 0;
}

std::string bars_text(const pci::BarTable& bars) {
  std::string text;
  for (unsigned i = 0; i < bars.size(); ++i)
    if (bars[i].is_memory() && bars[i].size() != 0)
      text += fmt::format("{}{}:{}", text.empty() ? "" : " ", i, size_text(bars[i].size()));
  return text;
}

std::string link_text(const pci::LinkInfo& link) {
  const std::string now = one_link(link.speed, link.width), max = one_link(link.max_speed, link.max_width);
  if (now.empty() || max.empty() || now == max) return now;
  return now + " of " + max;
}

json target_json(const pci::Host& host, const Target& t) {
  const pci::FunctionInfo& f = t.info;
  json j = {{"address", f.bdf}, {"bars", bars_json(f.bars)}};
  put_identity(j, f);
  put(j, "driver", f.driver);
  put(j, "power_state", f.power_state);
  if (f.iommu_group) j["iommu_group"] = *f.iommu_group;
  if (!t.is_model()) j["boot_display"] = f.boot_display;
  if (const json link = link_json(f.link); !link.empty()) j["link"] = link;
  if (const std::uint64_t memory = memory_bytes(host, t)) j["memory_bytes"] = memory;
  put(j, "virtual_function_of", f.physical_function);
  put(j, "virtual_functions", f.virtual_functions);
  if (f.holder) j["lock_holder"] = holder_json(*f.holder);
  return j;
}

std::string list_text(const pci::Host& host, const Found& found) {
  if (found.targets.empty()) return "No device that hcq knows. --all lists every PCI function.\n";
  std::vector<std::vector<std::string>> rows{
      {"ADDRESS", "ID", "CHIP", "MEMORY", "DRIVER", "POWER", "GROUP", "BARS", "LINK", "LOCK"}};
  for (const Target& t : found.targets) rows.push_back(row_of(host, t));
  return table_text(rows);
}

std::string list_json(const pci::Host& host, const Found& found) {
  json j = {{"functions", json::array()}, {"problems", json::array()}};
  for (const Target& t : found.targets) j["functions"].push_back(target_json(host, t));
  for (const Error& e : found.problems) j["problems"].push_back(error_json(e));
  return document(j);
}

}  // namespace hcq::smi
