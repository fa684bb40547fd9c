// SPDX-License-Identifier: MIT
#include "models/core/host_memory.h"

#include <sys/mman.h>
#include <unistd.h>

#include <algorithm>
#include <cerrno>
#include <cstring>
#include <mutex>
#include <numeric>

namespace hcq::models {

namespace {
constexpr std::uint64_t kPage = 4096, kPagesPerGroup = 512;
}

// What the driver holds. Keeps the port alive, because a driver may free its memory after closing the function.
class ModelDma final : public pci::DmaMemory {
 public:
  ModelDma(std::shared_ptr<HostMemory> port, std::byte* data, std::size_t size, std::vector<std::uint64_t> pages)
      : port_(std::move(port)) {
    data_ = data;
    size_ = size;
    pages_ = std::move(pages);
  }
  ~ModelDma() override { port_->revoke(pages_, data_, size_); }

 private:
  std::shared_ptr<HostMemory> port_;
};

std::uint64_t HostMemory::next_generation() {
  static std::atomic<std::uint64_t> counter{0};
  return ++counter;
}

HostMemory::~HostMemory() {
  for (const auto& [p, size] : mappings_) munmap(p, size);
}

Result<std::unique_ptr<pci::DmaMemory>> HostMemory::allocate(std::size_t bytes, pci::DmaOptions options) {
  if (bytes == 0 || bytes > (std::size_t{1} << 40))
    return Error{.code = Errc::invalid_argument, .device = device_, .operation = "dma/alloc", .actual = bytes};
  const std::size_t size = round_up<std::size_t>(bytes, kPage);
  std::byte* data = nullptr;
  if (arena_) {
    data = arena_->allocate(size);
    if (!data) errno = ENOMEM;
  } else if (void* p = mmap(nullptr, size, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
             p != MAP_FAILED) {
    data = static_cast<std::byte*>(p);
  }
  if (!data)
    return Error{.code = Errc::no_memory,
                 .device = device_,
                 .operation = "dma/alloc",
                 .actual = bytes,
                 .detail = std::strerror(errno)};
  const std::uint64_t n = size / kPage, group = options.contiguous ? n : std::min(n / 4 + 1, kPagesPerGroup);

  const std::unique_lock lock(mutex_);
  std::vector<std::uint64_t> order((n + group - 1) / group);
  std::iota(order.begin(), order.end(), std::uint64_t{0});
  std::shuffle(order.begin(), order.end(), rng_);
  std::vector<std::uint64_t> bus(n);
  for (std::uint64_t i = 0; i < n; ++i) {
    bus[i] = next_bus_ + (order[i / group] * group + i % group) * kPage;
    pages_[bus[i] / kPage] = data + i * kPage;
  }
  // A hole behind each allocation: running past the end must not land in a neighbour.
  next_bus_ += (order.size() * group + 1 + rng_() % 16) * kPage;
  if (!arena_) mappings_.emplace_back(data, size);
  return std::unique_ptr<pci::DmaMemory>(std::make_unique<ModelDma>(shared_from_this(), data, size, std::move(bus)));
}

void HostMemory::revoke(std::span<const std::uint64_t> pages, std::byte* data, std::size_t size) {
  {
    const std::unique_lock lock(mutex_);
    for (const std::uint64_t b : pages) pages_.erase(b / kPage);
    generation_.store(next_generation(), std::memory_order_release);
  }
  const auto [first, last] = std::minmax_element(pages.begin(), pages.end());
  invalidated(*first, *last + kPage - *first);
  if (arena_) arena_->release(data, size);
}

void HostMemory::set_bus_master(bool on) {
  if (!bus_master_.exchange(on, std::memory_order_acq_rel) || on) return;
  generation_.store(next_generation(), std::memory_order_release);
  invalidated(0, 0);
}

void HostMemory::invalidated(std::uint64_t bus, std::uint64_t size) {
  const std::shared_lock lock(hook_mutex_);
  if (hook_) hook_(bus, size);
}

void HostMemory::on_invalidate(std::function<void(std::uint64_t, std::uint64_t)> hook) {
  const std::unique_lock lock(hook_mutex_);
  hook_ = std::move(hook);
}

HostMemory::Extent HostMemory::extent(std::uint64_t bus) const {
  if (!bus_master_.load(std::memory_order_acquire)) return {};
  const std::shared_lock lock(mutex_);
  const auto middle = pages_.find(bus / kPage);
  if (middle == pages_.end()) return {};
  const auto follows = [&](std::uint64_t page, std::int64_t distance) {
    const auto it = pages_.find(page);
    return it != pages_.end() && it->second == middle->second + distance * static_cast<std::int64_t>(kPage);
  };
  std::int64_t before = 0, after = 1;
  const auto most = static_cast<std::int64_t>(kPagesPerGroup);
  while (before < most && follows(middle->first - static_cast<std::uint64_t>(before) - 1, -before - 1)) ++before;
  while (after < most && follows(middle->first + static_cast<std::uint64_t>(after), after)) ++after;
  return {(middle->first - static_cast<std::uint64_t>(before)) * kPage,
          static_cast<std::uint64_t>(before + after) * kPage,
          middle->second - before * static_cast<std::int64_t>(kPage)};
}

std::byte* HostMemory::translate(std::uint64_t bus, std::size_t size, bool /*write*/) {
  if (!bus_master_.load(std::memory_order_acquire) || bus % kPage + size > kPage) return nullptr;
  const std::shared_lock lock(mutex_);
  const auto it = pages_.find(bus / kPage);
  return it == pages_.end() ? nullptr : it->second + bus % kPage;
}

void HostMemory::interrupt(unsigned /*vector*/) {
  pci::EventIrq* irq = irq_.load(std::memory_order_acquire);
  const std::uint64_t one = 1;
  if (irq) [[maybe_unused]]
    const auto n = ::write(irq->fd(), &one, sizeof one);
}

}  // namespace hcq::models
