// SPDX-License-Identifier: MIT
#include "tools/smi/list.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <nlohmann/json.hpp>

#include "tools/smi/known.h"
#include "tools/smi/text.h"

namespace hcq::smi {

namespace {

using nlohmann::json;

std::string size_text(std::uint64_t bytes) {
  constexpr std::array kUnits{"B", "K", "M", "G", "T"};
  std::size_t unit = 0;
  while (unit + 1 < kUnits.size() && bytes >= 1024 && bytes % 1024 == 0) bytes /= 1024, ++unit;
  return fmt::format("{}{}", bytes, kUnits[unit]);
}

std::string or_dash(const std::string& text) { return text.empty() ? "-" : text; }

std::string bars_text(const pci::BarTable& bars) {
  std::string text;
  for (unsigned i = 0; i < bars.size(); ++i)
    if (bars[i].is_memory() && bars[i].size() != 0)
      text += fmt::format("{}{}:{}", text.empty() ? "" : " ", i, size_text(bars[i].size()));
  return or_dash(text);
}

// "16.0 GT/s PCIe" -> "16.0 GT/s x8"
std::string link_text(const pci::LinkInfo& link) {
  if (link.speed.empty() || link.width == 0) return "-";
  return fmt::format("{} x{}", link.speed.substr(0, link.speed.find(" PCIe")), link.width);
}

using Row = std::array<std::string, 9>;

Row row_of(const pci::FunctionInfo& f) {
  const char* kind = kind_of(f.identity);
  return {f.bdf,
          fmt::format("{:04x}:{:04x}", f.identity.vendor, f.identity.device),
          kind ? kind : fmt::format("class {:06x}", f.identity.class_code),
          or_dash(f.driver),
          or_dash(f.power_state),
          f.iommu_group ? fmt::format("{}", *f.iommu_group) : "-",
          bars_text(f.bars),
          link_text(f.link),
          f.holder ? printable(describe(*f.holder)) : "free"};
}

json or_null(const std::string& text) { return text.empty() ? json(nullptr) : json(text); }
json or_null(unsigned number) { return number == 0 ? json(nullptr) : json(number); }

json bars_json(const pci::BarTable& table) {
  json bars = json::array();
  for (unsigned i = 0; i < table.size(); ++i)
    if (table[i].is_memory() && table[i].size() != 0)
      bars.push_back({{"index", i},
                      {"address", table[i].start},
                      {"size_bytes", table[i].size()},
                      {"prefetchable", table[i].is_prefetchable()}});
  return bars;
}

json holder_json(const pci::LockHolder& holder) {
  return {{"pid", holder.pid == 0 ? json(nullptr) : json(holder.pid)},
          {"command", or_null(holder.command)},
          {"certain", holder.certain}};
}

json json_of(const pci::FunctionInfo& f) {
  const char* kind = kind_of(f.identity);
  return {{"address", f.bdf},
          {"vendor_id", f.identity.vendor},
          {"device_id", f.identity.device},
          {"subsystem_vendor_id", f.identity.subsystem_vendor},
          {"subsystem_device_id", f.identity.subsystem_device},
          {"class_code", f.identity.class_code},
          {"revision", f.identity.revision},
          {"kind", kind ? json(kind) : json(nullptr)},
          {"driver", or_null(f.driver)},
          {"power_state", or_null(f.power_state)},
          {"iommu_group", f.iommu_group ? json(*f.iommu_group) : json(nullptr)},
          {"boot_display", f.boot_display},
          {"bars", bars_json(f.bars)},
          {"link",
           {{"speed", or_null(f.link.speed)},
            {"max_speed", or_null(f.link.max_speed)},
            {"width_lanes", or_null(f.link.width)},
            {"max_width_lanes", or_null(f.link.max_width)}}},
          {"lock_holder", f.holder ? holder_json(*f.holder) : json(nullptr)}};
}

}  // namespace

Result<pci::ScanResult> list(const pci::Host& host, const ListOptions& options) {
  if (!options.address.empty()) {
    pci::ScanResult one;
    one.functions.push_back(HCQ_TRY(pci::inspect(host, options.address)));
    one.functions[0].holder = pci::lock_holder(host, options.address);
    return one;
  }
  std::vector<pci::Filter> filters;
  if (!options.all)
    for (const KnownKind& k : known_kinds()) filters.push_back(k.filter);
  return pci::scan(host, filters);
}

std::string list_text(const pci::ScanResult& found) {
  if (found.functions.empty()) return "No device that hcq knows. --all lists every PCI function.\n";
  std::vector<Row> rows{{"ADDRESS", "ID", "KIND", "DRIVER", "POWER", "GROUP", "BARS", "LINK", "LOCK"}};
  for (const auto& f : found.functions) rows.push_back(row_of(f));
  std::array<std::size_t, std::tuple_size_v<Row>> width{};
  for (const Row& r : rows)
    for (std::size_t i = 0; i < r.size(); ++i) width[i] = std::max(width[i], r[i].size());
  std::string text;
  for (const Row& r : rows) {
    for (std::size_t i = 0; i + 1 < r.size(); ++i) text += fmt::format("{:<{}}  ", r[i], width[i]);
    text += r.back() + "\n";
  }
  return text;
}

std::string list_json(const pci::ScanResult& found) {
  json document = {{"functions", json::array()}, {"problems", json::array()}};
  for (const auto& f : found.functions) document["functions"].push_back(json_of(f));
  for (const Error& e : found.problems)
    document["problems"].push_back({{"address", e.device}, {"message", describe(e)}});
  // A command line need not be UTF-8.
  return document.dump(2, ' ', false, json::error_handler_t::replace) + "\n";
}

}  // namespace hcq::smi
