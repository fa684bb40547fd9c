// SPDX-License-Identifier: MIT
// SparseMemory: device memory of a model. It costs host memory only where it is touched, and what was never written
// since power-on reads as a pattern, so that a driver that counts on zeroed memory is found out.
#pragma once

#include <atomic>
#include <cstddef>
#include <cstdint>
#include <memory>
#include <mutex>

#include "base/error.h"
#include "base/file.h"

namespace hcq::models {

class SparseMemory {
 public:
  // `bytes` is a multiple of 4 KiB. Fails when the host has no address space for it.
  // `shared`: the memory is a memfd that other processes can map. Nobody can tell then what was touched first, so there
  // is no pattern: memory reads as zero after power-on and after forget().
  static Result<std::unique_ptr<SparseMemory>> create(std::uint64_t bytes, std::uint64_t seed, bool shared = false);
  ~SparseMemory();
  SparseMemory(const SparseMemory&) = delete;
  SparseMemory& operator=(const SparseMemory&) = delete;

  std::uint64_t size() const { return size_; }
  bool shared() const { return file_.valid(); }
  int fd() const { return file_.get(); }  // -1 unless shared; sealed against shrinking and growing
  std::byte* data() const { return base_; }
  // The memory behind [offset, offset + bytes), which must lie inside. Pages seen for the first time get the pattern.
  // The pointer stays valid for the life of the object, also across forget(). Thread-safe.
  std::byte* at(std::uint64_t offset, std::uint64_t bytes) {
    for (std::uint64_t p = offset >> 12; p <= (offset + (bytes ? bytes - 1 : 0)) >> 12; ++p)
      if (!(seen_[p >> 6].load(std::memory_order_acquire) >> (p & 63) & 1)) fill(p);
    return base_ + offset;
  }
  // All content is lost, as at power-off: every page reads as a (new) pattern. No access may run at the same time.
  void forget();

 private:
  SparseMemory(std::byte* base, std::uint64_t size, std::uint64_t seed, Fd file);
  void fill(std::uint64_t page);

  std::byte* base_;
  std::uint64_t size_, seed_;
  Fd file_;
  std::unique_ptr<std::atomic<std::uint64_t>[]> seen_;  // one bit a page
  std::mutex mutex_;
};

}  // namespace hcq::models
