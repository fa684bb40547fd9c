// SPDX-License-Identifier: MIT
// The synthetic firmware files: containers, determinism, damage; and which content the PSP knows.
#include <cstdlib>
#include <filesystem>

#include "am_board.h"
#include "base/file.h"
#include "models/am/known_firmware.h"

namespace hcq::models::am::test {
namespace {

std::uint32_t crc32(Bytes data) {
  std::uint32_t c = ~0u;
  for (const std::byte b : data) {
    c ^= static_cast<std::uint8_t>(b);
    for (int i = 0; i < 8; ++i) c = c >> 1 ^ (c & 1 ? 0xedb88320u : 0);
  }
  return ~c;
}

TEST(SyntheticFirmware, CommonHeadersAreRight) {
  EXPECT_EQ(synthetic_firmware().size(), 10u);
  for (const auto& [name, bytes] : synthetic_firmware()) {
    const ByteReader r(bytes, name);
    const auto h = *r.get<fw::CommonHeader>(0);
    EXPECT_EQ(h.size_bytes, bytes.size()) << name;
    EXPECT_LE(std::uint64_t{h.ucode_array_offset_bytes} + h.ucode_size_bytes, bytes.size()) << name;
    EXPECT_EQ(h.crc32, crc32(Bytes(bytes).subspan(sizeof h))) << name;
  }
}

TEST(SyntheticFirmware, EveryFileIsKnown) {
  KnownFirmware k;
  for (const auto& [name, bytes] : synthetic_firmware()) EXPECT_TRUE(k.add_file(name, bytes).ok()) << name;
  EXPECT_TRUE(k.has_type(psp::GFX_FW_TYPE_RLC_G));
  EXPECT_TRUE(k.has_type(psp::GFX_FW_TYPE_RS64_MEC_P3_STACK));
  EXPECT_FALSE(k.has_type(psp::GFX_FW_TYPE_SDMA0));
  EXPECT_EQ(k.bootloader(fw::PSP_FW_TYPE_PSP_SOS).size(), 1u);
}

TEST(SyntheticFirmware, WritesTheLayoutOfLibFirmware) {
  const std::string dir = ::testing::TempDir() + "hcq_synthetic_firmware";
  std::filesystem::remove_all(dir);
  ASSERT_TRUE(write_synthetic_firmware(dir).ok());
  for (const auto& [name, bytes] : synthetic_firmware()) EXPECT_EQ(*read_file(dir + "/amdgpu/" + name), bytes);
  std::filesystem::remove_all(dir);
  EXPECT_FALSE(write_synthetic_firmware("/proc/nowhere").ok());
}

TEST(SyntheticFirmware, DamageChangesTheFileAndNeverCrashesTheReader) {
  for (const auto& [name, bytes] : synthetic_firmware())
    for (const Damage d : {Damage::truncated, Damage::header_cut, Damage::payload_bit, Damage::size_field,
                           Damage::payload_offset, Damage::component_size, Damage::header_version, Damage::empty}) {
      const auto bad = damaged(bytes, d);
      EXPECT_NE(bad, bytes) << name;
      KnownFirmware k;
      const Status s = k.add_file(name, bad);
      EXPECT_TRUE(s.ok() || (d != Damage::payload_bit && d != Damage::size_field)) << name;
      EXPECT_FALSE(s.ok() && (d == Damage::header_cut || d == Damage::empty)) << name;
    }
}

TEST(VendorFirmware, BootsWhenItIsThere) {
  const char* env = std::getenv("HCQ_FIRMWARE_PATH");
  if (!env || !path_exists(std::string(env) + "/amdgpu/psp_13_0_0_sos.bin")) GTEST_SKIP() << "HCQ_FIRMWARE_PATH";
  const auto load = [&](const std::string& name) { return *read_file(std::string(env) + "/amdgpu/" + name); };
  const auto sos = load("psp_13_0_0_sos.bin"), smc = load("smu_13_0_0.bin");
  const ByteReader r(sos, "sos");
  const auto component = [&](std::uint32_t type) {
    const auto h = *r.get<fw::PspHeaderV2_0>(0);
    for (std::uint32_t i = 0; i < h.psp_fw_bin_count; ++i) {
      const auto d = *r.get<fw::PspBinDesc>(sizeof h + i * sizeof(fw::PspBinDesc));
      if (d.fw_type == type) return *r.slice(h.header.ucode_array_offset_bytes + d.offset_bytes, d.size_bytes);
    }
    return Bytes{};
  };
  Board b(Board::with("firmware", env));
  ASSERT_TRUE(b.wait_bootloader());
  b.setup_mm_hub();
  EXPECT_EQ(b.bootloader(psp::PSP_BL__LOAD_KEY_DATABASE, component(fw::PSP_FW_TYPE_PSP_KDB)), psp::kMailboxReady);
  EXPECT_EQ(b.bootloader(psp::PSP_BL__LOAD_TOS_SPL_TABLE, component(fw::PSP_FW_TYPE_PSP_KDB)), psp::kMailboxReady);
  EXPECT_EQ(b.bootloader(psp::PSP_BL__LOAD_SYSDRV, component(fw::PSP_FW_TYPE_PSP_SYS_DRV)), psp::kMailboxReady);
  b.bootloader(psp::PSP_BL__LOAD_SOSDRV, component(fw::PSP_FW_TYPE_PSP_SOS));
  ASSERT_TRUE(eventually([&] { return b.read<regs::MP0_SMN_C2PMSG_81>() != 0; }));
  ASSERT_EQ(b.create_ring(b.mc(Board::kPspRing)), psp::kMailboxReady);
  EXPECT_EQ(b.load_toc(component(fw::PSP_FW_TYPE_PSP_TOC)), 0u);
  EXPECT_EQ(b.load_fw(psp::GFX_FW_TYPE_SMU, Bytes(smc).subspan(0x100, 0x3fe00)), 0u);
  EXPECT_TRUE(b.clean()) << b.said();
}

}  // namespace
}  // namespace hcq::models::am::test
