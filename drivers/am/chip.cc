// SPDX-License-Identifier: MIT
#include "drivers/am/chip.h"

#include <fmt/format.h>

#include <array>

namespace hcq::am {

std::string IpVersion::text() const { return fmt::format("{}.{}.{}", major, minor, revision); }
std::string IpVersion::file() const { return fmt::format("{}_{}_{}", major, minor, revision); }

namespace {

// Device ids: pci.ids and amdgpu_drv.c of Linux 6.12.
constexpr KnownDevice kDevices[] = {
    {0x744c, "Navi31", true},                              // Radeon RX 7900 XT / XTX / GRE
    {0x7448, "Navi31", false},                             // Radeon Pro W7900
    {0x747e, "Navi32", false},                             // Radeon RX 7700 XT / 7800 XT
    {0x7480, "Navi33", false},                             // Radeon RX 7600
    {0x7550, "Navi48", false},                             // Radeon RX 9070
    {0x7551, "Navi48", false}, {0x7590, "Navi44", false},  // Radeon RX 9060
    {0x74a1, "MI300X", false}, {0x75a0, "MI350X", false},
};

struct ArchRow {
  IpVersion gc;
  Architecture arch;
};
// GC version to LLVM processor: gfx_v11_0.c and kfd_device.c of Linux 6.12. Not a plain concatenation.
constexpr ArchRow kArchitectures[] = {
    {{9, 4, 3}, {"gfx942", Generation::gfx9}},    {{9, 5, 0}, {"gfx950", Generation::gfx9}},
    {{11, 0, 0}, {"gfx1100", Generation::gfx11}}, {{11, 0, 1}, {"gfx1103", Generation::gfx11}},
    {{11, 0, 2}, {"gfx1102", Generation::gfx11}}, {{11, 0, 3}, {"gfx1101", Generation::gfx11}},
    {{12, 0, 0}, {"gfx1200", Generation::gfx12}}, {{12, 0, 1}, {"gfx1201", Generation::gfx12}},
};

}  // namespace

std::span<const KnownDevice> known_devices() { return kDevices; }

const KnownDevice* find_device(std::uint16_t device_id) {
  for (const KnownDevice& d : kDevices)
    if (d.device_id == device_id) return &d;
  return nullptr;
}

std::optional<ChipInfo> nominal_chip(std::uint16_t device_id) {
  if (device_id != 0x744c) return std::nullopt;
  ChipInfo c;
  c.device_id = device_id;
  c.chip = "Navi31";
  c.arch = "gfx1100";
  c.generation = Generation::gfx11;
  c.gc = {11, 0, 0};
  c.mp0 = c.mp1 = {13, 0, 0};
  c.sdma = {6, 0, 0};
  return c;
}

Result<Architecture> architecture_of(IpVersion gc) {
  for (const ArchRow& row : kArchitectures)
    if (row.gc == gc) return row.arch;
  return Error{.code = Errc::unsupported,
               .operation = "discovery/chip",
               .subject = "GC " + gc.text(),
               .detail = "no compiler target is known for this graphics core"};
}

}  // namespace hcq::am
