// SPDX-License-Identifier: MIT
// The hcq-smi program itself, on a fake tree.
#include "smi_rig.h"

namespace hcq::pci::test {
namespace {

using nlohmann::json;
using ::testing::HasSubstr;

class SmiList : public SmiRig {};

TEST_F(SmiList, TextShowsTheKnownDevices) {
  add_machine();
  attribute("0000:03:00.0", "mem_info_vram_total", "25769803776\n");
  hold_lock("0000:41:00.0", std::string("train\0--fast\0", 13));
  const Outcome r = smi("list");
  EXPECT_EQ(r.code, 0);
  EXPECT_EQ(r.err, "");
  EXPECT_EQ(r.out,
            "ADDRESS       ID         CHIP          MEMORY  DRIVER    POWER  GROUP  BARS              LINK             "
            "              LOCK\n"
            "0000:03:00.0  1002:744c  Navi31        24G     amdgpu    D0     14     0:1M 2:64K 5:16K  16.0 GT/s x8 of "
            "16.0 GT/s x16  free\n"
            "0000:41:00.0  10de:2684  NVIDIA GPU    -       vfio-pci  D3hot  3      0:16M 1:32G       16.0 GT/s x8 of "
            "16.0 GT/s x16  pid 4711 (train --fast)\n"
            "0000:81:00.0  15b3:1021  Mellanox NIC  -       -         D0     -      -                 16.0 GT/s x8 of "
            "16.0 GT/s x16  free\n");
}

TEST_F(SmiList, JsonSaysTheSameWithNumbers) {
  add_machine();
  hold_lock("0000:41:00.0", std::string("train\0--fast\0", 13));
  const Outcome r = smi("list --json");
  EXPECT_EQ(r.code, 0);
  EXPECT_EQ(r.err, "");
  const json document = json::parse(r.out);
  EXPECT_TRUE(document["problems"].empty());
  ASSERT_EQ(document["functions"].size(), 3u);
  EXPECT_EQ(document["functions"][1], json::parse(R"({
    "address": "0000:41:00.0", "vendor_id": 4318, "device_id": 9860, "subsystem_vendor_id": 4098,
    "subsystem_device_id": 3643, "class_code": 196608, "revision": 200, "kind": "NVIDIA GPU", "family": "nv", "chip": "NVIDIA GPU", "driver": "vfio-pci",
    "power_state": "D3hot", "iommu_group": 3, "boot_display": false,
    "bars": [{"index": 0, "address": 4127195136, "size_bytes": 16777216, "prefetchable": false},
             {"index": 1, "address": 549755813888, "size_bytes": 34359738368, "prefetchable": true}],
    "link": {"speed": "16.0 GT/s PCIe", "max_speed": "16.0 GT/s PCIe", "width_lanes": 8, "max_width_lanes": 16},
    "lock_holder": {"pid": 4711, "command": "train --fast", "certain": true}})"));
  // What is not known is absent: no null, no zero.
  for (const char* key : {"driver", "iommu_group", "lock_holder", "memory_bytes"})
    EXPECT_FALSE(document["functions"][2].contains(key)) << key;
  EXPECT_EQ(r.out.find("null"), std::string::npos);
}

TEST_F(SmiList, OneAddressAndAll) {
  add_machine();
  const Outcome one = smi("list 03:00.1 --json");
  EXPECT_EQ(one.code, 0);
  EXPECT_EQ(json::parse(one.out)["functions"][0]["driver"], "snd_hda_intel");
  EXPECT_FALSE(json::parse(one.out)["functions"][0].contains("kind"));
  const Outcome all = smi("list --all --json");
  EXPECT_EQ(json::parse(all.out)["functions"].size(), 5u);
  EXPECT_THAT(smi("list --all").out, HasSubstr("class 060400"));
}

TEST_F(SmiList, VirtualFunctionsAreNamed) {
  add_machine();
  tree_.add({.bdf = "0000:03:02.0"});
  fs::create_directory_symlink(tree_.device("0000:03:00.0"), tree_.device("0000:03:02.0") / "physfn");
  attribute("0000:03:00.0", "sriov_numvfs", "1\n");
  const json document = json::parse(smi("list --json").out);
  EXPECT_EQ(document["functions"][0]["virtual_functions"], 1);
  EXPECT_EQ(document["functions"][1]["virtual_function_of"], "0000:03:00.0");
  EXPECT_THAT(smi("list").out, HasSubstr("Navi31 VF"));
}

TEST_F(SmiList, VendorWordsAndAddresses) {
  add_machine();
  EXPECT_EQ(json::parse(smi("NV list --json").out)["functions"].size(), 1u);
  EXPECT_EQ(json::parse(smi("amd list --json --pci_bus 03:").out)["functions"].size(), 1u);
  EXPECT_EQ(json::parse(smi("list --json --device am:0").out)["functions"][0]["address"], "0000:03:00.0");
  EXPECT_EQ(json::parse(smi("list --json --device pci:41:00.0").out)["functions"][0]["address"], "0000:41:00.0");
  EXPECT_EQ(smi("list --device am:1").code, 3);
  EXPECT_EQ(smi("list --device model:navi31").code, 2);
  EXPECT_EQ(smi("list --device model:unix:/nowhere/there.sock --json").code, 3);
}

TEST_F(SmiList, NothingThere) {
  const Outcome text = smi("list");
  EXPECT_EQ(text.code, 0);
  EXPECT_THAT(text.out, HasSubstr("No device"));
  const Outcome document = smi("list --json");
  EXPECT_EQ(document.code, 0);
  EXPECT_TRUE(json::parse(document.out)["functions"].empty());
}

TEST_F(SmiList, ExitCodes) {
  add_machine();
  const Outcome absent = smi("list 99:00.0 --json");
  EXPECT_EQ(absent.code, 3);
  EXPECT_THAT(absent.err, HasSubstr("0000:99:00.0"));
  EXPECT_TRUE(json::parse(absent.out)["functions"].empty());
  EXPECT_EQ(smi("list nonsense").code, 2);
  EXPECT_EQ(smi("list --nonsense").code, 2);
  EXPECT_EQ(smi("", false).code, 2);
  EXPECT_EQ(smi("--help", false).code, 0);
  EXPECT_THAT(smi("list --help", false).out, HasSubstr("Exit codes"));
  fs::remove_all(tree_.root() / "sys/bus");
  const Outcome failed = smi("list");
  EXPECT_EQ(failed.code, 1);
  EXPECT_EQ(std::count(failed.err.begin(), failed.err.end(), '\n'), 1);
}

TEST_F(SmiList, ABrokenFunctionIsNamedAndTheOthersShown) {
  add_machine();
  tree_.file("sys/bus/pci/devices/0000:03:00.0/resource", "garbage\n");
  const Outcome r = smi("list --json");
  EXPECT_EQ(r.code, 0);
  const json document = json::parse(r.out);
  EXPECT_EQ(document["functions"].size(), 2u);
  EXPECT_EQ(document["problems"][0]["address"], "0000:03:00.0");
  EXPECT_THAT(r.err, HasSubstr("0000:03:00.0"));
}

TEST_F(SmiList, StringsOfOtherProcessesStayHarmless) {
  add_machine();
  hold_lock("0000:03:00.0", std::string("evil\x1b[2J\n\xff\xfe\0arg\0", 15));
  const Outcome text = smi("list");
  EXPECT_EQ(text.out.find('\x1b'), std::string::npos);
  EXPECT_EQ(std::count(text.out.begin(), text.out.end(), '\n'), 4);
  const Outcome document = smi("list --json");
  EXPECT_THAT(json::parse(document.out)["functions"][0]["lock_holder"]["command"].get<std::string>(),
              HasSubstr("evil"));
}

TEST_F(SmiList, LookingChangesNothing) {
  add_machine();
  tree_.file("sys/bus/pci/devices/0000:03:00.0/power_state", "D3cold\n");
  tree_.file("lock/hcq_0000:03:00.0.lock", "");
  const auto lock = DeviceLock::acquire(tree_.host(), "0000:03:00.0");
  ASSERT_TRUE(lock.ok());
  fs::remove(tree_.device("0000:41:00.0") / "config");  // would fail if it were read
  EXPECT_EQ(smi("list").code, 0);
  EXPECT_EQ(std::distance(fs::directory_iterator(tree_.root() / "lock"), fs::directory_iterator{}), 1);
  EXPECT_EQ(tree_.text(tree_.device("0000:03:00.0") / "enable"), "1\n");
}

}  // namespace
}  // namespace hcq::pci::test
