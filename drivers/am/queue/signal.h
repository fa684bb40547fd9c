// SPDX-License-Identifier: MIT
// A signal in the device's slab. Device-side waits compare the low 32 bits of the value, so queues refuse larger
// values; the host may use all 64.
#pragma once

#include <memory>

#include "drivers/am/queue/core.h"
#include "hcq/device.h"

namespace hcq::am {

class AmSignal final : public Signal {
 public:
  AmSignal(std::shared_ptr<Core> core, SignalSlab::Slot slot) : core_(std::move(core)), slot_(slot) {}
  ~AmSignal() override;

  std::uint64_t value() const override { return load_acquire64(slot_.host); }
  void set(std::uint64_t value) override {
    __atomic_store_n(reinterpret_cast<std::uint64_t*>(slot_.host), value, __ATOMIC_RELEASE);
  }
  std::uint64_t timestamp() const override { return load_acquire64(slot_.host + kTimestamp); }
  Status wait(std::uint64_t target, Clock::duration timeout) override;

  static constexpr std::uint64_t kTimestamp = 8;
  std::uint64_t address() const { return slot_.address; }
  const Core* core() const { return core_.get(); }

 private:
  std::shared_ptr<Core> core_;
  SignalSlab::Slot slot_;
};

}  // namespace hcq::am
