// SPDX-License-Identifier: MIT
// Helpers over config space that work on every kind of Function. Layout: PCI Local Bus Specification 3.0 section 6.7
// (capability list), PCI Express Base Specification section 7.6 (extended capabilities).
#include <fmt/format.h>

#include "drivers/pci/function.h"
#include "drivers/pci/open_functions.h"

namespace hcq::pci {

namespace {

constexpr std::uint16_t kStatusCapabilityList = 1u << 4;
// 192 bytes hold at most 48 four-byte capabilities, 3840 bytes at most 960 extended ones.
constexpr unsigned kMaxCapabilities = (0x100 - 0x40) / 4;
constexpr unsigned kMaxExtendedCapabilities = (0x1000 - 0x100) / 4;

Error list_error(Function& f, const char* list, std::uint16_t at, const char* detail) {
  return Error{.code = Errc::corrupt,
               .device = f.name(),
               .operation = "config/walk",
               .subject = list,
               .address = at,
               .detail = detail};
}

Error lost(Function& f) {
  return Error{.code = Errc::device_lost,
               .device = f.name(),
               .operation = "config/read",
               .subject = "VENDOR_ID",
               .actual = 0xffff,
               .detail = "config space reads all ones: the device has left the bus",
               .hint = "power-cycle the device or check its link"};
}

Status check_present(Function& f) {
  if (HCQ_TRY(f.config_read(kVendorId, 2)) == 0xffff) return lost(f);
  return {};
}

}  // namespace

namespace {

Status write_bus_master(Function& f, bool on) {
  HCQ_TRY(check_present(f));
  const std::uint32_t before = HCQ_TRY(f.config_read(kCommand, 2));
  const std::uint32_t wanted =
      on ? before | kCommandBusMaster : before & ~static_cast<std::uint32_t>(kCommandBusMaster);
  HCQ_TRY(f.config_write(kCommand, 2, wanted));
  const std::uint32_t after = HCQ_TRY(f.config_read(kCommand, 2));
  if (after == 0xffff) return lost(f);
  if ((after & kCommandBusMaster) != (wanted & kCommandBusMaster))
    return Error{.code = Errc::device_fault,
                 .device = f.name(),
                 .operation = "config/bus_master",
                 .subject = "PCI_COMMAND",
                 .expected = wanted,
                 .actual = after,
                 .detail = "the device did not take the bus master bit"};
  return {};
}

}  // namespace

Status set_bus_master(Function& f, bool on) {
  if (!on) return write_bus_master(f, false);
  const auto permit = HCQ_TRY(permit_dma(f.name()));
  return write_bus_master(f, true);
}

Result<std::uint16_t> find_capability(Function& f, std::uint8_t id) {
  HCQ_TRY(check_present(f));
  if (!(HCQ_TRY(f.config_read(kStatus, 2)) & kStatusCapabilityList)) return std::uint16_t{0};
  // The lowest two bits of every pointer are reserved and must be masked off.
  auto at = static_cast<std::uint16_t>(HCQ_TRY(f.config_read(kCapabilityPointer, 1)) & 0xfc);
  for (unsigned n = 0; at != 0; ++n) {
    if (n == kMaxCapabilities) return list_error(f, "capability list", at, "the list loops");
    if (at < 0x40) return list_error(f, "capability list", at, "pointer into the standard header");
    const std::uint32_t header = HCQ_TRY(f.config_read(at, 2));
    if (header == 0xffff) {
      HCQ_TRY(check_present(f));
      return list_error(f, "capability list", at, "entry reads all ones");
    }
    if ((header & 0xff) == id) return at;
    at = static_cast<std::uint16_t>((header >> 8) & 0xfc);
  }
  return std::uint16_t{0};
}

Result<std::uint16_t> find_extended_capability(Function& f, std::uint16_t id) {
  HCQ_TRY(check_present(f));
  std::uint16_t at = 0x100;
  for (unsigned n = 0; at != 0; ++n) {
    if (n == kMaxExtendedCapabilities) return list_error(f, "extended capability list", at, "the list loops");
    if (at < 0x100) return list_error(f, "extended capability list", at, "pointer into the first 256 bytes");
    const std::uint32_t header = HCQ_TRY(f.config_read(at, 4));
    // A function without extended config space answers the first dword with zeros or with all ones.
    if (n == 0 && (header == 0 || header == 0xffffffff)) {
      HCQ_TRY(check_present(f));
      return std::uint16_t{0};
    }
    if (header == 0xffffffff) {
      HCQ_TRY(check_present(f));
      return list_error(f, "extended capability list", at, "entry reads all ones");
    }
    if ((header & 0xffff) == id) return at;
    at = static_cast<std::uint16_t>((header >> 20) & 0xffc);
  }
  return std::uint16_t{0};
}

}  // namespace hcq::pci
