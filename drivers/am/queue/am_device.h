// SPDX-License-Identifier: MIT
// The hcq::Device of an AMD GPU.
#pragma once

#include <memory>
#include <optional>

#include "drivers/am/device.h"
#include "drivers/am/queue/compute_queue.h"
#include "drivers/am/queue/copy_queue.h"
#include "drivers/am/queue/core.h"
#include "drivers/am/queue/program.h"
#include "hcq/metrics.h"
#include "hcq/staging.h"

namespace hcq::am {

class AmDevice final : public Device {
 public:
  static Result<std::unique_ptr<Device>> make(std::unique_ptr<Gpu> gpu, const DeviceOptions& options);
  ~AmDevice() override;

  const DeviceInfo& info() const override { return info_; }
  Result<BufferRef> alloc(std::uint64_t bytes, MemoryKind kind) override;
  Result<ProgramRef> load(Bytes code, std::string_view name) override;
  Result<SignalRef> create_signal(std::uint64_t initial) override;
  Result<Queue*> queue(QueueKind kind) override;
  std::uint64_t last_submitted() const override { return core_->last_submitted(); }
  Status wait(std::uint64_t point, Clock::duration timeout) override { return core_->wait(point, timeout); }
  Status upload(Buffer& dst, std::uint64_t offset, Bytes data) override;
  Status download(const Buffer& src, std::uint64_t offset, MutableBytes out) override;
  Status close() override;

 private:
  explicit AmDevice(std::shared_ptr<Core> core) : core_(std::move(core)) {}
  Status start();
  void publish_status();
  Status check_range(const Buffer& buffer, std::uint64_t offset, std::uint64_t bytes, const char* operation) const;
  // Copies through staging memory, with what the user has recorded on the copy queue set aside meanwhile.
  template <class Copy>
  Status staged(Copy&& copy);
  Status upload_to(std::uint64_t address, Bytes data);

  std::shared_ptr<Core> core_;
  DeviceInfo info_;
  std::unique_ptr<ComputeQueue> compute_;
  std::unique_ptr<CopyQueue> copy_;
  std::optional<Staging> staging_;
  Scratch scratch_;
  std::unique_ptr<StatusServer> status_;  // ends before the device is closed
};

}  // namespace hcq::am
