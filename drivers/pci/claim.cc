// SPDX-License-Identifier: MIT
#include "drivers/pci/claim.h"

#include <fmt/format.h>

#include "base/file.h"
#include "drivers/pci/iomem.h"

namespace hcq::pci {

Status check_power(const std::string& bdf, const std::string& power_state) {
  if (power_state != "D3cold") return {};
  return Error{.code = Errc::device_lost,
               .device = bdf,
               .operation = "open",
               .subject = "power_state",
               .detail = "the function is in D3cold: it has no power and answers nothing",
               .hint = kPowerHint};
}

Error device_gone(const std::string& bdf, std::string operation, std::string subject) {
  return Error{.code = Errc::device_lost,
               .device = bdf,
               .operation = std::move(operation),
               .subject = std::move(subject),
               .detail = "the device has left the bus",
               .hint = "power-cycle the device or check its link"};
}

Status check_config_access(const std::string& bdf, std::uint16_t offset, unsigned size) {
  if ((size == 1 || size == 2 || size == 4) && offset % size == 0 && offset + size <= 0x1000) return {};
  return Error{.code = Errc::invalid_argument,
               .device = bdf,
               .operation = "config",
               .address = offset,
               .detail = fmt::format("{}-byte access", size)};
}

Result<Claim> claim(const Host& host, const std::string& bdf) {
  // Before the lock only so that a mistyped address leaves no lock file behind.
  if (!path_exists(host.device_directory(bdf)))
    return Error{.code = Errc::not_found,
                 .device = bdf,
                 .operation = "open",
                 .detail = "there is no such PCI function",
                 .hint = "list the functions of this machine with hcq-smi list"};
  DeviceLock lock = HCQ_TRY(DeviceLock::acquire(host, bdf));
  FunctionInfo info = HCQ_TRY(inspect(host, bdf));
  HCQ_TRY(check_power(bdf, info.power_state));
  HCQ_TRY(check_framebuffer(host, bdf, info.bars));
  return Claim{.lock = std::move(lock), .info = std::move(info)};
}

}  // namespace hcq::pci
