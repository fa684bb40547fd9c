// SPDX-License-Identifier: MIT
// The IP discovery parser on tables built here, whole and damaged.
#include <gtest/gtest.h>

#include <cstring>
#include <random>
#include <vector>

#include "drivers/am/abi/discovery.h"
#include "drivers/am/discovery.h"

namespace hcq::am {
namespace {

namespace ad = abi::discovery;

struct Ip {
  std::uint16_t hw_id;
  std::uint8_t instance, major, minor, revision;
  std::vector<std::uint32_t> bases;
  std::uint8_t variant = 0;
};

std::uint16_t sum(const std::vector<std::byte>& b, std::size_t from, std::size_t n) {
  std::uint16_t s = 0;
  for (std::size_t i = from; i < from + n; ++i) s = static_cast<std::uint16_t>(s + std::to_integer<unsigned>(b[i]));
  return s;
}

struct Table {
  std::vector<Ip> ips = {
      {ad::GC_HWID, 0, 11, 0, 0, {0x1260, 0xa000, 0x1c000, 0x2402c00}},
      {ad::MMHUB_HWID, 0, 3, 0, 0, {0x1a000, 0x2408800}},
      {ad::NBIF_HWID, 0, 4, 3, 0, {0, 0x14, 0xd20, 0x10400, 0x241b000, 0x4040000}},
      {ad::HDP_HWID, 0, 6, 0, 0, {0xf20, 0x240a400}},
      {ad::OSSSYS_HWID, 0, 6, 0, 0, {0x10a0, 0x240a000}},
      {ad::MP0_HWID, 0, 13, 0, 0, {0x16000, 0xdc0000, 0xe00000, 0xe40000, 0x243fc00}},
      {ad::MP1_HWID, 0, 13, 0, 0, {0x16000, 0xdc0000, 0xe00000, 0xe40000, 0x243fc00}},
      {ad::SDMA0_HWID, 0, 6, 0, 0, {0x1260, 0xa000, 0x1c000, 0x2402c00}},
      {ad::SDMA1_HWID, 0, 6, 0, 0, {0x1260, 0xa000, 0x1c000, 0x2402c00}},
      {ad::VCN_HWID, 0, 4, 0, 0, {0x7800}},
  };
  std::vector<ad::HarvestInfo> harvest;
  std::uint16_t version = 3;
  bool wide = false;
  std::uint32_t engines = 6, arrays = 2, wgp = 4;

