// SPDX-License-Identifier: MIT
// PM4 packets on the Navi31 model: what they do, and what a broken one leads to.
#include <fmt/format.h>

#include "am_cp_rig.h"

namespace hcq::models::am::test {
namespace {

class CpPm4 : public ::testing::Test, public CpRig {
 protected:
  CpPm4() { start(); }
  std::uint32_t flush_register() { return chip.registers.address<regs::BIF_BX_PF0_GPU_HDP_FLUSH_REQ>(); }
  std::uint32_t done_register() { return chip.registers.address<regs::BIF_BX_PF0_GPU_HDP_FLUSH_DONE>(); }
  void bad_opcode() {
    EXPECT_TRUE(eventually([&] { return interrupts.saw(20, 183); })) << "CP_BAD_OPCODE interrupt";
  }
};

TEST_F(CpPm4, NopsOfEveryForm) {
  put({pm4::kType2, pm4::header(pm4::NOP, 0x4000)});
  put_packet(pm4::NOP, {1, 2, 3});
  write_data(kDataVa, 1);
  ASSERT_TRUE(run()) << said();
  EXPECT_EQ(datum(), 1u);
  EXPECT_TRUE(chip.referee.violations().empty()) << said();
}

TEST_F(CpPm4, WriteDataSeveralDwords) {
  namespace w = pm4::write_data;
  put_packet(pm4::WRITE_DATA, {w::DST_SEL(w::kDstMemory), lo32(kDataVa), hi32(kDataVa), 1, 2, 3});
  ASSERT_TRUE(run());
  EXPECT_EQ(datum(0), 1u);
  EXPECT_EQ(datum(8), 3u);
}

TEST_F(CpPm4, WriteDataToARegister) {
  namespace w = pm4::write_data;
  put_packet(pm4::WRITE_DATA, {w::DST_SEL(w::kDstRegister), chip.registers.address<regs::SCRATCH_REG0>(), 0, 0x77});
  ASSERT_TRUE(run());
  EXPECT_EQ(read<regs::SCRATCH_REG0>(), 0x77u);
}

TEST_F(CpPm4, SetUconfigRegister) {
  put_packet(pm4::SET_UCONFIG_REG, {chip.registers.address<regs::SCRATCH_REG0>(1) - pm4::kUconfigRegStart, 0x66});
  ASSERT_TRUE(run());
  EXPECT_EQ(read<regs::SCRATCH_REG0>(1), 0x66u);
}

TEST_F(CpPm4, CopyDataBetweenRegistersMemoryAndClock) {
  namespace c = pm4::copy_data;
  write<regs::SCRATCH_REG0>(0x1234);
  put_packet(pm4::COPY_DATA, {c::SRC_SEL(c::kSrcRegister) | c::DST_SEL(c::kDstMemory),
                              chip.registers.address<regs::SCRATCH_REG0>(), 0, lo32(kDataVa), hi32(kDataVa)});
  put_packet(pm4::COPY_DATA, {c::SRC_SEL(c::kSrcMemory) | c::DST_SEL(c::kDstMemory), lo32(kDataVa), hi32(kDataVa),
                              lo32(kDataVa + 16), hi32(kDataVa)});
  put_packet(pm4::COPY_DATA, {c::SRC_SEL(c::kSrcGpuClock) | c::DST_SEL(c::kDstMemory) | c::COUNT_SEL(1), 0, 0,
                              lo32(kDataVa + 24), hi32(kDataVa)});
  put_packet(pm4::COPY_DATA, {c::SRC_SEL(c::kSrcImmediate) | c::DST_SEL(c::kDstMemory) | c::COUNT_SEL(1), 5, 6,
                              lo32(kDataVa + 32), hi32(kDataVa)});
  ASSERT_TRUE(run()) << said();
  EXPECT_EQ(datum(0), 0x1234u);
  EXPECT_EQ(datum(16), 0x1234u);
  EXPECT_GT(datum<std::uint64_t>(24), 0u);
  EXPECT_EQ(datum<std::uint64_t>(32), 6ull << 32 | 5);
}

TEST_F(CpPm4, WaitForMemory) {
  namespace w = pm4::wait_reg_mem;
  put_packet(pm4::WAIT_REG_MEM,
             {w::FUNCTION(w::kGreaterEqual) | w::MEM_SPACE(w::kMemory), lo32(kDataVa), hi32(kDataVa), 0x10, 0xff, 4});
  write_data(kDataVa + 8, 1);
  submit();
  std::this_thread::sleep_for(2ms);
  EXPECT_EQ(datum(8), 0u);
  __atomic_store_n(reinterpret_cast<std::uint32_t*>(data), 0xff00, __ATOMIC_RELEASE);
  std::this_thread::sleep_for(2ms);
  EXPECT_EQ(datum(8), 0u) << "the mask leaves 0";
  __atomic_store_n(reinterpret_cast<std::uint32_t*>(data), 0x10, __ATOMIC_RELEASE);
  EXPECT_TRUE(done());
  EXPECT_EQ(datum(8), 1u);
}

TEST_F(CpPm4, HdpFlushThroughWriteWaitWrite) {
  namespace w = pm4::wait_reg_mem;
  map(kCachedVa + 4096, 0xa00000, 4096, kLeaf | kUc);
  const std::uint64_t v = 0x99;
  memory.host_write(0xa00000, std::as_bytes(std::span(&v, 1)));
  put_packet(pm4::WAIT_REG_MEM,
             {w::FUNCTION(w::kEqual) | w::OPERATION(w::kWriteWaitWrite), flush_register(), done_register(), 4, 4, 4});
  namespace c = pm4::copy_data;
  put_packet(pm4::COPY_DATA, {c::SRC_SEL(c::kSrcMemory) | c::DST_SEL(c::kDstMemory), lo32(kCachedVa + 4096),
                              hi32(kCachedVa), lo32(kDataVa), hi32(kDataVa)});
  ASSERT_TRUE(run()) << said();
  EXPECT_EQ(datum(), 0x99u);
}

TEST_F(CpPm4, IndirectBuffersNestTwoDeep) {
  const std::uint32_t inner[] = {pm4::header(pm4::WRITE_DATA, 4), 5u << 8, lo32(kDataVa), hi32(kDataVa), 9};
  std::memcpy(ib + 1024, inner, sizeof inner);
  const std::uint32_t outer[] = {pm4::header(pm4::INDIRECT_BUFFER, 3), lo32(kIbVa + 4096), hi32(kIbVa), 5u | 1u << 23};
  std::memcpy(ib, outer, sizeof outer);
  call(kIbVa, 4);
  write_data(kDataVa + 4, 10);
  ASSERT_TRUE(run()) << said();
  EXPECT_EQ(datum(0), 9u);
  EXPECT_EQ(datum(4), 10u);
  EXPECT_TRUE(chip.referee.violations().empty()) << said();
}

TEST_F(CpPm4, PredExecSkipsInIndirectBuffers) {
  const std::uint32_t packets[] = {pm4::header(pm4::PRED_EXEC, 1),  2u << 24 | 5,  // XCC 1 only
                                   pm4::header(pm4::WRITE_DATA, 4), 5u << 8,      lo32(kDataVa),     hi32(kDataVa), 1,
                                   pm4::header(pm4::PRED_EXEC, 1),  1u << 24 | 5,  // XCC 0
                                   pm4::header(pm4::WRITE_DATA, 4), 5u << 8,      lo32(kDataVa + 4), hi32(kDataVa), 2};
  std::memcpy(ib, packets, sizeof packets);
  call(kIbVa, sizeof packets / 4);
  ASSERT_TRUE(run()) << said();
  EXPECT_EQ(datum(0), 0u);
  EXPECT_EQ(datum(4), 2u);
  EXPECT_TRUE(chip.referee.violations().empty()) << said();
}

TEST_F(CpPm4, PredExecInTheRingIsReported) {
  put_packet(pm4::PRED_EXEC, {1u << 24});
  ASSERT_TRUE(run());
  EXPECT_TRUE(saw("pm4.pred_exec_in_ring"));
}

TEST_F(CpPm4, ReleaseMemWritesDataAndInterrupts) {
  namespace r = pm4::release_mem;
  release(kDataVa, 0x42, 0, r::kIntAfterConfirm);
  put_packet(pm4::RELEASE_MEM, {r::EVENT_TYPE(0x14) | r::EVENT_INDEX(5), r::DATA_SEL(r::kDataGpuClock),
                                lo32(kDataVa + 8), hi32(kDataVa), 0, 0, 0});
  ASSERT_TRUE(run()) << said();
  EXPECT_EQ(datum(), 0x42u);
  EXPECT_GT(datum<std::uint64_t>(8), 0u);
  ASSERT_TRUE(interrupts.saw(20, 181));
  EXPECT_EQ(interrupts.entries()[0].ring, 1 << 2) << "me 1, pipe 0, queue 0";
  EXPECT_TRUE(chip.referee.violations().empty()) << said();
}

TEST_F(CpPm4, EopInterruptNeedsTheEnableBit) {
  select(1);
  write<regs::CPC_INT_CNTL>(0);
  select(0);
  release(kDataVa, 1, 0, pm4::release_mem::kIntAfterConfirm);
  ASSERT_TRUE(run());
  EXPECT_TRUE(saw("cp.eop_interrupt_disabled"));
  EXPECT_FALSE(interrupts.saw(20, 181));
}

TEST_F(CpPm4, AWaitThatNoValueSatisfiesIsReported) {
  namespace w = pm4::wait_reg_mem;
  put_packet(pm4::WAIT_REG_MEM,
             {w::FUNCTION(w::kEqual) | w::MEM_SPACE(w::kMemory), lo32(kDataVa), hi32(kDataVa), 0x100, 0xff, 4});
  EXPECT_TRUE(gets_stuck("pm4.wait_hopeless"));
  EXPECT_NE(said().find(fmt::format("memory at {:#x} & 0xff) == 0x100", kDataVa)), std::string::npos) << said();
}

TEST_F(CpPm4, ReleaseWritesGl2Back) {
  std::uint64_t v = 0x1111;
  ASSERT_TRUE(memory.store64(kShader, kCachedVa, v));
  release(kDataVa, 1);
  ASSERT_TRUE(run());
  EXPECT_EQ(vram(0x900000), 0u) << "nobody asked for a write-back";
  release(kDataVa, 2, pm4::release_mem::GL2_WB(1));
  ASSERT_TRUE(run());
  EXPECT_EQ(vram(0x900000), v);
}

TEST_F(CpPm4, AcquireInvalidatesGl2) {
  std::uint64_t v = 0;
  ASSERT_TRUE(memory.load64(kShader, kCachedVa, v));
  poke(0x900000, 3);
  acquire(pm4::acquire_mem::GLV_INV(1) | pm4::acquire_mem::GL1_INV(1));
  ASSERT_TRUE(run());
  ASSERT_TRUE(memory.load64(kShader, kCachedVa, v));
  EXPECT_EQ(v, 0u) << "GL2 was not named";
  acquire(pm4::acquire_mem::GL2_INV(1) | pm4::acquire_mem::GL2_WB(1));
  ASSERT_TRUE(run());
  ASSERT_TRUE(memory.load64(kShader, kCachedVa, v));
  EXPECT_EQ(v, 3u);
  EXPECT_TRUE(chip.referee.violations().empty()) << said();
}

TEST_F(CpPm4, InvalidatingDirtyDataIsReported) {
  ASSERT_TRUE(memory.store32(kShader, kCachedVa, 1));
  acquire(pm4::acquire_mem::GL2_INV(1));
  ASSERT_TRUE(run());
  EXPECT_TRUE(saw("l2.invalidate_dirty"));
}

TEST_F(CpPm4, CachedIndirectBufferIsStaleWithoutInvalidation) {
  // The same buffer in VRAM, rewritten by the host through the HDP.
  const auto fill = [&](std::uint32_t value) {
    const std::uint32_t p[] = {pm4::header(pm4::WRITE_DATA, 4), 5u << 8, lo32(kDataVa), hi32(kDataVa), value};
    memory.host_write(0x900000, std::as_bytes(std::span(p)));
    memory.hdp_flush();
  };
  fill(1);
  call(kCachedVa, 5);
  ASSERT_TRUE(run());
  EXPECT_EQ(datum(), 1u);
  fill(2);
  call(kCachedVa, 5);
  ASSERT_TRUE(run());
  EXPECT_EQ(datum(), 1u);
  acquire(pm4::acquire_mem::GL2_INV(1) | pm4::acquire_mem::GL2_WB(1));
  call(kCachedVa, 5);
  ASSERT_TRUE(run());
  EXPECT_EQ(datum(), 2u);
}

// ---- Broken packets: the queue stops with an interrupt.

struct Broken {
  const char* name;
  const char* rule;
  std::function<void(CpRig&)> put;
};
class CpBroken : public ::testing::TestWithParam<Broken> {};
TEST_P(CpBroken, StopsTheQueue) {
  CpRig rig;
  rig.start();
  GetParam().put(rig);
  rig.write_data(CpRig::kDataVa, 0x55);
  EXPECT_TRUE(rig.gets_stuck(GetParam().rule)) << rig.said();
  EXPECT_TRUE(eventually([&] { return rig.interrupts.saw(20, 183); }));
  EXPECT_EQ(rig.datum(), 0u) << "what follows must not run";
}
constexpr std::uint64_t kData = CpRig::kDataVa;
INSTANTIATE_TEST_SUITE_P(
    All, CpBroken,
    ::testing::Values(
        Broken{"opcode", "pm4.opcode", [](CpRig& r) { r.put_packet(0x77, {0}); }},
        Broken{"type0", "pm4.type", [](CpRig& r) { r.put({0x1234}); }},
        Broken{"headerBits", "pm4.reserved", [](CpRig& r) { r.put({pm4::header(pm4::NOP, 1) | 2, 0}); }},
        Broken{"count", "pm4.count", [](CpRig& r) { r.put_packet(pm4::EVENT_WRITE, {0x407, 0}); }},
        Broken{"truncated", "pm4.truncated", [](CpRig& r) { r.put({pm4::header(pm4::NOP, 500)}); }},
        Broken{"window", "pm4.register_window", [](CpRig& r) { r.put_packet(pm4::SET_SH_REG, {0x3ff, 0, 0}); }},
        Broken{"ibValid", "pm4.ib_valid", [](CpRig& r) { r.put_packet(pm4::INDIRECT_BUFFER, {0, 0, 4}); }},
        Broken{"ibSize", "pm4.ib_size", [](CpRig& r) { r.call(CpRig::kIbVa, 0); }},
        Broken{"ibAlignment", "pm4.ib_alignment", [](CpRig& r) { r.call(CpRig::kIbVa + 2, 4); }},
        Broken{"ibVmid", "pm4.ib_vmid",
               [](CpRig& r) {
                 r.put_packet(pm4::INDIRECT_BUFFER, {lo32(CpRig::kIbVa), hi32(CpRig::kIbVa), 1u << 24 | 1u << 23 | 4});
               }},
        Broken{"ibNesting", "pm4.ib_nesting",
               [](CpRig& r) {
                 const std::uint32_t self[] = {pm4::header(pm4::INDIRECT_BUFFER, 3), lo32(CpRig::kIbVa),
                                               hi32(CpRig::kIbVa), 4u | 1u << 23};
                 std::memcpy(r.ib, self, sizeof self);
                 r.call(CpRig::kIbVa, 4);
               }},
        Broken{"ibTruncatedPacket", "pm4.truncated",
               [](CpRig& r) {
                 r.ib[0] = pm4::header(pm4::NOP, 8);
                 r.call(CpRig::kIbVa, 4);
               }},
        Broken{"event", "pm4.event", [](CpRig& r) { r.put_packet(pm4::EVENT_WRITE, {7}); }},
        Broken{"releaseEvent", "pm4.event", [](CpRig& r) { r.put_packet(pm4::RELEASE_MEM, {0x14, 0, 0, 0, 0, 0, 0}); }},
        Broken{"releaseAlignment", "pm4.release_alignment", [](CpRig& r) { r.release(kData + 2, 1); }},
        Broken{
            "release64Alignment", "pm4.release_alignment",
            [](CpRig& r) { r.put_packet(pm4::RELEASE_MEM, {0x514, 2u << 29, lo32(kData + 4), hi32(kData), 0, 0, 0}); }},
        Broken{"waitFunction", "pm4.selector", [](CpRig& r) { r.put_packet(pm4::WAIT_REG_MEM, {7, 0, 0, 0, 0, 4}); }},
        Broken{"copySource", "pm4.selector", [](CpRig& r) { r.put_packet(pm4::COPY_DATA, {7, 0, 0, 0, 0}); }},
        Broken{"writeAlignment", "pm4.alignment",
               [](CpRig& r) { r.put_packet(pm4::WRITE_DATA, {5u << 8, lo32(kData + 1), hi32(kData), 0}); }},
        Broken{"acquireReserved", "pm4.reserved",
               [](CpRig& r) { r.put_packet(pm4::ACQUIRE_MEM, {0, 0, 0, 0, 0, 0, 1u << 30}); }}),
    [](const auto& i) { return std::string(i.param.name); });

TEST_F(CpPm4, ReleaseNeedsAnEopBuffer) {
  CpRig rig;
  rig.wide(mqd::cp_hqd_eop_base_addr_lo, 0);
  rig.start();
  rig.release(kDataVa, 1);
  EXPECT_TRUE(rig.gets_stuck("cp.eop_missing"));
}

TEST_F(CpPm4, ReleaseFaultsOnAnUnmappedEopBuffer) {
  CpRig rig;
  rig.wide(mqd::cp_hqd_eop_base_addr_lo, (kVaBase + 0x9000000) >> 8);
  rig.start();
  rig.release(kDataVa, 1);
  rig.submit();
  EXPECT_TRUE(eventually([&] { return rig.interrupts.saw(10, 0); }));
  EXPECT_EQ(rig.datum(), 0u);
}

TEST_F(CpPm4, UnknownShRegisterIsReported) {
  put_packet(pm4::SET_SH_REG, {0x3f0, 1});
  ASSERT_TRUE(run());
  EXPECT_TRUE(saw("pm4.register_unbacked"));
}

TEST_F(CpPm4, ReservedBitsOfShRegistersAreReported) {
  set_sh<regs::COMPUTE_PGM_RSRC3>({1u << 20});
  ASSERT_TRUE(run());
  EXPECT_TRUE(saw("register.reserved"));
}

TEST_F(CpPm4, WaitOnUnmappedMemoryFaults) {
  namespace w = pm4::wait_reg_mem;
  put_packet(pm4::WAIT_REG_MEM, {w::FUNCTION(w::kEqual) | w::MEM_SPACE(w::kMemory), 0, hi32(kVaBase), 0, ~0u, 4});
  submit();
  EXPECT_TRUE(eventually([&] { return interrupts.saw(10, 0); }));
}

}  // namespace
}  // namespace hcq::models::am::test
