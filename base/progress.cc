// SPDX-License-Identifier: MIT
#include "base/progress.h"

#include <fmt/format.h>
#include <unistd.h>

#include <algorithm>
#include <cstdio>

namespace hcq {

Progress::Progress(std::string title, std::uint64_t total, bool quiet)
    : title_(std::move(title)),
      total_(total),
      draw_(!quiet && ::isatty(STDERR_FILENO)),
      start_(Clock::now()),
      last_(start_) {}

Progress::~Progress() {
  if (draw_) std::fputs("\r\x1b[K", stderr);
}

void Progress::update(std::uint64_t done) {
  const auto now = Clock::now();
  if (!draw_ || (done < total_ && now - last_ < std::chrono::milliseconds(100))) return;
  last_ = now;
  const double seconds = std::chrono::duration<double>(now - start_).count();
  fmt::print(stderr, "\r{}\x1b[K", render(title_, done, total_, seconds, 30));
  std::fflush(stderr);
}

std::string Progress::render(const std::string& title, std::uint64_t done, std::uint64_t total, double seconds,
                             unsigned width) {
  done = std::min(done, total);
  const double part = total ? static_cast<double>(done) / static_cast<double>(total) : 1.0;
  const auto filled = static_cast<unsigned>(part * width);
  const double rate = seconds > 0 ? static_cast<double>(done) / seconds : 0;
  const double left = rate > 0 ? static_cast<double>(total - done) / rate : 0;
  return fmt::format("{} [{:#<{}}{:.<{}}] {:3.0f} % {:.1f} MB/s {:.0f} s left", title, "", filled, "", width - filled,
                     part * 100, rate / 1e6, left);
}

}  // namespace hcq
