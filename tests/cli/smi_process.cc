// SPDX-License-Identifier: MIT
// hcq-smi pids and kill-pids, against real processes that hold real locks in a directory of the test's own.
#include <sys/sysmacros.h>

#include "smi_rig.h"
#include "tests/support/child.h"

namespace hcq::pci::test {
namespace {

using hcq::test::Child;
using nlohmann::json;
using std::chrono::seconds;
using ::testing::HasSubstr;

constexpr const char* kGpu = "0000:03:00.0";

class SmiProcess : public SmiRig {
 protected:
  void SetUp() override {
    tree_.add({});
    tree_.file(std::string("lock/hcq_") + kGpu + ".lock", "");
  }
  std::string lock() const { return (tree_.root() / "lock" / (std::string("hcq_") + kGpu + ".lock")).string(); }
  // A process that runs `before`, takes the lock, says so and stays.
  std::unique_ptr<Child> holder(const std::string& before = ":", const std::string& take = "flock 9",
                                const std::string& after = "") {
    const std::string script =
        fmt::format("{}; exec 9<{}; {}; {} echo ready; exec sleep 1000", before, lock(), take, after);
    auto child = std::make_unique<Child>(std::vector<std::string>{"/bin/sh", "-c", script});
    EXPECT_TRUE(child->until("ready", Deadline::in(seconds(60)))) << child->err;
    return child;
  }
  Outcome smi_real(const std::string& arguments) { return smi(arguments, true, true); }
  Host real_host() {
    Host h = tree_.host();
    h.proc = "/proc";
    return h;
  }
  bool is_free() { return DeviceLock::acquire(tree_.host(), kGpu).ok(); }
};

TEST_F(SmiProcess, PidsShowsEveryHolderAndNoOpener) {
  EXPECT_EQ(smi_real("pids").out, "");
  const auto opener = holder(":", ":");
  EXPECT_EQ(smi_real("pids").out, "");
  const auto child = holder();
  const Outcome r = smi_real("amd pids");
  EXPECT_EQ(r.code, 0);
  EXPECT_THAT(r.out, HasSubstr(fmt::format("{}  {}  holds  ", child->pid(), kGpu)));
  const json j = json::parse(smi_real("pids --json").out);
  EXPECT_EQ(j["devices"][0]["lock_holders"].size(), 1u);
  for (const json& h : j["devices"][0]["lock_holders"]) EXPECT_NE(h["pid"], opener->pid());
}

TEST_F(SmiProcess, KillEndsTheHoldersAndNobodyElse) {
  const auto opener = holder(":", ":");
  auto child = holder(":", "flock 9", "sleep 1000 >/dev/null 2>&1 &");  // the second one inherits the lock
  EXPECT_EQ(lock_holders(real_host(), kGpu).size(), 2u);
  const Outcome r = smi_real("amd kill_pids --sudoless");
  EXPECT_EQ(r.code, 0) << r.err;
  EXPECT_THAT(r.err, HasSubstr(fmt::format("SIGTERM to pid {}", child->pid())));
  EXPECT_THAT(r.err, HasSubstr("the next open resets it"));
  EXPECT_EQ(child->wait(Deadline::in(seconds(60))), 128 + SIGTERM);
  EXPECT_TRUE(is_free());
  EXPECT_EQ(::kill(opener->pid(), 0), 0);
  EXPECT_EQ(smi_real("kill-pids").code, 0);  // nobody there: nothing to ask
}

TEST_F(SmiProcess, KillGoesOnToSigkillAfterTheGraceTime) {
  auto child = holder("trap '' TERM");
  const Outcome r = smi_real("kill-pids --yes --grace 0.2 --json");
  EXPECT_EQ(r.code, 0) << r.err;
  EXPECT_THAT(r.err, HasSubstr("SIGKILL"));
  EXPECT_EQ(child->wait(Deadline::in(seconds(60))), 128 + SIGKILL);
  EXPECT_TRUE(is_free());
  EXPECT_EQ(json::parse(r.out)["done"], true);
  EXPECT_EQ(json::parse(r.out)["devices"][0]["ended_pids"][0], child->pid());
}

TEST_F(SmiProcess, KillAsksAndWithoutATerminalRefuses) {
  const auto child = holder();
  const Outcome r = smi_real("kill-pids --json");
  EXPECT_EQ(r.code, 4);
  EXPECT_THAT(r.err, HasSubstr(fmt::format("pid {}", child->pid())));
  EXPECT_THAT(r.err, HasSubstr("--yes"));
  EXPECT_EQ(json::parse(r.out)["error"]["code"], "refused");
  EXPECT_FALSE(is_free());
}

TEST_F(SmiProcess, KillNeverEndsItselfOrWhatStartedIt) {
  const Outcome r = run(
      fmt::format("sh -c 'exec 9<{}; flock 9; {} kill-pids --yes {}; exit $?'", lock(), HCQ_SMI_PROGRAM, trees(true)));
  EXPECT_EQ(r.code, 4);
  EXPECT_THAT(r.err, HasSubstr("hcq-smi itself or one that started it"));
}

// Two devices, the process on the second: selecting the first must not touch it.
TEST_F(SmiProcess, OnlyTheSelectedDevice) {
  tree_.add({.bdf = "0000:04:00.0"});
  const auto child = holder();
  EXPECT_EQ(smi_real("kill-pids --yes --device 04:00.0").code, 0);
  EXPECT_EQ(smi_real("kill-pids --yes --pci_bus 0000:04").code, 0);
  EXPECT_FALSE(is_free());
}

TEST_F(SmiProcess, AnUncertainHolderIsNotEnded) {
  // As seen by a user who may not look into other users' processes: only /proc/locks names somebody.
  struct stat st{};
  ASSERT_EQ(::stat(lock().c_str(), &st), 0);
  tree_.file("proc/locks", fmt::format("1: FLOCK  ADVISORY  WRITE {} {:02x}:{:02x}:{} 0 EOF\n", ::getpid(),
                                       ::gnu_dev_major(st.st_dev), ::gnu_dev_minor(st.st_dev), st.st_ino));
  const Outcome r = smi("kill-pids --yes");
  EXPECT_EQ(r.code, 4);
  EXPECT_THAT(r.err, HasSubstr("run hcq-smi as root"));
}

}  // namespace
}  // namespace hcq::pci::test
