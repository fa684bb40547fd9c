// SPDX-License-Identifier: MIT
// Dispatches on the Navi31 model: what they carry to the engine, what must be set before, ordering, and faults.
#include "am_cp_rig.h"

namespace hcq::models::am::test {
namespace {

class CpDispatch : public ::testing::Test, public CpRig {
 protected:
  CpDispatch() { start(); }
  // A kernel that stores `value` at `va` through the engine's memory port.
  void stores(std::uint64_t va, std::uint32_t value) {
    shader.body = [va, value](const isa::Dispatch&, isa::MemoryPort& m, const std::atomic<bool>&) {
      const auto t = m.translate(va, isa::Access::write);
      if (!t.page)
        return isa::Report{
            .outcome = isa::Outcome::memory_fault, .address = va, .access = isa::Access::write, .text = {}};
      std::memcpy(t.page + (va & 0xfff), &value, 4);
      return isa::Report{};
    };
  }
};

TEST_F(CpDispatch, CarriesTheRegisters) {
  dispatch_registers();
  dispatch(2, 3, 4);
  partial_flush();
  ASSERT_TRUE(run()) << said();
  ASSERT_EQ(shader.count(), 1u);
  const isa::Dispatch& d = shader.seen[0];
  EXPECT_EQ(d.entry, kDataVa);
  EXPECT_EQ(d.groups[2], 4u);
  EXPECT_EQ(d.block[0], 64u);
  EXPECT_EQ(d.user_data[1], 22u);
  EXPECT_TRUE(d.wave32);
  EXPECT_EQ(d.shared_aperture, 1ull << 48);
  EXPECT_EQ(d.private_aperture, 2ull << 48);
  EXPECT_TRUE(chip.referee.violations().empty()) << said();
}

TEST_F(CpDispatch, EmptyGridRunsNothing) {
  dispatch_registers();
  dispatch(0, 1, 1);
  partial_flush();
  ASSERT_TRUE(run());
  EXPECT_EQ(shader.count(), 0u);
}

TEST_F(CpDispatch, ResultsReachTheHostAfterAReleaseWithWriteBack) {
  stores(kCachedVa, 0x77);
  dispatch_registers();
  dispatch();
  release(kDataVa, 1, pm4::release_mem::GL2_WB(1));
  ASSERT_TRUE(run());
  EXPECT_EQ(vram<std::uint32_t>(0x900000), 0x77u);
}

TEST_F(CpDispatch, PacketsMayOvertakeADispatchWithoutAFlush) {
  // The same commands with several seeds: some of them copy before the kernel has stored.
  int early = 0, late = 0;
  for (std::uint64_t seed = 1; seed <= 24; ++seed) {
    CpRig rig(seed);
    rig.start();
    rig.shader.body = [](const isa::Dispatch&, isa::MemoryPort& m, const std::atomic<bool>&) {
      const std::uint32_t v = 5;
      std::memcpy(m.translate(kDataVa, isa::Access::write).page, &v, 4);
      return isa::Report{};
    };
    rig.dispatch_registers();
    rig.dispatch();
    namespace c = pm4::copy_data;
    rig.put_packet(pm4::COPY_DATA, {c::SRC_SEL(c::kSrcMemory) | c::DST_SEL(c::kDstMemory), lo32(kDataVa), hi32(kDataVa),
                                    lo32(kDataVa + 8), hi32(kDataVa)});
    ASSERT_TRUE(rig.run());
    EXPECT_EQ(rig.datum(0), 5u) << "it has run when the ring is empty";
    (rig.datum(8) == 5 ? late : early) += 1;
  }
  EXPECT_GT(early, 0);
  EXPECT_GT(late, 0);
}

TEST_F(CpDispatch, InstructionCacheIsInvalidatedWhenAsked) {
  dispatch_registers();
  dispatch();
  partial_flush();
  ASSERT_TRUE(run());
  const int before = shader.instruction_invalidations;
  dispatch();
  partial_flush();
  ASSERT_TRUE(run());
  EXPECT_EQ(shader.instruction_invalidations, before) << "without GLI_INV old code runs";
  acquire(pm4::acquire_mem::GLI_INV(1));
  dispatch();
  partial_flush();
  ASSERT_TRUE(run());
  EXPECT_EQ(shader.instruction_invalidations, before + 1);
}

// A kernel that loads a dword and leaves it at kDataVa, by scalar or by vector instructions.
class CpStaleReads : public CpDispatch {
 protected:
  void loads(isa::Access access) {
    shader.body = [access](const isa::Dispatch&, isa::MemoryPort& m, const std::atomic<bool>&) {
      std::memcpy(m.translate(kDataVa, isa::Access::write).page, m.translate(kCachedVa, access).page, 4);
      return isa::Report{};
    };
    dispatch_registers();
  }
  std::uint32_t load() {
    dispatch();
    partial_flush();
    EXPECT_TRUE(run()) << said();
    return datum();
  }
  // The copy engine's way: around GL2, which is kept coherent.
  void engine_writes(std::uint32_t v) {
    constexpr Requester kEngine{.client = ClientId::sdma0, .policy = CachePolicy::bypass};
    ASSERT_TRUE(memory.store32(kEngine, kCachedVa, v));
  }
  static constexpr std::uint32_t kGl2 = pm4::acquire_mem::GL2_INV.mask | pm4::acquire_mem::GL2_WB.mask,
                                 kVector = pm4::acquire_mem::GLV_INV.mask | pm4::acquire_mem::GL1_INV.mask,
                                 kScalar = pm4::acquire_mem::GLK_INV.mask;
};

TEST_F(CpStaleReads, VectorLoadsUntilGlvAndGl1AreInvalidated) {
  loads(isa::Access::read);
  engine_writes(1);
  EXPECT_EQ(load(), 1u);
  engine_writes(2);
  EXPECT_EQ(load(), 1u) << "nothing was invalidated";
  acquire(kScalar | kGl2);
  EXPECT_EQ(load(), 1u) << "GL2 is behind GL1";
  acquire(pm4::acquire_mem::GLV_INV.mask);
  EXPECT_EQ(load(), 1u) << "GLV reads from GL1";
  acquire(kVector);
  EXPECT_EQ(load(), 2u);
  EXPECT_TRUE(chip.referee.violations().empty()) << said();
}

TEST_F(CpStaleReads, VectorLoadsAfterTheHostWroteAndOnlyGl2WasInvalidated) {
  loads(isa::Access::read);
  poke(0x900000, 1);
  EXPECT_EQ(load(), 1u);
  poke(0x900000, 2);
  acquire(kGl2);
  EXPECT_EQ(load(), 1u);
  acquire(kVector | kGl2);
  EXPECT_EQ(load(), 2u);
}

TEST_F(CpStaleReads, ScalarLoadsUntilGlkIsInvalidated) {
  loads(isa::Access::scalar);
  engine_writes(1);
  EXPECT_EQ(load(), 1u);
  engine_writes(2);
  acquire(kVector | kGl2);
  EXPECT_EQ(load(), 1u) << "GLK was not named";
  acquire(kScalar);
  EXPECT_EQ(load(), 2u);
}

TEST_F(CpStaleReads, AKernelSeesItsOwnWrites) {
  loads(isa::Access::read);
  engine_writes(1);
  EXPECT_EQ(load(), 1u);
  engine_writes(2);
  shader.body = [](const isa::Dispatch&, isa::MemoryPort& m, const std::atomic<bool>&) {
    const std::uint32_t three = 3;
    std::memcpy(m.translate(kCachedVa, isa::Access::write).page, &three, 4);
    std::memcpy(m.translate(kDataVa, isa::Access::write).page, m.translate(kCachedVa, isa::Access::read).page, 4);
    return isa::Report{};
  };
  EXPECT_EQ(load(), 3u);
}

TEST_F(CpStaleReads, AReleaseInvalidatesForTheNextDispatch) {
  loads(isa::Access::read);
  engine_writes(1);
  EXPECT_EQ(load(), 1u);
  engine_writes(2);
  release(kDataVa + 64, 1, pm4::release_mem::GLV_INV.mask | pm4::release_mem::GL1_INV.mask);
  EXPECT_EQ(load(), 2u);
}

TEST_F(CpDispatch, EveryRegisterMustHaveBeenWritten) {
  // The queue's thread reports one register after the other; the first report does not mean that all are there.
  const auto eventually_said = [this](const char* text) {
    const auto deadline = Deadline::in(std::chrono::seconds(5));
    while (said().find(text) == std::string::npos) {
      if (deadline.expired()) return false;
      std::this_thread::yield();
    }
    return true;
  };
  dispatch();
  EXPECT_TRUE(gets_stuck("cp.dispatch_register_unset"));
  EXPECT_EQ(shader.count(), 0u);
  for (const char* r : {"COMPUTE_PGM_LO", "COMPUTE_PGM_RSRC1", "COMPUTE_PGM_RSRC2", "COMPUTE_PGM_RSRC3",
                        "COMPUTE_NUM_THREAD_X", "COMPUTE_START_X", "COMPUTE_RESTART_X", "COMPUTE_RESOURCE_LIMITS"})
    EXPECT_TRUE(eventually_said(r)) << r;
}

struct Wrong {
  const char* name;
  const char* rule;
  std::function<void(CpRig&)> put;
};
class CpWrongDispatch : public ::testing::TestWithParam<Wrong> {};
TEST_P(CpWrongDispatch, DoesNotRun) {
  CpRig rig;
  rig.start();
  rig.dispatch_registers();
  GetParam().put(rig);
  rig.dispatch();
  EXPECT_TRUE(rig.gets_stuck(GetParam().rule)) << rig.said();
  EXPECT_EQ(rig.shader.count(), 0u);
}
INSTANTIATE_TEST_SUITE_P(
    All, CpWrongDispatch,
    ::testing::Values(
        Wrong{"threads", "cp.dispatch_threads", [](CpRig& r) { r.set_sh<regs::COMPUTE_NUM_THREAD_X>({1025}); }},
        Wrong{"noThreads", "cp.dispatch_threads", [](CpRig& r) { r.set_sh<regs::COMPUTE_NUM_THREAD_X>({0}); }},
        Wrong{"lds", "cp.dispatch_lds", [](CpRig& r) { r.set_sh<regs::COMPUTE_PGM_RSRC2>({129u << 15}); }},
        Wrong{"vgprs", "cp.dispatch_vgprs", [](CpRig& r) { r.set_sh<regs::COMPUTE_PGM_RSRC1>({32}); }},
        Wrong{"userData", "cp.dispatch_register_unset", [](CpRig& r) { r.set_sh<regs::COMPUTE_PGM_RSRC2>({3u << 1}); }},
        Wrong{"userSgprs", "cp.dispatch_user_sgpr", [](CpRig& r) { r.set_sh<regs::COMPUTE_PGM_RSRC2>({17u << 1}); }},
        Wrong{"restart", "cp.dispatch_restart", [](CpRig& r) { r.set_sh<regs::COMPUTE_RESTART_X>({1}); }},
        Wrong{"scratchUnset", "cp.dispatch_register_unset", [](CpRig& r) { r.set_sh<regs::COMPUTE_PGM_RSRC2>({1}); }},
        Wrong{"scratchEmpty", "cp.dispatch_scratch",
              [](CpRig& r) {
                r.set_sh<regs::COMPUTE_PGM_RSRC2>({1});
                r.set_sh<regs::COMPUTE_TMPRING_SIZE>({0});
                r.set_sh<regs::COMPUTE_DISPATCH_SCRATCH_BASE_LO>({0, 0});
              }},
        Wrong{"initiator", "cp.dispatch_initiator",
              [](CpRig& r) { r.put_packet(pm4::DISPATCH_DIRECT, {1, 1, 1, 4}); }}),
    [](const auto& i) { return std::string(i.param.name); });

TEST_F(CpDispatch, ScratchIsPassedOn) {
  dispatch_registers();
  set_sh<regs::COMPUTE_PGM_RSRC2>({1});
  set_sh<regs::COMPUTE_TMPRING_SIZE>({4u | 2u << 12});
  set_sh<regs::COMPUTE_DISPATCH_SCRATCH_BASE_LO>({lo32(kDataVa >> 8), hi32(kDataVa >> 8)});
  dispatch();
  partial_flush();
  ASSERT_TRUE(run()) << said();
  EXPECT_EQ(shader.seen[0].scratch_base, kDataVa);
  EXPECT_EQ(shader.seen[0].scratch_wave_bytes, 512u);
  EXPECT_EQ(shader.seen[0].scratch_waves, 24u) << "WAVES counts per shader engine, and there are six";
}

TEST_F(CpDispatch, AperturesMustBeSet) {
  select(0);
  write<regs::SH_MEM_BASES>(0);
  dispatch_registers();
  dispatch();
  EXPECT_TRUE(gets_stuck("cp.sh_mem_bases"));
}

// ---- Faults

TEST_F(CpDispatch, PageFaultHaltsTheQueueUntilReset) {
  stores(kVaBase + 0x7000000, 1);
  dispatch_registers();
  dispatch();
  partial_flush();
  write_data(kDataVa, 9);
  submit();
  ASSERT_TRUE(eventually([&] { return interrupts.saw(10, 0); }));
  using S = GcHub::FaultStatus;
  EXPECT_EQ(chip.registers.get<S>()[S::CID], 8u);
  EXPECT_EQ(chip.registers.get<S>()[S::RW], 1u);
  std::this_thread::sleep_for(2ms);
  EXPECT_EQ(datum(), 0u);
  select(1);
  write<regs::CP_HQD_DEQUEUE_REQUEST>(2);
  EXPECT_TRUE(eventually([&] { return read<regs::CP_HQD_ACTIVE>() == 0; }));
  select(0);
  write<GcHub::FaultCntl>(1);
  shader.body = nullptr;
  wptr = 0;
  std::memset(pointers, 0, 4096);
  activate_queue();
  write_data(kDataVa, 9);
  EXPECT_TRUE(run()) << said();
  EXPECT_EQ(datum(), 9u);
}

TEST_F(CpDispatch, IllegalInstructionRaisesTheSqInterrupt) {
  shader.body = [](const isa::Dispatch&, isa::MemoryPort&, const std::atomic<bool>&) {
    return isa::Report{.outcome = isa::Outcome::illegal, .pc = 0x1234, .text = "bad bytes"};
  };
  dispatch_registers();
  dispatch();
  partial_flush();
  submit();
  ASSERT_TRUE(eventually([&] { return interrupts.saw(20, 239); }));
  EXPECT_TRUE(saw("sq.illegal_instruction"));
  const auto e = interrupts.entries()[0];
  EXPECT_EQ(e.context[1] >> 6 & 3, 2u) << "encoding: error";
  EXPECT_EQ(e.context[0] >> 21 & 15, 1u) << "ILLEGAL_INST";
}

TEST_F(CpDispatch, LongKernelIsStoppedByAWaveReset) {
  std::atomic<bool> running{false};
  shader.body = [&](const isa::Dispatch&, isa::MemoryPort&, const std::atomic<bool>& stop) {
    running = true;
    while (!stop) std::this_thread::yield();
    return isa::Report{.outcome = isa::Outcome::stopped, .text = {}};
  };
  dispatch_registers();
  dispatch();
  partial_flush();
  submit();
  ASSERT_TRUE(eventually([&] { return running.load(); }));
  select(1);
  write<regs::CP_HQD_DEQUEUE_REQUEST>(2);
  EXPECT_TRUE(eventually([&] { return read<regs::CP_HQD_ACTIVE>() == 0; }));
}

}  // namespace
}  // namespace hcq::models::am::test
