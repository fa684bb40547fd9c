// SPDX-License-Identifier: MIT
// The PCI functions that hcq has or will have a driver for, by vendor and class. What a chip can do is decided by its
// driver, not here.
#pragma once

#include <span>

#include "drivers/pci/scan.h"

namespace hcq::smi {

struct KnownKind {
  const char* name;  // shown to users: "AMD GPU"
  pci::Filter filter;
};

std::span<const KnownKind> known_kinds();

// Name of the kind, nullptr for a function that is none of them.
const char* kind_of(const pci::Identity& id);

}  // namespace hcq::smi
