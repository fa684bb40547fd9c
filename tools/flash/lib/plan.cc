// SPDX-License-Identifier: MIT
#include "tools/flash/lib/plan.h"

#include <algorithm>
#include <array>
#include <cassert>

#include "drivers/am/abi/ifwi.h"

namespace hcq::flash {
namespace {

namespace f = am::abi::ifwi;

// Written after all others, in this order.
constexpr std::array<std::uint32_t, 6> kLate{f::kIsh[1],          f::kIsh[0],     f::kPspDirectory[1],
                                             f::kPspDirectory[0], f::kSgnPointer, f::kEfsOffset};

std::size_t rank(std::uint32_t sector) {
  const auto it = std::ranges::find(kLate, sector);
  return it == kLate.end() ? 0 : static_cast<std::size_t>(it - kLate.begin()) + 1;
}

}  // namespace

std::vector<std::uint32_t> differing_sectors(Bytes a, Bytes b) {
  assert(a.size() == b.size() && a.size() % kSector == 0);
  std::vector<std::uint32_t> found;
  for (std::uint32_t at = 0; at < a.size(); at += kSector)
    if (!std::ranges::equal(a.subspan(at, kSector), b.subspan(at, kSector))) found.push_back(at);
  return found;
}

std::vector<std::uint32_t> write_order(std::vector<std::uint32_t> sectors) {
  if (sectors.empty()) return sectors;
  if (std::ranges::find(sectors, 0u) == sectors.end()) sectors.push_back(0);
  std::ranges::sort(sectors,
                    [](std::uint32_t a, std::uint32_t b) { return rank(a) != rank(b) ? rank(a) < rank(b) : a < b; });
  return sectors;
}

}  // namespace hcq::flash
