// SPDX-License-Identifier: MIT
#include "models/am/gfx/cp.h"

#include <fmt/format.h>

#include "models/am/gfx/mes.h"
#include "models/am/tables/vendor_fields.h"

namespace hcq::models::am {

namespace {

namespace v = vendor;

// GFX_FW_TYPE_* of psp_gfx_if.h.
constexpr std::uint32_t kRs64Mec = 89, kRs64Pfp = 87, kRs64Me = 88, kCpMes = 33, kCpMesKiq = 81;

// What the scheduler's microcode says of itself (CP_MES_GP3_LO): its version in [11:0], that of its interface in
// [23:12].
constexpr std::uint32_t kMesVersion = 1u << 24 | 2u << 12 | 0x7c;

}  // namespace

Cp::Cp(Chip& chip, Memory& memory, EngineMaker make)
    : chip_(chip),
      shaders_(chip, memory, std::move(make)),
      shared_{
          .chip = chip,
          .memory = memory,
          .shaders = shaders_,
          .running = [this](const QueueName& n) { return running(n); },
          .sh_mem_bases = [this](unsigned vmid) { return sh_mem_bases_[vmid].load(std::memory_order_acquire); },
          .eop_interrupt_enabled = [this](const QueueName& n) { return eop_interrupt_enabled(n); },
          .released =
              [this](ComputeQueue& q) {
                for (auto& l : listeners_) {
                  ComputeQueue* expected = &q;
                  l.compare_exchange_strong(expected, nullptr);
                }
              },
          .processor = [this](Pm4Host&& host, std::uint64_t seed) { return make_processor(std::move(host), seed); }} {
  for (unsigned i = 0; i < kFirstGraphics; ++i)
    queues_[i] = std::make_unique<ComputeQueue>(
        shared_, QueueName{.me = QueueName::kCompute, .pipe = i / kQueuesPerPipe, .queue = i % kQueuesPerPipe});
  for (unsigned i = 0; i < kGraphicsPipes; ++i)
    queues_[kFirstGraphics + i] =
        std::make_unique<ComputeQueue>(shared_, QueueName{.me = QueueName::kGraphics, .pipe = i});
  for (unsigned i = 0; i < kMesPipes; ++i)
    queues_[kFirstMes + i] = std::make_unique<ComputeQueue>(shared_, QueueName{.me = QueueName::kMes, .pipe = i});
  range_lower_ = chip.registers.address<regs::CP_MEC_DOORBELL_RANGE_LOWER>();
  range_upper_ = chip.registers.address<regs::CP_MEC_DOORBELL_RANGE_UPPER>();
  grbm_gfx_cntl_ = chip.registers.address<regs::GRBM_GFX_CNTL>();
  describe_hqd();
  describe_banked();
  describe_mec();
  describe_graphics();
  describe_mes();
}

ComputeQueue* Cp::find(const QueueName& n) {
  if (n.me == QueueName::kCompute && n.pipe < kPipes && n.queue < kQueuesPerPipe)
    return queues_[n.pipe * kQueuesPerPipe + n.queue].get();
  if (n.me == QueueName::kGraphics && n.pipe < kGraphicsPipes && n.queue == 0)
    return queues_[kFirstGraphics + n.pipe].get();
  if (n.me == QueueName::kMes && n.pipe < kMesPipes && n.queue == 0) return queues_[kFirstMes + n.pipe].get();
  return nullptr;
}

std::unique_ptr<PacketProcessor> Cp::make_processor(Pm4Host&& host, std::uint64_t seed) {
  if (host.name.me == QueueName::kMes && host.name.pipe == kMesScheduler)
    return std::make_unique<MesScheduler>(chip_, shared_.memory, *this, std::move(host.interrupted));
  if (host.name.me == QueueName::kMes) host.mapper = this;
  return std::make_unique<Pm4>(chip_, shared_.memory, shaders_, std::move(host), seed);
}

bool Cp::running(const QueueName& n) const {
  if (n.me == QueueName::kCompute) return pipes_[n.pipe].running.load(std::memory_order_acquire);
  if (n.me == QueueName::kMes) return mes_[n.pipe].running.load(std::memory_order_acquire);
  const std::uint32_t cntl = chip_.registers.bank().peek(me_cntl_);
  return !v::CP_ME_CNTL::ME_HALT.in(cntl) && !v::CP_ME_CNTL::PFP_HALT.in(cntl) && chip_.firmware(kRs64Pfp) &&
         chip_.firmware(kRs64Me);
}

bool Cp::eop_interrupt_enabled(const QueueName& n) const {
  if (n.me == QueueName::kGraphics)
    return v::CP_INT_CNTL_RING0::TIME_STAMP_INT_ENABLE.in(chip_.registers.bank().peek(gfx_int_cntl_));
  if (n.me != QueueName::kCompute) return true;
  using C = regs::CPC_INT_CNTL;
  const std::uint32_t value = pipes_[n.pipe].int_cntl.load(std::memory_order_acquire);
  return chip_.registers.map().decode<C>(value)[C::TIME_STAMP_INT_ENABLE] != 0;
}

void Cp::listen(ComputeQueue& q) {
  if (const auto d = q.doorbell_dword(); d && *d / 2 < kDoorbells)
    listeners_[*d / 2].store(&q, std::memory_order_release);
}

bool Cp::map(const QueueName& name, std::uint64_t mqd) {
  ComputeQueue* q = find(name);
  if (!q) {
    violation("cp.map_queue", fmt::format("me {} pipe {} queue {}", name.me, name.pipe, name.queue), mqd,
              "there is no such queue");
    return false;
  }
  if (!q->load(mqd)) return false;
  listen(*q);
  return true;
}

bool Cp::unmap(std::uint32_t doorbell_dword, bool reset) {
  ComputeQueue* q =
      doorbell_dword / 2 < kDoorbells ? listeners_[doorbell_dword / 2].load(std::memory_order_acquire) : nullptr;
  if (!q) {
    violation("cp.unmap_queue", fmt::format("doorbell {:#x}", doorbell_dword), 0, "no active queue has this doorbell");
    return false;
  }
  q->unload(reset);
  return true;
}

void Cp::violation(std::string rule, const std::string& where, std::uint64_t value, std::string text) const {
  chip_.report("cp", std::move(rule), where, value, std::move(text), "gfx_v11_0.c (Linux 6.12)");
}

Cp::Select Cp::select() const {
  using G = regs::GRBM_GFX_CNTL;
  const auto g = chip_.registers.get<G>();
  return {.pipe = g[G::PIPEID], .me = g[G::MEID], .vmid = g[G::VMID], .queue = g[G::QUEUEID]};
}

ComputeQueue* Cp::selected_queue(const char* what, std::uint64_t value) {
  const Select s = select();
  // Graphics queues have registers of their own (CP_GFX_HQD_*), which only the schedulers write here.
  if (s.me != QueueName::kGraphics)
    if (ComputeQueue* q = find({.me = s.me, .pipe = s.pipe, .queue = s.queue})) return q;
  violation("cp.grbm_select", what, value,
            fmt::format("a queue register was used while GRBM_GFX_CNTL selects me {} pipe {} queue {}", s.me, s.pipe,
                        s.queue));
  return nullptr;
}

void Cp::describe_hqd() {
  RegisterBank& bank = chip_.registers.bank();
  const std::uint32_t first = chip_.registers.address<regs::CP_MQD_BASE_ADDR>();
  // kfd_mqd_manager_v11.c sets bits of it that the headers do not name.
  chip_.registers.describe<regs::CP_HQD_HQ_STATUS0>().fields = ~0u;
  for (std::uint32_t i = 0; i < HqdRegisters::kCount; ++i) {
    const std::uint32_t dword = mqd::kFirstRegister + i;
    // A few of the registers have no name in the headers; loading an MQD writes them nevertheless.
    bank.add(first + i, {.name = fmt::format("CP_HQD dword {}", dword), .block = "gc"});
    bank.on_read(first + i, [this, dword](std::uint32_t) {
      const ComputeQueue* q = selected_queue("read", dword);
      return q ? q->read(dword) : 0;
    });
    bank.on_write(first + i, [this, dword](std::uint32_t value, std::uint32_t) { hqd_write(dword, value); });
  }
}

void Cp::hqd_write(std::uint32_t dword, std::uint32_t value) {
  ComputeQueue* q = selected_queue("write", dword);
  if (!q) return;
  q->write(dword, value);
  if (dword == mqd::cp_hqd_active && q->active()) listen(*q);
}

void Cp::describe_banked() {
  Registers& r = chip_.registers;
  r.on_read<regs::SH_MEM_CONFIG>([this](std::uint32_t) { return sh_mem_config_[select().vmid].load(); });
  r.on_write<regs::SH_MEM_CONFIG>([this](std::uint32_t v, std::uint32_t) { sh_mem_config_[select().vmid] = v; });
  r.on_read<regs::SH_MEM_BASES>([this](std::uint32_t) { return sh_mem_bases_[select().vmid].load(); });
  r.on_write<regs::SH_MEM_BASES>([this](std::uint32_t v, std::uint32_t) { sh_mem_bases_[select().vmid] = v; });
  r.on_read<regs::CPC_INT_CNTL>([this](std::uint32_t) { return pipes_[select().pipe].int_cntl.load(); });
  r.on_write<regs::CPC_INT_CNTL>([this](std::uint32_t v, std::uint32_t) {
    const Select s = select();
    if (s.me == 1) pipes_[s.pipe].int_cntl = v;
    else
      violation("cp.grbm_select", "CPC_INT_CNTL", v, "the register exists per pipe of MEC 1, and another is selected");
  });
  // The same registers without a selection.
  constexpr const char* kPipeInt[] = {"CP_ME1_PIPE0_INT_CNTL", "CP_ME1_PIPE1_INT_CNTL", "CP_ME1_PIPE2_INT_CNTL",
                                      "CP_ME1_PIPE3_INT_CNTL"};
  for (unsigned i = 0; i < kPipes; ++i) {
    r.bank().on_read(r.named(kPipeInt[i]), [this, i](std::uint32_t) { return pipes_[i].int_cntl.load(); });
    r.bank().on_write(r.named(kPipeInt[i]),
                      [this, i](std::uint32_t value, std::uint32_t) { pipes_[i].int_cntl = value; });
  }
  r.describe<regs::SPI_COMPUTE_QUEUE_RESET>().self_clearing = 1;
  r.on_write<regs::SPI_COMPUTE_QUEUE_RESET>([this](std::uint32_t v, std::uint32_t) {
    if (!(v & 1)) return;
    if (ComputeQueue* q = selected_queue("SPI_COMPUTE_QUEUE_RESET", v)) q->reset_waves();
  });
}

void Cp::describe_mec() {
  using C = regs::CP_MEC_RS64_CNTL;
  Registers& r = chip_.registers;
  r.reset_value<C>(r.map().encode<C>(0, {C::MEC_HALT(1)}));
  r.on_write<C>([this](std::uint32_t value, std::uint32_t before) { mec_cntl(value, before); });
  const auto start = [this](std::uint32_t v, unsigned shift) {
    const std::lock_guard lock(mutex_);
    std::uint64_t& s = pipes_[select().pipe].start;
    s = (s & ~(0xffffffffull << shift)) | static_cast<std::uint64_t>(v) << shift;
  };
  r.on_write<regs::CP_MEC_RS64_PRGRM_CNTR_START>([start](std::uint32_t v, std::uint32_t) { start(v, 0); });
  r.on_write<regs::CP_MEC_RS64_PRGRM_CNTR_START_HI>([start](std::uint32_t v, std::uint32_t) { start(v, 32); });
}

bool Cp::check_microcode(const Pipe& p, const char* where, std::uint32_t firmware_type) {
  const auto firmware = chip_.firmware(firmware_type);
  if (!firmware) {
    violation("cp.mec_no_firmware", where, 0, "the processor was started and the PSP has not loaded its microcode");
    return false;
  }
  if (!p.latched) {
    violation("cp.mec_no_reset", where, 0,
              "the processor was started without a reset pulse after its start address was written");
    return false;
  }
  if (*p.latched != firmware->start_address >> 2) {
    violation("cp.mec_start_address", where, *p.latched,
              fmt::format("the microcode's header says {:#x} (as an address in dwords)", firmware->start_address >> 2));
    return false;
  }
  return true;
}

// Pipe 0 is the only one that queues of this driver model use; the others follow the same rules.
void Cp::mec_cntl(std::uint32_t value, std::uint32_t before) {
  using C = regs::CP_MEC_RS64_CNTL;
  const auto now = chip_.registers.map().decode<C>(value), was = chip_.registers.map().decode<C>(before);
  constexpr regs::Field<C> kReset[] = {C::MEC_PIPE0_RESET, C::MEC_PIPE1_RESET, C::MEC_PIPE2_RESET, C::MEC_PIPE3_RESET};
  constexpr regs::Field<C> kActive[] = {C::MEC_PIPE0_ACTIVE, C::MEC_PIPE1_ACTIVE, C::MEC_PIPE2_ACTIVE,
                                        C::MEC_PIPE3_ACTIVE};
  const std::lock_guard lock(mutex_);
  for (unsigned i = 0; i < kPipes; ++i) {
    Pipe& p = pipes_[i];
    if (was[kReset[i]] && !now[kReset[i]]) p.latched = p.start;
    const bool run = !now[C::MEC_HALT] && now[kActive[i]] && !now[kReset[i]];
    if (run && !p.running) p.running = check_microcode(p, "CP_MEC_RS64_CNTL", kRs64Mec);
    else if (!run) p.running = false;
  }
}

void Cp::describe_graphics() {
  Registers& r = chip_.registers;
  gfx_range_lower_ = r.named("CP_RB_DOORBELL_RANGE_LOWER");
  gfx_range_upper_ = r.named("CP_RB_DOORBELL_RANGE_UPPER");
  gfx_int_cntl_ = r.named("CP_INT_CNTL_RING0");
  me_cntl_ = r.named("CP_ME_CNTL");
  r.bank().spec(me_cntl_).reset = v::CP_ME_CNTL::ME_HALT(1) | v::CP_ME_CNTL::PFP_HALT(1);
  r.bank().poke(me_cntl_, r.bank().spec(me_cntl_).reset);
}

unsigned Cp::selected_mes_pipe(const char* what) {
  const Select s = select();
  if (s.me == QueueName::kMes && s.pipe < kMesPipes) return s.pipe;
  violation("cp.grbm_select", what, s.me, "the register exists per pipe of the MES (me 3), and another is selected");
  return 0;
}

void Cp::describe_mes() {
  RegisterBank& bank = chip_.registers.bank();
  const auto on_write = [&](const char* name, RegisterBank::WriteHook hook) {
    bank.on_write(chip_.registers.named(name), std::move(hook));
  };
  const std::uint32_t cntl = chip_.registers.named("CP_MES_CNTL");
  bank.spec(cntl).reset = v::CP_MES_CNTL::MES_HALT(1);
  bank.poke(cntl, bank.spec(cntl).reset);
  bank.on_write(cntl, [this](std::uint32_t value, std::uint32_t before) { mes_cntl(value, before); });
  const auto start = [this](std::uint32_t value, unsigned shift) {
    const std::lock_guard lock(mutex_);
    std::uint64_t& s = mes_[selected_mes_pipe("CP_MES_PRGRM_CNTR_START")].start;
    s = (s & ~(0xffffffffull << shift)) | static_cast<std::uint64_t>(value) << shift;
  };
  on_write("CP_MES_PRGRM_CNTR_START", [start](std::uint32_t value, std::uint32_t) { start(value, 0); });
  on_write("CP_MES_PRGRM_CNTR_START_HI", [start](std::uint32_t value, std::uint32_t) { start(value, 32); });
  bank.on_read(chip_.registers.named("CP_MES_GP3_LO"), [this](std::uint32_t) {
    return mes_[selected_mes_pipe("CP_MES_GP3_LO")].running.load(std::memory_order_acquire) ? kMesVersion : 0u;
  });
}

void Cp::mes_cntl(std::uint32_t value, std::uint32_t before) {
  namespace c = v::CP_MES_CNTL;
  constexpr VendorField kReset[] = {c::MES_PIPE0_RESET, c::MES_PIPE1_RESET};
  constexpr VendorField kActive[] = {c::MES_PIPE0_ACTIVE, c::MES_PIPE1_ACTIVE};
  constexpr std::uint32_t kFirmware[] = {kCpMes, kCpMesKiq};
  const std::lock_guard lock(mutex_);
  for (unsigned i = 0; i < kMesPipes; ++i) {
    Pipe& p = mes_[i];
    if (kReset[i].in(before) && !kReset[i].in(value)) p.latched = p.start;
    const bool run = !c::MES_HALT.in(value) && kActive[i].in(value) && !kReset[i].in(value);
    if (run && !p.running) p.running = check_microcode(p, "CP_MES_CNTL", kFirmware[i]);
    else if (!run) p.running = false;
  }
}

void Cp::doorbell(std::uint32_t dword, std::uint64_t value) {
  const auto where = [&] { return fmt::format("doorbell {:#x}", dword); };
  const std::uint32_t byte = dword * 4;
  const RegisterBank& bank = chip_.registers.bank();
  ComputeQueue* q = dword / 2 < kDoorbells ? listeners_[dword / 2].load(std::memory_order_acquire) : nullptr;
  const bool gfx = q && q->name().me == QueueName::kGraphics;
  if (byte < bank.peek(gfx ? gfx_range_lower_ : range_lower_) ||
      byte > bank.peek(gfx ? gfx_range_upper_ : range_upper_))
    return violation("cp.doorbell_range", where(), value,
                     fmt::format("the doorbell lies outside CP_{}_DOORBELL_RANGE", gfx ? "RB" : "MEC"));
  if (bank.peek(grbm_gfx_cntl_))
    violation("cp.grbm_not_restored", where(), bank.peek(grbm_gfx_cntl_),
              "GRBM_GFX_CNTL still selects a queue or VMID while work is submitted");
  if (!q) return violation("cp.doorbell_unowned", where(), value, "no active queue listens to this doorbell");
  q->doorbell(value);
}

void Cp::halt_all() {
  for (auto& q : queues_) q->clear();
  const std::lock_guard lock(mutex_);
  const auto halt = [](Pipe& p) {
    p.running = false;
    p.latched.reset();
    p.start = 0;
  };
  for (Pipe& p : pipes_) halt(p);
  for (Pipe& p : mes_) halt(p);
}

void Cp::soft_reset(std::uint32_t bits, bool asserted) {
  using G = regs::GRBM_SOFT_RESET;
  using C = regs::CP_MEC_RS64_CNTL;
  if (!asserted || !(bits & chip_.registers.mask<G>({G::SOFT_RESET_CP, G::SOFT_RESET_CPC, G::SOFT_RESET_GFX}))) return;
  halt_all();
  chip_.registers.set_raw<C>(chip_.registers.map().encode<C>(0, {C::MEC_HALT(1)}));
  RegisterBank& bank = chip_.registers.bank();
  for (const std::uint32_t halted : {me_cntl_, chip_.registers.named("CP_MES_CNTL")})
    bank.poke(halted, bank.spec(halted).reset);
}

void Cp::reset(Reset) {
  halt_all();
  for (auto& v : sh_mem_config_) v = 0;
  for (auto& v : sh_mem_bases_) v = 0;
  for (Pipe& p : pipes_) p.int_cntl = 0;
  shaders_.invalidate_instruction_cache();
}

void Cp::pause() {
  for (auto& q : queues_) q->pause();
}

void Cp::resume() {
  for (auto& q : queues_) q->resume();
}

}  // namespace hcq::models::am
