// SPDX-License-Identifier: MIT
#include "drivers/am/link.h"

namespace hcq::am {

Status Link::confirm(std::string_view subject) {
  HCQ_TRY(alive());
  const auto vendor = function_.config_read(pci::kVendorId, 2);
  if (vendor.ok() && *vendor != 0xffff) return {};
  const std::scoped_lock lock(mutex_);
  if (!lost_.load(std::memory_order_relaxed)) {
    first_ = error(Errc::device_lost, std::string(subject),
                   vendor.ok() ? "the device answers all ones, its config space too"
                               : "the device answers all ones and its config space cannot be read");
    first_.actual = 0xffffffffu;
    first_.hint = "check power and the PCIe link; power-cycle the device if it does not come back";
    lost_.store(true, std::memory_order_release);
  }
  return first_;
}

Error Link::lost_error() const {
  const std::scoped_lock lock(mutex_);
  return first_;
}

Error Link::error(Errc code, std::string subject, std::string detail) const {
  return Error{.code = code,
               .device = name(),
               .operation = operation(),
               .subject = std::move(subject),
               .detail = std::move(detail)};
}

}  // namespace hcq::am
