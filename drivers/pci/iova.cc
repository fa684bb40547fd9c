// SPDX-License-Identifier: MIT
#include "drivers/pci/iova.h"

#include <algorithm>
#include <cassert>
#include <iterator>

namespace hcq::pci {

namespace {
constexpr std::uint64_t kPage = 4096;
constexpr std::uint64_t kLowest = 1ull << 20;  // never address zero, nor the legacy megabyte
constexpr std::uint64_t kPreferred = 1ull << 32;
}  // namespace

IovaAllocator::IovaAllocator(const std::vector<IovaRange>& usable, unsigned bits) {
  const std::uint64_t top = bits >= 64 ? ~0ull : (1ull << bits) - 1;
  for (const std::uint64_t lowest : {kPreferred, kLowest}) {
    for (const IovaRange& r : usable) {
      if (r.end < lowest || r.start > top || r.end < r.start) continue;
      const std::uint64_t start = (std::max(r.start, lowest) + kPage - 1) & ~(kPage - 1);
      // `end` may be the very last address, so the page count is rounded down without adding one to it first.
      const std::uint64_t end = std::min(r.end, top);
      if (end < start || end - start < kPage - 1) continue;
      give(start, (end - start - (kPage - 1)) / kPage * kPage + kPage);
    }
    if (!free_.empty()) return;
  }
}

std::optional<std::uint64_t> IovaAllocator::take(std::uint64_t bytes, std::uint64_t alignment) {
  for (auto it = free_.begin(); it != free_.end(); ++it) {
    const auto [start, size] = *it;
    const std::uint64_t at = (start + alignment - 1) & ~(alignment - 1);
    const std::uint64_t skipped = at - start;
    if (at < start || skipped > size || size - skipped < bytes) continue;
    free_.erase(it);
    if (skipped) free_.emplace(start, skipped);
    if (size - skipped > bytes) free_.emplace(at + bytes, size - skipped - bytes);
    return at;
  }
  return std::nullopt;
}

void IovaAllocator::give(std::uint64_t start, std::uint64_t bytes) {
  auto next = free_.lower_bound(start);
  if (next != free_.end()) {
    assert(start + bytes <= next->first);
    if (start + bytes == next->first) {
      bytes += next->second;
      next = free_.erase(next);
    }
  }
  if (next != free_.begin()) {
    const auto before = std::prev(next);
    assert(before->first + before->second <= start);
    if (before->first + before->second == start) {
      before->second += bytes;
      return;
    }
  }
  free_.emplace(start, bytes);
}

std::uint64_t IovaAllocator::free_bytes() const {
  std::uint64_t n = 0;
  for (const auto& [start, bytes] : free_) n += bytes;
  return n;
}

}  // namespace hcq::pci
