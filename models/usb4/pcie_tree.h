// SPDX-License-Identifier: MIT
// PcieTree: what hangs behind an ASM24 bridge's PCIe port: four PCI-to-PCI bridges in a row (the ASM24's two and a
// graphics card's switch) and the device at the end. Requests reach only what bus numbers, windows and command bits let
// them reach. Source: PCI-to-PCI Bridge Architecture 1.2; identities and depth as tinygrad/asm2464pd-firmware shows
// them with a Navi31 card.
//
// Also the device's HostPort: upstream it reaches the ASM24's memory and nothing else.
#pragma once

#include <array>
#include <atomic>
#include <cstdint>
#include <memory>
#include <optional>
#include <vector>

#include "models/core/device.h"

namespace hcq::models::usb4 {

// A TLP's answer. `status` as in a completion: 0 success, 1 unsupported request, 2 configuration retry.
struct Reply {
  std::uint8_t status = 0;
  bool has_data = false;
  std::uint32_t data = 0;  // bytes in their lanes
};

class PcieTree final : public HostPort {
 public:
  static constexpr std::size_t kSramBytes = 512 << 10, kPageBytes = 4096, kBridges = 4;

  PcieTree(std::shared_ptr<Device> device, Referee& referee, bool card_present, unsigned retries_after_power);
  ~PcieTree() override;

  void power(bool on);
  bool link_up() const { return powered_ && card_present_; }
  // One request by its fmt/type, byte enables and dword-aligned address. nullopt: no completion (posted, or no link).
  std::optional<Reply> request(std::uint8_t type, std::uint8_t enables, std::uint64_t address, std::uint32_t value);
  MutableBytes sram() { return sram_; }

  std::byte* translate(std::uint64_t bus, std::size_t size, bool write) override;
  std::uint64_t generation() const override { return generation_.load(std::memory_order_acquire); }
  void interrupt(unsigned) override {}  // the firmware passes none on

 private:
  using Config = std::array<std::uint8_t, 256>;
  struct Target {
    bool device = false;
    unsigned bridge = 0;
  };
  struct Hit {
    unsigned bar = 0;
    std::uint64_t offset = 0;
  };
  void reset_bridges();
  std::optional<Target> route(bool type1, std::uint64_t address) const;
  Reply config(bool write, bool type1, std::uint8_t enables, std::uint64_t address, std::uint32_t value);
  Reply memory(bool write, std::uint8_t enables, std::uint64_t address, std::uint32_t value);
  bool forwards(const Config& bridge, std::uint64_t address) const;
  std::optional<Hit> decode(std::uint64_t address);
  void config_changed();

  std::shared_ptr<Device> device_;
  Referee& referee_;
  const bool card_present_;
  const unsigned retries_after_power_;
  bool powered_ = false;
  unsigned retries_left_ = 0;
  std::array<Config, kBridges> bridges_{};
  std::array<std::uint64_t, 6> bar_base_{};
  std::uint32_t command_ = 0;
  std::vector<std::byte> sram_, queue_page_;
  std::atomic<bool> upstream_{false};  // bus mastering on, all the way
  std::atomic<std::uint64_t> generation_;
};

}  // namespace hcq::models::usb4
