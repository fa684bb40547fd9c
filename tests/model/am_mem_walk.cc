// SPDX-License-Identifier: MIT
// Page walks and translation rules of the Navi31 model's memory hubs.
#include "am_rig.h"

namespace hcq::models::am::test {
namespace {

constexpr std::uint64_t kVa = kVaBase + 0x1234'5000;

class Walk : public ::testing::Test, public MemoryRig {
 protected:
  Walk() { setup_hubs(); }
  bool get(std::uint64_t va, std::uint64_t& out, Requester from = kShader) {
    return memory.read(from, va, std::as_writable_bytes(std::span(&out, 1)));
  }
  bool put(std::uint64_t va, std::uint64_t value, Requester from = kShader) {
    return memory.write(from, va, std::as_bytes(std::span(&value, 1)));
  }
  std::uint32_t status() { return read<GcHub::FaultStatus>(); }
  regs::Value<GcHub::FaultStatus> fields() { return chip.registers.map().decode<GcHub::FaultStatus>(status()); }
  std::uint64_t value = 0;
};

TEST_F(Walk, FourLevelsRelativeToStart) {
  map(kVa, 0x200000, 8192, kLeaf | kUc);
  poke(0x200ff8, 0x1122334455667788);
  poke(0x201000, 0x99aabbccddeeff00);
  ASSERT_TRUE(get(kVa + 0xff8, value));
  EXPECT_EQ(value, 0x1122334455667788u);
  std::uint64_t pair[2] = {};
  ASSERT_TRUE(memory.read(kShader, kVa + 0xff8, std::as_writable_bytes(std::span(pair))));
  EXPECT_EQ(pair[1], 0x99aabbccddeeff00u);
  EXPECT_TRUE(chip.referee.violations().empty()) << said();
}

TEST_F(Walk, HostMemoryThroughSystemEntries) {
  std::byte* p = map_host(kVa, 8192);
  ASSERT_TRUE(put(kVa + 4096 + 16, 42));
  std::memcpy(&value, p + 4096 + 16, 8);
  EXPECT_EQ(value, 42u);
  EXPECT_TRUE(chip.referee.violations().empty()) << said();
}

TEST_F(Walk, LeafAtPdb0NeedsItsMarkerAndMapsTwoMegabytes) {
  poke(entry_at(kVaBase, pt::Level::PDB0), 0x400000 | kLeaf | kUc | pt::kGfx11.leaf_above_ptb);
  poke(0x400000 + 0x123450, 77);
  ASSERT_TRUE(get(kVaBase + 0x123450, value));
  EXPECT_EQ(value, 77u);
  EXPECT_TRUE(chip.referee.violations().empty()) << said();
}

TEST_F(Walk, SystemApertureIsUntranslatedAndOffsetByFbBase) {
  poke(0x300000, 5);
  ASSERT_TRUE(get(chip.fb_base + 0x300000, value));
  EXPECT_EQ(value, 5u);
  // An offset in VRAM is not an address: it is neither in the aperture nor mapped.
  EXPECT_FALSE(get(0x300000, value));
  EXPECT_EQ(fields()[GcHub::FaultStatus::WALKER_ERROR], 1u);
}

TEST_F(Walk, OutsideStartAndEndIsARangeFault) {
  EXPECT_FALSE(get(kVaBase - 4096, value));
  EXPECT_EQ(fields()[GcHub::FaultStatus::WALKER_ERROR], 1u);
  EXPECT_TRUE(interrupts.saw(10, 0));
}

TEST_F(Walk, InvalidAtEachLevelNamesTheLevel) {
  EXPECT_FALSE(get(kVa, value));
  EXPECT_EQ(fields()[GcHub::FaultStatus::WALKER_ERROR], 4u);
  write<GcHub::FaultCntl>(1);
  entry_at(kVa, pt::Level::PDB1);
  EXPECT_FALSE(get(kVa, value));
  EXPECT_EQ(fields()[GcHub::FaultStatus::WALKER_ERROR], 3u);
  write<GcHub::FaultCntl>(1);
  entry_at(kVa, pt::Level::PDB0);
  EXPECT_FALSE(get(kVa, value));
  EXPECT_EQ(fields()[GcHub::FaultStatus::WALKER_ERROR], 2u);
  write<GcHub::FaultCntl>(1);
  entry_at(kVa);
  EXPECT_FALSE(get(kVa, value));
  EXPECT_EQ(fields()[GcHub::FaultStatus::WALKER_ERROR], 0u);
  EXPECT_EQ(fields()[GcHub::FaultStatus::PERMISSION_FAULTS], 3u);
}

TEST_F(Walk, PermissionBits) {
  map(kVa, 0x200000, 4096, pt::kValid | pt::kReadable | kUc);
  EXPECT_TRUE(get(kVa, value));
  EXPECT_FALSE(put(kVa, 1));
  EXPECT_EQ(fields()[GcHub::FaultStatus::PERMISSION_FAULTS], 4u);
  EXPECT_EQ(fields()[GcHub::FaultStatus::RW], 1u);
  write<GcHub::FaultCntl>(1);
  EXPECT_EQ(memory.shader_page(0, kVa, isa::Access::execute).page, nullptr);
  EXPECT_EQ(fields()[GcHub::FaultStatus::PERMISSION_FAULTS], 8u);
  EXPECT_EQ(fields()[GcHub::FaultStatus::CID], 9u) << "instruction fetch is SQC (inst)";
}

TEST_F(Walk, FaultIsLatchedUntilCleared) {
  EXPECT_FALSE(put(kVa + 0x10, 1));
  EXPECT_EQ(fields()[GcHub::FaultStatus::CID], 8u);
  EXPECT_EQ(fields()[GcHub::FaultStatus::MORE_FAULTS], 0u);
  EXPECT_FALSE(get(kVa + 0x10000, value));
  EXPECT_EQ(fields()[GcHub::FaultStatus::MORE_FAULTS], 1u);
  EXPECT_EQ(read<GcHub::FaultAddrLo>(), lo32(kVa >> 12));
  EXPECT_EQ(read<GcHub::FaultAddrHi>(), hi32(kVa >> 12));
  write<GcHub::FaultCntl>(1);
  EXPECT_EQ(status(), 0u);
  const auto e = interrupts.entries();
  ASSERT_EQ(e.size(), 2u);
  EXPECT_EQ(e[0].context[0], lo32(kVa >> 12));
  EXPECT_EQ(e[0].context[1], static_cast<std::uint32_t>(kVa >> 44) | 1u << 5);
  EXPECT_EQ(e[1].context[1] & (1u << 5), 0u);
}

TEST_F(Walk, MmHubFaultsHaveTheirOwnRegistersAndClient) {
  EXPECT_FALSE(get(kVa, value, kMmEngine));
  EXPECT_EQ(status(), 0u);
  EXPECT_NE(read<MmHub::FaultStatus>(), 0u);
  EXPECT_TRUE(interrupts.saw(18, 0));
}

TEST_F(Walk, FaultInterruptOnlyWhenTheContextAsksForIt) {
  using C = GcHub::ContextCntl;
  write<C>(chip.registers.map().encode<C>(0, {C::ENABLE_CONTEXT(1), C::PAGE_TABLE_DEPTH(3)}));
  EXPECT_FALSE(get(kVa, value));
  EXPECT_TRUE(interrupts.entries().empty());
  EXPECT_NE(status(), 0u);
}

TEST_F(Walk, DepthAndBlockSizeAreHonoured) {
  // Depth 1: the root is a PDB0. With block size 1 an entry of it covers 1024 pages.
  using C = GcHub::ContextCntl;
  write<C>(
      chip.registers.map().encode<C>(0, {C::ENABLE_CONTEXT(1), C::PAGE_TABLE_DEPTH(1), C::PAGE_TABLE_BLOCK_SIZE(1)}));
  zero(0x20000, 8192);
  poke(kRoot + 8, 0x20000 | pt::kValid);
  poke(0x20000 + 700 * 8, 0x200000 | kLeaf | kUc);
  poke(0x200000, 9);
  ASSERT_TRUE(get(kVaBase + (4ull << 20) + 700 * 4096, value));
  EXPECT_EQ(value, 9u);
}

TEST_F(Walk, ReservedBits) {
  map(kVa, 0x200000, 4096, kLeaf | kUc | 1ull << 60);
  EXPECT_TRUE(get(kVa, value));
  EXPECT_TRUE(saw("gmc.reserved_bits"));
}

TEST_F(Walk, AddressWidth) {
  map(kVa, 1ull << 45, 4096, kSystemLeaf);
  (void)get(kVa, value);
  EXPECT_TRUE(saw("gmc.address_width"));
  EXPECT_TRUE(saw("pci.dma_unmapped"));
  EXPECT_EQ(value, ~0ull) << "an aborted read gives ones";
}

TEST_F(Walk, LocalPageOutsideVram) {
  map(kVa, kVram, 4096, kLeaf | kUc);
  EXPECT_FALSE(get(kVa, value));
  EXPECT_TRUE(saw("gmc.vram_range"));
  EXPECT_EQ(fields()[GcHub::FaultStatus::MAPPING_ERROR], 1u);
}

TEST_F(Walk, TableOutsideVram) {
  poke(kRoot, (kVram + 0x1000) | pt::kValid);
  EXPECT_FALSE(get(kVa, value));
  EXPECT_TRUE(saw("gmc.table_outside_vram"));
}

TEST_F(Walk, TableAlignment) {
  zero(0x20000, 8192);
  poke(kRoot, 0x20040 | pt::kValid);
  (void)get(kVa, value);
  EXPECT_TRUE(saw("gmc.table_alignment"));
}

TEST_F(Walk, TableInSystemMemory) {
  zero(0x20000, 4096);
  poke(kRoot, 0x20000 | pt::kValid | pt::kSystem);
  (void)get(kVa, value);
  EXPECT_TRUE(saw("gmc.system_table"));
}

TEST_F(Walk, LeafMarkerAtTheLowestLevelIsWrong) {
  map(kVa, 0x200000, 4096, kLeaf | kUc | pt::kGfx11.leaf_above_ptb);
  (void)get(kVa, value);
  EXPECT_TRUE(saw("gmc.leaf_marker"));
}

TEST_F(Walk, LargeLeafMustBeAligned) {
  poke(entry_at(kVaBase, pt::Level::PDB0), 0x401000 | kLeaf | kUc | pt::kGfx11.leaf_above_ptb);
  (void)get(kVaBase, value);
  EXPECT_TRUE(saw("gmc.leaf_alignment"));
}

TEST_F(Walk, SystemMustBeSnooped) {
  map_host(kVa, 4096, kLeaf | pt::kSystem | kUc);
  EXPECT_TRUE(get(kVa, value));
  EXPECT_TRUE(saw("gmc.system_not_snooped"));
}

TEST_F(Walk, FragmentThatIsNotContiguousTranslatesWrongly) {
  const std::uint64_t fragment = pt::kFragment(1);
  map(kVaBase, 0x200000, 4096, kLeaf | kUc | fragment);
  map(kVaBase + 4096, 0x300000, 4096, kLeaf | kUc | fragment);
  poke(0x201000, 1);
  poke(0x300000, 2);
  ASSERT_TRUE(get(kVaBase, value));
  EXPECT_TRUE(saw("gmc.fragment"));
  ASSERT_TRUE(get(kVaBase + 4096, value));
  EXPECT_EQ(value, 1u) << "the TLB serves the second page with the first one's entry";
}

TEST_F(Walk, ContiguousFragmentIsFine) {
  const std::uint64_t flags = kLeaf | kUc | pt::kFragment(4);
  map(kVaBase, 0x200000, 16 * 4096, flags);
  poke(0x20f008, 3);
  ASSERT_TRUE(get(kVaBase + 0x2000, value));
  ASSERT_TRUE(get(kVaBase + 0xf008, value));
  EXPECT_EQ(value, 3u);
  EXPECT_EQ(memory.hub(HubKind::gc).tlb_entries(), 1u);
  EXPECT_TRUE(chip.referee.violations().empty()) << said();
}

TEST_F(Walk, FreedHostMemoryIsCaught) {
  map_host(kVa, 4096);
  ASSERT_TRUE(put(kVa, 1));
  dma.clear();
  (void)put(kVa, 2);
  EXPECT_TRUE(saw("pci.dma_unmapped"));
}

TEST_F(Walk, BusMasterOffStopsSystemAccess) {
  map_host(kVa, 4096);
  chip.bus_master = false;
  (void)put(kVa, 1);
  EXPECT_TRUE(saw("pci.bus_master_off"));
}

TEST(AmWalk, HubMustBeConfiguredFirst) {
  MemoryRig rig;
  std::uint64_t v = 0;
  EXPECT_FALSE(rig.memory.read(kShader, kVa, std::as_writable_bytes(std::span(&v, 1))));
  EXPECT_TRUE(rig.saw("gmc.hub_not_configured"));
}

TEST(AmWalk, FbOffsetIsPartOfLocalAddresses) {
  MemoryRig rig;
  rig.fb_offset = 0x1000000;
  rig.chip.registers.set_raw<GcHub::FbOffset>(1);
  rig.zero(kRoot, 4096);
  rig.setup_hub<GcHub>();
  rig.write<GcHub::BaseLo>((kRoot + rig.fb_offset) | 1);
  rig.map(kVa, 0x200000 + rig.fb_offset, 4096, kLeaf | kUc);
  rig.poke(0x200000, 6);
  std::uint64_t v = 0;
  ASSERT_TRUE(rig.memory.read(kShader, kVa, std::as_writable_bytes(std::span(&v, 1)))) << rig.said();
  EXPECT_EQ(v, 6u);
  // Forgetting FB_OFFSET points below the frame buffer.
  rig.map(kVa + 4096, 0x200000, 4096, kLeaf | kUc);
  EXPECT_FALSE(rig.memory.read(kShader, kVa + 4096, std::as_writable_bytes(std::span(&v, 1))));
  EXPECT_TRUE(rig.saw("gmc.vram_range"));
}

TEST_F(Walk, McAddressesOfOtherEngines) {
  const std::uint64_t v = 0x55;
  EXPECT_TRUE(memory.mc_write("ih", chip.fb_base + 0x300000, std::as_bytes(std::span(&v, 1))));
  EXPECT_EQ(vram(0x300000), 0x55u);
  EXPECT_TRUE(chip.referee.violations().empty()) << said();
  EXPECT_FALSE(memory.mc_write("ih", 0x300000, std::as_bytes(std::span(&v, 1))));
  EXPECT_TRUE(saw("gmc.mc_address"));
}

TEST_F(Walk, OtherEnginesReachHostMemoryThroughVmid0) {
  std::byte* page = map_host(kVa, 8192);
  const std::uint64_t v[2] = {0x66, 0x77};
  EXPECT_TRUE(memory.mc_write("IH ring", kVa + 4088, std::as_bytes(std::span(v))));  // across two pages
  EXPECT_EQ(*reinterpret_cast<std::uint64_t*>(page + 4088), 0x66u);
  std::uint64_t back[2] = {};
  EXPECT_TRUE(memory.mc_read("PSP ring", kVa + 4088, std::as_writable_bytes(std::span(back))));
  EXPECT_EQ(back[1], 0x77u);
  EXPECT_TRUE(memory.mc_valid(kVa, 8192));
  EXPECT_TRUE(chip.referee.violations().empty()) << said();
  EXPECT_FALSE(memory.mc_read("PSP ring", kVa + (1u << 30), std::as_writable_bytes(std::span(back))));
  EXPECT_TRUE(saw("gmc.mc_address"));
}

TEST(WalkFlat, DepthZeroIsOneTableOfAnyLength) {
  MemoryRig rig;
  rig.setup_hubs();
  rig.setup_hub<GcHub>(0);
  // The entry of a page far behind the first 512, in a table that starts at the root.
  constexpr std::uint64_t kPage = 5000;
  rig.zero(kRoot, 65536);
  rig.poke(kRoot + kPage * 8, 0x300000 | kLeaf | kUc);
  rig.poke(0x300000, 0x1234);
  std::uint64_t v = 0;
  ASSERT_TRUE(
      rig.memory.read({.client = ClientId::cpc}, kVaBase + kPage * 4096, std::as_writable_bytes(std::span(&v, 1))))
      << rig.said();
  EXPECT_EQ(v, 0x1234u);
  // And changing an entry in use without taking it away first is seen there as well.
  rig.poke(kRoot + kPage * 8, 0x400000 | kLeaf | kUc);
  EXPECT_TRUE(rig.saw("gmc.map_over_valid"));
}

TEST_F(Walk, TrustedMemoryIsClosedToEngines) {
  map(kVa, 0x200000, 4096, kLeaf | kUc);
  chip.tmr.begin = 0x200000;
  chip.tmr.end = 0x201000;
  EXPECT_TRUE(get(kVa, value));
  EXPECT_EQ(value, ~0ull);
  EXPECT_TRUE(saw("gmc.tmr_access"));
}

TEST_F(Walk, DiscoveryTableIsReadOnly) {
  map(kVa, 0x200000, 4096, kLeaf | kUc);
  poke(0x200000, 1);
  chip.discovery.begin = 0x200000;
  chip.discovery.end = 0x201000;
  EXPECT_TRUE(get(kVa, value));
  EXPECT_EQ(value, 1u);
  EXPECT_FALSE(saw("gmc.discovery_write"));
  (void)put(kVa, 2);
  EXPECT_TRUE(saw("gmc.discovery_write"));
  EXPECT_EQ(vram(0x200000), 1u);
}

}  // namespace
}  // namespace hcq::models::am::test
