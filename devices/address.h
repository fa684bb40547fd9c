// SPDX-License-Identifier: MIT
// Device addresses: the one string with which every tool names a device.
//
//   cpu                                    the CPU
//   am:0  nv:1  bnxt:0  mlx5:0             n-th device of that family on this machine
//   pci:0000:03:00.0[?via=sysfs|vfio]      that PCI function
//   model:navi31[?vram=512M&seed=7...]     a software device inside this process
//   model:asm24+navi31[?...]               the same behind a modelled USB bridge: a PCI function, no GPU driver yet
//   model:unix:PATH                        one that another process keeps (hcq-model serve)
//   usb:N  remote:...  kfd:N  nvrm:N       recognised; opening them says what is missing
#pragma once

#include <cstdint>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "base/error.h"

namespace hcq::devices {

enum class Scheme : std::uint8_t { cpu, family, pci, model, usb, remote, kernel_driver };

struct Address {
  std::string text{};  // as the user wrote it
  Scheme scheme = Scheme::cpu;
  std::string name{};  // family ("am"), PCI address ("0000:03:00.0"), model ("navi31"), remote endpoint
  unsigned index = 0;  // of family, usb and kernel_driver addresses
  std::vector<std::pair<std::string, std::string>> options{};  // after '?', in order
};

// Errc::invalid_argument with the list of forms when the text is none of them.
Result<Address> parse_address(std::string_view text);

// "512M" -> bytes; suffixes K, M, G (powers of 1024).
Result<std::uint64_t> parse_size(std::string_view text);

}  // namespace hcq::devices
