// SPDX-License-Identifier: MIT
// The ROM controller of SMUIO: a software engine (ROM_SW_*) that makes one SPI transaction at a time, and the window
// ROM_INDEX/ROM_DATA on the flash's content. Source: the register headers of SMUIO 13.0.6; the rules of a transaction
// are those that flash tools for Navi31 follow (docs/unverified.md).
//
// A transaction starts when ROM_SW_CNTL is written after ROM_SW_COMMAND. What is received shows up one transaction
// late, and only the bytes that were received are new.
#pragma once

#include <array>
#include <cstdint>
#include <mutex>
#include <string>
#include <vector>

#include "models/am/registers.h"
#include "models/spi/nor_chip.h"

namespace hcq::models::am {

struct RomOptions {
  enum class Window : std::uint8_t {
    natural,   // ROM_INDEX in bytes; advances when ROM_CNTL bit 29 is set
    advances,  // as natural, but always advances
    swapped,   // writes arrive with their bytes reversed, ROM_INDEX counts 256-byte units
    mirrored,  // as natural, but the upper half shows the lower one
    absent,    // reads all ones
  };
  Window window = Window::natural;
  std::vector<std::byte> behind{};  // what the window shows behind the flash's end: the video BIOS; then it is erased
  bool late = true;                 // the one-transaction-late receive window
  unsigned min_prescale = 4;        // a faster clock reads wrong bits
  double time_scale = 1;
};

class Rom {
 public:
  Rom(Registers& registers, Referee& referee, spi::NorChip& chip, spi::NorChip::Now now, RomOptions options);

  // The engine does not answer while the board runs from its flash.
  void set_gated(bool on);
  void power_on();
  void power_cut() { power_on(); }

 private:
  static constexpr unsigned kDataBytes = 256, kDataDwords = kDataBytes / 4;

  void add_engine();
  void add_window();
  void control_written(std::uint32_t value);
  void start(std::uint32_t control);
  bool is_set_up() const;
  std::uint32_t status();
  std::uint32_t window_read();
  std::uint32_t address_in_flash(std::uint32_t index) const;
  void report(const char* rule, const char* where, std::uint32_t value, std::string text);

  Registers& registers_;
  Referee& referee_;
  spi::NorChip& chip_;
  const spi::NorChip::Now now_;
  const RomOptions options_;

  std::mutex mutex_;
  bool gated_ = false, armed_ = false, running_ = false, done_ = false;
  Clock::time_point end_{};
  std::array<std::byte, kDataBytes> send_{}, capture_{}, shown_{};
  std::uint32_t index_ = 0;  // of the window, in bytes
};

}  // namespace hcq::models::am
