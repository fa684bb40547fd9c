// SPDX-License-Identifier: MIT
#include "hcq/metrics.h"

#include <fmt/format.h>

#include <algorithm>
#include <charconv>
#include <cmath>

namespace hcq {

namespace {

constexpr std::size_t kMaxText = 64 << 10, kMaxLine = 512;

bool is_name(std::string_view s) {
  return !s.empty() && s.size() <= 64 && std::all_of(s.begin(), s.end(), [](char c) {
    return (c >= 'a' && c <= 'z') || (c >= '0' && c <= '9') || c == '_';
  });
}

std::string one_line(std::string text) {
  for (char& c : text)
    if (static_cast<unsigned char>(c) < 0x20 || c == 0x7f) c = ' ';
  return text.substr(0, kMaxLine - 16);
}

}  // namespace

std::optional<double> Metrics::get(std::string_view name) const {
  for (const Reading& r : readings)
    if (r.name == name) return r.value;
  return std::nullopt;
}

void Metrics::add_u16(std::string name, std::uint16_t raw, double scale) {
  if (raw != 0xffff) add(std::move(name), raw * scale);
}
void Metrics::add_u32(std::string name, std::uint32_t raw, double scale) {
  if (raw != 0xffffffffu) add(std::move(name), raw * scale);
}
void Metrics::add_percent(std::string name, std::uint32_t raw) {
  if (raw != 0xff && raw != 0xffff && raw != 0xffffffffu) add(std::move(name), std::min<std::uint32_t>(raw, 100));
}

std::string serialize(const Metrics& m) {
  std::string text = "hcq-metrics 1\n";
  for (const auto& r : m.readings) text += fmt::format("{} {}\n", r.name, r.value);
  for (const auto& t : m.throttling) text += "throttling " + one_line(t) + "\n";
  for (const auto& n : m.notes) text += "note " + one_line(n) + "\n";
  return text + "end\n";
}

Result<Metrics> parse_metrics(std::string_view text) {
  const auto bad = [](std::string detail) {
    return Error{.code = Errc::corrupt, .operation = "metrics", .detail = std::move(detail)};
  };
  if (text.size() > kMaxText) return bad("too long");
  Metrics m;
  bool first = true;
  while (!text.empty()) {
    const std::size_t end = text.find('\n');
    if (end == std::string_view::npos || end > kMaxLine) return bad("a line has no end");
    const std::string_view line = text.substr(0, end);
    text.remove_prefix(end + 1);
    if (std::exchange(first, false)) {
      if (line == "hcq-metrics 1") continue;
      return bad("an unknown version of the format");
    }
    if (line == "end") return text.empty() ? Result<Metrics>(std::move(m)) : bad("text after the end");
    const std::size_t blank = line.find(' ');
    if (blank == std::string_view::npos) return bad("a line without a value");
    const std::string_view name = line.substr(0, blank), value = line.substr(blank + 1);
    if (name == "throttling" || name == "note") {
      (name == "note" ? m.notes : m.throttling).push_back(one_line(std::string(value)));
      continue;
    }
    double number = 0;
    const auto [stop, error] = std::from_chars(value.data(), value.data() + value.size(), number);
    if (!is_name(name) || error != std::errc{} || stop != value.data() + value.size() || !std::isfinite(number))
      return bad("a line that is no reading");
    if (m.get(name)) return bad("a reading twice");
    m.add(std::string(name), number);
  }
  return bad("cut off");
}

}  // namespace hcq
