// SPDX-License-Identifier: MIT
#include "drivers/pci/vfio.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <cstdlib>
#include <random>

#include "tests/support/pci_fake_tree.h"
#include "tests/support/pci_fake_vfio.h"

namespace hcq::pci::test {
namespace {

using ::testing::AllOf;
using ::testing::HasSubstr;
using ::testing::Not;

constexpr const char* kName = "0000:03:00.0";

class PciVfio : public ::testing::Test {
 protected:
  void add(FakeFunction f) {
    tree_.add(f);
    vfio_->add_device(f, tree_.text(tree_.device(f.bdf) / "config"));
  }
  // The group has no IOMMU behind it: the kernel names its node differently.
  void no_iommu() {
    tree_.file("dev/vfio/noiommu-14", "");
    tree_.file("sys/kernel/iommu_groups/14/type", "unknown\n");
    vfio_->iommu = false;
    vfio_->noiommu = true;
    vfio_->map_call_exists = false;
  }
  Result<std::unique_ptr<VfioFunction>> open(VfioOptions options = {}) {
    return VfioFunction::open(tree_.host(), kName, options, vfio_, memory_);
  }
  void expect_unlocked() { EXPECT_TRUE(DeviceLock::acquire(tree_.host(), kName).ok()); }

  FakeTree tree_;
  std::shared_ptr<FakeVfio> vfio_ = std::make_shared<FakeVfio>();
  std::shared_ptr<FakeMemory> memory_ = std::make_shared<FakeMemory>();
};

TEST_F(PciVfio, BindsOpensAndPutsEverythingBack) {
  add({.driver = "amdgpu", .group = 14});
  {
    const auto f = open({.unbind_driver = true, .dma = {}});
    ASSERT_TRUE(f.ok()) << describe(f.error());
    EXPECT_EQ(tree_.driver(kName), "vfio-pci");
    EXPECT_THAT(vfio_->opened, ::testing::Contains(::testing::EndsWith("/dev/vfio/14")));
    EXPECT_NE(*(*f)->config_read(kCommand, 2) & kCommandMemory, 0u);
    ASSERT_TRUE(set_bus_master(**f, true).ok());
  }
  EXPECT_EQ(tree_.driver(kName), "amdgpu");
  EXPECT_EQ(tree_.text(tree_.device(kName) / "driver_override"), "(null)\n");
  EXPECT_EQ(vfio_->peek32(FakeVfio::kConfigRegion, kCommand) & kCommandBusMaster, 0u);
  expect_unlocked();
}

TEST_F(PciVfio, BusMasteringEndsWithTheProcess) {
  add({.driver = "amdgpu", .group = 14});
  const auto in_child = [&] {
    const auto f = open({.unbind_driver = true, .dma = {}});
    if (!f.ok() || !set_bus_master(**f, true).ok()) std::_Exit(1);
    const auto stopped = stop_all_dma();
    if (stopped.size() != 1 || !stopped[0].status.ok()) std::_Exit(2);
    if (stopped[0].note.find("amdgpu") == std::string::npos) std::_Exit(3);
    std::_Exit(*(*f)->config_read(kCommand, 2) & kCommandBusMaster ? 4 : 0);
  };
  EXPECT_EXIT(in_child(), ::testing::ExitedWithCode(0), "");
}

TEST_F(PciVfio, BoundDriverIsRefusedByName) {
  add({.driver = "amdgpu", .group = 14});
  const auto f = open();
  ASSERT_FALSE(f.ok());
  EXPECT_EQ(f.error().code, Errc::refused);
  EXPECT_THAT(f.error().detail, HasSubstr("amdgpu"));
  EXPECT_TRUE(tree_.writes.empty());
}

TEST_F(PciVfio, AFunctionThatIsOnVfioStaysThere) {
  add({.driver = "vfio-pci", .group = 14});
  {
    ASSERT_TRUE(open().ok());
  }
  EXPECT_EQ(tree_.driver(kName), "vfio-pci");
  EXPECT_TRUE(tree_.writes.empty());
}

TEST_F(PciVfio, WithoutTheModuleTheOldDriverComesBack) {
  add({.driver = "amdgpu", .group = 14});
  tree_.vfio_module = false;
  const auto f = open({.unbind_driver = true, .dma = {}});
  ASSERT_FALSE(f.ok());
  EXPECT_THAT(f.error().hint, HasSubstr("modprobe vfio-pci"));
  EXPECT_EQ(tree_.driver(kName), "amdgpu");
  EXPECT_EQ(tree_.text(tree_.device(kName) / "driver_override"), "(null)\n");
}

TEST_F(PciVfio, PreviousOverrideIsKept) {
  add({.group = 14});
  tree_.file("sys/bus/pci/devices/0000:03:00.0/driver_override", "pci-stub\n");
  {
    ASSERT_TRUE(open().ok());
  }
  EXPECT_EQ(tree_.text(tree_.device(kName) / "driver_override"), "pci-stub\n");
}

// The companion audio function on its driver spoils the group; the bridge above does not.
TEST_F(PciVfio, GroupListsTheRealOffenderOnly) {
  add({.driver = "vfio-pci", .group = 14});
  tree_.add({.bdf = "0000:03:00.1", .device = 0xab30, .class_code = 0x040300, .driver = "snd_hda_intel", .group = 14});
  tree_.add({.bdf = "0000:02:00.0", .device = 0x1479, .class_code = 0x060400, .driver = "pcieport", .group = 14});
  tree_.add({.bdf = "0000:03:00.2", .class_code = 0x0c0330, .driver = "pci-stub", .group = 14});
  tree_.add({.bdf = "0000:03:00.3", .class_code = 0x0c8000, .group = 14});
  const auto f = open();
  ASSERT_FALSE(f.ok());
  EXPECT_EQ(f.error().code, Errc::refused);
  EXPECT_THAT(f.error().detail,
              AllOf(HasSubstr("0000:03:00.1 on snd_hda_intel"), Not(HasSubstr("0000:02:00.0")),
                    Not(HasSubstr("0000:03:00.2")), Not(HasSubstr("0000:03:00.3")), Not(HasSubstr("0000:03:00.0 on"))));
  EXPECT_TRUE(tree_.writes.empty());
  expect_unlocked();
}

TEST_F(PciVfio, GroupWithABridgeIsAccepted) {
  add({.driver = "vfio-pci", .group = 14});
  tree_.add({.bdf = "0000:02:00.0", .device = 0x1479, .class_code = 0x060400, .driver = "pcieport", .group = 14});
  const auto f = open();
  EXPECT_TRUE(f.ok()) << describe(f.error());
}

TEST_F(PciVfio, SplitPhysicalAndVirtualFunctionsAreRefusedWithTheReason) {
  add({.driver = "vfio-pci", .group = 14});
  tree_.add({.bdf = "0000:03:02.0", .class_code = 0x020000, .driver = "mlx5_core", .group = 14});
  fs::create_directory_symlink(tree_.device(kName), tree_.device("0000:03:02.0") / "physfn");
  EXPECT_THAT(open().error().detail,
              HasSubstr("0000:03:02.0 on mlx5_core (a virtual function of 0000:03:00.0 in the same group)"));
  fs::remove(tree_.device("0000:03:02.0") / "physfn");
  fs::create_directory_symlink(tree_.device(kName), tree_.device("0000:03:02.0") / "virtfn0");
  EXPECT_THAT(open().error().detail, HasSubstr("a physical function whose virtual functions share its group"));
}

TEST_F(PciVfio, NoIommuAndNoNoIommuMode) {
  add({.driver = "vfio-pci"});
  const auto f = open();
  ASSERT_FALSE(f.ok());
  EXPECT_EQ(f.error().code, Errc::unsupported);
  EXPECT_THAT(f.error().hint, HasSubstr("intel_iommu=on"));
}

TEST_F(PciVfio, ErrorsOfOpeningSayWhatToDo) {
  add({.driver = "vfio-pci", .group = 14});
  vfio_->open_errors["/vfio/vfio"] = ENOENT;
  EXPECT_THAT(describe(open().error()), AllOf(HasSubstr(kName), HasSubstr("modprobe")));
  vfio_->open_errors = {{"/vfio/14", EACCES}};
  EXPECT_EQ(open().error().code, Errc::permission);
  vfio_->open_errors = {{"/vfio/14", EBUSY}};
  EXPECT_EQ(open().error().code, Errc::busy);
  EXPECT_THAT(open().error().detail, HasSubstr("in use by"));
  vfio_->open_errors.clear();
  vfio_->viable = false;
  EXPECT_EQ(open().error().code, Errc::refused);
  vfio_->viable = true;
  vfio_->iommu = false;
  EXPECT_EQ(open().error().code, Errc::unsupported);
  vfio_->iommu = true;
  vfio_->set_iommu_error = EPERM;
  EXPECT_THAT(open().error().hint, HasSubstr("allow_unsafe_interrupts"));
  vfio_->set_iommu_error = 0;
  vfio_->gone = true;
  EXPECT_EQ(open().error().code, Errc::device_lost);
  vfio_->gone = false;
  EXPECT_TRUE(open().ok());
}

TEST_F(PciVfio, AllOnesAndRemoval) {
  add({.driver = "vfio-pci", .group = 14});
  {
    const auto f = *open();
    vfio_->config_all_ones();
    EXPECT_EQ(f->config_read(0x70, 4).error().code, Errc::device_lost);
    EXPECT_EQ(f->config_read(kVendorId, 2).error().code, Errc::device_lost);
    EXPECT_EQ(f->config_read(kCommand, 2).error().code, Errc::device_lost);
  }
  EXPECT_EQ(open().error().code, Errc::device_lost);
  add({.bdf = "0000:04:00.0", .driver = "vfio-pci", .group = 15});
  const auto g = *VfioFunction::open(tree_.host(), "0000:04:00.0", {}, vfio_, memory_);
  vfio_->gone = true;
  EXPECT_EQ(g->config_read(kCommand, 2).error().code, Errc::device_lost);
  EXPECT_EQ(g->config_write(kCommand, 2, 0).error().code, Errc::device_lost);
  EXPECT_EQ(g->reset().error().code, Errc::device_lost);
  EXPECT_EQ(g->irq().error().code, Errc::device_lost);
  EXPECT_TRUE(g->close().ok());
}

TEST_F(PciVfio, MapsBarsOrGoesThroughTheDeviceFile) {
  add({.driver = "vfio-pci", .group = 14});
  vfio_->unmappable = {2};
  const auto f = *open();
  for (const unsigned bar : {0u, 2u, 5u}) {
    const Mmio m = *f->map_bar(bar, Caching::uncached);
    m.write32(0x40, 0xcafe0000 + bar);
    EXPECT_EQ(vfio_->peek32(bar, 0x40), 0xcafe0000 + bar);
    const std::uint32_t device_side = 0x1111 * bar;
    vfio_->poke(bar, 0x44, &device_side, sizeof device_side);
    EXPECT_EQ(m.read32(0x44), device_side);
    std::array<std::byte, 8> block{};
    m.read_block(0x40, block);
    EXPECT_EQ(std::memcmp(block.data() + 4, &device_side, 4), 0);
  }
  EXPECT_EQ(f->bar_size(0), 1u << 20);
  EXPECT_EQ(f->bar_address(0), 0u) << "behind an IOMMU the physical address means nothing to a peer";
  EXPECT_EQ(f->map_bar(1, Caching::uncached).error().code, Errc::not_found);
  vfio_->gone = true;
  EXPECT_EQ(f->map_bar(2, Caching::uncached)->read32(0), 0xffffffffu);
}

TEST_F(PciVfio, InterruptPrefersMsiX) {
  add({.driver = "vfio-pci", .group = 14});
  vfio_->msix_count = 4;
  const auto f = *open();
  Irq* irq = *f->irq();
  ASSERT_NE(irq, nullptr);
  EXPECT_EQ(*f->irq(), irq);
  EXPECT_EQ(vfio_->irq_index, VFIO_PCI_MSIX_IRQ_INDEX);
  EXPECT_FALSE(*irq->wait(Deadline::in(std::chrono::milliseconds(5))));
  ASSERT_TRUE(vfio_->raise_interrupt());
  ASSERT_TRUE(vfio_->raise_interrupt());
  EXPECT_TRUE(*irq->wait(Deadline::in(std::chrono::seconds(5))));
  EXPECT_FALSE(*irq->wait(Deadline::in(std::chrono::milliseconds(1)))) << "both are one";
}

TEST_F(PciVfio, InterruptFallsBackToMsiAndToNone) {
  add({.driver = "vfio-pci", .group = 14});
  {
    const auto f = *open();
    ASSERT_NE(*f->irq(), nullptr);
    EXPECT_EQ(vfio_->irq_index, VFIO_PCI_MSI_IRQ_INDEX);
  }
  vfio_->msi_count = 0;
  const auto f = *open();
  EXPECT_EQ(*f->irq(), nullptr);
}

TEST_F(PciVfio, Reset) {
  add({.driver = "vfio-pci", .group = 14});
  {
    const auto f = *open();
    EXPECT_TRUE(f->reset().ok());
    EXPECT_EQ(vfio_->resets, 1);
  }
  vfio_->can_reset = false;
  const auto f = *open();
  EXPECT_EQ(f->reset().error().code, Errc::unsupported);
}

TEST_F(PciVfio, MemoryIsMappedWhereTheDeviceCanReachIt) {
  add({.driver = "vfio-pci", .group = 14});
  const auto f = *open();
  {
    const auto m = f->alloc_dma(6u << 20, {.contiguous = true});
    ASSERT_TRUE(m.ok()) << describe(m.error());
    const auto pages = (*m)->pages();
    for (std::size_t i = 0; i < pages.size(); ++i) {
      ASSERT_EQ(pages[i], pages[0] + i * kDmaPage);
      ASSERT_EQ(vfio_->at(pages[i]), (*m)->data() + i * kDmaPage);
      ASSERT_LT(pages[i], 1ull << 39);
    }
    EXPECT_EQ(memory_->locked_now, 0u) << "VFIO pins; locking too would count twice against the limit";
  }
  EXPECT_TRUE(vfio_->mappings.empty());
}

TEST_F(PciVfio, AddressesFit44BitsWhateverTheIommuOffers) {
  add({.driver = "vfio-pci", .group = 14});
  vfio_->ranges = {{(1ull << 44) - (8u << 20), ~0ull}};
  const auto f = *open();
  const auto a = f->alloc_dma(4u << 20, {});
  ASSERT_TRUE(a.ok()) << describe(a.error());
  EXPECT_LE((*a)->pages().back() + kDmaPage, 1ull << 44);
  const auto b = f->alloc_dma(8u << 20, {});
  ASSERT_FALSE(b.ok());
  EXPECT_EQ(b.error().code, Errc::no_memory);
}

TEST_F(PciVfio, OldKernelsWithoutRangesGetAConservativeOne) {
  add({.driver = "vfio-pci", .group = 14});
  vfio_->ranges.clear();
  const auto f = *open();
  vfio_->ranges = {{0, ~0ull >> 1}};
  const auto m = *f->alloc_dma(4u << 20, {});
  EXPECT_GE(m->pages().front(), 1ull << 32);
  EXPECT_LT(m->pages().back(), 1ull << 39);
}

// A buffer in five pieces fails on the third: the first two are unmapped, nothing stays locked, a second try works.
TEST_F(PciVfio, HalfDoneMappingIsUndone) {
  add({.driver = "vfio-pci", .group = 14});
  const auto f = *open({.unbind_driver = false, .dma = {.iova_bits = 44, .bytes_per_mapping = 1u << 20}});
  vfio_->maps_before_error = 2;
  vfio_->map_error = ENOMEM;
  const auto failed = f->alloc_dma(5u << 20, {});
  ASSERT_FALSE(failed.ok());
  EXPECT_EQ(vfio_->map_calls, 3);
  EXPECT_TRUE(vfio_->mappings.empty());
  const auto again = f->alloc_dma(5u << 20, {});
  ASSERT_TRUE(again.ok()) << describe(again.error());
  EXPECT_EQ(vfio_->mappings.size(), 5u);
  EXPECT_EQ(vfio_->at((*again)->pages()[1279]), (*again)->data() + 1279 * kDmaPage);
}

TEST_F(PciVfio, MemlockErrorHasTheNumbers) {
  add({.driver = "vfio-pci", .group = 14});
  const auto f = *open();
  memory_->limit = 65536;
  memory_->locked_now = 8192;
  vfio_->maps_before_error = 0;
  vfio_->map_error = ENOMEM;
  const auto m = f->alloc_dma(1u << 20, {});
  ASSERT_FALSE(m.ok());
  EXPECT_EQ(m.error().code, Errc::no_memory);
  EXPECT_THAT(describe(m.error()), AllOf(HasSubstr(kName), HasSubstr("1048576 bytes wanted"), HasSubstr("8192 bytes"),
                                         HasSubstr("limit 65536"), HasSubstr("limits.d")));
}

TEST_F(PciVfio, OutOfMappingsIsNoMemoryWithTheCount) {
  add({.driver = "vfio-pci", .group = 14});
  const auto f = *open();
  vfio_->mapping_limit = 3;
  std::vector<std::unique_ptr<DmaMemory>> kept;
  for (int i = 0; i < 3; ++i) kept.push_back(*f->alloc_dma(1u << 20, {}));
  const auto m = f->alloc_dma(1u << 20, {});
  ASSERT_FALSE(m.ok());
  EXPECT_EQ(m.error().code, Errc::no_memory);
  EXPECT_THAT(m.error().detail, HasSubstr("3 are in use"));
  EXPECT_THAT(m.error().hint, HasSubstr("dma_entry_limit"));
  kept.pop_back();
  EXPECT_TRUE(f->alloc_dma(1u << 20, {}).ok());
}

TEST_F(PciVfio, SeventyThousandSmallBuffersStayBelowTheLimit) {
  add({.driver = "vfio-pci", .group = 14});
  const auto f = *open();
  std::vector<std::unique_ptr<DmaMemory>> kept;
  for (int i = 0; i < 70'000; ++i) {
    auto m = f->alloc_dma(64, {.contiguous = i % 2 == 0});
    ASSERT_TRUE(m.ok()) << describe(m.error());
    kept.push_back(std::move(*m));
  }
  EXPECT_LE(vfio_->mappings.size(), 137u);
}

TEST_F(PciVfio, NoIommuUsesPhysicalAddresses) {
  add({.driver = "vfio-pci", .group = 14});
  no_iommu();
  const auto f = open();
  ASSERT_TRUE(f.ok()) << describe(f.error());
  EXPECT_THAT(vfio_->opened, ::testing::Contains(::testing::EndsWith("/dev/vfio/noiommu-14")));
  const auto m = (*f)->alloc_dma(2 * kDmaPage, {});
  ASSERT_TRUE(m.ok()) << describe(m.error());
  EXPECT_EQ(memory_->at((*m)->pages()[1]), (*m)->data() + kDmaPage);
  EXPECT_GT(memory_->locked_now, 0u);
  EXPECT_EQ(vfio_->map_calls, 0);
  EXPECT_EQ((*f)->bar_address(0), 0x6000000000u);
  EXPECT_EQ((*f)->peer_group(), kPhysicalPeers);
  ASSERT_NE(*(*f)->irq(), nullptr);
  memory_->hide_frames = true;
  EXPECT_EQ((*f)->alloc_dma(1u << 20, {}).error().code, Errc::permission);
}

TEST_F(PciVfio, MapCallThatDoesNotExistMeansPhysicalAddresses) {
  add({.driver = "vfio-pci", .group = 14});
  vfio_->map_call_exists = false;
  const auto f = *open();
  const auto m = f->alloc_dma(2 * kDmaPage, {});
  ASSERT_TRUE(m.ok()) << describe(m.error());
  EXPECT_EQ(memory_->at((*m)->pages()[1]), (*m)->data() + kDmaPage);
  EXPECT_EQ(memory_->locks, 1);
  const auto n = f->alloc_dma(1u << 20, {});
  ASSERT_TRUE(n.ok());
  EXPECT_EQ(vfio_->map_calls, 1) << "asked once";
}

TEST_F(PciVfio, MemoryOutlivesTheFunction) {
  add({.driver = "vfio-pci", .group = 14});
  auto f = *open();
  auto m = *f->alloc_dma(1u << 20, {});
  f.reset();
  EXPECT_EQ(vfio_->mappings.size(), 1u);
  m->data()[0] = std::byte{1};
  m.reset();
  EXPECT_TRUE(vfio_->mappings.empty());
}

TEST_F(PciVfio, EachContainerIsItsOwnPeerGroup) {
  add({.driver = "vfio-pci", .group = 14});
  const std::uint64_t first = (*open())->peer_group();
  EXPECT_NE(first, (*open())->peer_group());
  EXPECT_NE(first, kPhysicalPeers);
}

TEST_F(PciVfio, ResizeKeepsTheSize) {
  add({.driver = "vfio-pci", .group = 14});
  tree_.make_resizable(kName, 0, 0b11111);
  const auto f = *open();
  EXPECT_EQ(*f->resize_bar(0), 1u << 20);
  EXPECT_TRUE(tree_.writes.empty());
}

TEST(PciIova, NeverOverlapsAndGivesEverythingBack) {
  IovaAllocator space({{0, 0xfedfffff}, {0xfef00000, 0x1ffffffff}}, 44);
  const std::uint64_t before = space.free_bytes();
  EXPECT_EQ(before, 1ull << 32) << "only what is above 4 GiB";
  std::map<std::uint64_t, std::uint64_t> taken;
  std::mt19937_64 random(7);
  for (int i = 0; i < 20'000; ++i) {
    if (random() % 2 == 0 && !taken.empty()) {
      const auto it = std::next(taken.begin(), static_cast<long>(random() % taken.size()));
      space.give(it->first, it->second);
      taken.erase(it);
      continue;
    }
    const std::uint64_t bytes = (random() % 1024 + 1) * kDmaPage;
    const std::uint64_t alignment = random() % 2 ? kDmaPage : 2u << 20;
    const auto at = space.take(bytes, alignment);
    if (!at) continue;
    ASSERT_EQ(*at % alignment, 0u);
    const auto next = taken.lower_bound(*at);
    ASSERT_TRUE(next == taken.end() || *at + bytes <= next->first);
    ASSERT_TRUE(next == taken.begin() || std::prev(next)->first + std::prev(next)->second <= *at);
    taken.emplace(*at, bytes);
  }
  for (const auto& [at, bytes] : taken) space.give(at, bytes);
  EXPECT_EQ(space.free_bytes(), before);
  EXPECT_EQ(space.take(before, kDmaPage), 1ull << 32) << "neighbours were merged";
  EXPECT_FALSE(space.take(kDmaPage, kDmaPage));
}

TEST(PciIova, RangesAreCutAndLowOnesAreTheLastResort) {
  EXPECT_EQ(IovaAllocator({{0, 0xffffffff}}, 44).take(kDmaPage, kDmaPage), 1ull << 20);
  EXPECT_EQ(IovaAllocator({{0, ~0ull}}, 33).free_bytes(), 1ull << 32);
  EXPECT_EQ(IovaAllocator({{0, ~0ull}}, 64).free_bytes(), 0ull - (1ull << 32));
  EXPECT_EQ(IovaAllocator({{(1ull << 40) + 1, (1ull << 40) + 0x2fff}}, 44).free_bytes(), 0x2000u);
  EXPECT_EQ(IovaAllocator({{9, 3}, {1ull << 45, 1ull << 46}}, 44).free_bytes(), 0u);
  EXPECT_EQ(IovaAllocator({}, 44).take(kDmaPage, kDmaPage), std::nullopt);
}

}  // namespace
}  // namespace hcq::pci::test
