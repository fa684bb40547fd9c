// SPDX-License-Identifier: MIT
// `hcq-smi rmmod`, `insmod`, `bind`, `unbind`: which kernel driver has a device. Everything here changes the machine,
// so it says first what it does, and refuses while somebody uses the device.
#pragma once

#include <functional>
#include <string>
#include <vector>

#include "tools/smi/lib/target.h"

namespace hcq::smi {

struct DriverOptions {
  bool force = false;                           // go on although the device is in use or shows the console
  std::string modprobe = "modprobe";            // the program that loads and unloads
  std::function<void(const std::string&)> say;  // one line of what happens
  std::chrono::milliseconds limit{30000};       // for a driver to come or go
};

// Modules of the families that are loaded; `family` empty: GPUs of all families.
std::vector<std::string> loaded_modules(const pci::Host& host, const std::string& family);

// What stands in the way of taking the kernel driver from the target; empty: nothing.
std::vector<std::string> unbind_obstacles(const pci::Host& host, const Target& target);

// Unloads the modules of the family. Errc::refused, with the reasons, while a device of theirs is in use.
Status remove_modules(const pci::Host& host, const std::string& family, const DriverOptions& options);

// Loads the kernel driver of the family. Errc::refused while a process drives one of its devices through hcq.
Status insert_modules(const pci::Host& host, const std::string& family, const DriverOptions& options);

// Leaves the function without a kernel driver, until something binds it.
Status unbind_driver(const pci::Host& host, const Target& target, const DriverOptions& options);

// Binds the function to `driver`, or to the one that the kernel finds for it when empty. A bound one is unbound first.
Status bind_driver(const pci::Host& host, const Target& target, const std::string& driver,
                   const DriverOptions& options);

}  // namespace hcq::smi
