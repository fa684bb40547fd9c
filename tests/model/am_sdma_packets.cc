// SPDX-License-Identifier: MIT
// The copy engine of the Navi31 model: ring, packets, interrupts, faults.
#include "am_rig.h"
#include "drivers/am/abi/pm4.h"
#include "drivers/am/abi/sdma.h"
#include "models/am/rlc.h"
#include "models/am/sdma.h"

namespace hcq::models::am::test {
namespace {

namespace sdma = hcq::am::abi::sdma;

class SdmaRig : public MemoryRig {
 public:
  static constexpr std::uint64_t kRingVa = kVaBase + 0x1000000, kPointersVa = kVaBase + 0x2000000,
                                 kIbVa = kVaBase + 0x3000000, kDataVa = kVaBase + 0x4000000,
                                 kVramVa = kVaBase + 0x5000000;
  static constexpr std::uint32_t kRingDwords = 256, kDoorbell = 0x200;
  static constexpr std::uint64_t kVramAt = 0x900000;

  SdmaRig() {
    chip.rlc_booted = true;
    chip.blocks = {&memory, &engine, &rlc};
    setup_hubs();
    ring = reinterpret_cast<std::uint32_t*>(map_host(kRingVa, 4096));
    pointers = map_host(kPointersVa, 4096);
    ib = reinterpret_cast<std::uint32_t*>(map_host(kIbVa, 4096));
    data = map_host(kDataVa, 32768);
    map(kVramVa, kVramAt, 32768);
    chip.set_firmware(71, {});
    chip.set_firmware(72, {});
  }

  ~SdmaRig() { chip.timer.stop(); }

  template <class R, class... F>
  void set(F... fields) {
    write<R>(chip.registers.map().encode<R>(read<R>(), {fields...}));
  }
  void ring_registers() {
    write<regs::SDMA0_QUEUE0_MINOR_PTR_UPDATE>(1);
    write<regs::SDMA0_QUEUE0_RB_RPTR>(0);
    write<regs::SDMA0_QUEUE0_RB_WPTR>(0);
    write<regs::SDMA0_QUEUE0_RB_BASE>(lo32(kRingVa >> 8));
    write<regs::SDMA0_QUEUE0_RB_BASE_HI>(hi32(kRingVa >> 8));
    write<regs::SDMA0_QUEUE0_RB_RPTR_ADDR_LO>(lo32(kPointersVa + 0x80));
    write<regs::SDMA0_QUEUE0_RB_RPTR_ADDR_HI>(hi32(kPointersVa));
    write<regs::SDMA0_QUEUE0_RB_WPTR_POLL_ADDR_LO>(lo32(kPointersVa + 0x38));
    write<regs::SDMA0_QUEUE0_RB_WPTR_POLL_ADDR_HI>(hi32(kPointersVa));
    set<regs::SDMA0_QUEUE0_DOORBELL_OFFSET>(regs::SDMA0_QUEUE0_DOORBELL_OFFSET::OFFSET(kDoorbell));
    set<regs::SDMA0_QUEUE0_DOORBELL>(regs::SDMA0_QUEUE0_DOORBELL::ENABLE(1));
    write<regs::SDMA0_QUEUE0_MINOR_PTR_UPDATE>(0);
  }
  void enable_ring(std::uint32_t size = 8, std::uint32_t vmid = 0) {
    using C = regs::SDMA0_QUEUE0_RB_CNTL;
    write<C>(chip.registers.map().encode<C>(0, {C::RB_ENABLE(1), C::RB_SIZE(size), C::RPTR_WRITEBACK_ENABLE(1),
                                                C::RB_PRIV(1), C::RB_VMID(vmid), C::F32_WPTR_POLL_ENABLE(1)}));
  }
  void unhalt() {
    using F = regs::SDMA0_F32_CNTL;
    set<F>(F::HALT(0), F::TH1_RESET(0));
    set<regs::SDMA0_UTCL1_PAGE>(regs::SDMA0_UTCL1_PAGE::RD_L2_POLICY(2), regs::SDMA0_UTCL1_PAGE::WR_L2_POLICY(3));
    set<regs::SDMA0_CNTL>(regs::SDMA0_CNTL::TRAP_ENABLE(1));
  }
  void start() {
    unhalt();
    ring_registers();
    enable_ring();
    write<regs::SDMA0_QUEUE0_IB_CNTL>(1);
  }

