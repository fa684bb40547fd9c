// SPDX-License-Identifier: MIT
// Core: what a device, its queues, buffers, programs and signals share: the GPU, the timeline and its cell, the error
// state, and the storage that waits for the timeline to pass. Held by shared_ptr from all of them, so that a handle may
// outlive the device.
//
// Thread-safe, except close().
#pragma once

#include <array>
#include <atomic>
#include <memory>
#include <mutex>
#include <optional>
#include <vector>

#include "drivers/am/device.h"
#include "drivers/am/gpu.h"
#include "drivers/am/queue/device_memory.h"
#include "drivers/am/queue/signal_slab.h"
#include "hcq/retire.h"
#include "hcq/timeline.h"

namespace hcq::am {

class RingQueue;

// A value in host memory that the device writes.
inline std::uint64_t load_acquire64(const std::byte* p) {
  return __atomic_load_n(reinterpret_cast<const std::uint64_t*>(p), __ATOMIC_ACQUIRE);
}
inline std::uint32_t load_acquire32(const std::byte* p) {
  return __atomic_load_n(reinterpret_cast<const std::uint32_t*>(p), __ATOMIC_ACQUIRE);
}

class Core {
 public:
  static Result<std::shared_ptr<Core>> make(std::unique_ptr<Gpu> gpu, const DeviceOptions& options);
  ~Core();

  // Not after close(), which lets go of the function and its lock although handles may keep the Core.
  Gpu& gpu() { return *gpu_; }
  const std::string& name() const { return name_; }
  const DeviceOptions& options() const { return options_; }

  // --- timeline ---
  std::uint64_t last_submitted() const { return timeline_.last(); }
  std::uint64_t reached() const {
    return timeline_.reached([this] { return load_acquire32(cell_host_); });
  }
  std::uint64_t cell_address() const { return cell_address_; }
  std::uint32_t raw(std::uint64_t point) const { return timeline_.raw(point); }
  // The next value of the timeline. Lock-free, but for once in Timeline::limit submissions, which drains the device.
  Result<std::uint64_t> take_ticket();
  Status wait(std::uint64_t point, Clock::duration timeout);
  // Waits for everything submitted, as close() does: `patience` is shorter by what a wait has already spent on work
  // that has not moved since.
  Status drain(Clock::duration patience);

  // --- error state: the first fault stays ---
  bool unusable() const { return unusable_.load(std::memory_order_acquire); }
  Status usable() const;  // success, or the fault, or that the device is closed
  // Looks for interrupts and faults now.
  Status service();
  Error error(Errc code, const char* operation, std::string subject, std::string detail) const;

  // Waits until load() >= target. Watches for faults; the deadline counts from the last change of the value.
  template <class Load>
  Status wait_until(Load&& load, std::uint64_t target, Clock::duration timeout, const char* what);

  // --- storage ---
  DeviceMemory& memory() { return memory_; }
  // Memory for users. When there is not enough, what is about to be freed is waited for.
  Result<std::shared_ptr<GpuMemory>> allocate(std::uint64_t bytes, MemoryKind kind);
  RetireList& retired() { return retired_; }
  void retire(std::shared_ptr<void> storage) { retired_.add(std::move(storage), last_submitted()); }
  void collect();
  SignalSlab& signals() { return signals_; }

  // The device's queues, for reports about what runs; set while they exist.
  void attach(QueueKind kind, RingQueue* queue) { queues_[static_cast<std::size_t>(kind)].store(queue); }
  // Takes the queues off the hardware, unmaps everything and puts the GPU into its idle state. Everything that touches
  // the device fails from here on. Returns the first error.
  Status close();
  // Not closed, and an error has been returned that will end close() too: a fault, a lost device, work that hangs.
  bool failed() const { return unusable() || hung_.load(std::memory_order_acquire) || gpu_->link().lost(); }
  bool closed() const { return closed_.load(std::memory_order_acquire); }

 private:
  Core(std::unique_ptr<Gpu> gpu, const DeviceOptions& options);
  Status init();
  Status stop_queues();
  Status restart_timeline(std::uint64_t restarts_before);
  void set_fault(Error e);
  Error describe_fault(Error e) const;
  Error timeout_error(const char* what, std::uint64_t target, std::uint64_t value, Clock::duration timeout);
  void sleep(Clock::duration at_most);
  struct WaiterScope {
    explicit WaiterScope(std::atomic<int>& n) : n(n) { n.fetch_add(1); }
    ~WaiterScope() { n.fetch_sub(1); }
    WaiterScope(const WaiterScope&) = delete;
    std::atomic<int>& n;
  };

  std::unique_ptr<Gpu> gpu_;  // first: everything below lives in its memory
  DeviceMemory memory_;
  std::string name_;
  DeviceOptions options_;
  std::shared_ptr<GpuMemory> cell_;
  std::byte* cell_host_ = nullptr;
  std::uint64_t cell_address_ = 0;
  Timeline timeline_;
  std::mutex restart_mutex_;
  std::atomic<std::uint64_t> restarts_{0};
  SignalSlab signals_;
  RetireList retired_;
  std::array<std::atomic<RingQueue*>, 2> queues_{};
  pci::Irq* irq_ = nullptr;

  std::atomic<bool> unusable_{false}, closed_{false}, hung_{false};
  std::atomic<std::uint64_t> stuck_at_{0};  // where the timeline stood when a wait for it timed out
  std::atomic<std::int64_t> stuck_for_{0};  // how long it had stood there, in Clock ticks
  std::atomic<int> waiters_{0};             // threads inside wait_until()
  mutable std::mutex fault_mutex_;
  std::optional<Error> fault_;
};

template <class Load>
Status Core::wait_until(Load&& load, std::uint64_t target, Clock::duration timeout, const char* what) {
  constexpr int kSpins = 200;  // a few microseconds: most answers to small work come within that
  for (int i = 0; i < kSpins; ++i)
    if (load() >= target) return {};
  const WaiterScope scope(waiters_);
  ProgressDeadline deadline(timeout, load());
  for (;;) {
    std::uint64_t value = load();
    if (value >= target) return {};
    const Status s = service();
    value = load();  // what was reached before the fault counts
    if (value >= target) return {};
    if (!s) return s.error();
    if (deadline.expired(value)) return timeout_error(what, target, value, timeout);
    sleep(deadline.remaining());
  }
}

}  // namespace hcq::am
