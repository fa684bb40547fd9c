// SPDX-License-Identifier: MIT
// Hands out ranges of I/O virtual addresses, first fit.
#pragma once

#include <cstdint>
#include <map>
#include <optional>
#include <vector>

namespace hcq::pci {

struct IovaRange {
  std::uint64_t start = 0, end = 0;  // both inclusive, as VFIO reports them
};

class IovaAllocator {
 public:
  // `usable`: what the IOMMU translates; ranges are cut to addresses of at most `bits` bits. Addresses below 4 GiB are
  // used only when there are no others: a device behind the same switch could claim them as its 32-bit BAR.
  IovaAllocator(const std::vector<IovaRange>& usable, unsigned bits);

  // `alignment` is a power of two. nullopt when there is no room.
  std::optional<std::uint64_t> take(std::uint64_t bytes, std::uint64_t alignment);
  void give(std::uint64_t start, std::uint64_t bytes);  // exactly what take() returned

  std::uint64_t free_bytes() const;

 private:
  std::map<std::uint64_t, std::uint64_t> free_;  // start -> bytes; neighbours are always merged
};

}  // namespace hcq::pci
