// SPDX-License-Identifier: MIT
// Page directory and page table entries of the GPU's memory hubs, per generation. Source: amdgpu_vm.h, gmc_v9_0.c,
// gmc_v11_0.c and gmc_v12_0.c of Linux 6.12.
//
// Four levels of 512 entries of 8 bytes: PDB2 (2^39 bytes an entry), PDB1 (2^30), PDB0 (2^21), PTB (2^12). An entry
// above PTB that is marked as a leaf maps its whole coverage. Addresses in entries are offsets in VRAM (plus the hive
// segment's base) when SYSTEM is 0, bus addresses when it is 1.
#pragma once

#include <cstdint>

#include "drivers/am/abi/bits.h"

namespace hcq::am::abi::page_table {

enum class Level : std::uint8_t { PDB2 = 0, PDB1 = 1, PDB0 = 2, PTB = 3 };
inline constexpr unsigned kLevels = 4, kEntries = 512, kTableBytes = 4096, kPageShift = 12, kBitsPerLevel = 9;
constexpr unsigned coverage_shift(Level level) {
  return kPageShift + kBitsPerLevel * (3 - static_cast<unsigned>(level));
}
static_assert(coverage_shift(Level::PDB2) == 39 && coverage_shift(Level::PTB) == 12);

// Common to all generations.
inline constexpr std::uint64_t kValid = 1ull << 0, kSystem = 1ull << 1, kSnooped = 1ull << 2, kTmz = 1ull << 3,
                               kExecutable = 1ull << 4, kReadable = 1ull << 5, kWriteable = 1ull << 6;
inline constexpr Bits<11, 7, std::uint64_t> kFragment{};  // log2 of the number of contiguous 4 KiB pages
inline constexpr std::uint64_t kRootValid = 1;            // in PAGE_TABLE_BASE_ADDR

// Memory types, by the numbers of gfx11 (MTYPE_* of soc21_enum.h); the numbers of other generations are in Format.
inline constexpr std::uint64_t kMtypeNcGfx11 = 0, kMtypeUcGfx11 = 3;

struct Format {
  unsigned mtype_shift, mtype_mask;
  unsigned mtype_cached, mtype_uncached;  // values of the field: NC (RW on some) and UC
  std::uint64_t leaf_above_ptb;           // set on an entry above PTB that maps memory itself ("PDE as PTE")
  std::uint64_t leaf_in_ptb;              // must be set on every PTB entry; 0: no marker
  std::uint64_t translate_further;        // on a PDB0 entry that points to a PTB; 0: none
  std::uint64_t prt;                      // partially resident
  std::uint64_t no_alloc;
  unsigned address_bits;                   // width of a physical address
  std::uint64_t pte_defined, pde_defined;  // bits that have a meaning; all others must be 0
};

inline constexpr std::uint64_t kPteCommon = kValid | kSystem | kSnooped | kTmz | kExecutable | kReadable | kWriteable |
                                            kFragment.mask | 0x0000'ffff'ffff'f000ull;
inline constexpr std::uint64_t kPdeCommon = kValid | kSystem | kSnooped | 0x0000'ffff'ffff'ffc0ull;

inline constexpr Format kGfx9{
    .mtype_shift = 57,
    .mtype_mask = 3,
    .mtype_cached = 0,
    .mtype_uncached = 3,
    .leaf_above_ptb = 1ull << 54,
    .leaf_in_ptb = 0,
    .translate_further = 1ull << 56,
    .prt = 1ull << 51,
    .no_alloc = 0,
    .address_bits = 48,
    .pte_defined = kPteCommon | 1ull << 51 | 1ull << 54 | 1ull << 55 | 1ull << 56 | 3ull << 57,
    .pde_defined = kPdeCommon | 1ull << 54 | 1ull << 56 | 0x1full << 59};
inline constexpr Format kGfx11{
    .mtype_shift = 48,
    .mtype_mask = 7,
    .mtype_cached = 0,
    .mtype_uncached = 3,
    .leaf_above_ptb = 1ull << 54,
    .leaf_in_ptb = 0,
    .translate_further = 0,
    .prt = 1ull << 51,
    .no_alloc = 1ull << 58,
    .address_bits = 44,
    .pte_defined = kPteCommon | 7ull << 48 | 1ull << 51 | 1ull << 54 | 1ull << 55 | 1ull << 56 | 1ull << 58,
    .pde_defined = kPdeCommon | 7ull << 48 | 1ull << 54 | 0x1full << 59};
inline constexpr Format kGfx12{
    .mtype_shift = 54,
    .mtype_mask = 3,
    .mtype_cached = 0,
    .mtype_uncached = 3,
    .leaf_above_ptb = 1ull << 63,
    .leaf_in_ptb = 1ull << 63,
    .translate_further = 0,
    .prt = 1ull << 56,
    .no_alloc = 0,
    .address_bits = 44,
    .pte_defined = kPteCommon | 3ull << 54 | 1ull << 56 | 1ull << 57 | 1ull << 58 | 1ull << 63,
    .pde_defined = kPdeCommon | 3ull << 54 | 0x1full << 58 | 1ull << 63};

// The physical address of an entry: bits [47:12] of a leaf, [47:6] of a directory entry.
constexpr std::uint64_t leaf_address(std::uint64_t entry) { return entry & 0x0000'ffff'ffff'f000ull; }
constexpr std::uint64_t table_address(std::uint64_t entry) { return entry & 0x0000'ffff'ffff'ffc0ull; }
constexpr unsigned mtype(const Format& f, std::uint64_t entry) {
  return static_cast<unsigned>(entry >> f.mtype_shift) & f.mtype_mask;
}

static_assert((kGfx11.pte_defined & kGfx11.leaf_above_ptb) && kGfx12.leaf_in_ptb == 1ull << 63);
static_assert(mtype(kGfx11, 3ull << 48) == kMtypeUcGfx11);

}  // namespace hcq::am::abi::page_table
