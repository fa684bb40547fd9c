// SPDX-License-Identifier: MIT
#include "models/am/l1.h"

#include "models/am/l2.h"

namespace hcq::models::am {

namespace {

constexpr std::size_t kMostPages = 16384, kMostFree = 64;

}  // namespace

std::unique_ptr<L1::Page> L1::copy(const std::byte* from) {
  std::unique_ptr<Page> page;
  if (free_.empty()) {
    page = std::make_unique<Page>();
  } else {
    page = std::move(free_.back());
    free_.pop_back();
  }
  copy_words(page->data, from, sizeof page->data);
  return page;
}

void L1::drop(Pages& pages) {
  for (auto& [memory, page] : pages)
    if (page) retired_.push_back(std::move(page));
  pages.clear();
  if (users_ == 0) {
    while (!retired_.empty() && free_.size() < kMostFree) {
      free_.push_back(std::move(retired_.back()));
      retired_.pop_back();
    }
    retired_.clear();
  }
}

std::byte* L1::scalar_page(const std::byte* memory, const std::byte* now) {
  const std::lock_guard lock(mutex_);
  if (scalar_.size() >= kMostPages) drop(scalar_);
  auto& page = scalar_[memory];
  if (!page) page = copy(now);
  return page->data;
}

std::byte* L1::vector_page(const std::byte* memory, std::byte* now) {
  const std::lock_guard lock(mutex_);
  glv_invalid_ = gl1_invalid_ = false;
  const auto& page = vector_[memory];
  return page ? page->data : now;
}

void L1::shader_writes(const std::byte* memory) {
  const std::lock_guard lock(mutex_);
  const auto it = vector_.find(memory);
  if (it == vector_.end() || !it->second) return;
  retired_.push_back(std::move(it->second));
  generation_.fetch_add(1, std::memory_order_release);
}

void L1::before_change(const std::byte* memory, const std::byte* now) {
  const std::lock_guard lock(mutex_);
  const auto it = vector_.find(memory);
  if (it == vector_.end() || it->second) return;
  it->second = copy(now);
  generation_.fetch_add(1, std::memory_order_release);
}

void L1::invalidate(bool glk, bool glv, bool gl1) {
  const std::lock_guard lock(mutex_);
  if (glk) drop(scalar_);
  glv_invalid_ = glv_invalid_ || glv;
  gl1_invalid_ = gl1_invalid_ || gl1;
  if (!glv_invalid_ || !gl1_invalid_ || vector_.empty()) return;
  bool stale = false;
  for (const auto& [memory, page] : vector_) stale = stale || page;
  drop(vector_);
  if (stale) generation_.fetch_add(1, std::memory_order_release);
}

void L1::discard() {
  const std::lock_guard lock(mutex_);
  drop(scalar_);
  drop(vector_);
  generation_.fetch_add(1, std::memory_order_release);
}

void L1::enter() {
  const std::lock_guard lock(mutex_);
  ++users_;
}

void L1::leave() {
  const std::lock_guard lock(mutex_);
  if (--users_ == 0) retired_.clear();
}

}  // namespace hcq::models::am
