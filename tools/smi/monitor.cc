// SPDX-License-Identifier: MIT
// Commands that look again and again: monitor, watch; and export, which looks once.
#include <fmt/format.h>
#include <time.h>
#include <unistd.h>

#include <chrono>
#include <thread>

#include "tools/smi/commands.h"
#include "tools/smi/lib/sample.h"
#include "tools/smi/screen.h"

namespace hcq::smi {

namespace {

std::string written(const Arguments& a, const Look& look, bool stream) {
  if (a.json) return stream ? line(look_json(look)) : document(look_json(look));
  return a.csv ? look_csv(look) : look_text(look);
}

void pause_until(std::chrono::steady_clock::time_point& next, double seconds) {
  next += std::chrono::duration_cast<std::chrono::steady_clock::duration>(std::chrono::duration<double>(seconds));
  std::this_thread::sleep_until(next);
}

}  // namespace

int run_monitor(Arguments& a) {
  if (::isatty(1) && !a.json && !a.csv && a.count == 0) return run_screen(a);
  const bool stream = a.count != 1 && a.count != 0;
  auto next = std::chrono::steady_clock::now();
  const unsigned count = std::max(1u, a.count);
  if (a.csv)
    if (const int code = print(csv_header()); code != kOk) return code;
  for (unsigned i = 0; i < count; ++i) {
    if (i != 0) pause_until(next, a.interval_seconds);
    const auto look = take_look(a.host, a.selection);
    if (!look.ok()) return fail(a, look.error());
    for (const Error& e : look->problems) say(describe(e));
    if (const int code = print(written(a, *look, stream)); code != kOk) return code;
  }
  return kOk;
}

int run_export(Arguments& a) {
  const auto look = take_look(a.host, a.selection);
  if (!look.ok()) return fail(a, look.error());
  for (const Error& e : look->problems) say(describe(e));
  return print(a.json ? document(look_json(*look)) : look_prometheus(*look));
}

int run_watch(Arguments& a) {
  auto before = take_look(a.host, a.selection);
  if (!before.ok()) return fail(a, before.error());
  auto next = std::chrono::steady_clock::now();
  for (unsigned i = 0; a.count == 0 || i < a.count; ++i) {
    pause_until(next, a.interval_seconds);
    auto after = take_look(a.host, a.selection);
    // A named device that is gone is the event people wait for, and the end.
    if (!after.ok() && after.error().code != Errc::not_found) return fail(a, after.error());
    const bool gone = !after.ok();
    if (gone) after = Look{.time_s = before->time_s + a.interval_seconds, .samples = {}, .problems = {}};
    for (const Event& e : events_between(*before, *after)) {
      const std::string text =
          a.json ? line(event_json(after->time_s, e))
                 : printable(fmt::format("{:.3f} {} {} {}", after->time_s, e.address, e.kind, e.text)) + "\n";
      if (const int code = print(text); code != kOk) return code;
    }
    if (gone) return kNotFound;
    before = std::move(after);
  }
  return kOk;
}

}  // namespace hcq::smi
