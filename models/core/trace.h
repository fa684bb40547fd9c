// SPDX-License-Identifier: MIT
// RecordedDevice: a model with a notebook. Everything that crosses its bus is written down as JSON lines, one event a
// line; the trace of a driver's boot is the best description of what the hardware is told.
//
//   {"t":0.001234,"op":"write","bar":5,"offset":"0x1c","size":4,"value":"0x1","name":"BIF_BX_PF0_..."}
//
// "op" is config_read, config_write, read, write, read_block, write_block ("bytes" long, "hash" of the content),
// resize, reset, plug, unplug, dma (a page that the device asked the host for: "bus", "write", "ok"; accesses to a page
// it already knows are not seen), interrupt, violation. "t" is seconds since the start of the recording.
#pragma once

#include <cstdio>
#include <memory>
#include <mutex>
#include <string>

#include "base/deadline.h"
#include "models/core/device.h"

namespace hcq::models {

// Thread-safe; lines are whole. Flushed at every reset, unplug and violation, and at the end.
class TraceFile {
 public:
  static Result<std::unique_ptr<TraceFile>> create(const std::string& path);
  ~TraceFile();
  TraceFile(const TraceFile&) = delete;
  TraceFile& operator=(const TraceFile&) = delete;

  // `fields` are JSON members without braces.
  void line(std::string_view op, std::string_view fields, bool flush = false);
  static std::string quoted(std::string_view text);

 private:
  explicit TraceFile(std::FILE* file) : file_(file) {}
  std::FILE* file_;
  std::mutex mutex_;
  Clock::time_point start_ = Clock::now();
};

class RecordedDevice final : public Device, private HostPort {
 public:
  RecordedDevice(std::shared_ptr<Device> device, std::unique_ptr<TraceFile> trace);
  ~RecordedDevice() override;

  void plug(HostPort* port) override;
  void unplug() override;
  std::uint32_t config_read(std::uint16_t offset, unsigned size) override;
  void config_write(std::uint16_t offset, unsigned size, std::uint32_t value) override;
  std::uint64_t bar_size(unsigned bar) const override { return device_->bar_size(bar); }
  std::uint64_t read(unsigned bar, std::uint64_t offset, unsigned size) override;
  void write(unsigned bar, std::uint64_t offset, unsigned size, std::uint64_t value) override;
  void read_block(unsigned bar, std::uint64_t offset, MutableBytes out) override;
  void write_block(unsigned bar, std::uint64_t offset, Bytes in) override;
  std::uint64_t resizable_sizes(unsigned bar) const override { return device_->resizable_sizes(bar); }
  bool resize_bar(unsigned bar, unsigned log2_mib) override;
  void function_reset() override;
  Referee& referee() override { return device_->referee(); }
  FaultPlan& faults() override { return device_->faults(); }
  std::uint64_t accesses() const override { return device_->accesses(); }
  std::string describe(unsigned bar, std::uint64_t offset) const override { return device_->describe(bar, offset); }
  SharedBar shared_bar(unsigned bar) const override { return device_->shared_bar(bar); }

 private:
  // HostPort, as the device sees it
  std::byte* translate(std::uint64_t bus, std::size_t size, bool write) override;
  std::uint64_t generation() const override;
  void interrupt(unsigned vector) override;

  void access(std::string_view op, unsigned bar, std::uint64_t offset, unsigned size, std::uint64_t value);
  void block(std::string_view op, unsigned bar, std::uint64_t offset, Bytes data);

  std::shared_ptr<Device> device_;
  std::unique_ptr<TraceFile> trace_;
  std::atomic<HostPort*> port_{nullptr};
  unsigned listener_;
};

}  // namespace hcq::models
