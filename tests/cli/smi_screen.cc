// SPDX-License-Identifier: MIT
// The full screen of hcq-smi monitor, looked at in terminals of two sizes that tmux keeps.
#include <thread>

#include "smi_rig.h"

namespace hcq::pci::test {
namespace {

using ::testing::HasSubstr;
using ::testing::Not;

class SmiScreen : public SmiRig, public ::testing::WithParamInterface<std::pair<int, int>> {
 protected:
  // A tmux server of this test's own.
  std::string tmux() const { return fmt::format("env -u TMUX tmux -S {}/tmux", tree_.root().string()); }
  void TearDown() override { run(tmux() + " kill-server"); }
  std::string screen() { return run(tmux() + " capture-pane -p").out; }
  bool until(const std::string& text, bool there = true) {
    const auto end = std::chrono::steady_clock::now() + std::chrono::seconds(60);
    while ((screen().find(text) != std::string::npos) != there) {
      if (std::chrono::steady_clock::now() > end) return false;
      std::this_thread::sleep_for(std::chrono::milliseconds(50));
    }
    return true;
  }
  void keys(const char* k) { run(fmt::format("{} send-keys {}", tmux(), k)); }
};

TEST_P(SmiScreen, ShowsDevicesAndObeysKeys) {
  add_machine();
  hold_lock("0000:03:00.0", "hcq-run matmul");
  const char* gpu = "0000:03:00.0";
  attribute(gpu, "gpu_busy_percent", "50\n");
  attribute(gpu, "hwmon/hwmon3/temp1_input", "41000\n");
  attribute(gpu, "hwmon/hwmon3/temp1_label", "edge\n");
  attribute(gpu, "hwmon/hwmon3/power1_average", "21000000\n");
  const auto [columns, rows] = GetParam();
  const Outcome started = run(fmt::format("{} -f /dev/null new-session -d -x {} -y {} '{} monitor{}'", tmux(), columns,
                                          rows, HCQ_SMI_PROGRAM, trees()));
  ASSERT_EQ(started.code, 0) << started.err;
  ASSERT_TRUE(until("q quit")) << screen();
  const std::string text = screen();
  EXPECT_THAT(text, HasSubstr("0000:03:00.0  Navi31  amdgpu"));
  EXPECT_THAT(text, HasSubstr(" 50%"));
  EXPECT_THAT(text, HasSubstr("temp 41C edge  N/A hotspot"));
  EXPECT_THAT(text, HasSubstr("power 21W of N/A"));
  EXPECT_THAT(text, HasSubstr("pid 4711 (hcq-run matmul)"));
  EXPECT_THAT(text, HasSubstr("asleep (D3hot), not read"));
  std::istringstream lines(text);
  int n = 0;
  for (std::string line; std::getline(lines, line); ++n) EXPECT_LE(line.size(), static_cast<std::size_t>(columns));
  EXPECT_LE(n, rows);
  keys("p");
  EXPECT_TRUE(until("PAUSED"));
  keys("s");
  EXPECT_TRUE(until("sort power"));
  keys("f");  // the first device only
  EXPECT_TRUE(until("0000:41:00.0", false)) << screen();
  EXPECT_THAT(screen(), HasSubstr("0000:03:00.0"));
  keys("q");
  // The only program of the only session has ended, and with it the server.
  const auto end = std::chrono::steady_clock::now() + std::chrono::seconds(60);
  while (run(tmux() + " has-session").code == 0 && std::chrono::steady_clock::now() < end)
    std::this_thread::sleep_for(std::chrono::milliseconds(50));
  EXPECT_NE(run(tmux() + " has-session").code, 0);
}

INSTANTIATE_TEST_SUITE_P(Sizes, SmiScreen, ::testing::Values(std::pair{80, 24}, std::pair{200, 60}));

}  // namespace
}  // namespace hcq::pci::test
