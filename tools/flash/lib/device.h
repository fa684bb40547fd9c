// SPDX-License-Identifier: MIT
// Which device a command works on, and the way to its flash.
#pragma once

#include <memory>
#include <string>
#include <vector>

#include "drivers/am/flash/board.h"
#include "drivers/am/flash/rom_engine.h"
#include "drivers/am/flash/rom_window.h"
#include "drivers/pci/host.h"
#include "drivers/pci/scan.h"
#include "drivers/spi/nor.h"
#include "tools/flash/lib/writer.h"

namespace hcq::flash {

enum class Transport : std::uint8_t { automatic, pci, usb };

// The address that is meant: `wanted`, or the only AMD display function of this machine. Errc::not_found when there is
// none, Errc::invalid_argument when there are several or the transport cannot reach the address, Errc::unimplemented
// for USB bridges.
Result<std::string> choose_device(const pci::Host& host, const std::string& wanted, Transport transport);

// Errc::refused for a function that a kernel driver owns, with the kernel's own way to flash it.
Status check_owner(const pci::FunctionInfo& info);

struct OpenOptions {
  Transport transport = Transport::automatic;
  unsigned prescale = am::flash::kDefaultPrescale;
};

// A board and, where it is to be had, its raw engine with the chip.
class Device {
 public:
  static Result<std::unique_ptr<Device>> open(const pci::Host& host, const std::string& wanted,
                                              const OpenOptions& options, spi::Pacer& pacer);
  // On a function that is open already.
  static Result<std::unique_ptr<Device>> open(std::unique_ptr<pci::Function> function, std::string address,
                                              const OpenOptions& options, spi::Pacer& pacer);
  ~Device();

  const std::string& address() const { return address_; }
  am::flash::Board& board() { return *board_; }
  bool gated() const { return engine_ == nullptr; }
  spi::Nor& nor() { return *nor_; }  // not when gated
  // Errc::refused when gated.
  Status need_engine() const;
  // Puts the registers back.
  Status close();

 private:
  Device() = default;
  std::string address_;
  std::unique_ptr<am::flash::Board> board_;
  std::unique_ptr<am::flash::RomEngine> engine_;
  std::unique_ptr<spi::Nor> nor_;
};

// The whole flash, read twice and the same both times: by the engine, or through the window of a board that runs from
// it, whose content must then look like an image.
Result<std::vector<std::byte>> read_flash(Device& device, am::flash::RomOrder order, const Progress& progress);

}  // namespace hcq::flash
