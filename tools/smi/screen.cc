// SPDX-License-Identifier: MIT
#include "tools/smi/screen.h"

#include <fmt/format.h>
// Functions instead of macros with names like erase and timeout.
#define NCURSES_NOMACROS 1
#include <ncurses.h>

#include <algorithm>
#include <chrono>
#include <clocale>
#include <deque>
#include <map>

#include "tools/smi/lib/known.h"
#include "tools/smi/lib/sample.h"

namespace hcq::smi {

namespace {

constexpr std::size_t kHistory = 240;
constexpr int kWarm = 80, kHot = 87;  // degrees Celsius, for colours only
enum Colour : short { kPlain = 0, kGood = 1, kMiddle = 2, kBad = 3, kDim = 4 };
enum class Sort { address, power, load, temperature };

// Owns the terminal.
class Terminal {
 public:
  Terminal() {
    std::setlocale(LC_ALL, "");
    ok_ = ::newterm(nullptr, stdout, stdin) != nullptr;
    if (!ok_) return;
    ::raw(), ::noecho(), ::keypad(stdscr, true), ::curs_set(0);
    if (!::has_colors()) return;
    ::start_color(), ::use_default_colors();
    ::init_pair(kGood, COLOR_GREEN, -1), ::init_pair(kMiddle, COLOR_YELLOW, -1);
    ::init_pair(kBad, COLOR_RED, -1), ::init_pair(kDim, COLOR_CYAN, -1);
  }
  ~Terminal() {
    if (ok_) ::endwin();
  }
  Terminal(const Terminal&) = delete;
  Terminal& operator=(const Terminal&) = delete;
  bool ok() const { return ok_; }

 private:
  bool ok_ = false;
};

struct View {
  Sort sort = Sort::address;
  bool paused = false;
  std::size_t only = 0;  // 0: all devices; n: the n-th by address
};

void put_text(int y, int x, const std::string& text, Colour colour = kPlain) {
  if (y < 0 || y >= LINES || x >= COLS) return;
  ::attron(COLOR_PAIR(colour));
  ::mvaddnstr(y, x, text.c_str(), COLS - x);
  ::attroff(COLOR_PAIR(colour));
}

// "[#####.....]  50%"
std::string bar(std::optional<double> percent, int width) {
  if (!percent) return "[" + std::string(static_cast<std::size_t>(width), ' ') + "]  N/A";
  const int full = std::clamp(static_cast<int>(*percent / 100 * width + 0.5), 0, width);
  return fmt::format("[{}{}] {:3.0f}%", std::string(static_cast<std::size_t>(full), '#'),
                     std::string(static_cast<std::size_t>(width - full), '.'), *percent);
}

// One character a look, in ASCII so that every terminal shows it.
std::string sparkline(const std::deque<double>& history, int width) {
  constexpr std::string_view kLevels = " .:-=+*#%@";
  std::string text;
  const std::size_t n = std::min(history.size(), static_cast<std::size_t>(std::max(width, 0)));
  for (std::size_t i = history.size() - n; i < history.size(); ++i)
    text += kLevels[static_cast<std::size_t>(std::clamp(history[i], 0.0, 99.9) / 10)];
  return text;
}

Colour heat(std::optional<double> celsius) {
  if (!celsius) return kPlain;
  return *celsius >= kHot ? kBad : *celsius >= kWarm ? kMiddle : kGood;
}

std::optional<double> memory_percent(const Sample& s) {
  const auto used = s.metrics.get("memory_used_bytes"), total = s.metrics.get("memory_total_bytes");
  if (!used || !total || *total <= 0) return std::nullopt;
  return std::min(100.0, 100 * *used / *total);
}

std::string power_text(const Sample& s) {
  const bool average = s.metrics.get("power_average_w").has_value();
  return average ? cell(s, "power_average_w", "{:.0f}W") : cell(s, "power_instant_w", "{:.0f}W now");
}

double sort_key(const Sample& s, Sort sort) {
  const char* name = sort == Sort::power  ? "power_average_w"
                     : sort == Sort::load ? "utilization_gfx_percent"
                                          : "temperature_edge_c";
  return s.metrics.get(name).value_or(-1);
}

class Screen {
 public:
  explicit Screen(Arguments& a) : a_(a) {}

  int run() {
    auto look = take_look(a_.host, a_.selection);
    if (!look.ok()) return fail(a_, look.error());
    const Terminal terminal;
    if (!terminal.ok())
      return fail(a_, {.code = Errc::unsupported,
                       .operation = "monitor",
                       .detail = "the terminal cannot be driven",
                       .hint = "set TERM, or use --count"});
    remember(*look);
    auto next = std::chrono::steady_clock::now();
    for (;;) {
      draw(*look);
      next += std::chrono::duration_cast<std::chrono::steady_clock::duration>(
          std::chrono::duration<double>(a_.interval_seconds));
      if (!keys_until(next, *look)) return kOk;
      if (view_.paused) continue;
      auto fresh = take_look(a_.host, a_.selection);
      if (fresh.ok()) look = std::move(fresh);
      if (fresh.ok()) remember(*look);
    }
  }

