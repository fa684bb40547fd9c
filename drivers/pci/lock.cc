// SPDX-License-Identifier: MIT
#include "drivers/pci/lock.h"

#include <dirent.h>
#include <fcntl.h>
#include <fmt/format.h>
#include <sys/file.h>
#include <sys/stat.h>
#include <sys/sysmacros.h>
#include <unistd.h>

#include <algorithm>
#include <cerrno>
#include <charconv>
#include <functional>
#include <sstream>

namespace hcq::pci {

namespace {

std::vector<std::string> entries_of(const std::string& directory) {
  std::vector<std::string> names;
  DIR* d = ::opendir(directory.c_str());
  if (!d) return names;
  while (const dirent* e = ::readdir(d))
    if (e->d_name[0] != '.') names.emplace_back(e->d_name);
  ::closedir(d);
  return names;
}

std::optional<pid_t> as_pid(std::string_view text) {
  pid_t pid = 0;
  const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), pid);
  if (error != std::errc{} || end != text.data() + text.size() || pid <= 0) return std::nullopt;
  return pid;
}

std::string command_of(const Host& host, pid_t pid) {
  const std::string base = fmt::format("{}/{}", host.proc, pid);
  if (auto line = read_text(base + "/cmdline"); line.ok() && !line->empty()) {
    std::replace(line->begin(), line->end(), '\0', ' ');
    return *line;
  }
  auto name = read_text(base + "/comm");
  return name.ok() ? *name : std::string{};
}

// An flock belongs to the open file description. Every descriptor that shares it shows a "lock:" line in fdinfo, in
// the process that took it and in children that inherited it; one that merely opened the file shows none.
bool shows_lock(const std::string& fdinfo) {
  const auto text = read_text(fdinfo);
  return text.ok() && (text->starts_with("lock:") || text->find("\nlock:") != std::string::npos);
}

// Calls `found(pid, fdinfo path)` for each descriptor open on the file until it returns true.
// Compares inodes, not names: names in /proc/PID/fd differ between mount namespaces.
bool for_each_opener(const Host& host, const struct stat& file, const std::function<bool(pid_t, std::string)>& found) {
  for (const std::string& entry : entries_of(host.proc)) {
    const auto pid = as_pid(entry);
    if (!pid) continue;
    const std::string base = host.proc + "/" + entry;
    for (const std::string& fd : entries_of(base + "/fd")) {
      struct stat st{};
      if (::stat((base + "/fd/" + fd).c_str(), &st) != 0) continue;
      if (st.st_dev != file.st_dev || st.st_ino != file.st_ino) continue;
      if (found(*pid, base + "/fdinfo/" + fd)) return true;
    }
  }
  return false;
}

// /proc/locks: "1: FLOCK  ADVISORY  WRITE 19909 fe:00:11053304 0 EOF". The pid is that of the taker. Needed where
// /proc/PID/fd of other users cannot be read.
std::optional<LockHolder> taker_from_locks(const Host& host, const struct stat& file) {
  const auto text = read_text(host.proc + "/locks");
  if (!text.ok()) return std::nullopt;
  const std::string inode = fmt::format("{:02x}:{:02x}:{}", ::major(file.st_dev), ::minor(file.st_dev),
                                        static_cast<unsigned long>(file.st_ino));
  std::istringstream lines(*text);
  for (std::string line; std::getline(lines, line);) {
    std::istringstream words(line);
    std::string number, kind, mode, type, pid, where;
    words >> number >> kind >> mode >> type >> pid >> where;
    if (kind != "FLOCK" || where != inode) continue;
    const pid_t taker = as_pid(pid).value_or(0);
    return LockHolder{.pid = taker, .command = taker ? command_of(host, taker) : "", .certain = false};
  }
  return std::nullopt;
}

// A process may have the file open more than once.
void add(std::vector<LockHolder>& holders, const Host& host, pid_t pid) {
  if (std::any_of(holders.begin(), holders.end(), [&](const LockHolder& h) { return h.pid == pid; })) return;
  holders.push_back({.pid = pid, .command = command_of(host, pid)});
}

std::vector<LockHolder> holders_of(const Host& host, const struct stat& file, bool one) {
  std::vector<LockHolder> holders;
  for_each_opener(host, file, [&](pid_t pid, const std::string& fdinfo) {
    if (!shows_lock(fdinfo)) return false;
    add(holders, host, pid);
    return one;
  });
  if (holders.empty())
    if (auto taker = taker_from_locks(host, file)) holders.push_back(std::move(*taker));
  return holders;
}

