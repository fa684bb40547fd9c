// SPDX-License-Identifier: MIT
// A PCI function whose config space and BAR 5 are plain maps, and that counts how often it is touched.
#pragma once

#include <map>
#include <string>

#include "drivers/pci/function.h"

namespace hcq::am {

class FakeFunction : public pci::Function, public pci::MmioBackend {
 public:
  const std::string& name() const override { return name_; }
  const pci::Identity& identity() const override { return identity_; }
  Result<std::uint32_t> config_read(std::uint16_t, unsigned size) override {
    ++config_reads;
    return lost_config ? (size == 2 ? 0xffffu : 0xffffffffu) : 0x1002u;
  }
  Status config_write(std::uint16_t, unsigned, std::uint32_t) override { return {}; }
  std::uint64_t bar_size(unsigned) const override { return 0; }
  Result<pci::Mmio> map_bar(unsigned, pci::Caching) override { return pci::Mmio(this, kBarBytes); }
  std::uint64_t bar_address(unsigned) const override { return 0; }
  Result<std::uint64_t> resize_bar(unsigned) override { return 0ull; }
  Result<std::unique_ptr<pci::DmaMemory>> alloc_dma(std::size_t, pci::DmaOptions) override {
    return Error{.code = Errc::unimplemented};
  }
  Status reset() override { return {}; }
  Result<pci::Irq*> irq() override { return static_cast<pci::Irq*>(nullptr); }
  std::uint64_t peer_group() const override { return 0; }

  std::uint64_t read(std::uint64_t offset, unsigned) override {
    ++accesses;
    if (accesses > lose_after) return ~0ull;
    const auto it = registers.find(static_cast<std::uint32_t>(offset / 4));
    return it == registers.end() ? 0 : it->second;
  }
  void write(std::uint64_t offset, unsigned, std::uint64_t value) override {
    ++accesses;
    registers[static_cast<std::uint32_t>(offset / 4)] = static_cast<std::uint32_t>(value);
    written.push_back({static_cast<std::uint32_t>(offset / 4), static_cast<std::uint32_t>(value)});
  }
  void read_block(std::uint64_t, MutableBytes) override {}
  void write_block(std::uint64_t, Bytes) override {}

  static constexpr std::uint64_t kBarBytes = 0x80000;
  std::map<std::uint32_t, std::uint32_t> registers;  // by dword
  std::vector<std::pair<std::uint32_t, std::uint32_t>> written;
  unsigned accesses = 0, config_reads = 0, lose_after = ~0u;
  bool lost_config = false;

 private:
  std::string name_ = "fake";
  pci::Identity identity_{.vendor = 0x1002, .device = 0x744c};
};

}  // namespace hcq::am
