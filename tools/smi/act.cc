// SPDX-License-Identifier: MIT
// Commands that change something. Each says what it does before it does it.
#include <fmt/format.h>
#include <unistd.h>

#include <cstdio>

#include "devices/devices.h"
#include "tools/cli/signals.h"
#include "tools/smi/commands.h"
#include "tools/smi/lib/json.h"
#include "tools/smi/lib/kernel_driver.h"
#include "tools/smi/lib/process.h"

namespace hcq::smi {

namespace {

DriverOptions driver_options(const Arguments& a) {
  DriverOptions o;
  o.force = a.force;
  o.modprobe = a.modprobe;
  o.say = say;
  return o;
}

int done(const Arguments& a, json answer) {
  answer["done"] = true;
  return a.json ? print(document(answer)) : kOk;
}

// The list goes to stderr with the question. Without a terminal nobody can answer: then the flags decide.
bool confirmed(const Arguments& a, const std::string& list, const char* question) {
  std::fputs(list.c_str(), stderr);
  if (a.yes || (a.sudoless && !::isatty(0))) return true;
  if (!::isatty(0)) return false;
  std::fprintf(stderr, "hcq-smi: %s [y/N] ", question);
  const int answer = std::getchar();
  return answer == 'y' || answer == 'Y';
}

}  // namespace

int run_kill_pids(Arguments& a) {
  const auto found = find_targets(a.host, a.selection);
  if (!found.ok()) return fail(a, found.error());
  for (const Error& e : found->problems) say(describe(e));
  KillOptions o;
  o.grace = std::chrono::milliseconds(static_cast<long>(a.grace_seconds * 1000));
  o.confirm = [&](const std::string& list) { return confirmed(a, list, "end these processes?"); };
  o.say = say;
  json answer = {{"devices", json::array()}};
  std::optional<Error> first;  // one device's trouble must not keep the others busy
  for (const Target& t : found->targets) {
    auto report = kill_holders(a.host, t, o);
    if (!report.ok()) {
      if (first) say(describe(report.error()));
      else first = report.error();
      continue;
    }
    answer["devices"].push_back({{"address", t.address()}, {"ended_pids", report->ended}});
    if (report->dirty) say(fmt::format("{} is free; the next open resets it fully", t.address()));
  }
  if (first) return fail(a, *first);
  return done(a, answer);
}

namespace {

// What must be put right before a device may be reset; empty: nothing.
std::vector<std::string> reset_obstacles(const Arguments& a, const Target& t) {
  std::vector<std::string> why;
  for (const pci::LockHolder& h : holders_of(a.host, t))
    why.push_back(fmt::format("{} is driven by {}", t.address(), describe(h)));
  if (a.force) return why;  // a process is never overrun; a kernel driver is unbound for the time of the reset
  if (!t.info.driver.empty() && t.info.driver != "vfio-pci")
    why.push_back(fmt::format("{} is bound to {}", t.address(), t.info.driver));
  for (const pci::LockHolder& h : pci::openers_of(a.host, device_nodes(a.host, t)))
    why.push_back(fmt::format("{} is in use by {}", t.address(), describe(h)));
  return why;
}

}  // namespace

int run_reset(Arguments& a) {
  cli::stop_devices_on_signals("hcq-smi");
  Found found;
  if (a.how == "hive") {
    auto all = find_targets(a.host, a.selection);
    if (!all.ok()) return fail(a, all.error());
    found = std::move(*all);
  } else {
    auto one = find_one(a.host, a.selection);
    if (!one.ok()) return fail(a, one.error());
    found.targets.push_back(std::move(*one));
  }
  if (found.targets.empty())
    return fail(a, {.code = Errc::not_found, .device = "this machine", .operation = "reset", .detail = "no device"});
  std::string list, why;
  std::vector<std::string> addresses;
  for (const Target& t : found.targets) {
    for (const std::string& reason : reset_obstacles(a, t)) why += (why.empty() ? "" : "; ") + reason;
    list += fmt::format("{}  {} reset: all state and memory contents are lost\n", t.address(), a.how);
    addresses.push_back(t.is_model() ? t.address() : "pci:" + t.address());
  }
  if (!why.empty())
    return fail(a, {.code = Errc::refused,
                    .operation = "reset",
                    .detail = why,
                    .hint = "hcq-smi kill-pids ends processes; --force unbinds the kernel driver for the reset"});
  if (!confirmed(a, list, "reset?"))
    return fail(a, {.code = Errc::refused,
                    .operation = "reset",
                    .detail = "nothing was reset",
                    .hint = "answer y, or pass --yes"});
  const auto kind = a.how == "function" ? devices::ResetKind::function : devices::ResetKind::chip;
  const Status s = devices::reset(addresses, kind, {.unbind_kernel_driver = a.force});
  if (!s.ok()) return fail(a, s.error());
  for (const Target& t : found.targets) say(t.address() + ": reset done");
  return done(a, {{"reset", addresses}});
}

int run_rmmod(Arguments& a) {
  if (a.expect) {
    const auto loaded = loaded_modules(a.host, a.selection.family);
    if (a.json) {
      if (const int code = print(document({{"loaded", loaded}})); code != kOk) return code;
    } else {
      for (const std::string& m : loaded)
        if (const int code = print(m + "\n"); code != kOk) return code;
    }
    return loaded.empty() ? kOk : kFailed;
  }
  const Status s = remove_modules(a.host, a.selection.family, driver_options(a));
  return s.ok() ? done(a, json::object()) : fail(a, s.error());
}

int run_insmod(Arguments& a) {
  const Status s = insert_modules(a.host, a.selection.family, driver_options(a));
  return s.ok() ? done(a, json::object()) : fail(a, s.error());
}

int run_bind(Arguments& a) {
  const auto target = find_one(a.host, a.selection);
  if (!target.ok()) return fail(a, target.error());
  const Status s = bind_driver(a.host, *target, a.driver, driver_options(a));
  return s.ok() ? done(a, {{"address", target->address()}}) : fail(a, s.error());
}

int run_unbind(Arguments& a) {
  const auto target = find_one(a.host, a.selection);
  if (!target.ok()) return fail(a, target.error());
  const Status s = unbind_driver(a.host, *target, driver_options(a));
  return s.ok() ? done(a, {{"address", target->address()}}) : fail(a, s.error());
}

}  // namespace hcq::smi
