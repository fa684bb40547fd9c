// SPDX-License-Identifier: MIT
// The normal life of a device: cold start, warm start, start after somebody else, small BAR, and what info says.
#include <gmock/gmock.h>

#include <bit>
#include <random>

#include "am_rig.h"
#include "drivers/am/smu.h"

namespace hcq::am {
namespace {

using ::testing::HasSubstr;

unsigned from_env(const char* name, unsigned otherwise) {
  const char* v = std::getenv(name);
  return v ? static_cast<unsigned>(std::atoi(v)) : otherwise;
}

TEST(AmBoot, ColdBootThenReopen) {
  BootRig rig;
  {
    auto gpu = rig.open();
    ASSERT_TRUE(gpu.ok()) << describe(gpu.error());
    EXPECT_FALSE((*gpu)->warm());
    EXPECT_TRUE(rig.bus_master());
    const Status s = (*gpu)->close();
    EXPECT_TRUE(s.ok()) << describe(s.error());
    EXPECT_TRUE((*gpu)->close().ok()) << "closing twice is nothing";
    EXPECT_FALSE(rig.bus_master());
  }
  auto gpu = rig.open();
  ASSERT_TRUE(gpu.ok()) << describe(gpu.error());
  EXPECT_TRUE((*gpu)->warm());
}

TEST(AmBoot, DescribesTheDevice) {
  BootRig rig;
  auto gpu = rig.open();
  ASSERT_TRUE(gpu.ok()) << describe(gpu.error());
  DeviceInfo info;
  (*gpu)->fill_info(info);
  EXPECT_EQ(info.arch, "gfx1100");
  EXPECT_EQ(info.chip, "Navi31");
  EXPECT_EQ(info.family, "am");
  EXPECT_EQ(info.wave_size, 32u);
  EXPECT_EQ(info.compute_units, 96u);
  EXPECT_EQ(info.lds_bytes, 65536u);
  EXPECT_EQ(info.firmware.size(), 6u);
  EXPECT_EQ(info.boot.size(), boot_steps().size());
  EXPECT_EQ(info.boot.front().name, "pci/bus_master");
  EXPECT_NE((*gpu)->mc(0), 0u) << "the model's framebuffer does not start at 0";
}

// hdp_v6_0.c: the power mode of HDP's memories changes only while their clock is held on, and is one of three.
TEST(AmBoot, HdpMemoryPowerChangesUnderAHeldClock) {
  constexpr std::uint32_t kMemPowerCtrl = 0xf20 + 0xd4, kClkCntl = 0xf20 + 0xd8, kRcOverride = 1u << 27;
  BootRig rig;
  std::uint32_t clock = 0, power = 0;
  unsigned changes = 0;
  rig.interposer.on_register_write = [&](std::uint32_t dword, std::uint32_t value) {
    if (dword == kClkCntl) clock = value;
    if (dword != kMemPowerCtrl) return;
    ++changes;
    power = value;
    EXPECT_NE(clock & kRcOverride, 0u);
    for (unsigned group : {1u, 17u}) EXPECT_LE(std::popcount((value >> group) & 7), 1) << "LS, DS, SD of bit " << group;
  };
  auto gpu = rig.open_as_is({});
  ASSERT_TRUE(gpu.ok()) << describe(gpu.error());
  EXPECT_EQ(changes, 2u);
  EXPECT_EQ(power & 0xf000f, 0x90009u) << "the value that amdgpu leaves on this chip";
  EXPECT_EQ(clock & kRcOverride, 0u);
}

// State left on the device by one start must suit the other; VRAM outside the boot area belongs to nobody in between.
TEST(AmBoot, ColdAndWarmStartsAlternate) {
  BootRig rig;
  std::mt19937_64 rng(1);
  const unsigned rounds = from_env("HCQ_AM_ROUNDS", 8);
  for (unsigned round = 0; round < rounds; ++round) {
    OpenOptions o;
    o.force_reset = round % 2 == 0;
    auto gpu = rig.open(std::move(o));
    ASSERT_TRUE(gpu.ok()) << "round " << round << ": " << describe(gpu.error());
    EXPECT_EQ((*gpu)->warm(), round % 2 == 1) << round;
    const Region general = (*gpu)->layout().general;
    std::vector<std::uint64_t> noise(512);
    for (int i = 0; i < 32; ++i) {
      for (auto& v : noise) v = rng();
      const std::uint64_t at = general.paddr + rng() % (general.bytes / 4096 - 1) * 4096;
      ASSERT_TRUE((*gpu)->vram().write(at, std::as_bytes(std::span(noise))).ok());
    }
    const Status s = (*gpu)->close();
    ASSERT_TRUE(s.ok()) << describe(s.error());
  }
}

TEST(AmBoot, MemoryIsMappedWrittenAndFreed) {
  BootRig rig;
  auto opened = rig.open();
  ASSERT_TRUE(opened.ok()) << describe(opened.error());
  Gpu& gpu = **opened;
  const std::uint64_t before = gpu.memory().vram_free();
  std::uint64_t va = 0;
  {
    auto vram = gpu.memory().alloc_vram(5u << 20);
    ASSERT_TRUE(vram.ok()) << describe(vram.error());
    auto host = gpu.memory().alloc_host(3u << 20);
    ASSERT_TRUE(host.ok()) << describe(host.error());
    va = (*vram)->address();
    EXPECT_EQ(gpu.memory().walk(va + 0x1234).address, gpu.pa((*vram)->extents()[0].address) + 0x1234);
    const PageWalk h = gpu.memory().walk((*host)->address());
    EXPECT_TRUE(h.valid);
    EXPECT_EQ(h.address, (*host)->extents()[0].address);
    EXPECT_TRUE(gpu.memory().lookup(va).mapped);
    EXPECT_NE((*host)->host(), nullptr);
    EXPECT_LT(gpu.memory().vram_free(), before);
  }
  EXPECT_FALSE(gpu.memory().walk(va).valid);
  const AddressInfo info = gpu.memory().lookup(va + 0x100);
  EXPECT_FALSE(info.mapped);
  EXPECT_TRUE(info.freed_ms.has_value());
  EXPECT_THAT(describe(info), HasSubstr("inside a range unmapped"));
  EXPECT_THAT(describe(gpu.memory().lookup(0)), HasSubstr("outside the address window"));
  EXPECT_EQ(gpu.memory().vram_free(), before);
}

TEST(AmBoot, VramThatDoesNotExistIsRefused) {
  BootRig rig;
  auto gpu = rig.open();
  ASSERT_TRUE(gpu.ok());
  const std::uint64_t before = (*gpu)->memory().vram_free();
  const auto r = (*gpu)->memory().alloc_vram(64ull << 30);
  ASSERT_FALSE(r.ok());
  EXPECT_EQ(r.error().code, Errc::no_memory);
  EXPECT_EQ((*gpu)->memory().vram_free(), before) << "nothing of the failed allocation is kept";
}

TEST(AmBoot, WorksThroughASmallBar) {
  models::Options o;
  o.vram_bytes = 1ull << 30;
  o.bar0_bytes = 256u << 20;
  BootRig rig(o);
  for (int round = 0; round < 2; ++round) {
    auto gpu = rig.open();
    ASSERT_TRUE(gpu.ok()) << describe(gpu.error());
    EXPECT_FALSE((*gpu)->vram().all_visible());
    EXPECT_LE((*gpu)->layout().tables.end(), 256u << 20);
    auto vram = (*gpu)->memory().alloc_vram(600u << 20);
    ASSERT_TRUE(vram.ok()) << describe(vram.error());
    auto visible = (*gpu)->memory().alloc_vram(1u << 20, {.visible = true});
    EXPECT_FALSE(visible.ok()) << "the part that the BAR shows is taken";
    // What lies beyond the BAR goes through the index window.
    ASSERT_TRUE((*gpu)->vram().write32(700u << 20, 0x12345678).ok());
    EXPECT_EQ(*(*gpu)->vram().read32(700u << 20), 0x12345678u);
    vram->reset();
    EXPECT_TRUE((*gpu)->close().ok());
  }
}

// Another driver has used the card: its secure OS runs, rings and VM contexts are live, nothing of ours is there.
TEST(AmBoot, ACardThatSomebodyElseUsesIsResetFirst) {
  BootRig rig;
  {
    auto gpu = rig.open();
    ASSERT_TRUE(gpu.ok());
    ASSERT_TRUE((*gpu)->io().write_raw<regs::SCRATCH_REG0>(0xcafe, {.index = 7}).ok());
    rig.interposer.cut_now();
  }
  // Plugging out may have switched it off; a driver that was killed leaves it on.
  rig.model().config_write(pci::kCommand, 2, pci::kCommandMemory | pci::kCommandBusMaster);
  bool master_at_reset = true;
  rig.interposer = {};
  rig.interposer.on_register_write = [&](std::uint32_t dword, std::uint32_t value) {
    constexpr std::uint32_t kSmuMessage = 0x16000 + 0x282, kMode1Reset = 0x2f;
    if (dword == kSmuMessage && value == kMode1Reset) master_at_reset = rig.bus_master();
  };
  auto gpu = rig.open_as_is();
  ASSERT_TRUE(gpu.ok()) << describe(gpu.error());
  EXPECT_FALSE((*gpu)->warm());
  EXPECT_FALSE(master_at_reset) << "stale rings could have written to host memory during the reset";
}

TEST(AmBoot, ASessionThatDiedIsNotTakenForACleanOne) {
  BootRig rig;
  {
    auto gpu = rig.open();
    ASSERT_TRUE(gpu.ok());
    rig.interposer.cut_now();
  }
  auto gpu = rig.open();
  ASSERT_TRUE(gpu.ok()) << describe(gpu.error());
  EXPECT_FALSE((*gpu)->warm());
}

TEST(AmBoot, AFaultMakesTheNextOpenResetByItself) {
  BootRig rig;
  {
    auto gpu = rig.open();
    ASSERT_TRUE(gpu.ok());
    (*gpu)->set_fault({.code = Errc::device_fault, .operation = "test", .detail = "first"});
    (*gpu)->set_fault({.code = Errc::device_fault, .operation = "test", .detail = "second"});
    EXPECT_EQ((*gpu)->fault().error().detail, "first");
    EXPECT_EQ((*gpu)->fault().error().device, "model:navi31");
    EXPECT_TRUE((*gpu)->close().ok());
    EXPECT_FALSE(rig.bus_master());
  }
  auto gpu = rig.open();
  ASSERT_TRUE(gpu.ok()) << describe(gpu.error());
  EXPECT_FALSE((*gpu)->warm());
  EXPECT_TRUE((*gpu)->fault().ok());
}

TEST(AmBoot, AnUnknownSmuInterfaceOnlyCostsTheMetrics) {
  BootRig rig;
  constexpr std::uint32_t kMessage = 0x16000 + 0x282, kArgument = 0x16000 + 0x292, kGetDriverIfVersion = 3;
  rig.interposer.on_register_write = [&](std::uint32_t dword, std::uint32_t value) {
    if (dword != kMessage) return;
    rig.interposer.registers.erase(kArgument);
    if (value == kGetDriverIfVersion) rig.interposer.registers[kArgument] = 0x32;
  };
  auto gpu = rig.open_as_is();
  ASSERT_TRUE(gpu.ok()) << describe(gpu.error());
  EXPECT_FALSE((*gpu)->smu().tables_known());
  gpu->reset();
  gpu = rig.open();
  ASSERT_TRUE(gpu.ok());
  EXPECT_TRUE((*gpu)->smu().tables_known());
}

}  // namespace
}  // namespace hcq::am
