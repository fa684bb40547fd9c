// SPDX-License-Identifier: MIT
#include "drivers/am/memory/range_allocator.h"

#include <fmt/format.h>

#include <bit>

#include "base/bytes.h"

namespace hcq::am {

RangeAllocator::RangeAllocator(const char* name, std::uint64_t start, std::uint64_t end)
    : name_(name), start_(start), end_(end) {
  assert(start <= end);
  if (start < end) insert_free(start, end - start);
}

unsigned RangeAllocator::list_of(std::uint64_t bytes) {
  assert(bytes != 0);
  const unsigned first = static_cast<unsigned>(std::bit_width(bytes)) - 1;
  const std::uint64_t rest = first >= 4 ? bytes >> (first - 4) : bytes << (4 - first);
  return first * kSteps + static_cast<unsigned>(rest % kSteps);
}

void RangeAllocator::insert_free(std::uint64_t start, std::uint64_t bytes) {
  blocks_[start] = {bytes, false};
  lists_[list_of(bytes)].insert(start);
  free_bytes_ += bytes;
}

void RangeAllocator::remove_free(std::uint64_t start, std::uint64_t bytes) {
  blocks_.erase(start);
  lists_[list_of(bytes)].erase(start);
  free_bytes_ -= bytes;
}

Result<std::uint64_t> RangeAllocator::alloc(std::uint64_t bytes, std::uint64_t align, std::uint64_t limit) {
  assert(is_pow2(align));
  const std::uint64_t end = limit ? limit : end_;
  if (bytes == 0)
    return Error{.code = Errc::invalid_argument, .operation = "alloc", .subject = name_, .detail = "zero bytes"};
  for (unsigned l = list_of(bytes); l < lists_.size(); ++l) {
    for (const std::uint64_t start : lists_[l]) {
      const std::uint64_t size = blocks_.at(start).bytes;
      const std::uint64_t at = (start + align - 1) & ~(align - 1);
      const std::uint64_t skipped = at - start;
      if (at < start || skipped > size || size - skipped < bytes || at + bytes > end) continue;
      remove_free(start, size);
      if (skipped) insert_free(start, skipped);
      if (size - skipped > bytes) insert_free(at + bytes, size - skipped - bytes);
      blocks_[at] = {bytes, true};
      return at;
    }
  }
  return Error{
      .code = Errc::no_memory,
      .operation = "alloc",
      .subject = name_,
      .detail = fmt::format("{} bytes wanted, {} free, largest free range {}", bytes, free_bytes_, largest_free())};
}

Status RangeAllocator::free(std::uint64_t start) {
  auto it = blocks_.find(start);
  if (it == blocks_.end() || !it->second.used)
    return Error{.code = Errc::internal,
                 .operation = "free",
                 .subject = name_,
                 .address = start,
                 .detail = "not the start of an allocated range"};
  std::uint64_t bytes = it->second.bytes;
  if (const auto next = std::next(it); next != blocks_.end() && !next->second.used) {
    const std::uint64_t next_start = next->first, next_bytes = next->second.bytes;
    remove_free(next_start, next_bytes);
    bytes += next_bytes;
  }
  if (it != blocks_.begin())
    if (const auto before = std::prev(it); !before->second.used) {
      const std::uint64_t before_start = before->first, before_bytes = before->second.bytes;
      blocks_.erase(it);
      remove_free(before_start, before_bytes);
      insert_free(before_start, before_bytes + bytes);
      return {};
    }
  blocks_.erase(it);
  insert_free(start, bytes);
  return {};
}

std::uint64_t RangeAllocator::free_at(std::uint64_t start) {
  const std::uint64_t bytes = blocks_.at(start).bytes;
  [[maybe_unused]] const Status s = free(start);
  assert(s.ok());
  return bytes;
}

std::size_t RangeAllocator::used_ranges() const {
  std::size_t n = 0;
  for (const auto& [start, block] : blocks_) n += block.used;
  return n;
}

std::uint64_t RangeAllocator::largest_free() const {
  for (std::size_t l = lists_.size(); l-- > 0;) {
    std::uint64_t best = 0;
    for (const std::uint64_t start : lists_[l]) best = std::max(best, blocks_.at(start).bytes);
    if (best) return best;
  }
  return 0;
}

}  // namespace hcq::am
