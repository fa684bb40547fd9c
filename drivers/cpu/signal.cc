// SPDX-License-Identifier: MIT
#include "drivers/cpu/signal.h"

#include <algorithm>

namespace hcq::cpu {

constexpr Clock::duration kSlice = std::chrono::milliseconds(20);

CpuSignal::CpuSignal(std::shared_ptr<Core> core, std::uint64_t initial)
    : core_(std::move(core)), cell_(std::make_shared<Cell>()) {
  cell_->value.store(initial, std::memory_order_relaxed);
}

CpuSignal::~CpuSignal() { core_->retire(std::move(cell_)); }

void CpuSignal::set(std::uint64_t value) {
  cell_->value.store(value, std::memory_order_release);
  core_->progress.notify();
}

Status CpuSignal::wait(std::uint64_t target, Clock::duration timeout) {
  std::uint64_t now = value();
  ProgressDeadline deadline(timeout, now);
  for (;;) {
    if (now >= target) return {};
    HCQ_TRY(core_->usable());
    if (deadline.expired(now)) return core_->timeout_error("wait", "signal", target, now);
    core_->progress.wait(core_->spin, std::min<Clock::duration>(kSlice, deadline.remaining()),
                         [&] { return (now = value()) >= target || core_->faulted(); });
  }
}

}  // namespace hcq::cpu
