// SPDX-License-Identifier: MIT
// Buffer accesses with their range checks, MODE set from a register, and the clock.
#include <gtest/gtest.h>

#include "tests/support/isa_machine.h"

namespace hcq::test {
namespace {

using models::isa::Outcome;
using U = std::uint32_t;

constexpr U kStructured = 0, kEmpty = 2, kRaw = 3;

class Buffers : public testing::TestWithParam<bool> {
 protected:
  // s[4:7] hold the descriptor, s[0:1] the output, v8 the lane. `text` leaves its result in v10.
  std::vector<U> run(const std::string& text, U stride, U records, U oob) {
    const auto kernel = machine.assemble(
        "v_and_b32 v8, 0x3ff, v0\n" + text +
            "\ns_waitcnt vmcnt(0)\nv_lshlrev_b32 v9, 2, v8\nglobal_store_b32 v9, v10, s[0:1]\ns_endpgm\n",
        GetParam());
    auto d = machine.dispatch(kernel, {1, 1, 1}, {64, 1, 1}, nullptr, 0);
    const auto out = machine.upload(std::vector<U>(64, 0xcccccccc));
    d.user_data = {static_cast<U>(out),
                   static_cast<U>(out >> 32),
                   0,
                   0,
                   static_cast<U>(data),
                   static_cast<U>(data >> 32) | stride << 16 | word1,
                   records,
                   oob << 28};
    report = machine.run(d);
    return machine.download<U>(out, 64);
  }
  void fill() {
    std::vector<U> v(256);
    for (U i = 0; i < 256; ++i) v[i] = 0x80000000 + i;
    data = machine.upload(v);
  }
  Buffers() { fill(); }
  IsaMachine machine;
  std::uint64_t data = 0;
  U word1 = 0;
  models::isa::Report report;
};

TEST_P(Buffers, RawLoadsStopAtNumRecords) {
  const auto got = run("v_lshlrev_b32 v1, 2, v8\nbuffer_load_b32 v10, v1, s[4:7], 0 offen offset:4", 0, 40 * 4, kRaw);
  ASSERT_EQ(report.outcome, Outcome::done) << report.text;
  for (U l = 0; l < 64; ++l) EXPECT_EQ(got[l], l < 39 ? 0x80000001 + l : 0) << l;
}

TEST_P(Buffers, TheScalarOffsetCountsAgainstTheSize) {
  const auto got =
      run("s_mov_b32 s20, 16\nv_lshlrev_b32 v1, 2, v8\nbuffer_load_b32 v10, v1, s[4:7], s20 offen", 0, 40 * 4, kRaw);
  for (U l = 0; l < 64; ++l) EXPECT_EQ(got[l], l < 36 ? 0x80000004 + l : 0) << l;
}

TEST_P(Buffers, StructuredLoadsCheckIndexAndRecord) {
  const auto got = run("buffer_load_b32 v10, v8, s[4:7], 0 idxen offset:8", 12, 30, kStructured);
  for (U l = 0; l < 64; ++l) EXPECT_EQ(got[l], l < 30 ? 0x80000002 + 3 * l : 0) << l;
  const auto beyond = run("v_mov_b32 v10, 1\nbuffer_load_b32 v10, v8, s[4:7], 0 idxen offset:12", 12, 30, kStructured);
  for (U l = 0; l < 64; ++l) EXPECT_EQ(beyond[l], 0u) << "offset 12 is the next record";
}

TEST_P(Buffers, AnEmptyBufferReadsZeroAndIsNotTouched) {
  data = 0;
  const auto got = run("v_mov_b32 v10, 1\nbuffer_load_b32 v10, v8, s[4:7], 0 offen", 0, 0, kEmpty);
  ASSERT_EQ(report.outcome, Outcome::done) << report.text;
  for (const U v : got) EXPECT_EQ(v, 0u);
}

TEST_P(Buffers, StoresOutOfRangeAreDropped) {
  run("v_lshlrev_b32 v1, 2, v8\nbuffer_store_b32 v8, v1, s[4:7], 0 offen\nv_mov_b32 v10, 0", 0, 32, kRaw);
  ASSERT_EQ(report.outcome, Outcome::done) << report.text;
  const auto now = machine.download<U>(data, 64);
  for (U l = 0; l < 64; ++l) EXPECT_EQ(now[l], l < 8 ? l : 0x80000000 + l) << l;
}

TEST_P(Buffers, NarrowAndWide) {
  const auto bytes = run("v_lshlrev_b32 v1, 2, v8\nbuffer_load_i8 v10, v1, s[4:7], 0 offen offset:3", 0, 1024, kRaw);
  for (U l = 0; l < 64; ++l) EXPECT_EQ(bytes[l], 0xffffff80) << l;
  const auto words = run("v_lshlrev_b32 v1, 2, v8\nbuffer_load_u16 v10, v1, s[4:7], 0 offen offset:2", 0, 1024, kRaw);
  for (U l = 0; l < 64; ++l) EXPECT_EQ(words[l], 0x8000u) << l;
  const auto last =
      run("v_lshlrev_b32 v1, 2, v8\nbuffer_load_b128 v[20:23], v1, s[4:7], 0 offen\n"
          "s_waitcnt vmcnt(0)\nv_mov_b32 v10, v23",
          0, 1024, kRaw);
  for (U l = 0; l < 64; ++l) EXPECT_EQ(last[l], 0x80000003 + l) << l;
  run("v_lshlrev_b32 v1, 2, v8\nbuffer_store_b8 v8, v1, s[4:7], 0 offen\nv_mov_b32 v10, 0", 0, 1024, kRaw);
  const auto now = machine.download<U>(data, 64);
  for (U l = 0; l < 64; ++l) EXPECT_EQ(now[l], 0x80000000 + l) << "the low byte is the lane already";
}

TEST_P(Buffers, Atomics) {
  const auto got =
      run("v_mov_b32 v10, 1\nv_mov_b32 v1, 0\nbuffer_atomic_add_u32 v10, v1, s[4:7], 0 offen glc", 0, 4, kRaw);
  ASSERT_EQ(report.outcome, Outcome::done) << report.text;
  std::vector<bool> seen(64);
  for (const U v : got) {
    ASSERT_LT(v - 0x80000000, 64u);
    seen[v - 0x80000000] = true;
  }
  for (U l = 0; l < 64; ++l) EXPECT_TRUE(seen[l]) << l;
  EXPECT_EQ(machine.download<U>(data, 1)[0], 0x80000040u);
}

TEST_P(Buffers, SwizzledBuffersAreRefused) {
  word1 = 1u << 30;
  run("buffer_load_b32 v10, v8, s[4:7], 0 offen", 0, 64, kRaw);
  EXPECT_EQ(report.outcome, Outcome::illegal);
}

TEST_P(Buffers, ScalarLoadsBeyondTheEndReadZero) {
  for (const U n : {0u, 1u, 2u, 3u}) {
    const auto got =
        run("s_buffer_load_b128 s[20:23], s[4:7], 0x8\ns_waitcnt lgkmcnt(0)\nv_mov_b32 v10, s" + std::to_string(20 + n),
            0, 16, kRaw);
    ASSERT_EQ(report.outcome, Outcome::done) << report.text;
    EXPECT_EQ(got[0], n < 2 ? 0x80000002 + n : 0) << n;
  }
}

INSTANTIATE_TEST_SUITE_P(, Buffers, testing::Bool(), [](const auto& info) { return info.param ? "wave32" : "wave64"; });

class Mode : public testing::Test {
 protected:
  models::isa::Report run(const std::string& text, U threads, U value, U words) {
    const auto kernel = machine.assemble(text, true, 512);
    auto d = machine.dispatch(kernel, {1, 1, 1}, {threads, 1, 1}, nullptr, 0);
    out = machine.upload(std::vector<U>(words, 0xcccccccc));
    d.user_data = {static_cast<U>(out), static_cast<U>(out >> 32), value};
    return machine.run(d);
  }
  std::vector<U> words(U n) { return machine.download<U>(out, n); }
  IsaMachine machine;
  std::uint64_t out = 0;
};

// The denormal control comes in a register; barriers, calls and partial EXEC follow in the new mode.
const char* const kAfterSetreg =
    "s_setreg_b32 hwreg(HW_REG_MODE, 4, 2), s2\n"
    "v_and_b32 v8, 0x3ff, v0\nv_mov_b32 v1, 0x1234\ns_barrier\nv_add_f32 v10, v1, v1\n"
    "s_getpc_b64 s[20:21]\ns_add_u32 s20, s20, 24\ns_addc_u32 s21, s21, 0\ns_mov_b64 s[30:31], 0\n"
    "s_swappc_b64 s[30:31], s[20:21]\n"
    "s_branch L_end\n"
    "s_nop 0\n"
    "v_add_f32 v10, v10, v1\ns_setpc_b64 s[30:31]\n"
    "L_end:\nv_cmp_gt_u32 vcc_lo, 7, v8\ns_and_saveexec_b32 s22, vcc_lo\nv_add_f32 v10, v10, v1\n"
    "s_mov_b32 exec_lo, -1\nv_lshlrev_b32 v9, 2, v8\nglobal_store_b32 v9, v10, s[0:1]\ns_endpgm\n";

TEST_F(Mode, SetFromARegister) {
  for (const U denormals : {0u, 3u, 0u}) {
    const auto r = run(kAfterSetreg, 64, denormals, 64);
    ASSERT_EQ(r.outcome, Outcome::done) << r.text;
    const auto got = words(64);
    for (U t = 0; t < 64; ++t) EXPECT_EQ(got[t], denormals ? 0x1234 * (t < 7 ? 4 : 3) : 0) << denormals << ", " << t;
  }
}

TEST_F(Mode, WholeModeSurvivesARoundTrip) {
  const auto r =
      run("s_getreg_b32 s20, hwreg(HW_REG_MODE, 0, 23)\ns_xor_b32 s21, s20, 0x30\n"
          "s_setreg_b32 hwreg(HW_REG_MODE, 0, 23), s21\ns_getreg_b32 s22, hwreg(HW_REG_MODE, 0, 23)\n"
          "s_setreg_b32 hwreg(HW_REG_MODE, 0, 23), s20\ns_getreg_b32 s23, hwreg(HW_REG_MODE, 0, 23)\n"
          "v_mov_b32 v1, s20\nv_mov_b32 v2, s22\nv_mov_b32 v3, s23\nv_mov_b32 v0, 0\n"
          "global_store_b96 v0, v[1:3], s[0:1]\ns_endpgm\n",
          1, 0, 3);
  ASSERT_EQ(r.outcome, Outcome::done) << r.text;
  const auto got = words(3);
  EXPECT_EQ(got[1], got[0] ^ 0x30);
  EXPECT_EQ(got[2], got[0]);
}

TEST_F(Mode, OtherRoundingIsRefused) {
  EXPECT_EQ(run("s_setreg_b32 hwreg(HW_REG_MODE, 0, 2), s2\ns_endpgm\n", 1, 0, 1).outcome, Outcome::done);
  EXPECT_EQ(run("s_setreg_b32 hwreg(HW_REG_MODE, 0, 2), s2\ns_endpgm\n", 1, 1, 1).outcome, Outcome::illegal);
}

TEST_F(Mode, TheClockRuns) {
  const auto r =
      run("s_sendmsg_rtn_b64 s[20:21], sendmsg(MSG_RTN_GET_REALTIME)\ns_waitcnt lgkmcnt(0)\ns_sleep 1\n"
          "s_sendmsg_rtn_b64 s[22:23], sendmsg(MSG_RTN_GET_REALTIME)\ns_waitcnt lgkmcnt(0)\n"
          "v_mov_b32 v1, s20\nv_mov_b32 v2, s21\nv_mov_b32 v3, s22\nv_mov_b32 v4, s23\nv_mov_b32 v0, 0\n"
          "global_store_b128 v0, v[1:4], s[0:1]\ns_endpgm\n",
          1, 0, 4);
  ASSERT_EQ(r.outcome, Outcome::done) << r.text;
  const auto w = words(4);
  const std::uint64_t first = w[0] | std::uint64_t{w[1]} << 32, second = w[2] | std::uint64_t{w[3]} << 32;
  EXPECT_GT(first, 0u);
  EXPECT_GE(second, first);
}

}  // namespace
}  // namespace hcq::test
