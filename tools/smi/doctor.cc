// SPDX-License-Identifier: MIT
#include "tools/smi/doctor.h"

#include <fmt/format.h>

#include <algorithm>
#include <nlohmann/json.hpp>

#include "tools/smi/known.h"
#include "tools/smi/text.h"

namespace hcq::smi {

namespace {

using nlohmann::json;

const char* name_of(pci::Access access) { return access == pci::Access::vfio ? "vfio" : "sysfs"; }

Result<Diagnosis> examine_one(const pci::Host& host, const DoctorOptions& options, const std::string& bdf,
                              pci::MemoryKernel& memory) {
  const pci::Via via = options.via == pci::Via::automatic ? pci::choose_via(host, bdf) : options.via;
  Diagnosis d{.identity = {}, .bdf = bdf, .findings = {}};
  d.access = via == pci::Via::vfio ? pci::Access::vfio : pci::Access::sysfs;
  d.identity = HCQ_TRY(pci::inspect(host, bdf)).identity;
  d.findings = HCQ_TRY(pci::preflight(host, bdf, {.access = d.access, .memory_bytes = options.memory_bytes}, memory));
  return d;
}

}  // namespace

bool Diagnosis::usable() const {
  return std::none_of(findings.begin(), findings.end(),
                      [](const pci::Finding& f) { return f.severity == pci::Severity::blocks; });
}

Result<DoctorResult> examine(const pci::Host& host, const DoctorOptions& options) {
  const auto memory = pci::system_memory(host);
  DoctorResult result;
  if (!options.address.empty()) {
    result.devices.push_back(HCQ_TRY(examine_one(host, options, options.address, *memory)));
    return result;
  }
  std::vector<pci::Filter> filters;
  for (const KnownKind& k : known_kinds()) filters.push_back(k.filter);
  pci::ScanResult found = HCQ_TRY(pci::scan(host, filters));
  result.problems = std::move(found.problems);
  for (const pci::FunctionInfo& f : found.functions) {
    auto one = examine_one(host, options, f.bdf, *memory);
    if (one.ok()) result.devices.push_back(std::move(*one));
    else result.problems.push_back(std::move(one).error());
  }
  return result;
}

std::string doctor_text(const DoctorResult& result) {
  if (result.devices.empty()) return "No device that hcq knows.\n";
  std::string text;
  for (const Diagnosis& d : result.devices) {
    const char* kind = kind_of(d.identity);
    text += fmt::format("{} {:04x}:{:04x} {}, through {}: {}\n", d.bdf, d.identity.vendor, d.identity.device,
                        kind ? kind : fmt::format("class {:06x}", d.identity.class_code), name_of(d.access),
                        d.usable() ? "can be opened" : "cannot be opened");
    for (const pci::Finding& f : d.findings) {
      text += fmt::format("  {:<7}  {:<14}  {}\n", severity_name(f.severity), f.what, printable(f.seen));
      if (!f.fix.empty()) text += fmt::format("  {:<7}  {:<14}  fix: {}\n", "", "", printable(f.fix));
    }
  }
  return text;
}

std::string doctor_json(const DoctorResult& result) {
  json document = {{"devices", json::array()}, {"problems", json::array()}};
  for (const Diagnosis& d : result.devices) {
    const char* kind = kind_of(d.identity);
    json findings = json::array();
    for (const pci::Finding& f : d.findings)
      findings.push_back({{"check", f.what},
                          {"severity", severity_name(f.severity)},
                          {"seen", f.seen},
                          {"fix", f.fix.empty() ? json(nullptr) : json(f.fix)}});
    document["devices"].push_back({{"address", d.bdf},
                                   {"vendor_id", d.identity.vendor},
                                   {"device_id", d.identity.device},
                                   {"kind", kind ? json(kind) : json(nullptr)},
                                   {"access", name_of(d.access)},
                                   {"usable", d.usable()},
                                   {"findings", std::move(findings)}});
  }
  for (const Error& e : result.problems)
    document["problems"].push_back({{"address", e.device}, {"message", describe(e)}});
  return document.dump(2, ' ', false, json::error_handler_t::replace) + "\n";
}

}  // namespace hcq::smi
