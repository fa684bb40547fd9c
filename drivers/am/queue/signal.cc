// SPDX-License-Identifier: MIT
#include "drivers/am/queue/signal.h"

namespace hcq::am {

AmSignal::~AmSignal() {
  // The slot is free again once nothing submitted can write it. The deleter must not hold the Core: the list lives in
  // it.
  auto* slab = &core_->signals();
  core_->retire(std::shared_ptr<void>(slot_.host, [slab, slot = slot_](void*) { slab->give_back(slot); }));
}

Status AmSignal::wait(std::uint64_t target, Clock::duration timeout) {
  return core_->wait_until([this] { return value(); }, target, timeout, "signal");
}

}  // namespace hcq::am
