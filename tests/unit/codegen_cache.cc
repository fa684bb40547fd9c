// SPDX-License-Identifier: MIT
#include "compute/codegen/cache.h"

#include <gtest/gtest.h>

#include <cstdlib>
#include <filesystem>
#include <fstream>

#include "base/file.h"
#include "base/log.h"
#include "tests/support/kernel_maker.h"

namespace hcq::compute::codegen {
namespace {

std::vector<std::byte> object_of(unsigned n) {
  std::vector<std::byte> v(n);
  for (unsigned i = 0; i < n; ++i) v[i] = static_cast<std::byte>(i * 7 + n);
  return v;
}

class CodegenCache : public ::testing::Test {
 protected:
  void SetUp() override {
    log::set_level(log::Level::error);  // hundreds of damaged files are about to be ignored
    std::string name = ::testing::TempDir() + "hcq_cache_XXXXXX";
    ASSERT_NE(mkdtemp(name.data()), nullptr);
    directory_ = name + "/below";
  }
  void TearDown() override {
    log::set_level(log::Level::warn);
    std::filesystem::remove_all(std::filesystem::path(directory_).parent_path());
  }
  std::string directory_;
};

TEST_F(CodegenCache, KeepsObjectsForTheNextProcess) {
  {
    DiskCache first(directory_);
    EXPECT_FALSE(first.find("a"));
    first.put("a", object_of(1000));
    first.put("b", object_of(0));
    EXPECT_EQ(first.find("a"), object_of(1000));
  }
  DiskCache second(directory_);
  EXPECT_EQ(second.find("a"), object_of(1000));
  EXPECT_EQ(second.find("b"), object_of(0));
  EXPECT_FALSE(second.find("c"));
}

TEST_F(CodegenCache, IgnoresDamagedFilesAndWritesThemAnew) {
  DiskCache(directory_).put("key", object_of(300));
  const std::string path = DiskCache(directory_).path_of("key");
  const auto good = read_file(path);
  ASSERT_TRUE(good.ok());
  const auto content = *good;
  for (std::size_t at = 0; at < content.size(); at += 5) {
    auto bad = content;
    bad[at] ^= std::byte{0x10};
    ASSERT_TRUE(replace_file(path, bad).ok());
    EXPECT_FALSE(DiskCache(directory_).find("key")) << "flipped bit in byte " << at;
  }
  for (std::size_t n = 0; n < content.size(); n += 11) {
    ASSERT_TRUE(replace_file(path, Bytes(content).first(n)).ok());
    EXPECT_FALSE(DiskCache(directory_).find("key")) << "cut to " << n;
  }
  DiskCache(directory_).put("key", object_of(300));
  EXPECT_EQ(DiskCache(directory_).find("key"), object_of(300));
}

TEST_F(CodegenCache, DoesNotMixUpKeys) {
  DiskCache(directory_).put("key", object_of(300));
  DiskCache cache(directory_);
  std::filesystem::copy_file(cache.path_of("key"), cache.path_of("other"));
  EXPECT_FALSE(cache.find("other"));
}

TEST_F(CodegenCache, IsNoCacheWhereFilesCannotBeWritten) {
  for (const char* where : {"/proc/no/such/place", ""}) {
    DiskCache cache(where);
    cache.put("key", object_of(5));
    EXPECT_FALSE(cache.find("key"));
  }
}

TEST(CodegenMemoryCache, KeepsWhatItWasGiven) {
  MemoryCache cache;
  EXPECT_FALSE(cache.find("key"));
  cache.put("key", object_of(5));
  EXPECT_EQ(cache.find("key"), object_of(5));
  EXPECT_FALSE(cache.find("other"));
}

TEST(CodegenCacheKey, DependsOnContentsNameAndTarget) {
  const auto key = [](const char* name, std::uint32_t groups, const char* chip) {
    test::KernelMaker k(name);
    const ir::Node* i = k.launch(groups, 64);
    k.store(k.param(ir::kI32, 64 * groups, true), i, i);
    return kernel_key(k.kernel(), {TargetKind::amdgpu, chip, "", 32});
  };
  EXPECT_EQ(key("a", 1, "gfx1100"), key("a", 1, "gfx1100"));
  EXPECT_NE(key("a", 1, "gfx1100"), key("b", 1, "gfx1100"));
  EXPECT_NE(key("a", 1, "gfx1100"), key("a", 2, "gfx1100"));
  EXPECT_NE(key("a", 1, "gfx1100"), key("a", 1, "gfx1101"));
}

}  // namespace
}  // namespace hcq::compute::codegen
