// SPDX-License-Identifier: MIT
// The hcq-smi program itself, on a fake tree.
#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <sys/wait.h>

#include <nlohmann/json.hpp>

#include "drivers/pci/lock.h"
#include "tests/support/pci_fake_tree.h"

namespace hcq::pci::test {
namespace {

using nlohmann::json;
using ::testing::HasSubstr;

struct Outcome {
  int code = -1;
  std::string out, err;
};

class SmiList : public ::testing::Test {
 protected:
  Outcome smi(const std::string& arguments, bool on_tree = true) {
    const std::string root = tree_.root().string();
    std::string command = fmt::format("{} {}", HCQ_SMI_PROGRAM, arguments);
    if (on_tree) command += fmt::format(" --sysfs {0}/sys --proc {0}/proc --locks {0}/lock", root);
    const int status = std::system(fmt::format("{0} >{1}/out 2>{1}/err", command, root).c_str());
    return {WIFEXITED(status) ? WEXITSTATUS(status) : -1, tree_.text("out"), tree_.text("err")};
  }

  // An AMD GPU on its kernel driver with its audio function, an NVIDIA GPU on vfio-pci, a NIC, a bridge.
  void add_machine() {
    tree_.add({.driver = "amdgpu", .group = 14});
    tree_.add({.bdf = "0000:03:00.1", .device = 0xab30, .class_code = 0x040300, .driver = "snd_hda_intel"});
    tree_.add({.bdf = "0000:41:00.0",
               .vendor = 0x10de,
               .device = 0x2684,
               .class_code = 0x030000,
               .driver = "vfio-pci",
               .group = 3,
               .power = "D3hot",
               .bars = {{0, {0xf6000000, 16u << 20, kMem32}}, {1, {0x8000000000, 32ull << 30, kMem64Pref}}}});
    tree_.add({.bdf = "0000:81:00.0", .vendor = 0x15b3, .device = 0x1021, .class_code = 0x020700, .bars = {}});
    tree_.add({.bdf = "0000:00:01.0", .vendor = 0x1022, .device = 0x1483, .class_code = 0x060400, .bars = {}});
  }

  // Process 4711 holds the lock, as far as the tree's /proc shows.
  void hold_lock(const std::string& bdf, const std::string& command) {
    tree_.file("lock/hcq_" + bdf + ".lock", "");
    fs::create_directories(tree_.root() / "proc/4711/fd");
    fs::create_symlink(lock_path(tree_.host(), bdf), tree_.root() / "proc/4711/fd/5");
    tree_.file("proc/4711/fdinfo/5", "pos:\t0\nlock:\t1: FLOCK  ADVISORY  WRITE 4711 00:00:1 0 EOF\n");
    tree_.file("proc/4711/cmdline", command);
  }

  FakeTree tree_;
};

TEST_F(SmiList, TextShowsTheKnownDevices) {
  add_machine();
  hold_lock("0000:41:00.0", std::string("train\0--fast\0", 13));
  const Outcome r = smi("list");
  EXPECT_EQ(r.code, 0);
  EXPECT_EQ(r.err, "");
  EXPECT_EQ(r.out,
            "ADDRESS       ID         KIND          DRIVER    POWER  GROUP  BARS              LINK          LOCK\n"
            "0000:03:00.0  1002:744c  AMD GPU       amdgpu    D0     14     0:1M 2:64K 5:16K  16.0 GT/s x8  free\n"
            "0000:41:00.0  10de:2684  NVIDIA GPU    vfio-pci  D3hot  3      0:16M 1:32G       16.0 GT/s x8  pid 4711 "
            "(train --fast)\n"
            "0000:81:00.0  15b3:1021  Mellanox NIC  -         D0     -      -                 16.0 GT/s x8  free\n");
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
    "subsystem_device_id": 3643, "class_code": 196608, "revision": 200, "kind": "NVIDIA GPU", "driver": "vfio-pci",
    "power_state": "D3hot", "iommu_group": 3, "boot_display": false,
    "bars": [{"index": 0, "address": 4127195136, "size_bytes": 16777216, "prefetchable": false},
             {"index": 1, "address": 549755813888, "size_bytes": 34359738368, "prefetchable": true}],
    "link": {"speed": "16.0 GT/s PCIe", "max_speed": "16.0 GT/s PCIe", "width_lanes": 8, "max_width_lanes": 16},
    "lock_holder": {"pid": 4711, "command": "train --fast", "certain": true}})"));
  EXPECT_TRUE(document["functions"][2]["driver"].is_null());
  EXPECT_TRUE(document["functions"][2]["iommu_group"].is_null());
  EXPECT_TRUE(document["functions"][2]["lock_holder"].is_null());
}

TEST_F(SmiList, OneAddressAndAll) {
  add_machine();
  const Outcome one = smi("list 03:00.1 --json");
  EXPECT_EQ(one.code, 0);
  EXPECT_EQ(json::parse(one.out)["functions"][0]["driver"], "snd_hda_intel");
  EXPECT_TRUE(json::parse(one.out)["functions"][0]["kind"].is_null());
  const Outcome all = smi("list --all --json");
  EXPECT_EQ(json::parse(all.out)["functions"].size(), 5u);
  EXPECT_THAT(smi("list --all").out, HasSubstr("class 060400"));
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
