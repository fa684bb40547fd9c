// SPDX-License-Identifier: MIT
// PageTable: builds and takes down the four-level page tables of one VMID. It knows levels, sizes and alignment; the
// bits of an entry come from PageFormat (hal/page_format.h), the memory of the tables from TableMemory, so that it runs
// on VRAM and, in tests, on a vector. A host copy of every table spares reading VRAM back over the bus.
//
// Changes are visible to the GPU only after an HDP flush and TLB flush, which are the caller's.
#pragma once

#include <array>
#include <cstdint>
#include <memory>
#include <span>
#include <unordered_map>

#include "base/error.h"
#include "drivers/am/hal/page_format.h"

namespace hcq::am {

// Where table pages live. Addresses are VRAM offsets (paddr).
class TableMemory {
 public:
  virtual ~TableMemory() = default;
  virtual Result<std::uint64_t> alloc_page() = 0;  // 4 KiB, zeroed
  virtual void free_page(std::uint64_t paddr) = 0;
  virtual Status write(std::uint64_t paddr, std::span<const std::uint64_t> entries) = 0;
};

// What an address translates to.
struct PageWalk {
  bool valid = false;
  unsigned level = 0;         // of the leaf, or where the walk ended: 0 is the root
  std::uint64_t entry = 0;    // raw
  std::uint64_t address = 0;  // physical or bus address of the byte asked for
  std::uint64_t page_bytes = 0;
};

class PageTable {
 public:
  static constexpr unsigned kLevels = abi::page_table::kLevels;
  static constexpr std::uint64_t kPage = abi::page_table::kTableBytes, kEntries = abi::page_table::kEntries;

  // The root table at `root_paddr` must be zero. Its first entry stands for the address `window_base`. `pa_offset`
  // turns a table's paddr into the address that entries hold.
  PageTable(TableMemory& memory, const PageFormat& format, std::uint64_t root_paddr, std::uint64_t window_base,
            std::uint64_t pa_offset);

  // Maps [va, va + bytes) to contiguous memory at `address`; all three are multiples of 4 KiB. Uses the largest pages
  // that both addresses are aligned to (host memory always 4 KiB). An entry that is valid already is Errc::internal.
  // After a failure nothing of this call stays mapped.
  Status map(std::uint64_t va, std::uint64_t address, std::uint64_t bytes, const PageAttributes& attributes);
  // Every page of the range must be mapped, and huge entries must lie wholly inside it. Frees tables that become empty.
  Status unmap(std::uint64_t va, std::uint64_t bytes);
  PageWalk walk(std::uint64_t va) const;

  std::size_t table_pages() const { return tables_.size() - 1; }  // below the root

 private:
  struct Table {
    std::array<std::uint64_t, kEntries> entries{};
    unsigned used = 0;
  };
  struct Piece {
    unsigned level;
    std::uint64_t count;  // consecutive entries of one table
  };
  static constexpr std::uint64_t coverage(unsigned level) { return kPage << (9 * (kLevels - 1 - level)); }
  static std::uint64_t index_of(std::uint64_t offset, unsigned level) { return offset / coverage(level) % kEntries; }
  static Piece next_piece(std::uint64_t offset, std::uint64_t address, std::uint64_t bytes, bool system);
  static unsigned fragment(std::uint64_t offset, std::uint64_t address, std::uint64_t start, std::uint64_t end);

  Status map_pieces(std::uint64_t va, std::uint64_t address, std::uint64_t bytes, const PageAttributes& attributes,
                    std::uint64_t& done);
  // The table that holds entries of `level` for `offset`, made where missing.
  Result<std::uint64_t> table_at(std::uint64_t offset, unsigned level, std::uint64_t va);
  Result<std::uint64_t> unmap_piece(std::uint64_t offset, std::uint64_t bytes, std::uint64_t va);
  Status set(std::uint64_t table, std::uint64_t index, std::span<const std::uint64_t> entries);
  Error error(std::uint64_t va, std::string detail) const;

  TableMemory& memory_;
  const PageFormat& format_;
  std::uint64_t root_, base_, pa_offset_;
  std::unordered_map<std::uint64_t, std::unique_ptr<Table>> tables_;  // by paddr, the root included
};

}  // namespace hcq::am
