// SPDX-License-Identifier: MIT
#include "drivers/pci/binding.h"

#include <fmt/format.h>

#include "base/deadline.h"
#include "base/file.h"
#include "base/log.h"

namespace hcq::pci {

namespace {
// Binding and unbinding are done when the write returns; the link is looked at a little longer for drivers that probe
// asynchronously.
constexpr std::chrono::seconds kLinkLimit{2};
}  // namespace

DriverBinding::DriverBinding(DriverBinding&& o) noexcept
    : host_(std::move(o.host_)),
      bdf_(std::move(o.bdf_)),
      previous_(std::exchange(o.previous_, {})),
      previous_override_(std::exchange(o.previous_override_, {})),
      bound_vfio_(std::exchange(o.bound_vfio_, false)),
      overridden_(std::exchange(o.overridden_, false)) {}

DriverBinding::~DriverBinding() {
  if (Status s = restore(); !s) log::warn("{}", describe(s.error()));
}

Status DriverBinding::write(const std::string& path, const std::string& text) const {
  Status s = host_.write_attribute(path, text);
  if (!s) return on_device(std::move(s).error(), bdf_);
  return {};
}

Status DriverBinding::wait_for_driver(const std::string& wanted, const char* operation) const {
  const std::string link = host_.device_directory(bdf_) + "/driver";
  const Deadline deadline = Deadline::in(kLinkLimit);
  Backoff backoff;
  std::string now = link_name(link);
  while (now != wanted && !deadline.expired()) {
    backoff.pause();
    now = link_name(link);
  }
  if (now == wanted) return {};
  return Error{.code = Errc::busy,
               .device = bdf_,
               .operation = operation,
               .detail = now.empty() ? fmt::format("the kernel did not bind {}", wanted)
                                     : fmt::format("the function is still bound to {}", now),
               .hint = wanted == kVfioDriver ? "load the module: modprobe vfio-pci disable_idle_d3=1" : ""};
}

Status DriverBinding::unbind_current(bool allowed) {
  const std::string directory = host_.device_directory(bdf_);
  const std::string driver = link_name(directory + "/driver");
  if (driver.empty()) return {};
  if (!allowed)
    return Error{.code = Errc::refused,
                 .device = bdf_,
                 .operation = "open",
                 .detail = fmt::format("the kernel driver {} is bound to it", driver),
                 .hint = "pass --unbind to unbind it while hcq has the device, or unload the driver"};
  HCQ_TRY(write(directory + "/driver/unbind", bdf_));
  previous_ = driver;
  return wait_for_driver("", "unbind");
}

Result<DriverBinding> DriverBinding::detach(const Host& host, const std::string& bdf, bool unbind) {
  DriverBinding b(host, bdf);
  HCQ_TRY(b.unbind_current(unbind));
  return b;
}

Result<DriverBinding> DriverBinding::to_vfio(const Host& host, const std::string& bdf, bool unbind) {
  DriverBinding b(host, bdf);
  const std::string directory = host.device_directory(bdf);
  if (link_name(directory + "/driver") == kVfioDriver) return b;
  HCQ_TRY(b.unbind_current(unbind));
  const auto before = read_text(directory + "/driver_override");
  if (before.ok() && *before != "(null)") b.previous_override_ = *before;
  HCQ_TRY(b.write(directory + "/driver_override", kVfioDriver));
  b.overridden_ = true;
  HCQ_TRY(b.write(host.sysfs + "/bus/pci/drivers_probe", bdf));
  HCQ_TRY(b.wait_for_driver(kVfioDriver, "bind"));
  b.bound_vfio_ = true;
  return b;
}

Status DriverBinding::restore() {
  Status first;
  const auto attempt = [&](const std::string& path, const std::string& text) {
    if (Status s = write(path, text); !s && first) first = std::move(s);
  };
  const std::string directory = host_.device_directory(bdf_);
  const std::string drivers = host_.sysfs + "/bus/pci/drivers/";
  const std::string previous = std::exchange(previous_, {});
  if (std::exchange(bound_vfio_, false) && link_name(directory + "/driver") == kVfioDriver)
    attempt(directory + "/driver/unbind", bdf_);
  // An empty write leaves the override as it is; a newline clears it.
  if (std::exchange(overridden_, false))
    attempt(directory + "/driver_override", previous_override_.empty() ? "\n" : previous_override_);
  if (!previous.empty() && link_name(directory + "/driver").empty()) attempt(drivers + previous + "/bind", bdf_);
  return first;
}

}  // namespace hcq::pci
