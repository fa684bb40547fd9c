// SPDX-License-Identifier: MIT
// Firmware sources, containers and the set of images of a chip, on files built here. With HCQ_FIRMWARE_PATH set, the
// vendor's own files as well.
#include <gtest/gtest.h>
#include <unistd.h>

#include <cstdlib>
#include <cstring>
#include <filesystem>
#include <fstream>
#include <random>

#include "drivers/am/abi/firmware.h"
#include "drivers/am/abi/psp.h"
#include "drivers/am/firmware/container.h"
#include "drivers/am/firmware/firmware.h"

namespace hcq::am {
namespace {

namespace fw = abi::firmware;
using File = std::vector<std::byte>;

constexpr std::uint32_t kPayloadAt = 0x100;

template <class H>
void store(File& f, const H& h) {
  std::memcpy(f.data(), &h, sizeof(h));
}
template <class H>
H load(const File& f) {
  H h;
  std::memcpy(&h, f.data(), sizeof(h));
  return h;
}

fw::CommonHeader common(std::size_t file, std::size_t header, unsigned major, unsigned minor, std::size_t payload) {
  return {.size_bytes = static_cast<std::uint32_t>(file),
          .header_size_bytes = static_cast<std::uint32_t>(header),
          .header_version_major = static_cast<std::uint16_t>(major),
          .header_version_minor = static_cast<std::uint16_t>(minor),
          .ip_version_major = 0,
          .ip_version_minor = 0,
          .ucode_version = 0x1234,
          .ucode_size_bytes = static_cast<std::uint32_t>(payload),
          .ucode_array_offset_bytes = kPayloadAt,
          .crc32 = 0};
}

void seal(File& f) {
  auto h = load<fw::CommonHeader>(f);
  h.crc32 = crc32(Bytes(f).subspan(sizeof(h)));
  store(f, h);
}

File blank(std::size_t payload, unsigned seed) {
  File f(kPayloadAt + payload);
  std::mt19937 rng(seed);
  for (std::size_t i = kPayloadAt; i < f.size(); ++i) f[i] = static_cast<std::byte>(rng());
  return f;
}

File psp_file(std::vector<std::uint32_t> types = {fw::PSP_FW_TYPE_PSP_SYS_DRV, fw::PSP_FW_TYPE_PSP_SOS,
                                                  fw::PSP_FW_TYPE_PSP_TOC, fw::PSP_FW_TYPE_PSP_KDB,
                                                  fw::PSP_FW_TYPE_PSP_SPL}) {
  constexpr std::uint32_t kPart = 0x400;
  File f = blank(types.size() * kPart, 1);
  store(f, fw::PspHeaderV2_0{common(f.size(), sizeof(fw::PspHeaderV2_0), 2, 0, types.size() * kPart),
                             static_cast<std::uint32_t>(types.size())});
  for (std::uint32_t i = 0; i < types.size(); ++i) {
    const fw::PspBinDesc d{types[i], 0x100 + i, i * kPart, kPart};
    std::memcpy(f.data() + sizeof(fw::PspHeaderV2_0) + i * sizeof(d), &d, sizeof(d));
  }
  seal(f);
  return f;
}

File gfx_file() {
  File f = blank(0x3000, 2);
  store(f, fw::GfxHeaderV2_0{common(f.size(), sizeof(fw::GfxHeaderV2_0), 2, 0, 0x3000), 1, 0x2000, 0x100, 0x1000,
                             kPayloadAt + 0x2000, 0x3000, 0x70000});
  seal(f);
  return f;
}

File sdma_file() {
  File f = blank(0x800, 3);
  store(f, fw::SdmaHeaderV2_0{common(f.size(), sizeof(fw::SdmaHeaderV2_0), 2, 0, 0x800), 1, 0x400, 0, 0,
                              kPayloadAt + 0x400, 0x400, 0, 0});
  seal(f);
  return f;
}

File imu_file() {
  File f = blank(0x800, 4);
  store(f, fw::ImuHeaderV1_0{common(f.size(), sizeof(fw::ImuHeaderV1_0), 1, 0, 0x800), 0x500, 0, 0x300, 0});
  seal(f);
  return f;
}

File rlc_file() {
  File f = blank(0x1000, 5);
  fw::RlcHeaderV2_3 h{};
  h.v2_2.v2_1.v2_0.header = common(f.size(), sizeof(h), 2, 3, 0x400);
  h.v2_2.rlc_iram_ucode_size_bytes = 0x200;
  h.v2_2.rlc_iram_ucode_offset_bytes = kPayloadAt + 0x400;
  h.v2_2.rlc_dram_ucode_size_bytes = 0x200;
  h.v2_2.rlc_dram_ucode_offset_bytes = kPayloadAt + 0x600;
  h.rlcp_ucode_size_bytes = 0x100;
  h.rlcp_ucode_offset_bytes = kPayloadAt + 0x800;
  h.rlcv_ucode_size_bytes = 0x100;
  h.rlcv_ucode_offset_bytes = kPayloadAt + 0x900;
  store(f, h);
  return f;
}

File smu_file() {
  File f = blank(0x1000, 6);
  fw::SmcHeaderV2_1 h{};
  h.v1_0 = {common(f.size(), sizeof(h), 2, 1, 0x1000), 0x20000};
  store(f, h);
  return f;
}

std::map<std::string, File> all_files() {
  return {{"psp_13_0_0_sos.bin", psp_file()}, {"smu_13_0_0.bin", smu_file()},    {"sdma_6_0_0.bin", sdma_file()},
          {"gc_11_0_0_mec.bin", gfx_file()},  {"gc_11_0_0_imu.bin", imu_file()}, {"gc_11_0_0_rlc.bin", rlc_file()}};
}

ChipInfo navi31() {
  ChipInfo c;
  c.arch = "gfx1100";
  c.gc = {11, 0, 0};
  c.mp0 = c.mp1 = {13, 0, 0};
  c.sdma = {6, 0, 0};
  return c;
}

TEST(Firmware, BuildsTheLoadOrder) {
  const auto set = load_firmware_set(navi31(), {firmware_memory("mem", all_files())});
  ASSERT_TRUE(set.ok()) << describe(set.error());
  std::string psp, ip;
  for (const PspImage& i : set->psp) psp += i.name + " ";
  for (const IpImage& i : set->ip) ip += i.name + " ";
  EXPECT_EQ(psp, "KDB SPL SYS_DRV SOS ");
  EXPECT_EQ(ip,
            "SDMA_UCODE_TH1 SDMA_UCODE_TH0 RS64_MEC RS64_MEC_P0_STACK IMU_I IMU_D RLC_IRAM RLC_DRAM_BOOT RLC_P RLC_V "
            "RLC_G ");
  EXPECT_EQ(set->mec_start, 0x7'0000'0000'3000ull);
  // The vendor's driver sends the key database a second time for the SPL command on PSP 13.
  EXPECT_EQ(set->psp[0].data.data(), set->psp[1].data.data());
  EXPECT_EQ(set->toc.size(), 0x400u);
  EXPECT_EQ(set->versions.size(), 6u);
  EXPECT_EQ(set->ip[1].data.data(), set->files[2].data.data() + kPayloadAt);
}

TEST(Firmware, StaysValidWhenMoved) {
  auto set = load_firmware_set(navi31(), {firmware_memory("mem", all_files())});
  ASSERT_TRUE(set.ok());
  const FirmwareSet moved = std::move(*set);
  EXPECT_EQ(fnv1a(moved.ip[2].data), fnv1a(Bytes(gfx_file()).subspan(kPayloadAt, 0x2000)));
}

TEST(Firmware, SaysWhichFileIsMissingAndWhereItLooked) {
  auto files = all_files();
  files.erase("gc_11_0_0_imu.bin");
  const auto set = load_firmware_set(navi31(), {firmware_directory("/nowhere"), firmware_memory("mem", files)});
  ASSERT_FALSE(set.ok());
  EXPECT_EQ(set.error().code, Errc::not_found);
  const std::string text = describe(set.error());
  for (const char* part : {"gc_11_0_0_imu.bin", "/nowhere/amdgpu/gc_11_0_0_imu.bin", "/nowhere/gc_11_0_0_imu.bin",
                           "mem/gc_11_0_0_imu.bin", "HCQ_FIRMWARE_PATH"})
    EXPECT_NE(text.find(part), std::string::npos) << text;
}

// One damage for each way in which files reach users broken; each has its own message that names the file.
struct Damage {
  const char* name;
  void (*apply)(File&);
  const char* text;
};
class DamagedFirmware : public ::testing::TestWithParam<Damage> {};
TEST_P(DamagedFirmware, IsRefusedWithItsReason) {
  auto files = all_files();
  GetParam().apply(files["gc_11_0_0_mec.bin"]);
  const auto set = load_firmware_set(navi31(), {firmware_memory("mem", files)});
  ASSERT_FALSE(set.ok());
  const std::string text = describe(set.error());
  EXPECT_NE(text.find(GetParam().text), std::string::npos) << text;
  EXPECT_NE(text.find("mem/gc_11_0_0_mec.bin"), std::string::npos) << text;
}
INSTANTIATE_TEST_SUITE_P(
    Kinds, DamagedFirmware,
    ::testing::Values(Damage{"empty", [](File& f) { f.clear(); }, "the file is empty"},
                      Damage{"header_cut", [](File& f) { f.resize(20); }, "too few for a header"},
                      Damage{"cut_short", [](File& f) { f.resize(f.size() - 0x1000); }, "cut short"},
                      Damage{"payload_offset",
                             [](File& f) {
                               auto h = load<fw::GfxHeaderV2_0>(f);
                               h.header.ucode_array_offset_bytes = 0x10000;
                               store(f, h);
                               seal(f);
                             },
                             "ends beyond the file"},
                      Damage{"header_version",
                             [](File& f) {
                               auto h = load<fw::GfxHeaderV2_0>(f);
                               h.header.header_version_major = h.header.header_version_minor = 9;
                               store(f, h);
                             },
                             "header version 9.9 is not known"},
                      Damage{"changed", [](File& f) { f[0x800] ^= std::byte{0x10}; }, "checksum differs"},
                      Damage{"data_offset",
                             [](File& f) {
                               auto h = load<fw::GfxHeaderV2_0>(f);
                               h.data_offset_bytes = 0xfffffff0;
                               store(f, h);
                               seal(f);
                             },
                             "data lies at 0xfffffff0"},
                      Damage{"no_code",
                             [](File& f) {
                               auto h = load<fw::GfxHeaderV2_0>(f);
                               h.ucode_size_bytes = 0;
                               store(f, h);
                               seal(f);
                             },
                             "code is empty"}),
    [](const auto& p) { return std::string(p.param.name); });

TEST(Firmware, RefusesAPspFileWithoutSecureOs) {
  auto files = all_files();
  files["psp_13_0_0_sos.bin"] =
      psp_file({fw::PSP_FW_TYPE_PSP_SYS_DRV, fw::PSP_FW_TYPE_PSP_KDB, fw::PSP_FW_TYPE_PSP_TOC});
  const auto set = load_firmware_set(navi31(), {firmware_memory("mem", files)});
  ASSERT_FALSE(set.ok());
  EXPECT_NE(describe(set.error()).find("has no SOS image"), std::string::npos);
}

TEST(Firmware, RefusesAnImageLargerThanTheMessageBuffer) {
  auto files = all_files();
  File f = blank(0x180000, 9);
  store(f, fw::GfxHeaderV2_0{common(f.size(), sizeof(fw::GfxHeaderV2_0), 2, 0, 0x180000), 1, 0x140000, 0x100, 0x1000,
                             kPayloadAt + 0x140000, 0, 0});
  seal(f);
  files["gc_11_0_0_mec.bin"] = f;
  const auto set = load_firmware_set(navi31(), {firmware_memory("mem", files)});
  ASSERT_FALSE(set.ok());
  EXPECT_EQ(set.error().code, Errc::unsupported);
  EXPECT_EQ(set.error().actual, 0x140000u);
}

class FirmwareDirectory : public ::testing::Test {
 protected:
  void SetUp() override {
    root_ = std::filesystem::temp_directory_path() / ("hcq_fw_" + std::to_string(getpid()));
    std::filesystem::create_directories(root_ / "amdgpu");
  }
  void TearDown() override { std::filesystem::remove_all(root_); }
  void put(const std::string& name, const std::string& text) { std::ofstream(root_ / name) << text; }
  std::filesystem::path root_;
};

TEST_F(FirmwareDirectory, IsSearchedWithAndWithoutSubfolder) {
  put("amdgpu/a.bin", "sub");
  put("a.bin", "top");
  put("b.bin", "top");
  const FirmwareSources s{firmware_directory(root_)};
  EXPECT_EQ(load_firmware(s, "a.bin")->data.size(), 3u);
  EXPECT_EQ(load_firmware(s, "a.bin")->path, (root_ / "amdgpu/a.bin").string());
  EXPECT_EQ(load_firmware(s, "b.bin")->path, (root_ / "b.bin").string());
}

TEST_F(FirmwareDirectory, SaysThatAFileIsOnlyThereCompressed) {
  put("amdgpu/a.bin.zst", "x");
  const auto f = load_firmware({firmware_directory(root_)}, "a.bin");
  ASSERT_FALSE(f.ok());
  EXPECT_EQ(f.error().code, Errc::unsupported);
  EXPECT_NE(describe(f.error()).find("amdgpu/a.bin.zst"), std::string::npos);
  EXPECT_NE(f.error().hint.find("zstd -d"), std::string::npos);
}

TEST_F(FirmwareDirectory, FromTheEnvironmentComesFirst) {
  put("amdgpu/a.bin", "env");
  const char* before = std::getenv("HCQ_FIRMWARE_PATH");
  const std::string saved = before ? before : "";
  setenv("HCQ_FIRMWARE_PATH", ("/nowhere:" + root_.string()).c_str(), 1);
  const auto chain = firmware_chain({firmware_memory("mem", {{"a.bin", File(9)}, {"b.bin", File(9)}})});
  if (before) setenv("HCQ_FIRMWARE_PATH", saved.c_str(), 1);
  else unsetenv("HCQ_FIRMWARE_PATH");
  EXPECT_EQ(load_firmware(chain, "a.bin")->data.size(), 3u);
  EXPECT_EQ(load_firmware(chain, "b.bin")->path, "mem/b.bin");
}

TEST(Firmware, ParsersSurviveEveryTruncationAndRandomDamage) {
  using Parse = Result<Container> (*)(Bytes, const std::string&);
  const std::pair<File, Parse> cases[] = {{psp_file(), parse_psp}, {gfx_file(), parse_gfx}, {sdma_file(), parse_sdma},
                                          {imu_file(), parse_imu}, {rlc_file(), parse_rlc}, {smu_file(), parse_smu}};
  std::mt19937 rng(3);
  for (const auto& [good, parse] : cases) {
    ASSERT_TRUE(parse(good, "good").ok());
    for (std::size_t n = 0; n < 0x140; ++n) EXPECT_FALSE(parse(Bytes(good).first(n), "cut").ok());
    for (int i = 0; i < 3000; ++i) {
      File f = good;
      for (unsigned k = rng() % 4 + 1; k-- > 0;) f[rng() % 0x100] = static_cast<std::byte>(rng());
      if (rng() % 2) seal(f);
      const auto c = parse(f, "damaged");
      if (!c.ok()) continue;
      for (const ContainerImage& image : c->images) {
        EXPECT_GE(image.data.data(), f.data());
        EXPECT_LE(image.data.data() + image.data.size(), f.data() + f.size());
      }
    }
  }
}

TEST(Firmware, Crc32IsTheUsualOne) {
  const char* text = "123456789";
  EXPECT_EQ(crc32(Bytes(reinterpret_cast<const std::byte*>(text), 9)), 0xcbf43926u);
}

TEST(VendorFirmware, ParsesForNavi31) {
  const char* path = std::getenv("HCQ_FIRMWARE_PATH");
  if (!path) GTEST_SKIP() << "HCQ_FIRMWARE_PATH is not set";
  const auto set = load_firmware_set(navi31(), {firmware_directory(path)});
  ASSERT_TRUE(set.ok()) << describe(set.error());
  EXPECT_EQ(set->mec_start, 0x7'0000'0000'3000ull);
  EXPECT_EQ(set->psp.size(), 4u);
  EXPECT_EQ(set->ip.size(), 11u);
}

}  // namespace
}  // namespace hcq::am
