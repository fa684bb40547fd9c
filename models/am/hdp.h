// SPDX-License-Identifier: MIT
// The host data path: what the host writes to VRAM through BAR 0 waits here until it is flushed; the host reads its own
// writes back, the GPU does not see them before. Silicon flushes on its own account when its buffer is full; this one
// does so as well, a page at a time, oldest first.
#pragma once

#include <array>
#include <cstdint>
#include <deque>
#include <functional>
#include <memory>
#include <mutex>
#include <unordered_map>

#include "models/am/chip.h"

namespace hcq::models::am {

class Hdp {
 public:
  struct Page {
    alignas(8) std::byte data[4096];
    std::array<std::uint64_t, 64> written{};  // one bit a byte
  };
  // `before_store` sees each page just before its bytes reach VRAM.
  Hdp(Chip& chip, std::function<void(std::uint64_t vram_page, const Page&)> before_store,
      std::size_t capacity_pages = 256);

  void read(std::uint64_t offset, MutableBytes out);
  void write(std::uint64_t offset, Bytes in);
  void flush();
  void discard();  // reset: what was not flushed is lost
  std::size_t held_pages() const;

 private:
  bool refuses(std::uint64_t offset, std::uint64_t size, bool write);
  void store(std::uint64_t vram_page, Page& page);
  void write_page(std::uint64_t offset, Bytes in);

  Chip& chip_;
  std::function<void(std::uint64_t, const Page&)> before_store_;
  const std::size_t capacity_;
  mutable std::mutex mutex_;
  std::unordered_map<std::uint64_t, std::unique_ptr<Page>> pages_;
  std::deque<std::uint64_t> order_;
  std::vector<std::unique_ptr<Page>> free_;
};

}  // namespace hcq::models::am
