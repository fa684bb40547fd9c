// SPDX-License-Identifier: MIT
#include "models/am/gfx/cp.h"

#include <fmt/format.h>

namespace hcq::models::am {

namespace {

// GFX_FW_TYPE_RS64_MEC of psp_gfx_if.h.
constexpr std::uint32_t kRs64Mec = 89;

}  // namespace

Cp::Cp(Chip& chip, Memory& memory, EngineMaker make)
    : chip_(chip),
      shaders_(chip, memory, std::move(make)),
      shared_{.chip = chip,
              .memory = memory,
              .shaders = shaders_,
              .running = [this](unsigned pipe) { return pipes_[pipe].running.load(std::memory_order_acquire); },
              .sh_mem_bases = [this](unsigned vmid) { return sh_mem_bases_[vmid].load(std::memory_order_acquire); },
              .eop_interrupt_enabled =
                  [this](unsigned pipe) {
                    using C = regs::CPC_INT_CNTL;
                    const std::uint32_t v = pipes_[pipe].int_cntl.load(std::memory_order_acquire);
                    return chip_.registers.map().decode<C>(v)[C::TIME_STAMP_INT_ENABLE] != 0;
                  },
              .released =
                  [this](ComputeQueue& q) {
                    for (auto& l : listeners_) {
                      ComputeQueue* expected = &q;
                      l.compare_exchange_strong(expected, nullptr);
                    }
                  }} {
  for (unsigned i = 0; i < queues_.size(); ++i)
    queues_[i] = std::make_unique<ComputeQueue>(
        shared_, QueueName{.me = 1, .pipe = i / kQueuesPerPipe, .queue = i % kQueuesPerPipe});
  range_lower_ = chip.registers.address<regs::CP_MEC_DOORBELL_RANGE_LOWER>();
  range_upper_ = chip.registers.address<regs::CP_MEC_DOORBELL_RANGE_UPPER>();
  grbm_gfx_cntl_ = chip.registers.address<regs::GRBM_GFX_CNTL>();
  describe_hqd();
  describe_banked();
  describe_mec();
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
  if (s.me == 1 && s.pipe < kPipes && s.queue < kQueuesPerPipe) return queues_[s.pipe * kQueuesPerPipe + s.queue].get();
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
  if (dword != mqd::cp_hqd_active || !q->active()) return;
  if (const auto d = q->doorbell_dword(); d && *d / 2 < kDoorbells)
    listeners_[*d / 2].store(q, std::memory_order_release);
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

bool Cp::check_microcode(const Pipe& p) {
  const auto firmware = chip_.firmware(kRs64Mec);
  if (!firmware) {
    violation("cp.mec_no_firmware", "CP_MEC_RS64_CNTL", 0,
              "the MEC was started and the PSP has not loaded its microcode");
    return false;
  }
  if (!p.latched) {
    violation("cp.mec_no_reset", "CP_MEC_RS64_CNTL", 0,
              "the MEC was started without a reset pulse after its start address was written");
    return false;
  }
  if (*p.latched != firmware->start_address >> 2) {
    violation("cp.mec_start_address", "CP_MEC_RS64_PRGRM_CNTR_START", *p.latched,
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
    if (run && !p.running) p.running = check_microcode(p);
    else if (!run) p.running = false;
  }
}

void Cp::doorbell(std::uint32_t dword, std::uint64_t value) {
  const auto where = [&] { return fmt::format("doorbell {:#x}", dword); };
  const std::uint32_t byte = dword * 4;
  const RegisterBank& bank = chip_.registers.bank();
  if (byte < bank.peek(range_lower_) || byte > bank.peek(range_upper_))
    return violation("cp.doorbell_range", where(), value, "the doorbell lies outside CP_MEC_DOORBELL_RANGE");
  if (bank.peek(grbm_gfx_cntl_))
    violation("cp.grbm_not_restored", where(), bank.peek(grbm_gfx_cntl_),
              "GRBM_GFX_CNTL still selects a queue or VMID while work is submitted");
  ComputeQueue* q = dword / 2 < kDoorbells ? listeners_[dword / 2].load(std::memory_order_acquire) : nullptr;
  if (!q) return violation("cp.doorbell_unowned", where(), value, "no active queue listens to this doorbell");
  q->doorbell(value);
}

void Cp::halt_all() {
  for (auto& q : queues_) q->clear();
  const std::lock_guard lock(mutex_);
  for (Pipe& p : pipes_) {
    p.running = false;
    p.latched.reset();
    p.start = 0;
  }
}

void Cp::soft_reset(std::uint32_t bits, bool asserted) {
  using G = regs::GRBM_SOFT_RESET;
  using C = regs::CP_MEC_RS64_CNTL;
  if (!asserted || !(bits & chip_.registers.mask<G>({G::SOFT_RESET_CP, G::SOFT_RESET_CPC, G::SOFT_RESET_GFX}))) return;
  halt_all();
  chip_.registers.set_raw<C>(chip_.registers.map().encode<C>(0, {C::MEC_HALT(1)}));
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
