// SPDX-License-Identifier: MIT
#include "hcq/timeline.h"

namespace hcq {

std::optional<std::uint64_t> Timeline::try_advance() {
  std::uint64_t last = last_.load(std::memory_order_relaxed);
  for (;;) {
    if (last + 1 - base_.load(std::memory_order_acquire) > limit_) return std::nullopt;
    if (last_.compare_exchange_weak(last, last + 1, std::memory_order_acq_rel)) return last + 1;
  }
}

std::uint32_t Timeline::raw(std::uint64_t logical) const {
  const std::uint64_t base = base_.load(std::memory_order_acquire);
  if (logical <= base) return 0;
  assert(logical - base <= limit_);
  return static_cast<std::uint32_t>(logical - base);
}

void Timeline::rebase() { base_.store(last(), std::memory_order_release); }

}  // namespace hcq
