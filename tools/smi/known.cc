// SPDX-License-Identifier: MIT
#include "tools/smi/known.h"

#include <array>

namespace hcq::smi {

namespace {

// Class codes: PCI Code and ID Assignment Specification, section 1. 03: display, 12: processing accelerator,
// 02: network.
constexpr std::uint32_t kBaseClass = 0xff0000;

const std::array kKinds{
    KnownKind{"AMD GPU", {.vendor = 0x1002, .class_code = 0x030000, .class_mask = kBaseClass}},
    KnownKind{"AMD accelerator", {.vendor = 0x1002, .class_code = 0x120000, .class_mask = kBaseClass}},
    KnownKind{"NVIDIA GPU", {.vendor = 0x10de, .class_code = 0x030000, .class_mask = kBaseClass}},
    KnownKind{"Broadcom NIC", {.vendor = 0x14e4, .class_code = 0x020000, .class_mask = kBaseClass}},
    KnownKind{"Mellanox NIC", {.vendor = 0x15b3, .class_code = 0x020000, .class_mask = kBaseClass}},
};

}  // namespace

std::span<const KnownKind> known_kinds() { return kKinds; }

const char* kind_of(const pci::Identity& id) {
  for (const KnownKind& k : kKinds)
    if (k.filter.matches(id)) return k.name;
  return nullptr;
}

}  // namespace hcq::smi
