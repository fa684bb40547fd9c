// SPDX-License-Identifier: MIT
#include "tools/model/diff.h"

#include <fmt/format.h>

#include <fstream>
#include <nlohmann/json.hpp>

namespace hcq::model {

namespace {

using nlohmann::json;

Error bad_line(const std::string& path, unsigned line, std::string detail) {
  return Error{.code = Errc::corrupt,
               .operation = "read trace",
               .subject = fmt::format("{}:{}", path, line),
               .detail = std::move(detail)};
}

std::string text(const json& j, const char* key) {
  const auto it = j.find(key);
  if (it == j.end()) return {};
  return it->is_string() ? it->get<std::string>() : it->dump();
}

// "write GRBM_CNTL" where the register has a name, "write BAR0+0x1000/4" where not.
Event register_event(const json& j, const std::string& op, unsigned line) {
  Event e{.line = line};
  const std::string name = text(j, "name");
  if (!name.empty()) e.place = fmt::format("{} {}", op, name);
  else if (j.contains("bar")) e.place = fmt::format("{} BAR{}+{}", op, text(j, "bar"), text(j, "offset"));
  else e.place = fmt::format("{} {}", op, text(j, "offset"));
  for (const char* size : {"size", "bytes"})
    if (j.contains(size) && name.empty()) e.place += "/" + text(j, size);
  e.value = j.contains("hash") ? text(j, "hash") : text(j, "value");
  return e;
}

void add(Trace& t, const json& j, unsigned line) {
  const std::string op = text(j, "op");
  if (op == "dma") {
    t.dma.push_back({.line = line,
                     .place = fmt::format("dma {} {}", text(j, "write") == "true" ? "write" : "read", text(j, "bus")),
                     .value = text(j, "ok") == "true" ? "" : "blocked"});
  } else if (op == "interrupt") {
    t.interrupts.push_back({.line = line, .place = "interrupt " + text(j, "vector")});
  } else if (op == "violation") {
    t.violations.push_back(
        {.line = line, .place = fmt::format("{} at {}", text(j, "rule"), text(j, "where")), .value = text(j, "value")});
  } else {
    Event e = register_event(j, op, line);
    const bool poll = op == "read" && !t.registers.empty() && t.registers.back().place == e.place;
    if (poll) {
      e.polls += t.registers.back().polls;
      t.registers.back() = std::move(e);
    } else {
      t.registers.push_back(std::move(e));
    }
  }
}

// After a mismatch, the nearest pair of positions from which on the two agree again for a few events.
struct Gap {
  std::size_t a = 0, b = 0;
};
Gap resynchronise(const std::vector<Event>& a, std::size_t i, const std::vector<Event>& b, std::size_t j) {
  constexpr std::size_t kReach = 2000, kAgree = 3;
  const std::size_t left_a = a.size() - i, left_b = b.size() - j;
  const auto agree = [&](std::size_t da, std::size_t db) {
    for (std::size_t k = 0; k < kAgree; ++k) {
      if (i + da + k == a.size() && j + db + k == b.size()) return true;
      if (i + da + k >= a.size() || j + db + k >= b.size()) return false;
      if (a[i + da + k].place != b[j + db + k].place) return false;
    }
    return true;
  };
  for (std::size_t distance = 1; distance <= std::min(left_a + left_b, kReach); ++distance)
    for (std::size_t da = 0; da <= std::min(distance, left_a); ++da)
      if (distance - da <= left_b && agree(da, distance - da)) return {da, distance - da};
  return {left_a, left_b};
}

void print(const char* what, const std::vector<Event>& a, const std::vector<Event>& b,
           const std::vector<Difference>& all, unsigned limit, std::FILE* out) {
  fmt::print(out, "{}: {} in A, {} in B, {} differences\n", what, a.size(), b.size(), all.size());
  const auto side = [](const Event& e) {
    return fmt::format("line {}: {}{}{}", e.line, e.place, e.value.empty() ? "" : " = ", e.value);
  };
  for (std::size_t i = 0; i < all.size() && i < limit; ++i) {
    const Difference& d = all[i];
    if (d.a && d.b) fmt::print(out, "  differs  A {}\n           B {}\n", side(*d.a), side(*d.b));
    else fmt::print(out, "  only in {} {}\n", d.a ? "A" : "B", side(d.a ? *d.a : *d.b));
  }
  if (all.size() > limit) fmt::print(out, "  and {} more\n", all.size() - limit);
}

}  // namespace

Result<Trace> read_trace(const std::string& path) {
  std::ifstream in(path);
  if (!in) return Error{.code = Errc::not_found, .operation = "read trace", .subject = path};
  Trace t;
  unsigned number = 0;
  for (std::string line; std::getline(in, line);) {
    ++number;
    const json j = json::parse(line, nullptr, false);
    if (!j.is_object() || !j.contains("op")) return bad_line(path, number, "not an event of a trace");
    add(t, j, number);
  }
  return t;
}

std::vector<Difference> compare(const std::vector<Event>& a, const std::vector<Event>& b) {
  std::vector<Difference> all;
  std::size_t i = 0, j = 0;
  while (i < a.size() || j < b.size()) {
    if (i < a.size() && j < b.size() && a[i].place == b[j].place) {
      if (a[i].value != b[j].value) all.push_back({&a[i], &b[j]});
      ++i, ++j;
      continue;
    }
    const Gap g = resynchronise(a, i, b, j);
    for (std::size_t k = 0; k < g.a; ++k) all.push_back({&a[i + k], nullptr});
    for (std::size_t k = 0; k < g.b; ++k) all.push_back({nullptr, &b[j + k]});
    i += g.a;
    j += g.b;
  }
  return all;
}

Result<bool> diff(const std::string& a, const std::string& b, unsigned limit, std::FILE* out) {
  const Trace ta = HCQ_TRY(read_trace(a)), tb = HCQ_TRY(read_trace(b));
  bool same = true;
  const auto kind = [&](const char* what, const std::vector<Event>& x, const std::vector<Event>& y) {
    const auto all = compare(x, y);
    print(what, x, y, all, limit, out);
    same = same && all.empty();
  };
  kind("registers", ta.registers, tb.registers);
  kind("DMA pages", ta.dma, tb.dma);
  kind("interrupts", ta.interrupts, tb.interrupts);
  kind("violations", ta.violations, tb.violations);
  return same;
}

}  // namespace hcq::model
