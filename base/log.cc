// SPDX-License-Identifier: MIT
#include "base/log.h"

#include <fmt/ranges.h>
#include <unistd.h>

#include <array>
#include <atomic>
#include <cstdlib>

namespace hcq::log {
namespace {

constexpr std::array<std::string_view, 13> kAreaNames{"boot", "mmio",  "pm4", "sdma",    "ih",  "psp",  "smu",
                                                      "mem",  "queue", "isa", "compute", "pci", "model"};
constexpr std::array<std::string_view, 4> kLevelNames{"error", "warn", "info", "debug"};

std::uint32_t parse_areas(std::string_view list) {
  std::uint32_t mask = 0;
  while (!list.empty()) {
    const auto comma = list.find(',');
    const auto word = list.substr(0, comma);
    if (word == "all") mask = ~0u;
    for (std::size_t i = 0; i < kAreaNames.size(); ++i)
      if (word == kAreaNames[i]) mask |= 1u << i;
    list = comma == std::string_view::npos ? std::string_view{} : list.substr(comma + 1);
  }
  return mask;
}

void put_line(std::string line) {
  line += '\n';
  // One write call per line keeps lines of different threads whole; a full or closed stderr is not our error.
  [[maybe_unused]] auto n = ::write(STDERR_FILENO, line.data(), line.size());
}

std::uint32_t areas_from_environment() {
  const char* e = std::getenv("HCQ_TRACE");
  if (!e || !*e) return 0;
  const std::uint32_t mask = parse_areas(e);
  if (mask == 0) put_line(fmt::format("hcq: warn: HCQ_TRACE={}: known are all, {}", e, fmt::join(kAreaNames, ", ")));
  return mask;
}

Level level_from_environment() {
  const char* e = std::getenv("HCQ_LOG");
  for (std::size_t i = 0; e && i < kLevelNames.size(); ++i)
    if (kLevelNames[i] == e) return static_cast<Level>(i);
  if (e && *e) put_line(fmt::format("hcq: warn: HCQ_LOG={}: known are {}", e, fmt::join(kLevelNames, ", ")));
  return Level::warn;
}

std::atomic<std::uint32_t> g_areas{areas_from_environment()};
std::atomic<Level> g_level{level_from_environment()};

}  // namespace

bool enabled(Level level) { return level <= g_level.load(std::memory_order_relaxed); }
bool traced(Area area) { return (g_areas.load(std::memory_order_relaxed) >> static_cast<unsigned>(area)) & 1; }
void set_level(Level level) { g_level = level; }
void set_trace(std::string_view areas) { g_areas = parse_areas(areas); }

void write(Level level, std::string_view text) {
  if (enabled(level)) put_line(fmt::format("hcq: {}: {}", kLevelNames[static_cast<unsigned>(level)], text));
}

void write_trace(Area area, std::string_view text) {
  put_line(fmt::format("hcq: [{}] {}", kAreaNames[static_cast<unsigned>(area)], text));
}

}  // namespace hcq::log
