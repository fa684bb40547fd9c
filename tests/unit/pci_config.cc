// SPDX-License-Identifier: MIT
// Capability walks over config space that a fake tree serves.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "drivers/pci/sysfs.h"
#include "tests/support/pci_fake_tree.h"

namespace hcq::pci::test {
namespace {

constexpr const char* kName = "0000:03:00.0";

class PciConfig : public ::testing::Test {
 protected:
  void SetUp() override {
    tree_.add({});
    auto f = SysfsFunction::open(tree_.host(), kName, {}, std::make_shared<FakeMemory>());
    ASSERT_TRUE(f.ok()) << describe(f.error());
    f_ = std::move(*f);
  }
  void poke(std::uint16_t offset, std::vector<std::uint8_t> bytes) { tree_.poke_config(kName, offset, bytes); }

  FakeTree tree_;
  std::unique_ptr<SysfsFunction> f_;
};

TEST_F(PciConfig, FindsCapabilities) {
  EXPECT_EQ(*find_capability(*f_, 0x01), 0x40);
  EXPECT_EQ(*find_capability(*f_, 0x05), 0x50);
  EXPECT_EQ(*find_capability(*f_, 0x10), 0x60);
  EXPECT_EQ(*find_capability(*f_, 0x11), 0);
  EXPECT_EQ(*find_extended_capability(*f_, 0x0003), 0x100);
  EXPECT_EQ(*find_extended_capability(*f_, 0x0015), 0x200);
  EXPECT_EQ(*find_extended_capability(*f_, 0x0001), 0);
}

TEST_F(PciConfig, ReservedPointerBitsAreIgnored) {
  poke(kCapabilityPointer, {0x43});
  poke(0x41, {0x53});
  EXPECT_EQ(*find_capability(*f_, 0x05), 0x50);
}

TEST_F(PciConfig, NoCapabilityListAtAll) {
  poke(kStatus, {0x00});
  EXPECT_EQ(*find_capability(*f_, 0x01), 0);
}

TEST_F(PciConfig, LoopsAreCorruptNotEndless) {
  poke(0x61, {0x40});  // the last entry points to the first
  EXPECT_EQ(find_capability(*f_, 0x77).error().code, Errc::corrupt);
  poke(0x41, {0x40});  // an entry points to itself
  EXPECT_EQ(find_capability(*f_, 0x77).error().code, Errc::corrupt);
  poke(0x202, {0x01, 0x10});  // next = 0x100
  EXPECT_EQ(find_extended_capability(*f_, 0x77).error().code, Errc::corrupt);
}

TEST_F(PciConfig, PointersOutsideTheListAreCorrupt) {
  poke(0x61, {0x04});
  const auto standard = find_capability(*f_, 0x77);
  EXPECT_EQ(standard.error().code, Errc::corrupt);
  EXPECT_EQ(standard.error().address, 0x04u);
  poke(0x202, {0x01, 0x04});  // next = 0x40
  EXPECT_EQ(find_extended_capability(*f_, 0x77).error().code, Errc::corrupt);
}

TEST_F(PciConfig, EntryThatReadsAllOnesIsCorruptWhileTheDeviceIsThere) {
  poke(0x60, {0xff, 0xff, 0xff, 0xff});
  EXPECT_EQ(find_capability(*f_, 0x77).error().code, Errc::corrupt);
  poke(0x200, {0xff, 0xff, 0xff, 0xff});
  EXPECT_EQ(find_extended_capability(*f_, 0x77).error().code, Errc::corrupt);
}

TEST_F(PciConfig, NoExtendedSpace) {
  poke(0x100, {0xff, 0xff, 0xff, 0xff});
  EXPECT_EQ(*find_extended_capability(*f_, 0x0015), 0);
  poke(0x100, {0, 0, 0, 0});
  EXPECT_EQ(*find_extended_capability(*f_, 0x0015), 0);
}

TEST_F(PciConfig, AllOnesIsALostDevice) {
  tree_.config_all_ones(kName);
  EXPECT_EQ(find_capability(*f_, 0x05).error().code, Errc::device_lost);
  EXPECT_EQ(find_extended_capability(*f_, 0x15).error().code, Errc::device_lost);
  EXPECT_EQ(set_bus_master(*f_, true).error().code, Errc::device_lost);
}

TEST_F(PciConfig, TruncatedConfigFile) {
  fs::resize_file(tree_.device(kName) / "config", 64);  // what a user without CAP_SYS_ADMIN sees
  const auto walk = find_capability(*f_, 0x05);
  ASSERT_FALSE(walk.ok());
  EXPECT_EQ(walk.error().code, Errc::io);
  EXPECT_EQ(walk.error().address, 0x40u);
  EXPECT_THAT(walk.error().hint, ::testing::HasSubstr("CAP_SYS_ADMIN"));
  fs::resize_file(tree_.device(kName) / "config", 6);
  EXPECT_EQ(f_->config_read(kStatus, 2).error().code, Errc::io);
  EXPECT_TRUE(f_->config_read(kCommand, 2).ok());
}

TEST_F(PciConfig, BusMasterBit) {
  EXPECT_TRUE(set_bus_master(*f_, true).ok());
  EXPECT_EQ(*f_->config_read(kCommand, 2) & kCommandBusMaster, kCommandBusMaster);
  EXPECT_TRUE(set_bus_master(*f_, false).ok());
  EXPECT_EQ(*f_->config_read(kCommand, 2) & kCommandBusMaster, 0u);
}

TEST_F(PciConfig, AccessesAreChecked) {
  for (const auto& [offset, size] : {std::pair{1, 2}, {2, 4}, {0, 3}, {0, 8}, {0, 0}, {0x1000, 4}, {0xffff, 1}})
    EXPECT_EQ(f_->config_read(static_cast<std::uint16_t>(offset), static_cast<unsigned>(size)).error().code,
              Errc::invalid_argument)
        << offset << " " << size;
  EXPECT_EQ(f_->config_write(3, 2, 0).error().code, Errc::invalid_argument);
}

}  // namespace
}  // namespace hcq::pci::test
