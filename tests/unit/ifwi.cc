// SPDX-License-Identifier: MIT
// The parser of firmware images, on images made by our generator and on damaged ones.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <cstring>
#include <random>
#include <set>
#include <vector>

#include "drivers/am/abi/ifwi.h"
#include "drivers/am/flash/checksum.h"
#include "drivers/am/flash/ifwi.h"
#include "models/am/synthetic_ifwi.h"

namespace hcq::am::flash {
namespace {

namespace f = abi::ifwi;
using models::am::boot_verdict;
using models::am::synthetic_ifwi;
using ::testing::Contains;
using ::testing::ElementsAre;
using ::testing::IsSubsetOf;

std::vector<std::string> names(const Ifwi& i) {
  std::vector<std::string> n;
  for (const Finding& x : i.findings) n.push_back(x.name);
  return n;
}
template <class T>
void put(std::vector<std::byte>& image, std::uint32_t at, const T& v) {
  std::memcpy(image.data() + at, &v, sizeof v);
}

// Values computed with an independent implementation.
TEST(Checksum, Fletcher32) {
  std::vector<std::byte> v;
  for (unsigned i = 0; i < 16; ++i) v.push_back(std::byte(i));
  EXPECT_EQ(fletcher32(v), 0xcca84038u);
  EXPECT_EQ(fletcher32(std::vector<std::byte>(24, std::byte{0})), 0xffffffffu);
  EXPECT_EQ(fletcher32(std::vector<std::byte>(24, std::byte{0xff})), 0xffffffffu);
  v.clear();
  for (unsigned i = 0; i < 1024; ++i) v.push_back(std::byte(i & 255));
  EXPECT_EQ(fletcher32(v), 0x1615ff00u);
}

TEST(Checksum, Sha256) {
  EXPECT_EQ(sha256_hex({}), "e3b0c44298fc1c149afbf4c8996fb92427ae41e4649b934ca495991b7852b855");
}

TEST(Ifwi, AWholeImageHasNothingWrong) {
  const auto image = synthetic_ifwi();
  const Ifwi i = parse_ifwi(image);
  EXPECT_THAT(names(i), ElementsAre());
  ASSERT_EQ(i.directories.size(), 4u);
  EXPECT_EQ(i.directories[0].name, "psp_a");
  EXPECT_EQ(i.directories[2].name, "slot_a");
  EXPECT_EQ(i.directories[2].magic, "$PL2");
  ASSERT_EQ(i.directories[2].files.size(), 9u);
  EXPECT_EQ(i.directories[2].files[0].version, "0.49.7.0");
  EXPECT_EQ(i.directories[2].files[0].digest_matches, true);
  EXPECT_EQ(i.directories[2].files[8].value, 1u);
  ASSERT_EQ(i.slots.size(), 2u);
  EXPECT_EQ(i.slots[0].psp_id, 0x13cu);
  EXPECT_EQ(i.signatures.size(), 7u);
  ASSERT_EQ(i.roms.size(), 1u);
  EXPECT_EQ(i.roms[0].device, 0x744c);
  EXPECT_EQ(i.roms[0].subsystem_device, 0x0e3b);
  EXPECT_EQ(i.roms[0].part_number, "HCQ-SYNTHETIC-31");
  EXPECT_TRUE(boot_verdict(image).boots);
}

TEST(Ifwi, RegionsAreOrderedAndApart) {
  const Ifwi i = parse_ifwi(synthetic_ifwi());
  std::set<std::string> seen;
  for (std::size_t k = 0; k < i.regions.size(); ++k) {
    seen.insert(i.regions[k].name);
    if (k) {
      EXPECT_GE(i.regions[k].offset, i.regions[k - 1].offset + i.regions[k - 1].size);
    }
  }
  for (const char* name : {"efs", "psp_a", "psp_b", "ish_a", "slot_a", "slot_b", "sgn", "signature_7", "rom_0"})
    EXPECT_THAT(seen, Contains(name));
}

TEST(Ifwi, EachKindOfDamageHasItsName) {
  struct Case {
    std::uint32_t at;
    std::string finding;
  };
  for (const Case& c :
       {Case{0, "efs_magic"}, Case{0x2000, "psp_a_magic"}, Case{0x2004, "psp_a_checksum"},
        Case{0x3018, "psp_b_checksum"}, Case{0x12010, "ish_a_checksum"}, Case{0x13000, "ish_b_checksum"},
        Case{0x1001, "sgn_magic"}, Case{0x20008, "slot_a_checksum"}, Case{0x21200, "slot_a_file_01_digest"},
        Case{0x140000 + 0x5000, "rom_0_checksum"}, Case{0x140000, "rom_missing"}}) {
    auto image = synthetic_ifwi();
    image[c.at] ^= std::byte{0x01};
    EXPECT_THAT(names(parse_ifwi(image)), Contains(c.finding)) << std::hex << c.at;
  }
}

TEST(Ifwi, PlacesOutsideTheImageAreSaid) {
  auto image = synthetic_ifwi();
  put(image, f::kIsh[0] + 0x10, 0x1fffff00u);
  put(image, f::kIsh[1] + 0x18, 0xffffffffu);
  put(image, 0x20000 + 16 + 8, 0xfffffff0u);
  put(image, 0x3000 + 8, 0xffffffffu);
  const auto n = names(parse_ifwi(image));
  EXPECT_THAT(n, Contains("ish_a_place"));
  EXPECT_THAT(n, Contains("ish_b_place"));
  EXPECT_THAT(n, Contains("psp_b_count"));
}

TEST(Ifwi, BlankAndOddSizes) {
  EXPECT_THAT(names(parse_ifwi(std::vector<std::byte>(f::kImageBytes, std::byte{0xff}))), Contains("ish_a_missing"));
  for (const std::size_t size :
       {std::size_t{0}, std::size_t{1}, std::size_t{4097}, std::size_t{256} << 10, std::size_t{f::kImageBytes} + 1}) {
    auto image = synthetic_ifwi();
    image.resize(size);
    EXPECT_THAT(names(parse_ifwi(image)), Contains("image_size")) << size;
  }
}

TEST(Ifwi, WhereNoDigestHoldsTheRuleIsUnknown) {
  auto image = synthetic_ifwi();
  for (std::size_t at = 0; at + 0x100 < image.size(); at += 0x100) {
    std::uint32_t magic;
    std::memcpy(&magic, image.data() + at + 0x10, 4);
    if (magic == f::kPs1) image[at + 0xd0] ^= std::byte{1};
  }
  const Ifwi i = parse_ifwi(image);
  EXPECT_THAT(names(i), ElementsAre());
  EXPECT_FALSE(i.directories[2].files[0].digest_matches.has_value());
}

TEST(Ifwi, Items) {
  const auto image = synthetic_ifwi();
  EXPECT_EQ(ifwi_item(image, f::kItemEfs)->size(), 0x54u);
  EXPECT_EQ(ifwi_item(image, f::kItemPspDirectoryA)->size(), 64u);
  EXPECT_EQ(ifwi_item(image, f::kItemIshB)->data(), image.data() + 0x13000);
  EXPECT_EQ(ifwi_item(image, f::kItemPayload)->data(), image.data() + 0x20000);
  EXPECT_EQ(ifwi_item(image, f::kItemPayload)->size(), 0x80000u);
  EXPECT_EQ(ifwi_item(image, f::kItemSgn)->size(), 8u * 16);
  EXPECT_EQ(ifwi_item(image, 0x83)->data(), image.data() + 0x16000);
  EXPECT_EQ(ifwi_item(image, f::kItemTrailer)->size(), 0x100u);
  EXPECT_FALSE(ifwi_item(image, 0x33).ok());
  auto bad = image;
  put(bad, 0x14000 + 8, 0x10000000u);
  EXPECT_FALSE(ifwi_item(bad, f::kItemSgn).ok());
  EXPECT_FALSE(ifwi_item(bad, 0x82).ok());
  put(bad, f::kSgnPointer, 0xfffffff0u);
  EXPECT_FALSE(ifwi_item(bad, f::kItemSgn).ok());
}

// Random damage: no crash, no region or file outside the image, and every image that the boot ROM of the model takes
// has a sound copy.
TEST(Ifwi, RandomDamageStaysInBounds) {
  std::mt19937 rng(7);
  const auto whole = synthetic_ifwi();
  constexpr std::uint32_t kPlaces[] = {0,       0x1000,  0x2000,  0x3000,  0x12000,
                                       0x13000, 0x14000, 0x20000, 0xa0000, 0x140000};
  for (unsigned round = 0; round < 300; ++round) {
    auto image = whole;
    for (unsigned n = rng() % 8 + 1; n > 0; --n)
      image[kPlaces[rng() % std::size(kPlaces)] + rng() % 0x80] = std::byte(rng() & 0xff);
    const Ifwi i = parse_ifwi(image);
    for (const Region& r : i.regions) ASSERT_LE(std::uint64_t{r.offset} + r.size, image.size());
    for (const auto& d : i.directories)
      for (const auto& file : d.files)
        if (file.has_header) {
          ASSERT_LE(std::uint64_t{file.offset} + file.size, image.size());
        }
    for (unsigned item = 0; item < 256; ++item) (void)ifwi_item(image, static_cast<std::uint8_t>(item));
  }
}

}  // namespace
}  // namespace hcq::am::flash
