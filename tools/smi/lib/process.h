// SPDX-License-Identifier: MIT
// `hcq-smi pids` and `kill-pids`: who uses a device, and ending those that hold its lock.
#pragma once

#include <chrono>
#include <functional>
#include <string>
#include <vector>

#include "tools/smi/lib/target.h"

namespace hcq::smi {

struct Processes {
  Target target;
  std::vector<pci::LockHolder> holders;  // drive it through hcq
  std::vector<pci::LockHolder> users;    // have a node of its kernel driver or its VFIO group open; holders left out
};

std::vector<Processes> find_processes(const pci::Host& host, const std::vector<Target>& targets);

// One pid a line with its device and command line; or one JSON document.
std::string processes_text(const std::vector<Processes>& all);
std::string processes_json(const std::vector<Processes>& all);

struct KillOptions {
  std::chrono::milliseconds grace{5000};            // between SIGTERM and SIGKILL
  std::chrono::milliseconds limit{10000};           // for a killed process to be gone
  std::function<bool(const std::string&)> confirm;  // sees the list of what will be ended; false: nothing is done
  std::function<void(const std::string&)> say;      // one line of what happens
};

struct KillReport {
  std::vector<int> ended;  // pids
  bool dirty = false;      // a process was ended: the next open does a full reset
};

// Ends the holders of the target's lock, children that inherited it included, until the lock is free. Never pid 1, this
// process or its ancestors, and never a pid that does not hold the lock at the moment of the signal: it is looked up
// again through a pidfd, so that a reused pid is not hit. Errc::refused when the answer is no or a holder must not be
// ended, Errc::permission when the system forbids it, Errc::timeout when a process does not die.
Result<KillReport> kill_holders(const pci::Host& host, const Target& target, const KillOptions& options);

}  // namespace hcq::smi
