// SPDX-License-Identifier: MIT
#include "drivers/am/link.h"

namespace hcq::am {

Status Link::confirm(std::string_view subject) {
  HCQ_TRY(alive());
  const auto vendor = function_.config_read(pci::kVendorId, 2);
  if (!vendor.ok() || *vendor == 0xffff)
    return lose(subject,
                vendor.ok() ? "the device answers all ones, its config space too"
                            : "the device answers all ones and its config space cannot be read",
                "check power and the PCIe link; power-cycle the device if it does not come back", 0xffffffffu);
  if (was_reset_ && was_reset_())
    return lose(subject, "the device was reset by somebody else while it was in use, its firmware is gone",
                "open it again", {});
  return {};
}

Error Link::lose(std::string_view subject, const char* detail, const char* hint, std::optional<std::uint64_t> actual) {
  const std::scoped_lock lock(mutex_);
  if (!lost_.load(std::memory_order_relaxed)) {
    first_ = error(Errc::device_lost, std::string(subject), detail);
    first_.actual = actual;
    first_.hint = hint;
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
