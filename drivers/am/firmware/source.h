// SPDX-License-Identifier: MIT
// Where firmware files come from: directories, or memory (synthetic files, tests). Asked in order by file name.
#pragma once

#include <map>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "base/bytes.h"
#include "base/error.h"

namespace hcq::am {

struct FirmwareFile {
  std::string path;  // where it came from, for people
  std::vector<std::byte> data;
};

class FirmwareSource {
 public:
  virtual ~FirmwareSource() = default;
  // The file, nothing when this source does not have it, or an error when it has it and it cannot be used.
  virtual Result<std::optional<FirmwareFile>> find(const std::string& name) const = 0;
  // What was looked at, for the message when no source has the file.
  virtual std::string describe(const std::string& name) const = 0;
};
using FirmwareSources = std::vector<std::shared_ptr<const FirmwareSource>>;

// DIR/NAME and DIR/amdgpu/NAME. Files that exist only compressed (NAME.zst, NAME.xz) are reported as such.
std::shared_ptr<const FirmwareSource> firmware_directory(std::string directory);

// Files by name, held in memory; `label` is what paths begin with.
std::shared_ptr<const FirmwareSource> firmware_memory(std::string label,
                                                      std::map<std::string, std::vector<std::byte>> files);

// $HCQ_FIRMWARE_PATH (colon-separated) first, then what the caller has, then /lib/firmware and /usr/lib/firmware.
FirmwareSources firmware_chain(const FirmwareSources& from_caller);

// Asks each source in turn. Errc::not_found lists every place that was searched.
Result<FirmwareFile> load_firmware(const FirmwareSources& sources, const std::string& name);

}  // namespace hcq::am