 private:
  void remember(const Look& look) {
    for (const Sample& s : look.samples) {
      auto& h = history_[s.target.address()];
      h.push_back(s.metrics.get("utilization_gfx_percent").value_or(0));
      if (h.size() > kHistory) h.pop_front();
    }
  }

  // False: the user wants to leave.
  bool keys_until(std::chrono::steady_clock::time_point end, const Look& look) {
    for (;;) {
      const auto left = std::chrono::ceil<std::chrono::milliseconds>(end - std::chrono::steady_clock::now()).count();
      if (left <= 0) return true;
      ::timeout(static_cast<int>(left));
      switch (::getch()) {
        case ERR:
          continue;
        case 'q':
        case 3:  // Ctrl-C: the terminal is put back first
        case 27:
          return false;
        case 'p':
        case ' ':
          view_.paused = !view_.paused;
          break;
        case 's':
          view_.sort = static_cast<Sort>((static_cast<int>(view_.sort) + 1) % 4);
          break;
        case 'f':
          view_.only = (view_.only + 1) % (look.samples.size() + 1);
          break;
        case '+':
          a_.interval_seconds = std::min(60.0, a_.interval_seconds * 2);
          break;
        case '-':
          a_.interval_seconds = std::max(0.25, a_.interval_seconds / 2);
          break;
        default:
          break;
      }
      draw(look);
    }
  }

  void draw(const Look& look) {
    ::erase();
    const char* sorts[] = {"address", "power", "load", "temperature"};
    put_text(0, 0,
             fmt::format("hcq-smi monitor  {} devices  every {} s  sort {}{}", look.samples.size(), a_.interval_seconds,
                         sorts[static_cast<int>(view_.sort)], view_.paused ? "  PAUSED" : ""));
    std::vector<const Sample*> shown;
    for (std::size_t i = 0; i < look.samples.size(); ++i)
      if (view_.only == 0 || view_.only == i + 1) shown.push_back(&look.samples[i]);
    if (view_.sort != Sort::address)
      std::sort(shown.begin(), shown.end(), [&](const Sample* l, const Sample* r) {
        const double left = sort_key(*l, view_.sort), right = sort_key(*r, view_.sort);
        return left != right ? left > right : l->target.address() < r->target.address();
      });
    int y = 1;
    for (const Sample* s : shown) {
      if (y + 2 >= LINES) break;
      y = block(*s, y);
    }
    if (shown.empty()) put_text(2, 0, "No device that hcq knows.");
    put_text(LINES - 1, 0, "q quit  p pause  s sort  f filter  + - interval", kDim);
    ::refresh();
  }

  // Returns the first line below.
  int block(const Sample& s, int y) {
    const pci::FunctionInfo& f = s.target.info;
    put_text(y, 0, std::string(static_cast<std::size_t>(COLS), '-'), kDim);
    put_text(
        y++, 2,
        fmt::format(" {}  {}  {} ", s.target.address(), f.identity.vendor ? chip_of(f) : "model", s.metrics.source));
    if (s.metrics.readings.empty()) {
      put_text(y++, 2, s.metrics.notes.empty() ? "nothing is reported" : printable(s.metrics.notes[0]), kDim);
      return y;
    }
    const int width = std::clamp(COLS / 5, 10, 40);
    const auto load = s.metrics.get("utilization_gfx_percent");
    put_text(y, 2, "GFX " + bar(load, width));
    put_text(y++, width + 16, sparkline(history_[s.target.address()], COLS - width - 18), kDim);
    put_text(y, 2, "MEM " + bar(s.metrics.get("utilization_memory_percent"), width));
    put_text(y++, width + 16, "VRAM " + bar(memory_percent(s), width) + " " + memory_cell(s));
    put_text(y, 2,
             fmt::format("temp {} edge  {} hotspot  {} memory", cell(s, "temperature_edge_c", "{:.0f}C"),
                         cell(s, "temperature_hotspot_c", "{:.0f}C"), cell(s, "temperature_memory_c", "{:.0f}C")),
             heat(s.metrics.get("temperature_hotspot_c")));
    put_text(y++, 46,
             fmt::format("power {} of {}  fan {} {}", power_text(s), cell(s, "power_cap_w", "{:.0f}W"),
                         cell(s, "fan_percent", "{:.0f}%"), cell(s, "fan_rpm", "{:.0f}rpm")));
    std::string clocks = "clocks";
    for (const auto& r : s.metrics.readings)
      if (r.name.starts_with("clock_") && r.name.ends_with("_mhz") && r.value != 0)
        clocks += fmt::format(" {} {:.0f}", r.name.substr(6, r.name.size() - 10), r.value);
    put_text(y++, 2, clocks + " MHz");
    put_text(y, 2, "throttle " + throttle_cell(s), s.metrics.throttling.empty() ? kGood : kBad);
    put_text(y++, 46,
             fmt::format("pcie x{} {}", cell(s, "pcie_link_width_lanes", "{:.0f}"),
                         cell(s, "pcie_link_speed_gts", "{:.1f}GT/s")));
    if (f.holder) put_text(y++, 2, printable(describe(*f.holder)));
    return y;
  }

  Arguments& a_;
  View view_;
  std::map<std::string, std::deque<double>> history_;
};

}  // namespace

int run_screen(Arguments& a) { return Screen(a).run(); }

}  // namespace hcq::smi
