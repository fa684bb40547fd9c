// SPDX-License-Identifier: MIT
#include "models/am/hub.h"

#include <fmt/format.h>

#include "models/am/hub_registers.h"

namespace hcq::models::am {

namespace {

// Interrupt client and source of translation faults. Source: soc21_ih_clientid.h, irqsrcs_gfx_11_0_0.h.
constexpr std::uint8_t kIhClientGfx = 10, kIhClientVmc = 18, kIhSourceUtcl2Fault = 0;
// PERMISSION_FAULTS: what was missing.
constexpr std::uint32_t kNoValid = 1, kNoRead = 2, kNoWrite = 4, kNoExecute = 8;
constexpr std::uint64_t kWholeRange = 0x1f'ffff'ffff;
constexpr std::uint32_t kSystemAccessModeInApertureUntranslated = 3;

std::uint32_t needed(AccessKind access) {
  switch (access) {
    case AccessKind::read:
      return kNoRead;
    case AccessKind::write:
      return kNoWrite;
    case AccessKind::execute:
      return kNoExecute;
    case AccessKind::atomic:
      return kNoRead | kNoWrite;
  }
  return 0;
}

}  // namespace

const char* client_name(ClientId id) {
  switch (id) {
    case ClientId::cpf:
      return "CPF";
    case ClientId::cpc:
      return "CPC";
    case ClientId::cpg:
      return "CPG";
    case ClientId::rlc:
      return "RLC";
    case ClientId::tcp:
      return "TCP";
    case ClientId::sqc_inst:
      return "SQC (inst)";
    case ClientId::sqc_data:
      return "SQC (data)";
    case ClientId::sdma0:
      return "SDMA0";
    case ClientId::sdma1:
      return "SDMA1";
    case ClientId::mp0:
      return "MP0";
    case ClientId::mp1:
      return "MP1";
    case ClientId::osssys:
      return "OSSSYS";
  }
  return "?";
}

Hub::Hub(Chip& chip, HubKind kind, std::atomic<std::uint64_t>& generation)
    : chip_(chip),
      kind_(kind),
      name_(kind == HubKind::gc ? "GC" : "MM"),
      walker_(chip, format_, name_),
      generation_(generation) {
  if (kind_ == HubKind::gc) describe<GcHub>();
  else describe<MmHub>();
}

template <class R>
void Hub::describe() {
  Registers& r = chip_.registers;
  l1_cntl_ = r.address<typename R::L1TlbCntl>();
  aperture_low_ = r.address<typename R::ApertureLow>();
  aperture_high_ = r.address<typename R::ApertureHigh>();
  r.reset_value<typename R::FbLocationBase>(static_cast<std::uint32_t>(chip_.fb_base >> 24));
  r.reset_value<typename R::FbLocationTop>(static_cast<std::uint32_t>((chip_.fb_base + chip_.vram->size() - 1) >> 24));
  r.read_only<typename R::FbLocationBase>();
  r.read_only<typename R::FbLocationTop>();
  r.read_only<typename R::FbOffset>();
  r.read_only<typename R::FaultStatus>();
  r.read_only<typename R::FaultAddrLo>();
  r.read_only<typename R::FaultAddrHi>();
  r.on_write<typename R::FaultCntl>([this](std::uint32_t value, std::uint32_t) {
    if (!chip_.registers.map().template decode<typename R::FaultCntl>(
            value)[R::FaultCntl::CLEAR_PROTECTION_FAULT_STATUS_ADDR])
      return;
    const std::lock_guard lock(mutex_);
    chip_.registers.set_raw<typename R::FaultStatus>(0);
    chip_.registers.set_raw<typename R::FaultAddrLo>(0);
    chip_.registers.set_raw<typename R::FaultAddrHi>(0);
  });
  describe_invalidation<R>();
}

template <class R>
void Hub::describe_invalidation() {
  Registers& r = chip_.registers;
  for (unsigned e = 0; e < semaphore_.size(); ++e) {
    r.read_only<typename R::Ack>(e);
    // Reading takes the semaphore when it is free; writing 0 gives it back.
    r.on_read<typename R::Sem>(
        [this, e](std::uint32_t) {
          const std::lock_guard lock(mutex_);
          return std::exchange(semaphore_[e], true) ? 0u : 1u;
        },
        e);
    r.on_write<typename R::Sem>(
        [this, e](std::uint32_t value, std::uint32_t) {
          const std::lock_guard lock(mutex_);
          if ((value & 1) == 0) semaphore_[e] = false;
        },
        e);
    r.on_write<typename R::Req>([this, e](std::uint32_t value, std::uint32_t) { request<R>(e, value); }, e);
  }
}

template <class R>
void Hub::request(unsigned engine, std::uint32_t value) {
  Registers& r = chip_.registers;
  using Req = typename R::Req;
  const auto v = r.map().decode<Req>(value);
  const std::uint32_t vmids = v[Req::PER_VMID_INVALIDATE_REQ];
  const auto where = fmt::format("{}VM_INVALIDATE_ENG{}_REQ", name_, engine);
  std::unique_lock lock(mutex_);
  const bool semaphore = semaphore_[engine];
  const auto ack = r.raw<typename R::Ack>(engine) & ~vmids;
  r.set_raw<typename R::Ack>(ack, engine);
  lock.unlock();
  // The host needs it so that the hub stays powered; requests of the MES or the KIQ come without
  // (amdgpu_gmc_fw_reg_write_reg_wait).
  if (kind_ == HubKind::mm && !semaphore && !ChipAccess::active())
    chip_.report("gmc", "gmc.invalidate_without_semaphore", where, value,
                 "an invalidation engine of the MM hub was used without taking its semaphore first",
                 "gmc_v11_0.c (Linux 6.12), flush_gpu_tlb");
  const bool complete = v[Req::INVALIDATE_L2_PTES] && v[Req::INVALIDATE_L2_PDE0] && v[Req::INVALIDATE_L2_PDE1] &&
                        v[Req::INVALIDATE_L2_PDE2] && v[Req::INVALIDATE_L1_PTES];
  if (!complete)
    chip_.report("gmc", "gmc.invalidate_incomplete", where, value,
                 "not every level of the translation caches was named, the others keep old entries",
                 "gmc_v11_0.c (Linux 6.12), get_invalidate_req");
  const std::uint64_t range =
      r.raw<typename R::RangeLo>(engine) | static_cast<std::uint64_t>(r.raw<typename R::RangeHi>(engine)) << 32;
  if (range != kWholeRange)
    chip_.report("gmc", "gmc.invalidate_range", where, range,
                 "ADDR_RANGE of the engine does not cover the whole address space, pages outside it stay cached",
                 "gfxhub_v3_0.c (Linux 6.12), program_invalidation");
  if (v[Req::CLEAR_PROTECTION_FAULT_STATUS_ADDR]) r.set_raw<typename R::FaultStatus>(0);
  using std::chrono::microseconds;
  chip_.timer.after(microseconds(1), microseconds(20), [this, engine, vmids, complete, range] {
    if (complete) invalidate(vmids, range);
    const std::lock_guard guard(mutex_);
    chip_.registers.set_raw<typename R::Ack>(chip_.registers.raw<typename R::Ack>(engine) | vmids, engine);
  });
}

template <class R>
VmContext Hub::read_context(unsigned vmid) const {
  const Registers& r = chip_.registers;
  using Cntl = typename R::ContextCntl;
  const auto wide = [](std::uint32_t lo, std::uint32_t hi) { return static_cast<std::uint64_t>(hi) << 32 | lo; };
  const auto cntl = r.get<Cntl>(vmid);
  return {.enabled = cntl[Cntl::ENABLE_CONTEXT] != 0,
          .depth = cntl[Cntl::PAGE_TABLE_DEPTH],
          .block_size = cntl[Cntl::PAGE_TABLE_BLOCK_SIZE],
          .base = wide(r.raw<typename R::BaseLo>(vmid), r.raw<typename R::BaseHi>(vmid)),
          .start = wide(r.raw<typename R::StartLo>(vmid), r.raw<typename R::StartHi>(vmid)),
          .end = wide(r.raw<typename R::EndLo>(vmid), r.raw<typename R::EndHi>(vmid))};
}

VmContext Hub::context(unsigned vmid) const {
  return kind_ == HubKind::gc ? read_context<GcHub>(vmid) : read_context<MmHub>(vmid);
}

template <class R>
Hub::Config Hub::read_config() const {
  const Registers& r = chip_.registers;
  using L1 = typename R::L1TlbCntl;
  const RegisterBank& bank = chip_.registers.bank();
  const auto l1 = r.map().template decode<L1>(bank.peek(l1_cntl_));
  constexpr std::uint32_t kUncached = pt::kMtypeUcGfx11;
  return {.tlb_on = l1[L1::ENABLE_L1_TLB] != 0,
          .mapped_mode = l1[L1::SYSTEM_ACCESS_MODE] == kSystemAccessModeInApertureUntranslated &&
                         l1[L1::ENABLE_ADVANCED_DRIVER_MODEL],
          .uncached = l1[L1::MTYPE] == kUncached,
          .aperture_low = static_cast<std::uint64_t>(bank.peek(aperture_low_)) << 18,
          .aperture_high = (static_cast<std::uint64_t>(bank.peek(aperture_high_)) << 18) | 0x3ffff};
}

std::uint64_t Hub::fb_offset() const {
  const Registers& r = chip_.registers;
  return static_cast<std::uint64_t>(kind_ == HubKind::gc ? r.raw<GcHub::FbOffset>() : r.raw<MmHub::FbOffset>()) << 24;
}

std::optional<std::uint64_t> Hub::aperture(std::uint64_t mc, std::uint64_t size) const {
  const Config c = kind_ == HubKind::gc ? read_config<GcHub>() : read_config<MmHub>();
  if (!c.tlb_on || !c.mapped_mode || mc < c.aperture_low || mc > c.aperture_high || mc < chip_.fb_base)
    return std::nullopt;
  const std::uint64_t offset = mc - chip_.fb_base;
  if (offset >= chip_.vram->size() || size > chip_.vram->size() - offset) return std::nullopt;
  return offset;
}

bool Hub::translates() const {
  const Config c = kind_ == HubKind::gc ? read_config<GcHub>() : read_config<MmHub>();
  return c.tlb_on && c.mapped_mode;
}

Physical Hub::untranslated(ClientId client, unsigned vmid, std::uint64_t mc, AccessKind access) {
  const auto offset = aperture(mc, 1);
  if (offset) {
    const bool uncached = kind_ == HubKind::gc ? read_config<GcHub>().uncached : read_config<MmHub>().uncached;
    return {.ok = true, .cached = !uncached, .read = true, .write = true, .execute = true, .address = *offset};
  }
  chip_.report("gmc", "gmc.vram_range", fmt::format("{} hub, mc {:#x}", name_, mc), mc,
               "an address in the system aperture is not backed by VRAM", "gfxhub_v3_0.c (Linux 6.12)");
  WalkResult r{.fault = true, .mapping_error = true};
  return fault(kNoValid, r, client, vmid, mc, access);
}

Physical Hub::resolve(ClientId client, unsigned vmid, std::uint64_t va, AccessKind access) {
  const Config c = kind_ == HubKind::gc ? read_config<GcHub>() : read_config<MmHub>();
  if (!c.tlb_on || !c.mapped_mode) {
    chip_.report("gmc", "gmc.hub_not_configured", fmt::format("{} hub, {} at {:#x}", name_, client_name(client), va),
                 va, "an engine accesses memory before MX_L1_TLB_CNTL of its hub was set up",
                 "gfxhub_v3_0.c (Linux 6.12)");
    WalkResult r{.fault = true, .walker_error = WalkerError::range};
    return fault(kNoValid, r, client, vmid, va, access);
  }
  if (vmid == 0 && va >= c.aperture_low && va <= c.aperture_high) return untranslated(client, vmid, va, access);
  WalkResult r;
  if (!lookup(vmid, va, r)) {
    r = walker_.walk(context(vmid), va, fb_offset());
    if (!r.fault) insert(vmid, va, r);
  }
  const std::uint32_t need = needed(access);
  if (r.fault) return fault(kNoValid | need, r, client, vmid, va, access);
  Physical p{.ok = true,
             .system = r.system,
             .cached = pt::mtype(format_, r.entry) != format_.mtype_uncached,
             .read = (r.entry & pt::kReadable) != 0,
             .write = (r.entry & pt::kWriteable) != 0,
             .execute = (r.entry & pt::kExecutable) != 0,
             .address = r.physical + (va & 0xfff)};
  const std::uint32_t missing =
      need & ((p.read ? 0 : kNoRead) | (p.write ? 0 : kNoWrite) | (p.execute ? 0 : kNoExecute));
  if (missing) return fault(missing, r, client, vmid, va, access);
  return p;
}

bool Hub::lookup(unsigned vmid, std::uint64_t va, WalkResult& out) {
  std::shared_lock lock(tlb_mutex_);
  for (std::uint64_t shifts = tlb_shifts_; shifts; shifts &= shifts - 1) {
    const auto shift = static_cast<unsigned>(__builtin_ctzll(shifts));
    const auto it = tlb_.find(key(vmid, shift, va));
    if (it == tlb_.end()) continue;
    out = it->second.first;
    const std::uint64_t within = va & ((1ull << shift) - 1);
    const std::uint64_t index = within >> out.leaf_shift;
    out.entry += index << out.leaf_shift;
    out.entry_at += index * 8;
    out.physical += within & ~0xfffull;
    const std::uint64_t now = walker_.load(out.entry_at);
    if (now == out.entry || it->second.reported) return true;
    lock.unlock();
    stale(out, va, now);
    const std::unique_lock write(tlb_mutex_);
    if (const auto again = tlb_.find(key(vmid, shift, va)); again != tlb_.end()) again->second.reported = true;
    return true;
  }
  return false;
}

void Hub::stale(const WalkResult& r, std::uint64_t va, std::uint64_t now) {
  const bool valid = now & pt::kValid;
  chip_.report(
      "gmc", valid ? "gmc.stale_tlb" : "gmc.use_after_unmap", fmt::format("{} hub, va {:#x}", name_, va), r.entry,
      fmt::format("the page table entry has become {:#x} and the TLB was not invalidated since: the old page is "
                  "used",
                  now),
      "gmc_v11_0.c (Linux 6.12), flush_gpu_tlb");
}

void Hub::insert(unsigned vmid, std::uint64_t va, const WalkResult& r) {
  TlbEntry e{.first = r};
  const std::uint64_t within = va & ((1ull << r.reach_shift) - 1);
  const std::uint64_t index = within >> r.leaf_shift;
  e.first.entry -= index << r.leaf_shift;
  e.first.entry_at -= index * 8;
  e.first.physical -= within & ~0xfffull;
  const std::unique_lock lock(tlb_mutex_);
  tlb_.insert_or_assign(key(vmid, r.reach_shift, va), e);
  tlb_shifts_ |= 1ull << r.reach_shift;
}

void Hub::invalidate(std::uint32_t vmids, std::uint64_t last_page) {
  {
    const std::unique_lock lock(tlb_mutex_);
    std::erase_if(tlb_, [&](const auto& item) {
      const unsigned vmid = item.first >> 58, shift = item.first >> 52 & 63;
      const std::uint64_t page = (item.first & ((1ull << 52) - 1)) << shift >> 12;
      return (vmids >> vmid & 1) && page <= last_page;
    });
    if (tlb_.empty()) tlb_shifts_ = 0;
  }
  generation_.fetch_add(1, std::memory_order_release);
}

template <class R>
bool Hub::wants_interrupt(unsigned vmid, std::uint32_t permission, const WalkResult& r) const {
  using C = typename R::ContextCntl;
  const auto c = chip_.registers.get<C>(vmid);
  if (r.walker_error == WalkerError::range) return c[C::RANGE_PROTECTION_FAULT_ENABLE_INTERRUPT];
  if (r.walker_error != WalkerError::none) return c[C::PDE0_PROTECTION_FAULT_ENABLE_INTERRUPT];
  if (permission & kNoValid) return c[C::VALID_PROTECTION_FAULT_ENABLE_INTERRUPT];
  if (permission & kNoWrite) return c[C::WRITE_PROTECTION_FAULT_ENABLE_INTERRUPT];
  if (permission & kNoExecute) return c[C::EXECUTE_PROTECTION_FAULT_ENABLE_INTERRUPT];
  return c[C::READ_PROTECTION_FAULT_ENABLE_INTERRUPT];
}

// The first fault stays in the registers until the driver clears it; later ones only say that there were more.
template <class R>
void Hub::latch(std::uint32_t permission, const WalkResult& r, ClientId client, unsigned vmid, std::uint64_t va,
                bool write) {
  Registers& regs = chip_.registers;
  using S = typename R::FaultStatus;
  const std::lock_guard lock(mutex_);
  if (regs.raw<S>() != 0) {
    regs.set<S>({S::MORE_FAULTS(1)});
    return;
  }
  regs.set<S>({S::WALKER_ERROR(static_cast<std::uint32_t>(r.walker_error)), S::PERMISSION_FAULTS(permission),
               S::MAPPING_ERROR(r.mapping_error), S::CID(static_cast<std::uint32_t>(client) & 0xff), S::RW(write),
               S::VMID(vmid)});
  regs.set_raw<typename R::FaultAddrLo>(static_cast<std::uint32_t>(va >> 12));
  regs.set_raw<typename R::FaultAddrHi>(static_cast<std::uint32_t>(va >> 44) & 0xf);
}

Physical Hub::fault(std::uint32_t permission, const WalkResult& r, ClientId client, unsigned vmid, std::uint64_t va,
                    AccessKind access) {
  const bool write = access == AccessKind::write || access == AccessKind::atomic;
  bool post = false;
  if (kind_ == HubKind::gc) {
    latch<GcHub>(permission, r, client, vmid, va, write);
    post = wants_interrupt<GcHub>(vmid, permission, r);
  } else {
    latch<MmHub>(permission, r, client, vmid, va, write);
    post = wants_interrupt<MmHub>(vmid, permission, r);
  }
  if (post && chip_.interrupts) {
    IhEntry e{.client = kind_ == HubKind::gc ? kIhClientGfx : kIhClientVmc,
              .source = kIhSourceUtcl2Fault,
              .vmid = static_cast<std::uint8_t>(vmid),
              .vmid_of_mmhub = kind_ == HubKind::mm};
    e.context[0] = static_cast<std::uint32_t>(va >> 12);
    e.context[1] = (static_cast<std::uint32_t>(va >> 44) & 0xf) | (write ? 1u << 5 : 0);
    chip_.interrupts->post(e);
  }
  return {};
}

void Hub::reset() {
  {
    const std::unique_lock lock(tlb_mutex_);
    tlb_.clear();
    tlb_shifts_ = 0;
  }
  const std::lock_guard lock(mutex_);
  semaphore_.fill(false);
  generation_.fetch_add(1, std::memory_order_release);
}

std::size_t Hub::tlb_entries() const {
  const std::shared_lock lock(tlb_mutex_);
  return tlb_.size();
}

}  // namespace hcq::models::am
