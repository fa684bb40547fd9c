// SPDX-License-Identifier: MIT
// Frames in transit. A pool makes its buffers in blocks as they are needed, up to a limit, and then only lends them out
// and takes them back: in steady state no frame costs an allocation.
#pragma once

#include <memory>
#include <mutex>
#include <utility>
#include <vector>

#include "models/fabric/frame.h"

namespace hcq::models::fabric {

class FramePool;

struct FrameBuffer {
  FramePool* pool = nullptr;
  std::size_t size = 0;
  alignas(64) std::byte data[kMaxFrame];
};

// A frame, owned. Empty when the pool had none left; goes back to its pool when destroyed, from any thread.
class Frame {
 public:
  Frame() = default;
  explicit Frame(FrameBuffer* b) : b_(b) {}
  Frame(Frame&& o) noexcept : b_(std::exchange(o.b_, nullptr)) {}
  Frame& operator=(Frame&& o) noexcept {
    if (this != &o) {
      reset();
      b_ = std::exchange(o.b_, nullptr);
    }
    return *this;
  }
  ~Frame() { reset(); }
  explicit operator bool() const { return b_ != nullptr; }
  std::byte* data() const { return b_->data; }
  std::size_t size() const { return b_->size; }
  void resize(std::size_t n) { b_->size = n; }  // at most kMaxFrame
  Bytes bytes() const { return {b_->data, b_->size}; }
  MutableBytes room() const { return {b_->data, kMaxFrame}; }
  void reset();

 private:
  FrameBuffer* b_ = nullptr;
};

// Thread-safe. Must outlive its frames.
class FramePool {
 public:
  explicit FramePool(std::size_t limit) : limit_(limit) { free_.reserve(limit); }
  Frame take();
  void give(FrameBuffer* b);
  std::size_t made() const;  // buffers that exist

 private:
  static constexpr std::size_t kBlock = 64;
  mutable std::mutex mutex_;
  const std::size_t limit_;
  std::size_t made_ = 0;
  std::vector<FrameBuffer*> free_;
  std::vector<std::unique_ptr<FrameBuffer[]>> blocks_;
};

inline void Frame::reset() {
  if (b_ != nullptr) b_->pool->give(std::exchange(b_, nullptr));
}

}  // namespace hcq::models::fabric
