// SPDX-License-Identifier: MIT
// Memory that users hold. Dropping it hands the storage to the Core's retire list.
#pragma once

#include <memory>

#include "drivers/am/queue/core.h"
#include "hcq/device.h"

namespace hcq::am {

class AmBuffer final : public Buffer {
 public:
  AmBuffer(std::shared_ptr<Core> core, std::shared_ptr<GpuMemory> memory, std::uint64_t bytes, MemoryKind kind)
      : core_(std::move(core)), memory_(std::move(memory)) {
    address_ = memory_->address();
    size_ = bytes;
    kind_ = kind;
    host_ = memory_->host();
  }
  ~AmBuffer() override { core_->retire(std::move(memory_)); }
  const Core* core() const { return core_.get(); }

 private:
  std::shared_ptr<Core> core_;
  std::shared_ptr<GpuMemory> memory_;
};

}  // namespace hcq::am
