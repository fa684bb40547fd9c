// SPDX-License-Identifier: MIT
// The micro engine scheduler of the Navi31 model: start, the queue that maps others (KIQ), frames, and queues that it
// puts on the hardware.
#include <gtest/gtest.h>

#include "am_cp_rig.h"
#include "drivers/am/abi/mes.h"
#include "models/am/tables/vendor_fields.h"

namespace hcq::models::am::test {
namespace {

namespace mes = hcq::am::abi::mes;
namespace v = vendor;

constexpr std::uint64_t kStartAddress = 0xfffffffff0005000;
constexpr std::uint64_t kKiqRing = kVaBase + 0x6000000, kMesRing = kVaBase + 0x6100000, kGfxRing = kVaBase + 0x6200000;
constexpr std::uint64_t kKiqMqd = 0xa00000, kMesMqd = 0xa01000, kGfxMqd = 0xa02000;  // in VRAM
constexpr std::uint32_t kKiqDoorbell = 24, kMesDoorbell = 22, kGfxDoorbell = 0x116;
constexpr std::uint32_t kKiqWptr = 0x100, kMesWptr = 0x140, kGfxWptr = 0x180, kFence = 0x200, kStatus = 0x240;

class Mes : public ::testing::Test, public CpRig {
 protected:
  Mes() {
    chip.set_firmware(33, {.start_address = kStartAddress});
    chip.set_firmware(81, {.start_address = kStartAddress});
    chip.set_firmware(87, {});
    chip.set_firmware(88, {});
    kiq = reinterpret_cast<std::uint32_t*>(map_host(kKiqRing, 4096));
    sched = reinterpret_cast<std::uint32_t*>(map_host(kMesRing, 4096));
    gfx = reinterpret_cast<std::uint32_t*>(map_host(kGfxRing, 4096));
    start_mec();
    setup_pipe();
    named("CP_RB_DOORBELL_RANGE_LOWER", 0x458);
    named("CP_RB_DOORBELL_RANGE_UPPER", 0x7f8);
  }
  void named(const char* name, std::uint32_t value) { chip.registers.bank().write(chip.registers.named(name), value); }
  void start_processors(std::uint64_t start = kStartAddress) {
    namespace c = v::CP_MES_CNTL;
    named("CP_MES_CNTL", c::MES_HALT(1) | c::MES_PIPE0_RESET(1) | c::MES_PIPE1_RESET(1));
    for (unsigned pipe : {0u, 1u}) {
      select(3, pipe);
      named("CP_MES_PRGRM_CNTR_START", lo32(start >> 2));
      named("CP_MES_PRGRM_CNTR_START_HI", hi32(start >> 2));
    }
    select(0);
    named("CP_MES_CNTL", c::MES_PIPE0_ACTIVE(1) | c::MES_PIPE1_ACTIVE(1));
  }
  std::array<std::uint32_t, mqd::kDwords> descriptor(std::uint64_t at, std::uint64_t base, std::uint32_t doorbell,
                                                     std::uint32_t wptr_at) {
    auto m = mqd_image;
    const auto put64 = [&](std::uint32_t d, std::uint64_t value) {
      m[d] = lo32(value);
      m[d + 1] = hi32(value);
    };
    using D = regs::CP_HQD_PQ_DOORBELL_CONTROL;
    put64(mqd::cp_mqd_base_addr_lo, chip.fb_base + at);
    put64(mqd::cp_hqd_pq_base_lo, base >> 8);
    put64(mqd::cp_hqd_pq_rptr_report_addr_lo, kPointersVa + wptr_at + 8);
    put64(mqd::cp_hqd_pq_wptr_poll_addr_lo, kPointersVa + wptr_at);
    put64(mqd::cp_gfx_hqd_wptr_lo, 0);  // where a compute queue has its IB control
    m[mqd::cp_hqd_pq_doorbell_control] =
        chip.registers.map().encode<D>(0, {D::DOORBELL_OFFSET(doorbell), D::DOORBELL_EN(1)});
    memory.host_write(at, std::as_bytes(std::span(m)));
    memory.hdp_flush();
    return m;
  }
  void activate_kiq() {
    const auto m = descriptor(kKiqMqd, kKiqRing, kKiqDoorbell, kKiqWptr);
    select(3, 1);
    for (std::uint32_t d = mqd::kFirstRegister; d <= mqd::kLastRegister; ++d)
      if (d != mqd::cp_hqd_active)
        chip.registers.bank().write(chip.registers.address<regs::CP_MQD_BASE_ADDR>() + d - mqd::kFirstRegister, m[d]);
    write<regs::CP_HQD_ACTIVE>(1);
    select(0);
  }
  void submit_to(std::uint32_t* at, std::uint64_t& wptr_now, std::span<const std::uint32_t> dwords,
                 std::uint32_t doorbell, std::uint32_t wptr_at) {
    for (const std::uint32_t d : dwords) at[wptr_now++ % 1024] = d;
    __atomic_store_n(reinterpret_cast<std::uint64_t*>(pointers + wptr_at), wptr_now, __ATOMIC_RELEASE);
    cp.doorbell(doorbell, wptr_now);
  }
  void kiq_packet(std::vector<std::uint32_t> dwords) { submit_to(kiq, kiq_wptr, dwords, kKiqDoorbell, kKiqWptr); }
  std::uint32_t scratch() { return chip.registers.bank().read(chip.registers.named("SCRATCH_REG0")); }
  bool kiq_answers() {
    named("SCRATCH_REG0", 0xcafedead);
    kiq_packet({pm4::header(pm4::WRITE_DATA, 4), pm4::write_data::ADDR_INCR(1), chip.registers.named("SCRATCH_REG0"), 0,
                0xdeadbeef});
    return eventually([&] { return scratch() == 0xdeadbeef; });
  }
  void map_scheduler() {
    namespace m = pm4::map_queues;
    descriptor(kMesMqd, kMesRing, kMesDoorbell, kMesWptr);
    const std::uint64_t at = chip.fb_base + kMesMqd;
    kiq_packet({pm4::header(pm4::MAP_QUEUES, m::kBody), m::ME(2) | m::ENGINE_SEL(m::kEngineMes) | m::NUM_QUEUES(1),
                m::DOORBELL_OFFSET(kMesDoorbell), lo32(at), hi32(at), 0, 0});
  }
  // A frame; true when its fence was written.
  bool frame(std::array<std::uint32_t, 64> f, std::uint32_t status_at, std::chrono::milliseconds limit = 2s) {
    const std::uint64_t fence = kPointersVa + kFence;
    ++sequence;
    f[0] |= mes::TYPE(mes::MES_API_TYPE_SCHEDULER) | mes::DWSIZE(mes::kFrameDwords);
    f[status_at] = lo32(fence);
    f[status_at + 1] = hi32(fence);
    f[status_at + 2] = sequence;
    submit_to(sched, sched_wptr, f, kMesDoorbell, kMesWptr);
    const auto deadline = Deadline::in(limit);
    while (at<std::uint64_t>(kFence) != sequence)
      if (deadline.expired()) return false;
    return true;
  }
  template <class T>
  T at(std::uint32_t offset) const {
    return __atomic_load_n(reinterpret_cast<const T*>(pointers + offset), __ATOMIC_ACQUIRE);
  }
  bool set_resources() { return frame({mes::OPCODE(mes::SET_HW_RSRC)}, mes::set_hw_rsrc::status); }
  std::array<std::uint32_t, 64> add_queue(std::uint32_t type, std::uint64_t mqd_at, std::uint32_t doorbell) {
    namespace a = mes::add_queue;
    std::array<std::uint32_t, 64> f{mes::OPCODE(mes::ADD_QUEUE)};
    f[a::flags] = a::MAP_LEGACY_KQ(1);
    f[a::queue_type] = type;
    f[a::doorbell_offset] = doorbell;
    f[a::mqd_addr] = lo32(chip.fb_base + mqd_at);
    f[a::mqd_addr + 1] = hi32(chip.fb_base + mqd_at);
    return f;
  }
  void start_scheduler() {
    start_processors();
    activate_kiq();
    map_scheduler();
    ASSERT_TRUE(kiq_answers()) << said();
    ASSERT_TRUE(set_resources()) << said();
  }

