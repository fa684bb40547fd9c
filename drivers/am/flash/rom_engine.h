// SPDX-License-Identifier: MIT
// RomEngine: the software engine of the ROM controller (ROM_SW_*) as an spi::Controller. It answers on boards whose
// firmware did not start; a board that runs from its flash keeps it to itself ("gated").
//
// What the engine needs from other registers (pads, page mirror, ROM_CNTL) is set up once and put back by close(), also
// from the destructor. What it receives shows up one transaction late, so that every read is made twice, except for
// long ones, where a look at the chip's id has shown that "one" is exact.
//
// Sequence and constants: flash tools for Navi31, register names and fields: SMUIO 13.0.6 headers. Not verified on
// silicon by us.
#pragma once

#include <memory>

#include "drivers/am/flash/board.h"
#include "drivers/spi/controller.h"

namespace hcq::am::flash {

inline constexpr unsigned kDefaultPrescale = 8, kSlowestPrescale = 15;

class RomEngine final : public spi::Controller {
 public:
  // False when the engine is gated. Changes nothing but the engine's own done bit.
  static Result<bool> available(Board& board);

  // `board` must outlive the engine. Errc::refused when it is gated.
  static Result<std::unique_ptr<RomEngine>> open(Board& board, unsigned prescale = kDefaultPrescale);
  ~RomEngine() override;
  RomEngine(const RomEngine&) = delete;
  RomEngine& operator=(const RomEngine&) = delete;

  // Puts every register back. The engine can do nothing afterwards.
  Status close();

  const std::string& name() const override { return board_.name(); }
  std::size_t max_data() const override { return kMaxData; }
  Status send(const spi::Command& command, Bytes data) override;
  Status receive(const spi::Command& command, MutableBytes data) override;
  Status read(std::uint32_t address, MutableBytes data) override;

  static constexpr std::size_t kMaxData = 256;

 private:
  struct Saved {
    std::uint32_t mask = 0, a = 0, en = 0, mirror = 0, control = 0;
  };
  explicit RomEngine(Board& board) : board_(board), io_(board.io()) {}
  Status set_up(unsigned prescale);
  Status transact(const spi::Command& command, std::size_t count, bool receive, Bytes out);
  Status fetch(MutableBytes data);
  Status clear();
  Result<bool> exactly_one_late();
  Status read_in_a_row(std::uint32_t address, MutableBytes data);
  Status read_twice(std::uint32_t address, MutableBytes data);

  Board& board_;
  RegisterIo& io_;
  Saved saved_;
  bool set_up_ = false;
  enum class Rows : std::uint8_t { untested, good, bad } rows_ = Rows::untested;
};

// The error that a gated engine gets, with what to do instead.
Error gated_error(const std::string& device, std::uint32_t status);

}  // namespace hcq::am::flash
