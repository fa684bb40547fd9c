// SPDX-License-Identifier: MIT
#include "drivers/pci/dma.h"

#include <fmt/format.h>
#include <unistd.h>

#include <algorithm>
#include <cstring>

namespace hcq::pci {

namespace {

constexpr std::size_t kChunkBytes = 2u << 20;     // one x86 hugepage
constexpr std::size_t kPooledBytes = 256u << 10;  // larger buffers get a piece of their own
constexpr std::size_t kLargestBytes = std::size_t{1} << 46;
constexpr std::size_t kNone = ~std::size_t{0};

// pagemap entry: bits 54:0 page frame number, bit 63 page present.
constexpr std::uint64_t kPagemapFrame = (1ull << 55) - 1;
constexpr std::uint64_t kPagemapPresent = 1ull << 63;

}  // namespace

Error memlock_error(const std::string& device, std::size_t wanted, MemoryKernel& kernel) {
  const std::uint64_t limit = kernel.memlock_limit();
  const std::string shown = limit == ~0ull ? "unlimited" : fmt::format("{}", limit);
  return Error{.code = Errc::no_memory,
               .device = device,
               .operation = "alloc_dma",
               .subject = "RLIMIT_MEMLOCK",
               .detail = fmt::format("{} bytes wanted, {} bytes locked already, limit {} bytes", wanted,
                                     kernel.locked_bytes(), shown),
               .hint = "raise it with ulimit -l unlimited, or a memlock line in /etc/security/limits.d"};
}

Result<std::vector<std::uint64_t>> PhysicalMapper::map(std::byte* data, std::size_t bytes) {
  const auto fail = [&](Errc code, std::string subject, std::string detail, std::string hint) {
    return Error{.code = code,
                 .device = bdf_,
                 .operation = "alloc_dma",
                 .subject = std::move(subject),
                 .detail = std::move(detail),
                 .hint = std::move(hint)};
  };
  // Compaction may move even locked pages unless told not to; the device would keep the old address.
  const std::string setting = host_.proc + "/sys/vm/compact_unevictable_allowed";
  if (const auto allowed = read_number(setting); allowed.ok() && *allowed != 0)
    return fail(Errc::refused, setting, "the kernel may move locked pages while the device uses them",
                "sysctl -w vm.compact_unevictable_allowed=0");
  // "DMA" and "DMA-FQ": the kernel's own mappings only; "identity": passed through.
  const std::string domain = host_.device_directory(bdf_) + "/iommu_group/type";
  if (const auto type = read_text(domain); type.ok() && type->starts_with("DMA"))
    return fail(Errc::refused, domain, "the IOMMU translates the device's accesses and would block physical addresses",
                "open the device through VFIO (?via=vfio), or boot with iommu=pt");

  std::vector<std::uint64_t> entries = HCQ_TRY(kernel_->pagemap(data, bytes / kDmaPage));
  for (std::uint64_t& e : entries) {
    if (!(e & kPagemapPresent))
      return fail(Errc::no_memory, "pagemap", "a locked page is not present: the machine is out of memory", "");
    if ((e & kPagemapFrame) == 0)
      return fail(Errc::permission, "pagemap", "the kernel hides page frame numbers from this user",
                  "run as root or with CAP_SYS_ADMIN, or use VFIO with an IOMMU");
    e = (e & kPagemapFrame) * kDmaPage;
  }
  return entries;
}

// Memory handed out: a run of pages of a chunk.
class DmaPool::Buffer final : public DmaMemory {
 public:
  Buffer(std::shared_ptr<DmaPool> pool, Chunk& chunk, std::size_t first, std::size_t count)
      : pool_(std::move(pool)), chunk_(&chunk), first_(first) {
    data_ = chunk.memory.data() + first * kDmaPage;
    size_ = count * kDmaPage;
    pages_.assign(chunk.pages.begin() + static_cast<std::ptrdiff_t>(first),
                  chunk.pages.begin() + static_cast<std::ptrdiff_t>(first + count));
  }
  ~Buffer() override { pool_->give_back(chunk_, first_, pages_.size()); }

