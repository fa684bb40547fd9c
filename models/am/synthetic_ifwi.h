// SPDX-License-Identifier: MIT
// A board's firmware image (IFWI) with AMD's tables and meaningless content: everything that points, counts or sums is
// right. No byte of it comes from a vendor.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "base/bytes.h"

namespace hcq::models::am {

struct SyntheticIfwi {
  std::uint16_t vendor = 0x1002, device = 0x744c, subsystem_vendor = 0x1002, subsystem_device = 0x0e3b;
  std::string part_number = "HCQ-SYNTHETIC-31";  // at most 19 characters
  std::uint32_t version = 0x00310700;            // in the headers of all files
  std::uint64_t seed = 1;                        // of the content
};

// 2 MiB. Equal options give equal images.
std::vector<std::byte> synthetic_ifwi(const SyntheticIfwi& options = {});

// What the boot ROM makes of a flash content.
struct BootVerdict {
  bool boots = false;
  unsigned partition = 0;  // 0: A, 1: B
  std::string why;         // it does not boot
};
// `lax`: looks no further than the first-level structures, so that damaged payload is found out by nobody.
BootVerdict boot_verdict(Bytes flash, bool lax = false);

// Puts the sums right over an image whose fields were changed. Pointers and counts must be sound.
void repair_ish(std::vector<std::byte>& image, unsigned partition);

}  // namespace hcq::models::am
