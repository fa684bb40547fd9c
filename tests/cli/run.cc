// SPDX-License-Identifier: MIT
// The hcq-run program itself: right answers, and for every kind of bad input one clear line, the right exit code, an
// end within bounds, and a next run that works.
#include <fmt/format.h>
#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <stdlib.h>
#include <sys/stat.h>
#include <sys/wait.h>

#include <chrono>
#include <cmath>
#include <cstdint>
#include <cstring>
#include <filesystem>
#include <nlohmann/json.hpp>
#include <span>
#include <string>
#include <vector>

#include "base/file.h"

namespace {

namespace fs = std::filesystem;
using hcq::Bytes;
using nlohmann::json;
using ::testing::HasSubstr;
using ::testing::Not;

constexpr const char* kModel = "'model:navi31?vram=256M'";

struct Outcome {
  int code = -1;
  std::string out, err;
  double seconds = 0;
};

class Run : public ::testing::Test {
 protected:
  void SetUp() override {
    char name[] = "/tmp/hcq-run-XXXXXX";
    dir_ = ::mkdtemp(name);
    ASSERT_EQ(run("generate --shape 32x48 --seed 1 -o A.npy").code, 0);
    ASSERT_EQ(run("generate --shape 48x16 --seed 2 -o B.npy").code, 0);
  }
  void TearDown() override { fs::remove_all(dir_); }

