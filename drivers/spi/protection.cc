// SPDX-License-Identifier: MIT
#include "drivers/spi/protection.h"

#include <fmt/format.h>

#include <algorithm>
#include <bit>

#include "drivers/spi/abi/nor.h"

namespace hcq::spi {
namespace {

std::string size_text(std::uint32_t bytes) {
  if (bytes % (1u << 20) == 0) return fmt::format("{} MiB", bytes >> 20);
  return fmt::format("{} KiB", bytes >> 10);
}

unsigned bp_of(const StatusRegisters& s) { return s.sr1 >> std::countr_zero(abi::BP0) & 7; }

}  // namespace

// BP2:0 give the length, BP4 its unit, BP3 the side, CMP the complement.
ProtectedRange protected_range(const StatusRegisters& s, std::uint32_t chip_bytes) {
  const unsigned bp = bp_of(s);
  std::uint64_t length = 0;
  if (bp == 7) {
    length = chip_bytes;
  } else if (bp != 0) {
    const bool sectors = s.sr1 & abi::BP4;
    length = std::uint64_t{sectors ? 4u << 10 : 64u << 10} << (bp - 1);
    if (sectors) length = std::min<std::uint64_t>(length, 32u << 10);
    length = std::min<std::uint64_t>(length, chip_bytes);
  }
  bool bottom = s.sr1 & abi::BP3;
  if (s.sr2 & abi::CMP) {
    length = chip_bytes - length;
    bottom = !bottom;
  }
  const auto size = static_cast<std::uint32_t>(length);
  if (size == 0) return {};
  return {bottom ? 0 : chip_bytes - size, size};
}

std::string describe(const ProtectedRange& r, std::uint32_t chip_bytes) {
  if (r.size == 0) return "nothing";
  if (r.size == chip_bytes) return "all " + size_text(chip_bytes);
  return fmt::format("{} from {:#x} to {:#x}", size_text(r.size), r.offset, r.offset + r.size - 1);
}

RegisterLock register_lock(const StatusRegisters& s) {
  const bool srp0 = s.sr1 & abi::SRP0, srp1 = s.sr2 & abi::SRP1;
  if (srp1) return srp0 ? RegisterLock::forever : RegisterLock::until_power_cycle;
  return srp0 ? RegisterLock::pin : RegisterLock::none;
}

const char* describe(RegisterLock l) {
  switch (l) {
    case RegisterLock::none:
      return "software may change them";
    case RegisterLock::pin:
      return "locked while the chip's write-protect pin is low";
    case RegisterLock::until_power_cycle:
      return "locked until the next power cycle";
    case RegisterLock::forever:
      return "locked for ever";
  }
  return "unknown";
}

StatusRegisters without_protection(const StatusRegisters& s, std::uint32_t chip_bytes) {
  StatusRegisters best = s;
  int fewest = 100;
  for (unsigned bits = 0; bits < 64; ++bits) {
    StatusRegisters t = s;
    t.sr1 = static_cast<std::uint8_t>((s.sr1 & ~abi::kBlockProtect) | (bits & 31) << std::countr_zero(abi::BP0));
    t.sr2 = static_cast<std::uint8_t>((s.sr2 & ~abi::CMP) | (bits & 32 ? abi::CMP : 0));
    if (protected_range(t, chip_bytes).size != 0) continue;
    const int changed =
        std::popcount(static_cast<unsigned>(t.sr1 ^ s.sr1)) + std::popcount(static_cast<unsigned>(t.sr2 ^ s.sr2));
    if (changed < fewest) best = t, fewest = changed;
  }
  return best;
}

std::string warn_about_clearing_cmp(const StatusRegisters& s, std::uint32_t chip_bytes) {
  if (!(s.sr2 & abi::CMP)) return {};
  StatusRegisters cleared = s;
  cleared.sr2 &= static_cast<std::uint8_t>(~abi::CMP);
  const ProtectedRange now = protected_range(s, chip_bytes), then = protected_range(cleared, chip_bytes);
  if (then.size <= now.size) return {};
  return fmt::format("CMP is set: clearing it alone would protect {} instead of {}", describe(then, chip_bytes),
                     describe(now, chip_bytes));
}

}  // namespace hcq::spi
