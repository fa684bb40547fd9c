// SPDX-License-Identifier: MIT
// BusMapper over a VFIO container: I/O virtual addresses of our own choice, or physical ones where there is no IOMMU.
#pragma once

#include <memory>
#include <string>

#include "drivers/pci/dma.h"
#include "drivers/pci/iova.h"
#include "drivers/pci/vfio_kernel.h"

namespace hcq::pci {

struct VfioDmaLimits {
  unsigned iova_bits = 44;                       // what a page table entry of the narrowest GPU we drive can hold
  std::uint64_t bytes_per_mapping = 1ull << 30;  // the kernel pins a mapping in one uninterruptible call
};

class VfioMapper final : public BusMapper {
 public:
  VfioMapper(Host host, std::string bdf, std::shared_ptr<VfioContainer> container, std::shared_ptr<MemoryKernel> memory,
             VfioDmaLimits limits);
  bool needs_locked_memory() const override { return physical_ != nullptr; }
  Result<std::vector<std::uint64_t>> map(std::byte* data, std::size_t bytes) override;
  void unmap(const std::vector<std::uint64_t>& pages) override;

 private:
  Status map_pieces(std::byte* data, std::size_t bytes, std::uint64_t iova);
  bool unmap_range(std::uint64_t iova, std::uint64_t bytes);
  Error map_failed(int err, std::size_t bytes);

  Host host_;
  std::string bdf_;
  std::shared_ptr<VfioContainer> container_;
  std::shared_ptr<MemoryKernel> memory_;
  VfioDmaLimits limits_;
  IovaAllocator space_;
  std::uint64_t mappings_ = 0;
  std::unique_ptr<PhysicalMapper> physical_;  // set in no-IOMMU mode
};

}  // namespace hcq::pci
