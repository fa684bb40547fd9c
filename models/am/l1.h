// SPDX-License-Identifier: MIT
// The caches between the shaders and GL2: GLK for scalar loads, GLV and GL1 for vector loads. They write through and
// are never told what others write, so what they hold is stale until ACQUIRE_MEM (or a release with the same bits)
// invalidates it.
//
// GLK really holds copies, made at the first scalar load. For GLV and GL1 the model notes which pages shaders have read
// and keeps their old content from the moment when somebody else changes it: the command processor or a copy engine by
// a write, anybody by a GL2 invalidation. Silicon holds lines of 64 or 128 bytes and may drop them at any time; the
// model holds whole pages and drops nothing, so that a missing invalidation shows itself every time.
//
// Not modelled: staleness of what shaders themselves wrote since (they would have to run on another shader array), and
// of uncached pages under vector loads.
//
// Thread-safe. Pointers stay valid until the dispatch bracket that was open when they were handed out closes.
#pragma once

#include <atomic>
#include <cstddef>
#include <cstdint>
#include <memory>
#include <mutex>
#include <unordered_map>
#include <vector>

namespace hcq::models::am {

class L1 {
 public:
  // The page at `memory` as scalar loads see it; `now`: where its content is (memory, or its copy in GL2).
  std::byte* scalar_page(const std::byte* memory, const std::byte* now);
  // The same for vector loads.
  std::byte* vector_page(const std::byte* memory, std::byte* now);
  // A shader is going to write the page: from now on its loads see GL2 again.
  void shader_writes(const std::byte* memory);
  // The content of the page, now at `now`, is about to be changed or replaced behind the back of the shaders.
  void before_change(const std::byte* memory, const std::byte* now);

  // GCR_CNTL bits. Vector loads are fresh when both caches on their way have been invalidated.
  void invalidate(bool glk, bool glv, bool gl1);
  void discard();  // reset, or another host

  // Brackets a dispatch, as in L2.
  void enter();
  void leave();
  // Grows whenever a vector page handed out earlier is no longer the right one to use.
  std::uint64_t generation() const { return generation_.load(std::memory_order_acquire); }

 private:
  struct Page {
    alignas(64) std::byte data[4096];
  };
  using Pages = std::unordered_map<const std::byte*, std::unique_ptr<Page>>;
  std::unique_ptr<Page> copy(const std::byte* from);
  void drop(Pages& pages);

  mutable std::mutex mutex_;
  Pages scalar_;
  Pages vector_;  // pages that shaders have read; null: what they would read is still what GL2 has
  std::vector<std::unique_ptr<Page>> retired_, free_;
  bool glv_invalid_ = false, gl1_invalid_ = false;
  unsigned users_ = 0;
  std::atomic<std::uint64_t> generation_{1};
};

}  // namespace hcq::models::am
