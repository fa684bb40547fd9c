// SPDX-License-Identifier: MIT
// The boot with everything going wrong: each step failing, each access the last one, a process killed after each step,
// firmware and processors that refuse. It always ends in one clear line, and the next start works.
#include <gmock/gmock.h>

#include <algorithm>
#include <random>

#include "am_rig.h"
#include "drivers/am/abi/psp.h"

namespace hcq::am {
namespace {

using ::testing::HasSubstr;
using namespace std::chrono_literals;

unsigned from_env(const char* name, unsigned otherwise) {
  const char* v = std::getenv(name);
  return v ? static_cast<unsigned>(std::atoi(v)) : otherwise;
}

void expect_one_line(const Error& e) {
  const std::string text = describe(e);
  EXPECT_EQ(text.find('\n'), std::string::npos) << text;
  EXPECT_EQ(e.device, "model:navi31") << text;
  EXPECT_FALSE(e.operation.empty()) << text;
  EXPECT_FALSE(e.subject.empty()) << text;
}

Error step_error(std::string_view step) {
  return {.code = Errc::internal, .operation = std::string(step), .subject = "test", .detail = "failed on purpose"};
}

// Names of the steps before `step` that have an undo, last one first.
std::vector<std::string> expected_undo(std::string_view step, bool warm) {
  std::vector<std::string> names;
  for (const BootStep& s : boot_steps()) {
    if (step == s.name) break;
    if (s.undo && !(warm && s.when == When::cold)) names.insert(names.begin(), s.name);
  }
  return names;
}

OpenOptions fail_at(const char* step, std::vector<std::string>& undone) {
  OpenOptions o;
  o.observer.before = [step](std::string_view name) -> Status {
    if (name == step) return step_error(name);
    return {};
  };
  o.observer.undone = [&undone](std::string_view name) { undone.emplace_back(name); };
  return o;
}

TEST(AmBootFailures, EachStepIsUndoneInReverseAndTheNextBootWorks) {
  for (const BootStep& step : boot_steps()) {
    BootRig rig;
    std::vector<std::string> undone;
    auto gpu = rig.open(fail_at(step.name, undone));
    ASSERT_FALSE(gpu.ok()) << step.name;
    EXPECT_EQ(gpu.error().operation, step.name);
    EXPECT_EQ(undone, expected_undo(step.name, false)) << step.name;
    EXPECT_FALSE(rig.bus_master()) << step.name;
    auto again = rig.open();
    ASSERT_TRUE(again.ok()) << "after " << step.name << ": " << describe(again.error());
  }
}

// A warm start that fails is followed by a cold one, which fails here at the same step.
TEST(AmBootFailures, EachStepOfAWarmStartToo) {
  BootRig rig;
  ASSERT_TRUE(rig.open().ok());
  for (const BootStep& step : boot_steps()) {
    if (step.when == When::cold) continue;
    std::vector<std::string> undone;
    ::testing::internal::CaptureStderr();
    auto gpu = rig.open(fail_at(step.name, undone));
    ::testing::internal::GetCapturedStderr();
    ASSERT_FALSE(gpu.ok()) << step.name;
    std::vector<std::string> both = expected_undo(step.name, true);
    for (std::string& name : expected_undo(step.name, false)) both.push_back(std::move(name));
    EXPECT_EQ(undone, both) << step.name;
    EXPECT_FALSE(rig.bus_master()) << step.name;
    auto again = rig.open();
    ASSERT_TRUE(again.ok()) << "after " << step.name << ": " << describe(again.error());
  }
}

class BrokenWarmState : public ::testing::TestWithParam<const char*> {};
TEST_P(BrokenWarmState, IsFoundAndTheDeviceStartedColdInstead) {
  BootRig rig;
  ASSERT_TRUE(rig.open().ok());
  bool broken = false;
  rig.model().faults().hook = [&](std::string_view point) {
    return point == GetParam() && !std::exchange(broken, true);
  };
  OpenOptions hurry;
  hurry.time_scale = 0.05;
  ::testing::internal::CaptureStderr();
  auto gpu = rig.open(std::move(hurry));
  const std::string said = ::testing::internal::GetCapturedStderr();
  rig.model().faults().hook = nullptr;
  ASSERT_TRUE(gpu.ok()) << describe(gpu.error());
  ASSERT_TRUE(broken);
  EXPECT_FALSE((*gpu)->warm());
  DeviceInfo info;
  (*gpu)->fill_info(info);
  EXPECT_EQ(info.boot.size(), boot_steps().size()) << "the failed start does not show";
  EXPECT_THAT(said, HasSubstr("the device is reset for a cold start"));
  EXPECT_EQ(std::count(said.begin(), said.end(), '\n'), 1) << said;
  EXPECT_TRUE((*gpu)->close().ok());
  gpu->reset();
  gpu = rig.open();
  ASSERT_TRUE(gpu.ok()) << describe(gpu.error());
  EXPECT_TRUE((*gpu)->warm());
}
INSTANTIATE_TEST_SUITE_P(Points, BrokenWarmState, ::testing::Values("smu/timeout", "smu/failed", "rlc/safe_mode_hang"),
                         [](const auto& p) {
                           std::string s = p.param;
                           std::replace(s.begin(), s.end(), '/', '_');
                           return s;
                         });

// What SIGKILL leaves: nothing is undone, the device stays as it was after the step.
TEST(AmBootFailures, AProcessKilledAfterAnyStepLeavesADeviceThatBootsAgain) {
  for (const BootStep& step : boot_steps()) {
    BootRig rig;
    OpenOptions o;
    bool next = false;
    o.observer.before = [&](std::string_view name) -> Status {
      if (next) rig.interposer.cut_now();
      if (name == step.name) next = true;
      return {};
    };
    {
      auto gpu = rig.open(std::move(o));
      if (gpu.ok()) rig.interposer.cut_now();  // killed after the last step
    }
    rig.model().config_write(pci::kCommand, 2, pci::kCommandMemory | pci::kCommandBusMaster);
    auto again = rig.open();
    ASSERT_TRUE(again.ok()) << "killed after " << step.name << ": " << describe(again.error());
    EXPECT_FALSE((*again)->warm()) << step.name;
  }
}

// The device leaves the bus at access n: found at once, said once, and never touched again.
TEST(AmBootFailures, AllOnesFromAnyAccessOnIsALostDevice) {
  std::uint64_t total = 0;
  {
    BootRig rig;
    auto gpu = rig.open();
    ASSERT_TRUE(gpu.ok());
    EXPECT_TRUE((*gpu)->close().ok());
    total = rig.interposer.accesses;
  }
  const unsigned samples = from_env("HCQ_AM_SWEEP", 200);
  std::mt19937_64 rng(11);
  std::vector<std::uint64_t> cuts;
  for (std::uint64_t n = 0; n < std::min<std::uint64_t>(total, 40); ++n) cuts.push_back(n);
  while (cuts.size() < std::min<std::uint64_t>(samples, total)) cuts.push_back(rng() % total);
  BootRig rig;
  unsigned failed_opens = 0;
  for (const std::uint64_t cut : cuts) {
    rig.power_on();
    rig.interposer = {};
    rig.interposer.cut_after = cut;
    const auto begin = Clock::now();
    {
      auto gpu = rig.open_as_is();
      if (!gpu.ok()) {
        ++failed_opens;
        EXPECT_EQ(gpu.error().code, Errc::device_lost) << cut << ": " << describe(gpu.error());
        expect_one_line(gpu.error());
      } else {
        const Status s = (*gpu)->close();
        EXPECT_TRUE(s.ok() || s.error().code == Errc::device_lost) << cut << ": " << describe(s.error());
      }
    }
    EXPECT_LT(Clock::now() - begin, 8s) << "access " << cut;
    // One access sees the loss, the vendor id confirms it. Accesses between the cut and the next read are stores.
    EXPECT_LT(rig.interposer.accesses, cut + 400) << "went on touching a lost device, access " << cut;
  }
  // The first 40 accesses are discovery and the start of boot, whatever the later ones are.
  EXPECT_GE(failed_opens, std::min<std::size_t>(cuts.size(), 40));
}

struct PointCase {
  const char* point;      // of the model
  const char* operation;  // of the error
  const char* text;
};
class ModelFault : public ::testing::TestWithParam<PointCase> {};
TEST_P(ModelFault, EndsInOneLineAndTheNextBootWorks) {
  BootRig rig;
  rig.model().faults().hook = [](std::string_view point) { return point == GetParam().point; };
  OpenOptions hurry;
  hurry.time_scale = 0.05;
  auto gpu = rig.open(std::move(hurry));
  ASSERT_FALSE(gpu.ok());
  const std::string text = describe(gpu.error());
  EXPECT_EQ(gpu.error().operation, GetParam().operation) << text;
  EXPECT_THAT(text, HasSubstr(GetParam().text));
  expect_one_line(gpu.error());
  EXPECT_FALSE(rig.bus_master());
  rig.model().faults().hook = nullptr;
  auto again = rig.open();
  EXPECT_TRUE(again.ok()) << describe(again.error());
}
INSTANTIATE_TEST_SUITE_P(Points, ModelFault,
                         ::testing::Values(PointCase{"psp/bootloader_hang", "psp/load_component", "component KDB of "},
                                           PointCase{"psp/sos_dead", "psp/wait_sos", "MP0_SMN_C2PMSG_81"},
                                           PointCase{"psp/ring_control_hang", "psp/create_ring", "MP0_SMN_C2PMSG_64"},
                                           PointCase{"psp/command_hang", "psp/load_toc", "no answer to LOAD_TOC"},
                                           PointCase{"psp/command_status", "psp/load_toc", "the PSP refused it"},
                                           PointCase{"smu/timeout", "smu/send", "no answer to GetSmuVersion"},
                                           PointCase{"smu/failed", "smu/start", "the SMU says: failed"},
                                           PointCase{"rlc/never_boots", "gfx/wait_rlc", "CP_STAT"},
                                           PointCase{"rlc/safe_mode_hang", "gfx/safe_mode", "RLC_SAFE_MODE"}),
                         [](const auto& p) {
                           std::string s = p.param.point;
                           std::replace(s.begin(), s.end(), '/', '_');
                           return s;
                         });

TEST(AmBootFailures, ARefusedImageIsNamedWithItsFileVersionAndStatus) {
  BootRig rig;
  unsigned commands = 0;
  rig.model().faults().hook = [&](std::string_view point) {
    // LOAD_TOC, SMU, SETUP_TMR, then the images of the table; the third of those.
    return point == "psp/command_status" && ++commands == 6;
  };
  auto gpu = rig.open();
  ASSERT_FALSE(gpu.ok());
  const std::string text = describe(gpu.error());
  EXPECT_EQ(gpu.error().operation, "psp/load_ip") << text;
  EXPECT_THAT(text, HasSubstr("LOAD_IP_FW RS64_MEC"));
  EXPECT_THAT(text, HasSubstr("gc_11_0_0_mec.bin"));
  EXPECT_THAT(text, HasSubstr("version 0x"));
  EXPECT_NE(gpu.error().actual.value_or(0), 0u);
}

TEST(AmBootFailures, ATmrThatIsTooLargeNamesBothSizes) {
  BootRig rig;
  Region command;
  rig.interposer.on_vram_read = [&](std::uint64_t offset, MutableBytes data) {
    if (offset != command.paddr || data.size() != sizeof(abi::psp::Command)) return;
    abi::psp::Command c;
    std::memcpy(&c, data.data(), sizeof(c));
    if (c.cmd_id == abi::psp::GFX_CMD_ID_LOAD_TOC) c.resp.tmr_size = 0x2000000;
    std::memcpy(data.data(), &c, sizeof(c));
  };
  command =
      make_boot_layout({.vram_bytes = 1ull << 30, .visible_bytes = 1ull << 30, .top_reserve = 64u << 20})->psp_command;
  auto gpu = rig.open_as_is();
  ASSERT_FALSE(gpu.ok());
  EXPECT_EQ(gpu.error().operation, "psp/load_toc");
  EXPECT_EQ(gpu.error().expected, 0x1300000u);
  EXPECT_EQ(gpu.error().actual, 0x2000000u);
}

TEST(AmBootFailures, AResetThatDoesNotCompleteSaysSo) {
  BootRig rig;
  ASSERT_TRUE(rig.open().ok());
  OpenOptions o;
  o.force_reset = true;
  o.time_scale = 0.1;
  rig.model().faults().hook = [](std::string_view point) { return point == "psp/never_ready"; };
  auto gpu = rig.open(std::move(o));
  ASSERT_FALSE(gpu.ok());
  const std::string text = describe(gpu.error());
  EXPECT_THAT(text, HasSubstr("reset did not complete"));
  EXPECT_THAT(text, HasSubstr("power-cycle"));
  EXPECT_FALSE(rig.bus_master());
}

// The device falls off the bus between the reset request and the wait for its return: not a success.
TEST(AmBootFailures, ADeviceLostDuringItsResetIsNotAReset) {
  BootRig rig;
  ASSERT_TRUE(rig.open().ok());
  rig.interposer = {};
  rig.interposer.on_register_write = [&](std::uint32_t dword, std::uint32_t value) {
    if (dword == 0x16000 + 0x282 && value == 0x2f) rig.interposer.cut_now();
  };
  bool ran = false;
  OpenOptions o;
  o.force_reset = true;
  o.observer.before = [&](std::string_view) {
    ran = true;
    return Status();
  };
  auto gpu = rig.open_as_is(std::move(o));
  ASSERT_FALSE(gpu.ok());
  EXPECT_EQ(gpu.error().code, Errc::device_lost) << describe(gpu.error());
  EXPECT_FALSE(ran) << "a boot step ran after the device was lost";
}

TEST(AmBootFailures, MissingFirmwareIsNoticedBeforeTheDeviceIsChanged) {
  if (std::getenv("HCQ_FIRMWARE_PATH")) GTEST_SKIP() << "the vendor's files are there";
  BootRig rig;
  OpenOptions o;
  o.firmware = {firmware_memory("nothing", {})};
  auto gpu = rig.open(std::move(o));
  ASSERT_FALSE(gpu.ok());
  EXPECT_EQ(gpu.error().code, Errc::not_found);
  EXPECT_THAT(describe(gpu.error()), HasSubstr("nothing/psp_13_0_0_sos.bin"));
  EXPECT_FALSE(rig.bus_master());
}

class BadDiscovery : public ::testing::TestWithParam<std::pair<const char*, const char*>> {};
TEST_P(BadDiscovery, IsRefusedInOneLine) {
  models::Options m;
  m.extra.emplace_back("discovery", GetParam().first);
  BootRig rig(m);
  auto gpu = rig.open();
  ASSERT_FALSE(gpu.ok());
  EXPECT_THAT(describe(gpu.error()), HasSubstr(GetParam().second));
  EXPECT_EQ(gpu.error().device, "model:navi31");
}
INSTANTIATE_TEST_SUITE_P(
    Variants, BadDiscovery,
    ::testing::Values(std::pair("bad_signature", "binary signature"), std::pair("bad_checksum", "sum of the binary"),
                      std::pair("bad_table_signature", "signature of the IP table"),
                      std::pair("bad_table_checksum", "sum of the IP table"),
                      std::pair("bad_gc_checksum", "sum of the GC table"),
                      std::pair("offset_beyond", "bytes there, only"), std::pair("size_beyond", "bytes there, only"),
                      std::pair("die_beyond", "bytes there, only"), std::pair("records_beyond", "bytes there, only"),
                      std::pair("no_gc", "no GC table"), std::pair("unknown_version", "no compiler target is known")),
    [](const auto& p) { return std::string(p.param.first); });

class GoodDiscovery : public ::testing::TestWithParam<const char*> {};
TEST_P(GoodDiscovery, Boots) {
  models::Options m;
  m.extra.emplace_back("discovery", GetParam());
  BootRig rig(m);
  auto gpu = rig.open();
  ASSERT_TRUE(gpu.ok()) << describe(gpu.error());
}
INSTANTIATE_TEST_SUITE_P(Variants, GoodDiscovery,
                         ::testing::Values("v2", "v3", "v4", "v4_64bit", "no_harvest", "harvested_sdma", "two_dies",
                                           "moved_blocks"),
                         [](const auto& p) { return std::string(p.param); });

TEST(AmBootFailures, UnknownAndUnsupportedDevicesAreRefusedWithTheList) {
  BootRig rig;
  const auto open_as = [&](std::uint16_t vendor, std::uint16_t device, bool any) {
    rig.interposer = {};
    rig.interposer.identity = pci::Identity{.vendor = vendor, .device = device};
    OpenOptions o;
    o.any_chip = any;
    return rig.open_as_is(std::move(o));
  };
  const auto unknown = open_as(0x1002, 0x1234, false);
  ASSERT_FALSE(unknown.ok());
  const std::string text = describe(unknown.error());
  for (const char* part : {"1002:1234", "1002:744c (Navi31)", "HCQ_AM_ANY_CHIP"}) EXPECT_THAT(text, HasSubstr(part));
  EXPECT_THAT(describe(open_as(0x1002, 0x747e, false).error()), HasSubstr("Navi32"));
  EXPECT_FALSE(open_as(0x10de, 0x744c, true).ok()) << "another vendor's device is never tried";
  EXPECT_EQ(rig.interposer.accesses, 0u) << "and not touched";
  EXPECT_TRUE(open_as(0x1002, 0x7449, true).ok());
}

TEST(AmBootFailures, AVirtualFunctionIsRefused) {
  BootRig rig;
  rig.interposer.registers[regs::fixed::RCC_IOV_FUNC_IDENTIFIER.dword] = 0x80000001;
  const auto gpu = rig.open_as_is();
  ASSERT_FALSE(gpu.ok());
  EXPECT_EQ(gpu.error().code, Errc::unsupported);
  EXPECT_THAT(describe(gpu.error()), HasSubstr("virtual functions are not supported"));
}

TEST(AmBootFailures, RegistersThatNeverComeBackAreATimeoutNotGarbage) {
  BootRig rig;
  rig.interposer.registers[regs::fixed::RCC_CONFIG_MEMSIZE.dword] = 0xffffffff;
  const auto gpu = rig.open_as_is();
  ASSERT_FALSE(gpu.ok());
  EXPECT_EQ(gpu.error().code, Errc::timeout);
  EXPECT_THAT(describe(gpu.error()), HasSubstr("RCC_CONFIG_MEMSIZE"));
}

TEST(AmBootFailures, AnEmptyHdpRemapRegisterIsFilledOrRefused) {
  BootRig rig;
  // Reads as 0 whatever is written: flushes would go to register 0.
  rig.interposer.registers[0xd20 + 0x12d] = 0;
  const auto gpu = rig.open_as_is();
  ASSERT_FALSE(gpu.ok());
  EXPECT_THAT(describe(gpu.error()), HasSubstr("BIF_BX0_REMAP_HDP_MEM_FLUSH_CNTL"));
}

}  // namespace
}  // namespace hcq::am
