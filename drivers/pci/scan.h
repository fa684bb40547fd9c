// SPDX-License-Identifier: MIT
// What sysfs says about the PCI functions of this machine. Looking takes no lock, opens no device, reads no config
// space and so wakes nothing that sleeps.
#pragma once

#include <array>
#include <cstdint>
#include <optional>
#include <span>
#include <string>
#include <vector>

#include "drivers/pci/function.h"
#include "drivers/pci/host.h"
#include "drivers/pci/lock.h"

namespace hcq::pci {

// One line of sysfs `resource`. Flags are those of the kernel's include/linux/ioport.h.
struct BarInfo {
  std::uint64_t start = 0, end = 0, flags = 0;
  std::uint64_t size() const { return flags != 0 && end >= start && end != 0 ? end - start + 1 : 0; }
  bool is_memory() const { return (flags & 0x200) != 0; }
  bool is_prefetchable() const { return (flags & 0x2000) != 0; }
  bool is_64bit() const { return (flags & 0x100000) != 0; }
};
using BarTable = std::array<BarInfo, 6>;

struct LinkInfo {
  std::string speed, max_speed;       // as the kernel words it: "16.0 GT/s PCIe"; empty when not known
  unsigned width = 0, max_width = 0;  // lanes, 0 when not known
};

struct FunctionInfo {
  std::string bdf;
  Identity identity;
  std::string driver;                   // bound kernel driver, empty when none
  std::optional<unsigned> iommu_group;  // absent without an IOMMU
  std::string power_state;              // "D0", "D3hot", "D3cold", "unknown"; empty when the kernel does not say
  BarTable bars;
  LinkInfo link;
  bool boot_display = false;         // the firmware put the console on this function
  std::string physical_function;     // of an SR-IOV virtual function: the one it belongs to; else empty
  unsigned virtual_functions = 0;    // SR-IOV virtual functions that are switched on here
  std::optional<LockHolder> holder;  // the process that drives it through hcq
};

// Every part that is set must match. `class_code` is compared under `class_mask` (0xff0000: the base class).
struct Filter {
  std::optional<std::uint16_t> vendor{}, device{};
  std::optional<std::uint32_t> class_code{};
  std::uint32_t class_mask = 0xffffff;
  bool matches(const Identity& id) const;
};

struct ScanResult {
  std::vector<FunctionInfo> functions;  // ordered by address
  std::vector<Error> problems;          // functions that were there but could not be read; they hide no others
};

// Functions that match one of the filters; all of them when there is none.
Result<ScanResult> scan(const Host& host, std::span<const Filter> filters);

// One function, by an address in the form parse_bdf() returns; `holder` is left empty (it costs a walk over /proc).
Result<FunctionInfo> inspect(const Host& host, const std::string& bdf);

Result<Identity> read_identity(const Host& host, const std::string& bdf);
Result<BarTable> read_bars(const Host& host, const std::string& bdf);

}  // namespace hcq::pci
