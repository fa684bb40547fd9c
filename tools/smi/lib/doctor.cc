// SPDX-License-Identifier: MIT
#include "tools/smi/lib/doctor.h"

#include <fmt/format.h>

#include <algorithm>

#include "tools/smi/lib/json.h"
#include "tools/smi/lib/known.h"

namespace hcq::smi {

namespace {

const char* name_of(pci::Access access) { return access == pci::Access::vfio ? "vfio" : "sysfs"; }

Result<Diagnosis> examine_one(const pci::Host& host, const DoctorOptions& options, const Target& target,
                              pci::MemoryKernel& memory) {
  if (target.is_model())
    return Error{.code = Errc::invalid_argument,
                 .device = target.address(),
                 .operation = "doctor",
                 .detail = "nothing on this machine stands in the way of a model"};
  const pci::Via via = options.via == pci::Via::automatic ? pci::choose_via(host, target.address()) : options.via;
  Diagnosis d{.identity = target.info.identity, .bdf = target.address(), .findings = {}};
  d.access = via == pci::Via::vfio ? pci::Access::vfio : pci::Access::sysfs;
  d.findings = HCQ_TRY(pci::preflight(host, d.bdf, {.access = d.access, .memory_bytes = options.memory_bytes}, memory));
  for (pci::Finding& f : device_findings(host, target)) d.findings.push_back(std::move(f));
  return d;
}

std::string findings_text(const std::vector<pci::Finding>& findings) {
  std::string text;
  for (const pci::Finding& f : findings) {
    text += fmt::format("  {:<7}  {:<14}  {}\n", severity_name(f.severity), f.what, printable(f.seen));
    if (!f.fix.empty()) text += fmt::format("  {:<7}  {:<14}  fix: {}\n", "", "", printable(f.fix));
  }
  return text;
}

json findings_json(const std::vector<pci::Finding>& findings) {
  json all = json::array();
  for (const pci::Finding& f : findings) {
    json j = {{"check", f.what}, {"severity", severity_name(f.severity)}, {"seen", f.seen}};
    put(j, "fix", f.fix);
    all.push_back(std::move(j));
  }
  return all;
}

}  // namespace

bool Diagnosis::usable() const {
  return std::none_of(findings.begin(), findings.end(),
                      [](const pci::Finding& f) { return f.severity == pci::Severity::blocks; });
}

Result<DoctorResult> examine(const pci::Host& host, const Selection& selection, const DoctorOptions& options) {
  const auto memory = options.memory ? options.memory : pci::system_memory(host);
  Found found = HCQ_TRY(find_targets(host, selection));
  DoctorResult result;
  result.problems = std::move(found.problems);
  if (selection.device.empty()) result.host = host_findings(host);
  for (const Target& t : found.targets) {
    auto one = examine_one(host, options, t, *memory);
    if (one.ok()) result.devices.push_back(std::move(*one));
    else if (!selection.device.empty()) return one.error();
    else result.problems.push_back(std::move(one).error());
  }
  return result;
}

std::string doctor_text(const DoctorResult& result) {
  std::string text;
  if (!result.host.empty()) text += "this machine\n" + findings_text(result.host);
  if (result.devices.empty()) text += "No device that hcq knows.\n";
  for (const Diagnosis& d : result.devices) {
    const KnownKind* kind = kind_of(d.identity);
    text += fmt::format("{} {:04x}:{:04x} {}, through {}: {}\n", d.bdf, d.identity.vendor, d.identity.device,
                        kind ? kind->name : fmt::format("class {:06x}", d.identity.class_code), name_of(d.access),
                        d.usable() ? "can be opened" : "cannot be opened");
    text += findings_text(d.findings);
  }
  return text;
}

std::string doctor_json(const DoctorResult& result) {
  json all = {{"devices", json::array()}, {"problems", json::array()}};
  if (!result.host.empty()) all["host"] = findings_json(result.host);
  for (const Diagnosis& d : result.devices) {
    json j = {{"address", d.bdf},
              {"vendor_id", d.identity.vendor},
              {"device_id", d.identity.device},
              {"access", name_of(d.access)},
              {"usable", d.usable()},
              {"findings", findings_json(d.findings)}};
    if (const KnownKind* kind = kind_of(d.identity)) j["kind"] = kind->name;
    all["devices"].push_back(std::move(j));
  }
  for (const Error& e : result.problems) all["problems"].push_back(error_json(e));
  return document(all);
}

}  // namespace hcq::smi
