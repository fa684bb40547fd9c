// SPDX-License-Identifier: MIT
#include "tools/smi/lib/sample.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <chrono>
#include <cmath>
#include <map>
#include <set>

#include "devices/address.h"
#include "devices/metrics.h"
#include "tools/smi/lib/known.h"

namespace hcq::smi {

namespace {

constexpr std::string_view kModelPrefix = "model:unix:";

std::string joined(const std::vector<std::string>& words, const char* between) {
  std::string text;
  for (const std::string& w : words) text += (text.empty() ? "" : between) + w;
  return text;
}

// Whole numbers without a point, others with what they have.
std::string number(double v) {
  return v == std::floor(v) && std::abs(v) < 9e15 ? fmt::format("{:.0f}", v) : fmt::format("{}", v);
}

const Sample* find(const Look& look, const std::string& address) {
  for (const Sample& s : look.samples)
    if (s.target.address() == address) return &s;
  return nullptr;
}

std::string label_value(std::string text) {
  std::string out;
  for (const char c : printable(std::move(text)))
    if (c == '"' || c == '\\') out += '\\', out += c;
    else out += c;
  return out;
}

}  // namespace

Result<Look> take_look(const pci::Host& host, const Selection& selection) {
  Look look;
  look.time_s = std::chrono::duration<double>(std::chrono::system_clock::now().time_since_epoch()).count();
  if (selection.device.starts_with(kModelPrefix)) {
    const devices::Address a = HCQ_TRY(devices::parse_address(selection.device));
    Sample s;
    s.target.info.bdf = a.text;
    s.target.socket = a.name.substr(5);
    s.metrics = devices::read_model_metrics(s.target.socket);
    look.samples.push_back(std::move(s));
    return look;
  }
  Found found = HCQ_TRY(find_targets(host, selection));
  look.problems = std::move(found.problems);
  for (Target& t : found.targets) {
    Sample s{.target = std::move(t), .metrics = {}};
    s.metrics =
        s.target.is_model() ? devices::read_model_metrics(s.target.socket) : devices::read_metrics(host, s.target.info);
    look.samples.push_back(std::move(s));
  }
  return look;
}

std::string cell(const Sample& s, std::string_view name, const char* format, double scale) {
  const auto v = s.metrics.get(name);
  return v ? fmt::format(fmt::runtime(format), *v * scale) : "N/A";
}

std::string memory_cell(const Sample& s) {
  constexpr double kGiB = 1.0 / (1 << 30);
  return s.metrics.get("memory_total_bytes") ? fmt::format("{}/{}G", cell(s, "memory_used_bytes", "{:.1f}", kGiB),
                                                           cell(s, "memory_total_bytes", "{:.1f}", kGiB))
                                             : "N/A";
}

std::string throttle_cell(const Sample& s) {
  if (s.metrics.readings.empty()) return "N/A";
  return s.metrics.throttling.empty() ? "none" : printable(joined(s.metrics.throttling, ","));
}

std::string look_text(const Look& look) {
  if (look.samples.empty()) return "No device that hcq knows.\n";
  std::vector<std::vector<std::string>> rows{{"ADDRESS", "CHIP", "TEMP", "HOT", "POWER", "CAP", "FAN", "GFX%", "MEM%",
                                              "MEMORY", "GFXCLK", "MEMCLK", "THROTTLE", "NOTE"}};
  for (const Sample& s : look.samples) {
    // An instantaneous value is another quantity than an average and is marked.
    const bool average = s.metrics.get("power_average_w").has_value();
    rows.push_back({s.target.address(), s.target.info.identity.vendor ? chip_of(s.target.info) : "model",
                    cell(s, "temperature_edge_c", "{:.0f}C"), cell(s, "temperature_hotspot_c", "{:.0f}C"),
                    average ? cell(s, "power_average_w", "{:.0f}W") : cell(s, "power_instant_w", "{:.0f}W now"),
                    cell(s, "power_cap_w", "{:.0f}W"), cell(s, "fan_percent", "{:.0f}%"),
                    cell(s, "utilization_gfx_percent", "{:.0f}"), cell(s, "utilization_memory_percent", "{:.0f}"),
                    memory_cell(s), cell(s, "clock_gfx_mhz", "{:.0f}"), cell(s, "clock_memory_mhz", "{:.0f}"),
                    throttle_cell(s), s.metrics.notes.empty() ? s.metrics.source : printable(s.metrics.notes[0])});
  }
  return table_text(rows);
}

namespace {
constexpr std::array kColumns{"temperature_edge_c",
                              "temperature_hotspot_c",
                              "temperature_memory_c",
                              "power_average_w",
                              "power_instant_w",
                              "power_cap_w",
                              "fan_rpm",
                              "fan_percent",
                              "utilization_gfx_percent",
                              "utilization_memory_percent",
                              "memory_used_bytes",
                              "memory_total_bytes",
                              "clock_gfx_mhz",
                              "clock_memory_mhz",
                              "clock_fabric_mhz",
                              "clock_soc_mhz",
                              "pcie_link_width_lanes",
                              "pcie_link_speed_gts"};
}  // namespace

std::string csv_header() {
  std::string text = "time_s,address";
  for (const char* c : kColumns) text += std::string(",") + c;
  return text + ",throttling\n";
}

std::string look_csv(const Look& look) {
  std::string text;
  for (const Sample& s : look.samples) {
    text += fmt::format("{:.3f},{}", look.time_s, s.target.address());
    for (const char* c : kColumns) {
      const auto v = s.metrics.get(c);
      text += "," + (v ? number(*v) : std::string());
    }
    text += "," + printable(joined(s.metrics.throttling, " ")) + "\n";
  }
  return text;
}

json look_json(const Look& look) {
  json j = {{"time_s", look.time_s}, {"devices", json::array()}, {"problems", json::array()}};
  for (const Sample& s : look.samples) {
    json d = {{"address", s.target.address()}, {"readings", json::object()}};
    if (s.target.info.identity.vendor != 0) d["chip"] = chip_of(s.target.info);
    put(d, "power_state", s.target.info.power_state);
    put(d, "source", s.metrics.source);
    for (const auto& r : s.metrics.readings) {
      if (r.value == std::floor(r.value) && std::abs(r.value) < 9e15)
        d["readings"][r.name] = static_cast<std::int64_t>(r.value);
      else d["readings"][r.name] = r.value;
    }
    if (!s.metrics.readings.empty()) d["throttling"] = s.metrics.throttling;
    if (!s.metrics.notes.empty()) d["notes"] = s.metrics.notes;
    if (s.target.info.holder) d["lock_holder"] = holder_json(*s.target.info.holder);
    j["devices"].push_back(std::move(d));
  }
  for (const Error& e : look.problems) j["problems"].push_back(error_json(e));
  return j;
}

std::string look_prometheus(const Look& look) {
  std::map<std::string, std::string> families;  // all samples of a name stand together
  const auto labels = [](const Sample& s) {
    std::string text = fmt::format("address=\"{}\"", label_value(s.target.address()));
    if (s.target.info.identity.vendor != 0) text += fmt::format(",chip=\"{}\"", label_value(chip_of(s.target.info)));
    return text;
  };
  for (const Sample& s : look.samples) {
    for (const auto& r : s.metrics.readings)
      families["hcq_" + r.name] += fmt::format("hcq_{}{{{}}} {}\n", r.name, labels(s), number(r.value));
    if (!s.metrics.readings.empty())
      families["hcq_throttling"] += fmt::format("hcq_throttling{{{}}} {}\n", labels(s), s.metrics.throttling.size());
    families["hcq_device_held"] += fmt::format("hcq_device_held{{{}}} {}\n", labels(s), s.target.info.holder ? 1 : 0);
  }
  std::string text;
  for (const auto& [name, lines] : families) text += fmt::format("# TYPE {} gauge\n{}", name, lines);
  return text;
}

std::vector<Event> events_between(const Look& before, const Look& after) {
  std::vector<Event> events;
  for (const Sample& b : before.samples)
    if (!find(after, b.target.address())) events.push_back({b.target.address(), "lost", "is no longer on the bus"});
  for (const Sample& a : after.samples) {
    const std::string& address = a.target.address();
    const Sample* b = find(before, address);
    if (!b) {
      events.push_back({address, "found", "is there now"});
      continue;
    }
    const std::set<std::string> was(b->metrics.throttling.begin(), b->metrics.throttling.end());
    const std::set<std::string> is(a.metrics.throttling.begin(), a.metrics.throttling.end());
    for (const std::string& t : is)
      if (!was.count(t)) events.push_back({address, "throttling", "began: " + t});
    for (const std::string& t : was)
      if (!is.count(t)) events.push_back({address, "throttling", "ended: " + t});
    const auto holder = [](const Sample& s) { return s.target.info.holder ? s.target.info.holder->pid : -1; };
    if (holder(*b) != holder(a))
      events.push_back({address, "owner", a.target.info.holder ? describe(*a.target.info.holder) : "nobody"});
    if (b->target.info.power_state != a.target.info.power_state)
      events.push_back({address, "power", b->target.info.power_state + " -> " + a.target.info.power_state});
    if (b->target.info.driver != a.target.info.driver)
      events.push_back({address, "driver", a.target.info.driver.empty() ? "none" : a.target.info.driver});
    // What the owner's process says about the device: faults and its loss.
    for (const std::string& n : a.metrics.notes)
      if (std::find(b->metrics.notes.begin(), b->metrics.notes.end(), n) == b->metrics.notes.end())
        events.push_back({address, "note", n});
  }
  return events;
}

json event_json(double time_s, const Event& e) {
  return {{"time_s", time_s}, {"address", e.address}, {"event", e.kind}, {"text", e.text}};
}

}  // namespace hcq::smi
