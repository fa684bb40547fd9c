// SPDX-License-Identifier: MIT
// Opens a PCI function of this machine by its address, choosing the transport.
#pragma once

#include <memory>
#include <string_view>

#include "drivers/pci/function.h"
#include "drivers/pci/host.h"

namespace hcq::pci {

enum class Via : std::uint8_t {
  automatic,  // VFIO when the function is on vfio-pci or behind an IOMMU that translates, else sysfs
  sysfs,
  vfio,
};

struct OpenOptions {
  Via via = Via::automatic;
  bool unbind_driver = false;  // unbind a bound kernel driver while open; it is bound again on close
};

// `address` as parse_bdf() takes it. Errors are those of SysfsFunction::open and VfioFunction::open.
Result<std::unique_ptr<Function>> open_function(const Host& host, std::string_view address, OpenOptions options);

// What Via::automatic stands for with this function.
Via choose_via(const Host& host, const std::string& bdf);

}  // namespace hcq::pci
