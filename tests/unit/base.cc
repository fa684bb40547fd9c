// SPDX-License-Identifier: MIT
#include <gtest/gtest.h>
#include <stdlib.h>
#include <sys/stat.h>

#include <filesystem>

#include "base/bytes.h"
#include "base/deadline.h"
#include "base/error.h"
#include "base/file.h"
#include "base/progress.h"

namespace hcq {
namespace {

class TempDir {
 public:
  TempDir() {
    char name[] = "/tmp/hcq-base-XXXXXX";
    path = ::mkdtemp(name);
  }
  ~TempDir() { std::filesystem::remove_all(path); }
  std::string path;
};

TEST(Error, DescribeNamesDeviceStepAndNumbers) {
  const Error e{.code = Errc::timeout,
                .device = "model:navi31",
                .operation = "psp/wait_sos",
                .subject = "MP0_SMN_C2PMSG_81",
                .expected = 1,
                .actual = 0,
                .hint = "power-cycle the card"};
  EXPECT_EQ(describe(e),
            "model:navi31: psp/wait_sos: timeout on MP0_SMN_C2PMSG_81, expected 0x1, got 0x0 (power-cycle the card)");
}

TEST(Error, DescribeLeavesOutWhatIsNotKnown) { EXPECT_EQ(describe(Error{.code = Errc::not_found}), "not found"); }

TEST(Error, NamesFromFilesStayOnTheLine) {
  EXPECT_EQ(describe(Error{.code = Errc::corrupt, .subject = "a\n\x1b[31mb\x7f"}),
            "corrupt data on a\\x0a\\x1b[31mb\\x7f");
}

Result<int> half(int v) {
  if (v % 2) return Error{.code = Errc::invalid_argument, .detail = "odd"};
  return v / 2;
}
Result<int> quarter(int v) { return half(HCQ_TRY(half(v))); }
Status check_quarter(int v) {
  HCQ_TRY(quarter(v));
  return {};
}

TEST(Result, TryPassesValuesAndErrors) {
  EXPECT_EQ(*quarter(12), 3);
  EXPECT_EQ(quarter(6).error().detail, "odd");
  EXPECT_TRUE(check_quarter(8).ok());
  EXPECT_EQ(check_quarter(3).error().code, Errc::invalid_argument);
  EXPECT_EQ(sizeof(Status), sizeof(void*)) << "a Status on the submit path must stay one pointer wide";
}

TEST(ByteReader, RefusesWhatLiesOutside) {
  const std::array<std::byte, 8> data{std::byte{1}, std::byte{2}, std::byte{3}, std::byte{4}};
  const ByteReader r(data, "test.bin");
  EXPECT_EQ(*r.get<std::uint32_t>(0), 0x04030201u);
  EXPECT_TRUE(r.get<std::uint32_t>(4).ok());
  EXPECT_FALSE(r.get<std::uint32_t>(5).ok());
  EXPECT_FALSE(r.get<std::uint8_t>(8).ok());
  EXPECT_FALSE(r.get<std::uint8_t>(~0ull).ok()) << "an offset that wraps must not get through";
  EXPECT_TRUE(r.slice(8, 0).ok());
  EXPECT_FALSE(r.slice(4, ~0ull).ok());
  const Error e = r.slice(6, 4).error();
  EXPECT_EQ(e.code, Errc::corrupt);
  EXPECT_EQ(e.subject, "test.bin");
  EXPECT_EQ(*e.address, 6u);
}

TEST(File, MissingFileIsNotFoundWithItsPath) {
  const auto r = read_file("/nonexistent/file");
  ASSERT_FALSE(r.ok());
  EXPECT_EQ(r.error().code, Errc::not_found);
  EXPECT_EQ(r.error().subject, "/nonexistent/file");
}

TEST(File, DirectoryIsAnErrorNotAnEmptyFile) { EXPECT_FALSE(read_file("/tmp").ok()); }

TEST(File, PipesAndDevicesAreRefusedWithoutWaiting) {
  TempDir dir;
  ASSERT_EQ(::mkfifo((dir.path + "/pipe").c_str(), 0600), 0);
  EXPECT_EQ(read_file(dir.path + "/pipe").error().code, Errc::unsupported);
  EXPECT_EQ(read_file("/dev/zero").error().code, Errc::unsupported);
  EXPECT_TRUE(read_text("/proc/self/status").ok());
}

TEST(File, ReplaceIsWholeOrNothing) {
  TempDir dir;
  const std::string path = dir.path + "/f";
  const std::string first = "first", second = "second content";
  ASSERT_TRUE(replace_file(path, std::as_bytes(std::span(first))).ok());
  ASSERT_TRUE(replace_file(path, std::as_bytes(std::span(second))).ok());
  EXPECT_EQ(*read_text(path), second);
  EXPECT_FALSE(replace_file(dir.path + "/no/such/dir/f", std::as_bytes(std::span(first))).ok());
  unsigned files = 0;
  for ([[maybe_unused]] const auto& e : std::filesystem::directory_iterator(dir.path)) ++files;
  EXPECT_EQ(files, 1u) << "temporary files were left behind";
}

TEST(File, ReplacingFollowsLinksAndKeepsPermissions) {
  TempDir dir;
  const std::string content = "content";
  const Bytes bytes = std::as_bytes(std::span(content));
  std::filesystem::create_directory(dir.path + "/there");
  ASSERT_TRUE(write_text(dir.path + "/there/file", "before").ok());
  std::filesystem::permissions(dir.path + "/there/file", std::filesystem::perms{0640});
  std::filesystem::create_symlink("there/file", dir.path + "/relative");
  std::filesystem::create_symlink(dir.path + "/relative", dir.path + "/two");
  std::filesystem::create_symlink("there/new", dir.path + "/dangling");
  std::filesystem::create_symlink("loop", dir.path + "/loop");
  for (const char* link : {"/relative", "/two", "/dangling"}) {
    ASSERT_TRUE(replace_file(dir.path + link, bytes).ok()) << link;
    EXPECT_TRUE(std::filesystem::is_symlink(dir.path + link)) << link;
    EXPECT_EQ(*read_text(dir.path + link), content) << link;
  }
  EXPECT_EQ(*read_text(dir.path + "/there/new"), content);
  EXPECT_EQ(std::filesystem::status(dir.path + "/there/file").permissions(), std::filesystem::perms{0640});
  EXPECT_FALSE(replace_file(dir.path + "/loop", bytes).ok());
  std::filesystem::create_symlink("/dev/null", dir.path + "/null");
  EXPECT_EQ(replace_file(dir.path + "/null", bytes).error().code, Errc::invalid_argument);
  EXPECT_TRUE(std::filesystem::is_character_file("/dev/null"));
  std::filesystem::create_directory(dir.path + "/folder");
  ASSERT_EQ(::mkfifo((dir.path + "/pipe").c_str(), 0600), 0);
  for (const char* name : {"/folder", "/pipe"}) {
    const auto before = std::filesystem::status(dir.path + name).type();
    EXPECT_EQ(replace_file(dir.path + name, bytes).error().code, Errc::invalid_argument) << name;
    EXPECT_EQ(std::filesystem::status(dir.path + name).type(), before) << name;
  }
  EXPECT_TRUE(replaceable(dir.path + "/another").ok());
  EXPECT_FALSE(path_exists(dir.path + "/another"));
  EXPECT_EQ(replaceable(dir.path + "/none/another").error().code, Errc::not_found);
}

// A sparse file costs nothing to make; its size must not be believed before the limit is.
TEST(File, LimitHoldsBeforeMemoryIsTaken) {
  TempDir dir;
  ASSERT_TRUE(write_text(dir.path + "/sparse", "x").ok());
  std::filesystem::resize_file(dir.path + "/sparse", 1ull << 40);
  EXPECT_EQ(read_file(dir.path + "/sparse", 1000).error().code, Errc::unsupported);
}

TEST(File, LimitIsEnforced) {
  TempDir dir;
  const std::string text(1000, 'x');
  ASSERT_TRUE(write_text(dir.path + "/f", text).ok());
  EXPECT_TRUE(read_file(dir.path + "/f", 1000).ok());
  EXPECT_EQ(read_file(dir.path + "/f", 999).error().code, Errc::unsupported);
}

TEST(File, ReadTextDropsTheNewlineOfSysfs) {
  TempDir dir;
  ASSERT_TRUE(write_text(dir.path + "/vendor", "0x1002\n").ok());
  EXPECT_EQ(*read_text(dir.path + "/vendor"), "0x1002");
}

TEST(Deadline, ExpiresOnceAndStays) {
  const auto d = Deadline::in(std::chrono::milliseconds(5));
  EXPECT_FALSE(d.expired());
  Backoff b;
  while (!d.expired()) b.pause();
  EXPECT_TRUE(d.expired());
  EXPECT_EQ(d.remaining(), Clock::duration::zero());
}

TEST(Progress, RendersShareRateAndTimeLeft) {
  EXPECT_EQ(Progress::render("copy", 50'000'000, 100'000'000, 2.0, 10), "copy [#####.....]  50 % 25.0 MB/s 2 s left");
  EXPECT_EQ(Progress::render("copy", 0, 0, 0.0, 4), "copy [####] 100 % 0.0 MB/s 0 s left");
  EXPECT_EQ(Progress::render("copy", 7, 5, 1.0, 4), "copy [####] 100 % 0.0 MB/s 0 s left") << "never beyond the end";
}

}  // namespace
}  // namespace hcq
