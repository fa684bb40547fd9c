// SPDX-License-Identifier: MIT
#include "drivers/am/register_io.h"

#include <gtest/gtest.h>

#include "am_fake_function.h"
#include "drivers/am/ih.h"

namespace hcq::am {
namespace {

using namespace regs;
using namespace std::chrono_literals;

class RegisterIoTest : public ::testing::Test {
 protected:
  RegisterIoTest() : link(function), io(link, *function.map_bar(5, pci::Caching::uncached)) {
    const IpBlock blocks[] = {{Ip::osssys, 0, 6, 0, 0, {0x10a0, 0x240a000}},
                              {Ip::mp0, 0, 13, 0, 0, {0x16000}},
                              {Ip::mmhub, 0, 3, 0, 0, {0x1a000, 0x2408800}},
                              {Ip::nbio, 0, 4, 3, 0, {0, 0x14, 0xd20, 0x10400, 0x241b000, 0x4040000}}};
    io.set_map(std::move(*RegisterMap::build(blocks)));
  }
  FakeFunction function;
  Link link;
  RegisterIo io;
  static constexpr std::uint32_t kRbCntl = 0x10a0 + 0x80;
};

TEST_F(RegisterIoTest, WriteClearsOtherFieldsAndUpdateKeepsThem) {
  function.registers[kRbCntl] = 0xffffffff & ~1u;
  ASSERT_TRUE(io.write<IH_RB_CNTL>({IH_RB_CNTL::RB_SIZE(16), IH_RB_CNTL::MC_SPACE(4)}).ok());
  EXPECT_EQ(function.registers[kRbCntl], 16u << 1 | 4u << 28);
  ASSERT_TRUE(io.update<IH_RB_CNTL>({IH_RB_CNTL::RB_ENABLE(1)}).ok());
  EXPECT_EQ(function.registers[kRbCntl], 16u << 1 | 4u << 28 | 1u);
  const auto v = io.read<IH_RB_CNTL>();
  ASSERT_TRUE(v.ok());
  EXPECT_EQ((*v)[IH_RB_CNTL::RB_SIZE], 16u);
}

TEST_F(RegisterIoTest, ReachesArraysAndRefusesWhatIsNotThere) {
  ASSERT_TRUE(io.write_raw<MMVM_INVALIDATE_ENG0_REQ>(5, {.index = 17}).ok());
  EXPECT_EQ(function.registers[0x1a000 + 0x774], 5u);
  EXPECT_EQ(io.write_raw<MMVM_INVALIDATE_ENG0_REQ>(5, {.index = 18}).error().code, Errc::unsupported);
  EXPECT_EQ(io.read<MMVM_L2_CNTL>({.instance = 1}).error().code, Errc::unsupported);
  EXPECT_EQ(io.read<MPASP_SMN_C2PMSG_81>().error().subject, "MPASP_SMN_C2PMSG_81");
}

TEST_F(RegisterIoTest, GoesThroughTheIndexPairBeyondTheBar) {
  ASSERT_TRUE(io.write<S2A_DOORBELL_ENTRY_0_CTRL>({S2A_DOORBELL_ENTRY_0_CTRL::S2A_DOORBELL_PORT0_ENABLE(1)}).ok());
  ASSERT_EQ(function.written.size(), 2u);
  EXPECT_EQ(function.written[0], std::pair(0x14u, (0x10400u + 0x4f7640u) * 4));
  EXPECT_EQ(function.written[1], std::pair(0x15u, 1u));
}

TEST_F(RegisterIoTest, AllOnesAreAValueWhileConfigSpaceAnswers) {
  function.registers[kRbCntl] = 0xffffffff;
  const auto v = io.read<IH_RB_CNTL>();
  ASSERT_TRUE(v.ok());
  EXPECT_EQ(v->raw, 0xffffffffu);
  EXPECT_FALSE(link.lost());
  EXPECT_EQ(function.config_reads, 1u);
}

TEST_F(RegisterIoTest, ALostDeviceIsNeverTouchedAgain) {
  function.registers[kRbCntl] = 0xffffffff;
  function.lost_config = true;
  link.set_operation("test/step");
  const auto v = io.read<IH_RB_CNTL>();
  ASSERT_FALSE(v.ok());
  EXPECT_EQ(v.error().code, Errc::device_lost);
  EXPECT_EQ(v.error().operation, "test/step");
  EXPECT_EQ(v.error().subject, "IH_RB_CNTL");
  EXPECT_EQ(v.error().device, "fake");
  const unsigned touched = function.accesses + function.config_reads;
  function.lost_config = false;  // even if it came back: its state is not known
  EXPECT_EQ(io.read<IH_RB_WPTR>().error().code, Errc::device_lost);
  EXPECT_EQ(io.write_raw<IH_RB_RPTR>(0).error().subject, "IH_RB_CNTL") << "the access that noticed";
  EXPECT_EQ(io.poll(IH_RB_CNTL::RB_ENABLE, 1, 1s, "x").error().code, Errc::device_lost);
  EXPECT_EQ(link.confirm("x").error().code, Errc::device_lost);
  EXPECT_EQ(function.accesses + function.config_reads, touched);
}

TEST_F(RegisterIoTest, APollThatEndsSaysWhatItWaitedFor) {
  function.registers[0x16000 + 0x91] = 0;
  const auto v = io.poll_masked<MP0_SMN_C2PMSG_81>(0xff, 0x12, 20ms, "psp/wait_sos");
  ASSERT_FALSE(v.ok());
  EXPECT_EQ(v.error().code, Errc::timeout);
  EXPECT_EQ(v.error().operation, "psp/wait_sos");
  EXPECT_EQ(v.error().expected, 0x12u);
  EXPECT_EQ(v.error().actual, 0u);
  EXPECT_EQ(v.error().subject, "MP0_SMN_C2PMSG_81");
}

TEST_F(RegisterIoTest, APollOnADeviceThatLeavesEndsAtOnce) {
  function.lose_after = 3;
  function.lost_config = true;
  const auto begin = Clock::now();
  const auto v = io.poll_masked<MP0_SMN_C2PMSG_81>(0xff, 0x12, 10s, "psp/wait_sos");
  EXPECT_EQ(v.error().code, Errc::device_lost);
  EXPECT_LT(Clock::now() - begin, 5s);
}

IhEntry entry(std::uint8_t client, std::uint8_t source, std::uint32_t c0 = 0, std::uint32_t c1 = 0) {
  return {{std::uint32_t{client} | std::uint32_t{source} << 8, 0, 0, 0, c0, c1, 0, 0}};
}

TEST(IhDecode, KnowsWhatIsAFaultAndWhatIsNot) {
  EXPECT_EQ(decode_ih_entry(entry(0x0a, 0)).kind, IhKind::vm_fault_gc);
  EXPECT_TRUE(decode_ih_entry(entry(0x0a, 0)).fault);
  EXPECT_EQ(decode_ih_entry(entry(0x12, 0)).kind, IhKind::vm_fault_mm);
  EXPECT_EQ(decode_ih_entry(entry(0x14, 181)).kind, IhKind::end_of_pipe);
  EXPECT_FALSE(decode_ih_entry(entry(0x14, 181)).fault);
  EXPECT_EQ(decode_ih_entry(entry(0x0a, 49)).kind, IhKind::sdma_trap);
  EXPECT_STREQ(decode_ih_entry(entry(0x14, 183)).name, "CP_BAD_OPCODE_ERROR");
  EXPECT_TRUE(decode_ih_entry(entry(0x14, 183)).fault);
  EXPECT_FALSE(decode_ih_entry(entry(0x0a, 239, 0, 0)).fault);
  const IhEvent illegal = decode_ih_entry(entry(0x0a, 239, 1u << 21, 2u << 6));
  EXPECT_TRUE(illegal.fault);
  EXPECT_STREQ(illegal.name, "SQ_ILLEGAL_INST");
  EXPECT_EQ(decode_ih_entry(entry(0x55, 1)).kind, IhKind::other);
  EXPECT_FALSE(decode_ih_entry(entry(0x55, 1)).fault);
}

}  // namespace
}  // namespace hcq::am
