// SPDX-License-Identifier: MIT
#include "devices/metrics.h"

#include <fmt/format.h>

#include <algorithm>

#include "devices/address.h"
#include "drivers/am/chip.h"
#include "drivers/am/metrics/kernel.h"
#include "drivers/pci/lock.h"

namespace hcq::devices {

namespace {

constexpr std::string_view kUnix = "unix:";

std::string beside_lock(const pci::Host& host, const std::string& bdf) {
  return fmt::format("{}/hcq_{}.status", host.lock_directory, bdf);
}

Metrics only_note(std::string text) {
  Metrics m;
  m.notes.push_back(std::move(text));
  return m;
}

}  // namespace

std::string status_path(const pci::Host& host, std::string_view address) {
  if (auto bdf = pci::parse_bdf(address); bdf.ok()) return beside_lock(host, *bdf);
  const auto a = parse_address(address);
  if (!a.ok()) return {};
  if (a->scheme == Scheme::model && a->name.starts_with(kUnix)) return a->name.substr(kUnix.size()) + ".status";
  return {};
}

Metrics read_metrics(const pci::Host& host, const pci::FunctionInfo& f) {
  const std::string& power = f.power_state;
  if (!power.empty() && power != "D0" && power != "unknown")
    return only_note(fmt::format("asleep ({}), not read", power));
  if (f.identity.vendor == am::kVendorAmd && f.driver == "amdgpu") return am::read_kernel_metrics(host, f.bdf);
  if (!f.holder) return only_note(f.driver.empty() ? "nobody drives it" : fmt::format("{} tells nothing", f.driver));
  auto published = ask_status(beside_lock(host, f.bdf));
  if (!published.ok()) {
    if (published.error().code != Errc::not_found) return only_note(describe(published.error()));
    return only_note("its process publishes nothing");
  }
  const auto holders = pci::lock_holders(host, f.bdf);
  if (std::none_of(holders.begin(), holders.end(), [&](const auto& h) { return h.pid == published->pid; }))
    return only_note(fmt::format("pid {} offers metrics but does not hold the device", published->pid));
  return std::move(published->metrics);
}

Metrics read_model_metrics(const std::string& socket) {
  auto published = ask_status(socket + ".status");
  if (published.ok()) return std::move(published->metrics);
  return only_note(published.error().code == Errc::not_found ? "nobody drives it, or its process publishes nothing"
                                                             : describe(published.error()));
}

}  // namespace hcq::devices
