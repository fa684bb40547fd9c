// SPDX-License-Identifier: MIT
// ConfigSpace: PCI configuration space of the Navi31 board. Standard header, power management, PCI Express, MSI, and
// the Resizable BAR capability of BAR 0. Source: PCI Local Bus 3.0 chapter 6, PCI Express Base 4.0 chapter 7; identity
// and capability offsets as lspci shows them for a Radeon RX 7900 XTX.
#pragma once

#include <array>
#include <cstdint>
#include <mutex>

#include "models/am/chip.h"

namespace hcq::models::am {

class ConfigSpace {
 public:
  struct BarSizes {
    std::uint64_t bar0 = 0;       // now
    std::uint64_t resizable = 0;  // sizes BAR 0 can take, bit n = 2^n MiB; 0: no Resizable BAR capability
  };
  ConfigSpace(Chip& chip, BarSizes sizes, bool msi);

  std::uint32_t read(std::uint16_t offset, unsigned size);
  void write(std::uint16_t offset, unsigned size, std::uint32_t value);
  std::uint64_t bar_size(unsigned bar) const;
  std::uint64_t resizable_sizes(unsigned bar) const { return bar == 0 ? sizes_.resizable : 0; }
  bool resize(unsigned bar, unsigned log2_mib);
  bool in_d0() const { return d0_.load(std::memory_order_relaxed); }
  // Memory space on, and the BAR has an address.
  bool decodes(unsigned bar) const { return decodes_.load(std::memory_order_relaxed) >> bar & 1; }
  void reset();  // BARs, command, MSI and power state; the size of BAR 0 stays

  static constexpr std::uint64_t kDoorbellBytes = 2u << 20, kRegisterBytes = 1u << 20;

 private:
  void put(std::uint16_t offset, unsigned size, std::uint32_t value);
  std::uint32_t get(std::uint16_t offset, unsigned size) const;
  void allow(std::uint16_t offset, unsigned size, std::uint32_t writable);
  void build_header();
  void build_capabilities(bool msi);
  void mask_bars();
  void publish();  // makes command, power and MSI state known; with the lock held

  Chip& chip_;
  std::mutex mutex_;
  BarSizes sizes_;
  std::atomic<std::uint64_t> bar0_size_;
  std::atomic<bool> d0_{true};
  std::atomic<std::uint32_t> decodes_{0};
  std::array<std::uint8_t, 4096> value_{}, writable_{}, reset_{};
};

}  // namespace hcq::models::am
