// SPDX-License-Identifier: MIT
#include "models/core/sparse_memory.h"

#include <fcntl.h>
#include <sys/mman.h>

#include <cerrno>
#include <cstring>

#include "models/core/shared_memory.h"

namespace hcq::models {

namespace {
constexpr std::uint64_t kPage = 4096;
}

Result<std::unique_ptr<SparseMemory>> SparseMemory::create(std::uint64_t bytes, std::uint64_t seed, bool shared) {
  if (bytes == 0 || bytes % kPage)
    return Error{.code = Errc::invalid_argument,
                 .operation = "model/memory",
                 .actual = bytes,
                 .detail = "the size must be a multiple of 4 KiB"};
  Fd file;
  if (shared) file = HCQ_TRY(sealed_memory("hcq model memory", bytes));
  void* p = mmap(nullptr, bytes, PROT_READ | PROT_WRITE,
                 (shared ? MAP_SHARED : MAP_PRIVATE | MAP_ANONYMOUS) | MAP_NORESERVE, file.get(), 0);
  if (p == MAP_FAILED)
    return Error{.code = Errc::no_memory,
                 .operation = "model/memory",
                 .actual = bytes,
                 .detail = std::strerror(errno),
                 .hint = "Use a smaller vram= option."};
  return std::unique_ptr<SparseMemory>(new SparseMemory(static_cast<std::byte*>(p), bytes, seed, std::move(file)));
}

SparseMemory::SparseMemory(std::byte* base, std::uint64_t size, std::uint64_t seed, Fd file)
    : base_(base),
      size_(size),
      seed_(seed),
      file_(std::move(file)),
      seen_(std::make_unique<std::atomic<std::uint64_t>[]>(size / kPage / 64 + 1)) {
  if (shared())
    for (std::uint64_t i = 0; i <= size_ / kPage / 64; ++i) seen_[i].store(~0ull, std::memory_order_relaxed);
}

SparseMemory::~SparseMemory() { munmap(base_, size_); }

void SparseMemory::fill(std::uint64_t page) {
  const std::lock_guard lock(mutex_);
  auto& word = seen_[page >> 6];
  const std::uint64_t bit = std::uint64_t{1} << (page & 63);
  if (word.load(std::memory_order_relaxed) & bit) return;
  // No byte of the pattern is 0x00 or 0xff: neither "empty" nor "gone" is what a reader should see.
  const std::uint64_t pattern = 0xdeadc0dea5a5b6c7ull ^ ((seed_ * 0x0101010101010101ull) & 0x0707070707070707ull);
  auto* q = reinterpret_cast<std::uint64_t*>(base_ + page * kPage);
  for (std::uint64_t i = 0; i < kPage / 8; ++i) q[i] = pattern;
  word.fetch_or(bit, std::memory_order_release);
}

void SparseMemory::forget() {
  const std::lock_guard lock(mutex_);
  if (shared()) {
    fallocate(file_.get(), FALLOC_FL_PUNCH_HOLE | FALLOC_FL_KEEP_SIZE, 0, static_cast<off_t>(size_));
    return;
  }
  madvise(base_, size_, MADV_DONTNEED);
  for (std::uint64_t i = 0; i <= size_ / kPage / 64; ++i) seen_[i].store(0, std::memory_order_relaxed);
  ++seed_;
}

}  // namespace hcq::models
