// SPDX-License-Identifier: MIT
#include "models/fabric/capture.h"

#include <cerrno>

#include "base/file.h"
#include "base/log.h"

namespace hcq::models::fabric {

namespace {

struct FileHeader {
  std::uint32_t magic = 0xa1b23c4d;  // nanoseconds, in this machine's byte order
  std::uint16_t major = 2, minor = 4;
  std::uint32_t zone = 0, accuracy = 0, longest = 65535, link = 1;  // link type 1: Ethernet
};
static_assert(sizeof(FileHeader) == 24);

struct RecordHeader {
  std::uint32_t seconds, nanoseconds, kept, length;
};
static_assert(sizeof(RecordHeader) == 16);

}  // namespace

Result<std::unique_ptr<Capture>> Capture::create(const std::string& path) {
  std::FILE* const file = std::fopen(path.c_str(), "wbe");
  if (file == nullptr) return errno_error(errno, "capture", path);
  std::unique_ptr<Capture> c(new Capture(file));
  const FileHeader header;
  if (std::fwrite(&header, sizeof header, 1, file) != 1) return errno_error(errno, "capture", path);
  return c;
}

Capture::~Capture() { std::fclose(file_); }

void Capture::record(Bytes frame, std::chrono::nanoseconds at) {
  const auto seconds = std::chrono::duration_cast<std::chrono::seconds>(at);
  const auto n = static_cast<std::uint32_t>(frame.size());
  const RecordHeader header{static_cast<std::uint32_t>(seconds.count()),
                            static_cast<std::uint32_t>((at - seconds).count()), n, n};
  const std::lock_guard lock(mutex_);
  if (broken_) return;
  if (std::fwrite(&header, sizeof header, 1, file_) != 1 || std::fwrite(frame.data(), n, 1, file_) != 1) {
    broken_ = true;
    log::warn("fabric: the capture file cannot be written any further");
  }
}

}  // namespace hcq::models::fabric
