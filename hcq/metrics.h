// SPDX-License-Identifier: MIT
// Metrics: what a device reports about itself at one moment, the same for all families. A value that the device does
// not report is absent. Names carry their unit: temperature_edge_c, power_average_w, power_cap_w, fan_rpm,
// clock_gfx_mhz, utilization_gfx_percent, memory_used_bytes, pcie_link_width_lanes, ...
#pragma once

#include <cstdint>
#include <functional>
#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "base/error.h"

namespace hcq {

struct Metrics {
  struct Reading {
    std::string name;
    double value = 0;
    bool operator==(const Reading&) const = default;
  };
  std::string source;                   // whose word it is: "amdgpu (sysfs)", "pid 4711"
  std::vector<Reading> readings;        // in a fixed order; no name twice
  std::vector<std::string> throttling;  // what slows the device down now: "PPT0", "HOTSPOT"
  std::vector<std::string> notes;       // why something is missing, for people

  std::optional<double> get(std::string_view name) const;
  void add(std::string name, double value) { readings.push_back({std::move(name), value}); }
  // Sentinels of an absent sensor (all ones in the width of the field) add nothing.
  void add_u16(std::string name, std::uint16_t raw, double scale = 1);
  void add_u32(std::string name, std::uint32_t raw, double scale = 1);
  // Never more than 100; a sentinel (0xff, 0xffff) adds nothing.
  void add_percent(std::string name, std::uint32_t raw);
  bool operator==(const Metrics&) const = default;
};

// Lines "name value", "throttling NAME", "note TEXT", as a StatusServer sends them. parse() trusts nothing: at most
// 64 KiB, finite numbers, names of [a-z0-9_].
std::string serialize(const Metrics& m);
Result<Metrics> parse_metrics(std::string_view text);

// Offers metrics of a device to other processes of this machine, at a Unix socket that anybody may read. Costs nothing
// while nobody asks; `read` is called on the server's own thread, at most ten times a second.
class StatusServer {
 public:
  using Read = std::function<Result<Metrics>()>;
  // Errc::io, permission: the socket cannot be made. A file of a server that died is replaced.
  static Result<std::unique_ptr<StatusServer>> start(const std::string& path, Read read);
  // Waits for a call of `read` that is under way.
  ~StatusServer();
  StatusServer(const StatusServer&) = delete;
  StatusServer& operator=(const StatusServer&) = delete;

 private:
  StatusServer();
  struct State;
  std::unique_ptr<State> state_;
};

struct PublishedMetrics {
  int pid = 0;  // of the server, as the kernel says
  Metrics metrics;
};
// Asks the server at `path`; waits a second at most. Errc::not_found: nobody is there.
Result<PublishedMetrics> ask_status(const std::string& path);

}  // namespace hcq
