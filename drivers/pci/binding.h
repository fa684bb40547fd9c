// SPDX-License-Identifier: MIT
// Which kernel driver a function is bound to, and changing that for as long as hcq drives it.
#pragma once

#include <string>
#include <utility>

#include "base/error.h"
#include "drivers/pci/host.h"

namespace hcq::pci {

// Remembers what was changed and puts it back in restore() or when destroyed.
class DriverBinding {
 public:
  // Leaves the function without a kernel driver. A bound one is unbound only when `unbind` is true; otherwise the
  // result is Errc::refused, naming the driver.
  static Result<DriverBinding> detach(const Host& host, const std::string& bdf, bool unbind);

  // Binds the function to vfio-pci; same rule for a driver that is bound already.
  static Result<DriverBinding> to_vfio(const Host& host, const std::string& bdf, bool unbind);

  DriverBinding(DriverBinding&& other) noexcept;
  DriverBinding& operator=(DriverBinding&&) = delete;
  ~DriverBinding();

  // Puts the previous driver and the previous driver_override back. Tries everything; the first error is returned.
  Status restore();
  const std::string& previous_driver() const { return previous_; }

 private:
  DriverBinding(Host host, std::string bdf) : host_(std::move(host)), bdf_(std::move(bdf)) {}
  Status unbind_current(bool allowed);
  Status write(const std::string& path, const std::string& text) const;
  Status wait_for_driver(const std::string& wanted, const char* operation) const;

  Host host_;
  std::string bdf_;
  std::string previous_;           // driver that was unbound; empty: none
  std::string previous_override_;  // content of driver_override before
  bool bound_vfio_ = false, overridden_ = false;
};

inline constexpr const char* kVfioDriver = "vfio-pci";

}  // namespace hcq::pci
