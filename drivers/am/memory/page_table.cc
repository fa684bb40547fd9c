// SPDX-License-Identifier: MIT
#include "drivers/am/memory/page_table.h"

#include <fmt/format.h>

#include <algorithm>
#include <vector>

namespace hcq::am {

PageTable::PageTable(TableMemory& memory, const PageFormat& format, std::uint64_t root_paddr, std::uint64_t window_base,
                     std::uint64_t pa_offset)
    : memory_(memory), format_(format), root_(root_paddr), base_(window_base), pa_offset_(pa_offset) {
  tables_.emplace(root_, std::make_unique<Table>());
}

Error PageTable::error(std::uint64_t va, std::string detail) const {
  return Error{.code = Errc::internal, .operation = "memory/page_table", .address = va, .detail = std::move(detail)};
}

// The largest page that both addresses are aligned to and the length fills, and how many of them fit into one table.
PageTable::Piece PageTable::next_piece(std::uint64_t offset, std::uint64_t address, std::uint64_t bytes, bool system) {
  unsigned level = kLevels - 1;
  while (!system && level > 0 && offset % coverage(level - 1) == 0 && address % coverage(level - 1) == 0 &&
         bytes >= coverage(level - 1))
    --level;
  std::uint64_t n = std::min(bytes / coverage(level), kEntries - index_of(offset, level));
  // Stop where a larger page becomes possible.
  if (!system && level > 0) {
    const std::uint64_t big = coverage(level - 1), to_boundary = (big - offset % big) % big;
    if (to_boundary && (address + to_boundary) % big == 0 && bytes >= to_boundary + big)
      n = std::min(n, to_boundary / coverage(level));
  }
  return {level, n};
}

// log2 of the 4 KiB pages of the largest block around `offset` that is aligned in both address spaces and lies inside
// the contiguous run [start, end). The hardware may translate the whole block from this one entry.
unsigned PageTable::fragment(std::uint64_t offset, std::uint64_t address, std::uint64_t start, std::uint64_t end) {
  unsigned f = 0;
  while (f < 31) {
    const std::uint64_t block = kPage << (f + 1);
    const std::uint64_t first = offset & ~(block - 1);
    if (first < start || first + block > end || ((offset ^ address) & (block - 1)) != 0) break;
    ++f;
  }
  return f;
}

Status PageTable::set(std::uint64_t table, std::uint64_t index, std::span<const std::uint64_t> entries) {
  HCQ_TRY(memory_.write(table + index * 8, entries));
  Table& t = *tables_.at(table);
  for (const std::uint64_t e : entries) {
    t.used += PageFormat::valid(e);
    t.used -= PageFormat::valid(t.entries[index]);
    t.entries[index++] = e;
  }
  return {};
}

Result<std::uint64_t> PageTable::table_at(std::uint64_t offset, unsigned level, std::uint64_t va) {
  std::uint64_t table = root_;
  for (unsigned l = 0; l < level; ++l) {
    const std::uint64_t index = index_of(offset, l);
    const std::uint64_t entry = tables_.at(table)->entries[index];
    if (PageFormat::valid(entry)) {
      if (format_.is_leaf(entry, l)) return error(va, "already mapped by a larger page");
      table = format_.address(entry, l) - pa_offset_;
      continue;
    }
    const std::uint64_t page = HCQ_TRY(memory_.alloc_page());
    tables_.emplace(page, std::make_unique<Table>());
    const std::uint64_t link = format_.table(page + pa_offset_, l);
    if (Status s = set(table, index, {&link, 1}); !s.ok()) {
      tables_.erase(page);
      memory_.free_page(page);
      return std::move(s).error();
    }
    table = page;
  }
  return table;
}

Status PageTable::map_pieces(std::uint64_t va, std::uint64_t address, std::uint64_t bytes,
                             const PageAttributes& attributes, std::uint64_t& done) {
  const std::uint64_t start = va - base_, end = start + bytes;
  std::vector<std::uint64_t> entries;
  while (done < bytes) {
    const std::uint64_t offset = start + done;
    const Piece piece = next_piece(offset, address + done, bytes - done, attributes.system);
    const std::uint64_t table = HCQ_TRY(table_at(offset, piece.level, va + done));
    const std::uint64_t first = index_of(offset, piece.level), step = coverage(piece.level);
    entries.clear();
    for (std::uint64_t i = 0; i < piece.count; ++i) {
      if (PageFormat::valid(tables_.at(table)->entries[first + i]))
        return error(va + done + i * step, "already mapped");
      const std::uint64_t o = offset + i * step, a = address + done + i * step;
      entries.push_back(format_.leaf(a, attributes, piece.level, fragment(o, a, start, end)));
    }
    HCQ_TRY(set(table, first, entries));
    done += piece.count * step;
  }
  return {};
}

Status PageTable::map(std::uint64_t va, std::uint64_t address, std::uint64_t bytes, const PageAttributes& attributes) {
  if (bytes == 0 || va % kPage || address % kPage || bytes % kPage) return error(va, "not a multiple of 4 KiB");
  if (va < base_ || bytes > coverage(0) * kEntries || va - base_ > coverage(0) * kEntries - bytes)
    return error(va, "outside the address window");
  if (address + bytes > 1ull << format_.address_bits() || address + bytes < address) {
    Error e = error(va, fmt::format("an address above {} bits does not fit into an entry", format_.address_bits()));
    e.code = attributes.system ? Errc::unsupported : Errc::internal;
    e.actual = address;
    return e;
  }
  std::uint64_t done = 0;
  Status s = map_pieces(va, address, bytes, attributes, done);
  // Tables made for the failed piece but left without entries stay linked; they are empty and serve the next mapping.
  if (!s.ok() && done) (void)unmap(va, done);
  return s;
}

Result<std::uint64_t> PageTable::unmap_piece(std::uint64_t offset, std::uint64_t bytes, std::uint64_t va) {
  struct Step {
    std::uint64_t table, index;
  };
  std::array<Step, kLevels> path{};
  unsigned level = 0;
  std::uint64_t table = root_;
  for (;; ++level) {
    path[level] = {table, index_of(offset, level)};
    const std::uint64_t entry = tables_.at(table)->entries[path[level].index];
    if (!PageFormat::valid(entry)) return error(va, "not mapped");
    if (format_.is_leaf(entry, level)) break;
    table = format_.address(entry, level) - pa_offset_;
  }
  const std::uint64_t step = coverage(level);
  if (offset % step || bytes < step) return error(va, "a larger page reaches beyond the range");
  const Table& t = *tables_.at(table);
  const std::uint64_t first = path[level].index;
  std::uint64_t n = 0;
  while (n < bytes / step && first + n < kEntries && PageFormat::valid(t.entries[first + n]) &&
         format_.is_leaf(t.entries[first + n], level))
    ++n;
  const std::vector<std::uint64_t> zeros(n, 0);
  HCQ_TRY(set(table, first, zeros));
  const std::uint64_t none = 0;
  for (; level > 0 && tables_.at(path[level].table)->used == 0; --level) {
    HCQ_TRY(set(path[level - 1].table, path[level - 1].index, {&none, 1}));
    tables_.erase(path[level].table);
    memory_.free_page(path[level].table);
  }
  return n * step;
}

Status PageTable::unmap(std::uint64_t va, std::uint64_t bytes) {
  if (bytes == 0 || va % kPage || bytes % kPage || va < base_ || va - base_ + bytes > coverage(0) * kEntries)
    return error(va, "not a range that can be mapped");
  for (std::uint64_t done = 0; done < bytes;) done += HCQ_TRY(unmap_piece(va - base_ + done, bytes - done, va + done));
  return {};
}

PageWalk PageTable::walk(std::uint64_t va) const {
  PageWalk w;
  if (va < base_ || va - base_ >= coverage(0) * kEntries) return w;
  const std::uint64_t offset = va - base_;
  std::uint64_t table = root_;
  for (w.level = 0;; ++w.level) {
    w.entry = tables_.at(table)->entries[index_of(offset, w.level)];
    if (!PageFormat::valid(w.entry)) return w;
    if (format_.is_leaf(w.entry, w.level)) break;
    table = format_.address(w.entry, w.level) - pa_offset_;
  }
  w.valid = true;
  w.page_bytes = coverage(w.level);
  w.address = format_.address(w.entry, w.level) + offset % w.page_bytes;
  return w;
}

}  // namespace hcq::am
