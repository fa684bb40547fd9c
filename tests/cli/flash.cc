// SPDX-License-Identifier: MIT
// The hcq-flash program itself, on modelled boards: what it prints, what it refuses, and its exit codes.
#include <fmt/format.h>
#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <stdlib.h>
#include <sys/wait.h>

#include <cstdlib>
#include <filesystem>
#include <nlohmann/json.hpp>
#include <regex>
#include <string>
#include <vector>

#include "base/file.h"
#include "drivers/am/flash/checksum.h"
#include "models/am/synthetic_ifwi.h"
#include "tests/support/pci_fake_tree.h"

namespace {

namespace fs = std::filesystem;
using hcq::Bytes;
using hcq::models::am::synthetic_ifwi;
using nlohmann::json;
using ::testing::EndsWith;
using ::testing::HasSubstr;
using ::testing::Not;
using ::testing::StartsWith;

struct Outcome {
  int code = -1;
  std::string out, err;
};

class Flash : public ::testing::Test {
 protected:
  void SetUp() override {
    char name[] = "/tmp/hcq-flash-cli-XXXXXX";
    dir_ = ::mkdtemp(name);
    write("good.bin", synthetic_ifwi());
  }
  void TearDown() override { fs::remove_all(dir_); }

  Outcome run(const std::string& arguments) {
    const int status = std::system(fmt::format("cd {0} && XDG_STATE_HOME={0}/state timeout 120 {1} {2} >out 2>err",
                                               dir_, HCQ_FLASH_PROGRAM, arguments)
                                       .c_str());
    return {WIFEXITED(status) ? WEXITSTATUS(status) : -1, text("out"), text("err")};
  }
  // A board whose flash is a file here, quick.
  std::string board(const std::string& kind, const std::string& more = "") {
    return fmt::format("--device 'model:navi31?vram=128M&flash={0}&flash_file={1}/{0}.flash&flash_speed=1000000{2}'",
                       kind, dir_, more);
  }
  std::string text(const std::string& file) {
    const auto b = *hcq::read_file(dir_ + "/" + file);
    return std::string(reinterpret_cast<const char*>(b.data()), b.size());
  }
  std::vector<std::byte> bytes(const std::string& file) { return *hcq::read_file(dir_ + "/" + file); }
  void write(const std::string& file, Bytes content) {
    ASSERT_TRUE(hcq::replace_file(dir_ + "/" + file, content).ok());
  }
  // One line on stderr that contains `words`, nothing on stdout.
  void expect_error(const Outcome& r, int code, const std::string& words) {
    EXPECT_EQ(r.code, code) << r.err;
    EXPECT_THAT(r.err, HasSubstr(words));
    EXPECT_EQ(std::count(r.err.begin(), r.err.end(), '\n'), 1) << r.err;
    EXPECT_THAT(r.err, StartsWith("hcq-flash: "));
    EXPECT_EQ(r.out, "");
  }
  std::string dir_;
};

std::string golden(const std::string& path) {
  const auto b = hcq::read_file(path);
  if (!b.ok()) return "no such file: " + path;
  return std::string(reinterpret_cast<const char*>(b->data()), b->size());
}

// The device's address holds this test's directory.
std::string without_address(const std::string& text) {
  return std::regex_replace(text, std::regex("model:navi31[^ \"]*"), "BOARD");
}

TEST_F(Flash, InfoOfABoardThatDidNotStart) {
  const Outcome r = run("info " + board("blank"));
  EXPECT_EQ(r.code, 0) << r.err;
  EXPECT_EQ(r.err, "");
  EXPECT_EQ(without_address(r.out),
            "device        BOARD (1002:744c, subsystem 1002:0e3b)\n"
            "board         did not start from its flash\n"
            "secure OS     not started\n"
            "raw engine    available\n"
            "flash chip    GigaDevice GD25LQ16 (c8 60 15), 2 MiB\n"
            "SFDP          1.0, 2 MiB, 4 KiB erase with 0x20\n"
            "registers     SR1 00  SR2 00  SR3 00\n"
            "protected     nothing\n"
            "register lock software may change them\n");
}

TEST_F(Flash, InfoAsJson) {
  const Outcome r = run("info --json " + board("blank"));
  EXPECT_EQ(r.code, 0);
  json j = json::parse(r.out);
  j.erase("address");
  EXPECT_EQ(j, json::parse(R"({
    "vendor_id": 4098, "device_id": 29772, "subsystem_vendor_id": 4098, "subsystem_device_id": 3643,
    "firmware_ran": false, "secure_os_runs": false, "engine_gated": false,
    "chip": {"name": "GigaDevice GD25LQ16", "jedec": [200, 96, 21], "size_bytes": 2097152,
             "sfdp": {"major": 1, "minor": 0, "size_bytes": 2097152, "erase_4k": true},
             "status_registers": [0, 0, 0], "register_lock": "software may change them",
             "protected": {"offset": 0, "size_bytes": 0, "text": "nothing"}}})"));
}

TEST_F(Flash, InfoOfABoardThatRuns) {
  const Outcome r = run("info " + board("healthy"));
  EXPECT_EQ(r.code, 0);
  EXPECT_EQ(without_address(r.out),
            "device        BOARD (1002:744c, subsystem 1002:0e3b)\n"
            "board         runs from its flash\n"
            "secure OS     not started\n"
            "raw engine    gated: the board booted from its flash; use probe and ifwi-all, or the kernel driver's "
            "psp_vbflash\n");
}

TEST_F(Flash, DumpOnBothPathsAndInEitherOrder) {
  EXPECT_EQ(run("dump window.bin " + board("healthy")).code, 0);
  EXPECT_EQ(bytes("window.bin"), synthetic_ifwi());
  const Outcome engine = run("dump engine.bin --json " + board("corrupt"));
  EXPECT_EQ(engine.code, 0) << engine.err;
  EXPECT_EQ(bytes("engine.bin"), bytes("corrupt.flash"));
  const json j = json::parse(engine.out);
  EXPECT_EQ(j["size_bytes"], 2097152);
  EXPECT_EQ(j["sha256"], hcq::am::flash::sha256_hex(bytes("corrupt.flash")));
  EXPECT_GT(j["findings"], 0);
  EXPECT_EQ(run("dump auto.bin " + board("healthy", "&flash_window=swapped")).code, 0);
  EXPECT_EQ(bytes("auto.bin"), synthetic_ifwi());
  expect_error(run("dump x.bin --rom-order natural " + board("healthy", "&flash_window=swapped")), 1, "--rom-order");
  expect_error(run("dump x.bin " + board("healthy", "&flash_window=mirrored")), 1, "both halves are equal");
  expect_error(run("dump x.bin " + board("healthy", "&flash_window=absent")), 4, "reads all ones");
  EXPECT_FALSE(fs::exists(dir_ + "/x.bin"));
}

TEST_F(Flash, ReadARange) {
  const Outcome r = run("read 0x2000 0x20 " + board("corrupt"));
  EXPECT_EQ(r.code, 0) << r.err;
  EXPECT_THAT(r.out, StartsWith("002000  24 50 53 50 "));
  EXPECT_THAT(r.out, HasSubstr("$PSP"));
  EXPECT_EQ(json::parse(run("read 8K 4 --json " + board("corrupt")).out)["data"], "24505350");
  EXPECT_EQ(run("read 0x1ff000 4K -o part.bin " + board("healthy")).code, 0);
  EXPECT_EQ(bytes("part.bin").size(), 4096u);
  expect_error(run("read 0x1ff000 0x1001 " + board("corrupt")), 2, "do not lie inside the chip");
  expect_error(run("read nonsense 4 " + board("corrupt")), 2, "not an offset");
  expect_error(run("read -- 0 -1 " + board("corrupt")), 2, "");
}

TEST_F(Flash, VerifySaysWhere) {
  EXPECT_EQ(run("verify good.bin " + board("healthy")).code, 0);
  auto other = synthetic_ifwi();
  other[0x12345] ^= std::byte{0xff};
  write("other.bin", other);
  const Outcome r = run("verify other.bin " + board("healthy"));
  EXPECT_EQ(r.code, 1);
  EXPECT_THAT(r.out, StartsWith("first difference at 0x12345: "));
  write("short.bin", Bytes(other).first(4097));
  expect_error(run("verify short.bin " + board("healthy")), 4, "exactly the size");
}

TEST_F(Flash, IfwiTextAndJson) {
  const Outcome r = run("ifwi good.bin");
  EXPECT_EQ(r.code, 0) << r.err;
  EXPECT_EQ(r.out, golden(HCQ_GOLDEN "/ifwi.txt"));
  const json j = json::parse(run("ifwi good.bin --json").out);
  EXPECT_EQ(j["directories"].size(), 4u);
  EXPECT_TRUE(j["directories"][2]["checksum_ok"]);
  EXPECT_EQ(j["directories"][2]["files"][0]["version"], "0.49.7.0");
  EXPECT_EQ(j["expansion_roms"][0]["part_number"], "HCQ-SYNTHETIC-31");
  EXPECT_EQ(j["findings"], json::array());
  auto bad = synthetic_ifwi();
  bad[0x2005] ^= std::byte{1};
  write("bad.bin", bad);
  const Outcome broken = run("ifwi bad.bin");
  EXPECT_EQ(broken.code, 1);
  EXPECT_THAT(broken.out, HasSubstr("psp_a_checksum: its checksum is"));
  expect_error(run("ifwi nowhere.bin"), 3, "nowhere.bin");
}

TEST_F(Flash, DiffByPart) {
  auto other = synthetic_ifwi({.version = 0x00310800});
  other[0x1fff00] = std::byte{0};
  write("other.bin", other);
  const Outcome r = run("diff good.bin other.bin");
  EXPECT_EQ(r.code, 1);
  EXPECT_EQ(r.out, golden(HCQ_GOLDEN "/diff.txt"));
  EXPECT_EQ(run("diff good.bin good.bin").out, "The images are equal.\n");
  EXPECT_FALSE(json::parse(run("diff good.bin other.bin --json").out)["equal"]);
}

TEST_F(Flash, RepairsACorruptBoard) {
  const auto before = (run("info " + board("corrupt")), bytes("corrupt.flash"));
  const Outcome dry = run("flash good.bin " + board("corrupt"));
  EXPECT_EQ(dry.code, 4);
  EXPECT_THAT(dry.err, HasSubstr("writing needs --yes"));
  EXPECT_EQ(bytes("corrupt.flash"), before);
  EXPECT_FALSE(fs::exists(dir_ + "/state"));
  const Outcome r = run("flash good.bin --yes --state job " + board("corrupt"));
  EXPECT_EQ(r.code, 0) << r.err;
  EXPECT_THAT(r.err, HasSubstr("not verified on silicon"));
  EXPECT_THAT(r.out, EndsWith("WRITTEN and verified twice. It is safe to power-cycle the board.\n"));
  EXPECT_EQ(bytes("corrupt.flash"), synthetic_ifwi());
  EXPECT_EQ(bytes("job/backup.bin"), before);
  // The board boots now; the finished job proves itself.
  const Outcome again = run("flash --resume job --yes " + board("corrupt"));
  EXPECT_EQ(again.code, 0) << again.err;
  EXPECT_THAT(again.out, HasSubstr("UNCHANGED"));
}

TEST_F(Flash, ResumesAfterThePowerFailed) {
  run("info " + board("corrupt"));
  const Outcome cut = run("flash good.bin --yes --state job --json " + board("corrupt", "&fault=lose:2000000"));
  EXPECT_EQ(cut.code, 1);
  EXPECT_THAT(cut.err, HasSubstr("device lost"));
  const json j = json::parse(cut.out);
  EXPECT_EQ(j["outcome"], "not restored");
  EXPECT_THAT(j["message"].get<std::string>(), HasSubstr("do NOT start the board"));
  EXPECT_NE(bytes("corrupt.flash"), synthetic_ifwi());
  const Outcome r = run("flash --resume job --yes " + board("corrupt"));
  EXPECT_EQ(r.code, 0) << r.err;
  EXPECT_EQ(bytes("corrupt.flash"), synthetic_ifwi());
}

TEST_F(Flash, RefusalsNameWhatToType) {
  run("info " + board("blank"));
  expect_error(run("flash good.bin --yes --device model:cpu"), 3, "no model named");
  const Outcome blank = run("flash good.bin " + board("blank"));
  EXPECT_EQ(blank.code, 4);
  EXPECT_THAT(blank.err, HasSubstr("--accept board=unknown"));
  expect_error(run("flash good.bin --accept board=unknown --accept psp_a_checksum " + board("blank")), 4,
               "--accept psp_a_checksum names nothing");
  write("other.bin", synthetic_ifwi({.device = 0x73bf, .subsystem_device = 0x0505, .part_number = "ANOTHER CARD"}));
  const Outcome other = run("flash other.bin " + board("corrupt"));
  EXPECT_EQ(other.code, 4);
  for (const char* token : {"device=1002:73bf", "subsystem=1002:0505", "part_number=ANOTHER_CARD"})
    EXPECT_THAT(other.err, HasSubstr(std::string("--accept ") + token));
  expect_error(run("flash good.bin --yes"), 4, "named device");
  expect_error(run("flash good.bin --yes " + board("healthy")), 4, "the engine is gated");
  expect_error(run("flash " + board("corrupt")), 2, "name an image");
  expect_error(run("flash --resume nowhere --yes " + board("corrupt")), 3, "nowhere/journal");
}

TEST_F(Flash, DisabledWaysSayWhy) {
  for (const char* command : {"stream 8 file", "ifwi-step good.bin", "live-flash good.bin --yes"})
    expect_error(run(command), 4, "did not validate");
}

TEST_F(Flash, ProbeAndTheFirmwaresUpdate) {
  const Outcome p = run("probe " + board("healthy"));
  EXPECT_EQ(p.code, 0) << p.err;
  EXPECT_EQ(p.out,
            "boot partition  0x0\n"
            "frame buffer    0x0\n"
            "SPI model       0xc86015\n"
            "transfer type   wants item 0x01, phase 0\n"
            "The firmware takes updates.\n");
  EXPECT_EQ(json::parse(run("probe --json " + board("healthy")).out)["spi_model"]["data"], 0xc86015);
  expect_error(run("probe " + board("blank")), 1, "the raw engine is available");
  write("new.bin", synthetic_ifwi({.version = 0x00310800, .seed = 2}));
  EXPECT_EQ(run("ifwi-all new.bin " + board("healthy")).code, 4);
  EXPECT_EQ(bytes("healthy.flash"), synthetic_ifwi());
  const Outcome r = run("ifwi-all new.bin --yes --state job --json " + board("healthy"));
  EXPECT_EQ(r.code, 0) << r.err;
  EXPECT_EQ(json::parse(r.out)["items"].size(), 18u);
  EXPECT_EQ(bytes("job/backup.bin"), synthetic_ifwi());
  // After a power cycle it runs from the other copy.
  EXPECT_THAT(run("probe " + board("healthy")).out, StartsWith("boot partition  0x1\n"));
  const Outcome v = run("verify new.bin --after-update " + board("healthy"));
  EXPECT_THAT(v.out, HasSubstr("update_metadata"));
  expect_error(run("ifwi-all new.bin --yes " + board("blank")), 4, "did not start from its flash");
}

TEST_F(Flash, UsbIsSaidNotToBeThereYet) {
  expect_error(run("info --device usb:0"), 1, "flashing through a USB bridge is not implemented");
  expect_error(run("info --transport usb"), 1, "flashing through a USB bridge is not implemented");
  expect_error(run("info --transport usb --device pci:0000:03:00.0"), 2, "no USB bridge");
  expect_error(run("info --transport pci --device usb:0"), 2, "--transport says pci");
  expect_error(run("info --transport pigeon"), 2, "--transport");
}

TEST_F(Flash, WhichDeviceIsMeant) {
  hcq::pci::test::FakeTree tree;
  const std::string trees = fmt::format(" --sysfs {0}/sys --locks {0}/lock", tree.root().string());
  tree.add({.bdf = "0000:00:01.0", .vendor = 0x1022, .device = 0x1483, .class_code = 0x060400, .bars = {}});
  expect_error(run("info" + trees), 3, "no AMD display function");
  tree.add({.bdf = "0000:03:00.0", .driver = "amdgpu"});
  const Outcome owned = run("info" + trees);
  expect_error(owned, 4, "a kernel driver owns the device");
  EXPECT_THAT(owned.err, HasSubstr("/sys/bus/pci/devices/0000:03:00.0/psp_vbflash"));
  expect_error(run("flash good.bin --yes" + trees), 4, "say --device pci:0000:03:00.0");
  tree.add({.bdf = "0000:43:00.0"});
  expect_error(run("info" + trees), 2, "several AMD display functions: pci:0000:03:00.0 pci:0000:43:00.0");
}

TEST_F(Flash, JsonErrorsAreJson) {
  const Outcome r = run("dump x.bin --json " + board("healthy", "&flash_window=absent"));
  EXPECT_EQ(r.code, 4);
  EXPECT_EQ(json::parse(r.out)["error"]["code"], "refused");
}

TEST_F(Flash, WrongUsage) {
  EXPECT_EQ(run("").code, 2);
  EXPECT_EQ(run("nonsense").code, 2);
  EXPECT_EQ(run("info --prescale 16").code, 2);
  EXPECT_EQ(run("--help").code, 0);
  EXPECT_THAT(run("flash --help").out, HasSubstr("Exit codes"));
}

}  // namespace
