// SPDX-License-Identifier: MIT
// A signal of the CPU device.
#pragma once

#include <memory>

#include "drivers/cpu/core.h"

namespace hcq::cpu {

class CpuSignal final : public Signal {
 public:
  CpuSignal(std::shared_ptr<Core> core, std::uint64_t initial);
  ~CpuSignal() override;

  std::uint64_t value() const override { return cell_->value.load(std::memory_order_acquire); }
  void set(std::uint64_t value) override;
  std::uint64_t timestamp() const override { return cell_->timestamp.load(std::memory_order_acquire); }
  Status wait(std::uint64_t target, Clock::duration timeout) override;

  const Core* core() const { return core_.get(); }
  Cell* cell() const { return cell_.get(); }

 private:
  std::shared_ptr<Core> core_;
  std::shared_ptr<Cell> cell_;
};

}  // namespace hcq::cpu
