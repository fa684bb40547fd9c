// SPDX-License-Identifier: MIT
// MemoryManager: GPU virtual addresses with VRAM or host memory behind them. It owns the VA allocator, the VRAM
// allocator and the page tables of VMID 0, and flushes HDP and TLBs after every change, unmapping included.
//
// Thread-safe. Nothing here is on the submit path.
#pragma once

#include <cstdint>
#include <deque>
#include <functional>
#include <memory>
#include <mutex>
#include <optional>
#include <span>
#include <string>
#include <vector>

#include "base/bytes.h"
#include "base/error.h"
#include "drivers/am/memory/page_table.h"
#include "drivers/am/memory/range_allocator.h"
#include "drivers/am/memory/vram.h"
#include "drivers/pci/function.h"

namespace hcq::am {

class MemoryManager;

// A physically contiguous piece.
struct Extent {
  std::uint64_t address = 0;  // paddr for VRAM, bus address for host memory
  std::uint64_t bytes = 0;
};

// A mapped range of GPU addresses. Destroying it unmaps it and frees what is behind it, without waiting for the GPU:
// the owner makes sure that no submitted work uses it any more. Must not outlive its Gpu.
class GpuMemory {
 public:
  ~GpuMemory();
  GpuMemory(const GpuMemory&) = delete;
  GpuMemory& operator=(const GpuMemory&) = delete;

  std::uint64_t address() const { return va_; }  // GPU virtual address of the first byte
  std::uint64_t size() const { return size_; }   // as mapped: a multiple of 4 KiB
  bool in_host_memory() const { return dma_ != nullptr; }
  std::byte* host() const { return dma_ ? dma_->data() : nullptr; }  // CPU view; nullptr for VRAM
  std::span<const Extent> extents() const { return extents_; }       // in address order

 private:
  friend class MemoryManager;
  GpuMemory() = default;
  MemoryManager* manager_ = nullptr;
  std::uint64_t va_ = 0, size_ = 0;
  std::vector<Extent> extents_;
  std::unique_ptr<pci::DmaMemory> dma_;
};
using GpuMemoryRef = std::unique_ptr<GpuMemory>;

struct VramOptions {
  bool uncached = false;    // MTYPE UC: the GPU's caches keep nothing of it
  bool contiguous = false;  // one extent
  bool visible = false;     // inside what BAR 0 shows (implies contiguous)
};

// What is known about an address, for fault reports.
struct AddressInfo {
  bool mapped = false;
  bool in_window = false;   // inside the VA window at all
  std::uint64_t start = 0;  // of the mapped or the once mapped range
  std::uint64_t size = 0;
  std::optional<double> freed_ms;  // how long ago it was unmapped
};
// "inside a range unmapped 3.2 ms ago (0x200000401000 + 0x1000)" and the like.
std::string describe(const AddressInfo& info);

struct MemoryConfig {
  std::uint64_t va_base = 0x2000'0000'0000;  // every hcq device maps into the same window
  std::uint64_t va_bytes = 1ull << 44;
  std::uint64_t general_start = 0;  // VRAM offsets [general_start, general_end) are handed out
  std::uint64_t general_end = 0;
  std::uint64_t table_start = 0;  // pages for page tables; equal bounds: they come from the general area
  std::uint64_t table_end = 0;
  std::uint64_t root_paddr = 0;      // the root table, already zeroed
  std::uint64_t vram_pa_offset = 0;  // physical address of VRAM offset 0 (XGMI position and FB_OFFSET)
};

class MemoryManager {
 public:
  // Called after page-table writes: flush HDP and the TLBs of both hubs.
  using Flush = std::function<Status()>;

  MemoryManager(Link& link, Vram& vram, const PageFormat& format, const MemoryConfig& config, Flush flush);
  ~MemoryManager();

  Result<GpuMemoryRef> alloc_vram(std::uint64_t bytes, VramOptions options = {});
  // Host memory, coherent, always uncached for the GPU.
  Result<GpuMemoryRef> alloc_host(std::uint64_t bytes, pci::DmaOptions options = {});
  // Unmaps and frees; the destructor does the same and can only log an error.
  Status free(GpuMemoryRef memory);
  // Unmaps `memory` and forgets it; it may then outlive the manager. What the CPU sees of host memory stays until the
  // object goes. For closing the device while handles are still held.
  Status detach(GpuMemory& memory);

  AddressInfo lookup(std::uint64_t va) const;
  // What the page tables say about an address.
  PageWalk walk(std::uint64_t va) const;

  const MemoryConfig& config() const { return config_; }
  std::uint64_t va_end() const { return config_.va_base + config_.va_bytes; }
  std::uint64_t vram_free() const;

 private:
  friend class GpuMemory;
  struct Range {
    std::uint64_t start, size;
  };
  struct FreedRange {
    Range range;
    Clock::time_point when;
  };

  Status release(GpuMemory& memory, bool keep_host = false);
  Result<std::vector<Extent>> alloc_extents(std::uint64_t bytes, const VramOptions& options);
  void free_extents(std::span<const Extent> extents);
  Status map_extents(std::uint64_t va, std::span<const Extent> extents, const PageAttributes& attributes);
  void remember(std::uint64_t va, std::uint64_t size);
  Result<GpuMemoryRef> finish(GpuMemoryRef memory, const PageAttributes& attributes);

  Link& link_;
  Vram& vram_;
  MemoryConfig config_;
  Flush flush_;
  mutable std::mutex mutex_;
  RangeAllocator va_;
  RangeAllocator general_;
  std::unique_ptr<TableMemory> table_memory_;
  PageTable table_;
  std::vector<std::unique_ptr<pci::DmaMemory>> unreleased_;  // could not be unmapped; kept until the device is closed
  std::vector<Range> live_;                                  // sorted by start
  std::deque<FreedRange> freed_;                             // newest last, bounded
};

}  // namespace hcq::am
