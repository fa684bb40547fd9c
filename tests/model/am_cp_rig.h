// SPDX-License-Identifier: MIT
// A bench for the command processor: the memory bench plus MEC, a queue with its ring in host memory, and an engine
// that runs what the test says instead of shader code.
#pragma once

#include "am_rig.h"
#include "drivers/am/abi/mqd.h"
#include "drivers/am/abi/pm4.h"
#include "models/am/gfx/cp.h"
#include "models/am/rlc.h"

namespace hcq::models::am::test {

namespace pm4 = hcq::am::abi::pm4;

// What stands for shader code.
struct FakeShader {
  std::mutex mutex;
  std::vector<isa::Dispatch> seen;
  bool keep = true;  // dispatches are remembered in `seen`
  std::function<isa::Report(const isa::Dispatch&, isa::MemoryPort&, const std::atomic<bool>&)> body;
  std::atomic<int> instruction_invalidations{0};
  std::size_t count() {
    const std::lock_guard lock(mutex);
    return seen.size();
  }
};

class FakeEngine final : public isa::Engine {
 public:
  explicit FakeEngine(FakeShader& shader) : shader_(shader) {}
  isa::Report run(const isa::Dispatch& d, isa::MemoryPort& memory, const std::atomic<bool>& stop) override {
    if (shader_.keep) {
      const std::lock_guard lock(shader_.mutex);
      shader_.seen.push_back(d);
    }
    return shader_.body ? shader_.body(d, memory, stop) : isa::Report{};
  }
  void invalidate_instruction_cache() override { ++shader_.instruction_invalidations; }

 private:
  FakeShader& shader_;
};

class CpRig : public MemoryRig {
 public:
  static constexpr std::uint64_t kMqd = 0x800000, kEop = 0x801000, kStart = 0x7000000003000;
  static constexpr std::uint64_t kRingVa = kVaBase + 0x1000000, kPointersVa = kVaBase + 0x2000000,
                                 kEopVa = kVaBase + 0x2100000, kIbVa = kVaBase + 0x3000000,
                                 kDataVa = kVaBase + 0x4000000, kCachedVa = kVaBase + 0x5000000;
  static constexpr std::uint32_t kRingDwords = 1024, kDoorbell = 6;  // dword of doorbell 3
  static constexpr std::uint32_t kWptrOffset = 0x38, kRptrOffset = 0x80;

  explicit CpRig(std::uint64_t seed = 1) : MemoryRig(seed) {
    chip.rlc_booted = true;
    chip.blocks = {&memory, &cp, &rlc};
    setup_hubs();
    ring = reinterpret_cast<std::uint32_t*>(map_host(kRingVa, kRingDwords * 4));
    pointers = map_host(kPointersVa, 4096);
    ib = reinterpret_cast<std::uint32_t*>(map_host(kIbVa, 8192));
    data = map_host(kDataVa, 4096);
    map(kEopVa, kEop, 4096, kLeaf | kUc);
    map(kCachedVa, 0x900000, 4096);
    zero(0x900000, 4096);
    chip.set_firmware(89, {.start_address = kStart});
    registers_default();
  }

  ~CpRig() { chip.timer.stop(); }  // before the queues that its work refers to are gone

