// SPDX-License-Identifier: MIT
#include "models/usb4/pcie_tree.h"

#include <fmt/format.h>

#include <bit>
#include <cstring>

#include "models/core/host_memory.h"

namespace hcq::models::usb4 {
namespace {

constexpr std::uint8_t kUnsupported = 1, kRetry = 2;
constexpr std::uint64_t kSramAddress = 0x20'0000, kQueueAddress = 0x82'0000;
constexpr std::array<std::pair<std::uint16_t, std::uint16_t>, PcieTree::kBridges> kBridgeIds{
    {{0x1b21, 0x2461}, {0x1b21, 0x2461}, {0x1002, 0x1478}, {0x1002, 0x1479}}};

std::uint16_t get16(const std::array<std::uint8_t, 256>& c, unsigned at) {
  return static_cast<std::uint16_t>(c[at] | c[at + 1] << 8);
}
std::uint32_t get32(const std::array<std::uint8_t, 256>& c, unsigned at) {
  return get16(c, at) | static_cast<std::uint32_t>(get16(c, at + 2)) << 16;
}

// Bits of a bridge's header that a host can write (PCI-to-PCI Bridge Architecture 1.2, section 3.2).
std::uint8_t writable(unsigned at) {
  if (at == 0x04) return 0x07;
  if (at >= 0x18 && at <= 0x1a) return 0xff;
  if (at == 0x20 || at == 0x22 || at == 0x24 || at == 0x26) return 0xf0;
  if (at == 0x21 || at == 0x23 || at == 0x25 || at == 0x27) return 0xff;
  if (at >= 0x28 && at <= 0x2f) return 0xff;
  return 0;
}

}  // namespace

PcieTree::PcieTree(std::shared_ptr<Device> device, Referee& referee, bool card_present, unsigned retries_after_power)
    : device_(std::move(device)),
      referee_(referee),
      card_present_(card_present),
      retries_after_power_(retries_after_power),
      sram_(kSramBytes),
      queue_page_(kPageBytes),
      generation_(HostMemory::next_generation()) {
  reset_bridges();
  device_->plug(this);
}

PcieTree::~PcieTree() { device_->unplug(); }

void PcieTree::reset_bridges() {
  for (unsigned i = 0; i < kBridges; ++i) {
    Config& c = bridges_[i];
    c.fill(0);
    std::memcpy(c.data(), &kBridgeIds[i].first, 2);
    std::memcpy(c.data() + 2, &kBridgeIds[i].second, 2);
    c[0x0a] = 0x04;  // PCI-to-PCI bridge
    c[0x0b] = 0x06;
    c[0x0e] = 0x01;
    c[0x24] = c[0x26] = 0x01;  // 64-bit prefetchable window
  }
}

void PcieTree::power(bool on) {
  if (on == powered_) return;
  powered_ = on;
  retries_left_ = retries_after_power_;
  reset_bridges();
  if (!on) device_->function_reset();
  config_changed();
}

// The bridge that answers, or the device; nothing when the bus numbers lead nowhere.
std::optional<PcieTree::Target> PcieTree::route(bool type1, std::uint64_t address) const {
  const unsigned bus = address >> 24 & 0xff, slot = address >> 19 & 0x1f, function = address >> 16 & 7;
  if (function != 0) return std::nullopt;
  if (!type1) return Target{};  // every device number of bus 0 is the first bridge
  for (unsigned i = 0; i < kBridges; ++i) {
    const unsigned secondary = bridges_[i][0x19], subordinate = bridges_[i][0x1a];
    if (secondary == 0 || bus < secondary || bus > subordinate) return std::nullopt;
    if (bus != secondary) continue;
    if (slot != 0) return std::nullopt;
    return i + 1 == kBridges ? Target{true, 0} : Target{false, i + 1};
  }
  return std::nullopt;
}

Reply PcieTree::config(bool write, bool type1, std::uint8_t enables, std::uint64_t address, std::uint32_t value) {
  if (type1 != ((address >> 24 & 0xff) != 0))
    referee_.report({"usb4", "usb4.config_type", "F0", address,
                     "a type 0 request is for bus 0 and a type 1 request for the others",
                     "PCI Express Base 4.0, section 7.3.1"});
  const auto target = route(type1, address);
  if (!target) return {.status = kUnsupported};
  const auto at = static_cast<std::uint16_t>(address & 0xffc);
  if (target->device && retries_left_ != 0) {
    --retries_left_;
    return {.status = kRetry};
  }
  if (!write) {
    if (target->device) return {.has_data = true, .data = device_->config_read(at, 4)};
    return {.has_data = true, .data = at + 4u <= 256 ? get32(bridges_[target->bridge], at) : 0};
  }
  if (target->device && (enables == 0xf || enables == 0x3 || enables == 0xc)) {
    const unsigned shift = enables == 0xc ? 2 : 0;
    device_->config_write(static_cast<std::uint16_t>(at + shift), enables == 0xf ? 4 : 2,
                          enables == 0xf ? value : value >> (8 * shift) & 0xffff);
  } else {
    for (unsigned i = 0; i < 4; ++i) {
      if (!(enables >> i & 1)) continue;
      const auto b = static_cast<std::uint8_t>(value >> (8 * i));
      if (target->device) {
        device_->config_write(static_cast<std::uint16_t>(at + i), 1, b);
      } else if (at + i < 256) {
        std::uint8_t& r = bridges_[target->bridge][at + i];
        r = static_cast<std::uint8_t>((r & ~writable(at + i)) | (b & writable(at + i)));
      }
    }
  }
  config_changed();
  return {};
}

void PcieTree::config_changed() {
  command_ = powered_ ? device_->config_read(pci::kCommand, 2) : 0;
  if (command_ == 0xffff) command_ = 0;
  bar_base_.fill(0);
  for (unsigned bar = 0; bar < 6; ++bar) {
    if (!device_->bar_size(bar)) continue;
    const auto at = static_cast<std::uint16_t>(pci::kBar0 + 4 * bar);
    const std::uint32_t low = device_->config_read(at, 4);
    bar_base_[bar] = low & ~0xfu;
    if ((low & 6) == 4)
      bar_base_[bar] |= std::uint64_t{device_->config_read(static_cast<std::uint16_t>(at + 4), 4)} << 32;
  }
  bool up = (command_ & pci::kCommandBusMaster) != 0;
  for (const Config& b : bridges_) up = up && (b[0x04] & pci::kCommandBusMaster);
  if (upstream_.exchange(up) != up) generation_.store(HostMemory::next_generation(), std::memory_order_release);
}

bool PcieTree::forwards(const Config& b, std::uint64_t address) const {
  if (!(b[0x04] & pci::kCommandMemory)) return false;
  const std::uint64_t base = std::uint64_t{get16(b, 0x20) & 0xfff0u} << 16,
                      limit = std::uint64_t{get16(b, 0x22) & 0xfff0u} << 16 | 0xfffff;
  if (address >= base && address <= limit) return true;
  const std::uint64_t wide_base = std::uint64_t{get32(b, 0x28)} << 32 | std::uint64_t{get16(b, 0x24) & 0xfff0u} << 16,
                      wide_limit =
                          std::uint64_t{get32(b, 0x2c)} << 32 | std::uint64_t{get16(b, 0x26) & 0xfff0u} << 16 | 0xfffff;
  return address >= wide_base && address <= wide_limit;
}

std::optional<PcieTree::Hit> PcieTree::decode(std::uint64_t address) {
  for (const Config& b : bridges_)
    if (!forwards(b, address)) return std::nullopt;
  if (!(command_ & pci::kCommandMemory)) return std::nullopt;
  for (unsigned bar = 0; bar < 6; ++bar) {
    const std::uint64_t size = device_->bar_size(bar);
    if (size && bar_base_[bar] && address >= bar_base_[bar] && address - bar_base_[bar] < size)
      return Hit{bar, address - bar_base_[bar]};
  }
  return std::nullopt;
}

Reply PcieTree::memory(bool write, std::uint8_t enables, std::uint64_t address, std::uint32_t value) {
  const auto hit = decode(address);
  if (!hit) return {.status = kUnsupported};
  Reply r{.has_data = !write};
  for (unsigned lane = 0; lane < 4;) {
    if (!(enables >> lane & 1)) {
      ++lane;
      continue;
    }
    unsigned size = 1;
    if (lane == 0 && enables == 0xf) size = 4;
    else if (lane % 2 == 0 && (enables >> (lane + 1) & 1)) size = 2;
    const std::uint32_t mask = size == 4 ? ~0u : (1u << (8 * size)) - 1;
    if (write) {
      device_->write(hit->bar, hit->offset + lane, size, value >> (8 * lane) & mask);
    } else {
      const auto v = static_cast<std::uint32_t>(device_->read(hit->bar, hit->offset + lane, size)) & mask;
      r.data |= v << (8 * lane);
    }
    lane += size;
  }
  return r;
}

std::optional<Reply> PcieTree::request(std::uint8_t type, std::uint8_t enables, std::uint64_t address,
                                       std::uint32_t value) {
  if (!link_up()) return std::nullopt;
  switch (type) {
    case 0x04:
    case 0x05:
    case 0x44:
    case 0x45:
      return config(type & 0x40, type & 1, enables, address, value);
    case 0x00:
    case 0x20:
      return memory(false, enables, address, value);
    case 0x40:
    case 0x60:
      (void)memory(true, enables, address, value);
      return std::nullopt;
    default:
      referee_.report({"usb4", "usb4.tlp_type", "F0", type, "not a memory or configuration request",
                       "PCI Express Base 4.0, table 2-3"});
      return Reply{.status = kUnsupported};
  }
}

std::byte* PcieTree::translate(std::uint64_t bus, std::size_t size, bool /*write*/) {
  if (!upstream_.load(std::memory_order_acquire)) return nullptr;
  const auto within = [&](std::uint64_t base, std::size_t length) {
    return bus >= base && bus - base < length && size <= length - (bus - base);
  };
  if (within(kSramAddress, sram_.size())) return sram_.data() + (bus - kSramAddress);
  if (within(kQueueAddress, queue_page_.size())) return queue_page_.data() + (bus - kQueueAddress);
  return nullptr;
}

}  // namespace hcq::models::usb4
