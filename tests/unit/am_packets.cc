// SPDX-License-Identifier: MIT
// PM4 and SDMA packets word by word. The expected words are worked out by hand from nvd.h and sdma_v6_0_0_pkt_open.h of
// Linux 6.12, the register numbers from the gfx11 register reference (COMPUTE_PGM_LO at byte 0xB830 and so on).
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <vector>

#include "drivers/am/abi/mqd.h"
#include "drivers/am/mqd.h"
#include "drivers/am/pm4.h"
#include "drivers/am/regs/registers.h"
#include "drivers/am/sdma_packets.h"

namespace hcq::am {
namespace {

using testing::ElementsAre;
constexpr std::uint64_t kAddress = 0x2000'0000'1230;

template <class F>
std::vector<std::uint32_t> encode(F&& f) {
  std::vector<std::uint32_t> words(256, 0xdeadbeef);
  DwordWriter w(words);
  f(w);
  words.resize(w.size());
  return words;
}

regs::RegisterMap navi31() {
  const regs::IpBlock gc{regs::Ip::gc, 0, 11, 0, 0, {0x1260, 0xA000, 0x1C000, 0x2402C00}};
  auto map = regs::RegisterMap::build(std::span(&gc, 1));
  EXPECT_TRUE(map.ok());
  return std::move(*map);
}

TEST(AmPm4, WaitMemory) {
  EXPECT_THAT(encode([](auto& w) { pm4::wait_memory(w, kAddress, pm4::Compare::greater_equal, 5, ~0u); }),
              ElementsAre(0xC0053C00, 0x15, 0x00001230, 0x2000, 5, 0xffffffff, 4));
  EXPECT_THAT(encode([](auto& w) { pm4::wait_memory(w, kAddress, pm4::Compare::equal, 0x10, 0x30); }),
              ElementsAre(0xC0053C00, 0x13, 0x00001230, 0x2000, 0x10, 0x30, 4));
}

TEST(AmPm4, FlushHdp) {
  EXPECT_THAT(encode([](auto& w) { pm4::flush_hdp(w, 0x106, 0x107, 1u << 2); }),
              ElementsAre(0xC0053C00, 0x43, 0x106, 0x107, 4, 4, 4));
}

TEST(AmPm4, Acquire) {
  EXPECT_THAT(encode([](auto& w) { pm4::acquire(w, pm4::Acquire::all); }),
              ElementsAre(0xC0065800, 0, 0xffffffff, 0xff, 0, 0, 0, 0xC3F1));
  EXPECT_THAT(encode([](auto& w) { pm4::acquire(w, pm4::Acquire::data); }),
              ElementsAre(0xC0065800, 0, 0xffffffff, 0xff, 0, 0, 0, 0x03F0));
}

TEST(AmPm4, Release) {
  EXPECT_THAT(encode([](auto& w) { pm4::release(w, kAddress, pm4::Data::value32, 7, true); }),
              ElementsAre(0xC0064900, 0x0070F514, 0x22000000, 0x00001230, 0x2000, 7, 0, 0));
  EXPECT_THAT(encode([](auto& w) { pm4::release(w, kAddress, pm4::Data::value64, 0x1'0000'0002, false); }),
              ElementsAre(0xC0064900, 0x0070F514, 0x40000000, 0x00001230, 0x2000, 2, 1, 0));
  EXPECT_THAT(encode([](auto& w) { pm4::release(w, kAddress, pm4::Data::gpu_clock, 0, false); }),
              ElementsAre(0xC0064900, 0x0070F514, 0x60000000, 0x00001230, 0x2000, 0, 0, 0));
}

TEST(AmPm4, SmallPackets) {
  EXPECT_THAT(encode([](auto& w) { pm4::flush_shaders(w); }), ElementsAre(0xC0004600, 0x407));
  EXPECT_THAT(encode([](auto& w) { pm4::write_memory(w, kAddress, 9); }),
              ElementsAre(0xC0033700, 0x00100200, 0x00001230, 0x2000, 9));
  EXPECT_THAT(encode([](auto& w) { pm4::copy_word(w, kAddress, 0x1000, 8); }),
              ElementsAre(0xC0044000, 0x00110202, 0x1000, 0, 0x00001230, 0x2000));
  EXPECT_THAT(encode([](auto& w) { pm4::copy_word(w, kAddress, 0x1000, 4); }),
              ElementsAre(0xC0044000, 0x00100202, 0x1000, 0, 0x00001230, 0x2000));
  EXPECT_THAT(encode([](auto& w) { pm4::nop(w, 1); }), ElementsAre(0xFFFF1000));
  EXPECT_THAT(encode([](auto& w) { pm4::nop(w, 3); }), ElementsAre(0xC0011000, 0, 0));
  EXPECT_TRUE(encode([](auto& w) { pm4::nop(w, 0); }).empty());
}

TEST(AmPm4, Dispatch) {
  const auto regs = pm4::dispatch_registers(navi31());
  pm4::DispatchState s{.entry = 0x2000'0004'5600, .rsrc1 = 0x60af0001, .rsrc2 = 0x84, .rsrc3 = 0x11, .user_sgprs = 3};
  s.wave32 = true;
  const pm4::Scratch scratch{.base = 0x2000'0100'0000, .tmpring = 0x7020};
  const auto words = encode([&](auto& w) {
    pm4::dispatch(w, regs, s, scratch, 0x2000'0077'0040, {.x = 4, .y = 3, .z = 2}, {.x = 64, .y = 2, .z = 1});
  });
  EXPECT_THAT(words, ElementsAre(0xC0065800, 0, 0xffffffff, 0xff, 0, 0, 0, 0x03F0,  // ACQUIRE_MEM
                                 0xC0027600, 0x20c, 0x00000456, 0x20,               // COMPUTE_PGM_LO, _HI
                                 0xC0027600, 0x212, 0x60af0001, 0x84,               // COMPUTE_PGM_RSRC1, 2
                                 0xC0017600, 0x228, 0x11,                           // COMPUTE_PGM_RSRC3
                                 0xC0017600, 0x218, 0x7020,                         // COMPUTE_TMPRING_SIZE
                                 0xC0027600, 0x210, 0x00010000, 0x20,               // DISPATCH_SCRATCH_BASE
                                 0xC0037600, 0x21b, 0, 0, 0,                        // COMPUTE_RESTART_X..Z
                                 0xC0037600, 0x240, 0x00770040, 0x2000, 0,          // COMPUTE_USER_DATA_0..2
                                 0xC0017600, 0x215, 0,                              // RESOURCE_LIMITS
                                 0xC0087600, 0x204, 0, 0, 0, 64, 2, 1, 0, 0,        // COMPUTE_START_X...
                                 0xC0031500, 4, 3, 2, 0x8005, 0xC0004600, 0x407));  // DISPATCH_DIRECT, flush
  EXPECT_EQ(words.size(), pm4::dispatch_dwords(3));

  s.user_sgprs = 0;
  s.wave32 = false;
  const auto wave64 = encode([&](auto& w) { pm4::dispatch(w, regs, s, scratch, 0, {}, {}); });
  EXPECT_EQ(wave64.size(), pm4::dispatch_dwords(0));
  EXPECT_EQ(wave64[wave64.size() - 3], 0x5u);
}

TEST(AmSdma, Packets) {
  EXPECT_THAT(encode([](auto& w) { sdma::copy(w, kAddress, 0x1'0000'0001, 1ull << 30); }),
              ElementsAre(1, 0x3fffffff, 0, 1, 1, 0x00001230, 0x2000));
  EXPECT_THAT(encode([](auto& w) { sdma::write(w, kAddress, 6); }), ElementsAre(2, 0x00001230, 0x2000, 0, 6));
  EXPECT_THAT(encode([](auto& w) { sdma::fence(w, kAddress, 6); }), ElementsAre(0x30005, 0x00001230, 0x2000, 6));
  EXPECT_THAT(encode([](auto& w) { sdma::trap(w); }), ElementsAre(6, 0));
  EXPECT_THAT(encode([](auto& w) { sdma::poll_memory(w, kAddress, sdma::Compare::greater_equal, 3, ~0u); }),
              ElementsAre(0xD0000008, 0x00001230, 0x2000, 3, 0xffffffff, 0x0fff000a));
  EXPECT_THAT(encode([](auto& w) { sdma::flush_hdp(w, 0x106, 0x107, 0x400); }),
              ElementsAre(0x34000008, 0x41c, 0x418, 0x400, 0x400, 0x0fff000a));
  EXPECT_THAT(encode([](auto& w) { sdma::timestamp(w, kAddress); }), ElementsAre(0x20d, 0x00001230, 0x2000));
}

TEST(AmHqd, Mqd) {
  const Mqd d = build_mqd(navi31(), {.mqd_mc = 0x80'0012'3000,
                                     .ring = 0x2000'0020'0000,
                                     .ring_dwords = 1u << 18,
                                     .rptr = 0x2000'0030'0080,
                                     .wptr = 0x2000'0030'0038,
                                     .eop = 0x2000'0040'0000,
                                     .eop_bytes = 4096,
                                     .doorbell = 3});
  namespace m = abi::mqd;
  EXPECT_EQ(d[0], 0xC0310800u);
  EXPECT_EQ(d[128], 0x00123000u);
  EXPECT_EQ(d[129], 0x80u);
  EXPECT_EQ(d[130], 0u);           // switched on by register, after everything else
  EXPECT_EQ(d[132], 0x00005501u);  // PRELOAD_SIZE [17:8], PRELOAD_REQ [0]
  EXPECT_EQ(d[135], 0x111u);
  EXPECT_EQ(d[136], 0x00002000u);
  EXPECT_EQ(d[137], 0x20u);
  EXPECT_EQ(d[139], 0x00300080u);
  EXPECT_EQ(d[140], 0x2000u);
  EXPECT_EQ(d[141], 0x00300038u);
  EXPECT_EQ(d[143], 0x40000018u);      // DOORBELL_EN [30], DOORBELL_OFFSET [27:2] = 6
  EXPECT_EQ(d[145] & 0x3fu, 17u);      // 2^18 dwords
  EXPECT_EQ(d[145] >> 8 & 0x3fu, 5u);  // RPTR_BLOCK_SIZE
  EXPECT_EQ(d[149], 0x00300000u);      // MIN_IB_AVAIL_SIZE [21:20]
  EXPECT_EQ(d[160], 0x20004000u);
  EXPECT_EQ(d[165], 0x00004000u);
  EXPECT_EQ(d[166], 0x20u);
  EXPECT_EQ(d[167], 9u);  // 2^10 dwords
  for (const unsigned se : {23u, 24u, 26u, 27u, 44u, 45u, 46u, 47u}) EXPECT_EQ(d[se], 0xffffffffu) << se;
  EXPECT_EQ(d[182], 0u);
}

}  // namespace
}  // namespace hcq::am
