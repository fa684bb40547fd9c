// SPDX-License-Identifier: MIT
#include "drivers/pci/sysfs.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <cstdlib>

#include "tests/support/pci_fake_tree.h"

namespace hcq::pci::test {
namespace {

using ::testing::AllOf;
using ::testing::HasSubstr;

constexpr const char* kName = "0000:03:00.0";
constexpr std::uint64_t kMiB = 1u << 20;

class PciSysfs : public ::testing::Test {
 protected:
  Result<std::unique_ptr<SysfsFunction>> open(SysfsOptions options = {}) {
    return SysfsFunction::open(tree_.host(), kName, options, memory_);
  }
  // An open that failed must leave the device free for the next one.
  void expect_unlocked() { EXPECT_TRUE(DeviceLock::acquire(tree_.host(), kName).ok()); }

  FakeTree tree_;
  std::shared_ptr<FakeMemory> memory_ = std::make_shared<FakeMemory>();
};

TEST_F(PciSysfs, OpensEnablesAndClosesAgain) {
  tree_.add({});
  {
    const auto f = open();
    ASSERT_TRUE(f.ok()) << describe(f.error());
    EXPECT_EQ((*f)->name(), kName);
    EXPECT_EQ((*f)->identity().device, 0x744c);
    EXPECT_EQ(tree_.text(tree_.device(kName) / "enable"), "1\n");
    ASSERT_TRUE(set_bus_master(**f, true).ok());
    EXPECT_EQ(DeviceLock::acquire(tree_.host(), kName).error().code, Errc::busy);
    EXPECT_TRUE((*f)->close().ok());
    EXPECT_TRUE((*f)->close().ok());
  }
  EXPECT_EQ(tree_.text(tree_.device(kName) / "enable"), "0\n");
  EXPECT_EQ(tree_.text(tree_.device(kName) / "config")[kCommand] & kCommandBusMaster, 0);
  expect_unlocked();
}

// In a process of its own, because nothing can switch bus mastering on after it.
TEST_F(PciSysfs, BusMasteringEndsWithTheProcess) {
  tree_.add({.driver = "amdgpu"});
  const auto in_child = [&] {
    const auto f = open({.unbind_driver = true});
    if (!f.ok() || !set_bus_master(**f, true).ok()) std::_Exit(1);
    const auto stopped = stop_all_dma();
    if (stopped.size() != 1 || stopped[0].name != kName || !stopped[0].status.ok()) std::_Exit(2);
    if (stopped[0].note.find("amdgpu") == std::string::npos) std::_Exit(3);
    if (*(*f)->config_read(kCommand, 2) & kCommandBusMaster) std::_Exit(4);
    if (const Status s = set_bus_master(**f, true); s.ok() || s.error().code != Errc::refused) std::_Exit(5);
    if (!set_bus_master(**f, false).ok()) std::_Exit(6);
    std::_Exit(0);
  };
  EXPECT_EXIT(in_child(), ::testing::ExitedWithCode(0), "");
}

TEST_F(PciSysfs, AClosedFunctionIsNotAmongTheOpenOnes) {
  tree_.add({});
  const auto in_child = [&] {
    const auto f = open();
    if (!f.ok() || !(*f)->close().ok()) std::_Exit(1);
    std::_Exit(stop_all_dma().empty() ? 0 : 2);
  };
  EXPECT_EXIT(in_child(), ::testing::ExitedWithCode(0), "");
}

TEST_F(PciSysfs, UnknownFunctionLeavesNoLockFile) {
  const auto f = open();
  EXPECT_EQ(f.error().code, Errc::not_found);
  EXPECT_TRUE(fs::is_empty(tree_.root() / "lock"));
}

TEST_F(PciSysfs, LockHeldBeforeAnythingIsTouched) {
  tree_.add({});
  const auto lock = DeviceLock::acquire(tree_.host(), kName);
  EXPECT_EQ(open().error().code, Errc::busy);
  EXPECT_TRUE(tree_.writes.empty());
}

TEST_F(PciSysfs, BoundDriverIsRefusedByName) {
  tree_.add({.driver = "amdgpu"});
  const auto f = open();
  ASSERT_FALSE(f.ok());
  EXPECT_EQ(f.error().code, Errc::refused);
  EXPECT_THAT(f.error().detail, HasSubstr("amdgpu"));
  EXPECT_THAT(f.error().hint, HasSubstr("unbind"));
  EXPECT_TRUE(tree_.writes.empty());
  EXPECT_EQ(tree_.driver(kName), "amdgpu");
  expect_unlocked();
}

TEST_F(PciSysfs, UnbindsWhenAskedAndBindsAgain) {
  tree_.add({.driver = "amdgpu"});
  {
    const auto f = open({.unbind_driver = true});
    ASSERT_TRUE(f.ok()) << describe(f.error());
    EXPECT_EQ(tree_.driver(kName), "");
  }
  EXPECT_EQ(tree_.driver(kName), "amdgpu");
}

TEST_F(PciSysfs, DriverComesBackWhenOpeningFailsLater) {
  tree_.add({.driver = "amdgpu"});
  tree_.config_all_ones(kName);
  EXPECT_EQ(open({.unbind_driver = true}).error().code, Errc::device_lost);
  EXPECT_EQ(tree_.driver(kName), "amdgpu");
  expect_unlocked();
}

TEST_F(PciSysfs, DriverThatDoesNotLetGo) {
  tree_.add({.driver = "amdgpu"});
  tree_.unbind_works = false;
  const auto f = open({.unbind_driver = true});
  ASSERT_FALSE(f.ok());
  EXPECT_EQ(f.error().code, Errc::busy);
  EXPECT_THAT(f.error().detail, HasSubstr("amdgpu"));
}

TEST_F(PciSysfs, NoPowerIsSaidBeforeAnythingIsMapped) {
  tree_.add({.power = "D3cold"});
  tree_.config_all_ones(kName);
  const auto f = open();
  ASSERT_FALSE(f.ok());
  EXPECT_EQ(f.error().code, Errc::device_lost);
  EXPECT_THAT(f.error().detail, HasSubstr("D3cold"));
  EXPECT_THAT(f.error().hint, AllOf(HasSubstr("disable_idle_d3=1"), HasSubstr("d3cold_allowed")));
  EXPECT_TRUE(tree_.writes.empty());
  expect_unlocked();
}

TEST_F(PciSysfs, StaysAsleepAfterEnable) {
  tree_.add({.power = "D3hot"});
  const auto f = open();
  ASSERT_FALSE(f.ok());
  EXPECT_EQ(f.error().code, Errc::device_lost);
  EXPECT_THAT(f.error().detail, HasSubstr("D3hot"));
  EXPECT_EQ(tree_.text(tree_.device(kName) / "enable"), "0\n");  // taken back
}

TEST_F(PciSysfs, BootFramebufferIsNamedBeforeAnythingIsTouched) {
  tree_.add({.driver = "amdgpu"});
  tree_.file("proc/iomem", "6000000000-60000fffff : 0000:03:00.0\n  6000000000-60007fffff : BOOTFB\n");
  const auto f = open({.unbind_driver = true});
  ASSERT_FALSE(f.ok());
  EXPECT_EQ(f.error().code, Errc::refused);
  EXPECT_THAT(f.error().detail, HasSubstr("BOOTFB"));
  EXPECT_TRUE(tree_.writes.empty());
}

TEST_F(PciSysfs, AllOnesIsALostDevice) {
  tree_.add({});
  tree_.config_all_ones(kName);
  const auto f = open();
  ASSERT_FALSE(f.ok());
  EXPECT_EQ(f.error().code, Errc::device_lost);
}

TEST_F(PciSysfs, AllOnesIsALegalValueWhileTheVendorIdReads) {
  tree_.add({});
  const auto f = *open();
  tree_.poke_config(kName, 0x70, {0xff, 0xff, 0xff, 0xff});
  EXPECT_EQ(*f->config_read(0x70, 4), 0xffffffffu);
  tree_.config_all_ones(kName);
  EXPECT_EQ(f->config_read(0x70, 4).error().code, Errc::device_lost);
}

TEST_F(PciSysfs, RemovalMidway) {
  tree_.add({});
  const auto f = *open();
  const Mmio regs = *f->map_bar(5, Caching::uncached);
  regs.write32(0x10, 7);
  tree_.remove(kName);
  EXPECT_EQ(f->config_read(kCommand, 2).error().code, Errc::device_lost);
  EXPECT_EQ(set_bus_master(*f, true).error().code, Errc::device_lost);
  EXPECT_EQ(f->map_bar(0, Caching::uncached).error().code, Errc::device_lost);
  EXPECT_EQ(f->reset().error().code, Errc::device_lost);
  EXPECT_EQ(regs.read32(0x10), 7u);  // the mapping itself stays
  EXPECT_TRUE(f->close().ok());
  expect_unlocked();
}

TEST_F(PciSysfs, MapsBars) {
  tree_.add({});
  const auto f = *open();
  const Mmio regs = *f->map_bar(5, Caching::uncached);
  EXPECT_EQ(regs.size(), 16u << 10);
  regs.write32(0x100, 0x12345678);
  EXPECT_EQ(tree_.text(tree_.device(kName) / "resource5").substr(0x100, 4), "\x78\x56\x34\x12");
  const Mmio again = *f->map_bar(5, Caching::uncached);
  EXPECT_EQ(again.read32(0x100), 0x12345678u);
  EXPECT_EQ(f->bar_address(0), 0x6000000000u);
  EXPECT_EQ(f->bar_size(1), 0u);
  EXPECT_EQ(f->map_bar(1, Caching::uncached).error().code, Errc::not_found);
  EXPECT_EQ(f->map_bar(6, Caching::uncached).error().code, Errc::not_found);
}

TEST_F(PciSysfs, WriteCombiningUsesItsOwnFileWhereThereIsOne) {
  tree_.add({});
  const auto f = *open();
  EXPECT_TRUE(f->map_bar(2, Caching::write_combining).ok());
  std::ofstream(tree_.device(kName) / "resource0_wc") << "W";
  fs::resize_file(tree_.device(kName) / "resource0_wc", kMiB);
  EXPECT_EQ(f->map_bar(0, Caching::write_combining)->read8(0), 'W');
  EXPECT_EQ(f->map_bar(0, Caching::uncached)->read8(0), 0);
}

TEST_F(PciSysfs, BarSmallerThanTheTableSays) {
  tree_.add({});
  const auto f = *open();
  tree_.set_bar_file_size(kName, 5, 4096);
  const auto m = f->map_bar(5, Caching::uncached);
  ASSERT_FALSE(m.ok());
  EXPECT_EQ(m.error().code, Errc::corrupt);
  EXPECT_EQ(m.error().expected, 16u << 10);
  EXPECT_EQ(m.error().actual, 4096u);
}

TEST_F(PciSysfs, ResizesToTheLargestSize) {
  tree_.add({});
  tree_.make_resizable(kName, 0, 0b11111);  // 1 to 16 MiB
  const auto f = *open();
  EXPECT_EQ(*f->resize_bar(0), 16 * kMiB);
  EXPECT_EQ(f->bar_address(0), 0x8000000000u);
  EXPECT_EQ(f->map_bar(0, Caching::uncached)->size(), 16 * kMiB);
  EXPECT_EQ(f->resize_bar(0).error().code, Errc::invalid_argument);  // mapped now
}

TEST_F(PciSysfs, ResizeWithoutRoomKeepsTheSizeAndSaysSoOnce) {
  tree_.add({});
  tree_.make_resizable(kName, 0, 0b11001);
  tree_.fail_writes("resource0_resize", ENOSPC);
  const auto f = *open();
  ::testing::internal::CaptureStderr();
  EXPECT_EQ(*f->resize_bar(0), kMiB);
  EXPECT_EQ(*f->resize_bar(0), kMiB);
  const std::string said = ::testing::internal::GetCapturedStderr();
  EXPECT_THAT(said, HasSubstr("Resizable BAR"));
  EXPECT_EQ(said.find("Resizable BAR"), said.rfind("Resizable BAR"));
  EXPECT_EQ(tree_.written("resource0_resize"), 4);  // 16 and 8 MiB, twice
  EXPECT_EQ(f->map_bar(0, Caching::uncached)->size(), kMiB);
}

TEST_F(PciSysfs, ResizeIsOptional) {
  tree_.add({});
  const auto f = *open();
  EXPECT_EQ(*f->resize_bar(0), kMiB);  // no such attribute
  tree_.file("sys/bus/pci/devices/0000:03:00.0/resource0_resize", "garbage\n");
  ::testing::internal::CaptureStderr();
  EXPECT_EQ(*f->resize_bar(0), kMiB);
  EXPECT_THAT(::testing::internal::GetCapturedStderr(), HasSubstr("mask"));
  EXPECT_EQ(*f->resize_bar(3), 0u);
  EXPECT_EQ(tree_.written("_resize"), 0);
}

TEST_F(PciSysfs, Reset) {
  tree_.add({});
  const auto f = *open();
  EXPECT_TRUE(f->reset().ok());
  EXPECT_EQ(tree_.written("/reset"), 1);
  tree_.fail_writes("/reset", ENOTTY);
  EXPECT_EQ(f->reset().error().code, Errc::io);
  tree_.fail_writes("/reset", 0);
  tree_.config_all_ones(kName);
  EXPECT_EQ(f->reset().error().code, Errc::device_lost);
  fs::remove(tree_.device(kName) / "reset");
  EXPECT_EQ(f->reset().error().code, Errc::unsupported);
}

TEST_F(PciSysfs, EnableDenied) {
  tree_.add({});
  tree_.fail_writes("/enable", EACCES);
  const auto f = open();
  ASSERT_FALSE(f.ok());
  EXPECT_EQ(f.error().code, Errc::permission);
  EXPECT_THAT(f.error().hint, HasSubstr("root"));
  EXPECT_EQ(tree_.written("/enable"), 1);  // what was not enabled is not disabled
}

TEST_F(PciSysfs, NoInterrupt) {
  tree_.add({});
  const auto f = *open();
  EXPECT_EQ(*f->irq(), nullptr);
}

TEST_F(PciSysfs, MemoryOutlivesTheFunction) {
  tree_.add({});
  auto f = *open();
  const auto m = *f->alloc_dma(kDmaPage, {});
  f.reset();
  m->data()[0] = std::byte{1};
}

}  // namespace
}  // namespace hcq::pci::test
