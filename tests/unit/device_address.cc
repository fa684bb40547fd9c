// SPDX-License-Identifier: MIT
#include <gtest/gtest.h>

#include "devices/address.h"

namespace hcq::devices {
namespace {

TEST(Address, FormsOfTheDesign) {
  EXPECT_EQ(parse_address("cpu")->scheme, Scheme::cpu);
  const auto am = *parse_address("am:3");
  EXPECT_EQ(am.scheme, Scheme::family);
  EXPECT_EQ(am.name, "am");
  EXPECT_EQ(am.index, 3u);
  const auto pci = *parse_address("pci:0000:03:00.0?via=vfio");
  EXPECT_EQ(pci.scheme, Scheme::pci);
  EXPECT_EQ(pci.name, "0000:03:00.0");
  EXPECT_EQ(pci.options, (decltype(pci.options){{"via", "vfio"}}));
  EXPECT_EQ(parse_address("pci:03:00.0")->name, "0000:03:00.0");
  EXPECT_EQ(parse_address("pci:0000:0A:00.1")->name, "0000:0a:00.1");
  const auto model = *parse_address("model:navi31?vram=512M&seed=7");
  EXPECT_EQ(model.name, "navi31");
  ASSERT_EQ(model.options.size(), 2u);
  EXPECT_EQ(model.options[1].second, "7");
  EXPECT_EQ(parse_address("remote:host:6667/0")->scheme, Scheme::remote);
  EXPECT_EQ(parse_address("model:unix:/run/x.sock")->name, "unix:/run/x.sock");
  EXPECT_EQ(parse_address("kfd:0")->scheme, Scheme::kernel_driver);
  EXPECT_EQ(parse_address("usb:0")->scheme, Scheme::usb);
}

TEST(Address, EverythingElseIsRefusedWithTheForms) {
  for (const char* text :
       {"", "gpu", "am", "am:", "am:x", "am:-1", "am:1x", "am:99999999999", "pci:", "pci:3", "pci:0000:03:00.8",
        "pci:0000-03-00.0", "pci:0000:03:00.0x", "model:", "cuda:0", "model:navi31?vram", "model:navi31?=1"}) {
    const auto r = parse_address(text);
    ASSERT_FALSE(r.ok()) << text;
    EXPECT_EQ(r.error().code, Errc::invalid_argument) << text;
    EXPECT_FALSE(r.error().hint.empty()) << text;
  }
}

TEST(Address, Sizes) {
  EXPECT_EQ(*parse_size("4096"), 4096u);
  EXPECT_EQ(*parse_size("512M"), 512u << 20);
  EXPECT_EQ(*parse_size("2G"), 2ull << 30);
  for (const char* text : {"", "M", "12T", "-1", "1.5G", "99999999999999999999", "18014398509481984G"})
    EXPECT_FALSE(parse_size(text).ok()) << text;
}

}  // namespace
}  // namespace hcq::devices
