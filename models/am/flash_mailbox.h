// SPDX-License-Identifier: MIT
// The PSP's door to the board's flash (drivers/am/abi/vbflash.h): it asks for the parts of an image one after the
// other, checks them and writes the copy that the board did not boot from. It answers only on a board that booted by
// itself, and refuses updates once a driver has started the secure OS.
#pragma once

#include <array>
#include <cstdint>
#include <map>
#include <mutex>
#include <optional>
#include <vector>

#include "drivers/am/abi/vbflash.h"
#include "models/am/registers.h"
#include "models/spi/nor_chip.h"

namespace hcq::models::am {

class FlashMailbox {
 public:
  FlashMailbox(Registers& registers, Referee& referee, spi::NorChip& chip, spi::NorChip::Now now, double time_scale);

  // `booted`: the board runs from its flash, from the copy `partition`.
  void power_on(bool booted, unsigned partition);
  void set_secure_os(bool running);
  // The n-th command of a kind from now on ends with this error (once).
  void fail_next(std::uint8_t command, std::uint16_t error) { scripted_[command] = error; }

 private:
  struct Answer {
    std::uint16_t error = 0;
    std::uint32_t data = 0;
  };
  void doorbell();
  Answer execute(std::uint8_t command, std::uint32_t data);
  Answer start(std::uint32_t data);
  Answer word(std::uint32_t data);
  Answer end(std::uint32_t data);
  bool acceptable(std::uint8_t item) const;
  void store(std::uint8_t item);
  void conclude();
  std::uint32_t command_register();
  void report(const char* rule, std::uint32_t value, std::string text);

  Registers& registers_;
  Referee& referee_;
  spi::NorChip& chip_;
  const spi::NorChip::Now now_;
  const double time_scale_;

  std::mutex mutex_;
  bool booted_ = false, secure_os_ = false, busy_ = false, active_ = false, updated_ = false;
  unsigned partition_ = 0;
  Clock::time_point done_at_{};
  Answer pending_;
  std::size_t next_ = 0;  // in the table of wanted items
  std::uint8_t item_ = 0;
  std::uint32_t expected_ = 0;
  std::vector<std::byte> received_;
  std::map<std::uint8_t, std::uint16_t> scripted_;
};

}  // namespace hcq::models::am
