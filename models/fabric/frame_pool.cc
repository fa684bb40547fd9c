// SPDX-License-Identifier: MIT
#include "models/fabric/frame_pool.h"

#include <algorithm>

namespace hcq::models::fabric {

Frame FramePool::take() {
  const std::lock_guard lock(mutex_);
  if (free_.empty()) {
    const std::size_t n = std::min(kBlock, limit_ - made_);
    if (n == 0) return {};
    auto& block = blocks_.emplace_back(new FrameBuffer[n]);  // the data stays untouched until it is used
    for (std::size_t i = n; i-- > 0;) {
      block[i].pool = this;
      free_.push_back(&block[i]);
    }
    made_ += n;
  }
  FrameBuffer* const b = free_.back();
  free_.pop_back();
  b->size = 0;
  return Frame(b);
}

void FramePool::give(FrameBuffer* b) {
  const std::lock_guard lock(mutex_);
  free_.push_back(b);
}

std::size_t FramePool::made() const {
  const std::lock_guard lock(mutex_);
  return made_;
}

}  // namespace hcq::models::fabric
