// SPDX-License-Identifier: MIT
// Host memory for devices. A DmaPool gets memory from the operating system in large pieces, has a BusMapper make each
// piece addressable for the device, and hands out small buffers from them: mappings and locked areas are a limited
// resource of the kernel (65535 per VFIO container), buffers are not.
#pragma once

#include <cstddef>
#include <cstdint>
#include <memory>
#include <mutex>
#include <string>
#include <vector>

#include "base/file.h"
#include "drivers/pci/function.h"
#include "drivers/pci/host.h"

namespace hcq::pci {

inline constexpr std::size_t kDmaPage = 4096;

// What the pool needs from the operating system. Unit tests put their own in its place.
class MemoryKernel {
 public:
  virtual ~MemoryKernel() = default;
  // Anonymous zeroed memory, present in RAM. `locked`: it stays there. `huge`: from 2 MiB pages.
  virtual Result<Mapping> map(std::size_t bytes, bool locked, bool huge) = 0;
  virtual Status lock(std::byte* data, std::size_t bytes) = 0;
  // Raw pagemap entries of consecutive pages (Documentation/admin-guide/mm/pagemap.rst of the Linux kernel).
  virtual Result<std::vector<std::uint64_t>> pagemap(const std::byte* data, std::size_t pages) = 0;
  virtual std::uint64_t memlock_limit() = 0;  // RLIMIT_MEMLOCK in bytes, all ones when unlimited
  virtual std::uint64_t locked_bytes() = 0;   // what this process has locked or pinned already
};

std::shared_ptr<MemoryKernel> system_memory(const Host& host);

// Errc::no_memory with bytes wanted, bytes locked already, the limit, and how to raise it.
Error memlock_error(const std::string& device, std::size_t wanted, MemoryKernel& kernel);

// Makes memory addressable for a device.
class BusMapper {
 public:
  virtual ~BusMapper() = default;
  virtual bool needs_locked_memory() const = 0;  // false: mapping pins it
  // One bus address per page. On failure nothing stays mapped.
  virtual Result<std::vector<std::uint64_t>> map(std::byte* data, std::size_t bytes) = 0;
  virtual void unmap(const std::vector<std::uint64_t>& pages) = 0;
};

// Bus address = physical address, for devices without an IOMMU in front of them. Refuses rather than hand out an
// address that may be wrong: page not present, frame number hidden (reads as zero without CAP_SYS_ADMIN), a kernel that
// moves locked pages, an IOMMU that translates.
class PhysicalMapper final : public BusMapper {
 public:
  PhysicalMapper(Host host, std::string bdf, std::shared_ptr<MemoryKernel> kernel)
      : host_(std::move(host)), bdf_(std::move(bdf)), kernel_(std::move(kernel)) {}
  bool needs_locked_memory() const override { return true; }
  Result<std::vector<std::uint64_t>> map(std::byte* data, std::size_t bytes) override;
  void unmap(const std::vector<std::uint64_t>&) override {}

 private:
  Host host_;
  std::string bdf_;
  std::shared_ptr<MemoryKernel> kernel_;
};

// Thread-safe. Memory handed out keeps the pool alive, so it may be freed after its Function was closed.
class DmaPool : public std::enable_shared_from_this<DmaPool> {
 public:
  static std::shared_ptr<DmaPool> create(std::string device, std::shared_ptr<MemoryKernel> kernel,
                                         std::unique_ptr<BusMapper> mapper);
  ~DmaPool();
  DmaPool(const DmaPool&) = delete;
  DmaPool& operator=(const DmaPool&) = delete;

  Result<std::unique_ptr<DmaMemory>> alloc(std::size_t bytes, DmaOptions options);
  std::size_t mapped_bytes() const;  // asked from the operating system and still mapped

 private:
  // A mapped piece of memory and which of its pages are in use.
  struct Chunk {
    Mapping memory;
    std::vector<std::uint64_t> pages;
    std::vector<bool> used;
    std::size_t free = 0;
  };
  class Buffer;

  DmaPool(std::string device, std::shared_ptr<MemoryKernel> kernel, std::unique_ptr<BusMapper> mapper)
      : device_(std::move(device)), kernel_(std::move(kernel)), mapper_(std::move(mapper)) {}
  Result<std::unique_ptr<Chunk>> make_chunk(std::size_t bytes, std::size_t run, bool contiguous);
  Result<std::unique_ptr<Chunk>> map_chunk(Mapping memory);
  static std::size_t find_run(const Chunk& chunk, std::size_t count, bool contiguous);
  std::unique_ptr<DmaMemory> take(Chunk& chunk, std::size_t first, std::size_t count);
  void give_back(Chunk* chunk, std::size_t first, std::size_t count);

  mutable std::mutex mutex_;
  std::string device_;
  std::shared_ptr<MemoryKernel> kernel_;
  std::unique_ptr<BusMapper> mapper_;
  std::vector<std::unique_ptr<Chunk>> chunks_;
};

}  // namespace hcq::pci
