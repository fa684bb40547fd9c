// SPDX-License-Identifier: MIT
#include "tools/smi/lib/target.h"

#include <fmt/format.h>

#include <algorithm>
#include <filesystem>

#include "base/file.h"
#include "devices/address.h"
#include "devices/inspect.h"
#include "tools/smi/lib/known.h"

namespace hcq::smi {

namespace {

namespace fs = std::filesystem;
constexpr std::string_view kUnix = "unix:";

bool prefix_matches(const std::string& bdf, const std::string& prefix) {
  return bdf.starts_with(prefix) || (bdf.starts_with("0000:") && bdf.substr(5).starts_with(prefix));
}

Result<Found> scan(const pci::Host& host, const Selection& s) {
  std::vector<pci::Filter> filters;
  for (const KnownKind& k : known_kinds())
    if (!s.all && (s.family.empty() || s.family == k.family)) filters.push_back(k.filter);
  pci::ScanResult all = HCQ_TRY(pci::scan(host, filters));
  Found found{.targets = {}, .problems = std::move(all.problems)};
  for (pci::FunctionInfo& f : all.functions)
    if (s.bus_prefix.empty() || prefix_matches(f.bdf, s.bus_prefix)) found.targets.push_back({std::move(f), {}});
  return found;
}

Result<Target> one_function(const pci::Host& host, const std::string& bdf) {
  Target t{.info = HCQ_TRY(pci::inspect(host, bdf)), .socket = {}};
  t.info.holder = pci::lock_holder(host, bdf);
  return t;
}

Result<Target> served_model(const std::string& address, const std::string& socket) {
  const devices::ModelState state = HCQ_TRY(devices::look_at_model(address));
  Target t;
  t.socket = socket;
  t.info.bdf = address;
  t.info.identity = state.identity;
  t.info.power_state = "D0";
  for (unsigned i = 0; i < t.info.bars.size(); ++i)
    if (state.bar_bytes[i] != 0) t.info.bars[i] = {.start = 0, .end = state.bar_bytes[i] - 1, .flags = 0x200};
  if (state.holder != 0) t.info.holder = pci::LockHolder{.pid = state.holder, .command = state.holder_name};
  return t;
}

Result<Target> named(const pci::Host& host, const Selection& s) {
  if (auto bdf = pci::parse_bdf(s.device); bdf.ok()) return one_function(host, *bdf);
  const devices::Address a = HCQ_TRY(devices::parse_address(s.device));
  switch (a.scheme) {
    case devices::Scheme::pci:
      return one_function(host, a.name);
    case devices::Scheme::family: {
      Found found = HCQ_TRY(scan(host, {.device = {}, .family = a.name, .bus_prefix = {}}));
      if (a.index < found.targets.size()) return std::move(found.targets[a.index]);
      return Error{.code = Errc::not_found,
                   .device = a.text,
                   .operation = "find",
                   .detail = fmt::format("this machine has {} devices of the {} family", found.targets.size(), a.name),
                   .hint = "list them with hcq-smi list"};
    }
    case devices::Scheme::model:
      if (a.name.starts_with(kUnix)) return served_model(a.text, a.name.substr(kUnix.size()));
      return Error{.code = Errc::invalid_argument,
                   .device = a.text,
                   .operation = "find",
                   .detail = "a model inside this process has no state to look at",
                   .hint = "keep one with hcq-model serve and name it as model:unix:PATH"};
    default:
      return Error{.code = Errc::invalid_argument,
                   .device = a.text,
                   .operation = "find",
                   .detail = "hcq-smi looks at PCI functions and served models only"};
  }
}

}  // namespace

int exit_code(const Error& e) {
  switch (e.code) {
    case Errc::not_found:
      return e.device.empty() ? kFailed : kNotFound;
    case Errc::invalid_argument:
      return kUsage;
    case Errc::refused:
    case Errc::busy:
      return kRefused;
    default:
      return kFailed;
  }
}

Result<Found> find_targets(const pci::Host& host, const Selection& s) {
  if (s.device.empty()) return scan(host, s);
  Found found;
  found.targets.push_back(HCQ_TRY(named(host, s)));
  return found;
}

Result<Target> find_one(const pci::Host& host, const Selection& s) {
  Found found = HCQ_TRY(find_targets(host, s));
  if (found.targets.size() == 1) return std::move(found.targets[0]);
  if (found.targets.empty())
    return Error{.code = Errc::not_found,
                 .device = "this machine",
                 .operation = "find",
                 .detail = "there is no device that hcq knows",
                 .hint = "hcq-smi list --all lists every PCI function; --device names one"};
  std::string list;
  for (const Target& t : found.targets) list += (list.empty() ? "" : ", ") + t.address();
  return Error{.code = Errc::invalid_argument,
               .operation = "find",
               .detail = "there are several devices: " + list,
               .hint = "choose one with --device"};
}

std::vector<pci::LockHolder> holders_of(const pci::Host& host, const Target& t) {
  if (!t.is_model()) return pci::lock_holders(host, t.address());
  const auto state = devices::look_at_model(t.address());
  if (!state.ok() || state->holder == 0) return {};
  return {{.pid = state->holder, .command = state->holder_name}};
}

std::vector<std::string> device_nodes(const pci::Host& host, const Target& t) {
  std::vector<std::string> nodes;
  if (t.is_model()) return nodes;
  std::error_code ignored;
  // The DRM nodes of this function: its drm/ directory names them.
  for (const auto& e : fs::directory_iterator(host.device_directory(t.address()) + "/drm", ignored)) {
    const std::string name = e.path().filename().string();
    if (name.starts_with("card") || name.starts_with("renderD")) nodes.push_back(host.dev + "/dri/" + name);
  }
  if (t.info.driver == "nvidia")
    for (const auto& e : fs::directory_iterator(host.dev, ignored))
      if (e.path().filename().string().starts_with("nvidia")) nodes.push_back(e.path().string());
  if (t.info.iommu_group) {
    nodes.push_back(fmt::format("{}/vfio/{}", host.dev, *t.info.iommu_group));
    nodes.push_back(fmt::format("{}/vfio/noiommu-{}", host.dev, *t.info.iommu_group));
  }
  std::sort(nodes.begin(), nodes.end());
  return nodes;
}

}  // namespace hcq::smi
