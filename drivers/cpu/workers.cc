// SPDX-License-Identifier: MIT
#include "drivers/cpu/workers.h"

#include <algorithm>

namespace hcq::cpu {
namespace {

// Waking a sleeping thread costs about 5 microseconds; below this much remaining work nobody is woken.
constexpr std::chrono::microseconds kWorthWaking{20};
constexpr Clock::duration kSlice = std::chrono::milliseconds(100);
constexpr std::size_t kLocalAlign = 64;

}  // namespace

std::byte* Workers::Local::get(std::size_t bytes) {
  if (bytes > size) {
    storage = std::make_unique<std::byte[]>(bytes + kLocalAlign);
    size = bytes;
  }
  const auto p = reinterpret_cast<std::uintptr_t>(storage.get());
  return reinterpret_cast<std::byte*>(round_up<std::uintptr_t>(p, kLocalAlign));
}

Workers::Workers(unsigned helpers, SpinBudget& budget) : budget_(budget) {
  own_.get(kLocalAlign);
  for (unsigned i = 0; i < helpers; ++i) helpers_.emplace_back([this] { helper_main(); });
}

Workers::~Workers() {
  quit_.store(true, std::memory_order_release);
  opened_.notify();
  for (auto& t : helpers_) t.join();
}

void Workers::run_range(std::uint64_t begin, std::uint64_t end, std::byte* local) const {
  const Dim3 g = job_.groups;
  for (std::uint64_t i = begin; i < end && !job_.stop->load(std::memory_order_relaxed); ++i) {
    const std::uint64_t row = i / g.x;
    job_.kernel(job_.kernargs, static_cast<std::uint32_t>(i % g.x), static_cast<std::uint32_t>(row % g.y),
                static_cast<std::uint32_t>(row / g.y), local);
  }
}

void Workers::run_chunks(std::byte* local) {
  for (;;) {
    const std::uint64_t begin = next_.fetch_add(job_.chunk, std::memory_order_relaxed);
    if (begin >= job_.total) return;
    run_range(begin, std::min(begin + job_.chunk, job_.total), local);
  }
}

void Workers::helper_main() {
  Local local;
  local.get(kLocalAlign);
  for (;;) {
    std::uint32_t seen = 0;
    opened_.wait(budget_, kSlice, [&] {
      seen = gate_.load(std::memory_order_acquire);
      return quit_.load(std::memory_order_acquire) || (seen & kOpen) != 0;
    });
    if (quit_.load(std::memory_order_acquire)) return;
    if ((seen & kOpen) == 0) continue;
    if (!gate_.compare_exchange_strong(seen, seen + 1, std::memory_order_acq_rel)) continue;
    run_chunks(local.get(local_bytes_));
    // Nothing is left to take: shut the gate so that nobody (this thread included) enters again for nothing.
    gate_.fetch_and(~kOpen, std::memory_order_acq_rel);
    if (gate_.fetch_sub(1, std::memory_order_acq_rel) == 1) emptied_.notify();
  }
}

void Workers::run(abi::Kernel kernel, const void* kernargs, Dim3 groups, std::uint32_t local_bytes,
                  const std::atomic<bool>& stop) {
  job_ = Job{kernel, kernargs, groups, std::uint64_t{groups.x} * groups.y * groups.z, 1, &stop};
  if (job_.total == 0) return;
  local_bytes_ = local_bytes;
  std::byte* local = own_.get(local_bytes);
  if (helpers_.empty()) return run_range(0, job_.total, local);

  // Alone until it is known how long a workgroup takes, or until everything is done.
  const auto start = Clock::now();
  std::uint64_t done = 0;
  std::uint64_t step = 1;
  while (done < job_.total && !stop.load(std::memory_order_relaxed)) {
    const std::uint64_t end = std::min(done + step, job_.total);
    run_range(done, end, local);
    done = end;
    const auto spent = Clock::now() - start;
    const double left = static_cast<double>((job_.total - done)) / static_cast<double>(done);
    if (std::chrono::duration<double>(spent).count() * left > std::chrono::duration<double>(kWorthWaking).count())
      break;
    step *= 2;
  }
  if (done >= job_.total || stop.load(std::memory_order_relaxed)) return;

  job_.chunk = std::max<std::uint64_t>(1, (job_.total - done) / (8 * (helpers_.size() + 1)));
  next_.store(done, std::memory_order_relaxed);
  gate_.store(kOpen, std::memory_order_release);
  opened_.notify();
  run_chunks(local);
  gate_.fetch_and(~kOpen, std::memory_order_acq_rel);
  while (!emptied_.wait(budget_, kSlice, [this] { return gate_.load(std::memory_order_acquire) == 0; })) {
  }
}

}  // namespace hcq::cpu
