// SPDX-License-Identifier: MIT
// Sizes of scratch memory and the register that describes it.
#include <gtest/gtest.h>

#include "drivers/am/queue/scratch.h"

namespace hcq::am {
namespace {

// The numbers of a Radeon RX 7900 XTX.
constexpr GfxConfig kNavi31{.shader_engines = 6,
                            .arrays_per_engine = 2,
                            .cus_per_array = 8,
                            .compute_units = 96,
                            .wave_size = 32,
                            .max_waves_per_simd = 16,
                            .max_scratch_slots_per_cu = 32,
                            .lds_bytes = 65536};

TEST(AmScratch, AllWavesFit) {
  const auto s = scratch_size(kNavi31, 256, 1ull << 34);
  ASSERT_TRUE(s.ok());
  EXPECT_EQ(s->bytes_per_item, 256u);
  // A wave of 64 lanes takes 64 units of 256 bytes; 96 * 32 waves are 512 for each of 6 engines.
  EXPECT_EQ(s->tmpring, 512u | 64u << 12);
  EXPECT_EQ(s->bytes, 96ull * 32 * 64 * 256);
}

TEST(AmScratch, SmallKernelsShareTheMinimum) {
  const auto s = scratch_size(kNavi31, 4, 1ull << 34);
  ASSERT_TRUE(s.ok());
  EXPECT_EQ(s->bytes_per_item, 128u);
}

TEST(AmScratch, FewerWavesWhenMemoryIsShort) {
  const auto s = scratch_size(kNavi31, 64 * 1024, 64ull << 20);
  ASSERT_TRUE(s.ok());
  EXPECT_LE(s->bytes, 64ull << 20);
  EXPECT_EQ(s->tmpring & 0xfff, 2u);  // 4 MiB a wave, 16 fit, 2 for each engine
  EXPECT_EQ(s->tmpring >> 12, 64u * 1024 * 64 / 256);
}

TEST(AmScratch, RefusesWhatCannotRunAtAll) {
  const auto s = scratch_size(kNavi31, 64 * 1024, 1ull << 20);
  ASSERT_FALSE(s.ok());
  EXPECT_EQ(s.error().code, Errc::no_memory);
  EXPECT_EQ(s.error().expected, 1ull << 20);
  EXPECT_EQ(s.error().actual, 6ull * 64 * 64 * 1024);
  EXPECT_FALSE(scratch_size(kNavi31, 1u << 30, ~0ull).ok());
}

}  // namespace
}  // namespace hcq::am
