// SPDX-License-Identifier: MIT
// What every transport of this machine does first with a function: lock it, then look whether it may be touched.
#pragma once

#include <string>

#include "drivers/pci/host.h"
#include "drivers/pci/lock.h"
#include "drivers/pci/scan.h"

namespace hcq::pci {

struct Claim {
  DeviceLock lock;
  FunctionInfo info;
};

// Locks, then checks the power state (D3cold: nothing on the function answers) and that no boot framebuffer is inside a
// BAR. Reads attributes only; the function itself has not been touched when this returns.
Result<Claim> claim(const Host& host, const std::string& bdf);

// Errc::device_lost with the remedies when the function is without power.
Status check_power(const std::string& bdf, const std::string& power_state);

inline constexpr const char* kPowerHint =
    "load vfio-pci with disable_idle_d3=1, or write 0 to its d3cold_allowed and on to its power/control and rescan";
inline constexpr const char* kResizableBarHint =
    "enable Above 4G Decoding and Resizable BAR in the firmware setup for the whole memory";

// peer_group() of functions that address host memory physically: they all see the same addresses.
inline constexpr std::uint64_t kPhysicalPeers = 1;

// All ones read from config space, or the kernel no longer knowing the function.
Error device_gone(const std::string& bdf, std::string operation, std::string subject);

// Errc::invalid_argument unless it is a naturally aligned access of 1, 2 or 4 bytes inside the 4 KiB config space.
Status check_config_access(const std::string& bdf, std::uint16_t offset, unsigned size);

constexpr std::uint32_t all_ones(unsigned size) { return size == 4 ? ~0u : (1u << (size * 8)) - 1u; }

}  // namespace hcq::pci
