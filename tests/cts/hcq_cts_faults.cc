// SPDX-License-Identifier: MIT
// What goes wrong, and what outlives what: faults, time-outs of slow work, dropped handles, closing, bad objects.
#include <gtest/gtest.h>

#include <algorithm>
#include <thread>

#include "tests/cts/fixture.h"

namespace hcq::cts {
namespace {

// An address that no buffer of any device covers.
constexpr std::uint64_t kUnmapped = 0x0000'0123'4567'8000;

}  // namespace

using HcqDeviceFaults = HcqDevice;
INSTANTIATE_TEST_SUITE_P(Devices, HcqDeviceFaults, ::testing::ValuesIn(devices()),
                         [](const auto& info) { return info.param.name; });

// A time-out with the cause: the fault ends a long wait at once and names the address (tinygrad/tinygrad#7727).
TEST_P(HcqDeviceFaults, FaultEndsAWaitWithItsAddress) {
  if (!GetParam().reports_faults) GTEST_SKIP() << "the device does not report faults";
  expect_clean_close_ = false;
  auto gate = signal(), never = signal();
  auto b = buffer(4096);
  HCQ_ASSERT_OK(copy_->wait(*gate, 1));
  HCQ_ASSERT_OK(copy_->copy(kUnmapped, b->address(), 64));
  HCQ_ASSERT_OK(copy_->signal(*never, 1));
  const auto point = copy_->submit();
  HCQ_ASSERT_OK(point);
  std::thread opener([&] {
    std::this_thread::sleep_for(std::chrono::milliseconds(10));
    gate->set(1);
  });
  const auto start = Clock::now();
  const Status r = never->wait(1, std::chrono::seconds(30));
  opener.join();
  ASSERT_FALSE(r.ok());
  EXPECT_EQ(r.error().code, Errc::device_fault) << describe(r.error());
  ASSERT_TRUE(r.error().address.has_value()) << describe(r.error());
  EXPECT_EQ(*r.error().address >> 12, kUnmapped >> 12);
  EXPECT_LT(Clock::now() - start, std::chrono::seconds(5));
  EXPECT_EQ(never->value(), 0u);

  // It stays: every later call fails with the same error.
  const Status again = device_->wait(*point, kLong);
  ASSERT_FALSE(again.ok());
  EXPECT_EQ(describe(again.error()), describe(r.error()));
  bool refused = !compute_->write(b->address(), 1).ok();
  refused = !compute_->submit().ok() || refused;
  EXPECT_TRUE(refused);
}

// Slow but alive: the limit counts from the last progress (ggml-org/llama.cpp#21724).
TEST_P(HcqDeviceFaults, DeadlineCountsFromTheLastProgress) {
  auto busy = program("busy");
  auto b = buffer(4 * kBlock);
  const auto run = [&](std::uint32_t rounds) { return exec(busy, Arguments{}.add(b->address()).add(rounds)); };

  // How many rounds take slow_kernel_ms here? From a kernel that takes at least a tenth of it.
  std::uint32_t rounds = 1000;
  double ms = 0;
  for (;;) {
    const auto start = Clock::now();
    HCQ_ASSERT_OK(run(rounds));
    finish(*compute_);
    ms = std::chrono::duration<double, std::milli>(Clock::now() - start).count();
    if (ms > GetParam().slow_kernel_ms / 3) break;
    rounds *= 2;
  }
  rounds = static_cast<std::uint32_t>(rounds * GetParam().slow_kernel_ms / ms);
  // The limit is generous for one kernel and far too short for ten. A machine under load can make one kernel that slow
  // too, so some tries are allowed; a deadline that counted from the start would miss in every one.
  const auto limit = std::chrono::microseconds(static_cast<long>(GetParam().slow_kernel_ms * 5000));
  Status waited;
  for (int attempt = 0; attempt < 8; ++attempt) {
    for (int i = 0; i < 10; ++i) {
      HCQ_ASSERT_OK(run(rounds));
      HCQ_ASSERT_OK(compute_->submit());
    }
    waited = device_->wait(device_->last_submitted(), limit);
    if (waited.ok()) break;
    HCQ_ASSERT_OK(device_->wait(device_->last_submitted(), kLong));
  }
  HCQ_ASSERT_OK(waited);

  // No progress within the limit does time out, and the device is fine afterwards. Held up by a signal and not by the
  // kernel's length, which a loaded machine measures wrong.
  auto gate = signal();
  HCQ_ASSERT_OK(compute_->wait(*gate, 1));
  HCQ_ASSERT_OK(run(rounds));
  const auto point = compute_->submit();
  HCQ_ASSERT_OK(point);
  const Status late = device_->wait(*point, std::chrono::milliseconds(1));
  ASSERT_FALSE(late.ok());
  EXPECT_EQ(late.error().code, Errc::timeout);
  gate->set(1);
  HCQ_ASSERT_OK(device_->wait(*point, kLong));
}

TEST_P(HcqDeviceFaults, HandlesMayBeDroppedRightAfterSubmit) {
  auto out = buffer(4 * kBlock);
  auto gate = signal();
  {
    auto in = buffer(4 * kBlock);
    auto store = program("store_value");
    auto inner = signal();
    HCQ_ASSERT_OK(compute_->wait(*gate, 1));
    HCQ_ASSERT_OK(exec(store, Arguments{}.add(in->address()).add(std::uint32_t{77})));
    HCQ_ASSERT_OK(compute_->copy(out->address(), in->address(), 4 * kBlock));
    HCQ_ASSERT_OK(compute_->signal(*inner, 1));
    HCQ_ASSERT_OK(compute_->submit());
  }
  for (int i = 0; i < 100; ++i) (void)buffer(4096);  // gives a storage that was freed too early new content
  gate->set(1);
  HCQ_ASSERT_OK(device_->synchronize());
  for (unsigned i = 0; i < kBlock; ++i) ASSERT_EQ(word(*out, i), 77 + i);
}

TEST_P(HcqDeviceFaults, HandlesMayBeDroppedBetweenRecordingAndSubmit) {
  auto out = buffer(4 * kBlock);
  auto in = buffer(4 * kBlock);
  auto store = program("store_value");
  HCQ_ASSERT_OK(exec(store, Arguments{}.add(in->address()).add(std::uint32_t{91})));
  HCQ_ASSERT_OK(compute_->copy(out->address(), in->address(), 4 * kBlock));
  in.reset();
  store.reset();
  for (int i = 0; i < 20; ++i) (void)buffer(4 * kBlock);
  finish(*compute_);
  for (unsigned i = 0; i < kBlock; ++i) ASSERT_EQ(word(*out, i), 91 + i);
}

TEST_P(HcqDeviceFaults, CloseDrainsAndThenEverythingFails) {
  auto add = program("add_one");
  auto b = buffer(4 * kBlock);
  for (int i = 0; i < 20; ++i) {
    HCQ_ASSERT_OK(exec(add, Arguments{}.add(b->address())));
    HCQ_ASSERT_OK(compute_->submit());
  }
  HCQ_ASSERT_OK(device_->close());
  EXPECT_EQ(word(*b), 20u);
  HCQ_ASSERT_OK(device_->close());
  EXPECT_FALSE(device_->alloc(64, MemoryKind::host).ok());
  EXPECT_FALSE(device_->create_signal(0).ok());
  EXPECT_FALSE(device_->queue(QueueKind::compute).ok());
  EXPECT_FALSE(device_->wait(device_->last_submitted() + 1, kShort).ok());
}

TEST_P(HcqDeviceFaults, BadCodeObjectsAreRefused) {
  auto code = test_kernel(device_->info(), "add_one");
  HCQ_ASSERT_OK(code);
  EXPECT_FALSE(device_->load({}, "add_one").ok());
  const auto missing = device_->load(*code, "no_such_kernel");
  ASSERT_FALSE(missing.ok());
  EXPECT_EQ(missing.error().code, Errc::not_found) << describe(missing.error());
  for (std::size_t n = 0; n + 1 < code->size(); n += 1 + code->size() / 97)
    EXPECT_FALSE(device_->load(Bytes(*code).first(n), "add_one").ok()) << "cut to " << n << " bytes";
  // An object for another architecture.
  DeviceInfo other = device_->info();
  other.family = other.family == "cpu" ? "am" : "cpu";
  other.arch = other.family == "cpu" ? "x86-64" : "gfx1100";
  auto foreign = test_kernel(other, "add_one");
  HCQ_ASSERT_OK(foreign);
  const auto refused = device_->load(*foreign, "add_one");
  ASSERT_FALSE(refused.ok());
  EXPECT_EQ(refused.error().code, Errc::unsupported) << describe(refused.error());
  HCQ_ASSERT_OK(device_->load(*code, ""));
}

TEST_P(HcqDeviceFaults, AllocationRefusesAbsurdSizes) {
  EXPECT_FALSE(device_->alloc(0, MemoryKind::host).ok());
  EXPECT_FALSE(device_->alloc(~0ull, MemoryKind::device).ok());
  EXPECT_FALSE(device_->alloc(1ull << 60, MemoryKind::device).ok());
}

}  // namespace hcq::cts
