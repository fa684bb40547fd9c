// SPDX-License-Identifier: MIT
#include "drivers/am/memory/memory_manager.h"

#include <fmt/format.h>

#include <algorithm>
#include <bit>

#include "base/log.h"

namespace hcq::am {

namespace {

constexpr std::uint64_t kPage = PageTable::kPage, kHuge = 2u << 20, kLargestPiece = 1u << 30;
constexpr std::size_t kFreedRemembered = 256;

// Table pages in VRAM, from their own area or from the general one.
class VramTables : public TableMemory {
 public:
  VramTables(Vram& vram, RangeAllocator& shared, std::uint64_t start, std::uint64_t end)
      : vram_(vram), shared_(shared), own_("page tables", start, end), has_own_(start != end) {}

  Result<std::uint64_t> alloc_page() override {
    const std::uint64_t paddr = HCQ_TRY(allocator().alloc(kPage, kPage));
    if (Status s = vram_.zero(paddr, kPage); !s.ok()) {
      free_page(paddr);
      return std::move(s).error();
    }
    return paddr;
  }
  void free_page(std::uint64_t paddr) override {
    [[maybe_unused]] const Status s = allocator().free(paddr);
    assert(s.ok());
  }
  Status write(std::uint64_t paddr, std::span<const std::uint64_t> entries) override {
    return vram_.write(paddr, std::as_bytes(entries));
  }

 private:
  RangeAllocator& allocator() { return has_own_ ? own_ : shared_; }

