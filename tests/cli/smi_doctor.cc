// SPDX-License-Identifier: MIT
// hcq-smi doctor, the program itself, on a fake tree. What each check sees is tests/unit/pci_preflight.cc's matter.
#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <sys/wait.h>

#include <nlohmann/json.hpp>

#include "tests/support/pci_fake_tree.h"

namespace hcq::pci::test {
namespace {

using nlohmann::json;
using ::testing::HasSubstr;
using ::testing::Not;

struct Outcome {
  int code = -1;
  std::string out, err;
};

class SmiDoctor : public ::testing::Test {
 protected:
  void SetUp() override {
    tree_.file("proc/sys/vm/nr_hugepages", "64\n");
    tree_.file("proc/self/status", "VmLck:\t0 kB\nCapEff:\t000001ffffffffff\n");
    tree_.file("dev/vfio/vfio", "");
    tree_.file("dev/vfio/14", "");
    fs::create_directories(tree_.root() / "sys/bus/pci/drivers/vfio-pci");
  }
  Outcome doctor(const std::string& arguments) {
    const std::string root = tree_.root().string();
    const std::string command =
        fmt::format("{0} doctor {1} --sysfs {2}/sys --proc {2}/proc --locks {2}/lock --dev {2}/dev >{2}/out 2>{2}/err",
                    HCQ_SMI_PROGRAM, arguments, root);
    const int status = std::system(command.c_str());
    return {WIFEXITED(status) ? WEXITSTATUS(status) : -1, tree_.text("out"), tree_.text("err")};
  }
  json finding(const std::string& arguments, const std::string& check) {
    const json document = json::parse(doctor(arguments + " --json").out, nullptr, false);
    if (document.is_discarded() || document["devices"].empty()) return {};
    for (const json& f : document["devices"][0]["findings"])
      if (f["check"] == check) return f;
    return {};
  }

  FakeTree tree_;
};

TEST_F(SmiDoctor, AHealthyDeviceCanBeOpened) {
  tree_.add({.group = 14});
  for (const char* via : {"", "--via vfio", "--via sysfs"}) {
    const Outcome r = doctor(via);
    EXPECT_EQ(r.code, 0) << r.out << r.err;
    EXPECT_THAT(r.out, HasSubstr("0000:03:00.0 1002:744c AMD GPU, through "));
    EXPECT_THAT(r.out, HasSubstr(": can be opened\n"));
    EXPECT_THAT(r.out, Not(HasSubstr("blocks")));
    EXPECT_EQ(r.err, "");
  }
}

TEST_F(SmiDoctor, EachFindingStandsWithTheLineThatMendsIt) {
  tree_.add({.driver = "amdgpu", .group = 14});
  const Outcome r = doctor("03:00.0 --via vfio");
  EXPECT_EQ(r.code, 1);
  EXPECT_THAT(r.out, HasSubstr(": cannot be opened\n"));
  EXPECT_THAT(r.out, HasSubstr("  blocks   driver          the kernel driver amdgpu is bound\n"));
  EXPECT_THAT(r.out, HasSubstr("fix: echo 0000:03:00.0 > "));
  fs::remove_all(tree_.root() / "sys/bus/pci/drivers/vfio-pci");
  const json module = finding("--via vfio", "vfio-module");
  EXPECT_EQ(module["severity"], "blocks");
  EXPECT_EQ(module["fix"], "modprobe vfio-pci disable_idle_d3=1");
}

TEST_F(SmiDoctor, JsonSaysTheSame) {
  tree_.add({.group = 14});
  const json document = json::parse(doctor("--json").out);
  ASSERT_EQ(document["devices"].size(), 1u);
  const json& d = document["devices"][0];
  EXPECT_EQ(d["address"], "0000:03:00.0");
  EXPECT_EQ(d["vendor_id"], 0x1002);
  EXPECT_EQ(d["kind"], "AMD GPU");
  EXPECT_EQ(d["usable"], true);
  EXPECT_GE(d["findings"].size(), 10u);
  EXPECT_FALSE(d["findings"][0].contains("fix"));
  EXPECT_TRUE(document["problems"].empty());
}

TEST_F(SmiDoctor, ThePathIsTheOneThatOpenWouldChoose) {
  tree_.add({.driver = "vfio-pci", .group = 14});
  EXPECT_EQ(json::parse(doctor("--json").out)["devices"][0]["access"], "vfio");
  EXPECT_EQ(json::parse(doctor("--json --via sysfs").out)["devices"][0]["access"], "sysfs");
}

TEST_F(SmiDoctor, WrongUseAndNothingThere) {
  EXPECT_EQ(doctor("").code, 1);
  EXPECT_THAT(doctor("").out, HasSubstr("No device"));
  EXPECT_EQ(doctor("99:00.0").code, 3);
  EXPECT_TRUE(json::parse(doctor("99:00.0 --json").out)["devices"].empty());
  EXPECT_EQ(doctor("nonsense").code, 2);
  EXPECT_EQ(doctor("--via telepathy").code, 2);
  EXPECT_EQ(doctor("--memory 0").code, 2);
  EXPECT_EQ(doctor("--memory lots").code, 2);
}

TEST_F(SmiDoctor, ABrokenFunctionHidesNoOther) {
  tree_.add({.group = 14});
  tree_.add({.bdf = "0000:41:00.0", .group = 15});
  tree_.file("sys/bus/pci/devices/0000:03:00.0/resource", "garbage\n");
  const Outcome r = doctor("--json");
  EXPECT_EQ(r.code, 1);
  const json document = json::parse(r.out);
  EXPECT_EQ(document["devices"].size(), 1u);
  EXPECT_EQ(document["problems"][0]["address"], "0000:03:00.0");
  EXPECT_THAT(r.err, HasSubstr("0000:03:00.0"));
}

}  // namespace
}  // namespace hcq::pci::test
