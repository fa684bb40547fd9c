// SPDX-License-Identifier: MIT
#include "models/am/page_walk.h"

#include <fmt/format.h>

#include <algorithm>

namespace hcq::models::am {

namespace {

constexpr std::string_view kLevelNames[] = {"PDB2", "PDB1", "PDB0", "PTB"};
constexpr std::string_view kSource = "amdgpu_vm.h, gmc_v11_0.c (Linux 6.12)";

WalkerError invalid_at(pt::Level level) {
  switch (level) {
    case pt::Level::PDB2:
      return WalkerError::pde2;
    case pt::Level::PDB1:
      return WalkerError::pde1;
    case pt::Level::PDB0:
      return WalkerError::pde0;
    case pt::Level::PTB:
      break;
  }
  return WalkerError::none;
}

}  // namespace

void PageWalker::violation(std::string rule, std::uint64_t va, std::uint64_t entry, std::string text) const {
  chip_.report("gmc", std::move(rule), fmt::format("{} hub, va {:#x}", hub_, va), entry, std::move(text),
               std::string(kSource));
}

std::uint64_t PageWalker::load(std::uint64_t vram_offset) const {
  return __atomic_load_n(reinterpret_cast<const std::uint64_t*>(chip_.vram->at(vram_offset, 8)), __ATOMIC_RELAXED);
}

std::optional<std::uint64_t> PageWalker::local(std::uint64_t physical, std::uint64_t size,
                                               std::uint64_t fb_offset) const {
  if (physical < fb_offset) return std::nullopt;
  const std::uint64_t offset = physical - fb_offset;
  if (offset >= chip_.vram->size() || size > chip_.vram->size() - offset) return std::nullopt;
  return offset;
}

void PageWalker::check_directory(std::uint64_t entry, std::uint64_t va, pt::Level level) const {
  const auto name = kLevelNames[static_cast<unsigned>(level)];
  if (entry & ~format_.pde_defined)
    violation("gmc.reserved_bits", va, entry, fmt::format("reserved bits are set in a {} entry", name));
  if (entry & pt::kSystem)
    violation("gmc.system_table", va, entry, fmt::format("a {} entry places the next table in system memory", name));
  if (pt::table_address(entry) & (pt::kTableBytes - 1))
    violation("gmc.table_alignment", va, entry,
              fmt::format("the table that a {} entry points to is not 4 KiB aligned", name));
  if (pt::table_address(entry) >> format_.address_bits)
    violation("gmc.address_width", va, entry, fmt::format("the address in a {} entry is too wide", name));
}

void PageWalker::check_leaf(const WalkResult& r, std::uint64_t va, pt::Level level) const {
  const std::uint64_t e = r.entry;
  if (e & ~format_.pte_defined) violation("gmc.reserved_bits", va, e, "reserved bits are set in a page table entry");
  if (level == pt::Level::PTB && (e & format_.leaf_above_ptb) && !format_.leaf_in_ptb)
    violation("gmc.leaf_marker", va, e, "an entry of the lowest level carries the leaf marker of the upper levels");
  if (pt::leaf_address(e) >> format_.address_bits)
    violation("gmc.address_width", va, e, "the physical address is wider than this generation's");
  if (pt::leaf_address(e) & ((1ull << r.leaf_shift) - 1))
    violation(
        "gmc.leaf_alignment", va, e,
        fmt::format("a leaf that maps {:#x} bytes has an address that is not aligned to that", 1ull << r.leaf_shift));
  if ((e & pt::kSystem) && !(e & pt::kSnooped))
    violation("gmc.system_not_snooped", va, e, "system memory is mapped without SNOOPED, it would not be coherent");
}

// A TLB may use one entry for the whole fragment. That is right only if the others of the fragment say the same. Looks
// at the entries of one table; a fragment that is larger than the table is looked at as far as the table goes.
unsigned PageWalker::reach(const WalkResult& r, std::uint64_t relative, unsigned index_bits) const {
  const auto fragment = static_cast<unsigned>(pt::kFragment.in(r.entry));
  const unsigned wanted = std::max(r.leaf_shift, std::min(12 + fragment, r.leaf_shift + index_bits));
  if (wanted == r.leaf_shift) return wanted;
  const unsigned log2_entries = wanted - r.leaf_shift;
  const std::uint64_t index = (relative >> r.leaf_shift) & ((1ull << log2_entries) - 1);
  const std::uint64_t first_at = r.entry_at - index * 8;
  const std::uint64_t first_address = pt::leaf_address(r.entry) - (index << r.leaf_shift);
  const std::uint64_t flags = r.entry & ~0x0000'ffff'ffff'f000ull;
  for (std::uint64_t i = 0; i < 1ull << log2_entries; ++i) {
    const std::uint64_t e = load(first_at + i * 8);
    if (e == (flags | (first_address + (i << r.leaf_shift)))) continue;
    violation("gmc.fragment", relative, r.entry,
              fmt::format("FRAGMENT promises {} contiguous pages with the same flags, but entry {} is {:#x}",
                          1ull << fragment, i, e));
    break;
  }
  return wanted;
}

WalkResult PageWalker::walk(const VmContext& context, std::uint64_t va, std::uint64_t fb_offset) const {
  WalkResult r;
  const std::uint64_t page = va >> pt::kPageShift;
  if (!context.enabled || page < context.start || page > context.end) {
    r.fault = true;
    r.walker_error = WalkerError::range;
    return r;
  }
  const std::uint64_t relative = (page - context.start) << pt::kPageShift;
  const unsigned ptb_bits = pt::kBitsPerLevel + context.block_size;
  std::uint64_t table = pt::table_address(context.base);
  if (!(context.base & pt::kRootValid)) {
    r.fault = true;
    r.walker_error = WalkerError::pde2;
    return r;
  }
  const unsigned root = 3 - std::min(context.depth, 3u);
  for (unsigned n = root;; ++n) {
    const auto level = static_cast<pt::Level>(n);
    const unsigned shift = level == pt::Level::PTB ? 12 : 12 + ptb_bits + pt::kBitsPerLevel * (2 - n);
    const unsigned index_bits = level == pt::Level::PTB ? ptb_bits : pt::kBitsPerLevel;
    // The root is as long as the range of the context asks for: with depth 0 it is one flat table (amdgpu_gart.c).
    const std::uint64_t index = n == root ? relative >> shift : (relative >> shift) & ((1ull << index_bits) - 1);
    const auto at = local(table + index * 8, 8, fb_offset);
    if (!at) {
      violation("gmc.table_outside_vram", va, table, "a page table lies outside VRAM");
      r.fault = r.mapping_error = true;
      r.walker_error = invalid_at(level);
      return r;
    }
    r.entry = load(*at);
    r.entry_at = *at;
    r.leaf_shift = shift;
    const bool leaf = level == pt::Level::PTB || (r.entry & format_.leaf_above_ptb);
    if (!(r.entry & pt::kValid)) {
      r.fault = true;
      r.walker_error = invalid_at(level);
      return r;
    }
    if (!leaf) {
      check_directory(r.entry, va, level);
      table = pt::table_address(r.entry);
      continue;
    }
    if (level == pt::Level::PTB && format_.leaf_in_ptb && !(r.entry & format_.leaf_in_ptb)) {
      violation("gmc.leaf_marker", va, r.entry, "an entry of the lowest level lacks the leaf marker");
      r.fault = true;
      return r;
    }
    check_leaf(r, va, level);
    r.reach_shift = reach(r, relative, index_bits);
    break;
  }
  r.system = r.entry & pt::kSystem;
  const std::uint64_t within = relative & ((1ull << r.leaf_shift) - 1) & ~0xfffull;
  r.physical = pt::leaf_address(r.entry) + within;
  if (r.system) return r;
  if (const auto offset = local(r.physical, 4096, fb_offset)) {
    r.physical = *offset;
  } else {
    violation("gmc.vram_range", va, r.entry, "a local page lies outside VRAM");
    r.fault = r.mapping_error = true;
  }
  return r;
}

void PageWalker::tables(const VmContext& context, std::uint64_t fb_offset, std::size_t limit,
                        const std::function<void(std::uint64_t, pt::Level)>& visit) const {
  if (!context.enabled || !(context.base & pt::kRootValid)) return;
  const std::function<void(std::uint64_t, unsigned)> descend = [&](std::uint64_t table, unsigned n) {
    const auto at = local(table & ~0xfffull, pt::kTableBytes, fb_offset);
    if (!at || limit == 0) return;
    --limit;
    visit(*at, static_cast<pt::Level>(n));
    if (n == 3) return;
    for (unsigned i = 0; i < pt::kEntries; ++i) {
      const std::uint64_t e = load(*at + i * 8);
      if ((e & pt::kValid) && !(e & format_.leaf_above_ptb)) descend(pt::table_address(e), n + 1);
    }
  };
  if (context.depth > 0) return descend(pt::table_address(context.base), 3 - std::min(context.depth, 3u));
  const std::uint64_t root = pt::table_address(context.base);
  const std::uint64_t bytes = (context.end - context.start + 1) * 8;
  for (std::uint64_t at = 0; at < bytes && limit && local(root + at, pt::kTableBytes, fb_offset); at += pt::kTableBytes)
    descend(root + at, 3);
}

}  // namespace hcq::models::am
