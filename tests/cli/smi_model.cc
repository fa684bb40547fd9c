// SPDX-License-Identifier: MIT
// hcq-smi on a served model: looking at one that another process drives, ending that process, resetting.
#include <fmt/format.h>
#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <stdlib.h>
#include <sys/wait.h>

#include <filesystem>
#include <nlohmann/json.hpp>

#include "base/file.h"
#include "devices/devices.h"
#include "tests/support/child.h"

namespace hcq {
namespace {

using nlohmann::json;
using std::chrono::seconds;
using test::Child;
using ::testing::HasSubstr;
namespace fs = std::filesystem;

class SmiModel : public ::testing::Test {
 protected:
  struct Outcome {
    int code = -1;
    std::string out, err;
  };
  void SetUp() override {
    char name[] = "/tmp/hcq-smi-XXXXXX";
    dir_ = ::mkdtemp(name);
    server_ = std::make_unique<Child>(std::vector<std::string>{HCQ_MODEL_PROGRAM, "serve", "navi31?vram=256M",
                                                               "--listen", "unix:" + dir_ + "/m.sock"});
    ASSERT_TRUE(server_->until("ready navi31 pid ", Deadline::in(seconds(60)))) << server_->err;
  }
  void TearDown() override {
    server_.reset();
    fs::remove_all(dir_);
  }
  std::string address() const { return "model:unix:" + dir_ + "/m.sock"; }
  Outcome smi(const std::string& arguments) {
    const int status = std::system(
        fmt::format("{0} {1} --device {2} >{3}/out 2>{3}/err </dev/null", HCQ_SMI_PROGRAM, arguments, address(), dir_)
            .c_str());
    return {WIFEXITED(status) ? WEXITSTATUS(status) : -1, *read_text(dir_ + "/out"), *read_text(dir_ + "/err")};
  }

  std::string dir_;
  std::unique_ptr<Child> server_;
};

// Field case: a viewer that takes the device, or cannot look while somebody has it.
TEST_F(SmiModel, LooksAtADeviceThatAnotherProcessDrives) {
  EXPECT_THAT(smi("monitor").out, HasSubstr("nobody drives it"));
  EXPECT_EQ(smi("pids").out, "");
  auto device = devices::open(address());
  ASSERT_TRUE(device.ok()) << describe(device.error());
  const Outcome r = smi("monitor --json");
  EXPECT_EQ(r.code, 0) << r.err;
  const json d = json::parse(r.out)["devices"][0];
  EXPECT_EQ(d["source"], fmt::format("pid {}", ::getpid()));
  EXPECT_GT(d["readings"]["temperature_edge_c"].get<int>(), 0);
  EXPECT_GT(d["readings"]["power_average_w"].get<int>(), 0);
  EXPECT_EQ(d["readings"]["memory_total_bytes"], 256 << 20);
  EXPECT_THAT(smi("pids").out, HasSubstr(std::to_string(::getpid())));
  EXPECT_THAT(smi("list").out, HasSubstr(fmt::format("pid {}", ::getpid())));
  // The owner has not noticed, and works on.
  auto buffer = (*device)->alloc(4096, MemoryKind::device);
  ASSERT_TRUE(buffer.ok());
  const std::vector<std::byte> data(4096, std::byte{7});
  EXPECT_TRUE((*device)->upload(**buffer, 0, data).ok());
  buffer = BufferRef();
  ASSERT_TRUE((*device)->close().ok());
  EXPECT_THAT(smi("monitor").out, HasSubstr("nobody drives it"));
}

TEST_F(SmiModel, ResetRefusesAnOwnedDeviceAndResetsAFreeOne) {
  {
    auto device = devices::open(address());
    ASSERT_TRUE(device.ok()) << describe(device.error());
    const Outcome owned = smi("reset --yes --json");
    EXPECT_EQ(owned.code, 4);
    EXPECT_THAT(json::parse(owned.out)["error"]["message"].get<std::string>(), HasSubstr("is driven by pid"));
    ASSERT_TRUE((*device)->close().ok());
  }
  EXPECT_EQ(smi("reset").code, 4);  // nobody to ask
  for (const char* how : {"mode1", "function", "hive"}) {
    const Outcome r = smi(fmt::format("reset --yes --how {}", how));
    EXPECT_EQ(r.code, 0) << how << r.err;
    EXPECT_THAT(r.err, HasSubstr("reset done"));
  }
  auto device = devices::open(address());
  ASSERT_TRUE(device.ok()) << describe(device.error());
  EXPECT_TRUE((*device)->close().ok());
}

}  // namespace
}  // namespace hcq