  void put(std::initializer_list<std::uint32_t> dwords) {
    for (const std::uint32_t d : dwords) ring[wptr++ % kRingDwords] = d;
  }
  void publish() { __atomic_store_n(reinterpret_cast<std::uint64_t*>(pointers + 0x38), wptr * 4, __ATOMIC_RELEASE); }
  void submit() {
    publish();
    engine.doorbell(kDoorbell, wptr * 4);
  }
  std::uint64_t rptr() const {
    return __atomic_load_n(reinterpret_cast<std::uint64_t*>(pointers + 0x80), __ATOMIC_ACQUIRE);
  }
  bool done() {
    return eventually([&] { return rptr() == wptr * 4; });
  }
  bool run() {
    submit();
    return done();
  }
  bool gets_stuck(std::string_view rule) {
    submit();
    return eventually([&] { return saw(rule); });
  }
  template <class T = std::uint32_t>
  T datum(std::size_t offset = 0) const {
    return __atomic_load_n(reinterpret_cast<const T*>(data + offset), __ATOMIC_ACQUIRE);
  }
  void copy(std::uint64_t dst, std::uint64_t src, std::uint32_t bytes) {
    put({sdma::COPY, bytes - 1, 0, lo32(src), hi32(src), lo32(dst), hi32(dst)});
  }
  void fence(std::uint64_t va, std::uint32_t value) {
    put({sdma::FENCE | sdma::fence::MTYPE(3), lo32(va), hi32(va), value});
  }

