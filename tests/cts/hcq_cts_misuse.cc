// SPDX-License-Identifier: MIT
// Handles used at the wrong time: after close(), after the device itself is gone, on another device, and close() while
// somebody waits. Everything ends in an error within a bounded time.
#include <thread>

#include "tests/cts/fixture.h"

namespace hcq::cts {

class HcqDeviceMisuse : public HcqDevice {};
GTEST_ALLOW_UNINSTANTIATED_PARAMETERIZED_TEST(HcqDeviceMisuse);
INSTANTIATE_TEST_SUITE_P(Devices, HcqDeviceMisuse, ::testing::ValuesIn(devices()),
                         [](const auto& info) { return info.param.name; });

TEST_P(HcqDeviceMisuse, QueuesBuffersProgramsAndSignalsAfterClose) {
  auto store = program("store_value");
  auto b = buffer(4 * kBlock), d = buffer(4 * kBlock, MemoryKind::device);
  auto s = signal();
  HCQ_ASSERT_OK(device_->close());
  for (Queue* q : {compute_, copy_}) {
    EXPECT_FALSE(q->wait(*s, 0).ok());
    EXPECT_FALSE(q->barrier().ok());
    EXPECT_FALSE(q->copy(d->address(), b->address(), 64).ok());
    EXPECT_FALSE(q->write(b->address(), 1).ok());
    EXPECT_FALSE(q->signal(*s, 1).ok());
    EXPECT_FALSE(q->submit().ok());
    EXPECT_FALSE(q->submit().ok()) << "an empty submission";
  }
  EXPECT_FALSE(exec(store, Arguments{}.add(b->address()).add(std::uint32_t{1})).ok());
  EXPECT_FALSE(s->wait(1, kLong).ok());
  std::byte byte{};
  EXPECT_FALSE(device_->upload(*d, 0, Bytes(&byte, 1)).ok());
  EXPECT_FALSE(device_->download(*d, 0, MutableBytes(&byte, 1)).ok());
  EXPECT_FALSE(device_->load(*test_kernel(device_->info(), "add_one"), "add_one").ok());
}

TEST_P(HcqDeviceMisuse, HandlesOutliveTheDevice) {
  auto store = program("store_value");
  auto b = buffer(4 * kBlock);
  auto s = signal(3), early = signal();
  HCQ_ASSERT_OK(exec(store, Arguments{}.add(b->address()).add(std::uint32_t{1})));
  HCQ_ASSERT_OK(compute_->signal(*s, 4));
  finish(*compute_);
  device_.reset();
  early.reset();
  EXPECT_EQ(word(*b, 5), 6u);
  EXPECT_EQ(s->value(), 4u);
  EXPECT_TRUE(s->wait(4, kShort).ok()) << "what has been reached stays reached";
  EXPECT_FALSE(s->wait(5, kLong).ok());
  b.reset();
  store.reset();
  s.reset();
}

TEST_P(HcqDeviceMisuse, CloseEndsTheWaitsOfOtherThreads) {
  expect_clean_close_ = false;
  auto gate = signal(), never = signal();
  HCQ_ASSERT_OK(compute_->wait(*gate, 1));  // nobody sets it
  const auto point = compute_->submit();
  HCQ_ASSERT_OK(point);
  Status a, b;
  std::thread first([&] { a = never->wait(1, kLong); }), second([&] { b = device_->wait(*point, kLong); });
  std::this_thread::sleep_for(kShort);
  const auto start = Clock::now();
  EXPECT_FALSE(device_->close().ok()) << "work was pending";
  first.join();
  second.join();
  EXPECT_LT(Clock::now() - start, std::chrono::seconds(20));
  EXPECT_FALSE(a.ok());
  EXPECT_FALSE(b.ok());
  open({});
  auto add = program("add_one");
  auto c = buffer(4 * kBlock);
  HCQ_ASSERT_OK(exec(add, Arguments{}.add(c->address())));
  finish(*compute_);
  EXPECT_EQ(word(*c), 1u);
}

TEST_P(HcqDeviceMisuse, ProgramsAndBuffersOfAnotherDeviceAreRefused) {
  auto other = GetParam().open({});
  HCQ_ASSERT_OK(other);
  auto foreign = (*other)->load(*test_kernel((*other)->info(), "add_one"), "add_one");
  HCQ_ASSERT_OK(foreign);
  auto theirs = (*other)->alloc(4 * kBlock, MemoryKind::device);
  HCQ_ASSERT_OK(theirs);
  auto b = buffer(4 * kBlock);
  const Status refused = exec(*foreign, Arguments{}.add(b->address()));
  ASSERT_FALSE(refused.ok());
  EXPECT_EQ(refused.error().code, Errc::invalid_argument) << describe(refused.error());
  EXPECT_FALSE(compute_->submit().ok());
  std::byte byte{};
  EXPECT_FALSE(device_->upload(**theirs, 0, Bytes(&byte, 1)).ok());
  EXPECT_FALSE(device_->download(**theirs, 0, MutableBytes(&byte, 1)).ok());
  HCQ_ASSERT_OK((*other)->close());
}

}  // namespace hcq::cts
