// SPDX-License-Identifier: MIT
// hcq-run interrupted in the middle of its work: the device is left with bus mastering off, one line says so, and the
// exit code is 128 + the signal. What the device itself sees is in tests/model/served_navi31.cc.
#include <fmt/format.h>
#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <stdlib.h>

#include <csignal>
#include <filesystem>
#include <memory>

#include "tests/support/child.h"

namespace hcq {
namespace {

using std::chrono::seconds;
using test::Child;
using ::testing::HasSubstr;
namespace fs = std::filesystem;

class Interrupt : public ::testing::Test {
 protected:
  void SetUp() override {
    char name[] = "/tmp/hcq-interrupt-XXXXXX";
    dir_ = ::mkdtemp(name);
    Child c({HCQ_RUN_PROGRAM, "generate", "--shape", "64x64", "--seed", "1", "-o", dir_ + "/A.npy"});
    ASSERT_EQ(c.wait(Deadline::in(seconds(30))), 0) << c.err;
  }
  void TearDown() override { fs::remove_all(dir_); }

  std::vector<std::string> long_job(const std::string& device, const std::string& repeat = "1000000") const {
    return {HCQ_RUN_PROGRAM, "matmul", dir_ + "/A.npy", dir_ + "/A.npy", "--device", device, "--repeat", repeat};
  }
  // A job on the model that has launched kernels.
  std::unique_ptr<Child> running_job() const {
    auto c = std::make_unique<Child>(long_job(kModel), std::vector<std::string>{"HCQ_TRACE=boot,psp"});
    EXPECT_TRUE(c->until("boot/mark_booted", Deadline::in(seconds(60)))) << c->err;
    std::this_thread::sleep_for(std::chrono::milliseconds(300));
    return c;
  }
  // What the program said itself, without traces.
  static std::string said(const Child& c) {
    std::string lines, line;
    for (const char ch : c.err) {
      line += ch;
      if (ch != '\n') continue;
      if (!line.starts_with("hcq: [")) lines += line;
      line.clear();
    }
    return lines + line;
  }

  static constexpr const char* kModel = "model:navi31?vram=256M";
  std::string dir_;
};

TEST_F(Interrupt, LeavesBusMasteringOffAndSaysSo) {
  for (const auto& [signal, name] :
       {std::pair(SIGINT, "SIGINT"), std::pair(SIGTERM, "SIGTERM"), std::pair(SIGHUP, "SIGHUP")}) {
    const auto c = running_job();
    c->signal(signal);
    EXPECT_EQ(c->wait(Deadline::in(seconds(20))), 128 + signal) << c->err;
    EXPECT_EQ(said(*c), fmt::format("hcq-run: {}; {}: bus mastering is off\n", name, kModel)) << c->err;
  }
}

TEST_F(Interrupt, WithoutAPciDeviceThereIsNothingToSwitchOff) {
  Child c(long_job("cpu"));
  std::this_thread::sleep_for(std::chrono::milliseconds(300));
  c.signal(SIGINT);
  EXPECT_EQ(c.wait(Deadline::in(seconds(20))), 130) << c.err;
  EXPECT_EQ(said(c), "hcq-run: SIGINT\n");
}

TEST_F(Interrupt, ASecondSignalDoesNotHang) {
  for (int round = 0; round < 3; ++round) {
    const auto c = running_job();
    c->signal(SIGINT);
    c->signal(SIGTERM);
    const int code = c->wait(Deadline::in(seconds(20)));
    EXPECT_TRUE(code == 128 + SIGINT || code == 128 + SIGTERM) << code << ": " << c->err;
  }
}

TEST_F(Interrupt, ASignalThatTheParentIgnoresStaysIgnored) {
  auto job = long_job("cpu", "1");
  job.insert(job.begin(), {"/bin/sh", "-c", "trap '' INT; echo ready; exec \"$@\"", "sh"});
  Child c(job);
  ASSERT_TRUE(c.until("ready", Deadline::in(seconds(20))));
  for (int i = 0; i < 20; ++i) {
    c.signal(SIGINT);
    std::this_thread::sleep_for(std::chrono::milliseconds(20));
  }
  EXPECT_EQ(c.wait(Deadline::in(seconds(60))), 0) << c.err;
}

}  // namespace
}  // namespace hcq
