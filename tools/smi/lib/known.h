// SPDX-License-Identifier: MIT
// The PCI functions that hcq has or will have a driver for, by vendor and class; the names of their families, and the
// kernel modules that drive them otherwise. What a chip can do is decided by its driver, not here.
#pragma once

#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "drivers/pci/scan.h"

namespace hcq::smi {

struct KnownKind {
  const char* name;    // shown to users: "AMD GPU"
  const char* family;  // as in device addresses: "am"
  pci::Filter filter;
};

std::span<const KnownKind> known_kinds();

// Row of the table, nullptr for a function that is none of them.
const KnownKind* kind_of(const pci::Identity& id);

// A family by any of the words people use for it, in any case: "am", "amd", "AMD"; "nv", "nvidia"; ... Empty: none.
std::string family_of_word(std::string_view word);

// Kernel modules of a family, in the order in which they are unloaded.
std::vector<std::string> modules_of(std::string_view family);

// "Navi31" where our drivers know the chip, else the kind, else "class 030000". With " VF" for a virtual function.
std::string chip_of(const pci::FunctionInfo& f);

}  // namespace hcq::smi
