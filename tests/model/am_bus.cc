// SPDX-License-Identifier: MIT
// The bus side of the Navi31 model: config space, BARs, access rules, index windows, discovery table, doorbell routing.
#include "am_board.h"

namespace hcq::models::am::test {
namespace {

TEST(Config, IdentityAndBars) {
  Board b;
  const pci::Identity& id = b.function->identity();
  EXPECT_EQ(id.vendor, 0x1002);
  EXPECT_EQ(id.device, 0x744c);
  EXPECT_EQ(id.class_code, 0x030000u);
  EXPECT_EQ(b.function->bar_size(0), Board::kVram);
  EXPECT_EQ(b.function->bar_size(2), 2u << 20);
  EXPECT_EQ(b.function->bar_size(5), 1u << 20);
  EXPECT_EQ(b.function->bar_size(1), 0u);
  // A host finds the size by writing all ones.
  ASSERT_TRUE(b.function->config_write(pci::kCommand, 2, 0).ok());
  ASSERT_TRUE(b.function->config_write(pci::kBar0 + 20, 4, ~0u).ok());
  EXPECT_EQ(*b.function->config_read(pci::kBar0 + 20, 4), 0xfff00000u);
}

TEST(Config, Capabilities) {
  Board b;
  EXPECT_NE(*pci::find_capability(*b.function, 0x01), 0) << "power management";
  EXPECT_NE(*pci::find_capability(*b.function, 0x05), 0) << "MSI";
  EXPECT_NE(*pci::find_capability(*b.function, 0x10), 0) << "PCI Express";
  EXPECT_EQ(*pci::find_capability(*b.function, 0x11), 0) << "no MSI-X";
  EXPECT_NE(*pci::find_extended_capability(*b.function, 0x01), 0) << "AER";
  EXPECT_EQ(*pci::find_extended_capability(*b.function, 0x15), 0) << "no resizable BAR by default";
}

TEST(Config, SmallBarCanBeResized) {
  Options o = Board::with("rebar", "1");
  o.vram_bytes = 1ull << 30;
  Board b(o);
  ASSERT_EQ(b.function->bar_size(0), 256ull << 20);
  EXPECT_NE(*pci::find_extended_capability(*b.function, 0x15), 0);
  EXPECT_EQ(*b.function->resize_bar(0), 1ull << 30);
  b.map_bars();
  b.put((1ull << 30) - (16ull << 20), std::uint64_t{99});
  EXPECT_EQ(b.get<std::uint64_t>((1ull << 30) - (16ull << 20)), 99u);
  EXPECT_TRUE(b.clean()) << b.said();
}

TEST(Config, SmallBarThatStaysSmall) {
  Options o = Board::defaults();
  o.vram_bytes = 1ull << 30;
  o.bar0_bytes = 256ull << 20;
  Board b(o);
  EXPECT_EQ(*b.function->resize_bar(0), 256ull << 20);
}

TEST(Config, ResizeWhileDecoding) {
  Options o = Board::with("rebar", "1");
  o.vram_bytes = 1ull << 30;
  Board b(o);
  const std::uint16_t cap = *pci::find_extended_capability(*b.function, 0x15);
  ASSERT_TRUE(b.function->config_write(static_cast<std::uint16_t>(cap + 8), 4, 1u << 5 | 10u << 8).ok());
  EXPECT_TRUE(b.saw("pci.resize_while_decoding"));
}

TEST(Config, WithoutInterrupts) {
  Options o = Board::defaults();
  o.interrupts = false;
  Board b(o);
  EXPECT_EQ(*b.function->irq(), nullptr);
  EXPECT_EQ(*pci::find_capability(*b.function, 0x05), 0);
}

TEST(Bus, SecondUserIsRefused) {
  Board b;
  const auto second = attach("model:navi31", b.device, Board::defaults());
  ASSERT_FALSE(second);
  EXPECT_EQ(second.error().code, Errc::busy);
}

TEST(Bus, MemorySpaceOff) {
  Board b;
  ASSERT_TRUE(b.function->config_write(pci::kCommand, 2, 0).ok());
  EXPECT_EQ(b.mmio.read32(0), ~0u);
  EXPECT_TRUE(b.saw("pci.memory_disabled"));
  b.mmio.write32(b.map.address<regs::SCRATCH_REG0>() * 4ull, 5);
  ASSERT_TRUE(b.function->config_write(pci::kCommand, 2, pci::kCommandMemory).ok());
  EXPECT_EQ(b.read<regs::SCRATCH_REG0>(), 0u) << "the write was lost";
}

TEST(Bus, NotInD0) {
  Board b;
  const std::uint16_t pm = *pci::find_capability(*b.function, 0x01);
  ASSERT_TRUE(b.function->config_write(static_cast<std::uint16_t>(pm + 4), 2, 3).ok());
  EXPECT_EQ(b.mmio.read32(0), ~0u);
  EXPECT_TRUE(b.saw("pci.not_d0"));
}

TEST(Bus, AccessSizes) {
  Board b;
  (void)b.mmio.read64(0);
  EXPECT_TRUE(b.saw("pci.access_size"));
  b.device->referee().clear();
  (void)b.mmio.read32(2);
  EXPECT_TRUE(b.saw("pci.access_size"));
  b.device->referee().clear();
  (void)b.doorbells.read64(0);
  EXPECT_TRUE(b.saw("pci.access_size"));
  b.device->referee().clear();
  b.doorbells.write16(0, 1);
  EXPECT_TRUE(b.saw("pci.access_size"));
  b.device->referee().clear();
  b.device->read(5, 1u << 20, 4);
  EXPECT_TRUE(b.saw("pci.out_of_bar"));
}

TEST(Registers, Unbacked) {
  Board b;
  EXPECT_EQ(b.mmio.read32(0x3f000 * 4), 0u);
  EXPECT_TRUE(b.saw("register.unbacked"));
  b.device->referee().clear();
  b.mmio.write32(0x3f000 * 4, 1);
  EXPECT_TRUE(b.saw("register.unbacked"));
}

TEST(Registers, ReservedBits) {
  Board b;
  b.write<regs::RCC_DEV0_EPF0_RCC_DOORBELL_APER_EN>(0x3);
  EXPECT_TRUE(b.saw("register.reserved"));
}

TEST(Registers, ReadOnly) {
  Board b;
  b.write<regs::RCC_DEV0_EPF0_RCC_CONFIG_MEMSIZE>(1);
  EXPECT_TRUE(b.saw("register.read_only"));
  EXPECT_EQ(b.read<regs::RCC_DEV0_EPF0_RCC_CONFIG_MEMSIZE>(), Board::kVram >> 20);
}

TEST(Registers, FixedPlaces) {
  // Drivers read these before discovery: memory size, function identifier, PSP mailbox 33.
  Board b;
  EXPECT_EQ(b.mmio.read32(0xde3 * 4), Board::kVram >> 20);
  EXPECT_EQ(b.mmio.read32(0xde5 * 4), 0u);
  EXPECT_TRUE(eventually([&] { return b.mmio.read32(0x16061 * 4) >> 31 == 1; }));
  EXPECT_TRUE(b.clean()) << b.said();
}

TEST(Registers, BehindTheIndexRegister) {
  Board b;
  using S = regs::RCC_DEV0_EPF2_STRAP2;
  EXPECT_EQ(b.field(S::STRAP_NO_SOFT_RESET_DEV0_F2), 1u);
  b.set<S>({S::STRAP_NO_SOFT_RESET_DEV0_F2(0)});
  EXPECT_EQ(b.field(S::STRAP_NO_SOFT_RESET_DEV0_F2), 0u);
  EXPECT_TRUE(b.clean()) << b.said();
  b.write<regs::BIF_BX0_PCIE_INDEX2_HI>(1);
  (void)b.read<regs::BIF_BX0_PCIE_DATA2>();
  EXPECT_TRUE(b.saw("nbio.other_die"));
}

TEST(Window, ReadsVramWithoutBar0) {
  Board b;
  b.put(0x123450, std::uint32_t{0xcafe});
  const auto read = [&](std::uint64_t at) {
    b.write<regs::BIF_BX_PF0_MM_INDEX_HI>(static_cast<std::uint32_t>(at >> 31));
    b.write<regs::BIF_BX_PF0_MM_INDEX>(static_cast<std::uint32_t>(at & 0x7fffffff) | 0x80000000);
    return b.read<regs::BIF_BX_PF0_MM_DATA>();
  };
  EXPECT_EQ(read(0x123450), 0xcafeu);
  EXPECT_EQ(read(Board::kVram - 0x10000), 0x28211407u);
  EXPECT_TRUE(b.clean()) << b.said();
  EXPECT_EQ(read(Board::kVram), ~0u);
  EXPECT_TRUE(b.saw("nbio.window_address"));
}

TEST(HdpFlush, FollowsTheRemapRegister) {
  Board b;
  b.write<regs::BIF_BX0_REMAP_HDP_MEM_FLUSH_CNTL>(0x7f000);
  b.mmio.write32(0x7f000, 0);
  EXPECT_TRUE(b.clean()) << b.said();
  b.mmio.write32(0x385c, 0);
  EXPECT_TRUE(b.saw("register.unbacked")) << "the old place holds nothing any more";
}

TEST(Vram, NeverWrittenMemoryIsNotZero) {
  Board b;
  EXPECT_NE(b.get<std::uint64_t>(0x5000000), 0u);
  EXPECT_NE(b.get<std::uint64_t>(0x5000000), ~0ull);
}

TEST(Vram, DiscoveryTableIsReadOnly) {
  Board b;
  b.put(Board::kVram - 0x10000, std::uint32_t{0});
  EXPECT_TRUE(b.saw("hdp.discovery_write"));
  EXPECT_EQ(b.get<std::uint32_t>(Board::kVram - 0x10000), 0x28211407u);
}

std::uint16_t sum(Bytes b) {
  std::uint16_t s = 0;
  for (const std::byte x : b) s = static_cast<std::uint16_t>(s + static_cast<std::uint8_t>(x));
  return s;
}

TEST(Discovery, ChecksumsOfTheGoodTable) {
  const auto binary = *discovery_binary("");
  const ByteReader r(binary, "discovery");
  EXPECT_LE(binary.size(), 0x2800u);
  EXPECT_EQ(*r.get<std::uint32_t>(0), 0x28211407u);
  EXPECT_EQ(*r.get<std::uint16_t>(10), binary.size());
  EXPECT_EQ(*r.get<std::uint16_t>(8), sum(Bytes(binary).subspan(10)));
  unsigned tables = 0;
  for (unsigned t = 0; t < 6; ++t) {
    const auto offset = *r.get<std::uint16_t>(12 + 8 * t), size = *r.get<std::uint16_t>(16 + 8 * t);
    if (!offset) continue;
    ++tables;
    EXPECT_EQ(*r.get<std::uint16_t>(14 + 8 * t), sum(*r.slice(offset, size))) << t;
  }
  EXPECT_EQ(tables, 3u);
  // GC: 11.0.0 with the base addresses of the Navi family, 6 shader engines.
  const auto gc = *r.get<std::uint16_t>(12 + 8);
  EXPECT_EQ(*r.get<std::uint32_t>(gc), 0x4347u);
  EXPECT_EQ(*r.get<std::uint32_t>(gc + 12u), 6u);
}

TEST(Discovery, VariantsDifferWhereTheyShould) {
  const auto good = *discovery_binary("");
  for (const char* v : {"bad_signature", "bad_table_signature", "bad_checksum", "bad_table_checksum", "bad_gc_checksum",
                        "v2", "v4", "v4_64bit", "offset_beyond", "size_beyond", "die_beyond", "records_beyond", "no_gc",
                        "no_harvest", "harvested_sdma", "two_dies", "unknown_version"})
    EXPECT_NE(*discovery_binary(v), good) << v;
  EXPECT_EQ(*discovery_binary("v3"), good);
  EXPECT_FALSE(discovery_binary("v99").ok());
}

class Doorbells : public ::testing::Test, public Board {
 protected:
  void ring(std::uint64_t slot) { doorbells.write64(slot * 8, 1); }
  void open_aperture() { write<regs::RCC_DEV0_EPF0_RCC_DOORBELL_APER_EN>(1); }
};

TEST_F(Doorbells, ApertureOff) {
  write<regs::S2A_DOORBELL_ENTRY_0_CTRL>(0x30000007);
  ring(3);
  EXPECT_TRUE(saw("nbio.doorbell_aperture"));
}

TEST_F(Doorbells, NoRoute) {
  open_aperture();
  ring(3);
  EXPECT_TRUE(saw("nbio.doorbell_unrouted"));
}

TEST_F(Doorbells, WrongAwidIsNoRoute) {
  open_aperture();
  write<regs::S2A_DOORBELL_ENTRY_0_CTRL>(0x30000003);
  ring(3);
  EXPECT_TRUE(saw("nbio.doorbell_unrouted"));
}

TEST_F(Doorbells, InterruptHandlerTakes32Bits) {
  using E = regs::S2A_DOORBELL_ENTRY_1_CTRL;
  open_aperture();
  write<regs::S2A_DOORBELL_ENTRY_0_CTRL>(0x30000007);
  write<E>(map.encode<E>(0, {E::S2A_DOORBELL_PORT1_ENABLE(1), E::S2A_DOORBELL_PORT1_RANGE_OFFSET(0x2f0),
                             E::S2A_DOORBELL_PORT1_RANGE_SIZE(2)}));
  using D = regs::IH_DOORBELL_RPTR;
  write<D>(map.encode<D>(0, {D::ENABLE(1), D::OFFSET(0x2f0)}));
  doorbells.write32(0x2f0 * 4, 0);
  EXPECT_TRUE(clean()) << said();
  doorbells.write32(0x2f1 * 4, 0);
  EXPECT_TRUE(saw("ih.doorbell_unowned"));
  EXPECT_FALSE(saw("pci.access_size"));
  doorbells.write32(6 * 4, 1);  // a queue's
  EXPECT_TRUE(saw("pci.access_size"));
}

TEST_F(Doorbells, RoutesReachAnEngine) {
  using E = regs::S2A_DOORBELL_ENTRY_2_CTRL;
  open_aperture();
  write<regs::S2A_DOORBELL_ENTRY_0_CTRL>(0x30000007);
  write<E>(map.encode<E>(
      0, {E::S2A_DOORBELL_PORT2_ENABLE(1), E::S2A_DOORBELL_PORT2_AWID(0xe), E::S2A_DOORBELL_PORT2_RANGE_OFFSET(0x200),
          E::S2A_DOORBELL_PORT2_RANGE_SIZE(4), E::S2A_DOORBELL_PORT2_AWADDR_31_28_VALUE(3)}));
  ASSERT_TRUE(clean()) << said();
  ring(3);
  ring(0x100);
  EXPECT_FALSE(saw("nbio.doorbell_unrouted")) << said();
  EXPECT_FALSE(saw("nbio.doorbell_aperture")) << said();
}

// As nbio_v4_3.c and ih_v6_0.c set it up: port 1, slot of two dwords, rung with 32 bits.
TEST_F(Doorbells, InterruptReadPointer) {
  using A = regs::RCC_DEV0_EPF0_RCC_DOORBELL_APER_EN;
  using E = regs::S2A_DOORBELL_ENTRY_1_CTRL;
  constexpr std::uint32_t kDword = 0x1f4 * 2;
  set<A>({A::BIF_DOORBELL_APER_EN(1)});
  doorbells.write32(kDword * 4, 0);
  EXPECT_TRUE(saw("pci.access_size")) << "not routed to the interrupt handler yet";
  device->referee().clear();
  set<E>({E::S2A_DOORBELL_PORT1_ENABLE(1), E::S2A_DOORBELL_PORT1_RANGE_OFFSET(kDword),
          E::S2A_DOORBELL_PORT1_RANGE_SIZE(2)});
  doorbells.write32(kDword * 4, 0);
  EXPECT_TRUE(saw("ih.doorbell_unowned")) << said();
  device->referee().clear();
  using D = regs::IH_DOORBELL_RPTR;
  set<D>({D::OFFSET(kDword), D::ENABLE(1)});
  doorbells.write32(kDword * 4, 0);
  EXPECT_TRUE(clean()) << said();
}

}  // namespace
}  // namespace hcq::models::am::test
