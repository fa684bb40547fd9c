// SPDX-License-Identifier: MIT
// pci::Function: one PCI function, however it is reached (sysfs, VFIO, USB bridge, socket, software model). This is the
// only door between a driver and its device.
//
// Opening takes the device lock before anything is touched, so a Function belongs to one process. Methods are not
// thread-safe unless stated; Mmio accesses and Irq::wait are.
#pragma once

#include <array>
#include <cstdint>
#include <memory>
#include <span>
#include <string>
#include <vector>

#include "base/deadline.h"
#include "base/error.h"
#include "drivers/pci/mmio.h"

namespace hcq::pci {

// Config space offsets and bits of the standard header (PCI Local Bus Specification 3.0, section 6.1).
inline constexpr std::uint16_t kVendorId = 0x00, kDeviceId = 0x02, kCommand = 0x04, kStatus = 0x06, kRevision = 0x08,
                               kClassCode = 0x09, kHeaderType = 0x0e, kBar0 = 0x10, kSubsystemVendor = 0x2c,
                               kSubsystemId = 0x2e, kCapabilityPointer = 0x34;
inline constexpr std::uint16_t kCommandMemory = 1u << 1, kCommandBusMaster = 1u << 2;

struct Identity {
  std::uint16_t vendor = 0, device = 0, subsystem_vendor = 0, subsystem_device = 0;
  std::uint32_t class_code = 0;  // 24 bits: class, subclass, programming interface
  std::uint8_t revision = 0;
};

enum class Caching : std::uint8_t { uncached, write_combining };

// Host memory that the device can address. `pages` holds one bus address per 4 KiB page, in order; with an IOMMU they
// are IOVAs, without one physical addresses. The memory is zeroed, locked, and freed with the object; the owner makes
// sure that the device no longer uses it.
class DmaMemory {
 public:
  virtual ~DmaMemory() = default;
  std::byte* data() const { return data_; }
  std::size_t size() const { return size_; }
  std::span<const std::uint64_t> pages() const { return pages_; }

 protected:
  std::byte* data_ = nullptr;
  std::size_t size_ = 0;
  std::vector<std::uint64_t> pages_;
};

struct DmaOptions {
  bool contiguous = false;  // bus addresses must be consecutive (hugepages without an IOMMU); fails rather than not
};

// The function's interrupt. One vector (MSI, MSI-X vector 0 or a model's equivalent).
class Irq {
 public:
  virtual ~Irq() = default;
  // Waits until an interrupt has come since the last wait. true: one came; false: the deadline passed. Thread-safe.
  virtual Result<bool> wait(Deadline deadline) = 0;
  virtual int fd() const = 0;  // an eventfd to poll beside other descriptors; owned by the Irq
};

class Function {
 public:
  virtual ~Function() = default;

  // How the user named it: "0000:03:00.0", "model:navi31". Used as Error::device.
  virtual const std::string& name() const = 0;
  virtual const Identity& identity() const = 0;

  // Config space, 1, 2 or 4 bytes, naturally aligned. A write is flushed before the call returns.
  virtual Result<std::uint32_t> config_read(std::uint16_t offset, unsigned size) = 0;
  virtual Status config_write(std::uint16_t offset, unsigned size, std::uint32_t value) = 0;

  // Size in bytes of BAR `index` (0..5), 0 when it is not there.
  virtual std::uint64_t bar_size(unsigned index) const = 0;
  // Maps the whole BAR. May be called again; the views stay valid until the Function is closed or the BAR is resized.
  virtual Result<Mmio> map_bar(unsigned index, Caching caching) = 0;
  // Address of the BAR on the bus (for peers), 0 when unknown.
  virtual std::uint64_t bar_address(unsigned index) const = 0;

  // Makes BAR `index` as large as device and host allow (Resizable BAR capability). Must precede map_bar. Returns the
  // new size; a device or bridge that refuses keeps its size and is no error.
  virtual Result<std::uint64_t> resize_bar(unsigned index) = 0;

  virtual Result<std::unique_ptr<DmaMemory>> alloc_dma(std::size_t bytes, DmaOptions options) = 0;

  // Function level reset (or what the platform offers for one function). All device state is lost.
  virtual Status reset() = 0;

  // The interrupt, enabled on first call; nullptr where the transport has none (then everything polls).
  virtual Result<Irq*> irq() = 0;

  // Functions with the same group can address each other's BARs and share DMA memory.
  virtual std::uint64_t peer_group() const = 0;
};

// Sets or clears bus mastering (PCI_COMMAND bit 2) and reads it back. Setting it is refused once the process is ending
// (open_functions.h).
Status set_bus_master(Function& f, bool on);

// Offset of the capability with this id in the standard list, 0 when absent. The walk is bounded: a looping or
// out-of-range list from a broken device is Errc::corrupt.
Result<std::uint16_t> find_capability(Function& f, std::uint8_t id);
Result<std::uint16_t> find_extended_capability(Function& f, std::uint16_t id);

}  // namespace hcq::pci
