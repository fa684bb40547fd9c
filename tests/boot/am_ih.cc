// SPDX-License-Identifier: MIT
// The interrupt rings as the driver reads them: many entries, a lapped ring, faults without a handler.
#include <gmock/gmock.h>

#include "am_rig.h"
#include "drivers/am/abi/ih.h"

namespace hcq::am {
namespace {

using ::testing::HasSubstr;
namespace ih = abi::ih;

class AmIh : public ::testing::Test {
 protected:
  void SetUp() override {
    auto opened = rig.open();
    ASSERT_TRUE(opened.ok()) << describe(opened.error());
    gpu = std::move(*opened);
    ring = gpu->layout().ih[0].ring;
    // From here on the test is the interrupt handler block: it writes entries and says where the pointer is.
    gpu->ih().set_handler([this](const IhEvent& e) { seen.push_back(e); });
  }
  void TearDown() override {
    rig.interposer.registers.clear();
    gpu.reset();
  }
  void put(std::uint64_t index, std::uint8_t client, std::uint8_t source, std::uint32_t c0 = 0, std::uint32_t c1 = 0) {
    const std::uint32_t dw[8] = {client | std::uint32_t{source} << 8, 0, 0, 0, c0, c1, 0, 0};
    const std::uint64_t at = index * ih::kEntryBytes % ring.bytes;
    ASSERT_TRUE(gpu->vram().write(ring.paddr + at, std::as_bytes(std::span(dw))).ok());
    ASSERT_TRUE(gpu->flush_hdp().ok());
  }
  void pointer(std::uint64_t index, bool overflow = false) {
    rig.interposer.registers[kWptr] = static_cast<std::uint32_t>(index * ih::kEntryBytes % ring.bytes) | overflow;
  }
  static constexpr std::uint32_t kWptr = 0x10a0 + 0x84, kRptr = 0x10a0 + 0x83;
  BootRig rig;
  std::unique_ptr<Gpu> gpu;
  Region ring;
  std::vector<IhEvent> seen;
};

TEST_F(AmIh, EntriesComeInOrderAndTheReadPointerCountsBytes) {
  std::uint32_t rptr = 0;
  rig.interposer.on_register_write = [&](std::uint32_t dword, std::uint32_t v) {
    if (dword == kRptr) rptr = v;
  };
  for (std::uint32_t i = 0; i < 5; ++i) put(i, ih::SOC21_IH_CLIENTID_GRBM_CP, ih::CP_EOP_INTERRUPT, i);
  pointer(5);
  const auto n = gpu->ih().process();
  ASSERT_TRUE(n.ok()) << describe(n.error());
  EXPECT_EQ(*n, 5u);
  for (std::uint32_t i = 0; i < 5; ++i) EXPECT_EQ(seen[i].entry.context(0), i);
  EXPECT_EQ(rptr, 5 * ih::kEntryBytes);
  EXPECT_EQ(*gpu->ih().process(), 0u);
}

TEST_F(AmIh, ALappedRingLosesOldEntriesAndGoesOn) {
  const std::uint64_t entries = ring.bytes / ih::kEntryBytes;
  // Ring size + 7 entries were posted: the first eight are gone. The first of those left is a fault.
  for (std::uint64_t i = 8; i < entries + 7; ++i)
    put(i, ih::SOC21_IH_CLIENTID_GRBM_CP, i == 8 ? ih::CP_BAD_OPCODE_ERROR : ih::CP_EOP_INTERRUPT,
        static_cast<std::uint32_t>(i));
  pointer(7, true);
  unsigned cleared = 0;
  rig.interposer.on_register_write = [&](std::uint32_t dword, std::uint32_t v) {
    if (dword == 0x10a0 + 0x80 && (v >> 31)) {
      ++cleared;
      pointer(7, false);
    }
  };
  const auto n = gpu->ih().process();
  ASSERT_TRUE(n.ok()) << describe(n.error());
  EXPECT_EQ(*n, entries - 1);
  EXPECT_EQ(seen.front().entry.context(0), 8u);
  EXPECT_TRUE(seen.front().fault);
  EXPECT_EQ(seen.back().entry.context(0), entries + 6);
  EXPECT_EQ(cleared, 1u);
  EXPECT_EQ(gpu->ih().counters().overflows, 1u);
  EXPECT_EQ(gpu->ih().counters().lost, 8u);
}

TEST_F(AmIh, WithoutAHandlerTheFirstFaultIsKeptWithItsAddress) {
  gpu->ih().set_handler(nullptr);
  auto memory = gpu->memory().alloc_vram(4096);
  ASSERT_TRUE(memory.ok());
  const std::uint64_t va = (*memory)->address();
  memory->reset();
  put(0, ih::SOC21_IH_CLIENTID_GFX, ih::UTCL2_FAULT, static_cast<std::uint32_t>(va >> 12),
      static_cast<std::uint32_t>(va >> 44 & 0xf) | 1u << 5);
  put(1, ih::SOC21_IH_CLIENTID_GRBM_CP, ih::CP_BAD_OPCODE_ERROR);
  pointer(2);
  const Status s = gpu->service();
  ASSERT_FALSE(s.ok());
  const std::string text = describe(s.error());
  EXPECT_EQ(s.error().code, Errc::device_fault);
  EXPECT_EQ(s.error().address, va) << text;
  EXPECT_THAT(text, HasSubstr("page fault on a write"));
  EXPECT_THAT(text, HasSubstr("inside a range unmapped"));
}

TEST_F(AmIh, AWritePointerOutsideTheRingIsRefused) {
  rig.interposer.registers[kWptr] = 7 * 4;
  const auto n = gpu->ih().process();
  ASSERT_FALSE(n.ok());
  EXPECT_EQ(n.error().code, Errc::corrupt);
}

}  // namespace
}  // namespace hcq::am
