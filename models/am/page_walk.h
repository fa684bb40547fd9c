// SPDX-License-Identifier: MIT
// The page table walker of a memory hub: reads directory and table entries in VRAM and turns a virtual page into a
// physical one, or says which check failed. What an entry must look like is in drivers/am/abi/page_table.h.
#pragma once

#include <cstdint>
#include <functional>
#include <optional>

#include "drivers/am/abi/page_table.h"
#include "models/am/chip.h"

namespace hcq::models::am {

namespace pt = hcq::am::abi::page_table;

// One context (address space) as the hub's registers describe it.
struct VmContext {
  bool enabled = false;
  unsigned depth = 0;                // directory levels above the page table
  unsigned block_size = 0;           // PTB entries are 2^(9 + block_size)
  std::uint64_t base = 0;            // PAGE_TABLE_BASE_ADDR
  std::uint64_t start = 0, end = 0;  // first and last virtual page number
};

// WALKER_ERROR of the fault status register.
enum class WalkerError : std::uint8_t { none = 0, range = 1, pde0 = 2, pde1 = 3, pde2 = 4 };

struct WalkResult {
  // A translation, when `fault` is false.
  std::uint64_t entry = 0;     // the leaf entry
  std::uint64_t entry_at = 0;  // its offset in VRAM
  std::uint64_t physical = 0;  // of the 4 KiB page: VRAM offset, or bus address when `system`
  bool system = false;
  unsigned leaf_shift = 12;   // log2 of what one such entry maps
  unsigned reach_shift = 12;  // log2 of the aligned range that the fragment lets a TLB serve with this entry

  bool fault = false;
  WalkerError walker_error = WalkerError::none;
  bool mapping_error = false;  // an entry points nowhere
};

class PageWalker {
 public:
  PageWalker(Chip& chip, const pt::Format& format, std::string_view hub) : chip_(chip), format_(format), hub_(hub) {}

  // `fb_offset`: what to take from an address with SYSTEM = 0 to get an offset in VRAM. Broken rules are reported; the
  // result is what silicon would make of it.
  WalkResult walk(const VmContext& context, std::uint64_t va, std::uint64_t fb_offset) const;

  // Calls `visit(table's VRAM offset, level)` for every table that can be reached, at most `limit` of them.
  void tables(const VmContext& context, std::uint64_t fb_offset, std::size_t limit,
              const std::function<void(std::uint64_t, pt::Level)>& visit) const;

  // An entry as it is in memory now.
  std::uint64_t load(std::uint64_t vram_offset) const;
  // VRAM offset of an entry's address; nothing when it lies outside.
  std::optional<std::uint64_t> local(std::uint64_t physical, std::uint64_t size, std::uint64_t fb_offset) const;

 private:
  void check_leaf(const WalkResult& r, std::uint64_t va, pt::Level level) const;
  void check_directory(std::uint64_t entry, std::uint64_t va, pt::Level level) const;
  unsigned reach(const WalkResult& r, std::uint64_t relative, unsigned index_bits) const;
  void violation(std::string rule, std::uint64_t va, std::uint64_t entry, std::string text) const;

  Chip& chip_;
  const pt::Format& format_;
  std::string_view hub_;
};

}  // namespace hcq::models::am
