// SPDX-License-Identifier: MIT
// The graphics L2 cache (GL2), as a write-back cache that really holds data. Cached accesses work on copies of 4 KiB
// pages; what the CPU, the HDP or an uncached engine writes to memory after the copy was made is not seen until the
// copy is invalidated, and what shaders write is not in memory until it is written back.
//
// Silicon tracks 128-byte lines and may write one back at any time; this model keeps a page until it is told otherwise
// or until too many are held, so a missing cache operation shows itself every time instead of rarely.
//
// Thread-safe. Pointers from page() stay valid until a dispatch bracket that was open when they were handed out closes
// (enter/leave), even when the page is invalidated meanwhile.
#pragma once

#include <atomic>
#include <cstddef>
#include <cstdint>
#include <functional>
#include <memory>
#include <mutex>
#include <unordered_map>
#include <utility>
#include <vector>

namespace hcq::models::am {

inline constexpr std::size_t kPageBytes = 4096;

class L2 {
 public:
  // `on_drop` is told of each copy that is about to be dropped, for the caches in front of this one; it may not call
  // back.
  using Dropped = std::function<void(const std::byte* memory, const std::byte* data)>;
  explicit L2(Dropped on_drop = {}, std::size_t capacity_pages = 16384)
      : on_drop_(std::move(on_drop)), capacity_(capacity_pages) {}

  // The cached copy of the page at `memory`, made if there is none. `write`: the caller may modify it.
  std::byte* page(std::byte* memory, bool write);
  // The copy if there is one, else nullptr.
  std::byte* peek(const std::byte* memory) const;

  // A write that bypasses the cache: memory is changed, and a copy of the page, if there is one, along with it.
  void write_through(std::byte* memory_page, std::size_t offset, const std::byte* data, std::size_t bytes);

  // Writes every modified byte to memory; copies stay. Returns the number of bytes written.
  std::size_t write_back();
  // Forgets all copies. Returns the number of modified bytes that had not been written back (they are, nevertheless:
  // what silicon does with them is not specified).
  std::size_t invalidate();
  // Forgets everything without writing back (reset).
  void discard();

  // Brackets work that uses pointers from page(). leave() frees copies that were dropped meanwhile.
  void enter();
  void leave();

  // Grows whenever a pointer handed out earlier is no longer the right one to use.
  std::uint64_t generation() const { return generation_.load(std::memory_order_acquire); }
  std::size_t held_pages() const;

 private:
  struct Copy {
    alignas(64) std::byte data[kPageBytes];
    std::unique_ptr<std::byte[]> before;  // what memory held when the page was first modified; null while clean
    std::byte* memory = nullptr;
  };
  static std::size_t merge(Copy& copy);
  void drop_all();
  std::unique_ptr<Copy> take();

  Dropped on_drop_;
  mutable std::mutex mutex_;
  std::unordered_map<const std::byte*, std::unique_ptr<Copy>> copies_;
  std::vector<std::unique_ptr<Copy>> retired_;  // dropped, but a dispatch may still use them
  std::vector<std::unique_ptr<Copy>> free_;
  unsigned users_ = 0;
  std::size_t capacity_;
  std::atomic<std::uint64_t> generation_{1};
};

// Copies within memory that other threads may touch at the same time, as hardware does: 8 bytes at a time where
// alignment allows, never torn within an aligned 8-byte word.
void copy_words(std::byte* to, const std::byte* from, std::size_t bytes);

}  // namespace hcq::models::am
