// SPDX-License-Identifier: MIT
// What a firmware image (IFWI) is made of. The parser takes any bytes: every pointer, size and count is checked before
// use, and what is wrong becomes a finding with a short stable name, not a failure.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "base/bytes.h"
#include "base/error.h"
#include "drivers/am/flash/expansion_rom.h"

namespace hcq::am::flash {

struct Region {
  std::string name{};  // "ish_a", "slot_b", "rom_0"
  std::uint32_t offset = 0, size = 0;
};

struct IfwiFile {
  std::uint8_t type = 0;
  std::uint32_t offset = 0, size = 0;
  std::uint32_t value = 0;  // of a fuse chain entry, which has no file
  bool has_header = false;  // the rest is from the file's header
  std::string version{};    // "0.49.7.0"
  bool encrypted = false, compressed = false, is_signed = false;
  std::optional<bool> digest_matches{};  // absent when the header does not say what it covers
};

struct IfwiDirectory {
  std::string name{};   // "psp_a", "slot_a"
  std::string magic{};  // "$PSP"
  std::uint32_t offset = 0, count = 0, checksum = 0, computed = 0;
  std::vector<IfwiFile> files{};
  bool checksum_matches() const { return checksum == computed; }
};

struct IfwiSlotHeader {
  std::string name{};  // "ish_a"
  std::uint32_t offset = 0, checksum = 0, computed = 0, boot_priority = 0, update_retry_count = 0, location = 0,
                psp_id = 0, slot_size = 0;
  bool checksum_matches() const { return checksum == computed; }
  bool present = false;  // not erased
};

struct IfwiSignature {
  std::uint32_t type = 0, offset = 0, size = 0;
};

// Something that is not as it should be. `name` is stable and has no blanks: users type it to accept the finding.
struct Finding {
  std::string name{};  // "psp_a_checksum"
  std::string text{};
  std::optional<std::uint32_t> offset{};
};

struct Ifwi {
  std::vector<IfwiDirectory> directories{};
  std::vector<IfwiSlotHeader> slots{};
  std::optional<std::uint32_t> signature_table{};  // offset
  std::vector<IfwiSignature> signatures{};
  std::vector<ExpansionRom> roms{};
  std::vector<Finding> findings{};  // in order of offset of what they are about
  std::vector<Region> regions{};    // named parts, by offset; they do not overlap
};

Ifwi parse_ifwi(Bytes image);

// The part of an image that the firmware asks for by number (drivers/am/abi/ifwi.h).
Result<Bytes> ifwi_item(Bytes image, std::uint8_t item);

}  // namespace hcq::am::flash
