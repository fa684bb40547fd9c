// SPDX-License-Identifier: MIT
#include "models/am/memory.h"

#include <fmt/format.h>

#include <algorithm>
#include <cstring>

namespace hcq::models::am {

namespace {

constexpr std::uint64_t page_of(std::uint64_t address) { return address & ~0xfffull; }

std::byte* page_of(std::byte* p) {
  return reinterpret_cast<std::byte*>(reinterpret_cast<std::uintptr_t>(p) & ~std::uintptr_t{0xfff});
}

AccessKind kind_of(isa::Access access) {
  switch (access) {
    case isa::Access::read:
    case isa::Access::scalar:
      return AccessKind::read;
    case isa::Access::write:
      return AccessKind::write;
    case isa::Access::execute:
      return AccessKind::execute;
    case isa::Access::atomic:
      return AccessKind::atomic;
  }
  return AccessKind::read;
}

ClientId client_of(isa::Access access) {
  if (access == isa::Access::execute) return ClientId::sqc_inst;
  return access == isa::Access::scalar ? ClientId::sqc_data : ClientId::tcp;
}

// Clients of mc_read and mc_write, by the first word of their names.
ClientId mm_client(std::string_view name) {
  return name.starts_with("SMU") ? ClientId::mp1 : name.starts_with("IH") ? ClientId::osssys : ClientId::mp0;
}

bool modifies(AccessKind a) { return a == AccessKind::write || a == AccessKind::atomic; }

}  // namespace

Memory::Memory(Chip& chip)
    : chip_(chip),
      gc_(chip, HubKind::gc, generation_),
      mm_(chip, HubKind::mm, generation_),
      l2_([this](const std::byte* page, const std::byte* now) { l1_.before_change(page, now); }),
      // Shared VRAM is not held back from hosts that map it; the window behaves the same.
      hdp_(
          chip, [this](std::uint64_t page, const Hdp::Page& p) { before_store(page, p); },
          chip.vram->shared() ? 0 : 256) {
  std::memset(ones_, 0xff, sizeof ones_);
  using Req = regs::BIF_BX_PF0_GPU_HDP_FLUSH_REQ;
  using Done = regs::BIF_BX_PF0_GPU_HDP_FLUSH_DONE;
  chip_.registers.read_only<Done>();
  // Engines ask for a flush with their own bit and wait for the same bit in DONE.
  chip_.registers.on_write<Req>([this](std::uint32_t value, std::uint32_t) {
    chip_.registers.set_raw<Done>(chip_.registers.raw<Done>() & ~value);
    hdp_flush();
    chip_.registers.set_raw<Done>(chip_.registers.raw<Done>() | value);
  });
}

bool Memory::guarded(ClientId client, std::uint64_t offset, std::size_t size, bool write) {
  const char *rule = nullptr, *text = nullptr;
  if (chip_.tmr.hits(offset, size)) rule = "gmc.tmr_access", text = "an engine accesses the trusted memory region";
  else if (write && chip_.discovery.hits(offset, size))
    rule = "gmc.discovery_write", text = "an engine writes the discovery table";
  else if (write && chip_.firmware_data.hits(offset, size))
    rule = "gmc.firmware_region_write",
    text = "an engine writes to the top of VRAM, which the board's firmware keeps for itself";
  if (!rule) return false;
  chip_.report("gmc", rule, fmt::format("{} at VRAM offset {:#x}", client_name(client), offset), offset, text,
               "psp_v13_0.c, amdgpu_discovery.c, amdgpu_atomfirmware.c (Linux 6.12)");
  return true;
}

Memory::Backing Memory::back(const Requester& from, std::uint64_t va, AccessKind access, std::size_t size) {
  const Physical p = hub(from.hub).resolve(from.client, from.vmid, va, access);
  if (!p.ok) return {};
  Backing b{.cached = p.cached, .read = p.read, .write = p.write, .execute = p.execute};
  const bool write = modifies(access);
  if (p.system) {
    b.byte = chip_.dma(client_name(from.client), p.address, size, write);
  } else if (!guarded(from.client, p.address, size, write)) {
    b.byte = chip_.vram->at(p.address, size);
  }
  if (b.byte) return b;
  return {.byte = (write ? lost_ : ones_) + (va & 0xfff), .read = !write, .write = write};
}

std::byte* Memory::through_l2(const Backing& b, CachePolicy policy, bool write) {
  if (!b.cached) return b.byte;
  std::byte* page = page_of(b.byte);
  std::byte* copy = policy == CachePolicy::lru ? l2_.page(page, write) : l2_.peek(page);
  return copy ? copy + (b.byte - page) : b.byte;
}

std::byte* Memory::translate(const Requester& from, std::uint64_t va, AccessKind access, std::size_t size) {
  const Backing b = back(from, va, access, size);
  return b.byte ? through_l2(b, from.policy, modifies(access)) : nullptr;
}

// An engine beside the shaders writes: what they hold of the page becomes stale.
void Memory::before_write(const Backing& b) {
  if (!b.cached) return;
  const std::byte* page = page_of(b.byte);
  const std::byte* copy = l2_.peek(page);
  l1_.before_change(page, copy ? copy : page);
}

std::size_t Memory::cache_request(const CacheRequest& r) {
  if (r.gl2_wb) l2_.write_back();
  l1_.invalidate(r.glk_inv, r.glv_inv, r.gl1_inv);
  return r.gl2_inv ? l2_.invalidate() : 0;
}

bool Memory::read(const Requester& from, std::uint64_t va, MutableBytes out) {
  while (!out.empty()) {
    const std::size_t n = std::min<std::size_t>(out.size(), 4096 - (va & 0xfff));
    const std::byte* p = translate(from, va, AccessKind::read, n);
    if (!p) return false;
    copy_words(out.data(), p, n);
    va += n;
    out = out.subspan(n);
  }
  return true;
}

bool Memory::write(const Requester& from, std::uint64_t va, Bytes in) {
  while (!in.empty()) {
    const std::size_t n = std::min<std::size_t>(in.size(), 4096 - (va & 0xfff));
    const Backing b = back(from, va, AccessKind::write, n);
    if (!b.byte) return false;
    before_write(b);
    if (b.cached && from.policy == CachePolicy::bypass) l2_.write_through(page_of(b.byte), va & 0xfff, in.data(), n);
    else copy_words(through_l2(b, from.policy, true), in.data(), n);
    va += n;
    in = in.subspan(n);
  }
  return true;
}

template <class T>
bool Memory::load(const Requester& from, std::uint64_t va, T& out) {
  const std::byte* p = translate(from, va, AccessKind::read, sizeof(T));
  if (!p) return false;
  out = __atomic_load_n(reinterpret_cast<const T*>(p), __ATOMIC_ACQUIRE);
  return true;
}

template <class T>
bool Memory::store(const Requester& from, std::uint64_t va, T value) {
  const Backing b = back(from, va, AccessKind::write, sizeof(T));
  if (!b.byte) return false;
  before_write(b);
  if (b.cached && from.policy == CachePolicy::bypass) {
    l2_.write_through(page_of(b.byte), va & 0xfff, reinterpret_cast<const std::byte*>(&value), sizeof(T));
    return true;
  }
  __atomic_store_n(reinterpret_cast<T*>(through_l2(b, from.policy, true)), value, __ATOMIC_RELEASE);
  return true;
}

bool Memory::load32(const Requester& from, std::uint64_t va, std::uint32_t& out) { return load(from, va, out); }
bool Memory::load64(const Requester& from, std::uint64_t va, std::uint64_t& out) { return load(from, va, out); }
bool Memory::store32(const Requester& from, std::uint64_t va, std::uint32_t value) { return store(from, va, value); }
bool Memory::store64(const Requester& from, std::uint64_t va, std::uint64_t value) { return store(from, va, value); }

isa::Translation Memory::shader_page(unsigned vmid, std::uint64_t va, isa::Access access) {
  const AccessKind kind = kind_of(access);
  const Requester from{.client = client_of(access), .vmid = vmid};
  const Backing b = back(from, page_of(va), kind, 4096);
  if (!b.byte) return {};
  const bool write = modifies(kind);
  isa::Translation t{.page = through_l2(b, CachePolicy::lru, write)};
  if (access == isa::Access::scalar) t.page = l1_.scalar_page(b.byte, t.page);
  else if (b.cached && write) l1_.shader_writes(b.byte);
  else if (b.cached && access == isa::Access::read) t.page = l1_.vector_page(b.byte, t.page);
  const auto allow = [&](bool ok, isa::Access a) {
    if (ok) t.allowed |= static_cast<std::uint8_t>(a);
  };
  allow(b.read, isa::Access::read);
  allow(b.execute, isa::Access::execute);
  // The first write to a cached page must come through here again, so that the page is known to be modified.
  const bool may_write = b.write && (write || !b.cached);
  allow(may_write, isa::Access::write);
  allow(may_write && b.read, isa::Access::atomic);
  return t;
}

std::uint64_t Memory::generation() {
  HostPort* host = chip_.host.load(std::memory_order_acquire);
  // Another host process has other bus addresses; its counter starts anew.
  if (last_host_.load(std::memory_order_acquire) != host) {
    last_host_.store(host, std::memory_order_release);
    generation_.fetch_add(1ull << 32, std::memory_order_acq_rel);
    l1_.discard();
  }
  return generation_.load(std::memory_order_acquire) + l1_.generation() + l2_.generation() +
         (host ? host->generation() : 0);
}

// Processors outside the graphics block (PSP, SMU, IH) reach memory through the MM hub as VMID 0: VRAM through the
// system aperture, and what the driver has put into VMID 0's page table, host memory included, through that.
std::byte* Memory::mc_target(std::string_view client, std::uint64_t mc, std::size_t size, bool write) {
  if (const auto offset = mm_.aperture(mc, size)) {
    if (client != "psp" && guarded(ClientId::rlc, *offset, size, write)) return nullptr;
    return chip_.vram->at(*offset, size);
  }
  if (in_page_table(mc, size)) {
    const Physical p = mm_.resolve(mm_client(client), 0, mc, write ? AccessKind::write : AccessKind::read);
    if (p.ok && p.system) return chip_.dma(client, p.address, size, write);
    if (p.ok) return chip_.vram->at(p.address, size);
  }
  chip_.report("gmc", "gmc.mc_address", fmt::format("{} at mc {:#x}", client, mc), size,
               "an engine that uses memory-controller addresses was given one that is neither VRAM in the system "
               "aperture of the MM hub nor mapped for VMID 0 there",
               "mmhub_v3_0.c (Linux 6.12), init_system_aperture_regs");
  return nullptr;
}

bool Memory::in_page_table(std::uint64_t mc, std::uint64_t size) const {
  const VmContext c = mm_.context(0);
  return mm_.translates() && c.enabled && mc >> 12 >= c.start && (mc + size - 1) >> 12 <= c.end;
}

bool Memory::mc_valid(std::uint64_t mc, std::uint64_t size) const {
  return mm_.aperture(mc, size) || in_page_table(mc, size);
}

bool Memory::mc_read(std::string_view client, std::uint64_t mc, MutableBytes out) {
  while (!out.empty()) {
    const std::size_t n = std::min<std::size_t>(out.size(), 4096 - (mc & 0xfff));
    const std::byte* p = mc_target(client, mc, n, false);
    if (!p) return false;
    copy_words(out.data(), p, n);
    mc += n;
    out = out.subspan(n);
  }
  return true;
}

bool Memory::mc_write(std::string_view client, std::uint64_t mc, Bytes in) {
  while (!in.empty()) {
    const std::size_t n = std::min<std::size_t>(in.size(), 4096 - (mc & 0xfff));
    std::byte* p = mc_target(client, mc, n, true);
    if (!p) return false;
    copy_words(p, in.data(), n);
    mc += n;
    in = in.subspan(n);
  }
  return true;
}

void Memory::find_tables() {
  std::uint64_t roots = 0;
  for (Hub* h : {&gc_, &mm_})
    for (unsigned v = 0; v < 16; ++v) {
      const VmContext c = h->context(v);
      roots = roots * 0x100000001b3ull + (c.enabled ? c.base ^ (c.depth << 8) : 0);
    }
  if (tables_known_ && roots == roots_) return;
  roots_ = roots;
  tables_known_ = true;
  tables_.clear();
  constexpr std::size_t kMostTables = 8192;
  for (Hub* h : {&gc_, &mm_})
    for (unsigned v = 0; v < 16; ++v)
      h->walker().tables(h->context(v), h->fb_offset(), kMostTables,
                         [&](std::uint64_t at, pt::Level) { tables_.insert(at >> 12); });
}

void Memory::hdp_flush() {
  if (hdp_.held_pages() == 0) return;
  {
    const std::lock_guard lock(tables_mutex_);
    find_tables();
  }
  hdp_.flush();
}

// Watches page tables change: an entry that is in use must be taken away before another one is put in its place.
void Memory::before_store(std::uint64_t vram_page, const Hdp::Page& page) {
  const std::lock_guard lock(tables_mutex_);
  if (!tables_.contains(vram_page)) return;
  tables_known_ = false;
  generation_.fetch_add(1, std::memory_order_release);
  for (unsigned i = 0; i < 512; ++i) {
    if ((page.written[i >> 3] >> ((i & 7) * 8) & 0xff) != 0xff) continue;
    std::uint64_t now;
    std::memcpy(&now, page.data + i * 8, 8);
    const std::uint64_t before = gc_.walker().load((vram_page << 12) + i * 8);
    if ((before & pt::kValid) && (now & pt::kValid) && before != now)
      chip_.report("gmc", "gmc.map_over_valid", fmt::format("table at VRAM offset {:#x}, entry {}", vram_page << 12, i),
                   now, fmt::format("a valid page table entry ({:#x}) is overwritten with another one", before),
                   "amdgpu_vm_pt.c (Linux 6.12)");
  }
}

void Memory::reset(Reset) {
  gc_.reset();
  mm_.reset();
  l1_.discard();
  l2_.discard();
  hdp_.discard();
  const std::lock_guard lock(tables_mutex_);
  tables_known_ = false;
  tables_.clear();
}

}  // namespace hcq::models::am
