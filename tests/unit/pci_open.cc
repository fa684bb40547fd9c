// SPDX-License-Identifier: MIT
#include "drivers/pci/open.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "tests/support/pci_fake_tree.h"

namespace hcq::pci::test {
namespace {

using ::testing::HasSubstr;

constexpr const char* kName = "0000:03:00.0";

TEST(PciOpen, ChoosesTheTransport) {
  FakeTree tree;
  tree.add({.group = 14});
  EXPECT_EQ(choose_via(tree.host(), kName), Via::sysfs);
  tree.file("sys/kernel/iommu_groups/14/type", "DMA-FQ\n");
  EXPECT_EQ(choose_via(tree.host(), kName), Via::vfio);
  tree.add({.bdf = "0000:04:00.0", .driver = "amdgpu"});
  EXPECT_EQ(choose_via(tree.host(), "0000:04:00.0"), Via::sysfs);
  tree.bind("0000:04:00.0", "vfio-pci");
  EXPECT_EQ(choose_via(tree.host(), "0000:04:00.0"), Via::vfio);
}

TEST(PciOpen, BySysfs) {
  FakeTree tree;
  tree.add({.driver = "amdgpu"});
  const auto refused = open_function(tree.host(), "03:00.0", {});
  ASSERT_FALSE(refused.ok());
  EXPECT_EQ(refused.error().code, Errc::refused);
  const auto f = open_function(tree.host(), "03:00.0", {.via = Via::automatic, .unbind_driver = true});
  ASSERT_TRUE(f.ok()) << describe(f.error());
  EXPECT_EQ((*f)->name(), kName);
}

// The tree's container node is an ordinary file, so VFIO's first call fails: with VFIO's error, and all is put back.
TEST(PciOpen, ByVfio) {
  FakeTree tree;
  tree.add({.driver = "amdgpu", .group = 14});
  tree.file("dev/vfio/vfio", "");
  const auto f = open_function(tree.host(), kName, {.via = Via::vfio, .unbind_driver = true});
  ASSERT_FALSE(f.ok());
  EXPECT_EQ(f.error().operation, "vfio/version");
  EXPECT_EQ(tree.driver(kName), "amdgpu");
}

TEST(PciOpen, BadAddress) {
  FakeTree tree;
  EXPECT_EQ(open_function(tree.host(), "../../etc", {}).error().code, Errc::invalid_argument);
  EXPECT_EQ(open_function(tree.host(), "99:00.0", {}).error().code, Errc::not_found);
}

}  // namespace
}  // namespace hcq::pci::test
