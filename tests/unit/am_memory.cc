// SPDX-License-Identifier: MIT
// The allocators and page tables of drivers/am against simple references that share no code with them.
#include <gtest/gtest.h>

#include <algorithm>
#include <cstring>
#include <map>
#include <random>
#include <set>
#include <vector>

#include "drivers/am/memory/boot_layout.h"
#include "drivers/am/memory/page_table.h"
#include "drivers/am/memory/range_allocator.h"

namespace hcq::am {
namespace {

TEST(RangeAllocator, GivesAlignedRangesThatNeverOverlapAndMergesThemBack) {
  constexpr std::uint64_t kStart = 0x100000, kEnd = 0x9000000;
  for (unsigned seed = 1; seed <= 20; ++seed) {
    std::mt19937_64 rng(seed);
    RangeAllocator a("test", kStart, kEnd);
    std::map<std::uint64_t, std::uint64_t> used;  // start to size
    std::uint64_t bytes = 0;
    for (int i = 0; i < 2000; ++i) {
      if (used.empty() || rng() % 5 < 3) {
        const std::uint64_t size = ((rng() % 64) + 1) << (12 + rng() % 6);
        const std::uint64_t align = 1ull << (12 + rng() % 10);
        const auto r = a.alloc(size, align);
        if (!r.ok()) {
          EXPECT_EQ(r.error().code, Errc::no_memory);
          continue;
        }
        EXPECT_EQ(*r % align, 0u);
        EXPECT_GE(*r, kStart);
        EXPECT_LE(*r + size, kEnd);
        const auto next = used.lower_bound(*r);
        EXPECT_TRUE(next == used.end() || *r + size <= next->first);
        EXPECT_TRUE(next == used.begin() || std::prev(next)->first + std::prev(next)->second <= *r);
        used[*r] = size;
        bytes += size;
      } else {
        auto it = used.begin();
        std::advance(it, rng() % used.size());
        ASSERT_TRUE(a.free(it->first).ok());
        bytes -= it->second;
        used.erase(it);
      }
      ASSERT_EQ(a.free_bytes(), kEnd - kStart - bytes);
    }
    for (const auto& [start, size] : used) ASSERT_TRUE(a.free(start).ok());
    EXPECT_EQ(a.largest_free(), kEnd - kStart);
  }
}

TEST(RangeAllocator, FindsTheLastFittingRange) {
  RangeAllocator a("test", 0, 0x10000);
  ASSERT_TRUE(a.alloc(0xf000, 0x1000).ok());
  EXPECT_EQ(*a.alloc(0x1000, 0x1000), 0xf000u);
  const auto full = a.alloc(1, 1);
  ASSERT_FALSE(full.ok());
  EXPECT_EQ(full.error().code, Errc::no_memory);
}

TEST(RangeAllocator, KeepsBelowALimit) {
  RangeAllocator a("test", 0, 0x100000);
  EXPECT_EQ(*a.alloc(0x8000, 0x1000, 0x8000), 0u);
  EXPECT_FALSE(a.alloc(0x1000, 0x1000, 0x8000).ok());
  EXPECT_TRUE(a.alloc(0x1000, 0x1000).ok());
}

TEST(RangeAllocator, RefusesToFreeWhatIsNotAllocated) {
  RangeAllocator a("test", 0x1000, 0x10000);
  const std::uint64_t r = *a.alloc(0x2000, 0x1000);
  EXPECT_EQ(a.free(r + 0x1000).error().code, Errc::internal);
  ASSERT_TRUE(a.free(r).ok());
  EXPECT_EQ(a.free(r).error().code, Errc::internal);
}

// Table pages in a map; poison everywhere nothing was written.
class FakeTables : public TableMemory {
 public:
  explicit FakeTables(std::uint64_t root) { pages_[root].assign(512, 0); }
  Result<std::uint64_t> alloc_page() override {
    if (fail_after_ == 0) return Error{.code = Errc::no_memory, .operation = "test"};
    --fail_after_;
    const std::uint64_t p = next_;
    next_ += 0x1000;
    pages_[p].assign(512, 0);
    return p;
  }
  void free_page(std::uint64_t p) override { ASSERT_EQ(pages_.erase(p), 1u) << "freed twice or never allocated"; }
  Status write(std::uint64_t at, std::span<const std::uint64_t> entries) override {
    auto& page = pages_.at(at & ~0xfffull);
    const std::size_t first = (at & 0xfff) / 8;
    EXPECT_LE(first + entries.size(), 512u);
    std::copy(entries.begin(), entries.end(), page.begin() + static_cast<std::ptrdiff_t>(first));
    return {};
  }
  std::map<std::uint64_t, std::vector<std::uint64_t>> pages_;
  std::uint64_t next_ = 0x100000;
  unsigned fail_after_ = ~0u;
};

// What one generation's walker does, written from the bit tables of the GMC, not from PageFormat.
struct Walker {
  Generation g;
  std::uint64_t pa_offset;
  struct Hit {
    std::uint64_t address, entry, bytes;
  };
  bool leaf(std::uint64_t e, int level) const {
    if (level == 3) {
      EXPECT_EQ(e >> 63, g == Generation::gfx12 ? 1u : 0u);
      return true;
    }
    if (g == Generation::gfx12) return e >> 63;
    if (g == Generation::gfx9 && level == 2) return !(e >> 56 & 1);
    return e >> 54 & 1;
  }
  std::optional<Hit> walk(const FakeTables& t, std::uint64_t root, std::uint64_t base, std::uint64_t va) const {
    std::uint64_t table = root;
    for (int level = 0; level < 4; ++level) {
      const int shift = 39 - 9 * level;
      const std::uint64_t e = t.pages_.at(table)[(va - base) >> shift & 0x1ff];
      if (!(e & 1)) return std::nullopt;
      const std::uint64_t size = 1ull << shift;
      if (leaf(e, level)) {
        EXPECT_EQ((e & 0xfffffffff000ull) % size, 0u) << "a page must be aligned to its own size";
        return Hit{(e & 0xfffffffff000ull) + ((va - base) & (size - 1)), e, size};
      }
      table = (e & 0xffffffffffc0ull) - pa_offset;
    }
    ADD_FAILURE() << "walked past the last level";
    return std::nullopt;
  }
};

constexpr std::uint64_t kBase = 0x2000'0000'0000, kRoot = 0x1000;

class PageTables : public ::testing::TestWithParam<Generation> {};

TEST_P(PageTables, MatchTheWalkerAfterRandomMappings) {
  constexpr std::uint64_t kPa = 0x4'0000'0000;
  for (unsigned seed = 1; seed <= 12; ++seed) {
    std::mt19937_64 rng(seed);
    FakeTables memory(kRoot);
    PageTable table(memory, page_format(GetParam()), kRoot, kBase, kPa);
    const Walker walker{GetParam(), kPa};
    struct Mapped {
      std::uint64_t va, address, bytes;
      bool system;
    };
    std::vector<Mapped> live;
    std::uint64_t next_va = kBase;
    const auto check_page = [&](const Mapped& m, std::uint64_t o) {
      const auto hit = walker.walk(memory, kRoot, kBase, m.va + o);
      ASSERT_TRUE(hit) << std::hex << m.va + o;
      EXPECT_EQ(hit->address, m.address + o);
      EXPECT_EQ(hit->entry & 0x70, 0x70u) << "readable, writable, executable";
      EXPECT_EQ(hit->entry >> 1 & 3, m.system ? 3u : 0u) << "SYSTEM and SNOOPED";
      EXPECT_TRUE(!m.system || hit->bytes == 0x1000u);
      // The block that the fragment field claims must be contiguous and inside this mapping.
      const std::uint64_t block = 0x1000ull << (hit->entry >> 7 & 0x1f), rel = m.va - kBase + o;
      const std::uint64_t first = rel & ~(block - 1);
      EXPECT_GE(first, m.va - kBase);
      EXPECT_LE(first + block, m.va - kBase + m.bytes);
      EXPECT_EQ((rel ^ (m.address + o)) & (block - 1), 0u);
      const PageWalk own = table.walk(m.va + o);
      EXPECT_TRUE(own.valid);
      EXPECT_EQ(own.address, m.address + o);
    };
    for (int i = 0; i < 60; ++i) {
      if (live.empty() || rng() % 3) {
        const unsigned big = rng() % 4;
        const std::uint64_t bytes = ((rng() % 700) + 1) << (big ? 12 : 21);
        const std::uint64_t gap = (rng() % 3) * (1ull << (12 + rng() % 20));
        const std::uint64_t align = 1ull << (12 + rng() % 19);
        Mapped m{(next_va + gap + align - 1) & ~(align - 1), (rng() % 0x40000) << 12, bytes, rng() % 3 == 0};
        if (rng() % 2) m.address = m.address & ~0x1fffffull;
        ASSERT_TRUE(table.map(m.va, m.address, m.bytes, {.system = m.system}).ok());
        next_va = m.va + m.bytes;
        live.push_back(m);
      } else {
        const std::size_t k = rng() % live.size();
        ASSERT_TRUE(table.unmap(live[k].va, live[k].bytes).ok());
        for (const std::uint64_t o : {std::uint64_t{0}, live[k].bytes - 0x1000})
          EXPECT_FALSE(walker.walk(memory, kRoot, kBase, live[k].va + o));
        live.erase(live.begin() + static_cast<std::ptrdiff_t>(k));
      }
    }
    for (const Mapped& m : live)
      for (int n = 0; n < 40; ++n) check_page(m, (rng() % (m.bytes / 0x1000)) * 0x1000);
    for (const Mapped& m : live) ASSERT_TRUE(table.unmap(m.va, m.bytes).ok());
    EXPECT_EQ(table.table_pages(), 0u);
    EXPECT_EQ(memory.pages_.size(), 1u) << "only the root is left";
    for (const std::uint64_t e : memory.pages_.at(kRoot)) EXPECT_EQ(e, 0u);
  }
}

TEST_P(PageTables, UseHugePagesOnlyWhereBothAddressesAreAligned) {
  FakeTables memory(kRoot);
  PageTable table(memory, page_format(GetParam()), kRoot, kBase, 0);
  ASSERT_TRUE(table.map(kBase, 0x40000000, 1ull << 30, {}).ok());
  EXPECT_EQ(table.walk(kBase + 0x12345000).page_bytes, 1ull << 30);
  ASSERT_TRUE(table.map(kBase + (1ull << 30), 0x00200000, 1ull << 30, {}).ok());
  EXPECT_EQ(table.walk(kBase + (1ull << 30)).page_bytes, 1ull << 21);
  ASSERT_TRUE(table.map(kBase + (2ull << 30), 0x00201000, 1ull << 21, {}).ok());
  EXPECT_EQ(table.walk(kBase + (2ull << 30)).page_bytes, 1ull << 12);
}

TEST_P(PageTables, RefuseToMapOverAMappingAndLeaveItAlone) {
  FakeTables memory(kRoot);
  PageTable table(memory, page_format(GetParam()), kRoot, kBase, 0);
  ASSERT_TRUE(table.map(kBase + 0x8000, 0x8000, 0x2000, {}).ok());
  const Status s = table.map(kBase + 0x4000, 0x100000, 0x8000, {});
  ASSERT_FALSE(s.ok());
  EXPECT_EQ(s.error().code, Errc::internal);
  EXPECT_FALSE(table.walk(kBase + 0x4000).valid);
  EXPECT_EQ(table.walk(kBase + 0x8000).address, 0x8000u);
  EXPECT_EQ(table.walk(kBase + 0x9000).address, 0x9000u);
}

TEST_P(PageTables, TakeBackEverythingWhenTablePagesRunOut) {
  for (unsigned pages = 0; pages < 6; ++pages) {
    FakeTables memory(kRoot);
    memory.fail_after_ = pages;
    PageTable table(memory, page_format(GetParam()), kRoot, kBase, 0);
    // 4 KiB pages over three tables: five table pages are needed.
    const Status s = table.map(kBase + 0x1ff000, 0x3000, 0x400000, {});
    EXPECT_EQ(s.ok(), pages >= 5) << pages;
    if (s.ok()) continue;
    EXPECT_EQ(s.error().code, Errc::no_memory);
    for (std::uint64_t o = 0; o < 0x400000; o += 0x1000) EXPECT_FALSE(table.walk(kBase + 0x1ff000 + o).valid);
  }
}

TEST_P(PageTables, RefuseUnmappedAndPartlyCoveredRanges) {
  FakeTables memory(kRoot);
  PageTable table(memory, page_format(GetParam()), kRoot, kBase, 0);
  EXPECT_FALSE(table.unmap(kBase, 0x1000).ok());
  ASSERT_TRUE(table.map(kBase, 0, 2u << 20, {}).ok());
  EXPECT_FALSE(table.unmap(kBase, 0x1000).ok()) << "cuts a 2 MiB page";
  EXPECT_TRUE(table.walk(kBase + 0x1000).valid);
}

TEST_P(PageTables, RefuseAddressesThatDoNotFit) {
  FakeTables memory(kRoot);
  const PageFormat& format = page_format(GetParam());
  PageTable table(memory, format, kRoot, kBase, 0);
  const Status s = table.map(kBase, 1ull << format.address_bits(), 0x1000, {.system = true});
  ASSERT_FALSE(s.ok());
  EXPECT_EQ(s.error().code, Errc::unsupported);
  EXPECT_FALSE(table.map(kBase - 0x1000, 0, 0x1000, {}).ok());
  EXPECT_FALSE(table.map(kBase + (1ull << 48) - 0x1000, 0, 0x2000, {}).ok());
}

INSTANTIATE_TEST_SUITE_P(Generations, PageTables,
                         ::testing::Values(Generation::gfx9, Generation::gfx11, Generation::gfx12), [](const auto& p) {
                           return std::string(p.param == Generation::gfx9    ? "gfx9"
                                              : p.param == Generation::gfx11 ? "gfx11"
                                                                             : "gfx12");
                         });

TEST(BootLayout, IsTheSameEveryTimeAndInsideTheBootArea) {
  const LayoutInput in{.vram_bytes = 1ull << 30, .visible_bytes = 1ull << 30, .top_reserve = 64u << 20};
  const BootLayout a = *make_boot_layout(in);
  // A later process must find what an earlier one left: these are part of kBootAbi.
  EXPECT_EQ(a.root_table.paddr, 0u);
  EXPECT_EQ(a.ih[0].ring.paddr, 0x3000u);
  EXPECT_EQ(a.psp_message.paddr % (1u << 20), 0u);
  EXPECT_EQ(a.tmr.paddr % (1u << 20), 0u);
  EXPECT_LE(a.end, kBootAreaBytes);
  EXPECT_EQ(a.general.paddr, kBootAreaBytes);
  EXPECT_EQ(a.general.end(), (1ull << 30) - (64u << 20));
  EXPECT_EQ(a.tables.bytes, 0u);
}

TEST(BootLayout, KeepsPageTablesInReachOfASmallBar) {
  const BootLayout l =
      *make_boot_layout({.vram_bytes = 24ull << 30, .visible_bytes = 256u << 20, .top_reserve = 64u << 20});
  EXPECT_EQ(l.tables.bytes, 48u << 20);
  EXPECT_LE(l.tables.end(), 256u << 20);
  EXPECT_EQ(l.general.paddr, l.tables.end());
}

TEST(BootLayout, RefusesWhatDoesNotFit) {
  EXPECT_FALSE(make_boot_layout({.vram_bytes = 64u << 20, .visible_bytes = 64u << 20, .top_reserve = 64u << 20}).ok());
  const auto r = make_boot_layout({.vram_bytes = 256ull << 30, .visible_bytes = 256u << 20, .top_reserve = 64u << 20});
  ASSERT_FALSE(r.ok());
  EXPECT_EQ(r.error().subject, "BAR 0");
}

}  // namespace
}  // namespace hcq::am
