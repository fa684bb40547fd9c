// SPDX-License-Identifier: MIT
#include "drivers/am/flash/checksum.h"

#include <fmt/format.h>
#include <openssl/sha.h>

#include <algorithm>

namespace hcq::am::flash {

// Both sums fit 32 bits for 359 words between two folds.
std::uint32_t fletcher32(Bytes data) {
  constexpr std::size_t kRun = 359 * 2;
  std::uint32_t a = 0xffff, b = 0xffff;
  const auto fold = [](std::uint32_t v) { return (v & 0xffff) + (v >> 16); };
  for (std::size_t at = 0; at < data.size(); at += kRun) {
    const Bytes run = data.subspan(at, std::min(kRun, data.size() - at));
    for (std::size_t i = 0; i < run.size(); i += 2) {
      const auto high = i + 1 < run.size() ? std::to_integer<std::uint32_t>(run[i + 1]) : 0;
      a += std::to_integer<std::uint32_t>(run[i]) | high << 8;
      b += a;
    }
    a = fold(a);
    b = fold(b);
  }
  return fold(b) << 16 | fold(a);
}

std::array<std::byte, 32> sha256(Bytes data) {
  std::array<std::byte, 32> out{};
  SHA256(reinterpret_cast<const unsigned char*>(data.data()), data.size(),
         reinterpret_cast<unsigned char*>(out.data()));
  return out;
}

std::string hex(Bytes data) {
  std::string s;
  for (const std::byte b : data) s += fmt::format("{:02x}", std::to_integer<unsigned>(b));
  return s;
}

}  // namespace hcq::am::flash
