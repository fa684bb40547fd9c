// SPDX-License-Identifier: MIT
#include <fmt/format.h>

#include <nlohmann/json.hpp>

#include "devices/devices.h"
#include "tools/run/commands.h"

namespace hcq::run {
namespace {

nlohmann::json as_json(const DeviceInfo& i) {
  nlohmann::json j{{"address", i.address},
                   {"family", i.family},
                   {"arch", i.arch},
                   {"chip", i.chip},
                   {"memory_bytes", i.memory_bytes},
                   {"compute_units", i.compute_units},
                   {"wave_size", i.wave_size},
                   {"max_block", i.max_block},
                   {"lds_bytes", i.lds_bytes},
                   {"timestamp_mhz", i.timestamp_mhz}};
  j["firmware"] = nlohmann::json::array();
  for (const auto& f : i.firmware)
    j["firmware"].push_back({{"name", f.name}, {"version", f.version}, {"file", f.file}});
  j["boot"] = nlohmann::json::array();
  for (const auto& s : i.boot) j["boot"].push_back({{"step", s.name}, {"milliseconds", s.milliseconds}});
  for (const auto& [key, value] : i.details) j["details"][key] = value;
  return j;
}

void print_table(const DeviceInfo& i) {
  const auto line = [](std::string_view key, const std::string& value) { fmt::print("{:<16} {}\n", key, value); };
  line("device", i.address);
  line("chip", fmt::format("{} ({}, family {})", i.chip, i.arch, i.family));
  line("memory", fmt::format("{:.0f} MiB", static_cast<double>(i.memory_bytes) / (1 << 20)));
  line("compute units", fmt::format("{}, wave size {}", i.compute_units, i.wave_size));
  line("workgroup", fmt::format("at most {} work-items, {} KiB local memory", i.max_block, i.lds_bytes / 1024));
  for (const auto& [key, value] : i.details) line(key, value);
  if (!i.firmware.empty()) fmt::print("firmware\n");
  for (const auto& f : i.firmware) fmt::print("  {:<14} {:<12} {}\n", f.name, f.version, f.file);
  if (i.boot.empty()) return;
  double total = 0;
  fmt::print("boot\n");
  for (const auto& s : i.boot) {
    fmt::print("  {:<24} {:9.3f} ms\n", s.name, s.milliseconds);
    total += s.milliseconds;
  }
  fmt::print("  {:<24} {:9.3f} ms\n", "total", total);
}

}  // namespace

Status info(const InfoOptions& options) {
  auto device = HCQ_TRY(devices::open(options.device.address, {.unbind_kernel_driver = options.device.unbind}));
  if (options.json) fmt::print("{}\n", as_json(device->info()).dump(2));
  else print_table(device->info());
  return device->close();
}

}  // namespace hcq::run
