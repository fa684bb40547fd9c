// SPDX-License-Identifier: MIT
// The device lock: one file per device, flock'ed for as long as a process drives the device. It is taken before
// anything of the device is touched and ends with the process, however that ends. The files are never deleted, because
// deleting would let two processes lock two different files of one name.
#pragma once

#include <sys/types.h>

#include <optional>
#include <string>
#include <vector>

#include "base/error.h"
#include "base/file.h"
#include "drivers/pci/host.h"

namespace hcq::pci {

struct LockHolder {
  pid_t pid = 0;        // 0: a process this one cannot see, for example in another container
  std::string command;  // its command line, arguments joined by blanks; empty when unreadable
  bool certain = true;  // false: known only as the process that took the lock; a child may hold it by now
};

// "pid 4711 (hcq-run matmul a.npy b.npy)"
std::string describe(const LockHolder& holder);

// Movable; unlocks when destroyed.
class DeviceLock {
 public:
  // `name` is the device ("0000:03:00.0"). Errc::busy names the holder; Errc::permission and Errc::not_found (lock
  // directory missing) are told apart from it. Works on a lock file that belongs to another user.
  static Result<DeviceLock> acquire(const Host& host, const std::string& name);
  const std::string& path() const { return path_; }

 private:
  DeviceLock(Fd fd, std::string path) : fd_(std::move(fd)), path_(std::move(path)) {}
  Fd fd_;
  std::string path_;
};

std::string lock_path(const Host& host, const std::string& name);

// Who holds the lock of `name`, found without touching the lock itself; nullopt when it is free.
std::optional<LockHolder> lock_holder(const Host& host, const std::string& name);

// Every process that holds the lock of `name`: the one that took it and children that inherited it. When processes of
// other users cannot be looked into, the one answer is the taker, not certain.
std::vector<LockHolder> lock_holders(const Host& host, const std::string& name);

// Every process that has one of the files open (device nodes of a kernel driver, a VFIO group), this process excluded.
std::vector<LockHolder> openers_of(const Host& host, const std::vector<std::string>& paths);

// A process that has `path` open (a VFIO group, for example), this process excluded.
std::optional<LockHolder> opener_of(const Host& host, const std::string& path);

}  // namespace hcq::pci
