// SPDX-License-Identifier: MIT
// Log lines and per-area trace, both on stderr. HCQ_LOG=error|warn|info|debug sets the level (default warn);
// HCQ_TRACE=boot,pm4,mmio switches areas on ("all" switches on every one). Thread-safe: a line is written whole.
#pragma once

#include <fmt/format.h>

#include <cstdint>
#include <string_view>

namespace hcq::log {

enum class Level : std::uint8_t { error, warn, info, debug };

// The areas that can be traced. One bit each, read once from the environment.
enum class Area : std::uint8_t { boot, mmio, pm4, sdma, ih, psp, smu, mem, queue, isa, compute, pci, model };

bool enabled(Level level);
bool traced(Area area);

void set_level(Level level);
void set_trace(std::string_view comma_separated_areas);  // replaces what the environment said

void write(Level level, std::string_view text);
void write_trace(Area area, std::string_view text);

template <class... A>
void error(fmt::format_string<A...> f, A&&... a) {
  write(Level::error, fmt::format(f, std::forward<A>(a)...));
}
template <class... A>
void warn(fmt::format_string<A...> f, A&&... a) {
  if (enabled(Level::warn)) write(Level::warn, fmt::format(f, std::forward<A>(a)...));
}
template <class... A>
void info(fmt::format_string<A...> f, A&&... a) {
  if (enabled(Level::info)) write(Level::info, fmt::format(f, std::forward<A>(a)...));
}
template <class... A>
void debug(fmt::format_string<A...> f, A&&... a) {
  if (enabled(Level::debug)) write(Level::debug, fmt::format(f, std::forward<A>(a)...));
}
template <class... A>
void trace(Area area, fmt::format_string<A...> f, A&&... a) {
  if (traced(area)) write_trace(area, fmt::format(f, std::forward<A>(a)...));
}

}  // namespace hcq::log
