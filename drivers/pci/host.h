// SPDX-License-Identifier: MIT
// The machine as pci sees it: where sysfs, procfs and the device nodes are, and how a sysfs attribute is written. All
// of it is a parameter, so that unit tests run on trees they made themselves.
#pragma once

#include <chrono>
#include <cstdint>
#include <functional>
#include <string>
#include <string_view>

#include "base/error.h"

namespace hcq::pci {

struct Host {
  std::string sysfs = "/sys";
  std::string proc = "/proc";
  std::string dev = "/dev";
  std::string lock_directory =
      "/run/lock";  // holds one lock file per device; must be writable for all who open devices

  // Writes `text` to an existing sysfs attribute. Tests replace it to play the kernel's part.
  std::function<Status(const std::string& path, std::string_view text)> write_attribute;

  Host();
  // The machine this process runs on; the lock directory is /run/lock where that is writable, else $TMPDIR or /tmp.
  static Host system();

  std::string device_directory(const std::string& bdf) const { return sysfs + "/bus/pci/devices/" + bdf; }
};

// "03:00.0" or "0000:03:00.0" in any case -> "0000:03:00.0"; anything else is Errc::invalid_argument. Everything that
// becomes part of a path goes through this.
Result<std::string> parse_bdf(std::string_view text);

// Whole attribute as one number, decimal or 0x-hexadecimal. Garbage is Errc::corrupt.
Result<std::uint64_t> read_number(const std::string& path);

// Last component of the symbolic link's target ("driver" -> "amdgpu"); empty when there is no such link.
std::string link_name(const std::string& path);

// Writes in a child process and gives up after `limit`: a write to unbind, bind or reset can hang inside the kernel,
// and a hanging write cannot be interrupted. Never creates the file.
Status write_attribute_within(const std::string& path, std::string_view text, std::chrono::milliseconds limit);

// The same error with the device's name filled in.
inline Error on_device(Error e, const std::string& device) {
  e.device = device;
  return e;
}

}  // namespace hcq::pci
