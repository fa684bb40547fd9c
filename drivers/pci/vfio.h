// SPDX-License-Identifier: MIT
// pci::Function over VFIO: behind an IOMMU (type1v2) the device reaches only what was mapped for it; in no-IOMMU mode,
// where the kernel has it, it uses physical addresses. Has interrupts in both.
//
// VFIO maps BARs uncached; write_combining is granted as uncached. A BAR keeps its size: the kernel resizes only
// functions without a driver, so a resize has to be done through sysfs before.
// A BAR of a device that is unplugged while mapped raises SIGBUS on the next access; that is not handled here.
#pragma once

#include <array>
#include <memory>
#include <optional>
#include <string>

#include "drivers/pci/binding.h"
#include "drivers/pci/claim.h"
#include "drivers/pci/event_irq.h"
#include "drivers/pci/function.h"
#include "drivers/pci/open_functions.h"
#include "drivers/pci/vfio_dma.h"
#include "drivers/pci/vfio_kernel.h"

namespace hcq::pci {

struct VfioOptions {
  bool unbind_driver = false;  // unbind a bound kernel driver while open; it is bound again on close
  VfioDmaLimits dma;
};

class VfioFunction final : public Function {
 public:
  // `bdf` in the form parse_bdf() returns. nullptr stands for the system's kernel and memory.
  static Result<std::unique_ptr<VfioFunction>> open(const Host& host, const std::string& bdf, VfioOptions options,
                                                    std::shared_ptr<VfioKernel> kernel = nullptr,
                                                    std::shared_ptr<MemoryKernel> memory = nullptr);
  ~VfioFunction() override;
  // Ends bus mastering, unmaps the BARs, closes the device, binds the previous driver again and unlocks. DMA memory
  // that still exists keeps the group open, and the previous driver then cannot be bound.
  Status close();

  const std::string& name() const override { return info_.bdf; }
  const Identity& identity() const override { return info_.identity; }
  Result<std::uint32_t> config_read(std::uint16_t offset, unsigned size) override;
  Status config_write(std::uint16_t offset, unsigned size, std::uint32_t value) override;
  std::uint64_t bar_size(unsigned index) const override;
  Result<Mmio> map_bar(unsigned index, Caching caching) override;
  // Behind an IOMMU a peer cannot use the address, so it is 0.
  std::uint64_t bar_address(unsigned index) const override;
  Result<std::uint64_t> resize_bar(unsigned index) override;
  Result<std::unique_ptr<DmaMemory>> alloc_dma(std::size_t bytes, DmaOptions options) override;
  Status reset() override;
  Result<Irq*> irq() override;
  std::uint64_t peer_group() const override { return peers_; }

 private:
  struct Region {
    std::uint64_t offset = 0, size = 0;  // inside the device file
    bool mappable = false;
  };
  class RegionMmio;

  VfioFunction(const Host& host, Claim claim, DriverBinding binding, std::shared_ptr<VfioKernel> kernel);
  Status open_device();
  Result<Region> query_region(unsigned index);
  Status enable_memory();
  void announce();
  Error failed(int err, const char* operation, const std::string& subject) const;
  Result<std::uint32_t> read_config_bytes(std::uint16_t offset, unsigned size) const;
  Status write_config_bytes(std::uint16_t offset, unsigned size, std::uint32_t value) const;
  Status check_present();
  Result<unsigned> pick_irq_index();

  Host host_;
  FunctionInfo info_;
  std::shared_ptr<VfioKernel> kernel_;
  std::uint64_t peers_ = kPhysicalPeers;
  bool can_reset_ = false, lost_ = false, said_resize_ = false;
  Region config_;
  std::array<Region, 6> regions_;
  // Members below are destroyed in reverse order: the lock goes last.
  std::unique_ptr<DeviceLock> lock_;
  std::unique_ptr<DriverBinding> binding_;
  std::shared_ptr<VfioContainer> container_;
  std::shared_ptr<DmaPool> pool_;
  Fd device_;
  std::optional<OpenFunction> open_;
  std::unique_ptr<EventIrq> irq_;
  std::array<Mapping, 6> mapped_;
  std::array<std::unique_ptr<RegionMmio>, 6> unmapped_;  // BARs that the kernel does not let us map
};

}  // namespace hcq::pci
