// SPDX-License-Identifier: MIT
// Which part of a chip its status registers protect against erase and program. BP bits and CMP interact: clearing a bit
// may protect more, so ranges are computed before and after any change.
#pragma once

#include <cstdint>
#include <optional>
#include <string>

namespace hcq::spi {

struct StatusRegisters {
  std::uint8_t sr1 = 0, sr2 = 0, sr3 = 0;
  bool operator==(const StatusRegisters&) const = default;
};

struct ProtectedRange {
  std::uint32_t offset = 0, size = 0;  // size 0: nothing is protected
  bool hits(std::uint32_t at, std::uint32_t bytes) const {
    return size != 0 && at < offset + size && offset < at + bytes;
  }
  bool operator==(const ProtectedRange&) const = default;
};

// By the rule of the GD25Q family. `chip_bytes` is a power of two.
ProtectedRange protected_range(const StatusRegisters& s, std::uint32_t chip_bytes);

// "nothing", "all 2 MiB", "64 KiB from 0x1f0000 to 0x1fffff"
std::string describe(const ProtectedRange& r, std::uint32_t chip_bytes);

// Who may change the status registers.
enum class RegisterLock : std::uint8_t {
  none,               // SRP1:SRP0 = 00: software
  pin,                // 01: only while the write-protect pin is high
  until_power_cycle,  // 10
  forever,            // 11: one-time
};
RegisterLock register_lock(const StatusRegisters& s);
const char* describe(RegisterLock l);

// The nearest registers under which nothing is protected: only CMP and BP bits differ, and as few as possible.
StatusRegisters without_protection(const StatusRegisters& s, std::uint32_t chip_bytes);

// One sentence about what clearing only CMP would do, when that is worse than what is there; empty otherwise.
std::string warn_about_clearing_cmp(const StatusRegisters& s, std::uint32_t chip_bytes);

}  // namespace hcq::spi
