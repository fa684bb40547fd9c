// SPDX-License-Identifier: MIT
// HostMemory: the host side of a model's bus. It hands out DMA memory under invented bus addresses and is the IOMMU
// that knows which of them are valid now. Taken-back memory stays mapped in the process until the port is gone, so that
// a device that still uses it is caught and does not crash the model.
#pragma once

#include <atomic>
#include <functional>
#include <memory>
#include <random>
#include <shared_mutex>
#include <unordered_map>
#include <vector>

#include "drivers/pci/event_irq.h"
#include "models/core/device.h"
#include "models/core/shared_memory.h"

namespace hcq::models {

class HostMemory final : public HostPort, public std::enable_shared_from_this<HostMemory> {
 public:
  // With an arena, all memory comes from it, so that a device in another process can reach it.
  HostMemory(std::string device, std::uint64_t seed, std::unique_ptr<SharedArena> arena = nullptr)
      : device_(std::move(device)), arena_(std::move(arena)), rng_(seed) {}
  ~HostMemory() override;

  // Memory of whole pages, zeroed. Without `contiguous` the pages' bus addresses are in no order that a driver could
  // rely on: groups of up to 2 MiB are consecutive, as with hugepages.
  Result<std::unique_ptr<pci::DmaMemory>> allocate(std::size_t bytes, pci::DmaOptions options);
  void set_bus_master(bool on);
  void set_irq(pci::EventIrq* irq) { irq_.store(irq, std::memory_order_release); }

  std::byte* translate(std::uint64_t bus, std::size_t size, bool write) override;
  std::uint64_t generation() const override { return generation_.load(std::memory_order_acquire); }
  void interrupt(unsigned vector) override;

  // For the generation of any port: never the same number twice in a process, because a device may outlive its port
  // and meet another one.
  static std::uint64_t next_generation();

  SharedArena* arena() const { return arena_.get(); }
  // Bus addresses around `bus` that were handed out together and lie together in memory too.
  struct Extent {
    std::uint64_t bus = 0, size = 0;
    std::byte* data = nullptr;  // nullptr: not mapped now
  };
  Extent extent(std::uint64_t bus) const;
  // Called when translations of [bus, bus + size) have become void (size 0: all of them), before the memory is given to
  // anybody else. Null: nobody.
  void on_invalidate(std::function<void(std::uint64_t bus, std::uint64_t size)> hook);

 private:
  friend class ModelDma;
  void revoke(std::span<const std::uint64_t> pages, std::byte* data, std::size_t size);
  void invalidated(std::uint64_t bus, std::uint64_t size);

  std::string device_;
  std::unique_ptr<SharedArena> arena_;
  mutable std::shared_mutex mutex_;
  std::unordered_map<std::uint64_t, std::byte*> pages_;  // bus page number to memory
  std::vector<std::pair<void*, std::size_t>> mappings_;  // all ever made
  std::mt19937_64 rng_;
  std::uint64_t next_bus_ = 0x1'0000'0000;
  std::atomic<bool> bus_master_{false};
  std::atomic<std::uint64_t> generation_{next_generation()};
  std::atomic<pci::EventIrq*> irq_{nullptr};
  std::shared_mutex hook_mutex_;
  std::function<void(std::uint64_t, std::uint64_t)> hook_;
};

// attach() with the host's memory made by the caller.
Result<std::unique_ptr<pci::Function>> attach(std::string name, std::shared_ptr<Device> device, const Options& options,
                                              std::shared_ptr<HostMemory> host);

}  // namespace hcq::models
