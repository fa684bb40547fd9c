// SPDX-License-Identifier: MIT
#include "drivers/usb4/topology.h"

#include "drivers/pci/function.h"

namespace hcq::usb4 {
namespace {

constexpr std::uint8_t kMaxDepth = 8, kTypeBridge = 1, kTypeMask = 0x7f;
constexpr std::uint16_t kBusNumbers = 0x18, kSubordinate = 0x1a, kMemoryWindow = 0x20, kPrefetchWindow = 0x24,
                        kPrefetchBaseUpper = 0x28, kPrefetchLimitUpper = 0x2c;

Status open_windows(Bridge& b, Bdf at) {
  HCQ_TRY(b.config_write(at, kMemoryWindow, 4, 0xffff'0000u | static_cast<std::uint32_t>(kWindow32 >> 16)));
  HCQ_TRY(b.config_write(at, kPrefetchWindow, 4, 0xffff'0000u));
  HCQ_TRY(b.config_write(at, kPrefetchBaseUpper, 4, static_cast<std::uint32_t>(kWindow64 >> 32)));
  HCQ_TRY(b.config_write(at, kPrefetchLimitUpper, 4, 0xffff'ffffu));
  return b.config_write(at, pci::kCommand, 1, 7);
}

}  // namespace

Result<Bdf> enumerate(Bridge& b) {
  for (std::uint8_t bus = 0; bus < kMaxDepth; ++bus) {
    const Bdf at{bus, 0, 0};
    const auto id = b.config_read(at, pci::kVendorId, 4);
    if (!id.ok() && id.error().code != Errc::not_found) return Error(id.error());
    if (!id.ok() || (*id & 0xffff) == 0xffff)
      return Error{.code = Errc::not_found,
                   .device = b.name(),
                   .operation = "usb4/enumerate",
                   .address = bus,
                   .detail = "the PCIe link is up, but no device answers behind the bridges",
                   .hint = "Power-cycle the enclosure."};
    if ((HCQ_TRY(b.config_read(at, pci::kHeaderType, 1)) & kTypeMask) != kTypeBridge) {
      for (std::uint8_t i = 0; i < bus; ++i) HCQ_TRY(b.config_write({i, 0, 0}, kSubordinate, 1, bus));
      return at;
    }
    HCQ_TRY(b.config_write(at, kBusNumbers, 4, 0xff'0000u | (bus + 1u) << 8 | bus));
    HCQ_TRY(open_windows(b, at));
  }
  return Error{.code = Errc::corrupt,
               .device = b.name(),
               .operation = "usb4/enumerate",
               .actual = kMaxDepth,
               .detail = "the chain of bridges does not end"};
}

}  // namespace hcq::usb4
