// SPDX-License-Identifier: MIT
#include "drivers/am/memory/boot_layout.h"

#include <fmt/format.h>

#include <algorithm>

#include "base/bytes.h"

namespace hcq::am {

namespace {

constexpr std::uint64_t kKiB = 1024, kMiB = 1024 * kKiB;

class Placer {
 public:
  Region take(std::uint64_t bytes, std::uint64_t align = 4 * kKiB) {
    const std::uint64_t at = round_up(next_, align);
    next_ = at + bytes;
    return {at, bytes};
  }
  std::uint64_t end() const { return next_; }

 private:
  std::uint64_t next_ = 0;
};

// What the PSP of the supported chips asks for at most; the real need comes from its LOAD_TOC answer.
constexpr std::uint64_t kTmrReserve = 0x1300000;

}  // namespace

Result<BootLayout> make_boot_layout(const LayoutInput& in) {
  BootLayout l;
  Placer p;
  l.root_table = p.take(4 * kKiB);
  l.scratch_page = p.take(4 * kKiB);
  l.dummy_page = p.take(4 * kKiB);
  for (auto& ih : l.ih) {
    ih.ring = p.take(256 * kKiB);
    ih.writeback = p.take(4 * kKiB);
  }
  l.psp_message = p.take(kMiB, kMiB);
  l.psp_command = p.take(4 * kKiB);
  l.psp_fence = p.take(4 * kKiB);
  l.psp_ring = p.take(64 * kKiB);
  l.tmr = p.take(kTmrReserve, kMiB);
  l.smu_table = p.take(16 * kKiB);
  for (Region& mqd : l.mqd) mqd = p.take(4 * kKiB * in.xcc_count);
  l.end = p.end();
  assert(l.end <= kBootAreaBytes);

  const bool small_bar = in.visible_bytes < in.vram_bytes;
  std::uint64_t general = kBootAreaBytes;
  if (small_bar) {
    // The host writes page tables through BAR 0, so they must lie in its reach.
    l.tables = {kBootAreaBytes, round_up(in.vram_bytes / 512, kMiB)};
    general = l.tables.end();
    if (l.tables.end() > in.visible_bytes)
      return Error{.code = Errc::unsupported,
                   .operation = "memory/layout",
                   .subject = "BAR 0",
                   .expected = l.tables.end(),
                   .actual = in.visible_bytes,
                   .detail = "too small: boot area and page tables do not fit into it",
                   .hint = "enable Resizable BAR in the firmware setup"};
  }
  if (in.vram_bytes < general + in.top_reserve + kMiB)
    return Error{.code = Errc::unsupported,
                 .operation = "memory/layout",
                 .subject = "VRAM",
                 .actual = in.vram_bytes,
                 .detail = fmt::format("too small: {} MiB at the start and {} MiB at the end are reserved",
                                       general / kMiB, in.top_reserve / kMiB)};
  l.general = {general, in.vram_bytes - in.top_reserve - general};
  return l;
}

}  // namespace hcq::am
