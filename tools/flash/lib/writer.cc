// SPDX-License-Identifier: MIT
#include "tools/flash/lib/writer.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>

#include "drivers/spi/abi/nor.h"

namespace hcq::flash {
namespace {

constexpr std::uint32_t kPage = spi::abi::kPageBytes;
constexpr std::uint32_t kReadStep = 64u << 10;
// The chip's first dword is what a boot ROM recognises an image by. A power loss in an erase leaves any mix, also one
// in which the mark is there and what it stands for is not: so the mark is cleared before the first sector is erased,
// and programmed alone, after everything else.
constexpr std::uint32_t kMark = 4;

Error wrong(spi::Nor& nor, const char* operation, std::uint32_t sector, const Difference& d, const char* what) {
  Error e = nor.error(Errc::device_fault, operation, sector + d.offset,
                      fmt::format("{}: {} of {} bytes are wrong", what, d.count, kSector));
  e.expected = d.expected;
  e.actual = d.actual;
  return e;
}

bool blank(Bytes page) {
  return std::ranges::all_of(page, [](std::byte b) { return b == std::byte{0xff}; });
}

Status write_once(spi::Nor& nor, std::uint32_t address, Bytes content) {
  HCQ_TRY(erase_checked(nor, address));
  for (std::uint32_t page = kSector; page > 0;) {
    page -= kPage;
    const std::uint32_t skip = address + page == 0 ? kMark : 0;
    const Bytes data = content.subspan(page + skip, kPage - skip);
    if (!blank(data)) HCQ_TRY(nor.program_page(address + page + skip, data));
  }
  if (address == 0 && !blank(content.first(kMark))) HCQ_TRY(nor.program_page(0, content.first(kMark)));
  std::array<std::byte, kSector> now{};
  HCQ_TRY(nor.read(address, now));
  if (const auto d = compare(content, now))
    return wrong(nor, "flash/program", address, *d, "read back after programming");
  return {};
}

// Whether doing it again can help. A chip that stays busy hears nothing.
bool worth_a_retry(const Error& e) { return e.code == Errc::device_fault; }

}  // namespace

std::optional<Difference> compare(Bytes expected, Bytes actual) {
  std::optional<Difference> d;
  for (std::size_t i = 0; i < expected.size(); ++i) {
    if (expected[i] == actual[i]) continue;
    if (!d)
      d = Difference{.offset = static_cast<std::uint32_t>(i),
                     .count = 0,
                     .expected = std::to_integer<std::uint8_t>(expected[i]),
                     .actual = std::to_integer<std::uint8_t>(actual[i])};
    ++d->count;
  }
  return d;
}

Status erase_checked(spi::Nor& nor, std::uint32_t address) {
  if (address == 0) HCQ_TRY(nor.program_page(0, std::array<std::byte, kMark>{}));
  HCQ_TRY(nor.erase_sector(address));
  std::array<std::byte, kSector> now{}, erased;
  erased.fill(std::byte{0xff});
  HCQ_TRY(nor.read(address, now));
  if (const auto d = compare(erased, now)) return wrong(nor, "flash/erase", address, *d, "not blank after the erase");
  return {};
}

Status write_sector(spi::Nor& nor, std::uint32_t address, Bytes content) {
  for (unsigned n = 1;; ++n) {
    const Status s = write_once(nor, address, content);
    if (s.ok() || n == kTries || !worth_a_retry(s.error())) return s.ok() ? Status() : Status(s.error());
  }
}

Status read_chip(spi::Nor& nor, MutableBytes out, const char* phase, const Progress& progress) {
  for (std::size_t at = 0; at < out.size(); at += kReadStep) {
    HCQ_TRY(
        nor.read(static_cast<std::uint32_t>(at), out.subspan(at, std::min<std::size_t>(kReadStep, out.size() - at))));
    if (progress) progress(phase, std::min<std::size_t>(at + kReadStep, out.size()), out.size());
  }
  return {};
}

}  // namespace hcq::flash
