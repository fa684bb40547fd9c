// SPDX-License-Identifier: MIT
// Page-table entries of one generation: builds and reads them from the layout in abi/page_table.h. Chosen once at open.
#pragma once

#include <cstdint>

#include "drivers/am/abi/page_table.h"
#include "drivers/am/chip.h"

namespace hcq::am {

// What a mapping allows and how it is cached.
struct PageAttributes {
  bool system = false;    // host memory: bus address, snooped
  bool uncached = false;  // MTYPE UC
  bool execute = true;
};

class PageFormat {
 public:
  explicit constexpr PageFormat(const abi::page_table::Format& format) : f_(format) {}

  // `level` counts from the root: 0 is PDB2, 3 is PTB. `fragment` is log2 of the contiguous 4 KiB pages around it.
  std::uint64_t leaf(std::uint64_t address, const PageAttributes& attributes, unsigned level, unsigned fragment) const;
  // An entry at `level` that points to the table at `address`.
  std::uint64_t table(std::uint64_t address, unsigned level) const;
  bool is_leaf(std::uint64_t entry, unsigned level) const;
  std::uint64_t address(std::uint64_t entry, unsigned level) const;
  static bool valid(std::uint64_t entry) { return entry & abi::page_table::kValid; }
  unsigned address_bits() const { return f_.address_bits; }

 private:
  const abi::page_table::Format& f_;
};

const PageFormat& page_format(Generation generation);

}  // namespace hcq::am
