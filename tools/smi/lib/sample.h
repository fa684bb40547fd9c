// SPDX-License-Identifier: MIT
// One look at all selected devices, and the ways it is written: table, CSV, JSON, Prometheus text; and what changed
// between two looks, as events.
#pragma once

#include <string>
#include <vector>

#include "hcq/metrics.h"
#include "tools/smi/lib/json.h"
#include "tools/smi/lib/target.h"

namespace hcq::smi {

struct Sample {
  Target target;
  Metrics metrics;
};

struct Look {
  double time_s = 0;  // since the epoch
  std::vector<Sample> samples;
  std::vector<Error> problems;
};

// Disturbs no device: see devices/metrics.h. A served model's owner is asked, the model is not connected to.
Result<Look> take_look(const pci::Host& host, const Selection& selection);

// "N/A" for what is not reported.
std::string cell(const Sample& s, std::string_view name, const char* format, double scale = 1);
std::string memory_cell(const Sample& s);  // "1.2/24.0G"
std::string throttle_cell(const Sample& s);

std::string look_text(const Look& look);
std::string csv_header();
std::string look_csv(const Look& look);  // one line a device; what is not reported is an empty field
json look_json(const Look& look);
std::string look_prometheus(const Look& look);

struct Event {
  std::string address, kind, text;  // kind: "lost", "found", "throttling", "owner", "power", "pcie-errors"
};
std::vector<Event> events_between(const Look& before, const Look& after);
json event_json(double time_s, const Event& e);

}  // namespace hcq::smi
