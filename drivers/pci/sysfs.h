// SPDX-License-Identifier: MIT
// pci::Function over sysfs: for devices without an IOMMU in front of them. Needs root, or access to the function's
// attributes plus CAP_SYS_ADMIN for physical addresses. Has no interrupt.
//
// A BAR of a device that is unplugged while mapped raises SIGBUS on the next access; that is not handled here.
#pragma once

#include <array>
#include <memory>
#include <optional>
#include <string>

#include "base/file.h"
#include "drivers/pci/binding.h"
#include "drivers/pci/claim.h"
#include "drivers/pci/dma.h"
#include "drivers/pci/function.h"
#include "drivers/pci/open_functions.h"

namespace hcq::pci {

struct SysfsOptions {
  bool unbind_driver = false;  // unbind a bound kernel driver while open; it is bound again on close
};

class SysfsFunction final : public Function {
 public:
  // `bdf` in the form parse_bdf() returns. `memory`: nullptr for the system's.
  static Result<std::unique_ptr<SysfsFunction>> open(const Host& host, const std::string& bdf, SysfsOptions options,
                                                     std::shared_ptr<MemoryKernel> memory = nullptr);
  ~SysfsFunction() override;
  // Ends bus mastering, unmaps the BARs, disables the function if open() enabled it, binds the previous driver again
  // and unlocks. Every step is tried; the first error is returned. Called by the destructor, which logs the error.
  Status close();

  const std::string& name() const override { return info_.bdf; }
  const Identity& identity() const override { return info_.identity; }
  Result<std::uint32_t> config_read(std::uint16_t offset, unsigned size) override;
  Status config_write(std::uint16_t offset, unsigned size, std::uint32_t value) override;
  std::uint64_t bar_size(unsigned index) const override;
  Result<Mmio> map_bar(unsigned index, Caching caching) override;
  std::uint64_t bar_address(unsigned index) const override;
  Result<std::uint64_t> resize_bar(unsigned index) override;
  Result<std::unique_ptr<DmaMemory>> alloc_dma(std::size_t bytes, DmaOptions options) override;
  Status reset() override;
  Result<Irq*> irq() override { return nullptr; }
  std::uint64_t peer_group() const override { return kPhysicalPeers; }

 private:
  SysfsFunction(const Host& host, Claim claim, DriverBinding binding, std::shared_ptr<MemoryKernel> memory);
  Status enable();
  void announce();
  Status write(const std::string& attribute, const std::string& text);
  Result<std::uint32_t> read_config_bytes(std::uint16_t offset, unsigned size) const;
  Status write_config_bytes(std::uint16_t offset, unsigned size, std::uint32_t value) const;
  Error config_failed(const char* operation, std::uint16_t offset, long transferred, int err) const;
  std::string path(const std::string& attribute) const { return directory_ + "/" + attribute; }

  Host host_;
  std::string directory_;
  FunctionInfo info_;
  // Members below are destroyed in reverse order: the lock goes last.
  std::unique_ptr<DeviceLock> lock_;
  std::unique_ptr<DriverBinding> binding_;
  std::shared_ptr<DmaPool> pool_;
  Fd config_;
  std::optional<OpenFunction> open_;
  bool enabled_here_ = false;
  bool lost_ = false;  // seen to have left the bus
  bool said_resize_ = false;
  std::array<std::array<Mapping, 2>, 6> mapped_;  // [BAR][Caching]
};

}  // namespace hcq::pci
