// SPDX-License-Identifier: MIT
#include "drivers/pci/dma.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <cstring>
#include <set>

#include "tests/support/pci_fake_tree.h"

namespace hcq::pci::test {
namespace {

using ::testing::AllOf;
using ::testing::HasSubstr;

class PciDma : public ::testing::Test {
 protected:
  void SetUp() override {
    tree_.add({});
    pool_ = DmaPool::create(kName, memory_, std::make_unique<PhysicalMapper>(tree_.host(), kName, memory_));
  }
  static constexpr const char* kName = "0000:03:00.0";
  FakeTree tree_;
  std::shared_ptr<FakeMemory> memory_ = std::make_shared<FakeMemory>();
  std::shared_ptr<DmaPool> pool_;
};

TEST_F(PciDma, AddressesAreThoseOfTheMemory) {
  const auto a = pool_->alloc(3 * kDmaPage + 1, {});
  ASSERT_TRUE(a.ok()) << describe(a.error());
  DmaMemory& m = **a;
  ASSERT_EQ(m.pages().size(), 4u);
  EXPECT_EQ(m.size(), 4 * kDmaPage);
  for (std::size_t i = 0; i < 4; ++i) EXPECT_EQ(memory_->at(m.pages()[i]), m.data() + i * kDmaPage);
}

TEST_F(PciDma, SeventyThousandSmallBuffersNeedFewMappings) {
  std::vector<std::unique_ptr<DmaMemory>> buffers;
  std::set<std::uint64_t> seen;
  for (int i = 0; i < 70'000; ++i) {
    auto b = pool_->alloc(64, {});
    ASSERT_TRUE(b.ok());
    ASSERT_TRUE(seen.insert((*b)->pages()[0]).second) << "a page was handed out twice";
    buffers.push_back(std::move(*b));
  }
  EXPECT_LE(memory_->maps, 137);  // 512 pages each
  buffers.clear();
  EXPECT_EQ(pool_->mapped_bytes(), 2u << 20);  // one empty piece is kept
}

TEST_F(PciDma, ReusedMemoryIsZeroAgain) {
  std::byte* where = nullptr;
  {
    auto a = *pool_->alloc(kDmaPage, {});
    where = a->data();
    std::memset(where, 0x5a, kDmaPage);
  }
  const auto b = *pool_->alloc(kDmaPage, {});
  ASSERT_EQ(b->data(), where);
  EXPECT_TRUE(std::all_of(where, where + kDmaPage, [](std::byte v) { return v == std::byte{0}; }));
}

TEST_F(PciDma, LargeBuffersGoBackToTheSystem) {
  {
    const auto a = *pool_->alloc(8u << 20, {});
    EXPECT_EQ(pool_->mapped_bytes(), 8u << 20);
  }
  EXPECT_EQ(pool_->mapped_bytes(), 0u);
}

TEST_F(PciDma, ContiguousComesFromHugepages) {
  for (const std::size_t bytes :
       {std::size_t{kDmaPage * 2}, std::size_t{300} << 10, std::size_t{2} << 20, std::size_t{5} << 20}) {
    const auto a = pool_->alloc(bytes, {.contiguous = true});
    ASSERT_TRUE(a.ok()) << describe(a.error());
    for (std::size_t i = 1; i < (*a)->pages().size(); ++i) ASSERT_EQ((*a)->pages()[i], (*a)->pages()[0] + i * kDmaPage);
  }
}

TEST_F(PciDma, ContiguousFailsRatherThanNot) {
  memory_->hugepages = 0;
  const auto one = pool_->alloc(100, {.contiguous = true});
  EXPECT_TRUE(one.ok()) << "one page is contiguous with itself";
  const auto two = pool_->alloc(2 * kDmaPage, {.contiguous = true});
  ASSERT_FALSE(two.ok());
  EXPECT_EQ(two.error().code, Errc::no_memory);
  EXPECT_THAT(two.error().hint, HasSubstr("nr_hugepages"));
  EXPECT_TRUE(pool_->alloc(2 * kDmaPage, {}).ok());
}

TEST_F(PciDma, FreedAfterThePoolsOwnerIsGone) {
  auto a = *pool_->alloc(kDmaPage, {});
  pool_.reset();
  a->data()[0] = std::byte{1};
  a.reset();
}

TEST_F(PciDma, SizesOutOfRange) {
  EXPECT_EQ(pool_->alloc(0, {}).error().code, Errc::invalid_argument);
  EXPECT_EQ(pool_->alloc(~std::size_t{0}, {}).error().code, Errc::invalid_argument);
}

TEST_F(PciDma, HiddenFrameNumbersAreNeverAddressZero) {
  memory_->hide_frames = true;
  const auto a = pool_->alloc(kDmaPage, {});
  ASSERT_FALSE(a.ok());
  EXPECT_EQ(a.error().code, Errc::permission);
  EXPECT_EQ(pool_->mapped_bytes(), 0u);
  memory_->hide_frames = false;
  EXPECT_TRUE(pool_->alloc(kDmaPage, {}).ok());
}

TEST_F(PciDma, AbsentPageIsNoMemory) {
  memory_->absent_page = 3;
  EXPECT_EQ(pool_->alloc(kDmaPage, {}).error().code, Errc::no_memory);
}

TEST_F(PciDma, MovableLockedPagesAreRefused) {
  tree_.file("proc/sys/vm/compact_unevictable_allowed", "1\n");
  const auto a = pool_->alloc(kDmaPage, {});
  ASSERT_FALSE(a.ok());
  EXPECT_EQ(a.error().code, Errc::refused);
  EXPECT_THAT(a.error().hint, HasSubstr("vm.compact_unevictable_allowed=0"));
  fs::remove(tree_.root() / "proc/sys/vm/compact_unevictable_allowed");  // a kernel without compaction
  EXPECT_TRUE(pool_->alloc(kDmaPage, {}).ok());
}

TEST_F(PciDma, TranslatingIommuIsRefused) {
  tree_.add({.bdf = "0000:04:00.0", .group = 7});
  tree_.file("sys/kernel/iommu_groups/7/type", "DMA-FQ\n");
  auto pool =
      DmaPool::create("0000:04:00.0", memory_, std::make_unique<PhysicalMapper>(tree_.host(), "0000:04:00.0", memory_));
  EXPECT_EQ(pool->alloc(kDmaPage, {}).error().code, Errc::refused);
  tree_.file("sys/kernel/iommu_groups/7/type", "identity\n");
  EXPECT_TRUE(pool->alloc(kDmaPage, {}).ok());
}

TEST_F(PciDma, MemlockErrorHasTheNumbers) {
  memory_->limit = 64u << 10;
  memory_->locked_now = 4096;
  const auto a = pool_->alloc(1u << 20, {});
  ASSERT_FALSE(a.ok());
  EXPECT_EQ(a.error().code, Errc::no_memory);
  EXPECT_EQ(a.error().device, kName);
  EXPECT_THAT(a.error().detail, AllOf(HasSubstr("1048576 bytes wanted"), HasSubstr("4096 bytes locked already"),
                                      HasSubstr("limit 65536 bytes")));
  EXPECT_THAT(a.error().hint, HasSubstr("ulimit -l"));
}

// The running kernel's own answers, as far as this user may have them.
TEST(PciSystemMemory, PagemapOfOwnMemory) {
  const auto memory = system_memory(Host{});
  EXPECT_GT(memory->memlock_limit(), 0u);
  const auto m = memory->map(4 * kDmaPage, false, false);
  ASSERT_TRUE(m.ok()) << describe(m.error());
  const auto entries = memory->pagemap(m->data(), 4);
  ASSERT_TRUE(entries.ok()) << describe(entries.error());
  for (const std::uint64_t e : *entries) EXPECT_NE(e >> 63, 0u) << "populated memory is present";
  const std::uint64_t before = memory->locked_bytes();
  if (memory->memlock_limit() < before + 4 * kDmaPage) GTEST_SKIP() << "nothing may be locked here";
  // Not lock(): the address sanitizer makes mlock do nothing.
  const auto locked = memory->map(4 * kDmaPage, true, false);
  ASSERT_TRUE(locked.ok()) << describe(locked.error());
  EXPECT_EQ(memory->locked_bytes(), before + 4 * kDmaPage);
}

}  // namespace
}  // namespace hcq::pci::test
