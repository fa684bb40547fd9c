// SPDX-License-Identifier: MIT
#include "models/am/l2.h"

#include <cstring>

namespace hcq::models::am {

namespace {

bool aligned8(const void* p) { return (reinterpret_cast<std::uintptr_t>(p) & 7) == 0; }

template <class T>
T load(const std::byte* p) {
  return __atomic_load_n(reinterpret_cast<const T*>(p), __ATOMIC_RELAXED);
}
template <class T>
void store(std::byte* p, T v) {
  __atomic_store_n(reinterpret_cast<T*>(p), v, __ATOMIC_RELAXED);
}

}  // namespace

void copy_words(std::byte* to, const std::byte* from, std::size_t bytes) {
  if ((reinterpret_cast<std::uintptr_t>(to) & 7) == (reinterpret_cast<std::uintptr_t>(from) & 7)) {
    for (; bytes && !aligned8(to); --bytes) store(to++, load<std::uint8_t>(from++));
    for (; bytes >= 8; bytes -= 8, to += 8, from += 8) store(to, load<std::uint64_t>(from));
  } else if (((reinterpret_cast<std::uintptr_t>(to) | reinterpret_cast<std::uintptr_t>(from)) & 3) == 0) {
    for (; bytes >= 4; bytes -= 4, to += 4, from += 4) store(to, load<std::uint32_t>(from));
  }
  for (; bytes; --bytes) store(to++, load<std::uint8_t>(from++));
}

std::unique_ptr<L2::Copy> L2::take() {
  if (free_.empty()) return std::make_unique<Copy>();
  auto c = std::move(free_.back());
  free_.pop_back();
  return c;
}

std::byte* L2::page(std::byte* memory, bool write) {
  std::lock_guard lock(mutex_);
  auto& slot = copies_[memory];
  if (!slot) {
    slot = take();
    slot->memory = memory;
    slot->before.reset();
    copy_words(slot->data, memory, kPageBytes);
  }
  if (write && !slot->before) {
    slot->before = std::make_unique<std::byte[]>(kPageBytes);
    std::memcpy(slot->before.get(), slot->data, kPageBytes);
  }
  return slot->data;
}

std::byte* L2::peek(const std::byte* memory) const {
  std::lock_guard lock(mutex_);
  const auto it = copies_.find(memory);
  return it == copies_.end() ? nullptr : it->second->data;
}

void L2::write_through(std::byte* memory_page, std::size_t offset, const std::byte* data, std::size_t bytes) {
  std::lock_guard lock(mutex_);
  const auto it = copies_.find(memory_page);
  if (it != copies_.end()) {
    copy_words(it->second->data + offset, data, bytes);
    if (it->second->before) std::memcpy(it->second->before.get() + offset, data, bytes);
  }
  copy_words(memory_page + offset, data, bytes);
}

// Only bytes that differ from what the page held before are stored: neighbours in the same line belong to whoever wrote
// them, as with the byte masks of the hardware.
std::size_t L2::merge(Copy& copy) {
  if (!copy.before) return 0;
  std::size_t changed = 0;
  for (std::size_t i = 0; i < kPageBytes; i += 8) {
    const auto now = load<std::uint64_t>(copy.data + i);
    std::uint64_t was;
    std::memcpy(&was, copy.before.get() + i, 8);
    if (now == was) continue;
    const std::uint64_t difference = now ^ was;
    std::uint64_t mask = 0;
    for (unsigned b = 0; b < 64; b += 8)
      if (difference >> b & 0xff) mask |= 0xffull << b, ++changed;
    if (mask == ~0ull) {
      store(copy.memory + i, now);
    } else {
      for (unsigned b = 0; b < 8; ++b)
        if (mask >> (8 * b) & 0xff) store(copy.memory + i + b, static_cast<std::uint8_t>(copy.data[i + b]));
    }
    std::memcpy(copy.before.get() + i, &now, 8);
  }
  return changed;
}

std::size_t L2::write_back() {
  std::lock_guard lock(mutex_);
  std::size_t n = 0;
  bool cleaned = false;
  for (auto& [memory, copy] : copies_) {
    if (!copy->before) continue;
    n += merge(*copy);
    // With no dispatch running, the page is clean again; who kept a pointer for writing must ask anew.
    if (users_ == 0) copy->before.reset(), cleaned = true;
  }
  if (cleaned) generation_.fetch_add(1, std::memory_order_release);
  return n;
}

void L2::drop_all() {
  for (auto& [memory, copy] : copies_) (users_ ? retired_ : free_).push_back(std::move(copy));
  copies_.clear();
  generation_.fetch_add(1, std::memory_order_release);
}

std::size_t L2::invalidate() {
  std::lock_guard lock(mutex_);
  if (copies_.empty()) return 0;
  std::size_t n = 0;
  for (auto& [memory, copy] : copies_) {
    if (on_drop_) on_drop_(memory, copy->data);
    n += merge(*copy);
  }
  drop_all();
  return n;
}

void L2::discard() {
  std::lock_guard lock(mutex_);
  for (auto& [memory, copy] : copies_) copy->before.reset();
  drop_all();
}

void L2::enter() {
  std::lock_guard lock(mutex_);
  ++users_;
}

void L2::leave() {
  std::lock_guard lock(mutex_);
  if (--users_) return;
  for (auto& copy : retired_) {
    merge(*copy);
    free_.push_back(std::move(copy));
  }
  retired_.clear();
  if (copies_.size() > capacity_) {
    for (auto& [memory, copy] : copies_) merge(*copy);
    drop_all();
  }
  if (free_.size() > capacity_) free_.resize(capacity_);
}

std::size_t L2::held_pages() const {
  std::lock_guard lock(mutex_);
  return copies_.size();
}

}  // namespace hcq::models::am
