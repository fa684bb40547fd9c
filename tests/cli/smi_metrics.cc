// SPDX-License-Identifier: MIT
// hcq-smi monitor, export and watch on a fake tree: golden output, absent values, field cases.
#include <cstring>

#include "smi_rig.h"
#include "tests/support/child.h"

namespace hcq::pci::test {
namespace {

using hcq::test::Child;
using nlohmann::json;
using std::chrono::seconds;
using ::testing::HasSubstr;
using ::testing::Not;

constexpr const char* kGpu = "0000:03:00.0";

class SmiMetrics : public SmiRig {
 protected:
  void add_sensors() {
    attribute(kGpu, "hwmon/hwmon3/temp1_input", "41000\n");
    attribute(kGpu, "hwmon/hwmon3/temp1_label", "edge\n");
    attribute(kGpu, "hwmon/hwmon3/temp2_input", "47000\n");
    attribute(kGpu, "hwmon/hwmon3/temp2_label", "junction\n");
    attribute(kGpu, "hwmon/hwmon3/power1_average", "21000000\n");
    attribute(kGpu, "hwmon/hwmon3/power1_cap", "339000000\n");
    attribute(kGpu, "hwmon/hwmon3/fan1_input", "0\n");
    attribute(kGpu, "hwmon/hwmon3/pwm1", "51\n");
    attribute(kGpu, "hwmon/hwmon3/freq1_input", "2482000000\n");
    attribute(kGpu, "gpu_busy_percent", "12\n");
    attribute(kGpu, "mem_info_vram_used", "1073741824\n");
    attribute(kGpu, "mem_info_vram_total", "25769803776\n");
  }
};

TEST_F(SmiMetrics, TableIsPrintedOnceWithoutATerminal) {
  add_machine();
  add_sensors();
  const Outcome r = smi("monitor");
  EXPECT_EQ(r.code, 0);
  EXPECT_EQ(r.err, "");
  EXPECT_EQ(r.out,
            "ADDRESS       CHIP          TEMP  HOT  POWER  CAP   FAN  GFX%  MEM%  MEMORY     GFXCLK  MEMCLK  THROTTLE  "
            "NOTE\n"
            "0000:03:00.0  Navi31        41C   47C  21W    339W  20%  12    N/A   1.0/24.0G  2482    N/A     none      "
            "amdgpu\n"
            "0000:41:00.0  NVIDIA GPU    N/A   N/A  N/A    N/A   N/A  N/A   N/A   N/A        N/A     N/A     N/A       "
            "asleep (D3hot), not read\n"
            "0000:81:00.0  Mellanox NIC  N/A   N/A  N/A    N/A   N/A  N/A   N/A   N/A        N/A     N/A     N/A       "
            "nobody drives it\n");
}

TEST_F(SmiMetrics, JsonCsvAndPrometheus) {
  add_machine();
  add_sensors();
  const json j = json::parse(smi("amd monitor --json").out);
  EXPECT_EQ(j["devices"].size(), 1u);
  EXPECT_EQ(j["devices"][0]["source"], "amdgpu");
  EXPECT_EQ(j["devices"][0]["readings"],
            json::parse(R"({"temperature_edge_c": 41, "temperature_hotspot_c": 47, "power_average_w": 21,
    "power_cap_w": 339, "fan_rpm": 0, "fan_percent": 20, "clock_gfx_mhz": 2482, "utilization_gfx_percent": 12,
    "memory_used_bytes": 1073741824, "memory_total_bytes": 25769803776})"));
  const Outcome csv = smi("amd monitor --csv --count 2 --interval 0.05");
  EXPECT_EQ(std::count(csv.out.begin(), csv.out.end(), '\n'), 3);
  EXPECT_THAT(csv.out, HasSubstr(",0000:03:00.0,41,47,,21,,339,0,20,12,,1073741824,25769803776,2482,,,,,,\n"));
  const Outcome prometheus = smi("amd export");
  EXPECT_THAT(prometheus.out, HasSubstr("# TYPE hcq_temperature_edge_c gauge\n"
                                        "hcq_temperature_edge_c{address=\"0000:03:00.0\",chip=\"Navi31\"} 41\n"));
  EXPECT_THAT(prometheus.out, Not(HasSubstr("temperature_memory")));
}

// Field case: a device with no temperature, no fan, no power.
TEST_F(SmiMetrics, NoSensors) {
  add_machine();
  const Outcome r = smi("amd monitor");
  EXPECT_EQ(r.code, 0);
  EXPECT_THAT(r.out, HasSubstr("N/A"));
  EXPECT_TRUE(json::parse(smi("amd monitor --json").out)["devices"][0]["readings"].empty());
}

// Field case: only the instantaneous power is there.
TEST_F(SmiMetrics, InstantaneousPowerIsLabelled) {
  add_machine();
  attribute(kGpu, "hwmon/hwmon3/power1_input", "35000000\n");
  EXPECT_THAT(smi("amd monitor").out, HasSubstr("35W now"));
  EXPECT_EQ(json::parse(smi("amd monitor --json").out)["devices"][0]["readings"], json({{"power_instant_w", 35}}));
}

// Field case: a metrics table newer than the program. What does not depend on it is shown.
TEST_F(SmiMetrics, UnknownTableVersionIsNamed) {
  add_machine();
  add_sensors();
  std::string table(120, '\0');
  table[0] = 120, table[2] = 1, table[3] = 8;
  attribute(kGpu, "gpu_metrics", table);
  const json d = json::parse(smi("amd monitor --json").out)["devices"][0];
  EXPECT_THAT(d["notes"][0].get<std::string>(), HasSubstr("gpu_metrics 1.8"));
  EXPECT_EQ(d["readings"]["temperature_edge_c"], 41);
}

// Field case: impossible numbers.
TEST_F(SmiMetrics, ImpossibleNumbers) {
  add_machine();
  attribute(kGpu, "gpu_busy_percent", "65535\n");
  attribute(kGpu, "mem_busy_percent", "150\n");
  attribute(kGpu, "hwmon/hwmon3/fan1_input", "garbage\n");
  EXPECT_EQ(json::parse(smi("amd monitor --json").out)["devices"][0]["readings"],
            json({{"utilization_memory_percent", 100}}));
}

// Field case: JSON that is not JSON, with a broken device, with none, and when watching.
TEST_F(SmiMetrics, OutputAlwaysParses) {
  EXPECT_TRUE(json::parse(smi("monitor --json").out)["devices"].empty());
  add_machine();
  attribute(kGpu, "resource", "garbage\n");
  EXPECT_EQ(json::parse(smi("monitor --json").out)["problems"].size(), 1u);
  std::istringstream lines(smi("monitor --json --count 3 --interval 0.05").out);
  int n = 0;
  for (std::string line; std::getline(lines, line); ++n) EXPECT_TRUE(json::accept(line)) << line;
  EXPECT_EQ(n, 3);
  const Outcome absent = smi("monitor --json --device 99:00.0");
  EXPECT_EQ(absent.code, 3);
  EXPECT_TRUE(json::accept(absent.out));
}

TEST_F(SmiMetrics, WatchTellsWhatChanges) {
  add_machine();
  Child watch({HCQ_SMI_PROGRAM, "amd", "watch", "--json", "--interval", "0.05", "--sysfs", tree_.root() / "sys",
               "--proc", tree_.root() / "proc", "--locks", tree_.root() / "lock"});
  // Whatever the watcher saw first, one of the two changes is one for it.
  const Deadline end = Deadline::in(seconds(60));
  for (int i = 0; watch.out.find("\"owner\"") == std::string::npos && !end.expired(); ++i) {
    if (i % 2 == 0) hold_lock(kGpu, "hcq-run");
    else fs::remove_all(tree_.root() / "proc/4711");
    (void)watch.until("\"owner\"", Deadline::in(std::chrono::milliseconds(500)));
  }
  tree_.remove(kGpu);
  EXPECT_TRUE(watch.until("\"lost\"", Deadline::in(seconds(60)))) << watch.out << watch.err;
  std::istringstream lines(watch.out);
  for (std::string line; std::getline(lines, line);) EXPECT_TRUE(json::accept(line)) << line;
}

// A status socket of a process that does not hold the lock is not believed; that is tested with a real owner in
// smi_model.cc. Here: the holder publishes nothing.
TEST_F(SmiMetrics, AHeldDeviceWithoutAPublisher) {
  tree_.add({});
  hold_lock(kGpu, "somebody");
  EXPECT_THAT(smi("monitor").out, HasSubstr("its process publishes nothing"));
}

}  // namespace
}  // namespace hcq::pci::test