std::optional<LockHolder> holder_of(const Host& host, const struct stat& file) {
  std::vector<LockHolder> holders = holders_of(host, file, true);
  if (holders.empty()) return std::nullopt;
  return std::move(holders[0]);
}

// Opens without O_CREAT first: fs.protected_regular forbids O_CREAT on another user's file in a sticky directory. Read
// access is enough for flock. The mode is set with fchmod because the umask would cut it.
Result<Fd> open_lock_file(const std::string& path) {
  constexpr int kFlags = O_RDONLY | O_CLOEXEC | O_NOFOLLOW;
  for (int attempt = 0; attempt < 2; ++attempt) {
    Fd fd{::open(path.c_str(), kFlags)};
    if (fd.valid()) return fd;
    if (errno != ENOENT) break;
    fd.reset(::open(path.c_str(), kFlags | O_CREAT | O_EXCL, 0666));
    if (fd.valid()) {
      if (::fchmod(fd.get(), 0666) != 0) return errno_error(errno, "chmod", path);
      return fd;
    }
    if (errno != EEXIST) break;
  }
  Error e = errno_error(errno, "lock", path);
  if (e.code == Errc::permission) e.hint = "make the lock file readable for you, or run as its owner";
  if (e.code == Errc::not_found) e.hint = "create the lock directory";
  return e;
}

}  // namespace

std::string describe(const LockHolder& holder) {
  if (holder.pid == 0) return "a process that cannot be seen from here (another container or user)";
  std::string text = fmt::format("pid {}", holder.pid);
  if (!holder.command.empty()) text += fmt::format(" ({})", holder.command);
  if (!holder.certain) text += ", which may have passed it to a child";
  return text;
}

std::string lock_path(const Host& host, const std::string& name) {
  return fmt::format("{}/hcq_{}.lock", host.lock_directory, name);
}

Result<DeviceLock> DeviceLock::acquire(const Host& host, const std::string& name) {
  const std::string path = lock_path(host, name);
  auto fd = open_lock_file(path);
  if (!fd.ok()) return on_device(std::move(fd).error(), name);
  struct stat st{};
  if (::fstat(fd->get(), &st) != 0) return on_device(errno_error(errno, "lock", path), name);
  if (!S_ISREG(st.st_mode))
    return Error{.code = Errc::refused,
                 .device = name,
                 .operation = "lock",
                 .subject = path,
                 .detail = "the lock is no regular file",
                 .hint = "remove it"};
  if (::flock(fd->get(), LOCK_EX | LOCK_NB) != 0) {
    if (errno != EWOULDBLOCK) return on_device(errno_error(errno, "lock", path), name);
    const auto holder = holder_of(host, st);
    return Error{.code = Errc::busy,
                 .device = name,
                 .operation = "lock",
                 .subject = path,
                 .detail = fmt::format("the device is in use by {}", describe(holder.value_or(LockHolder{}))),
                 .hint = "end that process first"};
  }
  return DeviceLock(std::move(*fd), path);
}

std::optional<LockHolder> lock_holder(const Host& host, const std::string& name) {
  struct stat st{};
  if (::stat(lock_path(host, name).c_str(), &st) != 0) return std::nullopt;
  return holder_of(host, st);
}

std::vector<LockHolder> lock_holders(const Host& host, const std::string& name) {
  struct stat st{};
  if (::stat(lock_path(host, name).c_str(), &st) != 0) return {};
  return holders_of(host, st, false);
}

std::vector<LockHolder> openers_of(const Host& host, const std::vector<std::string>& paths) {
  std::vector<LockHolder> openers;
  for (const std::string& path : paths) {
    struct stat st{};
    if (::stat(path.c_str(), &st) != 0) continue;
    for_each_opener(host, st, [&](pid_t pid, const std::string&) {
      if (pid != ::getpid()) add(openers, host, pid);
      return false;
    });
  }
  return openers;
}

std::optional<LockHolder> opener_of(const Host& host, const std::string& path) {
  struct stat st{};
  if (::stat(path.c_str(), &st) != 0) return std::nullopt;
  std::optional<LockHolder> holder;
  for_each_opener(host, st, [&](pid_t pid, const std::string&) {
    if (pid == ::getpid()) return false;
    holder = LockHolder{.pid = pid, .command = command_of(host, pid)};
    return true;
  });
  return holder;
}

}  // namespace hcq::pci
