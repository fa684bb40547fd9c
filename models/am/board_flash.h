// SPDX-License-Identifier: MIT
// A board's flash and all that the host can reach it through: the chip, the ROM controller, the PSP's mailbox. At
// power-on the content decides what the board is: one that boots runs from its flash, keeps the ROM engine to itself
// and listens at the mailbox; one that does not leaves the engine to whoever wants to repair it.
#pragma once

#include <cstdint>
#include <functional>
#include <memory>
#include <string>

#include "base/error.h"
#include "base/file.h"
#include "models/am/flash_mailbox.h"
#include "models/am/rom.h"
#include "models/am/synthetic_ifwi.h"
#include "models/spi/nor_chip.h"

namespace hcq::models::am {

struct BoardFlashOptions {
  spi::NorOptions chip;
  RomOptions rom;
  // Whether a content boots; default: boot_verdict().
  std::function<BootVerdict(Bytes)> verdict;
  spi::NorChip::Now now = [] { return Clock::now(); };
};

class BoardFlash {
 public:
  BoardFlash(Registers& registers, Referee& referee, BoardFlashOptions options);

  // Content from a file of exactly the chip's size, which is made with `initial` when it is not there; from then on
  // save() writes it back.
  Status use_file(const std::string& path, Bytes initial);
  void save();

  void power_on();  // registers have their reset values
  void power_cut();
  void set_secure_os(bool running) { mailbox_.set_secure_os(running); }
  bool boots() const { return verdict_.boots; }
  const BootVerdict& verdict() const { return verdict_; }

  spi::NorChip& chip() { return chip_; }
  FlashMailbox& mailbox() { return mailbox_; }

 private:
  BoardFlashOptions options_;
  spi::NorChip chip_;
  Rom rom_;
  FlashMailbox mailbox_;
  BootVerdict verdict_;
  std::string file_;
};

}  // namespace hcq::models::am
