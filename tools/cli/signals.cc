// SPDX-License-Identifier: MIT
#include "tools/cli/signals.h"

#include <fmt/format.h>
#include <unistd.h>

#include <atomic>
#include <csignal>
#include <string>
#include <thread>

#include "drivers/pci/open_functions.h"

namespace hcq::cli {
namespace {

constexpr int kSignals[] = {SIGINT, SIGTERM, SIGHUP};
constexpr unsigned kLimitSeconds = 2;  // config accesses take microseconds; a device or server that hangs gets no more

std::atomic<int> first_signal{0};

const char* name_of(int signal) { return signal == SIGINT ? "SIGINT" : signal == SIGTERM ? "SIGTERM" : "SIGHUP"; }

void say(const std::string& line) { [[maybe_unused]] const auto n = ::write(STDERR_FILENO, line.data(), line.size()); }

// Async-signal-safe.
void give_up(int) {
  constexpr char kLine[] = "interrupted again or for too long: bus mastering may be on still\n";
  [[maybe_unused]] const auto n = ::write(STDERR_FILENO, kLine, sizeof kLine - 1);
  ::_exit(128 + first_signal.load());
}

// From here on the same signals, and the alarm, reach this thread at once, whatever it is doing.
void allow_giving_up(const sigset_t& signals) {
  struct sigaction action{};
  action.sa_handler = give_up;
  for (const int s : kSignals)
    if (sigismember(&signals, s)) ::sigaction(s, &action, nullptr);
  ::sigaction(SIGALRM, &action, nullptr);
  sigset_t mine = signals;
  sigaddset(&mine, SIGALRM);
  pthread_sigmask(SIG_UNBLOCK, &mine, nullptr);
  ::alarm(kLimitSeconds);
}

std::string outcome(const pci::StoppedFunction& f) {
  std::string text = f.status.ok() ? fmt::format("{}: bus mastering is off", f.name)
                                   : fmt::format("bus mastering may be on still: {}", describe(f.status.error()));
  if (!f.note.empty()) text += ", " + f.note;
  return text;
}

[[noreturn]] void watch(const char* program, sigset_t signals) {
  int signal = 0;
  while (sigwait(&signals, &signal) != 0) continue;
  first_signal = signal;
  allow_giving_up(signals);
  std::string line = fmt::format("{}: {}", program, name_of(signal));
  for (const pci::StoppedFunction& f : pci::stop_all_dma()) line += "; " + outcome(f);
  say(line + "\n");
  ::_exit(128 + signal);
}

}  // namespace

void stop_devices_on_signals(const char* program) {
  sigset_t signals;
  sigemptyset(&signals);
  for (const int s : kSignals) {
    struct sigaction now{};
    if (::sigaction(s, nullptr, &now) == 0 && now.sa_handler != SIG_IGN) sigaddset(&signals, s);
  }
  // Every thread inherits this, so that only the one below sees them.
  sigset_t blocked = signals;
  sigaddset(&blocked, SIGALRM);
  pthread_sigmask(SIG_BLOCK, &blocked, nullptr);
  std::thread(watch, program, signals).detach();
}

}  // namespace hcq::cli
