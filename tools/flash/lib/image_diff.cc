// SPDX-License-Identifier: MIT
#include "tools/flash/lib/image_diff.h"

#include <algorithm>
#include <array>
#include <cassert>
#include <string_view>

#include "drivers/am/flash/ifwi.h"

namespace hcq::flash {
namespace {

using am::flash::Region;

// The named regions and what lies between them.
std::vector<Region> all_parts(Bytes image) {
  std::vector<Region> parts;
  std::uint32_t at = 0;
  const auto gap_to = [&](std::uint32_t end) {
    if (end > at) parts.push_back({"unnamed", at, end - at});
  };
  for (const Region& r : am::flash::parse_ifwi(image).regions) {
    gap_to(r.offset);
    parts.push_back(r);
    at = r.offset + r.size;
  }
  gap_to(static_cast<std::uint32_t>(image.size()));
  return parts;
}

bool is_note(const std::string& name) { return name == "update_metadata" || name == "ish_a" || name == "ish_b"; }

// The copy that a region belongs to: 'a', 'b' or 0.
char copy_of(const std::string& name) {
  for (const std::string_view kind : {"psp_", "descriptor_", "slot_"})
    if (name.starts_with(kind)) return name.back();
  return 0;
}

}  // namespace

bool ImageDifference::only_expected() const { return std::ranges::all_of(regions, &RegionDifference::expected); }

ImageDifference compare_images(Bytes a, Bytes b, bool after_update) {
  assert(a.size() == b.size());
  ImageDifference d;
  std::array<bool, 2> copy_differs{};
  for (const Region& r : all_parts(a)) {
    RegionDifference x{.name = r.name, .offset = r.offset, .size = r.size};
    for (std::uint32_t i = r.offset; i < r.offset + r.size; ++i) {
      if (a[i] == b[i]) continue;
      if (x.count++ == 0) x.first = i;
    }
    if (x.count == 0) continue;
    if (const char copy = copy_of(r.name)) copy_differs[copy == 'b'] = true;
    d.bytes += x.count;
    d.regions.push_back(x);
  }
  if (after_update)
    for (RegionDifference& x : d.regions)
      x.expected = is_note(x.name) || (copy_of(x.name) && !(copy_differs[0] && copy_differs[1]));
  return d;
}

}  // namespace hcq::flash
