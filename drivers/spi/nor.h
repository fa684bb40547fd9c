// SPDX-License-Identifier: MIT
// spi::Nor: one serial NOR flash chip behind a Controller. It knows the chip's identity, never sends a write-enable
// unless a method that changes the chip is called, and says in every error which chip, where, and what its status
// registers read. Not thread-safe.
#pragma once

#include <array>
#include <cstdint>
#include <optional>
#include <string>

#include "drivers/spi/controller.h"
#include "drivers/spi/protection.h"
#include "drivers/spi/sfdp.h"

namespace hcq::spi {

struct ChipIdentity {
  std::array<std::uint8_t, 3> jedec{};
  std::string name{};               // "GigaDevice GD25LQ16", or "unknown chip"
  std::uint32_t bytes = 0;        // 0: neither the table nor SFDP says
  bool protection_known = false;  // protected_range() holds
  std::optional<SfdpInfo> sfdp{};   // absent when the chip has no such table
  std::string sfdp_problem{};       // why it is absent
  std::string text() const;       // "GigaDevice GD25LQ16 (c8 60 15)"
};

class Nor {
 public:
  // Both must outlive this.
  Nor(Controller& controller, Pacer& pacer) : controller_(controller), pacer_(pacer) {}

  // Reads the JEDEC id (twice, they must agree) and the SFDP table. Errc::not_found when nothing answers.
  Status probe();
  const ChipIdentity& identity() const { return identity_; }
  // Ok when the chip is one that may be written: size known and confirmed, 4 KiB erase, protection understood.
  Status check_writable_kind() const;

  Result<StatusRegisters> status();
  Status read(std::uint32_t address, MutableBytes out);

  // These change the chip. Each sets the write-enable latch and sees that it is set, waits for the end with a limit,
  // and does not look at the result: the caller reads back.
  Status erase_sector(std::uint32_t address);               // 4 KiB, aligned
  Status program_page(std::uint32_t address, Bytes data);   // inside one 256-byte page
  Status write_status(std::uint8_t sr1, std::uint8_t sr2);  // reads back itself

  // An error about this chip, with its identity and status registers (when they can still be read).
  Error error(Errc code, const char* operation, std::uint32_t address, std::string detail);

 private:
  Status enable_write(const char* operation, std::uint32_t address);
  Status wait_ready(const char* operation, std::uint32_t address, Clock::duration limit, Clock::duration poll);
  Result<std::uint8_t> read_register(std::uint8_t instruction);
  Status wait_for_earlier_work();
  Status read_jedec();
  void read_sfdp();

  Controller& controller_;
  Pacer& pacer_;
  ChipIdentity identity_;
};

}  // namespace hcq::spi
