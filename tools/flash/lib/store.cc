// SPDX-License-Identifier: MIT
#include "tools/flash/lib/store.h"

#include <fcntl.h>
#include <unistd.h>

#include <cerrno>
#include <cstdlib>
#include <filesystem>
#include <system_error>

#include "base/file.h"

namespace hcq::flash {
namespace {

Status write_and_flush(const std::string& path, Bytes content, bool durable) {
  const Fd fd = HCQ_TRY(open_file(path, O_WRONLY | O_CREAT | O_TRUNC));
  while (!content.empty()) {
    const ssize_t n = ::write(fd.get(), content.data(), content.size());
    if (n < 0 && errno == EINTR) continue;
    if (n < 0) return errno_error(errno, "write", path);
    content = content.subspan(static_cast<std::size_t>(n));
  }
  if (durable && ::fsync(fd.get()) != 0) return errno_error(errno, "flush", path);
  return {};
}

}  // namespace

Status store_file(const std::string& path, Bytes content, bool durable) {
  const std::string temporary = path + ".new";
  HCQ_TRY(write_and_flush(temporary, content, durable));
  if (::rename(temporary.c_str(), path.c_str()) != 0) return errno_error(errno, "rename", path);
  if (!durable) return {};
  const std::string directory = std::filesystem::path(path).parent_path().string();
  const Fd fd = HCQ_TRY(open_file(directory.empty() ? "." : directory, O_RDONLY | O_DIRECTORY));
  if (::fsync(fd.get()) != 0) return errno_error(errno, "flush", directory);
  return {};
}

Status make_directory(const std::string& path) {
  std::error_code ec;
  const auto parent = std::filesystem::path(path).parent_path();
  if (!parent.empty()) std::filesystem::create_directories(parent, ec);
  if (ec) return errno_error(ec.value(), "make directory", parent.string());
  if (std::filesystem::create_directory(path, ec)) return {};
  if (ec) return errno_error(ec.value(), "make directory", path);
  return Error{.code = Errc::busy, .operation = "make directory", .subject = path, .detail = "it is there already"};
}

std::string state_directory() {
  if (const char* state = std::getenv("XDG_STATE_HOME"); state && *state) return std::string(state) + "/hcq-flash";
  if (const char* home = std::getenv("HOME"); home && *home) return std::string(home) + "/.local/state/hcq-flash";
  return "./hcq-flash";
}

}  // namespace hcq::flash
