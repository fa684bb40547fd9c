// SPDX-License-Identifier: MIT
#include "models/am/chip.h"

#include <fmt/format.h>

namespace hcq::models::am {

std::byte* Chip::dma(std::string_view client, std::uint64_t bus, std::size_t size, bool write) {
  HostPort* port = host.load(std::memory_order_acquire);
  if (!port || lost.load(std::memory_order_relaxed)) return nullptr;
  if (!bus_master.load(std::memory_order_acquire)) {
    report("pci", "pci.bus_master_off", fmt::format("{} at bus {:#x}", client, bus), size,
           "the device was made to access host memory while bus mastering is off", "PCI 3.0, 6.2.2, command bit 2");
    return nullptr;
  }
  std::byte* p = port->translate(bus, size, write);
  if (!p)
    report("pci", "pci.dma_unmapped", fmt::format("{} at bus {:#x}", client, bus), size,
           "the device was made to access a bus address that is not (or no longer) handed out to it", "IOMMU");
  return p;
}

void Chip::raise_msi() {
  HostPort* port = host.load(std::memory_order_acquire);
  if (!port || lost.load(std::memory_order_relaxed) || !msi_enabled.load(std::memory_order_acquire)) return;
  if (!bus_master.load(std::memory_order_acquire)) {
    report("pci", "pci.bus_master_off", "MSI", 0, "an interrupt message is a bus write and bus mastering is off",
           "PCI 3.0, 6.8");
    return;
  }
  if (!fault("ih/lost_interrupt")) port->interrupt(0);
}

std::optional<LoadedFirmware> Chip::firmware(std::uint32_t psp_type) const {
  const std::lock_guard lock(firmware_mutex_);
  const auto it = firmware_.find(psp_type);
  if (it == firmware_.end()) return std::nullopt;
  return it->second;
}

void Chip::set_firmware(std::uint32_t psp_type, LoadedFirmware f) {
  const std::lock_guard lock(firmware_mutex_);
  firmware_[psp_type] = f;
}

void Chip::forget_firmware() {
  const std::lock_guard lock(firmware_mutex_);
  firmware_.clear();
}

}  // namespace hcq::models::am
