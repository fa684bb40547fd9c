// SPDX-License-Identifier: MIT
// RangeAllocator: hands out ranges of a number space (VRAM offsets, GPU virtual addresses). Two-level segregated fit:
// free blocks are listed by the bit length of their size and 16 steps between powers of two; neighbours merge on free.
// It never touches the memory it manages. Not thread-safe.
#pragma once

#include <array>
#include <cstdint>
#include <map>
#include <set>

#include "base/error.h"

namespace hcq::am {

class RangeAllocator {
 public:
  // Manages [start, end). `name` appears in errors.
  RangeAllocator(const char* name, std::uint64_t start, std::uint64_t end);

  // `align` is a power of two; `limit`, if not zero, is where the range must end at the latest.
  Result<std::uint64_t> alloc(std::uint64_t bytes, std::uint64_t align, std::uint64_t limit = 0);
  // `start` must have come from alloc(); anything else is our bug and is refused as Errc::internal.
  Status free(std::uint64_t start);
  // The same for a range known to be allocated; returns its size.
  std::uint64_t free_at(std::uint64_t start);

  std::uint64_t free_bytes() const { return free_bytes_; }
  std::uint64_t start() const { return start_; }
  std::uint64_t end() const { return end_; }
  std::size_t used_ranges() const;
  std::uint64_t largest_free() const;

 private:
  static constexpr unsigned kSteps = 16;  // second-level lists for each power of two
  struct Block {
    std::uint64_t bytes;
    bool used;
  };
  using Blocks = std::map<std::uint64_t, Block>;
  static unsigned list_of(std::uint64_t bytes);
  void insert_free(std::uint64_t start, std::uint64_t bytes);
  void remove_free(std::uint64_t start, std::uint64_t bytes);

  const char* name_;
  std::uint64_t start_, end_, free_bytes_ = 0;
  Blocks blocks_;  // by start, without gaps
  std::array<std::set<std::uint64_t>, 64 * kSteps> lists_;
};

}  // namespace hcq::am