  Vram& vram_;
  RangeAllocator& shared_;
  RangeAllocator own_;
  bool has_own_;
};

void append(std::vector<Extent>& extents, Extent e) {
  if (!extents.empty() && extents.back().address + extents.back().bytes == e.address) extents.back().bytes += e.bytes;
  else extents.push_back(e);
}

}  // namespace

std::string describe(const AddressInfo& i) {
  if (i.mapped) return fmt::format("inside a mapped range ({:#x} + {:#x})", i.start, i.size);
  if (i.freed_ms)
    return fmt::format("inside a range unmapped {:.1f} ms ago ({:#x} + {:#x})", *i.freed_ms, i.start, i.size);
  return i.in_window ? "never mapped" : "outside the address window";
}

GpuMemory::~GpuMemory() {
  if (!manager_) return;
  if (const Status s = manager_->release(*this); !s.ok() && s.error().code != Errc::device_lost)
    log::warn("{}", hcq::describe(s.error()));
}

MemoryManager::MemoryManager(Link& link, Vram& vram, const PageFormat& format, const MemoryConfig& config, Flush flush)
    : link_(link),
      vram_(vram),
      config_(config),
      flush_(std::move(flush)),
      va_("GPU addresses", config.va_base, config.va_base + config.va_bytes),
      general_("VRAM", config.general_start, config.general_end),
      table_memory_(std::make_unique<VramTables>(vram, general_, config.table_start, config.table_end)),
      table_(*table_memory_, format, config.root_paddr, config.va_base, config.vram_pa_offset) {}

MemoryManager::~MemoryManager() = default;

Result<std::vector<Extent>> MemoryManager::alloc_extents(std::uint64_t bytes, const VramOptions& options) {
  std::vector<Extent> extents;
  const std::uint64_t limit = options.visible ? vram_.visible() : 0;
  for (std::uint64_t left = bytes; left;) {
    // Pieces of powers of two, so that each can be one page of the tables; smaller ones when memory is fragmented.
    std::uint64_t piece = options.contiguous || options.visible ? left : std::bit_floor(std::min(left, kLargestPiece));
    std::optional<Error> last;
    for (; piece >= kPage; piece /= 2) {
      auto at = general_.alloc(piece, std::min(std::bit_floor(piece), kHuge), limit);
      if (at.ok()) {
        append(extents, {*at, piece});
        left -= piece;
        last.reset();
        break;
      }
      last = std::move(at).error();
      if (options.contiguous || options.visible) break;
    }
    if (last) {
      free_extents(extents);
      last->device = link_.name();
      last->detail += fmt::format("; {} bytes asked for{}", bytes, limit ? " in the part that BAR 0 shows" : "");
      return std::move(*last);
    }
  }
  return extents;
}

// Neighbouring pieces may have been joined into one extent; each was allocated on its own.
void MemoryManager::free_extents(std::span<const Extent> extents) {
  for (const Extent& e : extents)
    for (std::uint64_t at = e.address; at < e.address + e.bytes;) at += general_.free_at(at);
}

Status MemoryManager::map_extents(std::uint64_t va, std::span<const Extent> extents, const PageAttributes& attributes) {
  const std::uint64_t offset = attributes.system ? 0 : config_.vram_pa_offset;
  std::uint64_t done = 0;
  for (const Extent& e : extents) {
    if (Status s = table_.map(va + done, e.address + offset, e.bytes, attributes); !s.ok()) {
      if (done) (void)table_.unmap(va, done);
      (void)flush_();
      return s;
    }
    done += e.bytes;
  }
  return flush_();
}

Result<GpuMemoryRef> MemoryManager::finish(GpuMemoryRef memory, const PageAttributes& attributes) {
  // Aligned to their size, so that entries can be large and fragments long.
  const std::uint64_t align = std::clamp(std::bit_floor(memory->size_), kPage, kLargestPiece);
  memory->va_ = HCQ_TRY(va_.alloc(memory->size_, align));
  if (Status s = map_extents(memory->va_, memory->extents_, attributes); !s.ok()) {
    (void)va_.free(memory->va_);
    Error e = std::move(s).error();
    if (e.device.empty()) e.device = link_.name();
    return e;
  }
  const Range r{memory->va_, memory->size_};
  live_.insert(
      std::upper_bound(live_.begin(), live_.end(), r, [](const Range& a, const Range& b) { return a.start < b.start; }),
      r);
  memory->manager_ = this;
  log::trace(log::Area::mem, "map {:#x} + {:#x} {} in {} pieces", r.start, r.size, attributes.system ? "host" : "vram",
             memory->extents_.size());
  return memory;
}

Result<GpuMemoryRef> MemoryManager::alloc_vram(std::uint64_t bytes, VramOptions options) {
  const std::scoped_lock lock(mutex_);
  if (bytes == 0 || bytes > config_.va_bytes)
    return link_.error(Errc::invalid_argument, "VRAM", fmt::format("{} bytes asked for", bytes));
  GpuMemoryRef memory(new GpuMemory);
  memory->size_ = round_up(bytes, bytes >= 8ull << 20 ? kHuge : kPage);
  memory->extents_ = HCQ_TRY(alloc_extents(memory->size_, options));
  const std::vector<Extent> extents = memory->extents_;
  auto r = finish(std::move(memory), {.system = false, .uncached = options.uncached});
  if (!r.ok()) free_extents(extents);
  return r;
}

Result<GpuMemoryRef> MemoryManager::alloc_host(std::uint64_t bytes, pci::DmaOptions options) {
  const std::scoped_lock lock(mutex_);
  if (bytes == 0 || bytes > config_.va_bytes)
    return link_.error(Errc::invalid_argument, "host memory", fmt::format("{} bytes asked for", bytes));
  HCQ_TRY(link_.alive());
  GpuMemoryRef memory(new GpuMemory);
  memory->size_ = round_up(bytes, kPage);
  memory->dma_ = HCQ_TRY(link_.function().alloc_dma(memory->size_, options));
  if (memory->dma_->pages().size() * kPage < memory->size_)
    return link_.error(Errc::internal, "host memory", "fewer bus addresses than pages");
  for (std::uint64_t i = 0; i < memory->size_ / kPage; ++i) append(memory->extents_, {memory->dma_->pages()[i], kPage});
  return finish(std::move(memory), {.system = true, .uncached = true});
}

Status MemoryManager::release(GpuMemory& memory, bool keep_host) {
  const std::scoped_lock lock(mutex_);
  memory.manager_ = nullptr;
  Status unmapped = table_.unmap(memory.va_, memory.size_);
  // The TLB may hold the old translation until it is flushed; only then may the memory go to somebody else.
  Status flushed = flush_();
  const auto it = std::find_if(live_.begin(), live_.end(), [&](const Range& r) { return r.start == memory.va_; });
  if (it != live_.end()) live_.erase(it);
  remember(memory.va_, memory.size_);
  log::trace(log::Area::mem, "unmap {:#x} + {:#x}", memory.va_, memory.size_);
  if (unmapped.ok() && flushed.ok()) {
    HCQ_TRY(va_.free(memory.va_));
    if (!memory.in_host_memory()) free_extents(memory.extents_);
    return {};
  }
  // The GPU may still reach it: neither address nor memory are used again.
  if (memory.dma_ && !keep_host) unreleased_.push_back(std::move(memory.dma_));
  return unmapped.ok() ? std::move(flushed) : std::move(unmapped);
}

Status MemoryManager::free(GpuMemoryRef memory) { return memory && memory->manager_ ? release(*memory) : Status(); }

Status MemoryManager::detach(GpuMemory& memory) {
  return memory.manager_ ? release(memory, /*keep_host=*/true) : Status();
}

void MemoryManager::remember(std::uint64_t va, std::uint64_t size) {
  freed_.push_back({{va, size}, Clock::now()});
  if (freed_.size() > kFreedRemembered) freed_.pop_front();
}

AddressInfo MemoryManager::lookup(std::uint64_t va) const {
  const std::scoped_lock lock(mutex_);
  AddressInfo info;
  info.in_window = va >= config_.va_base && va < va_end();
  const auto inside = [va](const Range& r) { return va >= r.start && va - r.start < r.size; };
  for (const Range& r : live_)
    if (inside(r)) {
      info.mapped = true;
      info.start = r.start;
      info.size = r.size;
      return info;
    }
  for (auto it = freed_.rbegin(); it != freed_.rend(); ++it)
    if (inside(it->range)) {
      info.start = it->range.start;
      info.size = it->range.size;
      info.freed_ms = std::chrono::duration<double, std::milli>(Clock::now() - it->when).count();
      return info;
    }
  return info;
}

PageWalk MemoryManager::walk(std::uint64_t va) const {
  const std::scoped_lock lock(mutex_);
  return table_.walk(va);
}

std::uint64_t MemoryManager::vram_free() const {
  const std::scoped_lock lock(mutex_);
  return general_.free_bytes();
}

}  // namespace hcq::am
