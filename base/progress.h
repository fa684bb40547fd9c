// SPDX-License-Identifier: MIT
// A progress bar on stderr with rate and time left; silent when stderr is no terminal or when told to be.
#pragma once

#include <cstdint>
#include <string>

#include "base/deadline.h"

namespace hcq {

class Progress {
 public:
  // `total` in bytes. Nothing is drawn unless stderr is a terminal and `quiet` is false.
  Progress(std::string title, std::uint64_t total, bool quiet = false);
  ~Progress();
  Progress(const Progress&) = delete;
  Progress& operator=(const Progress&) = delete;

  void update(std::uint64_t done);  // redraws at most ten times a second
  static std::string render(const std::string& title, std::uint64_t done, std::uint64_t total, double seconds,
                            unsigned width);

 private:
  std::string title_;
  std::uint64_t total_;
  bool draw_;
  Clock::time_point start_, last_;
};

}  // namespace hcq