  // ---- A correct start, in pieces.
  void select(unsigned me, unsigned pipe = 0, unsigned queue = 0, unsigned vmid = 0) {
    using G = regs::GRBM_GFX_CNTL;
    write<G>(chip.registers.map().encode<G>(0, {G::MEID(me), G::PIPEID(pipe), G::QUEUEID(queue), G::VMID(vmid)}));
  }
  void mec_start_address(std::uint64_t start = kStart) {
    select(1);
    write<regs::CP_MEC_RS64_PRGRM_CNTR_START>(lo32(start >> 2));
    write<regs::CP_MEC_RS64_PRGRM_CNTR_START_HI>(hi32(start >> 2));
    select(0);
  }
  template <class... F>
  void mec(F... fields) {
    using C = regs::CP_MEC_RS64_CNTL;
    write<C>(chip.registers.map().encode<C>(read<C>(), {fields...}));
  }
  void mec_pulse() {
    using C = regs::CP_MEC_RS64_CNTL;
    mec(C::MEC_PIPE0_RESET(1));
    mec(C::MEC_PIPE0_RESET(0));
  }
  void mec_run() {
    using C = regs::CP_MEC_RS64_CNTL;
    mec(C::MEC_PIPE0_RESET(0), C::MEC_PIPE0_ACTIVE(1), C::MEC_HALT(0));
  }
  void start_mec() {
    mec_start_address();
    mec_pulse();
    mec_run();
  }
  void setup_pipe() {
    for (unsigned v = 0; v < 16; ++v) {
      select(0, 0, 0, v);
      write<regs::SH_MEM_BASES>(0x00010002);
    }
    select(1);
    using I = regs::CPC_INT_CNTL;
    write<I>(chip.registers.map().encode<I>(0, {I::TIME_STAMP_INT_ENABLE(1)}));
    select(0);
    write<regs::CP_MEC_DOORBELL_RANGE_LOWER>(0);
    write<regs::CP_MEC_DOORBELL_RANGE_UPPER>(0xf8);
  }
  void registers_default() {
    const regs::RegisterMap& m = chip.registers.map();
    const std::uint64_t base = chip.fb_base + kMqd;
    using Q = regs::CP_HQD_PQ_CONTROL;
    using D = regs::CP_HQD_PQ_DOORBELL_CONTROL;
    mqd_image[mqd::header] = mqd::kHeaderValue;
    for (auto d : {mqd::compute_static_thread_mgmt_se0, mqd::compute_static_thread_mgmt_se1,
                   mqd::compute_static_thread_mgmt_se2, mqd::compute_static_thread_mgmt_se3})
      mqd_image[d] = ~0u;
    wide(mqd::cp_mqd_base_addr_lo, base);
    mqd_image[mqd::cp_hqd_active] = 1;
    wide(mqd::cp_hqd_pq_base_lo, kRingVa >> 8);
    wide(mqd::cp_hqd_pq_rptr_report_addr_lo, kPointersVa + kRptrOffset);
    wide(mqd::cp_hqd_pq_wptr_poll_addr_lo, kPointersVa + kWptrOffset);
    mqd_image[mqd::cp_hqd_pq_doorbell_control] = m.encode<D>(0, {D::DOORBELL_OFFSET(kDoorbell), D::DOORBELL_EN(1)});
    mqd_image[mqd::cp_hqd_pq_control] = m.encode<Q>(0, {Q::QUEUE_SIZE(9), Q::RPTR_BLOCK_SIZE(5)});
    mqd_image[mqd::cp_hqd_ib_control] = 3u << 20;
    mqd_image[mqd::cp_mqd_control] = 1u << 8;
    wide(mqd::cp_hqd_eop_base_addr_lo, kEopVa >> 8);
    mqd_image[mqd::cp_hqd_eop_control] = 9;
  }
  void wide(std::uint32_t dword, std::uint64_t v) {
    mqd_image[dword] = lo32(v);
    mqd_image[dword + 1] = hi32(v);
  }
  void write_mqd() {
    memory.host_write(kMqd, std::as_bytes(std::span(mqd_image)));
    memory.hdp_flush();
  }
  void load_registers() {
    for (std::uint32_t d = mqd::kFirstRegister; d <= mqd::kLastRegister; ++d)
      if (d != mqd::cp_hqd_active)
        chip.registers.bank().write(chip.registers.address<regs::CP_MQD_BASE_ADDR>() + d - mqd::kFirstRegister,
                                    mqd_image[d]);
  }
  void activate_queue() {
    write_mqd();
    select(1);
    load_registers();
    write<regs::CP_HQD_ACTIVE>(1);
    select(0);
  }
  void start() {
    start_mec();
    setup_pipe();
    activate_queue();
  }

