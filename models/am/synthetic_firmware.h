// SPDX-License-Identifier: MIT
// Firmware files for machines without the vendor's: right containers, meaningless content. The PSP of the model accepts
// them like the vendor's own. Content is the same on every machine and in every build.
#pragma once

#include <cstddef>
#include <cstdint>
#include <map>
#include <string>
#include <vector>

#include "base/error.h"

namespace hcq::models::am {

// File name ("gc_11_0_0_mec.bin") to content, every file that Navi31 needs.
const std::map<std::string, std::vector<std::byte>>& synthetic_firmware();

// Writes all of them to DIRECTORY/amdgpu, the layout of /lib/firmware; makes the directories.
Status write_synthetic_firmware(const std::string& directory);

// Start address of the RS64 processors in the synthetic files; not the vendor's, so that nobody gets away with a
// constant.
inline constexpr std::uint64_t kSyntheticStart = 0x0007'0000'0000'5000;

// Ways to damage a file; every container format has these.
enum class Damage : std::uint8_t {
  truncated,       // the second half is missing
  header_cut,      // ends inside the header
  payload_bit,     // one bit of the payload is wrong (the checksum no longer fits)
  size_field,      // size_bytes does not fit the file
  payload_offset,  // the payload is said to lie behind the end
  component_size,  // the first component is said to be larger than the file
  header_version,  // a version nobody knows
  empty,
};
std::vector<std::byte> damaged(std::vector<std::byte> file, Damage damage);

}  // namespace hcq::models::am
