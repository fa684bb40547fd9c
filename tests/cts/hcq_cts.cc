// SPDX-License-Identifier: MIT
// Signals, waits, copies, writes, polls, kernels and the timeline, on every registered device.
#include <gtest/gtest.h>

#include <algorithm>
#include <atomic>
#include <random>
#include <thread>

#include "tests/cts/fixture.h"

namespace hcq::cts {
namespace {

std::vector<DeviceCase>& registry() {
  static std::vector<DeviceCase> all;
  return all;
}

std::vector<std::byte> random_bytes(std::size_t n, unsigned seed) {
  std::mt19937 rng(seed);
  std::vector<std::byte> v(n);
  for (auto& b : v) b = static_cast<std::byte>(rng());
  return v;
}

}  // namespace

bool register_device(DeviceCase device) {
  registry().push_back(std::move(device));
  return true;
}
const std::vector<DeviceCase>& devices() { return registry(); }

INSTANTIATE_TEST_SUITE_P(Devices, HcqDevice, ::testing::ValuesIn(devices()),
                         [](const auto& info) { return info.param.name; });

// --- signals ---------------------------------------------------------------------------------------------------------

TEST_P(HcqDevice, SignalFromEachQueue) {
  auto s = signal();
  for (Queue* q : {compute_, copy_}) {
    const std::uint64_t value = s->value() + 5;
    HCQ_ASSERT_OK(q->signal(*s, value));
    HCQ_ASSERT_OK(q->submit());
    HCQ_ASSERT_OK(s->wait(value, kLong));
    EXPECT_EQ(s->value(), value);
  }
}

TEST_P(HcqDevice, ManySignalsWithDifferentValues) {
  std::vector<SignalRef> all;
  for (unsigned i = 0; i < 300; ++i) {
    all.push_back(signal(i));
    ASSERT_EQ(all.back()->value(), i);
    HCQ_ASSERT_OK(compute_->signal(*all.back(), 1000 + i));
    if (i % 7 == 0) HCQ_ASSERT_OK(compute_->submit());
  }
  finish(*compute_);
  for (unsigned i = 0; i < all.size(); ++i) EXPECT_EQ(all[i]->value(), 1000 + i);
}

TEST_P(HcqDevice, HostWaitTimesOutOnUnsignalled) {
  auto s = signal(3);
  const auto start = Clock::now();
  const auto r = s->wait(4, kShort);
  ASSERT_FALSE(r.ok());
  EXPECT_EQ(r.error().code, Errc::timeout);
  EXPECT_EQ(r.error().expected, 4u);
  EXPECT_EQ(r.error().actual, 3u);
  EXPECT_GE(Clock::now() - start, kShort);
  HCQ_ASSERT_OK(s->wait(3, kShort));
  HCQ_ASSERT_OK(s->wait(2, kShort));
}

TEST_P(HcqDevice, QueueWaitAlreadySatisfied) {
  auto gate = signal(7), out = signal();
  HCQ_ASSERT_OK(compute_->wait(*gate, 7));
  HCQ_ASSERT_OK(compute_->wait(*gate, 5));
  HCQ_ASSERT_OK(compute_->signal(*out, 1));
  HCQ_ASSERT_OK(compute_->submit());
  HCQ_ASSERT_OK(out->wait(1, kLong));
}

TEST_P(HcqDevice, QueueWaitSatisfiedLateByHost) {
  auto gate = signal(), out = signal();
  HCQ_ASSERT_OK(compute_->wait(*gate, 1));
  HCQ_ASSERT_OK(compute_->signal(*out, 1));
  const auto point = compute_->submit();
  HCQ_ASSERT_OK(point);
  const auto early = out->wait(1, kShort);
  ASSERT_FALSE(early.ok());
  EXPECT_EQ(early.error().code, Errc::timeout);
  EXPECT_EQ(device_->wait(*point, kShort).error().code, Errc::timeout);
  gate->set(1);
  HCQ_ASSERT_OK(out->wait(1, kLong));
  HCQ_ASSERT_OK(device_->wait(*point, kLong));
}

TEST_P(HcqDevice, HostWaitsBeforeTheSignalIsSubmitted) {
  auto s = signal();
  std::atomic<bool> ok{false};
  std::thread waiter([&] { ok = s->wait(9, kLong).ok(); });
  std::this_thread::sleep_for(kShort);
  EXPECT_TRUE(compute_->signal(*s, 9).ok());
  EXPECT_TRUE(compute_->submit().ok());
  waiter.join();
  EXPECT_TRUE(ok);
}

TEST_P(HcqDevice, ManyHostWaitersOnOneSignal) {
  auto s = signal();
  std::atomic<int> woken{0};
  std::vector<std::thread> waiters;
  for (int i = 1; i <= 8; ++i)
    waiters.emplace_back([&, i] { woken += s->wait(static_cast<std::uint64_t>(i), kLong).ok(); });
  for (std::uint64_t v = 1; v <= 8; ++v) {
    EXPECT_TRUE(compute_->signal(*s, v).ok());
    EXPECT_TRUE(compute_->submit().ok());
  }
  for (auto& t : waiters) t.join();
  EXPECT_EQ(woken, 8);
}

TEST_P(HcqDevice, OneQueueWaitsForTheOther) {
  auto s = signal();
  auto b = buffer(64);
  for (unsigned i = 1; i <= 50; ++i) {
    HCQ_ASSERT_OK(compute_->write(b->address(), i));
    HCQ_ASSERT_OK(compute_->signal(*s, i));
    HCQ_ASSERT_OK(compute_->submit());
    HCQ_ASSERT_OK(copy_->wait(*s, i));
    HCQ_ASSERT_OK(copy_->copy(b->address() + 32, b->address(), 4));
    finish(*copy_);
    ASSERT_EQ(word(*b, 8), i);
  }
}

// A wait for an earlier value must not need a later one: the six steps of ROCm/hrx-system#559.
TEST_P(HcqDevice, WaitForAnEarlierValueDoesNotNeedALaterOne) {
  auto gate1 = signal(), gate2 = signal(), done = signal();
  HCQ_ASSERT_OK(compute_->wait(*gate1, 1));
  HCQ_ASSERT_OK(compute_->signal(*done, 1));
  HCQ_ASSERT_OK(compute_->submit());
  HCQ_ASSERT_OK(copy_->wait(*gate2, 1));
  HCQ_ASSERT_OK(copy_->signal(*done, 2));
  HCQ_ASSERT_OK(copy_->submit());
  gate1->set(1);
  HCQ_ASSERT_OK(done->wait(1, kLong));
  EXPECT_EQ(done->value(), 1u);
  gate2->set(1);
  HCQ_ASSERT_OK(done->wait(2, kLong));
}

// --- memory ----------------------------------------------------------------------------------------------------------

TEST_P(HcqDevice, UploadAndDownloadAtOddOffsets) {
  auto b = buffer(100'003, MemoryKind::device);
  const auto data = random_bytes(100'003, 1);
  HCQ_ASSERT_OK(device_->upload(*b, 0, data));
  const auto part = random_bytes(777, 2);
  HCQ_ASSERT_OK(device_->upload(*b, 13, part));
  std::vector<std::byte> back(100'003);
  HCQ_ASSERT_OK(device_->download(*b, 0, back));
  auto expected = data;
  std::copy(part.begin(), part.end(), expected.begin() + 13);
  EXPECT_EQ(back, expected);
  EXPECT_FALSE(device_->upload(*b, 100'000, part).ok());
}

TEST_P(HcqDevice, CopyBetweenKindsOfMemory) {
  const auto data = random_bytes(70'000, 3);
  auto src = buffer(70'000), mid = buffer(70'000, MemoryKind::device), dst = buffer(70'000);
  std::memcpy(src->host(), data.data(), data.size());
  HCQ_ASSERT_OK(copy_->barrier());
  HCQ_ASSERT_OK(copy_->copy(mid->address(), src->address(), 70'000));
  HCQ_ASSERT_OK(copy_->copy(dst->address(), mid->address(), 70'000));
  finish(*copy_);
  EXPECT_EQ(std::memcmp(dst->host(), data.data(), data.size()), 0);
}

TEST_P(HcqDevice, CopyOfZeroBytesDoesNothing) {
  auto b = buffer(64);
  HCQ_ASSERT_OK(copy_->copy(b->address(), b->address() + 32, 0));
  finish(*copy_);
}

TEST_P(HcqDevice, LongCopy) {
  const std::uint64_t n = GetParam().long_copy_bytes;
  auto src = buffer(n), mid = buffer(n, MemoryKind::device), dst = buffer(n);
  for (std::uint64_t i = 0; i < n; i += 4096) std::memcpy(src->host() + i, &i, 8);
  HCQ_ASSERT_OK(copy_->barrier());
  HCQ_ASSERT_OK(copy_->copy(mid->address(), src->address(), n));
  HCQ_ASSERT_OK(copy_->copy(dst->address(), mid->address(), n));
  finish(*copy_);
  EXPECT_EQ(std::memcmp(dst->host(), src->host(), n), 0);
}

TEST_P(HcqDevice, ManySmallCopiesInterleavedWithKernels) {
  auto src = buffer(4096), dst = buffer(4096), counter = buffer(256);
  auto add = program("add_one");
  for (unsigned i = 0; i < 1024; ++i) set_word(*src, i * 3 + 1, i);
  HCQ_ASSERT_OK(copy_->barrier());
  const Arguments args = Arguments{}.add(counter->address());
  for (unsigned i = 0; i < 1024; ++i) {
    HCQ_ASSERT_OK(copy_->copy(dst->address() + 4 * i, src->address() + 4 * (1023 - i), 4));
    if (i % 64 == 63) {
      HCQ_ASSERT_OK(copy_->submit());
      HCQ_ASSERT_OK(exec(add, args));
      HCQ_ASSERT_OK(compute_->submit());
    }
  }
  HCQ_ASSERT_OK(device_->synchronize());
  for (unsigned i = 0; i < 1024; ++i) ASSERT_EQ(word(*dst, i), (1023 - i) * 3 + 1);
  for (unsigned i = 0; i < kBlock; ++i) ASSERT_EQ(word(*counter, i), 16u);
}

TEST_P(HcqDevice, Write) {
  auto b = buffer(64);
  for (unsigned i = 0; i < 16; ++i) HCQ_ASSERT_OK(compute_->write(b->address() + 4 * i, 0xabc0u + i));
  HCQ_ASSERT_OK(compute_->write(b->address(), 0xffffffffu));
  finish(*compute_);
  EXPECT_EQ(word(*b, 0), 0xffffffffu);
  for (unsigned i = 1; i < 16; ++i) EXPECT_EQ(word(*b, i), 0xabc0u + i);
}

TEST_P(HcqDevice, PollBitSet) {
  auto b = buffer(64);
  auto out = signal();
  HCQ_ASSERT_OK(compute_->poll(b->address() + 4, 0x10, 0x10));
  HCQ_ASSERT_OK(compute_->signal(*out, 1));
  HCQ_ASSERT_OK(compute_->submit());
  EXPECT_EQ(out->wait(1, kShort).error().code, Errc::timeout);
  set_word(*b, 0xffffffef, 1);
  EXPECT_EQ(out->wait(1, kShort).error().code, Errc::timeout);
  set_word(*b, 0x10, 1);
  HCQ_ASSERT_OK(out->wait(1, kLong));
}

TEST_P(HcqDevice, PollBitClear) {
  auto b = buffer(64);
  auto out = signal();
  set_word(*b, 0xff, 1);
  HCQ_ASSERT_OK(compute_->poll(b->address() + 4, 0, 0x10));
  HCQ_ASSERT_OK(compute_->signal(*out, 1));
  HCQ_ASSERT_OK(compute_->submit());
  EXPECT_EQ(out->wait(1, kShort).error().code, Errc::timeout);
  set_word(*b, 0xef, 1);
  HCQ_ASSERT_OK(out->wait(1, kLong));
}

// --- kernels ---------------------------------------------------------------------------------------------------------

TEST_P(HcqDevice, OneExec) {
  auto store = program("store_value");
  auto out = buffer(4 * 4 * kBlock, MemoryKind::device);
  HCQ_ASSERT_OK(exec(store, Arguments{}.add(out->address()).add(std::uint32_t{1000}), 4));
  finish(*compute_);
  const auto w = words(*out);
  for (unsigned i = 0; i < w.size(); ++i) ASSERT_EQ(w[i], 1000 + i);
}

TEST_P(HcqDevice, TwoExecsAHundredTimes) {
  auto add = program("add_one");
  auto b = buffer(4 * kBlock);
  const Arguments args = Arguments{}.add(b->address());
  for (unsigned i = 0; i < GetParam().repeat; ++i) {
    HCQ_ASSERT_OK(exec(add, args));
    HCQ_ASSERT_OK(exec(add, args));
    HCQ_ASSERT_OK(compute_->submit());
  }
  HCQ_ASSERT_OK(device_->synchronize());
  for (unsigned i = 0; i < kBlock; ++i) ASSERT_EQ(word(*b, i), 2 * GetParam().repeat);
}

TEST_P(HcqDevice, ExecWithChangingGridAndArguments) {
  auto store = program("store_value");
  std::mt19937 rng(7);
  constexpr unsigned kMaxGroups = 40;
  auto out = buffer(4 * kBlock * kMaxGroups);
  for (unsigned round = 0; round < 25; ++round) {
    const unsigned groups = 1 + rng() % kMaxGroups;
    const auto value = static_cast<std::uint32_t>(rng());
    std::memset(out->host(), 0, out->size());
    HCQ_ASSERT_OK(compute_->barrier());
    HCQ_ASSERT_OK(exec(store, Arguments{}.add(out->address()).add(value), groups));
    finish(*compute_);
    for (unsigned i = 0; i < kBlock * kMaxGroups; ++i) ASSERT_EQ(word(*out, i), i < groups * kBlock ? value + i : 0);
  }
}

TEST_P(HcqDevice, RejectedExecLeavesTheQueueUsable) {
  auto store = program("store_value");
  auto out = buffer(4 * kBlock);
  const Status r = exec(store, Arguments{}.add(out->address()));  // the number is missing
  ASSERT_FALSE(r.ok());
  EXPECT_EQ(r.error().code, Errc::invalid_argument);
  (void)compute_->submit();
  HCQ_ASSERT_OK(exec(store, Arguments{}.add(out->address()).add(std::uint32_t{5})));
  finish(*compute_);
  EXPECT_EQ(word(*out, 1), 6u);
}

TEST_P(HcqDevice, BarrierMakesHostWritesVisibleToKernels) {
  auto copy = program("copy_word");
  auto in = buffer(4 * kBlock), out = buffer(4 * kBlock);
  const Arguments args = Arguments{}.add(out->address()).add(in->address());
  for (unsigned i = 1; i <= 255; ++i) {
    for (unsigned k = 0; k < kBlock; ++k) set_word(*in, i * 1000 + k, k);
    HCQ_ASSERT_OK(compute_->barrier());
    HCQ_ASSERT_OK(exec(copy, args));
    finish(*compute_);
    for (unsigned k = 0; k < kBlock; ++k) ASSERT_EQ(word(*out, k), i * 1000 + k);
  }
}

TEST_P(HcqDevice, BarrierMakesHostWritesVisibleToCopies) {
  auto in = buffer(64), out = buffer(64);
  for (unsigned i = 1; i <= 256; ++i) {
    set_word(*in, i, i % 16);
    HCQ_ASSERT_OK(copy_->barrier());
    HCQ_ASSERT_OK(copy_->copy(out->address(), in->address(), 64));
    finish(*copy_);
    ASSERT_EQ(word(*out, i % 16), i);
  }
}

TEST_P(HcqDevice, TimestampsGrowAndMeasureAKernel) {
  auto busy = program("busy");
  auto b = buffer(4 * kBlock);
  auto before = signal(), after = signal();
  const auto host_start = Clock::now();
  HCQ_ASSERT_OK(compute_->timestamp(*before));
  HCQ_ASSERT_OK(exec(busy, Arguments{}.add(b->address()).add(std::uint32_t{20'000})));
  HCQ_ASSERT_OK(compute_->timestamp(*after));
  finish(*compute_);
  const std::chrono::duration<double, std::micro> host = Clock::now() - host_start;
  EXPECT_EQ(word(*b), 20'000u);
  ASSERT_GT(after->timestamp(), before->timestamp());
  ASSERT_GT(device_->info().timestamp_mhz, 0);
  const double us = static_cast<double>(after->timestamp() - before->timestamp()) / device_->info().timestamp_mhz;
  EXPECT_LE(us, host.count() * 1.01 + 1);
}

// --- timeline --------------------------------------------------------------------------------------------------------

TEST_P(HcqDevice, TimelineCountsSubmissionsOfAllQueues) {
  const std::uint64_t start = device_->last_submitted();
  for (unsigned i = 1; i <= 10; ++i) {
    const auto point = (i % 2 ? compute_ : copy_)->submit();
    HCQ_ASSERT_OK(point);
    EXPECT_EQ(*point, start + i);
  }
  EXPECT_EQ(device_->last_submitted(), start + 10);
  HCQ_ASSERT_OK(device_->synchronize());
}

TEST_P(HcqDevice, TimelineRestartsWithoutLosingOrder) {
  if (!GetParam().timeline_limit) GTEST_SKIP() << "the device's timeline limit cannot be lowered";
  ASSERT_TRUE(device_->close().ok());
  open({.timeline_limit = 100});
  ASSERT_NE(device_, nullptr);
  auto add = program("add_one");
  auto b = buffer(4 * kBlock);
  const Arguments args = Arguments{}.add(b->address());
  std::vector<std::uint64_t> points;
  for (unsigned i = 1; i <= 450; ++i) {
    HCQ_ASSERT_OK(exec(add, args));
    const auto point = (i % 3 == 0) ? copy_->submit() : compute_->submit();
    if (i % 3 == 0) HCQ_ASSERT_OK(compute_->submit());
    HCQ_ASSERT_OK(point);
    points.push_back(*point);
    ASSERT_TRUE(points.size() < 2 || points.back() > points[points.size() - 2]);
  }
  HCQ_ASSERT_OK(device_->wait(points.front(), kShort));  // from four restarts ago: long done
  HCQ_ASSERT_OK(device_->synchronize());
  for (unsigned i = 0; i < kBlock; ++i) ASSERT_EQ(word(*b, i), 450u);
  EXPECT_EQ(device_->wait(device_->last_submitted() + 1, kShort).error().code, Errc::timeout);
}

TEST_P(HcqDevice, TwoThreadsFeedTwoQueues) {
  if (compute_ == copy_) GTEST_SKIP() << "the device has one queue";
  auto b = buffer(64);
  auto feed = [&](Queue* q, std::uint64_t address) {
    for (unsigned i = 1; i <= 500; ++i) {
      if (!q->write(address, i).ok()) return;
      if (!q->submit().ok()) return;
    }
  };
  std::thread other(feed, copy_, b->address() + 32);
  feed(compute_, b->address());
  other.join();
  HCQ_ASSERT_OK(device_->synchronize());
  EXPECT_EQ(word(*b, 0), 500u);
  EXPECT_EQ(word(*b, 8), 500u);
  EXPECT_EQ(device_->last_submitted(), 1000u);
}

// More commands than any ring holds, in submissions of odd lengths.
TEST_P(HcqDevice, RingGoesRoundManyTimes) {
  auto store = program("store_value");
  auto b = buffer(4 * kBlock), log = buffer(64);
  std::mt19937 rng(11);
  std::uint32_t last = 0;
  unsigned commands = 0;
  while (commands < 6000) {
    const unsigned n = 1 + rng() % 37;
    for (unsigned i = 0; i < n; ++i, ++commands) {
      last = static_cast<std::uint32_t>(rng());
      if (rng() % 8 == 0) HCQ_ASSERT_OK(exec(store, Arguments{}.add(b->address()).add(last)));
      else HCQ_ASSERT_OK(compute_->write(b->address(), last));
    }
    HCQ_ASSERT_OK(compute_->copy(log->address(), b->address(), 4));
    HCQ_ASSERT_OK(compute_->submit());
  }
  HCQ_ASSERT_OK(device_->synchronize());
  EXPECT_EQ(word(*log), last);
}

}  // namespace hcq::cts
