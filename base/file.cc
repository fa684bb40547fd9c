// SPDX-License-Identifier: MIT
#include "base/file.h"

#include <fcntl.h>
#include <fmt/format.h>
#include <sys/mman.h>
#include <sys/stat.h>
#include <unistd.h>

#include <algorithm>
#include <cerrno>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <filesystem>
#include <string_view>
#include <system_error>

namespace hcq {

Error errno_error(int err, std::string operation, std::string path) {
  Errc code = Errc::io;
  if (err == ENOENT || err == ENOTDIR || err == ENODEV || err == ENXIO) code = Errc::not_found;
  if (err == EACCES || err == EPERM) code = Errc::permission;
  if (err == EBUSY || err == EWOULDBLOCK) code = Errc::busy;
  if (err == ENOMEM) code = Errc::no_memory;
  return Error{
      .code = code, .operation = std::move(operation), .subject = std::move(path), .detail = std::strerror(err)};
}

void Fd::reset(int fd) {
  if (fd_ >= 0) ::close(fd_);
  fd_ = fd;
}

Result<Fd> open_file(const std::string& path, int flags, unsigned mode) {
  Fd fd{::open(path.c_str(), flags | O_CLOEXEC, mode)};
  if (!fd.valid()) return errno_error(errno, "open", path);
  return fd;
}

Result<Fd> open_regular(const std::string& path) {
  // O_NONBLOCK: opening a pipe that nobody writes to must not wait. It means nothing to a regular file.
  Fd fd = HCQ_TRY(open_file(path, O_RDONLY | O_NONBLOCK));
  struct stat st{};
  if (::fstat(fd.get(), &st) != 0) return errno_error(errno, "stat", path);
  if (S_ISDIR(st.st_mode)) return errno_error(EISDIR, "read", path);
  if (!S_ISREG(st.st_mode))
    return Error{.code = Errc::unsupported, .operation = "read", .subject = path, .detail = "not a regular file"};
  return fd;
}

Mapping& Mapping::operator=(Mapping&& o) noexcept {
  if (this != &o) {
    reset();
    p_ = std::exchange(o.p_, nullptr);
    n_ = std::exchange(o.n_, 0);
  }
  return *this;
}

void Mapping::reset() {
  if (p_) ::munmap(p_, n_);
  p_ = nullptr;
  n_ = 0;
}

Result<Mapping> map_file(const Fd& fd, std::uint64_t offset, std::size_t size, bool writable, const std::string& path) {
  const int prot = writable ? PROT_READ | PROT_WRITE : PROT_READ;
  void* p = ::mmap(nullptr, size, prot, MAP_SHARED, fd.get(), static_cast<off_t>(offset));
  if (p == MAP_FAILED) return errno_error(errno, "mmap", path);
  return Mapping{p, size};
}

Result<std::vector<std::byte>> read_file(const std::string& path, std::uint64_t limit) {
  const Fd fd = HCQ_TRY(open_regular(path));
  struct stat st{};
  if (::fstat(fd.get(), &st) != 0) return errno_error(errno, "stat", path);
  // sysfs attributes claim 4096 bytes and hold less, those of procfs claim 0: grow while reading.
  std::vector<std::byte> data(std::min<std::uint64_t>(static_cast<std::uint64_t>(st.st_size), limit) + 1);
  std::size_t n = 0;
  for (;;) {
    if (n == data.size()) data.resize(data.size() * 2);
    if (n > limit)
      return Error{.code = Errc::unsupported,
                   .operation = "read",
                   .subject = path,
                   .detail = fmt::format("larger than {} bytes", limit)};
    const ssize_t r = ::read(fd.get(), data.data() + n, data.size() - n);
    if (r < 0 && errno == EINTR) continue;
    if (r < 0) return errno_error(errno, "read", path);
    if (r == 0) break;
    n += static_cast<std::size_t>(r);
  }
  data.resize(n);
  return data;
}

Result<std::string> read_text(const std::string& path, std::uint64_t limit) {
  const auto data = HCQ_TRY(read_file(path, limit));
  std::string s(reinterpret_cast<const char*>(data.data()), data.size());
  while (!s.empty() && (s.back() == '\n' || s.back() == '\0')) s.pop_back();
  return s;
}

namespace {
Status write_all(const Fd& fd, const void* p, std::size_t n, const std::string& path) {
  const char* c = static_cast<const char*>(p);
  while (n > 0) {
    const ssize_t r = ::write(fd.get(), c, n);
    if (r < 0 && errno == EINTR) continue;
    if (r < 0) return errno_error(errno, "write", path);
    c += r;
    n -= static_cast<std::size_t>(r);
  }
  return {};
}
}  // namespace

Status write_text(const std::string& path, std::string_view text) {
  Fd fd = HCQ_TRY(open_file(path, O_WRONLY | O_CREAT));
  return write_all(fd, text.data(), text.size(), path);
}

namespace {
// What `path` is in the end when it is a symbolic link; the last target need not exist.
Result<std::string> follow_links(std::string path) {
  const std::string named = path;
  constexpr int kMaxLinks = 40;  // as the kernel
  for (int i = 0; i < kMaxLinks; ++i) {
    std::error_code error;
    const std::filesystem::path target = std::filesystem::read_symlink(path, error);
    if (error) return path;  // no link, or nothing there
    path = (std::filesystem::path(path).parent_path() / target).string();
  }
  return errno_error(ELOOP, "write", named);
}
}  // namespace

Result<std::string> replaceable(const std::string& path) {
  const std::string target = HCQ_TRY(follow_links(path));
  struct stat st{};
  if (::stat(target.c_str(), &st) == 0) {
    if (!S_ISREG(st.st_mode))
      return Error{
          .code = Errc::invalid_argument, .operation = "write", .subject = path, .detail = "not a regular file"};
  } else if (errno != ENOENT) {
    return errno_error(errno, "write", path);
  }
  const auto slash = target.rfind('/');
  const std::string folder = slash == std::string::npos ? "." : target.substr(0, slash + 1);
  if (::access(folder.c_str(), W_OK | X_OK) != 0) return errno_error(errno, "write", path);
  return target;
}

Status replace_file(const std::string& path, Bytes content) {
  const std::string target = HCQ_TRY(replaceable(path));
  struct stat before{};
  const bool existed = ::stat(target.c_str(), &before) == 0;
  const std::string temporary = fmt::format("{}.{}.tmp", target, ::getpid());
  Fd fd = HCQ_TRY(open_file(temporary, O_WRONLY | O_CREAT | O_TRUNC));
  Status s = write_all(fd, content.data(), content.size(), temporary);
  if (s && existed && ::fchmod(fd.get(), before.st_mode & 07777) != 0) s = errno_error(errno, "chmod", temporary);
  if (s && ::rename(temporary.c_str(), target.c_str()) != 0) s = errno_error(errno, "rename", target);
  if (!s) ::unlink(temporary.c_str());
  return s;
}

bool path_exists(const std::string& path) {
  struct stat st{};
  return ::stat(path.c_str(), &st) == 0;
}

}  // namespace hcq