  // ---- Work.
  void put(std::initializer_list<std::uint32_t> dwords) {
    for (const std::uint32_t d : dwords) ring[wptr++ % kRingDwords] = d;
  }
  void put_packet(std::uint32_t op, std::initializer_list<std::uint32_t> body) {
    put({pm4::header(op, static_cast<std::uint32_t>(body.size()))});
    put(body);
  }
  void publish() { __atomic_store_n(reinterpret_cast<std::uint64_t*>(pointers + kWptrOffset), wptr, __ATOMIC_RELEASE); }
  void submit() {
    publish();
    cp.doorbell(kDoorbell, wptr);
  }
  std::uint32_t rptr() const {
    return __atomic_load_n(reinterpret_cast<std::uint32_t*>(pointers + kRptrOffset), __ATOMIC_ACQUIRE);
  }
  bool done() {
    return eventually([&] { return rptr() == static_cast<std::uint32_t>(wptr); });
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

  void release(std::uint64_t va, std::uint32_t value, std::uint32_t flags = 0, std::uint32_t int_sel = 0) {
    namespace r = pm4::release_mem;
    put_packet(pm4::RELEASE_MEM, {r::EVENT_TYPE(r::kCacheFlushAndInvTs) | r::EVENT_INDEX(r::kEndOfPipe) | flags,
                                  r::DATA_SEL(r::kData32) | r::INT_SEL(int_sel), lo32(va), hi32(va), value, 0, 0});
  }
  void acquire(std::uint32_t gcr) { put_packet(pm4::ACQUIRE_MEM, {0, ~0u, ~0u, 0, 0, 0, gcr}); }
  void write_data(std::uint64_t va, std::uint32_t value) {
    namespace w = pm4::write_data;
    put_packet(pm4::WRITE_DATA, {w::DST_SEL(w::kDstMemory) | w::WR_CONFIRM(1), lo32(va), hi32(va), value});
  }
  void call(std::uint64_t va, std::uint32_t dwords) {
    namespace i = pm4::indirect_buffer;
    put_packet(pm4::INDIRECT_BUFFER, {lo32(va), hi32(va), i::SIZE(dwords) | i::VALID(1)});
  }
  template <class R>
  void set_sh(std::initializer_list<std::uint32_t> values) {
    put({pm4::header(pm4::SET_SH_REG, static_cast<std::uint32_t>(values.size()) + 1),
         chip.registers.address<R>() - pm4::kShRegStart});
    put(values);
  }
  void dispatch_registers() {
    set_sh<regs::COMPUTE_PGM_LO>({lo32(kDataVa >> 8), hi32(kDataVa >> 8)});
    set_sh<regs::COMPUTE_PGM_RSRC1>({0, 2u << 1});  // two user registers
    set_sh<regs::COMPUTE_PGM_RSRC3>({0});
    set_sh<regs::COMPUTE_RESTART_X>({0, 0, 0});
    set_sh<regs::COMPUTE_USER_DATA_0>({11, 22});
    set_sh<regs::COMPUTE_RESOURCE_LIMITS>({0});
    set_sh<regs::COMPUTE_START_X>({0, 0, 0, 64, 1, 1});
  }
  void dispatch(std::uint32_t x = 1, std::uint32_t y = 1, std::uint32_t z = 1) {
    namespace d = pm4::dispatch_direct;
    put_packet(pm4::DISPATCH_DIRECT, {x, y, z, d::COMPUTE_SHADER_EN(1) | d::FORCE_START_AT_000(1) | d::CS_W32_EN(1)});
  }
  void partial_flush() {
    namespace e = pm4::event_write;
    put_packet(pm4::EVENT_WRITE, {e::EVENT_TYPE(e::kCsPartialFlush) | e::EVENT_INDEX(e::kCsPartialFlushIndex)});
  }

  FakeShader shader;
  Rlc rlc{chip};
  Cp cp{chip, memory, [this]() -> Result<std::unique_ptr<isa::Engine>> {
          return std::unique_ptr<isa::Engine>(std::make_unique<FakeEngine>(shader));
        }};
  std::array<std::uint32_t, mqd::kDwords> mqd_image{};
  std::uint32_t *ring = nullptr, *ib = nullptr;
  std::byte *pointers = nullptr, *data = nullptr;
  std::uint64_t wptr = 0;
};

}  // namespace hcq::models::am::test
