// SPDX-License-Identifier: MIT
// HostMemory: the host side of a model's bus. It hands out DMA memory under invented bus addresses and is the IOMMU
// that knows which of them are valid now. Taken-back memory stays mapped in the process until the port is gone, so that
// a device that still uses it is caught and does not crash the model.
#pragma once

#include <atomic>
#include <memory>
#include <random>
#include <shared_mutex>
#include <unordered_map>
#include <vector>

#include "drivers/pci/event_irq.h"
#include "models/core/device.h"

namespace hcq::models {

class HostMemory final : public HostPort, public std::enable_shared_from_this<HostMemory> {
 public:
  HostMemory(std::string device, std::uint64_t seed) : device_(std::move(device)), rng_(seed) {}
  ~HostMemory() override;

  // Memory of whole pages, zeroed. Without `contiguous` the pages' bus addresses are in no order that a driver could
  // rely on: groups of up to 2 MiB are consecutive, as with hugepages.
  Result<std::unique_ptr<pci::DmaMemory>> allocate(std::size_t bytes, pci::DmaOptions options);
  void set_bus_master(bool on);
  void set_irq(pci::EventIrq* irq) { irq_.store(irq, std::memory_order_release); }

  std::byte* translate(std::uint64_t bus, std::size_t size, bool write) override;
  std::uint64_t generation() const override { return generation_.load(std::memory_order_acquire); }
  void interrupt(unsigned vector) override;

 private:
  friend class ModelDma;
  // Never the same number twice in a process: a device may outlive this port and meet another one.
  static std::uint64_t next_generation();
  void revoke(std::span<const std::uint64_t> pages);

  std::string device_;
  mutable std::shared_mutex mutex_;
  std::unordered_map<std::uint64_t, std::byte*> pages_;  // bus page number to memory
  std::vector<std::pair<void*, std::size_t>> mappings_;  // all ever made
  std::mt19937_64 rng_;
  std::uint64_t next_bus_ = 0x1'0000'0000;
  std::atomic<bool> bus_master_{false};
  std::atomic<std::uint64_t> generation_{next_generation()};
  std::atomic<pci::EventIrq*> irq_{nullptr};
};

}  // namespace hcq::models
