// SPDX-License-Identifier: MIT
#include "hcq/timeline.h"

#include <gtest/gtest.h>

#include <atomic>
#include <thread>

namespace hcq {
namespace {

TEST(Timeline, HandsOutValuesFromOneUpToTheLimit) {
  Timeline t(3);
  EXPECT_EQ(t.last(), 0u);
  for (std::uint64_t v = 1; v <= 3; ++v) EXPECT_EQ(t.try_advance(), v);
  EXPECT_EQ(t.try_advance(), std::nullopt);
  EXPECT_EQ(t.last(), 3u);
}

TEST(Timeline, RawValuesStartAgainAfterARestartAndLogicalOnesGoOn) {
  Timeline t(3);
  for (int i = 0; i < 3; ++i) t.try_advance();
  EXPECT_EQ(t.raw(3), 3u);
  t.rebase();
  EXPECT_EQ(t.try_advance(), 4u);
  EXPECT_EQ(t.raw(4), 1u);
  EXPECT_EQ(t.raw(3), 0u) << "an old value must compare as reached";
  EXPECT_EQ(t.reached([] { return 0u; }), 3u);
  EXPECT_EQ(t.reached([] { return 1u; }), 4u);
}

TEST(Timeline, DefaultLimitKeepsTheCellBelowTheSignBit) {
  Timeline t;
  EXPECT_EQ(t.try_advance(), 1u);
  EXPECT_EQ(Timeline::kDefaultLimit, 1u << 31);
}

// One thread plays the device and restarts the cell, others look on: what they see never exceeds the truth and never
// goes back by more than the restart allows.
TEST(Timeline, ReadersNeverSeeMoreThanTheTruthDuringRestarts) {
  Timeline t(5);
  std::atomic<std::uint32_t> cell{0};
  std::atomic<std::uint64_t> truth{0};  // raised before the cell
  std::atomic<bool> stop{false};
  std::atomic<bool> wrong{false};
  std::thread reader([&] {
    while (!stop) {
      const std::uint64_t seen = t.reached([&] { return cell.load(std::memory_order_acquire); });
      if (seen > truth.load()) wrong = true;
    }
  });
  for (int i = 0; i < 200'000; ++i) {
    auto v = t.try_advance();
    if (!v) {
      cell.store(0, std::memory_order_release);
      t.rebase();
      v = t.try_advance();
    }
    ASSERT_TRUE(v);
    truth.store(*v);
    cell.store(t.raw(*v), std::memory_order_release);
  }
  stop = true;
  reader.join();
  EXPECT_FALSE(wrong);
  EXPECT_EQ(t.reached([&] { return cell.load(); }), 200'000u);
}

TEST(ProgressDeadline, StartsAnewWhenTheValueChanges) {
  using std::chrono::milliseconds;
  ProgressDeadline d(milliseconds(30), 0);
  EXPECT_FALSE(d.expired(0));
  for (std::uint64_t v = 1; v <= 4; ++v) {
    std::this_thread::sleep_for(milliseconds(20));
    EXPECT_FALSE(d.expired(v));
  }
  std::this_thread::sleep_for(milliseconds(31));
  EXPECT_TRUE(d.expired(4));
  EXPECT_EQ(d.remaining(), Clock::duration::zero());
}

}  // namespace
}  // namespace hcq
