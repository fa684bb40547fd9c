// SPDX-License-Identifier: MIT
#include "drivers/pci/vfio_dma.h"

#include <fmt/format.h>
#include <linux/vfio.h>

#include <algorithm>
#include <cerrno>

#include "base/log.h"

namespace hcq::pci {

namespace {
constexpr std::uint64_t kHugePage = 2u << 20;
}

VfioMapper::VfioMapper(Host host, std::string bdf, std::shared_ptr<VfioContainer> container,
                       std::shared_ptr<MemoryKernel> memory, VfioDmaLimits limits)
    : host_(std::move(host)),
      bdf_(std::move(bdf)),
      container_(std::move(container)),
      memory_(std::move(memory)),
      limits_(limits),
      space_(container_->ranges, limits.iova_bits) {
  if (container_->noiommu) physical_ = std::make_unique<PhysicalMapper>(host_, bdf_, memory_);
}

Error VfioMapper::map_failed(int err, std::size_t bytes) {
  if (err == ENOMEM) return memlock_error(bdf_, bytes, *memory_);
  if (err == ENOSPC)
    return Error{.code = Errc::no_memory,
                 .device = bdf_,
                 .operation = "alloc_dma",
                 .subject = "VFIO_IOMMU_MAP_DMA",
                 .detail = fmt::format("the kernel's table of DMA mappings is full: {} are in use here", mappings_),
                 .hint = "raise the dma_entry_limit parameter of the module vfio_iommu_type1"};
  return on_device(errno_error(err, "alloc_dma", "VFIO_IOMMU_MAP_DMA"), bdf_);
}

// On failure the pieces before are unmapped again.
Status VfioMapper::map_pieces(std::byte* data, std::size_t bytes, std::uint64_t iova) {
  for (std::uint64_t done = 0; done < bytes;) {
    vfio_iommu_type1_dma_map m{};
    m.argsz = sizeof m;
    m.flags = VFIO_DMA_MAP_FLAG_READ | VFIO_DMA_MAP_FLAG_WRITE;
    m.vaddr = reinterpret_cast<std::uintptr_t>(data) + done;
    m.iova = iova + done;
    m.size = std::min<std::uint64_t>(limits_.bytes_per_mapping, bytes - done);
    if (const int r = container_->kernel->control(container_->container, VFIO_IOMMU_MAP_DMA, &m); r < 0) {
      Error e = map_failed(-r, bytes);
      if (r == -ENOTTY) e.code = Errc::unsupported;
      if (done) unmap_range(iova, done);
      return e;
    }
    ++mappings_;
    done += m.size;
  }
  return {};
}

bool VfioMapper::unmap_range(std::uint64_t iova, std::uint64_t bytes) {
  vfio_iommu_type1_dma_unmap u{};
  u.argsz = sizeof u;
  u.iova = iova;
  u.size = bytes;
  const int r = container_->kernel->control(container_->container, VFIO_IOMMU_UNMAP_DMA, &u);
  if (r < 0 || u.size != bytes) {
    log::error("{}: unmapping {:#x} bytes at I/O address {:#x} failed: {} bytes unmapped, error {}", bdf_, bytes, iova,
               r < 0 ? 0 : u.size, r < 0 ? -r : 0);
    return false;
  }
  mappings_ -= (bytes + limits_.bytes_per_mapping - 1) / limits_.bytes_per_mapping;
  return true;
}

Result<std::vector<std::uint64_t>> VfioMapper::map(std::byte* data, std::size_t bytes) {
  if (physical_) return physical_->map(data, bytes);
  const auto iova = space_.take(bytes, bytes >= kHugePage ? kHugePage : kDmaPage);
  if (!iova)
    return Error{.code = Errc::no_memory,
                 .device = bdf_,
                 .operation = "alloc_dma",
                 .detail = fmt::format("no {} free I/O addresses, {} left in pieces", bytes, space_.free_bytes())};
  if (Status s = map_pieces(data, bytes, *iova); !s) {
    space_.give(*iova, bytes);
    if (s.error().code != Errc::unsupported) return std::move(s).error();
    // The container has no map call: it is a no-IOMMU one after all.
    log::info("{}: the kernel maps nothing for this group; using physical addresses", bdf_);
    physical_ = std::make_unique<PhysicalMapper>(host_, bdf_, memory_);
    HCQ_TRY(memory_->lock(data, bytes));
    return physical_->map(data, bytes);
  }
  std::vector<std::uint64_t> pages(bytes / kDmaPage);
  for (std::size_t i = 0; i < pages.size(); ++i) pages[i] = *iova + i * kDmaPage;
  return pages;
}

void VfioMapper::unmap(const std::vector<std::uint64_t>& pages) {
  if (physical_ || pages.empty()) return;
  const std::uint64_t bytes = pages.size() * kDmaPage;
  // Addresses that could not be unmapped are not used again.
  if (unmap_range(pages[0], bytes)) space_.give(pages[0], bytes);
}

}  // namespace hcq::pci
