// SPDX-License-Identifier: MIT
// Power fails at a random register write of a job, and again while it is resumed, and so on. Each time the job must end
// with the image on the chip and the old values in the status registers, and the way back must be on disk before the
// chip changes. HCQ_FLASH_RUNS sets the number of runs.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <cstdlib>

#include "drivers/spi/abi/nor.h"
#include "rig.h"

namespace hcq::flash::test {
namespace {

constexpr std::size_t kBytes = 512u << 10;

struct Sweep {
  explicit Sweep(std::uint64_t seed) : rng(seed) {}
  std::uint64_t random(std::uint64_t bound) { return rng() % bound; }

  // The old content differs in a few sectors, sometimes in the first, and does not boot.
  void make(std::uint64_t seed, bool lax) {
    image = random_content(kBytes, seed);
    old = image;
    for (std::uint64_t n = random(4) + 2; n > 0; --n) {
      const std::uint64_t sector = random(kBytes / kSector);
      const Content other = random_content(kSector, seed + 1000 * n);
      // Some sectors are erased, some hold something else in part, some altogether.
      const std::uint64_t how = random(3);
      for (std::size_t i = 0; i < kSector; ++i)
        if (how == 0) old[sector * kSector + i] = std::byte{0xff};
        else if (how == 1 || i < 300) old[sector * kSector + i] = other[i];
    }
    if (lax || random(2)) old[1] ^= std::byte{0x40};
    rig = std::make_unique<FlashBoard>(small_chip(image, lax, seed), models::Policy::record);
    rig->chip().set_content(old);
    protection();
    rig->power_on();
  }

  void protection() {
    constexpr std::pair<std::uint8_t, std::uint8_t> kSome[] = {
        {0, 0},
        {spi::abi::BP0 | spi::abi::BP1 | spi::abi::BP2, spi::abi::QE},
        {0, spi::abi::CMP},
        {spi::abi::BP2 | spi::abi::BP3, spi::abi::CMP},
        {spi::abi::kBlockProtect, spi::abi::CMP}};
    std::tie(sr1, sr2) = kSome[random(std::size(kSome))];
    rig->chip().set_status(sr1, sr2);
  }

  JobOptions options(const std::string& directory) const {
    return {.directory = directory, .yes = true, .unprotect = true, .firmware_image = false, .durable = false};
  }

  std::mt19937_64 rng;
  Content image, old;
  std::unique_ptr<FlashBoard> rig;
  std::uint8_t sr1 = 0, sr2 = 0;
};

Result<JobReport> go_on(Sweep& s, const std::string& directory) {
  auto r = with_board(*s.rig, [&](Target& t) {
    return fs::exists(journal_path(directory)) ? resume(t, s.options(directory))
                                               : write_image(t, s.image, s.options(directory));
  });
  // The board boots: what is left is to prove that the image is whole.
  if (!r.ok() && r.error().code == Errc::refused && s.rig->flash().boots())
    return prove(directory, s.rig->chip().content());
  return r;
}

void one_run(std::uint64_t seed, bool lax, const std::string& directory, unsigned& cuts) {
  Sweep s(seed);
  s.make(seed, lax);
  // The number of writes of an undisturbed job is not known beforehand; these bounds reach over it.
  std::uint64_t reach = 4000 + s.random(60000);
  Result<JobReport> r = Error{};
  for (unsigned attempt = 0; attempt < 12; ++attempt) {
    const bool cut = attempt == 0 || (attempt < 10 && s.random(3) != 0);
    s.rig->cut_after_writes = cut ? s.random(reach) + 1 : ~0ull;
    r = go_on(s, directory);
    const bool dark = cut && s.rig->writes() >= s.rig->cut_after_writes;
    if (!dark) break;
    ++cuts;
    const bool changed =
        s.rig->chip().counts().erases + s.rig->chip().counts().status_writes != 0 || s.rig->chip().content() != s.old;
    if (changed) {
      ASSERT_EQ(*read_file(backup_path(directory)), s.old) << "seed " << seed;
    }
    s.rig->power_on();
  }
  ASSERT_TRUE(r.ok()) << "seed " << seed << ": " << describe(r.error());
  ASSERT_TRUE(r->ok()) << "seed " << seed << ": " << r->last_line() << (r->cause ? describe(*r->cause) : "");
  ASSERT_EQ(s.rig->chip().content(), s.image) << "seed " << seed;
  // Where the board booted before the registers were put back, nobody could reach them; it must have been said.
  if (s.rig->chip().status1() != s.sr1 || s.rig->chip().status2() != s.sr2) {
    ASSERT_TRUE(s.rig->flash().boots()) << "seed " << seed;
    ASSERT_THAT(r->last_line(), ::testing::HasSubstr("do not have their old values")) << "seed " << seed;
  }
  for (const auto& v : s.rig->referee.violations()) ADD_FAILURE() << "seed " << seed << ": " << describe(v);
}

TEST(PowerLoss, EveryRunEndsWithTheImage) {
  const char* wanted = std::getenv("HCQ_FLASH_RUNS");
  const auto runs = static_cast<std::uint64_t>(wanted ? std::atoi(wanted) : 300);
  const char* first = std::getenv("HCQ_FLASH_SEED");
  const std::uint64_t base = first ? std::strtoull(first, nullptr, 10) : 1;
  const Scratch scratch;
  unsigned cuts = 0;
  for (std::uint64_t i = 0; i < runs && !::testing::Test::HasFatalFailure(); ++i) {
    const std::string directory = scratch.path() + "/job";
    one_run(base + i, i % 2 == 0, directory, cuts);
    fs::remove_all(directory);
  }
  // The sweep is worth nothing when the power never fails.
  EXPECT_GT(cuts, runs / 2);
  RecordProperty("power_losses", static_cast<int>(cuts));
  std::printf("%u power losses in %llu runs\n", cuts, static_cast<unsigned long long>(runs));
}

}  // namespace
}  // namespace hcq::flash::test
