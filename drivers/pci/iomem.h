// SPDX-License-Identifier: MIT
// Who uses a range of bus addresses according to /proc/iomem.
#pragma once

#include <cstdint>
#include <string>

#include "drivers/pci/host.h"
#include "drivers/pci/scan.h"

namespace hcq::pci {

struct FramebufferUse {
  std::string owner;    // "BOOTFB", "simple-framebuffer.0", ...; empty when no boot framebuffer is inside the range
  unsigned bar = 0;     // the BAR it sits in
  bool hidden = false;  // the kernel shows no addresses to this user (all zeros), so nothing can be said
};

// Looks for a boot framebuffer (efifb, vesafb, simplefb, simpledrm) inside one of the BARs. While one is there the
// console keeps drawing into the device's memory.
FramebufferUse find_framebuffer(const Host& host, const BarTable& bars);

// Errc::refused, naming the owner, when there is one.
Status check_framebuffer(const Host& host, const std::string& bdf, const BarTable& bars);

inline constexpr const char* kFramebufferHint =
    "boot with video=efifb:off initcall_blacklist=sysfb_init, or give the console another GPU";

}  // namespace hcq::pci
