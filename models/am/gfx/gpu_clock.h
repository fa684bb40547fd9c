// SPDX-License-Identifier: MIT
// The 100 MHz reference clock that timestamps are taken from.
#pragma once

#include <chrono>
#include <cstdint>

namespace hcq::models::am {

inline std::uint64_t gpu_clock() {
  using namespace std::chrono;
  return static_cast<std::uint64_t>(duration_cast<nanoseconds>(steady_clock::now().time_since_epoch()).count()) / 10;
}

}  // namespace hcq::models::am
