// SPDX-License-Identifier: MIT
// What the PSP of this chip accepts. Silicon checks signatures; the model checks that the bytes are a component of a
// file it knows: the synthetic set, and the vendor's files when it has been told where they are.
#pragma once

#include <cstdint>
#include <map>
#include <optional>
#include <string>
#include <vector>

#include "base/bytes.h"
#include "base/error.h"
#include "models/am/chip.h"

namespace hcq::models::am {

class KnownFirmware {
 public:
  struct Blob {
    std::uint64_t hash = 0, size = 0, start_address = 0;
  };

  // Adds the components of one file. A file that cannot be parsed adds nothing and is an error.
  Status add_file(const std::string& name, Bytes file);
  // Adds every file of the synthetic set, and those of `directory` (or its amdgpu/ subfolder) that exist there.
  static Result<KnownFirmware> load(const std::string& directory);

  // Blobs by PSP_FW_TYPE_* (components of the sOS file) and by GFX_FW_TYPE_*.
  const std::vector<Blob>& bootloader(std::uint32_t psp_fw_type) const;
  const Blob* find(std::uint32_t gfx_fw_type, Bytes content) const;
  bool is_application(Bytes content) const;  // of the file of trusted applications
  bool has_type(std::uint32_t gfx_fw_type) const { return loadable_.count(gfx_fw_type) != 0; }

 private:
  Status add_psp(const ByteReader& r);
  Status add_applications(const ByteReader& r);
  Status add_smu(const ByteReader& r);
  Status add_sdma(const ByteReader& r);
  Status add_rs64(const ByteReader& r, std::uint32_t code, std::vector<std::uint32_t> stacks);
  Status add_mes(const ByteReader& r, std::uint32_t code, std::uint32_t stack);
  Status add_imu(const ByteReader& r);
  Status add_rlc(const ByteReader& r);
  Status add(std::uint32_t type, const ByteReader& r, std::uint64_t offset, std::uint64_t size,
             std::uint64_t start = 0);

  std::map<std::uint32_t, std::vector<Blob>> boot_, loadable_;
  std::vector<Blob> applications_;
};

}  // namespace hcq::models::am
