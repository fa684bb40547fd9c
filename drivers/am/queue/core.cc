// SPDX-License-Identifier: MIT
#include "drivers/am/queue/core.h"

#include <fmt/core.h>

#include <algorithm>
#include <thread>

#include "base/log.h"
#include "drivers/am/fault.h"
#include "drivers/am/gfx.h"
#include "drivers/am/hqd.h"
#include "drivers/am/queue/compute_queue.h"
#include "drivers/am/queue/ring_queue.h"
#include "drivers/am/sdma.h"

namespace hcq::am {

using namespace std::chrono_literals;

namespace {
// Waiters look at their value at least this often, because one interrupt wakes only one of them.
constexpr auto kLongestSleep = 1ms;
constexpr auto kWaitersLeave = 2s;
}  // namespace

Core::Core(std::unique_ptr<Gpu> gpu, const DeviceOptions& options)
    : gpu_(std::move(gpu)),
      memory_(*gpu_),
      name_(gpu_->name()),
      options_(options),
      timeline_(options.timeline_limit),
      signals_(memory_) {}

Core::~Core() = default;

Result<std::shared_ptr<Core>> Core::make(std::unique_ptr<Gpu> gpu, const DeviceOptions& options) {
  std::shared_ptr<Core> core(new Core(std::move(gpu), options));
  HCQ_TRY(core->init());
  return core;
}

Status Core::init() {
  install_fault_handler(*gpu_);
  cell_ = HCQ_TRY(memory_.host(4096));
  cell_host_ = cell_->host();
  cell_address_ = cell_->address();
  irq_ = HCQ_TRY(gpu_->function().irq());
  return {};
}

Error Core::error(Errc code, const char* operation, std::string subject, std::string detail) const {
  return Error{.code = code,
               .device = name(),
               .operation = operation,
               .subject = std::move(subject),
               .detail = std::move(detail)};
}

Result<std::uint64_t> Core::take_ticket() {
  for (;;) {
    const std::uint64_t restarts = restarts_.load(std::memory_order_acquire);
    if (const auto t = timeline_.try_advance()) return *t;
    HCQ_TRY(restart_timeline(restarts));
  }
}

// The cell cannot hold the next value: waits until everything is done and starts it again at 0.
Status Core::restart_timeline(std::uint64_t restarts_before) {
  const std::lock_guard lock(restart_mutex_);
  if (restarts_.load(std::memory_order_acquire) != restarts_before) return {};  // another thread did it meanwhile
  HCQ_TRY(wait(timeline_.last(), options_.ring_timeout));
  __atomic_store_n(reinterpret_cast<std::uint32_t*>(cell_host_), 0u, __ATOMIC_RELEASE);
  timeline_.rebase();
  restarts_.fetch_add(1, std::memory_order_release);
  return {};
}

Status Core::wait(std::uint64_t point, Clock::duration timeout) {
  Status s = wait_until([this] { return reached(); }, point, timeout, "timeline");
  if (!s && s.error().code == Errc::timeout) {
    stuck_at_.store(reached());
    stuck_for_.store(timeout.count());
  }
  return s;
}

Status Core::drain(Clock::duration patience) {
  const std::uint64_t now = reached(), last = last_submitted();
  const Clock::duration spent = now == stuck_at_.load() ? Clock::duration(stuck_for_.load()) : Clock::duration::zero();
  if (now < last && spent >= patience) {
    HCQ_TRY(service());
    return timeout_error("timeline", last, now, spent);
  }
  return wait(last, patience - std::min(patience, spent));
}

Status Core::usable() const {
  if (!unusable()) return {};
  const std::lock_guard lock(fault_mutex_);
  if (fault_) return *fault_;
  return error(Errc::invalid_argument, "use", "device", "the device has been closed");
}

Status Core::service() {
  if (unusable()) return usable();
  if (Status s = gpu_->service(); !s) {
    set_fault(std::move(s).error());
    return usable();
  }
  return {};
}

void Core::set_fault(Error e) {
  const std::lock_guard lock(fault_mutex_);
  if (!fault_ && !closed()) fault_ = describe_fault(std::move(e));
  unusable_.store(true, std::memory_order_release);
}

// Adds what the queues were doing when the fault was seen.
Error Core::describe_fault(Error e) const {
  const std::uint64_t done = reached();
  for (const auto& q : queues_) {
    const RingQueue* queue = q.load();
    const std::string running = queue ? queue->describe_running(done) : std::string();
    if (!running.empty()) e.detail += (e.detail.empty() ? "" : "; ") + running;
  }
  return e;
}

Error Core::timeout_error(const char* what, std::uint64_t target, std::uint64_t value, Clock::duration timeout) {
  if (Status s = gpu_->link().confirm(what); !s) {  // silence may mean that the device is gone
    set_fault(std::move(s).error());
    const std::lock_guard lock(fault_mutex_);
    if (fault_) return *fault_;
  }
  hung_.store(true, std::memory_order_release);
  Error e =
      error(Errc::timeout, "wait", what,
            fmt::format("no change for {} ms", std::chrono::duration_cast<std::chrono::milliseconds>(timeout).count()));
  e.expected = target;
  e.actual = value;
  return describe_fault(std::move(e));
}

void Core::sleep(Clock::duration at_most) {
  const auto slice = std::min<Clock::duration>(at_most, kLongestSleep);
  if (irq_) {
    if (auto r = irq_->wait(Deadline::in(slice)); r.ok()) return;
  }
  std::this_thread::sleep_for(std::min<Clock::duration>(slice, 50us));
}

void Core::collect() {
  const std::uint64_t last = last_submitted();
  retired_.collect(last, reached());
}

Result<std::shared_ptr<GpuMemory>> Core::allocate(std::uint64_t bytes, MemoryKind kind) {
  collect();
  const auto try_once = [&] { return kind == MemoryKind::host ? memory_.host(bytes) : memory_.vram(bytes); };
  auto r = try_once();
  if (r.ok() || r.error().code != Errc::no_memory || retired_.size() == 0) return r;
  HCQ_TRY(wait(last_submitted(), options_.ring_timeout));
  collect();
  return try_once();
}

// Waves of a hung or faulted kernel are reset with their queue. If even that does not answer, the command processor is
// reset as a whole, so that nothing can reach memory that is about to be freed.
Status Core::stop_queues() {
  if (gpu_->link().lost()) return gpu_->link().alive();
  const bool idle = reached() >= last_submitted();
  Status compute = dequeue_hqd(*gpu_, ComputeQueue::kSlot);
  if (!compute && !gpu_->link().lost()) {
    log::info("{}", describe(compute.error()));
    compute = gfx::reset_command_processor(*gpu_);
  }
  Status copy = sdma::stop_ring(*gpu_);
  if (!idle) sdma::stop_engine(*gpu_);  // it may be in the middle of a copy
  return compute.ok() ? std::move(copy) : std::move(compute);
}

Status Core::close() {
  closed_.store(true, std::memory_order_release);
  unusable_.store(true, std::memory_order_release);
  Status first = stop_queues();
  retired_.clear();
  const auto keep = [&](Status s) {
    if (!s && first.ok()) first = std::move(s);
  };
  keep(memory_.detach_all());
  keep(gpu_->close());
  // Other threads' waits end now that the device is unusable; each looks at least every kLongestSleep.
  const Deadline deadline = Deadline::in(kWaitersLeave);
  for (Backoff b; waiters_.load() != 0 && !deadline.expired();) b.pause();
  if (waiters_.load() == 0) gpu_.reset();
  return first;
}

}  // namespace hcq::am
