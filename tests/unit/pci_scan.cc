// SPDX-License-Identifier: MIT
#include "drivers/pci/scan.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "drivers/pci/iomem.h"
#include "tests/support/pci_fake_tree.h"

namespace hcq::pci::test {
namespace {

using ::testing::HasSubstr;

TEST(PciAddress, Forms) {
  EXPECT_EQ(*parse_bdf("0000:03:00.0"), "0000:03:00.0");
  EXPECT_EQ(*parse_bdf("C3:1F.7"), "0000:c3:1f.7");
  EXPECT_EQ(*parse_bdf("10000:e1:00.0"), "10000:e1:00.0");
  for (const char* bad : {"", "0", "03:00", "03.0", ":03:00.0", "03:00.8", "03:20.0", "100:00.0", "0000:03:00.0/..",
                          "../../etc:0:0.0", "0000:0000:03:00.0", "03:00.0 ", "g3:00.0", "-1:00.0"})
    EXPECT_EQ(parse_bdf(bad).error().code, Errc::invalid_argument) << bad;
}

TEST(PciScan, ReportsWhatSysfsSays) {
  FakeTree tree;
  tree.add({.driver = "amdgpu", .group = 14});
  const auto f = inspect(tree.host(), "0000:03:00.0");
  ASSERT_TRUE(f.ok()) << describe(f.error());
  EXPECT_EQ(f->identity.vendor, 0x1002);
  EXPECT_EQ(f->identity.device, 0x744c);
  EXPECT_EQ(f->identity.class_code, 0x030000u);
  EXPECT_EQ(f->identity.subsystem_device, 0x0e3b);
  EXPECT_EQ(f->identity.revision, 0xc8);
  EXPECT_EQ(f->driver, "amdgpu");
  EXPECT_EQ(f->iommu_group, 14u);
  EXPECT_EQ(f->power_state, "D0");
  EXPECT_EQ(f->bars[0].size(), 1u << 20);
  EXPECT_TRUE(f->bars[0].is_prefetchable());
  EXPECT_TRUE(f->bars[0].is_64bit());
  EXPECT_EQ(f->bars[1].size(), 0u);
  EXPECT_EQ(f->bars[5].start, 0xfcb00000u);
  EXPECT_FALSE(f->bars[5].is_prefetchable());
  EXPECT_EQ(f->link.width, 8u);
  EXPECT_EQ(f->link.max_width, 16u);
  EXPECT_EQ(f->link.speed, "16.0 GT/s PCIe");
  EXPECT_FALSE(f->holder);
}

TEST(PciScan, FiltersByVendorDeviceAndClass) {
  FakeTree tree;
  tree.add({.bdf = "0000:03:00.0"});
  tree.add({.bdf = "0000:03:00.1", .device = 0xab30, .class_code = 0x040300});
  tree.add({.bdf = "0000:41:00.0", .vendor = 0x10de, .device = 0x2684, .class_code = 0x030200});
  const auto names = [&](std::vector<Filter> filters) {
    std::vector<std::string> out;
    const auto found = scan(tree.host(), filters);
    EXPECT_TRUE(found.ok());
    for (const auto& f : found->functions) out.push_back(f.bdf);
    return out;
  };
  using V = std::vector<std::string>;
  EXPECT_EQ(names({}), (V{"0000:03:00.0", "0000:03:00.1", "0000:41:00.0"}));
  EXPECT_EQ(names({{.vendor = 0x1002}}), (V{"0000:03:00.0", "0000:03:00.1"}));
  EXPECT_EQ(names({{.vendor = 0x1002, .device = 0xab30}}), (V{"0000:03:00.1"}));
  EXPECT_EQ(names({{.class_code = 0x030000, .class_mask = 0xff0000}}), (V{"0000:03:00.0", "0000:41:00.0"}));
  EXPECT_EQ(names({{.class_code = 0x030200}}), (V{"0000:41:00.0"}));
  EXPECT_EQ(names({{.vendor = 0x14e4}}), V{});
}

TEST(PciScan, ABrokenFunctionHidesNoOther) {
  FakeTree tree;
  tree.add({.bdf = "0000:03:00.0"});
  tree.add({.bdf = "0000:04:00.0"});
  tree.file("sys/bus/pci/devices/0000:03:00.0/resource", "garbage\n");
  tree.file("sys/bus/pci/devices/not-a-function/vendor", "0x1002\n");
  const auto found = scan(tree.host(), {});
  ASSERT_TRUE(found.ok());
  ASSERT_EQ(found->functions.size(), 1u);
  EXPECT_EQ(found->functions[0].bdf, "0000:04:00.0");
  ASSERT_EQ(found->problems.size(), 1u);
  EXPECT_EQ(found->problems[0].device, "0000:03:00.0");
}

TEST(PciScan, ResourceGarbageIsCorrupt) {
  FakeTree tree;
  tree.add({});
  const std::string good = "0x0000006000000000 0x00000060000fffff 0x000000000014220c\n";
  const std::string none = "0x0000000000000000 0x0000000000000000 0x0000000000000000\n";
  const std::string rest = none + none + none + none + none;
  const std::vector<std::string> bad = {"",
                                        "\n",
                                        good,
                                        "0x0 0x1\n" + rest,
                                        "6000000000 60000fffff 14220c\n" + rest,
                                        "0x00000060000fffff 0x0000006000000000 0x14220c\n" + rest,
                                        "0x0 0x1 0x2 0x3\n" + rest,
                                        "0x11111111111111111 0x1 0x2\n" + rest,
                                        "0x0 0xzz 0x2\n" + rest,
                                        std::string(100, '\0')};
  for (const auto& text : bad) {
    tree.file("sys/bus/pci/devices/0000:03:00.0/resource", text);
    const auto bars = read_bars(tree.host(), "0000:03:00.0");
    ASSERT_FALSE(bars.ok()) << text;
    EXPECT_EQ(bars.error().code, Errc::corrupt) << text;
  }
  tree.file("sys/bus/pci/devices/0000:03:00.0/resource", good + rest);
  EXPECT_TRUE(read_bars(tree.host(), "0000:03:00.0").ok());
}

TEST(PciScan, OutOfRangeAttributeIsCorrupt) {
  FakeTree tree;
  tree.add({});
  for (const char* text : {"0x10020", "", "0x", "abcd", "0x1002 0x1002", "-1"}) {
    tree.file("sys/bus/pci/devices/0000:03:00.0/vendor", text);
    EXPECT_EQ(read_identity(tree.host(), "0000:03:00.0").error().code, Errc::corrupt) << text;
  }
}

TEST(PciScan, UnknownFunction) {
  FakeTree tree;
  const auto f = inspect(tree.host(), "0000:99:00.0");
  ASSERT_FALSE(f.ok());
  EXPECT_EQ(f.error().code, Errc::not_found);
}

TEST(PciScan, NoBus) {
  FakeTree tree;
  Host host = tree.host();
  host.sysfs += "/nowhere";
  EXPECT_EQ(scan(host, {}).error().code, Errc::not_found);
}

// The boot framebuffer's memory lies inside BAR 0, two levels below the bridge window.
constexpr const char* kIomemWithFramebuffer =
    "00000000-00000fff : Reserved\n"
    "6000000000-60ffffffff : PCI Bus 0000:00\n"
    "  6000000000-60000fffff : 0000:03:00.0\n"
    "    6000000000-60007fffff : BOOTFB\n";

TEST(PciIomem, FindsTheBootFramebuffer) {
  FakeTree tree;
  tree.add({});
  const auto bars = *read_bars(tree.host(), "0000:03:00.0");
  tree.file("proc/iomem", kIomemWithFramebuffer);
  EXPECT_EQ(find_framebuffer(tree.host(), bars).owner, "BOOTFB");
  EXPECT_EQ(find_framebuffer(tree.host(), bars).bar, 0u);
  tree.file("proc/iomem", "  6000000000-60007fffff : simple-framebuffer.0\n");
  EXPECT_EQ(find_framebuffer(tree.host(), bars).owner, "simple-framebuffer.0");
  const Status refused = check_framebuffer(tree.host(), "0000:03:00.0", bars);
  ASSERT_FALSE(refused.ok());
  EXPECT_EQ(refused.error().code, Errc::refused);
  EXPECT_THAT(describe(refused.error()), HasSubstr("simple-framebuffer.0"));
}

TEST(PciIomem, AnotherDevicesFramebufferIsNoMatter) {
  FakeTree tree;
  tree.add({});
  const auto bars = *read_bars(tree.host(), "0000:03:00.0");
  tree.file("proc/iomem", "e0000000-e07fffff : BOOTFB\n6000000000-60000fffff : 0000:03:00.0\n");
  EXPECT_EQ(find_framebuffer(tree.host(), bars).owner, "");
  EXPECT_FALSE(find_framebuffer(tree.host(), bars).hidden);
}

TEST(PciIomem, HiddenAddressesAreNoAnswer) {
  FakeTree tree;
  tree.add({});
  const auto bars = *read_bars(tree.host(), "0000:03:00.0");
  tree.file("proc/iomem", "00000000-00000000 : PCI Bus 0000:00\n  00000000-00000000 : BOOTFB\n");
  EXPECT_EQ(find_framebuffer(tree.host(), bars).owner, "");
  EXPECT_TRUE(find_framebuffer(tree.host(), bars).hidden);
  tree.file("proc/iomem", "nonsense\n : \n-\n1-zz : BOOTFB\n");
  EXPECT_EQ(find_framebuffer(tree.host(), bars).owner, "");
}

TEST(PciHost, AttributeWriteReachesTheFileAndReportsErrors) {
  FakeTree tree;
  tree.file("sys/a", "old");
  const std::string path = (tree.root() / "sys/a").string();
  EXPECT_TRUE(write_attribute_within(path, "new", std::chrono::seconds(10)).ok());
  EXPECT_EQ(tree.text(path), "new");
  const Status missing = write_attribute_within(path + "b", "x", std::chrono::seconds(10));
  ASSERT_FALSE(missing.ok());
  EXPECT_EQ(missing.error().code, Errc::not_found);
  EXPECT_FALSE(fs::exists(path + "b"));
  const Status full = write_attribute_within("/dev/full", "x", std::chrono::seconds(10));
  ASSERT_FALSE(full.ok());
  EXPECT_THAT(full.error().detail, HasSubstr("No space left"));
}

// A FIFO without a reader blocks the writer in open(), as a hanging driver blocks it in write().
TEST(PciHost, AttributeWriteThatHangsIsGivenUp) {
  FakeTree tree;
  const std::string path = (tree.root() / "sys/hang").string();
  ASSERT_EQ(::mkfifo(path.c_str(), 0600), 0);
  const Status s = write_attribute_within(path, "x", std::chrono::milliseconds(50));
  ASSERT_FALSE(s.ok());
  EXPECT_EQ(s.error().code, Errc::timeout);
  const Fd reader{::open(path.c_str(), O_RDONLY | O_NONBLOCK)};  // lets the child end
}

}  // namespace
}  // namespace hcq::pci::test