  std::uint32_t *kiq = nullptr, *sched = nullptr, *gfx = nullptr;
  std::uint64_t kiq_wptr = 0, sched_wptr = 0, gfx_wptr = 0;
  std::uint32_t sequence = 0;
};

TEST_F(Mes, KiqWritesRegisters) {
  start_processors();
  activate_kiq();
  EXPECT_TRUE(kiq_answers()) << said();
  select(3, 0);
  EXPECT_NE(chip.registers.bank().read(chip.registers.named("CP_MES_GP3_LO")), 0u) << "the microcode's version";
  select(0);
  EXPECT_TRUE(chip.referee.violations().empty()) << said();
}

TEST_F(Mes, WrongStartAddressDoesNotRun) {
  start_processors(kStartAddress + 0x1000);
  EXPECT_TRUE(saw("cp.mec_start_address"));
  activate_kiq();
  kiq_packet({pm4::header(pm4::NOP, 1), 0});
  EXPECT_TRUE(eventually([&] { return saw("cp.mec_halted"); }));
}

TEST_F(Mes, FramesBeforeTheResourcesAreNotConfirmed) {
  start_processors();
  activate_kiq();
  map_scheduler();
  ASSERT_TRUE(kiq_answers()) << said();
  EXPECT_FALSE(frame(add_queue(mes::kCompute, kMqd, kDoorbell), mes::add_queue::status, 20ms));
  EXPECT_TRUE(saw("mes.order"));
  EXPECT_TRUE(set_resources()) << said();
}

TEST_F(Mes, MapsAComputeQueueThatRuns) {
  start_scheduler();
  write_mqd();
  ASSERT_TRUE(frame(add_queue(mes::kCompute, kMqd, kDoorbell), mes::add_queue::status)) << said();
  write_data(kDataVa, 77);
  ASSERT_TRUE(run()) << said();
  EXPECT_EQ(datum(), 77u);
  std::array<std::uint32_t, 64> remove{mes::OPCODE(mes::REMOVE_QUEUE)};
  remove[mes::remove_queue::flags] = mes::remove_queue::UNMAP_LEGACY_QUEUE(1);
  remove[mes::remove_queue::doorbell_offset] = kDoorbell;
  EXPECT_TRUE(frame(remove, mes::remove_queue::status)) << said();
  EXPECT_TRUE(eventually([&] {
    select(1);
    const bool active = read<regs::CP_HQD_ACTIVE>() & 1;
    select(0);
    return !active;
  }));
  EXPECT_TRUE(chip.referee.violations().empty()) << said();
}

TEST_F(Mes, MapsAGraphicsQueueThatRuns) {
  start_scheduler();
  named("CP_ME_CNTL", 0);
  descriptor(kGfxMqd, kGfxRing, kGfxDoorbell, kGfxWptr);
  ASSERT_TRUE(frame(add_queue(mes::kGfx, kGfxMqd, kGfxDoorbell), mes::add_queue::status)) << said();
  const std::array<std::uint32_t, 8> packets{pm4::header(pm4::CLEAR_STATE, 1),
                                             0,
                                             pm4::header(pm4::SET_CONTEXT_REG, 2),
                                             0x10,
                                             1,
                                             pm4::header(pm4::SET_UCONFIG_REG, 2),
                                             chip.registers.named("SCRATCH_REG0") - pm4::kUconfigRegStart,
                                             42};
  submit_to(gfx, gfx_wptr, packets, kGfxDoorbell, kGfxWptr);
  EXPECT_TRUE(eventually([&] { return scratch() == 42; })) << said();
  EXPECT_TRUE(chip.referee.violations().empty()) << said();
}

TEST_F(Mes, InvalidatesTheMmHubWithoutItsSemaphore) {
  start_scheduler();
  namespace m = mes::misc;
  std::array<std::uint32_t, 64> f{mes::OPCODE(mes::MISC)};
  f[m::opcode] = m::WAIT_REG_MEM;
  const std::uint32_t wait[] = {m::kWriteWaitWrite, whole_request<MmHub>(), 1, chip.registers.address<MmHub::Req>(17),
                                chip.registers.address<MmHub::Ack>(17)};
  std::copy(std::begin(wait), std::end(wait), f.begin() + m::data);
  EXPECT_TRUE(frame(f, m::status)) << said();
  EXPECT_TRUE(chip.referee.violations().empty()) << said();
}

TEST_F(Mes, ReadsAndWritesRegisters) {
  start_scheduler();
  namespace m = mes::misc;
  std::array<std::uint32_t, 64> w{mes::OPCODE(mes::MISC)};
  w[m::opcode] = m::WRITE_REG;
  w[m::data] = chip.registers.named("SCRATCH_REG0");
  w[m::data + 1] = 99;
  ASSERT_TRUE(frame(w, m::status)) << said();
  EXPECT_EQ(scratch(), 99u);
  std::array<std::uint32_t, 64> r{mes::OPCODE(mes::MISC)};
  r[m::opcode] = m::READ_REG;
  r[m::data] = chip.registers.named("SCRATCH_REG0");
  r[m::data + 1] = lo32(kPointersVa + kStatus);
  r[m::data + 2] = hi32(kPointersVa + kStatus);
  ASSERT_TRUE(frame(r, m::status)) << said();
  EXPECT_EQ(at<std::uint32_t>(kStatus), 99u);
}

TEST_F(Mes, KiqRefusesWhatItCannotMap) {
  namespace m = pm4::map_queues;
  namespace u = pm4::unmap_queues;
  const std::uint32_t mqd_lo = lo32(chip.fb_base + kMesMqd), mqd_hi = hi32(chip.fb_base + kMesMqd);
  struct Case {
    std::vector<std::uint32_t> packet;
    const char* rule;
  };
  const Case cases[] = {
      {{pm4::header(pm4::MAP_QUEUES, m::kBody), m::ENGINE_SEL(m::kEngineMes) | m::NUM_QUEUES(2), 0, mqd_lo, mqd_hi, 0,
        0},
       "pm4.map_queues"},
      {{pm4::header(pm4::MAP_QUEUES, m::kBody), m::ME(2) | m::NUM_QUEUES(1), 0, mqd_lo, mqd_hi, 0, 0}, "cp.map_queue"},
      {{pm4::header(pm4::UNMAP_QUEUES, u::kBody), u::ACTION(u::kPreempt), u::DOORBELL_OFFSET(400), 0, 0, 0},
       "cp.unmap_queue"},
      {{pm4::header(pm4::UNMAP_QUEUES, u::kBody), u::ACTION(u::kPreemptNoUnmap), 0, 0, 0, 0}, "pm4.unmap_queues"},
  };
  start_processors();
  for (const Case& c : cases) {
    chip.referee.clear();
    kiq_wptr = 0;
    __atomic_store_n(reinterpret_cast<std::uint64_t*>(pointers + kKiqWptr), 0, __ATOMIC_RELEASE);
    activate_kiq();
    kiq_packet(c.packet);
    EXPECT_TRUE(eventually([&] { return saw(c.rule); })) << c.rule << said();
    select(3, 1);
    write<regs::CP_HQD_DEQUEUE_REQUEST>(2);
    EXPECT_TRUE(eventually([&] { return (read<regs::CP_HQD_ACTIVE>() & 1) == 0; }));
    select(0);
  }
}

TEST_F(Mes, HalfAFrame) {
  start_scheduler();
  const std::array<std::uint32_t, 32> half{};
  submit_to(sched, sched_wptr, half, kMesDoorbell, kMesWptr);
  EXPECT_TRUE(eventually([&] { return saw("mes.truncated"); }));
}

TEST_F(Mes, WrongFrames) {
  start_scheduler();
  namespace m = mes::misc;
  EXPECT_FALSE(frame({mes::TYPE(2) | mes::OPCODE(mes::QUERY_SCHEDULER_STATUS)}, mes::query_status::status, 20ms));
  EXPECT_TRUE(saw("mes.header"));
  EXPECT_FALSE(frame(add_queue(9, kMqd, kDoorbell), mes::add_queue::status, 20ms));
  EXPECT_TRUE(saw("mes.queue_type"));
  std::array<std::uint32_t, 64> f{mes::OPCODE(mes::MISC)};
  f[m::opcode] = m::WAIT_REG_MEM;
  f[m::data] = 5;
  EXPECT_FALSE(frame(f, m::status, 20ms));
  EXPECT_TRUE(saw("mes.wait"));
  std::array<std::uint32_t, 64> q{mes::OPCODE(mes::QUERY_SCHEDULER_STATUS) | mes::TYPE(1) | mes::DWSIZE(64)};
  q[mes::query_status::status] = lo32(kPointersVa + kFence + 4);
  q[mes::query_status::status + 1] = hi32(kPointersVa);
  submit_to(sched, sched_wptr, q, kMesDoorbell, kMesWptr);
  EXPECT_TRUE(eventually([&] { return saw("mes.fence"); }));
}

TEST_F(Mes, QueuesOfProcessesAreRefused) {
  start_scheduler();
  auto f = add_queue(mes::kCompute, kMqd, kDoorbell);
  f[mes::add_queue::flags] = 0;
  EXPECT_FALSE(frame(f, mes::add_queue::status, 20ms));
  EXPECT_TRUE(saw("mes.not_modelled"));
}

}  // namespace
}  // namespace hcq::models::am::test
