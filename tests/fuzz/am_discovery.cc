// SPDX-License-Identifier: MIT
// Fuzzes the parser of AMD's IP discovery table. The sums are put right first, so that the fuzzer gets past them.
#include <cstdint>
#include <cstdlib>
#include <cstring>
#include <vector>

#include "drivers/am/abi/discovery.h"
#include "drivers/am/discovery.h"

namespace {

std::uint16_t sum(const std::vector<std::byte>& b, std::size_t at, std::size_t n) {
  std::uint16_t s = 0;
  for (std::size_t i = at; i < at + n && i < b.size(); ++i)
    s = static_cast<std::uint16_t>(s + std::to_integer<unsigned>(b[i]));
  return s;
}

void fix_sums(std::vector<std::byte>& b) {
  namespace ad = hcq::am::abi::discovery;
  ad::BinaryHeader h;
  if (b.size() < sizeof(h)) return;
  std::memcpy(&h, b.data(), sizeof(h));
  h.binary_signature = ad::BINARY_SIGNATURE;
  h.binary_size = static_cast<std::uint16_t>(b.size());
  for (ad::TableInfo& t : h.table_list) t.checksum = sum(b, t.offset, t.size);
  std::memcpy(b.data(), &h, sizeof(h));
  h.binary_checksum = sum(b, 10, b.size() - 10);
  std::memcpy(b.data(), &h, sizeof(h));
}

}  // namespace

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  using namespace hcq;
  if (size > 0xffff) return 0;
  const auto* first = reinterpret_cast<const std::byte*>(data);
  std::vector<std::byte> table(first, first + size);
  (void)am::parse_discovery(table, "fuzz");
  fix_sums(table);
  const auto d = am::parse_discovery(table, "fuzz");
  if (!d.ok()) return 0;
  if (d->gfx.compute_units == 0) std::abort();
  if (am::chip_info(*d, 0x744c, 1ull << 30).ok()) (void)am::regs::RegisterMap::build(d->blocks);
  return 0;
}
