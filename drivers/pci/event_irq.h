// SPDX-License-Identifier: MIT
// Irq on an eventfd: something (the kernel's VFIO, a model) adds to its counter for each interrupt.
#pragma once

#include "base/file.h"
#include "drivers/pci/function.h"

namespace hcq::pci {

class EventIrq final : public Irq {
 public:
  static Result<std::unique_ptr<EventIrq>> create();
  Result<bool> wait(Deadline deadline) override;
  int fd() const override { return fd_.get(); }

 private:
  explicit EventIrq(Fd fd) : fd_(std::move(fd)) {}
  Fd fd_;
};

}  // namespace hcq::pci