  // A limit on top, so that a hang fails one case instead of the suite.
  Outcome run(const std::string& arguments, const std::string& environment = "") {
    const auto start = std::chrono::steady_clock::now();
    const int status = std::system(
        fmt::format("cd {0} && {3} timeout 60 {1} {2} >out 2>err", dir_, HCQ_RUN_PROGRAM, arguments, environment)
            .c_str());
    return {WIFEXITED(status) ? WEXITSTATUS(status) : -1, text("out"), text("err"),
            std::chrono::duration<double>(std::chrono::steady_clock::now() - start).count()};
  }
  std::string text(const std::string& file) { return *hcq::read_text(dir_ + "/" + file); }
  void write(const std::string& file, std::string_view content) {
    ASSERT_TRUE(hcq::replace_file(dir_ + "/" + file, std::as_bytes(std::span(content))).ok());
  }
  // One line on stderr that contains `words`, and nothing that looks like a crash.
  void expect_error(const Outcome& r, int code, const std::string& words) {
    EXPECT_EQ(r.code, code) << r.err;
    EXPECT_THAT(r.err, HasSubstr(words));
    EXPECT_EQ(std::count(r.err.begin(), r.err.end(), '\n'), 0) << "more than one line: " << r.err;
    EXPECT_THAT(r.err, Not(HasSubstr("terminate")));
    EXPECT_LT(r.seconds, 30.0);
  }
  std::string matmul(const std::string& rest) { return "matmul A.npy B.npy " + rest; }
  std::string dir_;
};

TEST_F(Run, MatmulIsRightOnTheModelAndOnTheCpu) {
  for (const char* device : {"cpu", kModel}) {
    const Outcome r = run(matmul(fmt::format("-o C.npy --verify --json --device {}", device)));
    ASSERT_EQ(r.code, 0) << r.err;
    const json j = json::parse(r.out);
    EXPECT_TRUE(j["verify"]["ok"].get<bool>());
    EXPECT_EQ(j["shape"], (std::vector<int>{32, 16}));
    EXPECT_EQ(j["flops"], 2 * 32 * 16 * 48);
    EXPECT_TRUE(fs::exists(dir_ + "/C.npy"));
  }
}

TEST_F(Run, SafetensorsInAndOut) {
  ASSERT_EQ(run("add A.npy A.npy -o S.safetensors:sum").code, 0);
  const Outcome r = run(fmt::format("add S.safetensors:sum A.npy -o T.safetensors --verify --device {}", kModel));
  EXPECT_EQ(r.code, 0) << r.err;
  EXPECT_EQ(run("add S.safetensors A.npy --verify").code, 0) << "a single tensor needs no name";
  expect_error(run("add S.safetensors:other A.npy"), 3, "sum");
}

TEST_F(Run, InfoShowsChipFirmwareAndBootSteps) {
  const Outcome r = run(fmt::format("info --device {}", kModel));
  ASSERT_EQ(r.code, 0) << r.err;
  for (const char* words : {"Navi31", "gfx1100", "psp_13_0_0_sos", "psp/load_sos", "gfx/start_mec", "total"})
    EXPECT_THAT(r.out, HasSubstr(words));
  const json j = json::parse(run(fmt::format("info --json --device {}", kModel)).out);
  EXPECT_EQ(j["arch"], "gfx1100");
  EXPECT_GT(j["boot"].size(), 10u);
}

TEST_F(Run, HelpIsComplete) {
  const Outcome r = run("--help");
  EXPECT_EQ(r.code, 0);
  for (const char* words : {"matmul", "add", "info", "generate", "model:navi31", "HCQ_FIRMWARE_PATH", "Exit codes"})
    EXPECT_THAT(r.out, HasSubstr(words));
  EXPECT_THAT(run("matmul --help").out, HasSubstr("--verify"));
}

TEST_F(Run, UsageErrors) {
  expect_error(run(""), 2, "no command given; there is info, matmul");
  expect_error(run("frobnicate A.npy"), 2, "unknown command frobnicate");
  expect_error(run("--version"), 2, "unknown argument --version (see hcq-run --help)");
  expect_error(run("matmul A.npy"), 2, "B is required (see hcq-run matmul --help)");
  expect_error(run(matmul("--devise cpu")), 2, "unknown argument --devise cpu");
  expect_error(run(matmul("--repeat 0")), 2, "--repeat");
  expect_error(run("info --device cpu:0"), 2, "no number");
  expect_error(run(matmul("--device gpu")), 2, "model:navi31");
  expect_error(run(matmul("--device 'model:navi31?vram=banana'")), 2, "banana");
  expect_error(run(matmul("--device 'model:navi31?colour=red'")), 2, "colour");
  expect_error(run(matmul("-o C.txt")), 2, "C.txt");
  expect_error(run("generate --shape 0x4 -o X.npy"), 2, "0x4");
  expect_error(run("generate --shape 99999999x99999999 -o X.npy"), 2, "99999999");
}

TEST_F(Run, MissingThings) {
  expect_error(run("matmul none.npy B.npy"), 3, "none.npy");
  expect_error(run(matmul("--device model:navi99")), 3, "navi31");
  expect_error(run(matmul("--device pci:ffff:ff:1f.7")), 3, "ffff:ff:1f.7");
  expect_error(run(matmul("-o /nonexistent/C.npy")), 3, "/nonexistent/C.npy");
}

TEST_F(Run, ShapesThatDoNotFit) {
  expect_error(run("matmul A.npy A.npy"), 2, "matmul");
  expect_error(run("add A.npy B.npy"), 2, "add");
}

TEST_F(Run, DamagedFiles) {
  const std::string good = text("A.npy");
  ASSERT_GT(good.size(), 200u);
  for (const std::size_t size : {std::size_t{0}, std::size_t{5}, std::size_t{9}, std::size_t{60}, good.size() - 1}) {
    write("bad.npy", good.substr(0, size));
    expect_error(run("matmul bad.npy B.npy"), 1, "bad.npy");
  }
  std::string wrong = good;
  wrong.replace(wrong.find("(32, 48)"), 8, "(99, 48)");
  write("bad.npy", wrong);
  expect_error(run("matmul bad.npy B.npy"), 1, "bad.npy");
  write("bad.safetensors", std::string("\xff\xff\xff\xff\xff\xff\xff\x7f{}", 10));
  expect_error(run("add bad.safetensors A.npy"), 1, "bad.safetensors");
  EXPECT_EQ(run(matmul("--verify")).code, 0) << "the next run works";
}

TEST_F(Run, OutputIsNotTouchedByAFailedRun) {
  write("C.npy", "precious");
  EXPECT_NE(run("matmul A.npy A.npy -o C.npy").code, 0);
  EXPECT_EQ(text("C.npy"), "precious");
}

TEST_F(Run, FirmwareThatIsDamagedIsNamed) {
  fs::create_directories(dir_ + "/firmware/amdgpu");
  write("firmware/amdgpu/psp_13_0_0_sos.bin", "not a firmware file");
  expect_error(run(fmt::format("info --device {}", kModel), "HCQ_FIRMWARE_PATH=firmware"), 1, "psp_13_0_0_sos.bin");
}

// The device leaves the bus at points all over boot and run: one line that says so, no hang, and the next run works.
TEST_F(Run, DeviceThatDies) {
  for (const unsigned after : {0u, 1u, 50u, 500u, 2000u, 5000u}) {
    const Outcome r = run(matmul(fmt::format("--device 'model:navi31?vram=256M&fault=lose:{}'", after)));
    expect_error(r, 1, "device lost");
  }
  EXPECT_EQ(run(matmul(fmt::format("--verify --device {}", kModel))).code, 0);
}

TEST_F(Run, ResultsThatAreNoFiniteNumbersAreVerifiedToo) {
  std::string special = text("A.npy");
  const float values[] = {NAN, INFINITY, -INFINITY, 3e38f, 3e38f};
  std::memcpy(special.data() + special.size() - sizeof values, values, sizeof values);
  write("S.npy", special);
  for (const char* device : {"cpu", kModel}) {
    EXPECT_EQ(run(fmt::format("matmul S.npy B.npy --verify --device {}", device)).code, 0);
    EXPECT_EQ(run(fmt::format("add S.npy S.npy --verify --device {}", device)).code, 0);
  }
}

// A file of 64 elements of one value; `descr` as NumPy writes it.
std::string filled(const std::string& descr, Bytes element) {
  std::string file = "{'descr': '" + descr + "', 'fortran_order': False, 'shape': (8, 8), }";
  file.resize(117, ' ');
  file = std::string("\x93NUMPY\x01\x00\x76\x00", 10) + file + "\n";
  for (int i = 0; i < 64; ++i) file.append(reinterpret_cast<const char*>(element.data()), element.size());
  return file;
}

// Integers wrap, small halves round to a subnormal, and operands are promoted before they meet: all of it is right.
TEST_F(Run, VerifyKnowsWhatEachTypeDoes) {
  const auto fill = [&](const char* name, const char* descr, auto value) {
    write(name, filled(descr, std::as_bytes(std::span(&value, 1))));
  };
  fill("i8.npy", "|i1", std::int8_t{100});
  fill("i32.npy", "<i4", std::int32_t{123456789});
  fill("i64.npy", "<i8", INT64_MAX);
  fill("u64.npy", "<u8", UINT64_MAX - 4);
  fill("tiny.npy", "<f2", std::uint16_t{0x0843});   // 1.3e-4
  fill("minus.npy", "<f2", std::uint16_t{0xe800});  // -2048
  fill("odd.npy", "<i8", std::int64_t{2049});
  fill("large.npy", "<f8", 1e300);
  for (const char* device : {"cpu", kModel})
    for (const char* operands : {"i8.npy i8.npy", "i32.npy i32.npy", "i64.npy i64.npy", "u64.npy u64.npy",
                                 "u64.npy i64.npy", "tiny.npy tiny.npy", "odd.npy minus.npy", "large.npy large.npy"})
      for (const char* job : {"add", "matmul"}) {
        const Outcome r = run(fmt::format("{} {} --verify --device {}", job, operands, device));
        EXPECT_EQ(r.code, 0) << job << " " << operands << ": " << r.out << r.err;
      }
}

TEST_F(Run, OutputThatIsNoPlaceForAFile) {
  fs::create_directories(dir_ + "/folder.npy");
  ASSERT_EQ(::mkfifo((dir_ + "/pipe.npy").c_str(), 0600), 0);
  fs::create_symlink("/dev/full", dir_ + "/full.npy");
  fs::create_symlink("loop.npy", dir_ + "/loop.npy");
  for (const char* name : {"folder.npy", "pipe.npy", "full.npy", "loop.npy"}) {
    const auto before = fs::symlink_status(dir_ + "/" + name).type();
    expect_error(run(matmul(fmt::format("-o {}", name))), std::string_view(name) == "loop.npy" ? 1 : 2, name);
    EXPECT_EQ(fs::symlink_status(dir_ + "/" + name).type(), before) << name;
  }
  expect_error(run(matmul("-o S.safetensors:__metadata__")), 2, "__metadata__");
}

TEST_F(Run, VectorsAreVerifiedToo) {
  ASSERT_EQ(run("generate --shape 48 -o v.npy").code, 0);
  for (const char* operands : {"A.npy v.npy", "v.npy B.npy", "v.npy v.npy"}) {
    const Outcome r = run(fmt::format("matmul {} --verify --device {}", operands, kModel));
    EXPECT_EQ(r.code, 0) << operands << ": " << r.err;
    EXPECT_THAT(r.out, HasSubstr("ok"));
  }
}

// Files of a few bytes that stand for enormous results: refused, not tried.
TEST_F(Run, ResultsLargerThanAnyMachine) {
  const auto empty = [&](const std::string& name, const std::string& shape) {
    std::string file = "{'descr': '<f4', 'fortran_order': False, 'shape': " + shape + ", }";
    file.resize(117, ' ');
    write(name, std::string("\x93NUMPY\x01\x00\x76\x00", 10) + file + "\n");
  };
  empty("tall.npy", "(1099511627776, 0)");
  empty("wide.npy", "(0, 1099511627776)");
  expect_error(run("matmul tall.npy wide.npy"), 2, "too many elements");
  empty("tall.npy", "(1048576, 0)");
  empty("wide.npy", "(0, 1048576)");
  expect_error(run("matmul tall.npy wide.npy"), 1, "out of memory");
  expect_error(run(fmt::format("matmul tall.npy wide.npy --device {}", kModel)), 1, "out of memory");
}

TEST_F(Run, InputsThatNeverEnd) {
  ASSERT_EQ(::mkfifo((dir_ + "/pipe.npy").c_str(), 0600), 0);
  ASSERT_EQ(::mkfifo((dir_ + "/pipe.safetensors").c_str(), 0600), 0);
  fs::create_symlink("/dev/zero", dir_ + "/zero.npy");
  for (const char* name : {"pipe.npy", "pipe.safetensors", "zero.npy"})
    expect_error(run(fmt::format("add {} A.npy", name)), 1, "not a regular file");
}

TEST_F(Run, StandardOutputThatFails) {
  const auto shell = [&](const std::string& rest) {
    const int status = std::system(fmt::format("cd {} && bash -c '{}' 2>err", dir_, rest).c_str());
    return WEXITSTATUS(status);
  };
  for (const char* to : {">/dev/full", ">&-", "| true; exit ${PIPESTATUS[0]}"}) {
    EXPECT_EQ(shell(fmt::format("{} info --device model:navi31 {}", HCQ_RUN_PROGRAM, to)), 1) << to;
    EXPECT_THAT(text("err"), HasSubstr("standard output")) << to;
  }
}

// What is printed must not land in a file that got the number of a closed one.
TEST_F(Run, ClosedStandardFiles) {
  const std::string command = fmt::format(
      "cd {} && HCQ_LOG=debug HCQ_TRACE=all {} add A.npy A.npy -o {{}} --device {} "
      "<&- 2>&- {{}}",
      dir_, HCQ_RUN_PROGRAM, kModel);
  EXPECT_EQ(WEXITSTATUS(std::system(fmt::format(fmt::runtime(command), "C.npy", ">out").c_str())), 0);
  EXPECT_EQ(WEXITSTATUS(std::system(fmt::format(fmt::runtime(command), "D.npy", ">&-").c_str())), 1);
  ASSERT_EQ(run("add A.npy A.npy -o E.npy").code, 0);
  EXPECT_EQ(text("C.npy"), text("E.npy"));
  EXPECT_EQ(text("D.npy"), text("E.npy"));
}

// Sanitizers reserve more address space than any limit allows.
#if !defined(__SANITIZE_ADDRESS__) && !defined(__SANITIZE_THREAD__)
TEST_F(Run, LimitsOfTheProcess) {
  expect_error(run("generate --shape 1000000x1000 -o X.npy", "ulimit -v 2000000 &&"), 1, "out of memory");
  expect_error(run(matmul("--device 'model:navi31?vram=64G'"), "ulimit -v 2000000 &&"), 1, "out of memory");
  expect_error(run("generate --shape 1000x1000 -o X.npy", "ulimit -f 100 &&"), 1, "File too large");
  EXPECT_FALSE(fs::exists(dir_ + "/X.npy"));
}
#endif

TEST_F(Run, FaultPointsAreChecked) {
  expect_error(run("info --device 'model:navi31?fault=nonsense'"), 2, "psp/sos_dead");
  expect_error(run("info --device 'model:navi31?fault='"), 2, "psp/sos_dead");
}

TEST_F(Run, DeviceThatDoesNotComeOutOfReset) {
  expect_error(run("info --device 'model:navi31?vram=256M&fault=psp/never_ready'"), 1, "reset did not complete");
}

TEST_F(Run, DeviceThatHangs) {
  expect_error(run("info --device 'model:navi31?vram=256M&fault=psp/bootloader_hang'"), 1, "psp/");
  expect_error(run("info --device 'model:navi31?vram=256M&fault=rlc/safe_mode_hang'"), 1, "RLC_SAFE_MODE");
  expect_error(run("info --device 'model:navi31?vram=256M&fault=smu/timeout'"), 1, "smu");
  expect_error(run(matmul("--device 'model:navi31?vram=256M&fault=sdma/hang'")), 1, "SDMA_QUEUE_HANG");
}

// A kernel that does not end is reported within the limit plus the little that closing takes.
TEST_F(Run, KernelThatHangs) {
  for (const char* point : {"wave/hang", "cp/hang"}) {
    const Outcome r = run(matmul(fmt::format("--timeout 0.5 --device 'model:navi31?vram=256M&fault={}'", point)));
    expect_error(r, 1, "no change for 500 ms");
    EXPECT_THAT(r.err, HasSubstr("--timeout")) << point;
  }
  expect_error(run(matmul("--timeout 0")), 2, "--timeout");
}

TEST_F(Run, OutputThroughALinkLeavesTheLink) {
  fs::create_directory(dir_ + "/there");
  fs::create_symlink("there/C.npy", dir_ + "/link.npy");
  ASSERT_EQ(run(matmul("-o link.npy")).code, 0);
  EXPECT_TRUE(fs::is_symlink(dir_ + "/link.npy"));
  ASSERT_EQ(run(matmul("-o D.npy")).code, 0);
  EXPECT_EQ(text("there/C.npy"), text("D.npy"));
  fs::create_symlink("/dev/null", dir_ + "/null.npy");
  expect_error(run(matmul("-o null.npy")), 2, "not a regular file");
}

TEST_F(Run, SmallBarWorks) {
  const Outcome r = run(matmul("--verify --device 'model:navi31?bar0=256M'"));
  EXPECT_EQ(r.code, 0) << r.err;
}

TEST_F(Run, WithoutInterruptsWorks) {
  const Outcome r = run(matmul("--verify --device 'model:navi31?vram=256M&irq=off'"));
  EXPECT_EQ(r.code, 0) << r.err;
}

}  // namespace
