// SPDX-License-Identifier: MIT
// A model with nothing behind it but memory: for tests of what stands between a model and its host.
#pragma once

#include <array>
#include <atomic>
#include <cstring>
#include <mutex>

#include "models/core/device.h"

namespace hcq::models::test {

// BAR 0: 64 KiB of memory. BAR 2: 4 KiB; writing there makes the device act at once, on the writer's thread:
//   0x00 bus address to use, 0x08 value written there by DMA, 0x10 any: interrupt, 0x18 any: a violation.
// Reading 0x08 of BAR 2 reads 8 bytes by DMA. Blocked DMA reads as all ones. MSI at 0x40, serial number at 0x100.
class ScratchModel final : public Device {
 public:
  static constexpr std::uint64_t kMemory = 64 << 10, kControl = 4096;

  explicit ScratchModel(Policy policy = Policy::record) : referee_(policy) {
    put(pci::kVendorId, 0x1234);
    put(pci::kDeviceId, 0x0001);
    put(pci::kStatus, 1u << 4);  // has capabilities
    config_[pci::kRevision] = 3;
    config_[pci::kClassCode + 2] = 0xff;
    put(pci::kSubsystemVendor, 0x1af4);
    put(pci::kSubsystemId, 0x1100);
    config_[pci::kCapabilityPointer] = 0x40;
    config_[0x40] = 0x05;
    config_[0x100] = 0x03;
    config_[0x102] = 0x01;
  }

  void plug(HostPort* port) override {
    port_ = port;
    ++plugged;
  }
  void unplug() override {
    port_ = nullptr;
    ++unplugged;
  }
  std::uint32_t config_read(std::uint16_t offset, unsigned size) override {
    const std::lock_guard lock(mutex_);
    std::uint32_t v = 0;
    std::memcpy(&v, config_.data() + offset, size);
    return v;
  }
  void config_write(std::uint16_t offset, unsigned size, std::uint32_t value) override {
    const bool writable = offset == pci::kCommand || (offset >= pci::kBar0 && offset < pci::kBar0 + 24) ||
                          (offset >= 0x42 && offset < 0x50);
    const std::lock_guard lock(mutex_);
    if (writable) std::memcpy(config_.data() + offset, &value, size);
  }
  std::uint64_t bar_size(unsigned bar) const override { return bar == 0 ? kMemory : bar == 2 ? kControl : 0; }
  std::uint64_t read(unsigned bar, std::uint64_t offset, unsigned size) override {
    std::uint64_t v = ~0ull;
    if (bar == 2 && offset == 8) {
      if (const std::byte* p = port_.load()->translate(address_, 8, false)) std::memcpy(&v, p, 8);
      return v;
    }
    if (bar == 0) {
      const std::lock_guard lock(mutex_);
      v = 0;
      std::memcpy(&v, memory_.data() + offset, size);
    }
    return v;
  }
  void write(unsigned bar, std::uint64_t offset, unsigned size, std::uint64_t value) override {
    if (bar == 0) {
      const std::lock_guard lock(mutex_);
      std::memcpy(memory_.data() + offset, &value, size);
    } else if (offset == 0) {
      address_ = value;
    } else if (offset == 8) {
      if (std::byte* p = port_.load()->translate(address_, 8, true)) std::memcpy(p, &value, 8);
    } else if (offset == 0x10) {
      port_.load()->interrupt(0);
    } else if (offset == 0x18) {
      referee_.report({"scratch", "scratch.asked", "BAR2", value, "a violation was asked for", "this file"});
    }
  }
  void read_block(unsigned bar, std::uint64_t offset, MutableBytes out) override {
    for (std::size_t i = 0; i < out.size(); ++i) out[i] = static_cast<std::byte>(read(bar, offset + i, 1));
  }
  void write_block(unsigned bar, std::uint64_t offset, Bytes in) override {
    for (std::size_t i = 0; i < in.size(); ++i) write(bar, offset + i, 1, std::to_integer<std::uint64_t>(in[i]));
  }
  std::uint64_t resizable_sizes(unsigned) const override { return 0; }
  bool resize_bar(unsigned, unsigned) override { return false; }
  void function_reset() override {
    config_write(pci::kCommand, 2, 0);
    ++resets;
  }
  Referee& referee() override { return referee_; }
  FaultPlan& faults() override { return faults_; }
  std::string describe(unsigned bar, std::uint64_t offset) const override {
    return bar == 2 && offset == 0x10 ? "DOORBELL" : std::string();
  }

  HostPort* port() { return port_; }
  std::atomic<unsigned> plugged{0}, unplugged{0}, resets{0};

 private:
  void put(std::uint16_t at, std::uint16_t v) { std::memcpy(config_.data() + at, &v, 2); }

  std::mutex mutex_;
  std::array<std::byte, kMemory> memory_{};
  std::array<std::uint8_t, 4096> config_{};
  std::atomic<HostPort*> port_{nullptr};
  std::atomic<std::uint64_t> address_{0};
  Referee referee_;
  FaultPlan faults_;
};

}  // namespace hcq::models::test
