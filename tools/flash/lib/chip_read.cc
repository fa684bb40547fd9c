// SPDX-License-Identifier: MIT
#include "tools/flash/lib/chip_read.h"

#include "base/file.h"
#include "drivers/am/flash/checksum.h"

namespace hcq::flash {

Error unstable_error(spi::Nor& nor, std::uint32_t sector) {
  Error e = nor.error(Errc::refused, "flash/read", sector, "two reads of the chip differ in this sector");
  e.hint = "nothing was changed; try a slower clock with --prescale 15";
  return e;
}

Result<std::vector<std::byte>> read_both(spi::Nor& nor, const Progress& progress,
                                         std::vector<std::uint32_t>& unstable) {
  std::vector<std::byte> first(nor.identity().bytes), second(nor.identity().bytes);
  HCQ_TRY(read_chip(nor, first, "read", progress));
  HCQ_TRY(read_chip(nor, second, "read again", progress));
  unstable = differing_sectors(first, second);
  return first;
}

Result<std::vector<std::byte>> read_stable(spi::Nor& nor, const Progress& progress) {
  std::vector<std::uint32_t> unstable;
  auto content = HCQ_TRY(read_both(nor, progress, unstable));
  if (!unstable.empty()) return unstable_error(nor, unstable.front());
  return content;
}

Status erase_with_retries(spi::Nor& nor, std::uint32_t address) {
  for (unsigned n = 1;; ++n) {
    const Status s = erase_checked(nor, address);
    if (s.ok() || n == kTries || s.error().code != Errc::device_fault) return s.ok() ? Status() : Status(s.error());
  }
}

Result<std::vector<std::byte>> read_job_file(const std::string& path, const std::string& sha256, std::uint64_t bytes) {
  auto content = HCQ_TRY(read_file(path, bytes));
  if (content.size() == bytes && am::flash::sha256_hex(content) == sha256) return content;
  return Error{.code = Errc::corrupt,
               .operation = "flash/resume",
               .subject = path,
               .detail = "the file is not the one that the job began with"};
}

}  // namespace hcq::flash
