// SPDX-License-Identifier: MIT
#include "tests/cts/pci_function.h"

#include <gmock/gmock.h>
#include <poll.h>

#include <algorithm>
#include <cstring>
#include <numeric>
#include <set>
#include <vector>

namespace hcq::pci::cts {

GTEST_ALLOW_UNINSTANTIATED_PARAMETERIZED_TEST(PciFunctionTest);

namespace {

constexpr std::size_t kPage = 4096;

bool all_zero(const DmaMemory& m) {
  return std::all_of(m.data(), m.data() + m.size(), [](std::byte b) { return b == std::byte{0}; });
}

// Each page of the CPU's view is what the device reaches at that page's bus address.
void expect_device_sees(CtsDevice& device, const DmaMemory& m) {
  ASSERT_EQ(m.pages().size(), (m.size() + kPage - 1) / kPage);
  for (std::size_t i = 0; i < m.pages().size(); ++i) {
    const auto mark = static_cast<std::byte>(i * 7 + 1);
    m.data()[i * kPage] = mark;
    m.data()[i * kPage + kPage - 1] = mark;
    const std::byte* seen = device.at_bus_address(m.pages()[i]);
    ASSERT_NE(seen, nullptr) << "page " << i;
    EXPECT_EQ(seen[0], mark) << "page " << i;
    EXPECT_EQ(seen[kPage - 1], mark) << "page " << i;
  }
}

}  // namespace

Mmio PciFunctionTest::scratch() {
  auto m = f().map_bar(device_->scratch_bar(), Caching::uncached);
  EXPECT_TRUE(m.ok()) << describe(m.error());
  return m.ok() ? m->sub(device_->scratch_offset(), 64) : Mmio{};
}

TEST_P(PciFunctionTest, IdentityIsThatOfConfigSpace) {
  const Identity& id = f().identity();
  EXPECT_FALSE(f().name().empty());
  EXPECT_EQ(*f().config_read(kVendorId, 2), id.vendor);
  EXPECT_EQ(*f().config_read(kDeviceId, 2), id.device);
  EXPECT_EQ(*f().config_read(kRevision, 1), id.revision);
  EXPECT_EQ(*f().config_read(kRevision, 4) >> 8, id.class_code);
  EXPECT_EQ(*f().config_read(kSubsystemVendor, 2), id.subsystem_vendor);
  EXPECT_EQ(*f().config_read(kSubsystemId, 2), id.subsystem_device);
}

TEST_P(PciFunctionTest, ConfigAccessesOfAllSizesAgree) {
  for (const std::uint16_t at : {std::uint16_t{0x00}, std::uint16_t{0x08}, std::uint16_t{0x2c}}) {
    const std::uint32_t whole = *f().config_read(at, 4);
    for (std::uint16_t i = 0; i < 4; ++i) EXPECT_EQ(*f().config_read(at + i, 1), whole >> (8 * i) & 0xff);
    for (std::uint16_t i = 0; i < 4; i += 2) EXPECT_EQ(*f().config_read(at + i, 2), whole >> (8 * i) & 0xffff);
  }
}

TEST_P(PciFunctionTest, ConfigAccessesMustBeAlignedAndInside) {
  for (const auto& [at, size] : {std::pair{1, 2u}, {2, 4u}, {0, 3u}, {0, 8u}, {0, 0u}, {0x1000, 4u}}) {
    EXPECT_EQ(f().config_read(static_cast<std::uint16_t>(at), size).error().code, Errc::invalid_argument);
    EXPECT_EQ(f().config_write(static_cast<std::uint16_t>(at), size, 0).error().code, Errc::invalid_argument);
  }
}

TEST_P(PciFunctionTest, ReadOnlyConfigIsNoError) {
  const std::uint32_t before = *f().config_read(kCommand, 2);
  EXPECT_TRUE(f().config_write(kCommand, 2, before).ok());
  EXPECT_EQ(*f().config_read(kCommand, 2), before);
}

TEST_P(PciFunctionTest, BusMaster) {
  for (const bool on : {true, false, true}) {
    ASSERT_TRUE(set_bus_master(f(), on).ok());
    EXPECT_EQ((*f().config_read(kCommand, 2) & kCommandBusMaster) != 0, on);
  }
}

TEST_P(PciFunctionTest, Capabilities) {
  if (const std::uint8_t id = device_->capability()) {
    const std::uint16_t at = *find_capability(f(), id);
    ASSERT_GE(at, 0x40);
    EXPECT_EQ(*f().config_read(at, 1), id);
  }
  if (const std::uint16_t id = device_->extended_capability()) {
    const std::uint16_t at = *find_extended_capability(f(), id);
    ASSERT_GE(at, 0x100);
    EXPECT_EQ(*f().config_read(at, 2), id);
  }
  EXPECT_EQ(*find_capability(f(), 0xfe), 0);
  EXPECT_EQ(*find_extended_capability(f(), 0xfffe), 0);
}

TEST_P(PciFunctionTest, BarSizes) {
  EXPECT_NE(f().bar_size(device_->scratch_bar()), 0u);
  EXPECT_EQ(f().bar_size(6), 0u);
  EXPECT_EQ(f().bar_size(~0u), 0u);
  EXPECT_FALSE(f().map_bar(6, Caching::uncached).ok());
  for (unsigned i = 0; i < 6; ++i) {
    const auto m = f().map_bar(i, Caching::uncached);
    EXPECT_EQ(m.ok(), f().bar_size(i) != 0) << "BAR " << i;
    if (m.ok()) {
      EXPECT_EQ(m->size(), f().bar_size(i)) << "BAR " << i;
    }
  }
}

TEST_P(PciFunctionTest, BarAccessesOfAllWidths) {
  const Mmio m = scratch();
  ASSERT_TRUE(m.valid());
  m.write64(0, 0x8877665544332211ull);
  EXPECT_EQ(m.read64(0), 0x8877665544332211ull);
  EXPECT_EQ(m.read32(4), 0x88776655u);
  EXPECT_EQ(m.read16(2), 0x4433u);
  EXPECT_EQ(m.read8(7), 0x88u);
  m.write8(1, 0xaa);
  m.write16(4, 0xbbcc);
  m.write32(8, 0x12345678);
  EXPECT_EQ(m.read64(0), 0x8877bbcc4433aa11ull);
  EXPECT_EQ(m.read32(8), 0x12345678u);
}

TEST_P(PciFunctionTest, MappingAgainShowsTheSameBar) {
  const Mmio first = scratch();
  first.write32(16, 0xfeedface);
  EXPECT_EQ(scratch().read32(16), 0xfeedfaceu);
  EXPECT_EQ(scratch().sub(16, 4).read32(0), 0xfeedfaceu);
}

TEST_P(PciFunctionTest, BlockTransfersOfAllAlignments) {
  const Mmio m = scratch();
  std::vector<std::byte> out(64), in(64);
  for (std::size_t i = 0; i < out.size(); ++i) out[i] = static_cast<std::byte>(i + 1);
  for (std::size_t offset = 0; offset < 9; ++offset)
    for (const std::size_t size : {0ul, 1ul, 3ul, 8ul, 31ul, 50ul}) {
      m.write_block(offset, Bytes(out.data() + offset, size));
      std::fill(in.begin(), in.end(), std::byte{0});
      m.read_block(offset, MutableBytes(in.data(), size));
      ASSERT_EQ(std::memcmp(in.data(), out.data() + offset, size), 0) << offset << " " << size;
    }
}

TEST_P(PciFunctionTest, DmaMemoryIsZeroPageAlignedAndSeenByTheDevice) {
  if (!device_->has_dma()) {
    EXPECT_EQ(f().alloc_dma(4096, {}).error().code, Errc::unsupported);
    return;
  }
  ASSERT_TRUE(set_bus_master(f(), true).ok());
  for (const std::size_t bytes : {std::size_t{1}, kPage, 3 * kPage + 1, std::size_t{3} << 20}) {
    const auto m = f().alloc_dma(bytes, {});
    ASSERT_TRUE(m.ok()) << describe(m.error());
    EXPECT_GE((*m)->size(), bytes);
    EXPECT_EQ(reinterpret_cast<std::uintptr_t>((*m)->data()) % kPage, 0u);
    EXPECT_TRUE(all_zero(**m));
    for (const std::uint64_t page : (*m)->pages()) EXPECT_EQ(page % kPage, 0u);
    for (const std::uint64_t page : (*m)->pages()) EXPECT_NE(page, 0u);
    expect_device_sees(*device_, **m);
  }
}

TEST_P(PciFunctionTest, ContiguousDmaMemory) {
  if (!device_->has_dma()) {
    EXPECT_EQ(f().alloc_dma(1u << 20, {.contiguous = true}).error().code, Errc::unsupported);
    return;
  }
  ASSERT_TRUE(set_bus_master(f(), true).ok());
  const auto m = f().alloc_dma(1u << 20, {.contiguous = true});
  ASSERT_TRUE(m.ok()) << describe(m.error());
  for (std::size_t i = 0; i < (*m)->pages().size(); ++i) ASSERT_EQ((*m)->pages()[i], (*m)->pages()[0] + i * kPage);
  expect_device_sees(*device_, **m);
}

TEST_P(PciFunctionTest, DmaBuffersDoNotOverlapAndComeBackZeroed) {
  if (!device_->has_dma()) {
    EXPECT_EQ(f().alloc_dma(100, {}).error().code, Errc::unsupported);
    return;
  }
  std::set<std::uint64_t> pages;
  std::vector<std::unique_ptr<DmaMemory>> kept;
  for (int round = 0; round < 2; ++round) {
    pages.clear();
    for (int i = 0; i < 200; ++i) {
      auto m = f().alloc_dma(100, {});
      ASSERT_TRUE(m.ok()) << describe(m.error());
      ASSERT_TRUE(all_zero(**m)) << "round " << round;
      for (const std::uint64_t p : (*m)->pages()) ASSERT_TRUE(pages.insert(p).second);
      std::memset((*m)->data(), 0xff, (*m)->size());
      kept.push_back(std::move(*m));
    }
    kept.clear();
  }
}

TEST_P(PciFunctionTest, NoDmaMemoryOfNoSize) { EXPECT_EQ(f().alloc_dma(0, {}).error().code, Errc::invalid_argument); }

TEST_P(PciFunctionTest, InterruptTimesOutAndArrives) {
  const auto irq = f().irq();
  ASSERT_TRUE(irq.ok()) << describe(irq.error());
  if (!*irq) GTEST_SKIP() << "this transport has no interrupt";
  EXPECT_EQ(*f().irq(), *irq);
  const auto start = Clock::now();
  EXPECT_FALSE(*(*irq)->wait(Deadline::in(std::chrono::milliseconds(20))));
  EXPECT_GE(Clock::now() - start, std::chrono::milliseconds(20));
  EXPECT_FALSE(*(*irq)->wait(Deadline::in(std::chrono::milliseconds(0))));
  if (!device_->raise_interrupt()) return;
  pollfd p{.fd = (*irq)->fd(), .events = POLLIN, .revents = 0};
  EXPECT_EQ(::poll(&p, 1, 5000), 1);
  EXPECT_TRUE(*(*irq)->wait(Deadline::in(std::chrono::seconds(5))));
  EXPECT_FALSE(*(*irq)->wait(Deadline::in(std::chrono::milliseconds(1)))) << "an interrupt is reported once";
}

TEST_P(PciFunctionTest, ResizingNeverShrinksNorFails) {
  for (unsigned i = 0; i < 7; ++i) {
    const std::uint64_t before = f().bar_size(i);
    const auto after = f().resize_bar(i);
    ASSERT_TRUE(after.ok()) << describe(after.error());
    EXPECT_GE(*after, before);
    EXPECT_EQ(*after, f().bar_size(i));
  }
}

TEST_P(PciFunctionTest, ResetLeavesAWorkingFunction) {
  const Status s = f().reset();
  if (!s.ok()) {
    EXPECT_EQ(s.error().code, Errc::unsupported) << describe(s.error());
  }
  EXPECT_EQ(*f().config_read(kVendorId, 2), f().identity().vendor);
  EXPECT_TRUE(set_bus_master(f(), true).ok());
}

TEST_P(PciFunctionTest, PeerGroupStays) { EXPECT_EQ(f().peer_group(), f().peer_group()); }

}  // namespace hcq::pci::cts
