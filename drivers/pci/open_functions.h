// SPDX-License-Identifier: MIT
// The functions that this process has open, for what must still be done when it ends without closing them (a signal):
// no device may go on writing to memory that is about to be somebody else's.
//
// A transport (sysfs, VFIO, a model) holds an OpenFunction for as long as its config space can be reached; wrappers
// round another Function do not.
#pragma once

#include <cstdint>
#include <functional>
#include <mutex>
#include <string>
#include <vector>

#include "base/error.h"

namespace hcq::pci {

class OpenFunction {
 public:
  struct Access {
    // PCI_COMMAND, 2 bytes. Called from another thread while the owner uses the function, so they touch nothing that
    // the owner changes.
    std::function<Result<std::uint32_t>()> read_command;
    std::function<Status(std::uint32_t)> write_command;
    std::string note{};  // what else the user must know when the function is not closed; empty: nothing
  };
  OpenFunction(std::string name, Access access);
  ~OpenFunction();  // waits for a stop_all_dma() that is running
  OpenFunction(const OpenFunction&) = delete;
  OpenFunction& operator=(const OpenFunction&) = delete;

 private:
  friend std::vector<struct StoppedFunction> stop_all_dma();
  std::string name_;
  Access access_;
};

struct StoppedFunction {
  std::string name, note;
  Status status;  // what kept bus mastering on; a device that has left the bus is no error
};

// Switches bus mastering off on every open function, and refuses set_bus_master(f, true) from then on: the process is
// about to end. Thread-safe.
std::vector<StoppedFunction> stop_all_dma();

// Held while bus mastering is switched on; Errc::refused after stop_all_dma().
Result<std::unique_lock<std::mutex>> permit_dma(const std::string& name);

}  // namespace hcq::pci
