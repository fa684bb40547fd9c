// SPDX-License-Identifier: MIT
// hcq-smi show: golden output.
#include "smi_rig.h"

namespace hcq::pci::test {
namespace {

using nlohmann::json;
using ::testing::HasSubstr;
using ::testing::Not;

class SmiShow : public SmiRig {
 protected:
  // What amdgpu says about itself in sysfs.
  void add_kernel_facts() {
    const char* bdf = "0000:03:00.0";
    attribute(bdf, "mem_info_vram_total", "25753026560\n");
    attribute(bdf, "unique_id", "9a1c77bd0b1f23aa\n");
    attribute(bdf, "vbios_version", "113-31XTXDGVPR-O11\n");
    attribute(bdf, "fw_version/smc_fw_version", "0x004e8100\n");
    attribute(bdf, "fw_version/mec2_fw_version", "0x00000000\n");
    attribute(bdf, "fw_version/rlc_fw_version", "0x00000085\n");
    for (const char* v : {"major", "minor", "revision"})
      attribute(bdf, std::string("ip_discovery/die/0/GC/0/") + v, v[1] == 'a' ? "11\n" : "0\n");
    attribute(bdf, "ip_discovery/die/0/11/0/major", "11\n");
    attribute(bdf, "ras/umc_err_count", "ue: 0\nce: 3\n");
    attribute(bdf, "ras/gfx_err_count", "garbage\n");
  }
};

TEST_F(SmiShow, Text) {
  add_machine();
  add_kernel_facts();
  hold_lock("0000:03:00.0", "hcq-run");
  const Outcome r = smi("show --device 03:00.0");
  EXPECT_EQ(r.code, 0);
  EXPECT_EQ(r.err, "");
  EXPECT_EQ(r.out,
            "0000:03:00.0\n"
            "  chip              Navi31\n"
            "  id                1002:744c revision c8, board 1002:0e3b\n"
            "  memory            24560M\n"
            "  driver            amdgpu\n"
            "  power state       D0\n"
            "  bars              0:1M 2:64K 5:16K\n"
            "  link              16.0 GT/s x8 of 16.0 GT/s x16\n"
            "  iommu group       14\n"
            "                    0000:03:00.0\n"
            "  unique_id         9a1c77bd0b1f23aa\n"
            "  vbios_version     113-31XTXDGVPR-O11\n"
            "  held by           pid 4711 (hcq-run)\n"
            "firmware (amdgpu)\n"
            "  rlc               0x00000085\n"
            "  smc               0x004e8100\n"
            "blocks\n"
            "  GC                11.0.0\n"
            "errors (RAS)\n"
            "  umc               0 uncorrectable, 3 correctable\n");
}

TEST_F(SmiShow, Json) {
  add_machine();
  add_kernel_facts();
  const json j = json::parse(smi("amd show --json").out);
  EXPECT_EQ(j["memory_bytes"], 25753026560u);
  EXPECT_EQ(j["firmware"]["versions"]["smc"], "0x004e8100");
  EXPECT_EQ(j["ip_blocks"], json::parse(R"([{"name": "GC", "instance": 0, "version": "11.0.0"}])"));
  EXPECT_EQ(j["ras"], json::parse(R"([{"block": "umc", "uncorrectable": 0, "correctable": 3}])"));
  EXPECT_TRUE(j["lock_holders"].empty());
}

TEST_F(SmiShow, ChoosesTheOnlyDeviceAndNeverOneOfSeveral) {
  add_machine();
  const Outcome several = smi("show --json");
  EXPECT_EQ(several.code, 2);
  EXPECT_THAT(several.err, HasSubstr("0000:03:00.0, 0000:41:00.0"));
  EXPECT_EQ(json::parse(several.out)["error"]["code"], "invalid argument");
  EXPECT_EQ(smi("nvidia show").code, 0);
  EXPECT_EQ(smi("bnxt show").code, 3);
}

// Field case: a monitor kept a sleeping card awake.
TEST_F(SmiShow, ASleepingDeviceIsNotRead) {
  add_machine();
  add_kernel_facts();
  attribute("0000:03:00.0", "power_state", "D3cold\n");
  const Outcome r = smi("show --device 03:00.0");
  EXPECT_EQ(r.code, 0);
  EXPECT_THAT(r.out, Not(HasSubstr("vbios")));
  EXPECT_THAT(r.out, HasSubstr("D3cold"));
}

}  // namespace
}  // namespace hcq::pci::test
