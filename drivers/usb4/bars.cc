// SPDX-License-Identifier: MIT
#include "drivers/usb4/bars.h"

#include <fmt/format.h>

#include <algorithm>
#include <vector>

#include "drivers/pci/function.h"
#include "drivers/usb4/topology.h"

namespace hcq::usb4 {
namespace {

constexpr std::uint32_t kIo = 1, kType = 6, kType64 = 4, kPrefetchable = 8;

std::uint16_t bar_offset(unsigned i) { return static_cast<std::uint16_t>(pci::kBar0 + 4 * i); }

Result<Bars> size_bars(Bridge& b, Bdf f) {
  Bars bars;
  for (unsigned i = 0; i < 6; ++i) {
    const std::uint16_t at = bar_offset(i);
    HCQ_TRY(b.config_write(f, at, 4, ~0u));
    const std::uint32_t low = HCQ_TRY(b.config_read(f, at, 4));
    if (low == 0 || (low & kIo)) continue;
    Bar& bar = bars[i];
    bar.wide = (low & kType) == kType64 && i < 5;
    bar.prefetchable = low & kPrefetchable;
    std::uint64_t mask = low & ~0xfu;
    if (bar.wide) {
      HCQ_TRY(b.config_write(f, bar_offset(i + 1), 4, ~0u));
      mask |= std::uint64_t{HCQ_TRY(b.config_read(f, bar_offset(i + 1), 4))} << 32;
    } else {
      mask |= 0xffff'ffff'0000'0000ull;
    }
    bar.size = ~mask + 1;
    if (!is_pow2(bar.size))
      return Error{.code = Errc::corrupt,
                   .device = b.name(),
                   .operation = "usb4/assign_bars",
                   .subject = fmt::format("BAR{}", i),
                   .actual = mask,
                   .detail = "the size is no power of two"};
    if (bar.wide) ++i;
  }
  return bars;
}

}  // namespace

Result<Bars> assign_bars(Bridge& b, Bdf f) {
  Bars bars = HCQ_TRY(size_bars(b, f));
  std::vector<unsigned> order;
  for (unsigned i = 0; i < 6; ++i)
    if (bars[i].size) order.push_back(i);
  // Largest first: natural alignment then leaves no holes.
  std::sort(order.begin(), order.end(), [&](unsigned x, unsigned y) { return bars[x].size > bars[y].size; });
  std::uint64_t next64 = kWindow64, next32 = kWindow32;
  for (const unsigned i : order) {
    Bar& bar = bars[i];
    const bool high = bar.wide && bar.prefetchable;
    std::uint64_t& next = high ? next64 : next32;
    bar.address = round_up(next, bar.size);
    if (!high && (bar.size > kWindow32End || bar.address > kWindow32End - bar.size))
      return Error{.code = Errc::no_memory,
                   .device = b.name(),
                   .operation = "usb4/assign_bars",
                   .subject = fmt::format("BAR{}", i),
                   .actual = bar.size,
                   .detail = "the 32-bit window of the bridges is full"};
    next = bar.address + bar.size;
    HCQ_TRY(b.config_write(f, bar_offset(i), 4, lo32(bar.address)));
    if (bar.wide) HCQ_TRY(b.config_write(f, bar_offset(i + 1), 4, hi32(bar.address)));
  }
  return bars;
}

}  // namespace hcq::usb4
