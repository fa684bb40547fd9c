// SPDX-License-Identifier: MIT
// Staging copies, with the CPU device behind them.
#include <gtest/gtest.h>

#include <cstring>
#include <random>

#include "drivers/cpu/device.h"
#include "hcq/staging.h"

namespace hcq {
namespace {

using namespace std::chrono_literals;

struct StagingTest : testing::TestWithParam<std::uint64_t> {
  void SetUp() override {
    auto d = cpu::open();
    ASSERT_TRUE(d.ok());
    device = std::move(*d);
    queue = *device->queue(QueueKind::copy);
  }
  std::unique_ptr<Device> device;
  Queue* queue = nullptr;
};

// Sizes below, at and above a slot, and many times round the slots.
TEST_P(StagingTest, RoundTrip) {
  auto staging = Staging::make(*device, 3, 1000);
  ASSERT_TRUE(staging.ok());
  const std::uint64_t n = GetParam();
  auto buffer = device->alloc(n + 64, MemoryKind::device);
  ASSERT_TRUE(buffer.ok());
  std::vector<std::byte> data(n), back(n);
  std::mt19937 random(static_cast<unsigned>(n));
  for (auto& b : data) b = static_cast<std::byte>(random());
  for (int round = 0; round < 2; ++round) {
    ASSERT_TRUE(staging->upload(*device, *queue, (*buffer)->address() + 7, data, 10s).ok());
    std::fill(back.begin(), back.end(), std::byte{0});
    ASSERT_TRUE(staging->download(*device, *queue, (*buffer)->address() + 7, back, 10s).ok());
    EXPECT_EQ(back, data);
    std::reverse(data.begin(), data.end());
  }
}
INSTANTIATE_TEST_SUITE_P(Sizes, StagingTest, testing::Values(1, 999, 1000, 1001, 2999, 3000, 3001, 50'017));

}  // namespace
}  // namespace hcq
