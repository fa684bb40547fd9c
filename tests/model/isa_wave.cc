// SPDX-License-Identifier: MIT
// What a wave may and may not do: EXEC, lanes, LDS limits, illegal instructions, faults, the stop flag, code changes.
#include <gtest/gtest.h>

#include <chrono>
#include <thread>

#include "tests/support/isa_machine.h"

namespace hcq::test {
namespace {

using models::isa::Access;
using models::isa::Dispatch;
using models::isa::Outcome;
using U = std::uint32_t;

class Wave : public testing::Test {
 protected:
  // s[0:1] point to `words` dwords of output, initially 0xcccccccc.
  Dispatch prepare(const std::string& text, U threads, U words, U lds = 0) {
    const auto kernel = machine.assemble(text, true, lds);
    auto d = machine.dispatch(kernel, {1, 1, 1}, {threads, 1, 1}, nullptr, 0);
    out = machine.upload(std::vector<U>(words, 0xcccccccc));
    d.user_data = {static_cast<U>(out), static_cast<U>(out >> 32)};
    return d;
  }
  std::vector<U> run(const std::string& text, U threads, U words, U lds = 0) {
    const auto report = machine.run(prepare(text, threads, words, lds));
    EXPECT_EQ(report.outcome, Outcome::done) << report.text;
    return machine.download<U>(out, words);
  }
  IsaMachine machine;
  std::uint64_t out = 0;
};

const char* const kStore = "v_lshlrev_b32 v9, 2, v8\nglobal_store_b32 v9, v10, s[0:1]\ns_endpgm\n";
const char* const kLane = "v_and_b32 v8, 0x3ff, v0\n";

TEST_F(Wave, OnlyActiveLanesWrite) {
  const auto got =
      run(std::string(kLane) +
              "v_mov_b32 v10, 1\ns_mov_b32 exec_lo, 0xf0f0f0f0\nv_mov_b32 v10, 2\nv_add_nc_u32 v10, v10, v8\n"
              "s_mov_b32 exec_lo, 0xffff\n" +
              kStore,
          32, 32);
  for (U l = 0; l < 32; ++l) EXPECT_EQ(got[l], l >= 16 ? 0xcccccccc : l % 8 < 4 ? 1 : 2 + l) << l;
}

TEST_F(Wave, PartialLastWave) {
  const auto got = run(std::string(kLane) + "v_mov_b32 v10, exec_lo\n" + kStore, 40, 64);
  for (U t = 0; t < 64; ++t) EXPECT_EQ(got[t], t < 32 ? 0xffffffff : t < 40 ? 0xff : 0xcccccccc) << t;
}

TEST_F(Wave, UninitialisedRegistersArePoison) {
  const auto got = run(std::string(kLane) + "v_add_nc_u32 v10, v77, 0\n" + kStore, 32, 32);
  for (const U v : got) EXPECT_EQ(v, 0xdeadbeef);
}

TEST_F(Wave, LaneMovement) {
  const auto first = run(std::string(kLane) +
                             "s_mov_b32 exec_lo, 0xffffff00\nv_readfirstlane_b32 s20, v8\nv_readlane_b32 s21, v8, 3\n"
                             "s_mov_b32 exec_lo, -1\nv_mov_b32 v10, s20\nv_writelane_b32 v10, s21, 5\n" +
                             kStore,
                         32, 32);
  for (U l = 0; l < 32; ++l) EXPECT_EQ(first[l], l == 5 ? 3 : 8) << l;
  const auto shift = run(std::string(kLane) +
                             "v_mov_b32 v10, 99\n"
                             "v_mov_b32_dpp v10, v8 row_shr:1 row_mask:0xf bank_mask:0xf\n" +
                             kStore,
                         32, 32);
  for (U l = 0; l < 32; ++l) EXPECT_EQ(shift[l], l % 16 == 0 ? 99 : l - 1) << l;
  const auto zero = run(std::string(kLane) +
                            "v_mov_b32 v10, 99\n"
                            "v_mov_b32_dpp v10, v8 row_shl:4 row_mask:0xf bank_mask:0xf bound_ctrl:1\n" +
                            kStore,
                        32, 32);
  for (U l = 0; l < 32; ++l) EXPECT_EQ(zero[l], l % 16 >= 12 ? 0 : l + 4) << l;
  const auto cross = run(std::string(kLane) +
                             "s_mov_b32 s20, 0x76543210\ns_mov_b32 s21, 0xfedcba98\n"
                             "v_permlanex16_b32 v10, v8, s20, s21\n" +
                             kStore,
                         32, 32);
  for (U l = 0; l < 32; ++l) EXPECT_EQ(cross[l], l ^ 16) << l;
  const auto back = run(std::string(kLane) +
                            "v_sub_nc_u32 v7, 31, v8\nv_lshlrev_b32 v7, 2, v7\n"
                            "ds_bpermute_b32 v10, v7, v8\ns_waitcnt lgkmcnt(0)\n" +
                            kStore,
                        32, 32);
  for (U l = 0; l < 32; ++l) EXPECT_EQ(back[l], 31 - l) << l;
  const auto swizzled = run(
      std::string(kLane) + "ds_swizzle_b32 v10, v8 offset:swizzle(SWAP,4)\ns_waitcnt lgkmcnt(0)\n" + kStore, 32, 32);
  for (U l = 0; l < 32; ++l) EXPECT_EQ(swizzled[l], l ^ 4) << l;
}

TEST_F(Wave, LdsBeyondTheAllocationReadsZeroAndDropsWrites) {
  // 512 bytes of LDS: lanes 0..15 are inside at stride 32, lanes 16..31 are not.
  const auto got = run(std::string(kLane) +
                           "v_lshlrev_b32 v7, 5, v8\nv_add_nc_u32 v6, v8, 1\nds_store_b32 v7, v6\n"
                           "v_mov_b32 v10, 7\nds_load_b32 v10, v7\ns_waitcnt lgkmcnt(0)\n" +
                           kStore,
                       32, 32, 512);
  for (U l = 0; l < 32; ++l) EXPECT_EQ(got[l], l < 16 ? l + 1 : 0) << l;
}

TEST_F(Wave, EndedWavesDoNotHoldTheBarrier) {
  // Wave 0 ends; waves 1 and 2 exchange through LDS behind the barrier.
  const auto got = run(std::string(kLane) +
                           "v_readfirstlane_b32 s20, v8\ns_cmp_eq_u32 s20, 0\ns_cbranch_scc1 L\n"
                           "v_lshlrev_b32 v7, 2, v8\nds_store_b32 v7, v8\ns_waitcnt lgkmcnt(0)\ns_barrier\n"
                           "v_xor_b32 v7, 0x180, v7\nds_load_b32 v10, v7 offset:0\ns_waitcnt lgkmcnt(0)\n"
                           "v_lshlrev_b32 v9, 2, v8\nglobal_store_b32 v9, v10, s[0:1]\nL: s_endpgm\n",
                       96, 96, 512);
  for (U t = 0; t < 96; ++t) EXPECT_EQ(got[t], t < 32 ? 0xcccccccc : t < 64 ? t + 32 : t - 32) << t;
}

TEST_F(Wave, ScalarCarryAndOverflow) {
  const auto got =
      run("s_mov_b32 s20, -1\ns_add_u32 s21, s20, 1\ns_addc_u32 s22, 5, 0\ns_brev_b32 s23, 1\n"
          "s_sub_i32 s24, s23, 1\ns_cselect_b32 s25, 1, 0\ns_movk_i32 s27, 0xf0\ns_bfe_i32 s26, s27, 0x40004\n"
          "s_mov_b64 s[28:29], 1\ns_lshl_b64 s[28:29], s[28:29], 40\ns_movk_i32 s30, 0x8000\n"
          "v_mov_b32 v0, 0\nv_mov_b32 v1, s21\nv_mov_b32 v2, s22\nv_mov_b32 v3, s25\nv_mov_b32 v4, s26\n"
          "global_store_b128 v0, v[1:4], s[0:1]\nv_mov_b32 v1, s29\nv_mov_b32 v2, s30\n"
          "global_store_b64 v0, v[1:2], s[0:1] offset:16\ns_endpgm\n",
          1, 6);
  EXPECT_EQ(got, (std::vector<U>{0, 6, 1, 0xffffffff, 0x100, 0xffff8000}));
}

TEST_F(Wave, UnknownInstructionIsReportedOnlyWhenReached) {
  const char* unknown = "image_sample v[0:3], v[0:1], s[8:15], s[4:7] dmask:0xf dim:SQ_RSRC_IMG_2D\n";
  const auto skipped = machine.run(prepare(std::string("s_branch L\n") + unknown + "L: s_endpgm\n", 32, 1));
  EXPECT_EQ(skipped.outcome, Outcome::done) << skipped.text;
  const auto d = prepare(std::string("s_nop 0\n") + unknown + "s_endpgm\n", 32, 1);
  const auto report = machine.run(d);
  EXPECT_EQ(report.outcome, Outcome::illegal);
  EXPECT_EQ(report.pc, d.entry + 4);
  EXPECT_NE(report.text.find("image_sample"), std::string::npos) << report.text;
}

TEST_F(Wave, RegistersBeyondTheAllocationAreIllegal) {
  auto d = prepare("v_mov_b32 v16, 0\ns_endpgm\n", 32, 1);
  d.rsrc1 = (d.rsrc1 & ~0x3fu) | 2;  // 24 registers
  EXPECT_EQ(machine.run(d).outcome, Outcome::done);
  d.rsrc1 = (d.rsrc1 & ~0x3fu) | 1;  // 16 registers: v0..v15
  const auto report = machine.run(d);
  EXPECT_EQ(report.outcome, Outcome::illegal);
  EXPECT_NE(report.text.find("v16"), std::string::npos) << report.text;
}

TEST_F(Wave, FaultsCarryTheExactAddress) {
  // Lane l stores to out + 4096 * l: lane 1 leaves the allocation.
  auto d = prepare(
      std::string(kLane) + "v_lshlrev_b32 v9, 12, v8\nglobal_store_b32 v9, v8, s[0:1] offset:8\ns_endpgm\n", 32, 8);
  auto report = machine.run(d);
  EXPECT_EQ(report.outcome, Outcome::memory_fault);
  EXPECT_EQ(report.address, out + 4096 + 8);
  EXPECT_EQ(report.access, Access::write);
  EXPECT_EQ(machine.download<U>(out, 3)[2], 0u);  // lane 0 was done

  machine.memory.map(out, 4096, static_cast<std::uint8_t>(Access::read));
  report = machine.run(d);
  EXPECT_EQ(report.outcome, Outcome::memory_fault);
  EXPECT_EQ(report.address, out + 8);

  d = prepare("s_load_b64 s[4:5], s[0:1], 0x1000\ns_endpgm\n", 32, 8);
  report = machine.run(d);
  EXPECT_EQ(report.outcome, Outcome::memory_fault);
  EXPECT_EQ(report.address, out + 4096);
  EXPECT_EQ(report.access, Access::read);

  d.entry = 0x7000'0000'0000;
  report = machine.run(d);
  EXPECT_EQ(report.outcome, Outcome::memory_fault);
  EXPECT_EQ(report.address, d.entry);
  EXPECT_EQ(report.access, Access::execute);
}

TEST_F(Wave, AccessesMayCrossPages) {
  const auto base = machine.alloc(8192);
  const auto kernel =
      machine.assemble(std::string(kLane) +
                       "v_lshlrev_b32 v9, 4, v8\nv_mov_b32 v1, 1\nv_mov_b32 v2, 2\nv_mov_b32 v3, 3\n"
                       "v_mov_b32 v4, v8\nglobal_store_b128 v9, v[1:4], s[0:1] offset:4088\ns_endpgm\n");
  auto d = machine.dispatch(kernel, {1, 1, 1}, {2, 1, 1}, nullptr, 0);
  d.user_data = {static_cast<U>(base), static_cast<U>(base >> 32)};  // lane 0 covers both pages
  const auto report = machine.run(d);
  ASSERT_EQ(report.outcome, Outcome::done) << report.text;
  EXPECT_EQ(machine.download<U>(base + 4088, 8), (std::vector<U>{1, 2, 3, 0, 1, 2, 3, 1}));
}

TEST_F(Wave, StopFlagEndsAnEndlessLoop) {
  const auto d = prepare("L: s_branch L\n", 32, 1);
  std::thread stopper([&] {
    std::this_thread::sleep_for(std::chrono::milliseconds(50));
    machine.stop = true;
  });
  const auto report = machine.run(d);
  stopper.join();
  EXPECT_EQ(report.outcome, Outcome::stopped);
}

TEST_F(Wave, OldCodeRunsUntilTheInstructionCacheIsInvalidated) {
  const auto d = prepare(std::string(kLane) + "v_mov_b32 v10, 1\n" + kStore, 32, 32);
  const auto changed = IsaMachine::assemble_bytes(std::string(kLane) + "v_mov_b32 v10, 2\n" + kStore, true);
  ASSERT_EQ(machine.run(d).outcome, Outcome::done);
  machine.memory.write(d.entry, changed.data(), changed.size());
  ASSERT_EQ(machine.run(d).outcome, Outcome::done);
  EXPECT_EQ(machine.download<U>(out, 1)[0], 1u);
  machine.engine().invalidate_instruction_cache();
  ASSERT_EQ(machine.run(d).outcome, Outcome::done);
  EXPECT_EQ(machine.download<U>(out, 1)[0], 2u);
}

TEST_F(Wave, DenormalsFollowMode) {
  // s20, s21: the same sum of denormals under the dispatch's mode and after s_denorm_mode; s22: the mode read back.
  auto d = prepare(
      "v_mov_b32 v1, 0x1234\nv_add_f32 v2, v1, v1\ns_denorm_mode 15\nv_add_f32 v3, v1, v1\n"
      "s_getreg_b32 s22, hwreg(HW_REG_MODE, 4, 4)\nv_mov_b32 v4, s22\nv_mov_b32 v0, 0\n"
      "global_store_b96 v0, v[2:4], s[0:1]\ns_endpgm\n",
      1, 3);
  d.rsrc1 = (d.rsrc1 & ~(0xffu << 12)) | 0xc0u << 12;
  ASSERT_EQ(machine.run(d).outcome, Outcome::done);
  EXPECT_EQ(machine.download<U>(out, 3), (std::vector<U>{0, 0x2468, 15}));
  d.rsrc1 |= 1u << 12;  // round toward positive infinity
  EXPECT_EQ(machine.run(d).outcome, Outcome::illegal);
}

TEST_F(Wave, RelativeMoves) {
  const auto got =
      run(std::string(kLane) +
              "v_mov_b32 v20, 5\nv_mov_b32 v21, 6\nv_mov_b32 v22, v8\ns_mov_b32 m0, 2\n"
              "v_movrels_b32 v10, v20\ns_mov_b32 m0, 1\nv_movreld_b32 v20, v10\nv_add_nc_u32 v10, v20, v21\n" +
              kStore,
          32, 32);
  for (U l = 0; l < 32; ++l) EXPECT_EQ(got[l], 5 + l) << l;
}

TEST_F(Wave, UnmappedPagesFaultAfterTheGenerationChanges) {
  const auto d = prepare(std::string(kLane) + "v_mov_b32 v10, 1\n" + kStore, 32, 32);
  ASSERT_EQ(machine.run(d).outcome, Outcome::done);
  machine.memory.unmap(out, 4096);
  EXPECT_EQ(machine.run(d).outcome, Outcome::memory_fault);
}

}  // namespace
}  // namespace hcq::test
