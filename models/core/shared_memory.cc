// SPDX-License-Identifier: MIT
#include "models/core/shared_memory.h"

#include <fcntl.h>
#include <sys/mman.h>
#include <sys/stat.h>
#include <unistd.h>

#include <cerrno>
#include <iterator>

namespace hcq::models {

Result<Fd> sealed_memory(const std::string& name, std::uint64_t bytes) {
  Fd file(memfd_create(name.c_str(), MFD_CLOEXEC | MFD_ALLOW_SEALING));
  if (!file.valid()) return errno_error(errno, "memfd_create", name);
  if (ftruncate(file.get(), static_cast<off_t>(bytes)) != 0) return errno_error(errno, "ftruncate", name);
  if (fcntl(file.get(), F_ADD_SEALS, F_SEAL_SHRINK | F_SEAL_GROW | F_SEAL_SEAL) != 0)
    return errno_error(errno, "seal", name);
  return file;
}

Status check_sealed(const Fd& file, std::uint64_t bytes) {
  const int seals = fcntl(file.get(), F_GET_SEALS);
  if (seals < 0 || !(seals & F_SEAL_SHRINK))
    return Error{.code = Errc::refused,
                 .operation = "shared memory",
                 .detail = "the descriptor is no memfd sealed against shrinking",
                 .hint = "Use memory-backend-memfd,share=on without seal=off."};
  struct stat st {};
  if (fstat(file.get(), &st) != 0) return errno_error(errno, "fstat", "shared memory");
  if (static_cast<std::uint64_t>(st.st_size) < bytes)
    return Error{.code = Errc::corrupt,
                 .operation = "shared memory",
                 .expected = bytes,
                 .actual = static_cast<std::uint64_t>(st.st_size),
                 .detail = "the file is smaller than was said"};
  return {};
}

Result<std::unique_ptr<SharedArena>> SharedArena::create(std::uint64_t bytes) {
  Fd file = HCQ_TRY(sealed_memory("hcq dma memory", bytes));
  Mapping map = HCQ_TRY(map_file(file, 0, bytes, true, "hcq dma memory"));
  return std::unique_ptr<SharedArena>(new SharedArena(std::move(file), std::move(map)));
}

SharedArena::SharedArena(Fd file, Mapping map) : file_(std::move(file)), map_(std::move(map)) {
  free_[0] = map_.size();
}

std::byte* SharedArena::allocate(std::uint64_t bytes) {
  const std::lock_guard lock(mutex_);
  for (auto it = free_.begin(); it != free_.end(); ++it) {
    if (it->second < bytes) continue;
    const std::uint64_t at = it->first, left = it->second - bytes;
    free_.erase(it);
    if (left) free_[at + bytes] = left;
    return map_.data() + at;
  }
  return nullptr;
}

void SharedArena::release(std::byte* data, std::uint64_t bytes) {
  std::uint64_t at = static_cast<std::uint64_t>(data - map_.data());
  fallocate(file_.get(), FALLOC_FL_PUNCH_HOLE | FALLOC_FL_KEEP_SIZE, static_cast<off_t>(at), static_cast<off_t>(bytes));
  const std::lock_guard lock(mutex_);
  auto next = free_.lower_bound(at);
  if (next != free_.end() && next->first == at + bytes) {
    bytes += next->second;
    next = free_.erase(next);
  }
  if (next != free_.begin()) {
    const auto before = std::prev(next);
    if (before->first + before->second == at) {
      before->second += bytes;
      return;
    }
  }
  free_[at] = bytes;
}

}  // namespace hcq::models
