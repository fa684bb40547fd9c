// SPDX-License-Identifier: MIT
// `hcq-smi list`: what is there, which kernel driver has it, who holds its lock. Looks only; opens, wakes and locks
// nothing.
#pragma once

#include <string>

#include "tools/smi/lib/json.h"
#include "tools/smi/lib/target.h"

namespace hcq::smi {

// A table with one line per device, or one sentence when there is none.
std::string list_text(const pci::Host& host, const Found& found);

// One JSON document. Keys carry their units; what is not known is absent.
std::string list_json(const pci::Host& host, const Found& found);

// The same facts of one device, for other commands too.
json target_json(const pci::Host& host, const Target& target);

// Bytes of device memory as the kernel driver tells; 0: not known without driving the device.
std::uint64_t memory_bytes(const pci::Host& host, const Target& target);

// "16.0 GT/s x8", with " of 16.0 GT/s x16" where both ends could do more; empty when not known.
std::string link_text(const pci::LinkInfo& link);
std::string bars_text(const pci::BarTable& bars);

}  // namespace hcq::smi