  std::vector<std::byte> build() const {
    std::vector<std::byte> b(sizeof(ad::BinaryHeader));
    const auto append = [&](const void* p, std::size_t n) {
      const auto* from = static_cast<const std::byte*>(p);
      b.insert(b.end(), from, from + n);
    };
    ad::BinaryHeader h{};
    h.binary_signature = ad::BINARY_SIGNATURE;
    // IP table, with its dies inside the table's own size.
    const std::size_t ip_at = b.size();
    ad::IpDiscoveryHeader ip{};
    ip.signature = ad::DISCOVERY_TABLE_SIGNATURE;
    ip.version = version;
    ip.num_dies = 1;
    ip.flags = wide ? 1 : 0;
    append(&ip, sizeof(ip));
    const std::size_t die_at = b.size();
    const ad::DieHeader die{0, static_cast<std::uint16_t>(ips.size())};
    append(&die, sizeof(die));
    for (const Ip& i : ips) {
      const ad::IpRecord r{i.hw_id,    i.instance, static_cast<std::uint8_t>(i.bases.size()), i.major, i.minor,
                           i.revision, i.variant};
      append(&r, sizeof(r));
      for (const std::uint32_t base : i.bases) {
        const std::uint64_t w = wide ? 0xabc'0000'0000ull | base : base;
        append(&w, wide ? 8 : 4);
      }
    }
    ip.size = static_cast<std::uint16_t>(b.size() - ip_at);
    ip.die_info[0] = {0, static_cast<std::uint16_t>(die_at)};
    std::memcpy(b.data() + ip_at, &ip, sizeof(ip));
    h.table_list[ad::IP_DISCOVERY] = {static_cast<std::uint16_t>(ip_at), sum(b, ip_at, ip.size), ip.size, 0};

    const std::size_t gc_at = b.size();
    ad::GcInfoV1_0 gc{};
    gc.header = {ad::GC_TABLE_ID, 1, 0, sizeof(gc)};
    gc.gc_num_se = engines;
    gc.gc_num_sa_per_se = arrays;
    gc.gc_num_wgp0_per_sa = wgp;
    gc.gc_wave_size = 32;
    gc.gc_max_waves_per_simd = 16;
    gc.gc_max_scratch_slots_per_cu = 32;
    gc.gc_lds_size = 64;
    append(&gc, sizeof(gc));
    h.table_list[ad::GC] = {static_cast<std::uint16_t>(gc_at), sum(b, gc_at, sizeof(gc)), sizeof(gc), 0};

    if (!harvest.empty()) {
      const std::size_t at = b.size();
      ad::HarvestTable t{};
      t.signature = ad::HARVEST_TABLE_SIGNATURE;
      for (std::size_t i = 0; i < harvest.size(); ++i) t.list[i] = harvest[i];
      append(&t, sizeof(t));
      h.table_list[ad::HARVEST_INFO] = {static_cast<std::uint16_t>(at), sum(b, at, sizeof(t)), sizeof(t), 0};
    }
    h.binary_size = static_cast<std::uint16_t>(b.size());
    std::memcpy(b.data(), &h, sizeof(h));
    fix_sum(b);
    b.resize(ad::kMaxBytes);
    return b;
  }
  static void fix_sum(std::vector<std::byte>& b) {
    ad::BinaryHeader h;
    std::memcpy(&h, b.data(), sizeof(h));
    h.binary_checksum = sum(b, 10, h.binary_size - 10u);
    std::memcpy(b.data(), &h, sizeof(h));
  }
};

TEST(Discovery, ReadsANavi31Table) {
  const auto d = parse_discovery(Table().build(), "test");
  ASSERT_TRUE(d.ok()) << describe(d.error());
  EXPECT_EQ(d->blocks.size(), 7u) << "SDMA 6 has no registers of its own, VCN is not driven";
  EXPECT_EQ(d->sdma, (IpVersion{6, 0, 0}));
  EXPECT_EQ(d->sdma_count, 2u);
  EXPECT_EQ(d->gfx.compute_units, 96u);
  EXPECT_EQ(d->gfx.lds_bytes, 65536u);
  const auto c = chip_info(*d, 0x744c, 1ull << 30);
  ASSERT_TRUE(c.ok());
  EXPECT_EQ(c->arch, "gfx1100");
  EXPECT_EQ(c->chip, "Navi31");
  const auto map = regs::RegisterMap::build(d->blocks);
  ASSERT_TRUE(map.ok());
}

TEST(Discovery, ReadsOldAndWideRecords) {
  Table t;
  t.version = 2;
  t.ips[8].variant = 1;  // harvested in the record itself
  auto d = parse_discovery(t.build(), "test");
  ASSERT_TRUE(d.ok()) << describe(d.error());
  EXPECT_EQ(d->sdma_count, 1u);

  Table w;
  w.version = 4;
  w.wide = true;
  d = parse_discovery(w.build(), "test");
  ASSERT_TRUE(d.ok()) << describe(d.error());
  EXPECT_EQ(d->blocks[0].bases[3], 0x2402c00u) << "the upper half of a 64-bit base selects the die";
}

TEST(Discovery, LeavesOutHarvestedInstancesAndNumbersTheRest) {
  Table t;
  for (std::uint8_t i = 1; i < 4; ++i) t.ips.push_back({ad::MMHUB_HWID, i, 3, 0, 0, {0x1a000u + i, 0}});
  t.harvest = {{ad::MMHUB_HWID, 1, 0}, {ad::SDMA1_HWID, 0, 0}};
  const auto d = parse_discovery(t.build(), "test");
  ASSERT_TRUE(d.ok()) << describe(d.error());
  std::vector<std::uint32_t> bases;
  for (const regs::IpBlock& b : d->blocks)
    if (b.ip == regs::Ip::mmhub) {
      EXPECT_EQ(b.instance, bases.size());
      bases.push_back(b.bases[0]);
    }
  EXPECT_EQ(bases, (std::vector<std::uint32_t>{0x1a000, 0x1a002, 0x1a003}));
  EXPECT_EQ(d->sdma_count, 1u);
}

TEST(Discovery, NamesWhatIsWrong) {
  const auto fails = [](std::vector<std::byte> b, const char* text) {
    const auto d = parse_discovery(b, "test");
    ASSERT_FALSE(d.ok()) << text;
    EXPECT_NE(describe(d.error()).find(text), std::string::npos) << describe(d.error());
  };
  auto b = Table().build();
  b[0] ^= std::byte{1};
  fails(b, "binary signature");
  b = Table().build();
  b[200] ^= std::byte{1};
  fails(b, "sum of the binary");
  Table::fix_sum(b);
  fails(b, "sum of the IP table");
  b = Table().build();
  b[60] ^= std::byte{1};
  Table::fix_sum(b);
  fails(b, "signature of the IP table");
  b = Table().build();
  ad::BinaryHeader h;
  std::memcpy(&h, b.data(), sizeof(h));
  h.table_list[ad::GC].offset = 0;
  std::memcpy(b.data(), &h, sizeof(h));
  Table::fix_sum(b);
  fails(b, "no GC table");
  std::memcpy(&h, b.data(), sizeof(h));
  h.binary_size = 0xffff;
  std::memcpy(b.data(), &h, sizeof(h));
  fails(b, "only 10240 bytes in all");
  Table many;
  many.engines = 0x10000;
  fails(many.build(), "impossible GC configuration");
  EXPECT_FALSE(parse_discovery({}, "test").ok());
}

TEST(Discovery, SaysWhichBlockIsMissing) {
  Table t;
  t.ips.erase(t.ips.begin() + 5);
  const auto d = parse_discovery(t.build(), "test");
  ASSERT_TRUE(d.ok());
  const auto c = chip_info(*d, 0x744c, 1ull << 30);
  ASSERT_FALSE(c.ok());
  EXPECT_EQ(c.error().subject, "MP0");
}

TEST(Discovery, KnowsThatTargetsAreNotConcatenatedVersions) {
  EXPECT_STREQ(architecture_of({11, 0, 3})->name, "gfx1101");
  EXPECT_STREQ(architecture_of({11, 0, 1})->name, "gfx1103");
  EXPECT_STREQ(architecture_of({9, 4, 3})->name, "gfx942");
  EXPECT_EQ(architecture_of({13, 0, 0}).error().code, Errc::unsupported);
}

TEST(Discovery, SurvivesEveryTruncationAndRandomDamage) {
  const auto good = Table().build();
  for (std::size_t n = 0; n < 700; ++n) (void)parse_discovery(Bytes(good).first(n), "test");
  std::mt19937 rng(7);
  for (int i = 0; i < 20000; ++i) {
    auto b = good;
    for (unsigned k = rng() % 4 + 1; k-- > 0;) b[rng() % 700] = static_cast<std::byte>(rng());
    if (rng() % 2) {
      ad::BinaryHeader h;
      std::memcpy(&h, b.data(), sizeof(h));
      if (h.binary_size >= 10 && h.binary_size <= b.size()) Table::fix_sum(b);
    }
    const auto d = parse_discovery(b, "test");
    if (d.ok()) (void)regs::RegisterMap::build(d->blocks);
  }
}

}  // namespace
}  // namespace hcq::am