 private:
  std::shared_ptr<DmaPool> pool_;
  Chunk* chunk_;
  std::size_t first_;
};

std::shared_ptr<DmaPool> DmaPool::create(std::string device, std::shared_ptr<MemoryKernel> kernel,
                                         std::unique_ptr<BusMapper> mapper) {
  return std::shared_ptr<DmaPool>(new DmaPool(std::move(device), std::move(kernel), std::move(mapper)));
}

DmaPool::~DmaPool() {
  for (const auto& c : chunks_) mapper_->unmap(c->pages);
}

Result<std::unique_ptr<DmaPool::Chunk>> DmaPool::map_chunk(Mapping memory) {
  auto chunk = std::make_unique<Chunk>();
  chunk->pages = HCQ_TRY(mapper_->map(memory.data(), memory.size()));
  chunk->memory = std::move(memory);
  chunk->used.assign(chunk->pages.size(), false);
  chunk->free = chunk->pages.size();
  return chunk;
}

// `run`: how many pages the caller will take at once; with `contiguous` the new chunk has that many consecutive ones.
Result<std::unique_ptr<DmaPool::Chunk>> DmaPool::make_chunk(std::size_t bytes, std::size_t run, bool contiguous) {
  const bool locked = mapper_->needs_locked_memory();
  // Without hugepages, or with hugepages that lie apart, ordinary pages may still happen to be consecutive.
  for (const bool huge : {true, false}) {
    if (huge && !(contiguous && locked)) continue;
    auto memory = kernel_->map(huge ? round_up(bytes, kChunkBytes) : bytes, locked, huge);
    if (!memory.ok() && huge) continue;
    if (!memory.ok()) return on_device(std::move(memory).error(), device_);
    auto chunk = HCQ_TRY(map_chunk(std::move(*memory)));
    if (!contiguous || find_run(*chunk, run, true) != kNone) return chunk;
    mapper_->unmap(chunk->pages);
  }
  return Error{.code = Errc::no_memory,
               .device = device_,
               .operation = "alloc_dma",
               .detail = fmt::format("no {} bytes at consecutive physical addresses", run * kDmaPage),
               .hint = fmt::format("reserve hugepages: sysctl -w vm.nr_hugepages={}",
                                   std::max<std::size_t>(8, 2 * (bytes / kChunkBytes)))};
}

std::size_t DmaPool::find_run(const Chunk& c, std::size_t count, bool contiguous) {
  if (c.free < count) return kNone;
  std::size_t run = 0;
  for (std::size_t i = 0; i < c.used.size(); ++i) {
    if (c.used[i]) run = 0;
    else if (run != 0 && contiguous && c.pages[i] != c.pages[i - 1] + kDmaPage) run = 1;
    else ++run;
    if (run == count) return i + 1 - count;
  }
  return kNone;
}

std::unique_ptr<DmaMemory> DmaPool::take(Chunk& c, std::size_t first, std::size_t count) {
  std::fill_n(c.used.begin() + static_cast<std::ptrdiff_t>(first), count, true);
  c.free -= count;
  return std::make_unique<Buffer>(shared_from_this(), c, first, count);
}

Result<std::unique_ptr<DmaMemory>> DmaPool::alloc(std::size_t bytes, DmaOptions options) {
  if (bytes == 0 || bytes > kLargestBytes)
    return Error{.code = Errc::invalid_argument,
                 .device = device_,
                 .operation = "alloc_dma",
                 .actual = bytes,
                 .detail = "size out of range"};
  if (::sysconf(_SC_PAGESIZE) != static_cast<long>(kDmaPage))
    return Error{.code = Errc::unsupported,
                 .device = device_,
                 .operation = "alloc_dma",
                 .expected = kDmaPage,
                 .actual = static_cast<std::uint64_t>(::sysconf(_SC_PAGESIZE)),
                 .detail = "only hosts with 4 KiB pages are supported"};
  const std::size_t count = round_up(bytes, kDmaPage) / kDmaPage;
  const bool pooled = bytes <= kPooledBytes;
  const std::lock_guard lock(mutex_);
  if (pooled) {
    for (const auto& c : chunks_) {
      const std::size_t first = find_run(*c, count, options.contiguous);
      if (first == kNone) continue;
      auto buffer = take(*c, first, count);
      std::memset(buffer->data(), 0, buffer->size());  // it may have been used before
      return buffer;
    }
  }
  auto chunk = HCQ_TRY(make_chunk(pooled ? kChunkBytes : count * kDmaPage, count, options.contiguous));
  Chunk& c = *chunk;
  chunks_.push_back(std::move(chunk));
  return take(c, find_run(c, count, options.contiguous), count);
}

void DmaPool::give_back(Chunk* chunk, std::size_t first, std::size_t count) {
  const std::lock_guard lock(mutex_);
  std::fill_n(chunk->used.begin() + static_cast<std::ptrdiff_t>(first), count, false);
  chunk->free += count;
  if (chunk->free != chunk->used.size()) return;
  // One empty chunk of the pooled size stays for the next small buffer.
  const bool keep =
      chunk->memory.size() == kChunkBytes && std::none_of(chunks_.begin(), chunks_.end(), [&](const auto& c) {
        return c.get() != chunk && c->memory.size() == kChunkBytes && c->free == c->used.size();
      });
  if (keep) return;
  const auto it = std::find_if(chunks_.begin(), chunks_.end(), [&](const auto& c) { return c.get() == chunk; });
  mapper_->unmap(chunk->pages);
  chunks_.erase(it);
}

std::size_t DmaPool::mapped_bytes() const {
  const std::lock_guard lock(mutex_);
  std::size_t n = 0;
  for (const auto& c : chunks_) n += c->memory.size();
  return n;
}

}  // namespace hcq::pci
