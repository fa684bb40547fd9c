// SPDX-License-Identifier: MIT
// What drivers/spi computes without a chip: protected ranges, and the chip's description of itself.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <cstring>
#include <vector>

#include "drivers/spi/abi/nor.h"
#include "drivers/spi/protection.h"
#include "drivers/spi/sfdp.h"

namespace hcq::spi {
namespace {

using ::testing::HasSubstr;
constexpr std::uint32_t kChip = 2u << 20;

StatusRegisters bits(unsigned bp, bool bottom = false, bool sectors = false, bool cmp = false) {
  return {.sr1 = static_cast<std::uint8_t>(bp << 2 | (bottom ? abi::BP3 : 0) | (sectors ? abi::BP4 : 0)),
          .sr2 = static_cast<std::uint8_t>(cmp ? abi::CMP : 0)};
}

TEST(Protection, BlocksFromTheTop) {
  const ProtectedRange expected[] = {{0, 0},
                                     {0x1f0000, 64u << 10},
                                     {0x1e0000, 128u << 10},
                                     {0x1c0000, 256u << 10},
                                     {0x180000, 512u << 10},
                                     {0x100000, 1u << 20},
                                     {0, kChip},
                                     {0, kChip}};
  for (unsigned bp = 0; bp < 8; ++bp) EXPECT_EQ(protected_range(bits(bp), kChip), expected[bp]) << bp;
}

TEST(Protection, SectorsFromTheTopStopAt32K) {
  const ProtectedRange expected[] = {{0, 0},
                                     {0x1ff000, 4u << 10},
                                     {0x1fe000, 8u << 10},
                                     {0x1fc000, 16u << 10},
                                     {0x1f8000, 32u << 10},
                                     {0x1f8000, 32u << 10},
                                     {0x1f8000, 32u << 10},
                                     {0, kChip}};
  for (unsigned bp = 0; bp < 8; ++bp) EXPECT_EQ(protected_range(bits(bp, false, true), kChip), expected[bp]) << bp;
}

TEST(Protection, BottomAndComplement) {
  EXPECT_EQ(protected_range(bits(1, true), kChip), (ProtectedRange{0, 64u << 10}));
  EXPECT_EQ(protected_range(bits(1, false, false, true), kChip), (ProtectedRange{0, 0x1f0000}));
  EXPECT_EQ(protected_range(bits(1, true, false, true), kChip), (ProtectedRange{64u << 10, 0x1f0000}));
  EXPECT_EQ(protected_range(bits(0, false, false, true), kChip), (ProtectedRange{0, kChip}));
  EXPECT_EQ(protected_range(bits(6, false, false, true), kChip), ProtectedRange{});
  EXPECT_EQ(protected_range(bits(7, false, false, true), kChip), ProtectedRange{});
}

TEST(Protection, ClearingCmpAloneMayLockTheWholeChip) {
  const StatusRegisters s = bits(7, false, false, true);
  EXPECT_EQ(warn_about_clearing_cmp(s, kChip),
            "CMP is set: clearing it alone would protect all 2 MiB instead of nothing");
  EXPECT_EQ(without_protection(s, kChip), s);
  EXPECT_EQ(warn_about_clearing_cmp(bits(0, false, false, true), kChip), "");
  EXPECT_EQ(warn_about_clearing_cmp(bits(3), kChip), "");
}

TEST(Protection, UnprotectingIsRightForEveryValueAndKeepsOtherBits) {
  for (unsigned v = 0; v < 64; ++v) {
    StatusRegisters s = bits(v & 7, v & 8, v & 16, v & 32);
    s.sr1 |= abi::SRP0;
    s.sr2 |= abi::QE | abi::LB1;
    const StatusRegisters t = without_protection(s, kChip);
    EXPECT_EQ(protected_range(t, kChip).size, 0u) << v;
    EXPECT_EQ((t.sr1 ^ s.sr1) & ~abi::kBlockProtect, 0) << v;
    EXPECT_EQ((t.sr2 ^ s.sr2) & ~abi::CMP, 0) << v;
    if (protected_range(s, kChip).size == 0) {
      EXPECT_EQ(t, s) << v;
    }
  }
}

TEST(Protection, Words) {
  EXPECT_EQ(describe(protected_range(bits(0), kChip), kChip), "nothing");
  EXPECT_EQ(describe(protected_range(bits(7), kChip), kChip), "all 2 MiB");
  EXPECT_EQ(describe(protected_range(bits(1), kChip), kChip), "64 KiB from 0x1f0000 to 0x1fffff");
  EXPECT_EQ(register_lock({.sr1 = abi::SRP0}), RegisterLock::pin);
  EXPECT_EQ(register_lock({.sr2 = abi::SRP1}), RegisterLock::until_power_cycle);
  EXPECT_EQ(register_lock({.sr1 = abi::SRP0, .sr2 = abi::SRP1}), RegisterLock::forever);
  EXPECT_EQ(register_lock({}), RegisterLock::none);
}

std::vector<std::byte> table(std::uint32_t density, unsigned shift = 0) {
  std::vector<std::byte> t(256, std::byte{0xff});
  const abi::SfdpHeader h{abi::kSfdpSignature, 6, 1, 0, 0xff};
  const abi::SfdpTableHeader p{0, 0, 1, 9, {0x30, 0, 0}, 0xff};
  abi::SfdpBasicTable b{};
  b.erase_and_writes = 0xe5;
  b.erase_4k = abi::SE;
  b.density = density;
  std::memcpy(t.data() + shift, &h, sizeof h);
  std::memcpy(t.data() + shift + 8, &p, sizeof p);
  std::memcpy(t.data() + shift + 0x30, &b, sizeof b);
  return t;
}

TEST(Sfdp, SizeByBothForms) {
  const auto plain = parse_sfdp(table((16u << 20) - 1), "t");
  ASSERT_TRUE(plain.ok()) << describe(plain.error());
  EXPECT_EQ(plain->size_bytes, kChip);
  EXPECT_TRUE(plain->erase_4k);
  EXPECT_EQ(plain->erase_4k_instruction, abi::SE);
  EXPECT_EQ(parse_sfdp(table(abi::kDensityIsExponent | 32), "t")->size_bytes, 512u << 20);
}

TEST(Sfdp, TheDummyByteMayBeInFront) {
  const auto shifted = parse_sfdp(table((16u << 20) - 1, 1), "t");
  ASSERT_TRUE(shifted.ok());
  EXPECT_EQ(shifted->size_bytes, kChip);
}

TEST(Sfdp, NonsenseIsRefused) {
  EXPECT_FALSE(parse_sfdp(std::vector<std::byte>(256, std::byte{0xff}), "t").ok());
  EXPECT_FALSE(parse_sfdp({}, "t").ok());
  EXPECT_FALSE(parse_sfdp(table(12345), "t").ok());
  EXPECT_FALSE(parse_sfdp(table(abi::kDensityIsExponent | 200), "t").ok());
  auto far = table((16u << 20) - 1);
  far[12] = far[13] = far[14] = std::byte{0xf0};
  EXPECT_FALSE(parse_sfdp(far, "t").ok());
  auto few = table((16u << 20) - 1);
  few[11] = std::byte{4};
  EXPECT_THAT(parse_sfdp(few, "t").error().detail, HasSubstr("4 dwords"));
}

}  // namespace
}  // namespace hcq::spi
