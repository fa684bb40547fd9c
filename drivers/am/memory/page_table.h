// SPDX-License-Identifier: MIT
// PageTable: builds and takes down the four-level page tables of one VMID. It knows levels, sizes and alignment; the
// bits of an entry come from PageFormat (hal/page_format.h), the memory of the tables from TableMemory, so that it runs
// on VRAM and, in tests, on a vector.
#pragma once

#include <cstdint>
#include <vector>

#include "base/error.h"
#include "drivers/am/hal/page_format.h"

namespace hcq::am {

// Where table pages live. Addresses are VRAM offsets (paddr).
class TableMemory {
 public:
  virtual ~TableMemory() = default;
  virtual Result<std::uint64_t> alloc_page() = 0;  // 4 KiB, zeroed
  virtual void free_page(std::uint64_t paddr) = 0;
  virtual Result<std::uint64_t> read(std::uint64_t paddr) = 0;
  virtual Status write(std::uint64_t paddr, std::uint64_t entry) = 0;
};

// What a walk of the tables ends at.
struct PageWalk {
  bool valid = false;
  unsigned level = 0;         // of the leaf, or where the walk ended: 0 is the root
  std::uint64_t entry = 0;    // raw
  std::uint64_t address = 0;  // physical or bus address of the byte asked for
  std::uint64_t page_bytes = 0;
};

class PageTable {
 public:
  static constexpr unsigned kLevels = 4;
  static constexpr std::uint64_t kPage = 4096, kEntries = 512;

  // `window_base` is the address the root's first entry stands for. `pa_offset` turns a table's paddr into the address
  // that entries hold.
  PageTable(TableMemory& memory, const PageFormat& format, std::uint64_t root_paddr, std::uint64_t window_base,
            std::uint64_t pa_offset);

  // Maps [va, va + bytes) to physically contiguous memory at `address`; all three multiples of 4 KiB. `fragment_run` is
  // the contiguous run that this piece belongs to ([run_va, run_va + run_bytes)); it bounds the fragment field.
  // An entry that is valid already is Errc::internal. After a failure the entries written by this call are gone again.
  Status map(std::uint64_t va, std::uint64_t address, std::uint64_t bytes, const PageAttributes& attributes);
  // Every page of the range must be mapped; huge entries must lie wholly inside it. Frees tables that become empty.
  Status unmap(std::uint64_t va, std::uint64_t bytes);
  Result<PageWalk> walk(std::uint64_t va);

  std::uint64_t root() const { return root_; }
  std::size_t table_pages() const { return pages_; }  // below the root

 private:
  struct Step {
    std::uint64_t table, index;
  };
  static std::uint64_t coverage(unsigned level) { return kPage << (9 * (kLevels - 1 - level)); }
  std::uint64_t index_of(std::uint64_t offset, unsigned level) const { return offset / coverage(level) % kEntries; }
  unsigned leaf_level(std::uint64_t offset, std::uint64_t address, std::uint64_t bytes, bool system) const;
  unsigned fragment(std::uint64_t offset, std::uint64_t address, std::uint64_t start, std::uint64_t bytes) const;

  Result<std::uint64_t> descend(std::uint64_t offset, unsigned leaf, std::uint64_t va);
  Status map_one(std::uint64_t offset, unsigned level, std::uint64_t entry, std::uint64_t va);
  Result<std::uint64_t> unmap_one(std::uint64_t offset, std::uint64_t limit, std::uint64_t va);
  Result<bool> empty(std::uint64_t table);

  TableMemory& memory_;
  const PageFormat& format_;
  std::uint64_t root_, base_, pa_offset_;
  std::size_t pages_ = 0;
};

}  // namespace hcq::am
