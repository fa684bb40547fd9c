// SPDX-License-Identifier: MIT
// Which devices a command is about. Looking here opens no PCI device; a served model (model:unix:PATH) is connected to,
// which is the only way to ask it who has it.
#pragma once

#include <string>
#include <vector>

#include "base/error.h"
#include "drivers/pci/scan.h"

namespace hcq::smi {

// Exit codes of hcq-smi.
enum Exit { kOk = 0, kFailed = 1, kUsage = 2, kNotFound = 3, kRefused = 4 };
int exit_code(const Error& e);

struct Selection {
  std::string device;      // an address of devices/address.h or a bare PCI address; empty: not named
  std::string family;      // "am", "nv", ...; empty: all
  std::string bus_prefix;  // only PCI addresses that begin so; "0000:" may be left out
  bool all = false;        // every PCI function, not only those of a known kind
};

struct Target {
  pci::FunctionInfo info;  // `bdf` is the PCI address, or the whole address of a model
  std::string socket;      // of a served model; empty for a PCI function
  bool is_model() const { return !socket.empty(); }
  const std::string& address() const { return info.bdf; }
};

struct Found {
  std::vector<Target> targets;  // ordered by address; filters change no order
  std::vector<Error> problems;  // functions that were there but could not be read; they hide no others
};

// All devices that match. Errc::not_found when one was named and is not there.
Result<Found> find_targets(const pci::Host& host, const Selection& selection);

// Exactly one: the named one, or the only one there is. Errc::not_found when there is none, Errc::invalid_argument,
// with the list, when several match.
Result<Target> find_one(const pci::Host& host, const Selection& selection);

// Every process that drives the device through hcq.
std::vector<pci::LockHolder> holders_of(const pci::Host& host, const Target& target);

// Device nodes of a kernel driver's users: /dev/dri/*, /dev/kfd, /dev/nvidia*, the VFIO group.
std::vector<std::string> device_nodes(const pci::Host& host, const Target& target);

}  // namespace hcq::smi
