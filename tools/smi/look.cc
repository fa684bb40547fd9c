// SPDX-License-Identifier: MIT
// Commands that only look.
#include "tools/smi/commands.h"
#include "tools/smi/lib/doctor.h"
#include "tools/smi/lib/list.h"
#include "tools/smi/lib/process.h"
#include "tools/smi/lib/show.h"

namespace hcq::smi {

int run_list(Arguments& a) {
  a.selection.all = a.all;
  const auto found = find_targets(a.host, a.selection);
  if (!found.ok()) {
    // Whoever reads JSON gets the document he knows.
    if (a.json) print(list_json(a.host, {.targets = {}, .problems = {found.error()}}));
    say(describe(found.error()));
    return exit_code(found.error());
  }
  // On stderr too: in a document they are easily missed.
  for (const Error& e : found->problems) say(describe(e));
  return print(a.json ? list_json(a.host, *found) : list_text(a.host, *found));
}

int run_show(Arguments& a) {
  const auto target = find_one(a.host, a.selection);
  if (!target.ok()) return fail(a, target.error());
  const Portrait p = portrait_of(a.host, *target);
  return print(a.json ? document(portrait_json(a.host, p)) : portrait_text(a.host, p));
}

int run_doctor(Arguments& a) {
  DoctorOptions options{.via = a.via, .memory_bytes = a.memory_mib << 20};
  const auto result = examine(a.host, a.selection, options);
  if (!result.ok()) {
    if (a.json) print(doctor_json({.host = {}, .devices = {}, .problems = {result.error()}}));
    say(describe(result.error()));
    return exit_code(result.error());
  }
  for (const Error& e : result->problems) say(describe(e));
  if (const int code = print(a.json ? doctor_json(*result) : doctor_text(*result)); code != kOk) return code;
  bool usable = !result->devices.empty() && result->problems.empty();
  for (const Diagnosis& d : result->devices) usable = usable && d.usable();
  return usable ? kOk : kFailed;
}

int run_pids(Arguments& a) {
  const auto found = find_targets(a.host, a.selection);
  if (!found.ok()) return fail(a, found.error());
  for (const Error& e : found->problems) say(describe(e));
  const auto all = find_processes(a.host, found->targets);
  return print(a.json ? processes_json(all) : processes_text(all));
}

}  // namespace hcq::smi
