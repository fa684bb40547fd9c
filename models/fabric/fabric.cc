// SPDX-License-Identifier: MIT
#include "models/fabric/fabric.h"

#include <algorithm>
#include <cassert>

namespace hcq::models::fabric {

namespace {

constexpr std::size_t kAddresses = 12;  // destination and source
// What an uplink brings may be anything; a switch's table has an end, and what does not fit is flooded.
constexpr std::size_t kMostAddresses = 8192;

// The six bytes as a number, for the table of addresses.
std::uint64_t key_of(const std::byte* mac) {
  std::uint64_t v = 0;
  std::memcpy(&v, mac, 6);
  return v;
}
bool is_group(const std::byte* mac) { return (std::to_integer<unsigned>(mac[0]) & 1) != 0; }

}  // namespace

Port::Port(Fabric& fabric, std::string name, std::size_t queue)
    : fabric_(fabric), name_(std::move(name)), ring_(queue) {}

Frame Port::buffer() { return fabric_.pool_.take(); }

void Port::send(Frame frame, Time now) {
  if (!frame || frame.size() < kAddresses) return;
  {
    const std::lock_guard lock(mutex_);
    if (!link()) {
      ++counters_.dropped_link;
      return;
    }
    ++counters_.sent;
    counters_.sent_bytes += frame.size();
  }
  if (Capture* const c = fabric_.capturing_.load(std::memory_order_acquire)) c->record(frame.bytes(), now);
  fabric_.forward(*this, std::move(frame), now);
}

void Port::loop_back(Frame frame, Time now) {
  if (frame && frame.size() >= kAddresses) deliver(std::move(frame), now);
}

Frame Port::receive(Time now) {
  const std::lock_guard lock(mutex_);
  if (head_ == tail_) return {};
  Entry& e = ring_[head_ & (ring_.size() - 1)];
  if (e.due > now) return {};
  ++head_;
  ++counters_.delivered;
  return std::move(e.frame);
}

std::optional<Time> Port::next_arrival() const {
  const std::lock_guard lock(mutex_);
  if (head_ == tail_) return std::nullopt;
  return ring_[head_ & (ring_.size() - 1)].due;
}

void Port::on_arrival(std::function<void()> wake) {
  const std::lock_guard lock(wake_mutex_);
  wake_ = std::move(wake);
}

void Port::impair(const Impairments& how) {
  const std::lock_guard lock(mutex_);
  how_ = how;
  impaired_ = how.loss > 0 || how.duplicate > 0 || how.bit_error > 0 || how.reorder > 0 || how.delay_most > Time{0};
  rng_.seed(how.seed);
}

void Port::drop_if(std::function<bool(Bytes)> drop) {
  const std::lock_guard lock(mutex_);
  drop_ = std::move(drop);
}

PortCounters Port::counters() const {
  const std::lock_guard lock(mutex_);
  return counters_;
}

bool Port::chance(double p) { return p > 0 && static_cast<double>(rng_() >> 11) * 0x1p-53 < p; }

// Puts the frame where its time belongs: nearly always at the end. True when it is the first one now.
bool Port::enqueue(Frame frame, Time due) {
  const std::uint64_t mask = ring_.size() - 1;
  if (tail_ - head_ == ring_.size()) {
    ++counters_.dropped_full;
    return false;
  }
  std::uint64_t at = tail_++;
  for (; at != head_ && ring_[(at - 1) & mask].due > due; --at) ring_[at & mask] = std::move(ring_[(at - 1) & mask]);
  ring_[at & mask] = {due, std::move(frame)};
  return at == head_;
}

void Port::deliver(Frame frame, Time now) {
  bool first = false;
  {
    const std::lock_guard lock(mutex_);
    if (!link()) {
      ++counters_.dropped_link;
      return;
    }
    if (drop_ && drop_(frame.bytes())) {
      ++counters_.lost;
      return;
    }
    Time due = now;
    if (impaired_) {
      if (chance(how_.loss)) {
        ++counters_.lost;
        return;
      }
      const auto spread = static_cast<std::uint64_t>((how_.delay_most - how_.delay_least).count());
      due += how_.delay_least + Time{spread == 0 ? 0 : static_cast<std::int64_t>(rng_() % spread)};
      last_due_ = due = std::max(due, last_due_);
      if (chance(how_.reorder)) {
        due += Time{1 + static_cast<std::int64_t>(rng_() % static_cast<std::uint64_t>(how_.reorder_by.count()))};
        ++counters_.reordered;
      }
      if (chance(how_.duplicate)) {
        if (Frame copy = fabric_.pool_.take()) {
          std::memcpy(copy.data(), frame.data(), frame.size());
          copy.resize(frame.size());
          ++counters_.duplicated;
          first = enqueue(std::move(copy), due);
        }
      }
      if (chance(how_.bit_error)) {
        const std::uint64_t bit = rng_() % (frame.size() * 8);
        frame.data()[bit / 8] ^= static_cast<std::byte>(1u << bit % 8);
        ++counters_.corrupted;
      }
    }
    first |= enqueue(std::move(frame), due);
  }
  if (!first) return;
  const std::lock_guard lock(wake_mutex_);
  if (wake_) wake_();
}

Fabric::Fabric(Options options) : options_(options), pool_(options.frames) { assert(is_pow2(options.queue)); }

Fabric::~Fabric() = default;

Port& Fabric::attach(std::string name) {
  const std::unique_lock lock(mutex_);
  return *ports_.emplace_back(new Port(*this, std::move(name), options_.queue));
}

void Fabric::detach(Port& port) {
  const std::unique_lock lock(mutex_);
  std::erase_if(addresses_, [&](const auto& a) { return a.second == &port; });
  std::erase_if(ports_, [&](const auto& p) { return p.get() == &port; });
}

Status Fabric::capture(const std::string& path) {
  auto c = HCQ_TRY(Capture::create(path));
  const std::unique_lock lock(mutex_);
  if (capture_) return Error{.code = Errc::busy, .operation = "capture", .detail = "this fabric is recorded already"};
  capture_ = std::move(c);
  capturing_.store(capture_.get(), std::memory_order_release);
  return {};
}

void Fabric::forward(Port& from, Frame frame, Time now) {
  const std::byte* const f = frame.data();
  std::shared_lock lock(mutex_);
  const std::uint64_t source = key_of(f + 6);
  const auto known = addresses_.find(source);
  const bool news = known == addresses_.end() ? addresses_.size() < kMostAddresses : known->second != &from;
  if (!is_group(f + 6) && news) {
    lock.unlock();
    {
      const std::unique_lock learn(mutex_);
      addresses_[source] = &from;
    }
    lock.lock();
  }
  if (!is_group(f)) {
    const auto to = addresses_.find(key_of(f));
    if (to != addresses_.end()) {
      if (to->second != &from) to->second->deliver(std::move(frame), now);
      return;
    }
  }
  Port* last = nullptr;  // gets the frame itself, the others copies
  for (const auto& p : ports_) {
    if (p.get() == &from) continue;
    if (last != nullptr) {
      if (Frame copy = pool_.take()) {
        std::memcpy(copy.data(), frame.data(), frame.size());
        copy.resize(frame.size());
        last->deliver(std::move(copy), now);
      }
    }
    last = p.get();
  }
  if (last != nullptr) last->deliver(std::move(frame), now);
}

}  // namespace hcq::models::fabric
