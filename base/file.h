// SPDX-License-Identifier: MIT
// Owned file descriptors, memory mappings and whole-file helpers. Errors name the path and the system's reason.
#pragma once

#include <cstddef>
#include <cstdint>
#include <string>
#include <vector>

#include "base/bytes.h"
#include "base/error.h"

namespace hcq {

// An Error of code io, permission, not_found or busy from errno, naming `operation` and `path`.
Error errno_error(int err, std::string operation, std::string path);

// Owns a file descriptor; closes it once.
class Fd {
 public:
  Fd() = default;
  explicit Fd(int fd) : fd_(fd) {}
  Fd(Fd&& o) noexcept : fd_(std::exchange(o.fd_, -1)) {}
  Fd& operator=(Fd&& o) noexcept {
    if (this != &o) reset(std::exchange(o.fd_, -1));
    return *this;
  }
  ~Fd() { reset(); }
  int get() const { return fd_; }
  bool valid() const { return fd_ >= 0; }
  void reset(int fd = -1);

 private:
  int fd_ = -1;
};

Result<Fd> open_file(const std::string& path, int flags, unsigned mode = 0644);

// For reading. Pipes, devices and directories are refused without waiting for them.
Result<Fd> open_regular(const std::string& path);

// Owns a memory mapping; unmaps it once.
class Mapping {
 public:
  Mapping() = default;
  Mapping(void* address, std::size_t size) : p_(static_cast<std::byte*>(address)), n_(size) {}
  Mapping(Mapping&& o) noexcept : p_(std::exchange(o.p_, nullptr)), n_(std::exchange(o.n_, 0)) {}
  Mapping& operator=(Mapping&& o) noexcept;
  ~Mapping() { reset(); }
  std::byte* data() const { return p_; }
  std::size_t size() const { return n_; }
  Bytes bytes() const { return {p_, n_}; }
  void reset();

 private:
  std::byte* p_ = nullptr;
  std::size_t n_ = 0;
};

// mmap of `size` bytes at `offset`; `path` only names the file in errors.
Result<Mapping> map_file(const Fd& fd, std::uint64_t offset, std::size_t size, bool writable, const std::string& path);

// Whole file, at most `limit` bytes (a larger one is Errc::unsupported, not a partial read). Regular files and sysfs.
Result<std::vector<std::byte>> read_file(const std::string& path, std::uint64_t limit = 1ull << 32);
Result<std::string> read_text(const std::string& path, std::uint64_t limit = 1u << 20);  // trailing newline removed

// Writes to an existing or new file in place (for sysfs attributes).
Status write_text(const std::string& path, std::string_view text);

// The file that replace_file() would write: `path`, or what symbolic links there lead to, whether it exists or not. An
// error where something else stands (a pipe or device would be taken away from its other users), or no file can be
// made.
Result<std::string> replaceable(const std::string& path);

// Writes a temporary file beside `path` and renames it over: readers see the old or the new content, never a part.
// Symbolic links are followed, the permissions of a file that was there are kept, and what is there but no regular file
// (a device, a pipe) is Errc::invalid_argument.
Status replace_file(const std::string& path, Bytes content);

bool path_exists(const std::string& path);

}  // namespace hcq
