// SPDX-License-Identifier: MIT
// `hcq-smi list`: what is there, which kernel driver has it, who holds its lock. Looks only; opens, wakes and locks
// nothing.
#pragma once

#include <string>
#include <vector>

#include "drivers/pci/scan.h"

namespace hcq::smi {

struct ListOptions {
  bool all = false;     // every PCI function, not only those of a known kind
  std::string address;  // one function; empty for all of them. In the form pci::parse_bdf() returns
};

// Errc::not_found when `address` is given and not there.
Result<pci::ScanResult> list(const pci::Host& host, const ListOptions& options);

// A table with one line per function, or one sentence when there is none.
std::string list_text(const pci::ScanResult& found);

// One JSON document. Keys carry their units; what is not known is null.
std::string list_json(const pci::ScanResult& found);

}  // namespace hcq::smi
