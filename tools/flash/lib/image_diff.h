// SPDX-License-Identifier: MIT
// Where two images differ, by the parts that the first one is made of.
#pragma once

#include <string>
#include <vector>

#include "base/bytes.h"

namespace hcq::flash {

struct RegionDifference {
  std::string name{};  // of the region, or "unnamed"
  std::uint32_t offset = 0, size = 0;
  std::uint32_t first = 0, count = 0;  // offset of the first byte that differs, and how many do; 0: none
  bool expected = false;               // what an update by the firmware leaves different
};

struct ImageDifference {
  std::vector<RegionDifference> regions{};  // that differ, by offset
  std::uint64_t bytes = 0;
  bool only_expected() const;
};

// Equal sizes. `after_update`: the second one is the flash after ifwi-all, in which the firmware itself changed the
// update metadata and slot headers, and one copy may still be the old one.
ImageDifference compare_images(Bytes a, Bytes b, bool after_update);

}  // namespace hcq::flash
