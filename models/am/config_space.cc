// SPDX-License-Identifier: MIT
#include "models/am/config_space.h"

#include <bit>
#include <cstring>

#include "drivers/pci/function.h"

namespace hcq::models::am {

namespace {

constexpr std::uint16_t kPm = 0x50, kExpress = 0x64, kMsi = 0xa0;  // capabilities
constexpr std::uint16_t kAer = 0x150, kResizable = 0x200;          // extended capabilities
constexpr std::uint16_t kPmcsr = kPm + 4, kMsiControl = kMsi + 2;
constexpr std::uint16_t kResizableSizes = kResizable + 4, kResizableControl = kResizable + 8;
constexpr std::uint32_t kMemory64Prefetchable = 0xc;
constexpr std::uint16_t bar_register(unsigned bar) { return static_cast<std::uint16_t>(pci::kBar0 + 4 * bar); }

}  // namespace

ConfigSpace::ConfigSpace(Chip& chip, BarSizes sizes, bool msi) : chip_(chip), sizes_(sizes), bar0_size_(sizes.bar0) {
  build_header();
  build_capabilities(msi);
  reset_ = value_;
  publish();
}

void ConfigSpace::build_header() {
  put(pci::kVendorId, 2, 0x1002);
  put(pci::kDeviceId, 2, 0x744c);
  put(pci::kRevision, 4, 0x030000'c8);  // class 0x030000: VGA compatible display controller
  put(pci::kStatus, 2, 1u << 4);        // has a capability list
  put(pci::kSubsystemVendor, 2, 0x1002);
  put(pci::kSubsystemId, 2, 0x0e3b);
  put(pci::kCapabilityPointer, 1, kPm);
  allow(pci::kCommand, 2, 0x0546);  // memory, bus master, parity response, SERR, interrupt disable
  allow(0x0c, 1, 0xff);             // cache line size
  allow(0x3c, 1, 0xff);             // interrupt line
  put(0x3d, 1, 1);                  // interrupt pin A
  put(bar_register(0), 4, kMemory64Prefetchable);
  put(bar_register(2), 4, kMemory64Prefetchable);
  for (const unsigned bar : {0, 1, 2, 3, 5}) allow(bar_register(bar), 4, ~0u);
}

void ConfigSpace::build_capabilities(bool msi) {
  put(kPm, 2, 0x01 | kExpress << 8);
  put(kPm + 2, 2, 0x0003);  // version 3
  put(kPmcsr, 2, 1u << 3);  // no soft reset on the way from D3hot to D0
  allow(kPmcsr, 2, 0x3);
  put(kExpress, 2, 0x10 | (msi ? kMsi : 0) << 8);
  put(kExpress + 2, 2, 0x0012);                   // version 2, legacy endpoint
  put(kExpress + 4, 4, 1u << 28 | 0x8000 | 0x1);  // function level reset, role-based errors, 256-byte payload
  allow(kExpress + 8, 2, 0x7fff);
  put(kExpress + 12, 4, 16u << 4 | 4);       // x16, 16 GT/s
  put(kExpress + 18, 2, 16u << 4 | 4);       // as negotiated
  put(kExpress + 36, 4, 1u << 7 | 1u << 8);  // completes 32- and 64-bit atomics
  if (msi) {
    put(kMsi, 2, 0x05);
    put(kMsiControl, 2, 1u << 7);  // 64-bit, one vector
    allow(kMsiControl, 2, 0x0001);
    allow(kMsi + 4, 4, 0xfffffffc);
    allow(kMsi + 8, 4, ~0u);
    allow(kMsi + 12, 2, 0xffff);
  }
  put(0x100, 4, 0x000bu | 1u << 16 | std::uint32_t{kAer} << 20);  // vendor specific
  put(0x104, 4, 0x0001u | 1u << 16 | 0x10u << 20);
  put(kAer, 4, 0x0001u | 2u << 16 | (sizes_.resizable ? std::uint32_t{kResizable} : 0u) << 20);
  if (!sizes_.resizable) return;
  put(kResizable, 4, 0x0015 | 1u << 16);
  put(kResizableSizes, 4, static_cast<std::uint32_t>(sizes_.resizable << 4));
  put(kResizableControl, 4, 1u << 5 | static_cast<std::uint32_t>(std::bit_width(sizes_.bar0 >> 20) - 1) << 8);
  allow(kResizableControl, 4, 0x3f00);
}

void ConfigSpace::put(std::uint16_t offset, unsigned size, std::uint32_t value) {
  std::memcpy(value_.data() + offset, &value, size);
}

std::uint32_t ConfigSpace::get(std::uint16_t offset, unsigned size) const {
  std::uint32_t v = 0;
  std::memcpy(&v, value_.data() + offset, size);
  return v;
}

void ConfigSpace::allow(std::uint16_t offset, unsigned size, std::uint32_t writable) {
  std::memcpy(writable_.data() + offset, &writable, size);
}

std::uint32_t ConfigSpace::read(std::uint16_t offset, unsigned size) {
  const std::lock_guard lock(mutex_);
  return get(offset, size);
}

// Address bits below the size of a BAR are wired to zero, which is how a host finds the size.
void ConfigSpace::mask_bars() {
  for (const unsigned bar : {0u, 2u, 5u}) {
    const std::uint64_t mask = ~(bar_size(bar) - 1);
    const std::uint16_t low = bar_register(bar), high = bar_register(bar + 1);
    put(low, 4, (get(low, 4) & lo32(mask) & ~0xfu) | (bar == 5 ? 0 : kMemory64Prefetchable));
    if (bar != 5) put(high, 4, get(high, 4) & hi32(mask));
  }
}

void ConfigSpace::write(std::uint16_t offset, unsigned size, std::uint32_t value) {
  unsigned resize_to = 0;
  bool resized = false;
  {
    const std::lock_guard lock(mutex_);
    const std::uint32_t before = get(kResizableControl, 4);
    for (unsigned i = 0; i < size; ++i) {
      const std::uint8_t m = writable_[offset + i], b = static_cast<std::uint8_t>(value >> 8 * i);
      value_[offset + i] = static_cast<std::uint8_t>((value_[offset + i] & ~m) | (b & m));
    }
    mask_bars();
    publish();
    resize_to = get(kResizableControl, 4) >> 8 & 0x3f;
    resized = sizes_.resizable && get(kResizableControl, 4) != before;
  }
  if (resized) resize(0, resize_to);
}

std::uint64_t ConfigSpace::bar_size(unsigned bar) const {
  switch (bar) {
    case 0:
      return bar0_size_.load(std::memory_order_acquire);
    case 2:
      return kDoorbellBytes;
    case 5:
      return kRegisterBytes;
    default:
      return 0;
  }
}

bool ConfigSpace::resize(unsigned bar, unsigned log2_mib) {
  if (bar != 0 || log2_mib > 43 || !(sizes_.resizable >> log2_mib & 1)) return false;
  const std::lock_guard lock(mutex_);
  if (get(pci::kCommand, 2) & pci::kCommandMemory)
    chip_.report("pci", "pci.resize_while_decoding", "REBAR_CTRL", log2_mib,
                 "a BAR was resized while memory decoding is on", "PCI Express Base 4.0, 7.8.6");
  bar0_size_.store(std::uint64_t{1} << (log2_mib + 20), std::memory_order_release);
  put(kResizableControl, 4, (get(kResizableControl, 4) & ~0x3f00u) | log2_mib << 8);
  put(bar_register(0), 4, kMemory64Prefetchable);
  put(bar_register(1), 4, 0);
  publish();
  return true;
}

void ConfigSpace::reset() {
  const std::lock_guard lock(mutex_);
  const std::uint32_t control = get(kResizableControl, 4);
  value_ = reset_;
  put(kResizableControl, 4, control);
  publish();
}

void ConfigSpace::publish() {
  const std::uint32_t command = get(pci::kCommand, 2);
  std::uint32_t decodes = 0;
  for (const unsigned bar : {0u, 2u, 5u})
    if ((get(bar_register(bar), 4) & ~0xfu) != 0 || (bar != 5 && get(bar_register(bar + 1), 4) != 0))
      decodes |= 1u << bar;
  decodes_.store(command & pci::kCommandMemory ? decodes : 0, std::memory_order_release);
  d0_.store((get(kPmcsr, 2) & 3) == 0, std::memory_order_release);
  chip_.bus_master.store(command & pci::kCommandBusMaster, std::memory_order_release);
  chip_.memory_space.store(command & pci::kCommandMemory, std::memory_order_release);
  chip_.msi_enabled.store(get(kMsi, 1) == 0x05 && (get(kMsiControl, 2) & 1), std::memory_order_release);
}

}  // namespace hcq::models::am
