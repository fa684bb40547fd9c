// SPDX-License-Identifier: MIT
// Microcode start, queue descriptors, doorbells and recovery of the Navi31 model's MEC.
#include "am_cp_rig.h"

namespace hcq::models::am::test {
namespace {

class CpQueue : public ::testing::Test, public CpRig {};

TEST_F(CpQueue, RunsPacketsAndReportsRptr) {
  start();
  write_data(kDataVa, 7);
  ASSERT_TRUE(run()) << said();
  EXPECT_EQ(datum(), 7u);
  EXPECT_TRUE(chip.referee.violations().empty()) << said();
}

TEST_F(CpQueue, WrapsTheRing) {
  start();
  for (std::uint32_t i = 0; i < 1000; ++i) {
    write_data(kDataVa, i);
    ASSERT_TRUE(run()) << said();
    ASSERT_EQ(datum(), i);
  }
  EXPECT_GT(wptr, 4u * kRingDwords);
  EXPECT_TRUE(chip.referee.violations().empty()) << said();
}

// ---- Microcode

TEST_F(CpQueue, HaltedMecRunsNothing) {
  mec_start_address();
  mec_pulse();
  setup_pipe();
  activate_queue();
  write_data(kDataVa, 7);
  EXPECT_TRUE(gets_stuck("cp.mec_halted"));
  EXPECT_EQ(datum(), 0u);
}

TEST_F(CpQueue, StartAddressMustBeTheHeaders) {
  mec_start_address(0x1000);
  mec_pulse();
  mec_run();
  EXPECT_TRUE(saw("cp.mec_start_address"));
}

TEST_F(CpQueue, StartAddressTakesEffectWithAResetPulse) {
  mec_start_address();
  mec_run();
  EXPECT_TRUE(saw("cp.mec_no_reset"));
}

TEST_F(CpQueue, MicrocodeMustBeLoaded) {
  chip.forget_firmware();
  start_mec();
  EXPECT_TRUE(saw("cp.mec_no_firmware"));
}

TEST_F(CpQueue, GraphicsRegistersAnswerAfterRlcBootOnly) {
  chip.rlc_booted = false;
  start_mec();
  EXPECT_TRUE(saw("gc.before_boot"));
}

// ---- HQD

TEST_F(CpQueue, QueueRegistersNeedASelectedQueue) {
  write<regs::CP_HQD_PQ_BASE>(1);
  EXPECT_TRUE(saw("cp.grbm_select"));
}

TEST_F(CpQueue, RegistersAreBankedPerQueue) {
  select(1, 0, 0);
  write<regs::CP_HQD_PQ_BASE>(0x11);
  select(1, 1, 2);
  write<regs::CP_HQD_PQ_BASE>(0x22);
  select(1, 0, 0);
  EXPECT_EQ(read<regs::CP_HQD_PQ_BASE>(), 0x11u);
  select(0, 0, 0, 3);
  write<regs::SH_MEM_BASES>(0x33);
  select(0, 0, 0, 4);
  EXPECT_EQ(read<regs::SH_MEM_BASES>(), 0u);
}

TEST_F(CpQueue, ActivatingTwice) {
  start();
  select(1);
  write<regs::CP_HQD_ACTIVE>(1);
  EXPECT_TRUE(saw("cp.hqd_already_active"));
}

TEST_F(CpQueue, ChangingAnActiveQueue) {
  start();
  select(1);
  write<regs::CP_HQD_PQ_BASE>(0);
  EXPECT_TRUE(saw("cp.hqd_write_while_active"));
}

TEST_F(CpQueue, MqdInMemoryMustMatchTheRegisters) {
  start_mec();
  setup_pipe();
  write_mqd();
  mqd_image[mqd::cp_hqd_quantum] = 0x111;
  select(1);
  load_registers();
  write<regs::CP_HQD_ACTIVE>(1);
  select(0);
  write_data(kDataVa, 7);
  EXPECT_TRUE(gets_stuck("cp.mqd_mismatch"));
}

TEST_F(CpQueue, MqdThatWasNotFlushedThroughTheHdp) {
  start_mec();
  setup_pipe();
  memory.host_write(kMqd, std::as_bytes(std::span(mqd_image)));
  select(1);
  load_registers();
  write<regs::CP_HQD_ACTIVE>(1);
  select(0);
  write_data(kDataVa, 7);
  EXPECT_TRUE(gets_stuck("cp.mqd_header"));
}

TEST_F(CpQueue, MqdNeedsAMemoryControllerAddress) {
  wide(mqd::cp_mqd_base_addr_lo, kMqd);  // a VRAM offset instead
  start();
  write_data(kDataVa, 7);
  EXPECT_TRUE(gets_stuck("cp.mqd_base"));
}

struct BadMqd {
  const char* rule;
  std::uint32_t dword, value;
};
class CpBadMqd : public ::testing::TestWithParam<BadMqd> {};
TEST_P(CpBadMqd, IsReported) {
  CpRig rig;
  rig.mqd_image[GetParam().dword] = GetParam().value;
  rig.start();
  rig.write_data(CpRig::kDataVa, 7);
  EXPECT_TRUE(rig.gets_stuck(GetParam().rule)) << rig.said();
}
INSTANTIATE_TEST_SUITE_P(
    All, CpBadMqd,
    ::testing::Values(BadMqd{"cp.eop_size", mqd::cp_hqd_eop_control, 0xb},
                      BadMqd{"cp.queue_size", mqd::cp_hqd_pq_control, 0}, BadMqd{"cp.hqd_vmid", mqd::cp_hqd_vmid, 1},
                      BadMqd{"cp.mqd_priv", mqd::cp_mqd_control, 0}, BadMqd{"cp.mqd_header", mqd::header, 0},
                      BadMqd{"cp.static_thread_mgmt", mqd::compute_static_thread_mgmt_se0, 0},
                      BadMqd{"register.reserved", mqd::cp_hqd_pq_wptr_poll_addr_lo, lo32(CpRig::kPointersVa) + 4}),
    [](const auto& i) {
      std::string s = i.param.rule;
      for (char& c : s)
        if (c == '.') c = '_';
      return s;
    });

TEST_F(CpQueue, UnmappedRingFaults) {
  wide(mqd::cp_hqd_pq_base_lo, (kVaBase + 0x8000000) >> 8);
  start();
  write_data(kDataVa, 7);
  submit();
  EXPECT_TRUE(eventually([&] { return interrupts.saw(10, 0); }));
  using S = GcHub::FaultStatus;
  EXPECT_EQ(chip.registers.get<S>()[S::CID], 4u) << "ring fetches are CPF's";
}

// ---- Doorbells

TEST_F(CpQueue, DoorbellOutsideTheRange) {
  start();
  write<regs::CP_MEC_DOORBELL_RANGE_UPPER>(0x10);
  submit();
  EXPECT_TRUE(saw("cp.doorbell_range"));
}

TEST_F(CpQueue, DoorbellWithoutQueue) {
  start();
  cp.doorbell(kDoorbell + 2, 0);
  EXPECT_TRUE(saw("cp.doorbell_unowned"));
}

TEST_F(CpQueue, DoorbellBackwards) {
  start();
  write_data(kDataVa, 7);
  ASSERT_TRUE(run());
  cp.doorbell(kDoorbell, wptr - 1);
  EXPECT_TRUE(saw("cp.doorbell_backwards"));
}

TEST_F(CpQueue, DoorbellAheadOfTheWptrInMemory) {
  start();
  write_data(kDataVa, 7);
  cp.doorbell(kDoorbell, wptr);
  EXPECT_TRUE(eventually([&] { return saw("cp.wptr_mismatch"); }));
}

TEST_F(CpQueue, MoreThanTheRingHolds) {
  start();
  wptr = kRingDwords + 1;
  EXPECT_TRUE(gets_stuck("cp.ring_overflow"));
}

TEST_F(CpQueue, GrbmSelectMustBeRestored) {
  start();
  select(1);
  write_data(kDataVa, 7);
  submit();
  EXPECT_TRUE(saw("cp.grbm_not_restored"));
}

TEST_F(CpQueue, DoorbellGoesThroughNbio) {
  struct Port final : DoorbellPort {
    explicit Port(Cp& c) : cp(c) {}
    void doorbell(DoorbellTarget target, std::uint32_t dword, std::uint64_t value) override {
      EXPECT_EQ(target, DoorbellTarget::cp);
      cp.doorbell(dword, value);
    }
    Cp& cp;
  } port(cp);
  chip.doorbells = &port;
  start();
  write_data(kDataVa, 7);
  publish();
  nbio.doorbell(kDoorbell * 4, 8, wptr);
  EXPECT_TRUE(saw("nbio.doorbell_aperture"));
  write<regs::RCC_DEV0_EPF0_RCC_DOORBELL_APER_EN>(1);
  nbio.doorbell(kDoorbell * 4, 8, wptr);
  EXPECT_TRUE(saw("nbio.doorbell_unrouted"));
  write<regs::S2A_DOORBELL_ENTRY_0_CTRL>(0x30000007);
  nbio.doorbell(kDoorbell * 4, 8, wptr);
  EXPECT_TRUE(done());
}

// ---- Dequeue and reset

TEST_F(CpQueue, DequeueTakesAWhileAndTheQueueCanComeBack) {
  start();
  write_data(kDataVa, 1);
  ASSERT_TRUE(run());
  select(1);
  write<regs::CP_HQD_DEQUEUE_REQUEST>(1);
  EXPECT_TRUE(eventually([&] { return read<regs::CP_HQD_ACTIVE>() == 0; }));
  select(0);
  cp.doorbell(kDoorbell, wptr);
  EXPECT_TRUE(saw("cp.doorbell_unowned"));
  chip.referee.clear();
  wptr = 0;
  std::memset(pointers, 0, 4096);
  activate_queue();
  write_data(kDataVa, 2);
  EXPECT_TRUE(run()) << said();
  EXPECT_EQ(datum(), 2u);
  EXPECT_TRUE(chip.referee.violations().empty()) << said();
}

TEST_F(CpQueue, DequeueEndsAWaitThatIsNeverSatisfied) {
  start();
  put_packet(pm4::WAIT_REG_MEM, {pm4::wait_reg_mem::FUNCTION(3) | pm4::wait_reg_mem::MEM_SPACE(1), lo32(kDataVa),
                                 hi32(kDataVa), 1, ~0u, 4});
  submit();
  select(1);
  write<regs::CP_HQD_DEQUEUE_REQUEST>(2);
  EXPECT_TRUE(eventually([&] { return read<regs::CP_HQD_ACTIVE>() == 0; }));
}

TEST_F(CpQueue, ClearingActiveByHand) {
  start();
  select(1);
  write<regs::CP_HQD_ACTIVE>(0);
  EXPECT_TRUE(saw("cp.hqd_deactivated"));
}

TEST_F(CpQueue, HungWaveEndsWithAWaveReset) {
  chip.faults.hook = [](std::string_view point) { return point == "wave/hang"; };
  start();
  dispatch_registers();
  dispatch();
  partial_flush();
  submit();
  select(1);
  write<regs::CP_HQD_DEQUEUE_REQUEST>(2);
  write<regs::SPI_COMPUTE_QUEUE_RESET>(1);
  EXPECT_TRUE(eventually([&] { return read<regs::CP_HQD_ACTIVE>() == 0; }));
}

TEST_F(CpQueue, HungMicrocodeNeedsASoftReset) {
  std::atomic<bool> hang{true};
  chip.faults.hook = [&](std::string_view point) { return point == "cp/hang" && hang; };
  start();
  write_data(kDataVa, 7);
  submit();
  std::this_thread::sleep_for(5ms);
  select(1);
  write<regs::CP_HQD_DEQUEUE_REQUEST>(2);
  std::this_thread::sleep_for(5ms);
  EXPECT_EQ(read<regs::CP_HQD_ACTIVE>(), 1u) << "a hung queue does not answer";
  select(0);
  using G = regs::GRBM_SOFT_RESET;
  write<G>(chip.registers.map().encode<G>(0, {G::SOFT_RESET_CP(1), G::SOFT_RESET_CPC(1)}));
  write<G>(0);
  hang = false;
  EXPECT_EQ(datum(), 0u);
  select(1);
  EXPECT_EQ(read<regs::CP_HQD_ACTIVE>(), 0u);
  select(0);
  wptr = 0;
  std::memset(pointers, 0, 4096);
  start();
  write_data(kDataVa, 8);
  EXPECT_TRUE(run()) << said();
  EXPECT_EQ(datum(), 8u);
}

TEST_F(CpQueue, SoftResetHaltsTheMicrocode) {
  start();
  using G = regs::GRBM_SOFT_RESET;
  write<G>(chip.registers.map().encode<G>(0, {G::SOFT_RESET_CP(1)}));
  write<G>(0);
  mec_run();
  EXPECT_TRUE(saw("cp.mec_no_reset")) << "the start address has to be written again";
}

TEST_F(CpQueue, PauseHoldsWorkBack) {
  start();
  cp.pause();
  write_data(kDataVa, 7);
  submit();
  std::this_thread::sleep_for(2ms);
  EXPECT_EQ(datum(), 0u);
  cp.resume();
  EXPECT_TRUE(done());
  EXPECT_EQ(datum(), 7u);
}

TEST_F(CpQueue, TwoQueuesRunAtTheSameTime) {
  start();
  // Queue 1 has its own descriptor, ring and doorbell.
  std::byte* ring1 = map_host(kRingVa + 0x100000, kRingDwords * 4);
  std::byte* pointers1 = map_host(kPointersVa + 0x10000, 4096);
  mqd_image[mqd::cp_hqd_pq_doorbell_control] = (kDoorbell + 2) << 2 | 1u << 30;
  wide(mqd::cp_mqd_base_addr_lo, chip.fb_base + kMqd + 0x2000);
  wide(mqd::cp_hqd_pq_base_lo, (kRingVa + 0x100000) >> 8);
  wide(mqd::cp_hqd_pq_rptr_report_addr_lo, kPointersVa + 0x10000 + kRptrOffset);
  wide(mqd::cp_hqd_pq_wptr_poll_addr_lo, kPointersVa + 0x10000 + kWptrOffset);
  memory.host_write(kMqd + 0x2000, std::as_bytes(std::span(mqd_image)));
  memory.hdp_flush();
  select(1, 0, 1);
  load_registers();
  write<regs::CP_HQD_ACTIVE>(1);
  select(0);
  // The first queue waits for what the second writes.
  namespace w = pm4::wait_reg_mem;
  put_packet(pm4::WAIT_REG_MEM,
             {w::FUNCTION(w::kEqual) | w::MEM_SPACE(w::kMemory), lo32(kDataVa), hi32(kDataVa), 5, ~0u, 4});
  write_data(kDataVa + 8, 6);
  submit();
  const std::uint32_t packet[] = {pm4::header(pm4::WRITE_DATA, 4),
                                  pm4::write_data::DST_SEL(pm4::write_data::kDstMemory), lo32(kDataVa), hi32(kDataVa),
                                  5};
  std::memcpy(ring1, packet, sizeof packet);
  __atomic_store_n(reinterpret_cast<std::uint64_t*>(pointers1 + kWptrOffset), 5, __ATOMIC_RELEASE);
  cp.doorbell(kDoorbell + 2, 5);
  EXPECT_TRUE(done()) << said();
  EXPECT_EQ(datum(8), 6u);
}

}  // namespace
}  // namespace hcq::models::am::test