  Sdma engine{chip, memory};
  Rlc rlc{chip};
  std::uint32_t *ring = nullptr, *ib = nullptr;
  std::byte *pointers = nullptr, *data = nullptr;
  std::uint64_t wptr = 0;  // in dwords
};

class SdmaTest : public ::testing::Test, public SdmaRig {
 protected:
  SdmaTest() { start(); }
};

TEST_F(SdmaTest, CopiesAcrossPages) {
  for (int i = 0; i < 32768; ++i) data[i] = std::byte(i * 7);
  copy(kVramVa + 3, kDataVa + 5, 20000);
  fence(kDataVa + 32760, 1);
  ASSERT_TRUE(run()) << said();
  for (int i = 0; i < 20000; ++i) ASSERT_EQ(vram<std::uint8_t>(kVramAt + 3 + i), std::uint8_t((i + 5) * 7)) << i;
  EXPECT_EQ(datum(32760), 1u);
  EXPECT_TRUE(chip.referee.violations().empty()) << said();
}

TEST_F(SdmaTest, SeesAndUpdatesWhatGl2Holds) {
  ASSERT_TRUE(memory.store32(kShader, kVramVa, 0x11));  // in GL2, not in memory
  copy(kDataVa, kVramVa, 4);
  ASSERT_TRUE(run());
  EXPECT_EQ(datum(), 0x11u) << "the engine reads through GL2";
  const std::uint32_t two = 0x22;
  std::memcpy(data + 4, &two, 4);
  copy(kVramVa, kDataVa + 4, 4);
  ASSERT_TRUE(run());
  std::uint32_t v = 0;
  ASSERT_TRUE(memory.load32(kShader, kVramVa, v));
  EXPECT_EQ(v, 0x22u);
  EXPECT_EQ(vram<std::uint32_t>(kVramAt), 0x22u);
}

TEST_F(SdmaTest, WritesFillsAndStamps) {
  put({sdma::WRITE, lo32(kDataVa), hi32(kDataVa), 1, 0xaa, 0xbb});
  put({sdma::CONST_FILL | 2u << 30, lo32(kDataVa + 16), hi32(kDataVa), 0x5a5a5a5a, 15});
  put({sdma::TIMESTAMP | 2u << 8, lo32(kDataVa + 64), hi32(kDataVa)});
  put({sdma::NOP | 2u << 16, 0xdead, 0xbeef});
  ASSERT_TRUE(run()) << said();
  EXPECT_EQ(datum(4), 0xbbu);
  EXPECT_EQ(datum(28), 0x5a5a5a5au);
  EXPECT_EQ(datum(32), 0u);
  EXPECT_GT(datum<std::uint64_t>(64), 0u);
  EXPECT_TRUE(chip.referee.violations().empty()) << said();
}

TEST_F(SdmaTest, TrapRaisesAnInterrupt) {
  put({sdma::TRAP, 0x123});
  ASSERT_TRUE(run());
  ASSERT_TRUE(interrupts.saw(10, 49));
  EXPECT_EQ(interrupts.entries()[0].context[0], 0x123u);
}

TEST_F(SdmaTest, TrapNeedsTheEnableBit) {
  write<regs::SDMA0_CNTL>(0);
  put({sdma::TRAP, 0});
  ASSERT_TRUE(run());
  EXPECT_TRUE(saw("sdma.trap_disabled"));
  EXPECT_FALSE(interrupts.saw(10, 49));
}

TEST_F(SdmaTest, PollsMemory) {
  namespace p = sdma::poll_regmem;
  put({sdma::POLL_REGMEM | p::FUNC(5) | p::MEM_POLL(1), lo32(kDataVa), hi32(kDataVa), 3, ~0u,
       p::INTERVAL(4) | p::RETRY_COUNT(0xfff)});
  fence(kDataVa + 8, 1);
  submit();
  std::this_thread::sleep_for(2ms);
  EXPECT_EQ(datum(8), 0u);
  __atomic_store_n(reinterpret_cast<std::uint32_t*>(data), 4, __ATOMIC_RELEASE);
  EXPECT_TRUE(done());
  EXPECT_EQ(datum(8), 1u);
}

TEST_F(SdmaTest, PollGivesUpAfterItsRetries) {
  namespace p = sdma::poll_regmem;
  put({sdma::POLL_REGMEM | p::FUNC(3) | p::MEM_POLL(1), lo32(kDataVa), hi32(kDataVa), 3, ~0u, p::RETRY_COUNT(10)});
  EXPECT_TRUE(gets_stuck("sdma.poll_timeout"));
  EXPECT_TRUE(interrupts.saw(10, 57));
}

TEST_F(SdmaTest, FlushesTheHdp) {
  const std::uint64_t v = 0x31;
  memory.host_write(kVramAt, std::as_bytes(std::span(&v, 1)));
  namespace p = sdma::poll_regmem;
  put({sdma::POLL_REGMEM | p::FUNC(3) | p::HDP_FLUSH(1),
       chip.registers.address<regs::BIF_BX_PF0_GPU_HDP_FLUSH_DONE>() * 4,
       chip.registers.address<regs::BIF_BX_PF0_GPU_HDP_FLUSH_REQ>() * 4, 1u << 10, 1u << 10, p::RETRY_COUNT(0xfff)});
  copy(kDataVa, kVramVa, 8);
  ASSERT_TRUE(run()) << said();
  EXPECT_EQ(datum<std::uint64_t>(), v);
}

TEST_F(SdmaTest, WrapsTheRing) {
  for (std::uint32_t i = 1; i < 500; ++i) {
    fence(kDataVa, i);
    ASSERT_TRUE(run()) << said();
    ASSERT_EQ(datum(), i);
  }
  EXPECT_TRUE(chip.referee.violations().empty()) << said();
}

TEST_F(SdmaTest, IndirectBuffer) {
  const std::uint32_t p[8] = {sdma::FENCE | sdma::fence::MTYPE(3), lo32(kDataVa), hi32(kDataVa), 6, 0, 0, 0, 0};
  std::memcpy(ib, p, sizeof p);
  put({0, 0, sdma::INDIRECT, lo32(kIbVa), hi32(kIbVa), 8, 0, 0});
  ASSERT_TRUE(run()) << said();
  EXPECT_EQ(datum(), 6u);
  EXPECT_TRUE(chip.referee.violations().empty()) << said();
}

TEST_F(SdmaTest, CopyStopsAtAFaultWithWhatCameBefore) {
  for (int i = 0; i < 8192; ++i) data[i] = std::byte(1);
  // Source pages end after 32 KiB; the copy reads past them.
  copy(kVramVa, kDataVa + 32768 - 4096, 8192);
  fence(kDataVa + 16, 9);
  zero(kVramAt, 8192);
  std::memset(data + 32768 - 4096, 3, 4096);
  submit();
  ASSERT_TRUE(eventually([&] { return interrupts.saw(10, 0); }));
  EXPECT_EQ(vram<std::uint8_t>(kVramAt + 4095), 3u);
  EXPECT_EQ(vram<std::uint8_t>(kVramAt + 4096), 0u);
  using S = GcHub::FaultStatus;
  EXPECT_EQ(chip.registers.get<S>()[S::CID], 13u);
  EXPECT_NE(datum(16), 9u);
}

struct Broken {
  const char* name;
  const char* rule;
  std::function<void(SdmaRig&)> put;
};
class SdmaBroken : public ::testing::TestWithParam<Broken> {};
TEST_P(SdmaBroken, StopsTheQueue) {
  SdmaRig rig;
  rig.start();
  GetParam().put(rig);
  rig.fence(SdmaRig::kDataVa + 64, 0x55);
  EXPECT_TRUE(rig.gets_stuck(GetParam().rule)) << rig.said();
  std::this_thread::sleep_for(1ms);
  EXPECT_EQ(rig.datum(64), 0u) << "what follows must not run";
}
constexpr std::uint64_t kData = SdmaRig::kDataVa, kIb = SdmaRig::kIbVa;
INSTANTIATE_TEST_SUITE_P(
    All, SdmaBroken,
    ::testing::Values(
        Broken{"opcode", "sdma.opcode", [](SdmaRig& r) { r.put({0x55}); }},
        Broken{"subOpcode", "sdma.opcode", [](SdmaRig& r) { r.put({sdma::FENCE | 1 << 8, 0, 0, 0}); }},
        Broken{"reserved", "sdma.reserved", [](SdmaRig& r) { r.put({sdma::TRAP | 1u << 31, 0}); }},
        Broken{"parameter", "sdma.reserved",
               [](SdmaRig& r) { r.put({sdma::COPY, 3, 1, lo32(kData), hi32(kData), lo32(kData), hi32(kData)}); }},
        Broken{
            "copyTooLong", "sdma.count",
            [](SdmaRig& r) { r.put({sdma::COPY, 1u << 30, 0, lo32(kData), hi32(kData), lo32(kData), hi32(kData)}); }},
        Broken{"fillOfBytes", "sdma.fill",
               [](SdmaRig& r) { r.put({sdma::CONST_FILL, lo32(kData), hi32(kData), 0, 6}); }},
        Broken{"pointerAlignment", "sdma.pointer_alignment",
               [](SdmaRig& r) { r.write<regs::SDMA0_QUEUE0_RB_WPTR_POLL_ADDR_LO>(lo32(SdmaRig::kPointersVa + 0x3c)); }},
        Broken{"truncated", "sdma.truncated", [](SdmaRig& r) { r.put({sdma::NOP | 100u << 16}); }},
        Broken{"fenceAlignment", "sdma.fence_alignment", [](SdmaRig& r) { r.fence(kData + 2, 1); }},
        Broken{"timestampAlignment", "sdma.timestamp_alignment",
               [](SdmaRig& r) { r.put({sdma::TIMESTAMP | 2u << 8, lo32(kData + 4), hi32(kData)}); }},
        Broken{"writeAlignment", "sdma.alignment",
               [](SdmaRig& r) { r.put({sdma::WRITE, lo32(kData + 1), hi32(kData), 0, 0}); }},
        Broken{"ibPosition", "sdma.ib_position",
               [](SdmaRig& r) { r.put({sdma::INDIRECT, lo32(kIb), hi32(kIb), 8, 0, 0}); }},
        Broken{"ibAlignment", "sdma.ib_alignment",
               [](SdmaRig& r) { r.put({0, 0, sdma::INDIRECT, lo32(kIb + 16), hi32(kIb), 8, 0, 0}); }},
        Broken{"ibSize", "sdma.ib_size",
               [](SdmaRig& r) { r.put({0, 0, sdma::INDIRECT, lo32(kIb), hi32(kIb), 7, 0, 0}); }},
        Broken{"ibVmid", "sdma.ib_vmid",
               [](SdmaRig& r) { r.put({0, 0, sdma::INDIRECT | 1u << 16, lo32(kIb), hi32(kIb), 8, 0, 0}); }},
        Broken{"ibDisabled", "sdma.ib_disabled",
               [](SdmaRig& r) {
                 r.write<regs::SDMA0_QUEUE0_IB_CNTL>(0);
                 r.put({0, 0, sdma::INDIRECT, lo32(kIb), hi32(kIb), 8, 0, 0});
               }},
        Broken{"ibNesting", "sdma.ib_nesting",
               [](SdmaRig& r) {
                 const std::uint32_t p[8] = {0, 0, sdma::INDIRECT, lo32(kIb), hi32(kIb), 8, 0, 0};
                 std::memcpy(r.ib, p, sizeof p);
                 r.put({0, 0, sdma::INDIRECT, lo32(kIb), hi32(kIb), 8, 0, 0});
               }}),
    [](const auto& i) { return std::string(i.param.name); });

TEST_F(SdmaTest, PacketAcrossTheRingEnd) {
  while (wptr < kRingDwords - 2) put({0});
  ASSERT_TRUE(run());
  fence(kDataVa, 1);
  EXPECT_TRUE(gets_stuck("sdma.packet_wraps"));
}

TEST_F(SdmaTest, FenceShouldBeUncached) {
  put({sdma::FENCE, lo32(kDataVa), hi32(kDataVa), 1});
  ASSERT_TRUE(run());
  EXPECT_TRUE(saw("sdma.fence_mtype"));
}

// ---- Ring set-up and doorbell

TEST_F(SdmaTest, DoorbellOfAnotherQueue) {
  engine.doorbell(kDoorbell + 2, 4);
  EXPECT_TRUE(saw("sdma.doorbell_invalid"));
  EXPECT_TRUE(interrupts.saw(10, 54));
}

TEST_F(SdmaTest, DoorbellCountsBytes) {
  engine.doorbell(kDoorbell, 3);
  EXPECT_TRUE(saw("sdma.doorbell_unit"));
}

TEST_F(SdmaTest, DoorbellBackwards) {
  fence(kDataVa, 1);
  ASSERT_TRUE(run());
  engine.doorbell(kDoorbell, 0);
  EXPECT_TRUE(saw("sdma.doorbell_backwards"));
}

TEST_F(SdmaTest, DoorbellAheadOfMemory) {
  fence(kDataVa, 1);
  engine.doorbell(kDoorbell, wptr * 4);
  EXPECT_TRUE(eventually([&] { return saw("sdma.wptr_mismatch"); }));
}

TEST_F(SdmaTest, MoreThanTheRingHolds) {
  wptr = kRingDwords + 1;
  EXPECT_TRUE(gets_stuck("sdma.ring_overflow"));
}

TEST_F(SdmaTest, PointersGoBackOnlyUnderMinorPtrUpdate) {
  write<regs::SDMA0_QUEUE0_RB_WPTR>(64);
  write<regs::SDMA0_QUEUE0_RB_WPTR>(0);
  EXPECT_TRUE(saw("sdma.minor_ptr_update"));
}

TEST_F(SdmaTest, KernelRingsArePrivileged) {
  using C = regs::SDMA0_QUEUE0_RB_CNTL;
  write<C>(0);
  EXPECT_FALSE(saw("sdma.priv"));
  write<C>(chip.registers.map().encode<C>(0, {C::RB_ENABLE(1), C::RB_SIZE(8)}));
  EXPECT_TRUE(saw("sdma.priv"));
}

TEST_F(SdmaTest, RunningRingIsNotChanged) {
  enable_ring(9);
  EXPECT_TRUE(saw("sdma.ring_changed"));
}

TEST(Sdma, HaltedEngine) {
  SdmaRig rig;
  rig.ring_registers();
  rig.enable_ring();
  rig.fence(kData, 1);
  EXPECT_TRUE(rig.gets_stuck("sdma.halted"));
}

TEST(Sdma, MicrocodeMustBeLoaded) {
  SdmaRig rig;
  rig.chip.forget_firmware();
  rig.start();
  rig.fence(kData, 1);
  EXPECT_TRUE(rig.gets_stuck("sdma.no_firmware"));
}

TEST(Sdma, MinorPtrUpdateLeftSet) {
  SdmaRig rig;
  rig.unhalt();
  rig.ring_registers();
  rig.write<regs::SDMA0_QUEUE0_MINOR_PTR_UPDATE>(1);
  rig.enable_ring();
  EXPECT_TRUE(rig.saw("sdma.minor_ptr_left"));
}

TEST(Sdma, RingOfAnotherVmid) {
  SdmaRig rig;
  rig.ring_registers();
  rig.enable_ring(8, 1);
  EXPECT_TRUE(rig.saw("sdma.vmid"));
}

TEST(Sdma, RingSize) {
  SdmaRig rig;
  rig.ring_registers();
  rig.enable_ring(1);
  EXPECT_TRUE(rig.saw("sdma.ring_size"));
}

TEST(Sdma, HungEngineComesBackWithASoftReset) {
  std::atomic<bool> hang{true};
  SdmaRig rig;
  rig.chip.faults.hook = [&](std::string_view point) { return point == "sdma/hang" && hang; };
  using W = regs::SDMA0_WATCHDOG_CNTL;
  rig.write<W>(rig.chip.registers.map().encode<W>(0, {W::QUEUE_HANG_COUNT(1)}));
  rig.start();
  rig.fence(kData, 1);
  rig.submit();
  EXPECT_TRUE(eventually([&] { return rig.interrupts.saw(10, 55); })) << "the watchdog says QUEUE_HANG";
  EXPECT_EQ(rig.datum(), 0u);
  using G = regs::GRBM_SOFT_RESET;
  rig.write<G>(rig.chip.registers.map().encode<G>(0, {G::SOFT_RESET_SDMA0(1)}));
  rig.write<G>(0);
  hang = false;
  std::memset(rig.pointers, 0, 4096);
  rig.wptr = 0;
  rig.start();
  rig.fence(kData, 2);
  EXPECT_TRUE(rig.run()) << rig.said();
  EXPECT_EQ(rig.datum(), 2u);
  EXPECT_TRUE(rig.chip.referee.violations().empty()) << rig.said();
}

}  // namespace
}  // namespace hcq::models::am::test
