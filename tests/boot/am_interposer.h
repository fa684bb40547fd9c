// SPDX-License-Identifier: MIT
// A PCI function in front of another one: counts accesses, can be cut off from the device (what a killed process or a
// device that left the bus looks like), and can show other values than the device does.
#pragma once

#include <array>
#include <cstring>
#include <functional>
#include <map>
#include <memory>
#include <optional>

#include "drivers/pci/function.h"

namespace hcq::am {

// Shared with the test, which outlives the function.
struct Interposer {
  std::uint64_t accesses = 0;
  std::uint64_t cut_after = ~0ull;  // from this access on nothing reaches the device, all reads are ones
  bool config_stays = false;        // config space still answers when cut
  std::map<std::uint32_t, std::uint32_t> registers;  // dword of BAR 5 to the value that reads show instead
  std::function<void(std::uint64_t offset, MutableBytes data)> on_vram_read;
  std::function<void(std::uint32_t dword, std::uint32_t value)> on_register_write;
  std::optional<pci::Identity> identity;

  bool cut() const { return accesses > cut_after; }
  void cut_now() { cut_after = accesses; }
};

class InterposedBar : public pci::MmioBackend {
 public:
  InterposedBar(Interposer& i, pci::Mmio inner, unsigned bar) : i_(i), inner_(inner), bar_(bar) {}
  std::uint64_t read(std::uint64_t offset, unsigned size) override {
    ++i_.accesses;
    if (i_.cut()) return ~0ull;
    if (bar_ == 5)
      if (const auto it = i_.registers.find(static_cast<std::uint32_t>(offset / 4)); it != i_.registers.end())
        return it->second;
    std::uint64_t v = size == 1   ? inner_.read8(offset)
                      : size == 2 ? inner_.read16(offset)
                      : size == 4 ? inner_.read32(offset)
                                  : inner_.read64(offset);
    if (bar_ == 0 && i_.on_vram_read) i_.on_vram_read(offset, {reinterpret_cast<std::byte*>(&v), size});
    return v;
  }
  void write(std::uint64_t offset, unsigned size, std::uint64_t value) override {
    ++i_.accesses;
    if (i_.cut()) return;
    if (bar_ == 5 && i_.on_register_write)
      i_.on_register_write(static_cast<std::uint32_t>(offset / 4), static_cast<std::uint32_t>(value));
    if (size == 1) inner_.write8(offset, static_cast<std::uint8_t>(value));
    else if (size == 2) inner_.write16(offset, static_cast<std::uint16_t>(value));
    else if (size == 4) inner_.write32(offset, static_cast<std::uint32_t>(value));
    else inner_.write64(offset, value);
  }
  void read_block(std::uint64_t offset, MutableBytes out) override {
    ++i_.accesses;
    if (i_.cut()) return void(std::memset(out.data(), 0xff, out.size()));
    inner_.read_block(offset, out);
    if (bar_ == 0 && i_.on_vram_read) i_.on_vram_read(offset, out);
  }
  void write_block(std::uint64_t offset, Bytes in) override {
    ++i_.accesses;
    if (!i_.cut()) inner_.write_block(offset, in);
  }

 private:
  Interposer& i_;
  pci::Mmio inner_;
  unsigned bar_;
};

class InterposedFunction : public pci::Function {
 public:
  InterposedFunction(Interposer& i, std::unique_ptr<pci::Function> inner) : i_(i), inner_(std::move(inner)) {}
  const std::string& name() const override { return inner_->name(); }
  const pci::Identity& identity() const override { return i_.identity ? *i_.identity : inner_->identity(); }
  Result<std::uint32_t> config_read(std::uint16_t offset, unsigned size) override {
    ++i_.accesses;
    if (i_.cut() && !i_.config_stays) return size == 1 ? 0xffu : size == 2 ? 0xffffu : 0xffffffffu;
    return inner_->config_read(offset, size);
  }
  Status config_write(std::uint16_t offset, unsigned size, std::uint32_t value) override {
    ++i_.accesses;
    return i_.cut() ? Status() : inner_->config_write(offset, size, value);
  }
  std::uint64_t bar_size(unsigned index) const override { return inner_->bar_size(index); }
  Result<pci::Mmio> map_bar(unsigned index, pci::Caching caching) override {
    const pci::Mmio inner = HCQ_TRY(inner_->map_bar(index, caching));
    bars_[index] = std::make_unique<InterposedBar>(i_, inner, index);
    return pci::Mmio(bars_[index].get(), inner.size());
  }
  std::uint64_t bar_address(unsigned index) const override { return inner_->bar_address(index); }
  Result<std::uint64_t> resize_bar(unsigned index) override { return inner_->resize_bar(index); }
  Result<std::unique_ptr<pci::DmaMemory>> alloc_dma(std::size_t bytes, pci::DmaOptions options) override {
    return inner_->alloc_dma(bytes, options);
  }
  Status reset() override {
    ++i_.accesses;
    return i_.cut() ? Status() : inner_->reset();
  }
  Result<pci::Irq*> irq() override { return inner_->irq(); }
  std::uint64_t peer_group() const override { return inner_->peer_group(); }

 private:
  Interposer& i_;
  std::unique_ptr<pci::Function> inner_;
  std::array<std::unique_ptr<InterposedBar>, 6> bars_;
};

}  // namespace hcq::am
