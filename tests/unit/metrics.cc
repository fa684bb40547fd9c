// SPDX-License-Identifier: MIT
// Metrics: the text that owners send, the socket, and the decoders of AMD's tables.
#include "hcq/metrics.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <stdlib.h>
#include <unistd.h>

#include <atomic>
#include <cstring>
#include <filesystem>

#include "base/file.h"
#include "drivers/am/abi/gpu_metrics.h"
#include "drivers/am/abi/smu.h"
#include "drivers/am/metrics/tables.h"

namespace hcq {
namespace {

using ::testing::HasSubstr;
namespace gm = am::abi::gpu_metrics;
namespace smu = am::abi::smu13_0_0;

Metrics example() {
  Metrics m;
  m.add("temperature_edge_c", 41);
  m.add("pcie_link_speed_gts", 2.5);
  m.throttling = {"PPT0", "TEMP_HOTSPOT"};
  m.notes = {"one\nline"};
  return m;
}

TEST(Metrics, TextComesBackTheSame) {
  const auto back = parse_metrics(serialize(example()));
  ASSERT_TRUE(back.ok());
  EXPECT_EQ(back->readings, example().readings);
  EXPECT_EQ(back->throttling, example().throttling);
  EXPECT_EQ(back->notes[0], "one line");
}

TEST(Metrics, TextOfOthersIsNotTrusted) {
  for (const char* text :
       {"", "x\n", "hcq-metrics 2\nend\n", "hcq-metrics 1\n", "hcq-metrics 1\npower_w 3\n",
        "hcq-metrics 1\nend\nmore\n", "hcq-metrics 1\npower_w\nend\n", "hcq-metrics 1\npower_w x\nend\n",
        "hcq-metrics 1\npower_w nan\nend\n", "hcq-metrics 1\npower_w inf\nend\n", "hcq-metrics 1\nPower 1\nend\n",
        "hcq-metrics 1\na 1\na 2\nend\n"})
    EXPECT_FALSE(parse_metrics(text).ok()) << text;
  EXPECT_FALSE(parse_metrics("hcq-metrics 1\nnote " + std::string(1000, 'x') + "\nend\n").ok());
  EXPECT_FALSE(parse_metrics(std::string(100000, '\n')).ok());
}

TEST(Metrics, CutAtEveryByteIsNoAnswer) {
  const std::string text = serialize(example());
  for (std::size_t n = 0; n < text.size(); ++n) EXPECT_FALSE(parse_metrics(text.substr(0, n)).ok()) << n;
}

// Field case: a log shows "Fan 255%"; percentages above 100.
TEST(Metrics, SentinelsAreAbsentAndPercentIsAtMostHundred) {
  Metrics m;
  m.add_percent("a", 0xff), m.add_percent("b", 0xffff), m.add_percent("c", 0xffffffff), m.add_percent("d", 140);
  m.add_u16("e", 0xffff), m.add_u32("f", 0xffffffff), m.add_u16("g", 7);
  EXPECT_EQ(m.readings, (std::vector<Metrics::Reading>{{"d", 100}, {"g", 7}}));
}

class StatusSocket : public ::testing::Test {
 protected:
  void SetUp() override {
    char name[] = "/tmp/hcq-status-XXXXXX";
    dir_ = ::mkdtemp(name);
  }
  void TearDown() override { std::filesystem::remove_all(dir_); }
  std::string dir_;
};

TEST_F(StatusSocket, AnswersAndGoesAway) {
  std::atomic<int> reads{0};
  {
    const auto server = StatusServer::start(dir_ + "/s", [&]() -> Result<Metrics> {
      ++reads;
      return example();
    });
    ASSERT_TRUE(server.ok());
    const auto answer = ask_status(dir_ + "/s");
    ASSERT_TRUE(answer.ok()) << describe(answer.error());
    EXPECT_EQ(answer->pid, ::getpid());
    EXPECT_EQ(answer->metrics.readings, example().readings);
    EXPECT_EQ(reads, 1);
  }
  EXPECT_EQ(ask_status(dir_ + "/s").error().code, Errc::not_found);
  EXPECT_FALSE(std::filesystem::exists(dir_ + "/s"));
}

TEST_F(StatusSocket, AFailedReadIsANote) {
  const auto server = StatusServer::start(dir_ + "/s", []() -> Result<Metrics> {
    return Error{.code = Errc::device_lost, .device = "x", .operation = "metrics"};
  });
  ASSERT_TRUE(server.ok());
  const auto answer = ask_status(dir_ + "/s");
  ASSERT_TRUE(answer.ok());
  EXPECT_THAT(answer->metrics.notes[0], HasSubstr("device lost"));
}

TEST_F(StatusSocket, WhatIsNoSocketIsLeftAlone) {
  ASSERT_TRUE(replace_file(dir_ + "/s", {}).ok());
  EXPECT_FALSE(StatusServer::start(dir_ + "/s", [] { return Result<Metrics>(Metrics{}); }).ok());
  EXPECT_TRUE(std::filesystem::is_regular_file(dir_ + "/s"));
  EXPECT_FALSE(StatusServer::start(dir_ + "/" + std::string(200, 'x'), [] { return Result<Metrics>(Metrics{}); }).ok());
}

template <class T>
Bytes bytes_of(const T& t) {
  return std::as_bytes(std::span(&t, 1));
}

gm::V1_3 kernel_table() {
  gm::V1_3 t;
  std::memset(&t, 0xff, sizeof t);
  t.common_header = {sizeof t, 1, 3};
  t.temperature_edge = 41;
  t.average_socket_power = 21;
  t.average_gfx_activity = 12;
  t.pcie_link_speed = 160;
  t.current_fan_speed = 0;
  t.indep_throttle_status = 1ull << 36 | 1;
  return t;
}

TEST(GpuMetrics, DecodesWhatIsThere) {
  const auto m = am::decode_gpu_metrics(bytes_of(kernel_table()));
  ASSERT_TRUE(m.ok());
  EXPECT_EQ(m->readings, (std::vector<Metrics::Reading>{{"temperature_edge_c", 41},
                                                        {"power_average_w", 21},
                                                        {"fan_rpm", 0},
                                                        {"utilization_gfx_percent", 12},
                                                        {"pcie_link_speed_gts", 16}}));
  EXPECT_EQ(m->throttling, (std::vector<std::string>{"PPT0", "TEMP_HOTSPOT"}));
}

TEST(GpuMetrics, AnOlderVersionHasLess) {
  gm::V1_3 t = kernel_table();
  t.common_header = {96, 1, 1};
  t.voltage_gfx = 700;
  const auto m = am::decode_gpu_metrics(bytes_of(t).first(96));
  ASSERT_TRUE(m.ok());
  EXPECT_FALSE(m->get("voltage_gfx_mv"));
  EXPECT_TRUE(m->throttling.empty());
}

// Field case: a newer kernel's table.
TEST(GpuMetrics, UnknownVersionsAndShortTablesAreRefused) {
  gm::V1_3 t = kernel_table();
  for (const auto& [format, content] : {std::pair{1, 0}, {1, 8}, {2, 4}, {3, 0}, {0, 0}}) {
    t.common_header.format_revision = static_cast<std::uint8_t>(format);
    t.common_header.content_revision = static_cast<std::uint8_t>(content);
    const auto m = am::decode_gpu_metrics(bytes_of(t));
    ASSERT_FALSE(m.ok());
    EXPECT_EQ(m.error().code, Errc::unsupported);
    EXPECT_THAT(describe(m.error()), HasSubstr(std::to_string(format) + "." + std::to_string(content)));
  }
  t = kernel_table();
  for (std::size_t n = 0; n < sizeof t; ++n) EXPECT_FALSE(am::decode_gpu_metrics(bytes_of(t).first(n)).ok());
}

TEST(SmuMetrics, Navi31) {
  smu::SmuMetrics t{};
  t.AvgTemperature[smu::TEMP_EDGE] = 41;
  t.AverageSocketPower = 300;
  t.dGPU_W_MAX = 339;
  t.AverageGfxActivity = 90;
  t.AverageGfxclkFrequencyPreDs = 2400;
  t.AverageGfxclkFrequencyPostDs = 100;
  t.AvgFanPwm = 255;
  t.ThrottlingPercentage[16] = 40;
  t.ThrottlingPercentage[17] = 200;  // impossible
  std::array<std::byte, smu::kMetricsTableBytes> table{};
  std::memcpy(table.data(), &t, sizeof t);
  const auto m = am::decode_smu13_0_0(table);
  ASSERT_TRUE(m.ok());
  EXPECT_EQ(m->get("temperature_edge_c"), 41);
  EXPECT_FALSE(m->get("temperature_plx_c"));  // not fitted
  EXPECT_EQ(m->get("power_average_w"), 300);
  EXPECT_EQ(m->get("power_cap_w"), 339);
  EXPECT_EQ(m->get("clock_gfx_mhz"), 2400);  // busy: before deep sleep
  EXPECT_FALSE(m->get("fan_percent"));
  EXPECT_EQ(m->throttling, std::vector<std::string>{"PPT0"});
  EXPECT_FALSE(am::decode_smu13_0_0(Bytes(table).first(100)).ok());
}

}  // namespace
}  // namespace hcq
