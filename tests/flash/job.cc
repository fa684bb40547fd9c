// SPDX-License-Identifier: MIT
// Jobs on a modelled board: every protection, every refusal, every kind of failure, and what is on the chip and on disk
// afterwards.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <algorithm>

#include "drivers/am/abi/ifwi.h"
#include "drivers/am/flash/checksum.h"
#include "drivers/spi/abi/nor.h"
#include "models/am/synthetic_ifwi.h"
#include "rig.h"
#include "tools/flash/lib/image_check.h"

namespace hcq::flash::test {
namespace {

namespace abi = spi::abi;
using models::am::synthetic_ifwi;
using models::am::SyntheticIfwi;
using ::testing::Contains;
using ::testing::ElementsAre;
using ::testing::HasSubstr;
using ::testing::Not;

Content damaged(Content image = synthetic_ifwi()) {
  for (const std::uint32_t at : {0x21200u, 0xa1300u, 0x30000u}) image[at] ^= std::byte{0x81};
  return image;
}

class Jobs : public ::testing::Test {
 protected:
  void SetUp() override { power(damaged()); }
  void power(Content content, FlashBoard::Options options = {}) {
    options.rom.time_scale = 0.01;
    rig = std::make_unique<FlashBoard>(options);
    rig->chip().set_content(content);
    old = std::move(content);
    rig->power_on();
  }
  JobOptions options() {
    return {.directory = directory(),
            .yes = true,
            .durable = false,
            .progress = [this](const char* phase, std::uint64_t, std::uint64_t) { phases.insert(phase); },
            .say = [this](const std::string& line) { said += line + "\n"; }};
  }
  // The power fails a little after the first sector has been written.
  JobOptions cut_while_writing() {
    JobOptions o = options();
    o.progress = [this](const char* phase, std::uint64_t, std::uint64_t) {
      if (phase == std::string("write") && rig->cut_after_writes == ~0ull) rig->cut_after_writes = rig->writes() + 300;
    };
    return o;
  }
  Result<JobReport> write(const Content& image, const JobOptions& o) {
    return with_board(*rig, [&](Target& t) { return write_image(t, image, o); });
  }
  Result<JobReport> go_on(const JobOptions& o) {
    return with_board(*rig, [&](Target& t) { return resume(t, o); });
  }
  std::string directory() const { return scratch.path() + "/job"; }
  Content on_chip() { return rig->chip().content(); }
  void expect_untouched() {
    EXPECT_EQ(on_chip(), old);
    EXPECT_EQ(rig->chip().counts().write_enables, 0u);
    EXPECT_FALSE(fs::exists(directory()));
  }
  void expect_refused(const Result<JobReport>& r, const std::string& words) {
    ASSERT_FALSE(r.ok());
    EXPECT_EQ(r.error().code, Errc::refused) << describe(r.error());
    EXPECT_THAT(describe(r.error()), HasSubstr(words));
    expect_untouched();
  }

  Scratch scratch;
  std::unique_ptr<FlashBoard> rig;
  Content old;
  const Content good = synthetic_ifwi();
  std::set<std::string> phases;
  std::string said;
};

TEST_F(Jobs, WritesOnlyWhatDiffersAndProvesIt) {
  const auto r = write(good, options());
  ASSERT_TRUE(r.ok()) << describe(r.error());
  EXPECT_EQ(r->outcome, Outcome::written) << r->last_line();
  EXPECT_EQ(on_chip(), good);
  EXPECT_THAT(r->sectors, ElementsAre(0x21000, 0x30000, 0xa1000));
  EXPECT_EQ(rig->chip().counts().erases, 5u);  // the first sector too: twice
  EXPECT_EQ(*read_file(r->backup), old);
  EXPECT_EQ(am::flash::sha256_hex(old), r->backup_sha256);
  EXPECT_THAT(said, HasSubstr(r->backup));
  EXPECT_THAT(said, HasSubstr(r->backup_sha256));
  EXPECT_THAT(phases, ElementsAre("read", "read again", "verify", "write"));
  EXPECT_THAT(r->last_line(), HasSubstr("It is safe to power-cycle"));
  EXPECT_TRUE(rig->referee.violations().empty());
}

TEST_F(Jobs, AnEqualImageChangesNothing) {
  const auto r = write(old, [this] {
    JobOptions o = options();
    o.firmware_image = false;
    return o;
  }());
  ASSERT_TRUE(r.ok());
  EXPECT_EQ(r->outcome, Outcome::unchanged);
  expect_untouched();
}

TEST_F(Jobs, WithoutYesNothingHappensAndThePlanIsTold) {
  JobOptions o = options();
  o.yes = false;
  expect_refused(write(good, o), "--yes");
  EXPECT_THAT(said, HasSubstr("3 of 512 sectors differ; 4 will be erased and written"));
}

TEST_F(Jobs, OnlyTheChipsSizeFits) {
  for (const std::size_t size : {std::size_t{0}, std::size_t{4097}, std::size_t{1} << 20, (std::size_t{2} << 20) + 1}) {
    Content c = good;
    c.resize(size);
    JobOptions o = options();
    o.accept = {"image_size"};
    expect_refused(write(c, o), "exactly the size of the flash chip");
  }
}

// Each in turn wrong, accepted only by its own exact name.
TEST_F(Jobs, AnImageOfAnotherBoardIsRefused) {
  struct Case {
    SyntheticIfwi made;
    std::string token;
  };
  for (const Case& c : {Case{{.vendor = 0x10de}, "device=10de:744c"}, Case{{.device = 0x73bf}, "device=1002:73bf"},
                        Case{{.subsystem_vendor = 0x1043}, "subsystem=1043:0e3b"},
                        Case{{.subsystem_device = 0x506}, "subsystem=1002:0506"},
                        Case{{.part_number = "115-D707"}, "part_number=115-D707"}}) {
    const Content image = synthetic_ifwi(c.made);
    expect_refused(write(image, options()), "--accept " + c.token);
    JobOptions o = options();
    o.accept = {c.token.substr(0, c.token.size() - 1)};
    expect_refused(write(image, o), "--accept " + c.token);
    o.accept = {c.token, "subsystem=ffff:ffff"};
    expect_refused(write(image, o), "names nothing that is wrong");
    o.accept = {c.token};
    const auto r = write(image, o);
    ASSERT_TRUE(r.ok()) << describe(r.error());
    EXPECT_EQ(on_chip(), image);
    fs::remove_all(directory());
    power(damaged());
  }
}

TEST_F(Jobs, ADamagedImageIsRefused) {
  Content image = good;
  image[0x140000 + 2] = std::byte{0x20};  // another length in the expansion ROM
  expect_refused(write(image, options()), "--accept rom_0_length");
  image = good;
  image[0x140000 + 0x3000] ^= std::byte{1};
  expect_refused(write(image, options()), "--accept rom_0_checksum");
  image = good;
  image[0] ^= std::byte{1};
  expect_refused(write(image, options()), "--accept efs_magic");
  image = good;
  image[0x21200] ^= std::byte{1};
  expect_refused(write(image, options()), "--accept slot_a_file_01_digest");
}

TEST_F(Jobs, ABlankChipDoesNotSayWhichBoardItIs) {
  power(Content(2u << 20, std::byte{0xff}));
  expect_refused(write(good, options()), "--accept board=unknown");
  JobOptions o = options();
  o.accept = {"board=unknown"};
  const auto r = write(good, o);
  ASSERT_TRUE(r.ok());
  EXPECT_EQ(r->outcome, Outcome::written);
  EXPECT_EQ(on_chip(), good);
}

TEST_F(Jobs, UnstableReadsAreRefused) {
  rig->chip().set_faults({.bit_error_one_in = 100'000});
  const auto r = write(good, options());
  ASSERT_FALSE(r.ok());
  EXPECT_THAT(describe(r.error()), HasSubstr("--prescale 15"));
  expect_untouched();
}

TEST_F(Jobs, ChipsThatDoNotDescribeThemselvesAreNotWritten) {
  rig->chip().set_faults({.no_sfdp = true});
  expect_refused(write(good, options()), "self-description");
  rig->chip().set_faults({.sfdp_bytes = 1u << 20});
  expect_refused(write(good, options()), "differ");
  FlashBoard::Options o;
  o.chip.jedec = {0xef, 0x60, 0x15};
  power(damaged(), o);
  expect_refused(write(good, options()), "not known how this chip's status registers protect it");
}

TEST_F(Jobs, EveryProtectionThatHitsIsExplainedAndNeedsItsFlag) {
  struct Case {
    std::uint8_t sr1, sr2;
    const char* words;
  };
  for (const Case& c :
       {Case{abi::BP0 | abi::BP1 | abi::BP2, 0, "protect all 2 MiB"}, Case{abi::BP1 | abi::BP2, 0, "protect all 2 MiB"},
        Case{abi::BP0 | abi::BP3, 0, "protect 64 KiB from 0x0 to 0xffff"},
        Case{abi::BP0 | abi::BP3 | abi::BP4, 0, "protect 4 KiB from 0x0 to 0xfff"},
        Case{0, abi::CMP, "protect all 2 MiB"}, Case{abi::BP0, abi::CMP, "protect 1984 KiB from 0x0 to 0x1effff"}}) {
    power(damaged());
    rig->chip().set_status(c.sr1, c.sr2);
    expect_refused(write(good, options()), c.words);
    JobOptions o = options();
    o.unprotect = true;
    said.clear();
    const auto r = write(good, o);
    ASSERT_TRUE(r.ok()) << describe(r.error());
    EXPECT_EQ(r->outcome, Outcome::written);
    EXPECT_TRUE(r->protection_changed && r->protection_restored);
    EXPECT_THAT(said, HasSubstr("(protected: nothing) until the end"));
    EXPECT_EQ(rig->chip().status1(), c.sr1);
    EXPECT_EQ(rig->chip().status2(), c.sr2);
    EXPECT_EQ(on_chip(), good);
    EXPECT_TRUE(rig->referee.violations().empty());
    fs::remove_all(directory());
  }
}

TEST_F(Jobs, ProtectionElsewhereIsLeftAlone) {
  rig->chip().set_status(abi::BP0, abi::QE);  // the last 64 KiB
  const auto r = write(good, options());
  ASSERT_TRUE(r.ok()) << describe(r.error());
  EXPECT_FALSE(r->protection_changed);
  EXPECT_EQ(rig->chip().counts().status_writes, 0u);
}

// With everything set nothing is protected, and clearing CMP would lock the chip.
TEST_F(Jobs, CmpThatProtectsNothingIsNotTouched) {
  rig->chip().set_status(abi::kBlockProtect, abi::CMP);
  const auto r = write(good, options());
  ASSERT_TRUE(r.ok()) << describe(r.error());
  EXPECT_EQ(rig->chip().status2(), abi::CMP);
  EXPECT_EQ(rig->chip().counts().status_writes, 0u);
}

TEST_F(Jobs, LockedRegistersAreRefusedEvenWithTheFlag) {
  for (const std::uint8_t srp0 : {std::uint8_t{0}, abi::SRP0}) {
    power(damaged());
    rig->chip().set_status(abi::BP0 | abi::BP1 | abi::BP2 | srp0, abi::SRP1);
    JobOptions o = options();
    o.unprotect = true;
    expect_refused(write(good, o), srp0 ? "locked for ever" : "locked until the next power cycle");
  }
}

TEST_F(Jobs, ASectorThatDoesNotEraseEndsInTheOldContent) {
  rig->chip().set_faults({.dead_sector = 0x30000});
  old = on_chip();
  const auto r = write(good, options());
  ASSERT_TRUE(r.ok()) << describe(r.error());
  // The dead sector cannot be put back either.
  EXPECT_EQ(r->outcome, Outcome::not_restored);
  ASSERT_TRUE(r->cause.has_value());
  const std::string text = describe(*r->cause);
  for (const char* fact : {"GigaDevice GD25LQ16 (c8 60 15)", "flash/erase", "at 0x30005", "expected 0xff", "got 0xdd",
                           "1 of 4096 bytes", "status registers 00 00 00"})
    EXPECT_THAT(text, HasSubstr(fact));
  EXPECT_THAT(r->last_line(), HasSubstr("NOT RESTORED: do NOT start the board"));
  EXPECT_EQ(*read_file(r->backup), old);
}

TEST_F(Jobs, APageThatDoesNotProgramIsRestored) {
  rig->chip().set_status(0, abi::CMP);
  JobOptions o = options();
  o.unprotect = true;
  // The page holds content in the new image and is blank in the old one.
  Content blank_page = old;
  std::fill_n(blank_page.begin() + 0x30100, 256, std::byte{0xff});
  rig->chip().set_content(blank_page);
  rig->chip().set_faults({.stuck_page = 0x30100});
  const auto r = write(good, o);
  ASSERT_TRUE(r.ok()) << describe(r.error());
  EXPECT_EQ(r->outcome, Outcome::restored) << r->last_line();
  EXPECT_EQ(on_chip(), blank_page);
  EXPECT_EQ(rig->chip().status2(), abi::CMP);
  EXPECT_THAT(r->last_line(), HasSubstr("FAILED, RESTORED"));
  EXPECT_THAT(describe(*r->cause), HasSubstr("flash/program"));
}

TEST_F(Jobs, AWriteEnableThatIsIgnoredIsNoticedBeforeAnything) {
  rig->chip().set_faults({.ignore_write_enable = true});
  const auto r = write(good, options());
  ASSERT_TRUE(r.ok());
  EXPECT_THAT(describe(*r->cause), HasSubstr("did not take the write-enable"));
  EXPECT_EQ(r->outcome, Outcome::restored);
  EXPECT_EQ(on_chip(), old);
  EXPECT_EQ(rig->chip().counts().erases, 0u);
}

TEST_F(Jobs, AChipThatStaysBusyIsATimeout) {
  rig->chip().set_faults({.stuck_busy = true});
  const auto r = write(good, options());
  ASSERT_TRUE(r.ok());
  EXPECT_EQ(r->outcome, Outcome::not_restored);
  EXPECT_EQ(r->cause->code, Errc::timeout);
}

TEST_F(Jobs, AStopEndsAfterTheSectorAndResumes) {
  rig->chip().set_status(0, abi::CMP);
  std::atomic<bool> stop{false};
  JobOptions o = options();
  o.unprotect = true;
  o.stop = &stop;
  o.progress = [&](const char* phase, std::uint64_t, std::uint64_t) { stop = stop || phase == std::string("write"); };
  const auto r = write(good, o);
  ASSERT_TRUE(r.ok());
  EXPECT_EQ(r->outcome, Outcome::interrupted);
  EXPECT_EQ(r->sectors_written, 1u);
  EXPECT_TRUE(r->protection_restored);
  EXPECT_THAT(r->last_line(), HasSubstr("--resume " + directory()));
  EXPECT_NE(on_chip(), good);
  const auto again = go_on(options());
  ASSERT_TRUE(again.ok()) << describe(again.error());
  EXPECT_EQ(again->outcome, Outcome::written);
  EXPECT_EQ(on_chip(), good);
  EXPECT_EQ(rig->chip().status2(), abi::CMP);
}

TEST_F(Jobs, ResumeChecksChipFilesAndConsent) {
  EXPECT_EQ(write(good, cut_while_writing())->outcome, Outcome::not_restored);
  rig->power_on();
  const Content half = on_chip();
  EXPECT_NE(half, good);
  JobOptions no = options();
  no.yes = false;
  EXPECT_THAT(describe(go_on(no).error()), HasSubstr("--yes"));
  const auto refuse = [&](const std::string& words) {
    const auto r = go_on(options());
    ASSERT_FALSE(r.ok());
    EXPECT_THAT(describe(r.error()), HasSubstr(words));
    EXPECT_EQ(rig->chip().content(), half);
  };
  const auto swap = [&](const std::string& file, const Content& with, const std::string& words) {
    const auto kept = *read_file(file);
    ASSERT_TRUE(replace_file(file, with).ok());
    refuse(words);
    ASSERT_TRUE(replace_file(file, kept).ok());
  };
  swap(image_path(directory()), old, "not the one that the job began with");
  swap(backup_path(directory()), good, "not the one that the job began with");
  const auto journal = *read_text(journal_path(directory()));
  std::string wrong = journal;
  wrong[wrong.find("planned") + 9] ^= 1;
  ASSERT_TRUE(replace_file(journal_path(directory()), std::as_bytes(std::span(wrong))).ok());
  refuse("sum is wrong");
  const std::string torn = journal + "\nerasing 2";
  ASSERT_TRUE(replace_file(journal_path(directory()), std::as_bytes(std::span(torn))).ok());
  const auto r = go_on(options());
  ASSERT_TRUE(r.ok()) << describe(r.error());
  EXPECT_EQ(on_chip(), good);
  // A second time there is nothing to do; the board boots.
  rig->power_on();
  EXPECT_EQ(go_on(options()).error().code, Errc::refused);
  EXPECT_EQ(prove(directory(), on_chip())->outcome, Outcome::unchanged);
  EXPECT_FALSE(prove(directory(), old).ok());
}

TEST_F(Jobs, AnotherChipIsNotResumed) {
  ASSERT_TRUE(write(good, cut_while_writing()).ok());
  FlashBoard::Options o;
  o.chip.jedec = {0xc8, 0x60, 0x14};
  o.chip.bytes = 1u << 20;
  o.verdict = [](Bytes) { return models::am::BootVerdict{}; };
  power(Content(1u << 20, std::byte{0}), o);
  const auto r = go_on(options());
  ASSERT_FALSE(r.ok());
  EXPECT_THAT(describe(r.error()), HasSubstr("belongs to another flash chip"));
}

TEST_F(Jobs, AJobsDirectoryIsNotUsedTwice) {
  ASSERT_TRUE(write(good, options()).ok());
  rig->chip().set_content(damaged());
  rig->power_on();
  const auto r = write(good, options());
  ASSERT_FALSE(r.ok());
  EXPECT_EQ(r.error().code, Errc::busy);
}

TEST_F(Jobs, LookingNeverSendsAWriteEnable) {
  const auto r = with_board(*rig, [&](Target& t) -> Result<Content> {
    Content all(t.nor.identity().bytes);
    HCQ_TRY(t.nor.status());
    HCQ_TRY(read_chip(t.nor, all, "read", {}));
    return all;
  });
  ASSERT_TRUE(r.ok());
  EXPECT_EQ(*r, old);
  expect_untouched();
}

TEST(Journals, TornAndDamagedLines) {
  const Scratch scratch;
  const std::string path = scratch.path() + "/journal";
  JournalHeader h{.device = "model:navi31?a=b c", .jedec = {1, 2, 3}, .chip_bytes = 0x10000};
  h.image_sha256 = std::string(64, 'a');
  {
    auto j = *Journal::create(path, h, true);
    ASSERT_TRUE(j->backup_taken("hash").ok());
    ASSERT_TRUE(j->changing_status(0x1c, 0x40).ok());
    ASSERT_TRUE(j->changing_status(0x00, 0x40).ok());
    ASSERT_TRUE(j->planned({0x1000, 0}).ok());
    ASSERT_TRUE(j->erasing(0x1000).ok());
  }
  const std::string text = *read_text(path) + "\n";
  for (std::size_t n = 0; n <= text.size(); ++n) {
    const auto s = parse_journal(text.substr(0, n), "t");
    const std::size_t lines =
        static_cast<std::size_t>(std::count(text.begin(), text.begin() + static_cast<long>(n), '\n'));
    EXPECT_EQ(s.ok(), lines > 0) << n;
    if (lines >= 6) {
      EXPECT_EQ(s->sectors.at(0x1000), SectorState::erasing);
    }
  }
  const JournalState s = *parse_journal(text, "t");
  EXPECT_EQ(s.header.device, h.device);
  EXPECT_EQ(s.header.jedec, h.jedec);
  EXPECT_EQ(s.old_status, (std::array<std::uint8_t, 2>{0x1c, 0x40}));
  EXPECT_EQ(s.sectors.at(0), SectorState::planned);
  for (std::size_t at = 0; at + 1 < text.size(); at += 7) {
    std::string bad = text;
    bad[at] ^= 2;
    const auto r = parse_journal(bad, "t");
    if (r.ok()) {
      EXPECT_GE(at, text.rfind("erasing")) << at;
    }
  }
}

TEST(Order, TheFirstSectorIsLastAndTablesFollowContent) {
  EXPECT_TRUE(write_order({}).empty());
  EXPECT_THAT(write_order({0x5000}), ElementsAre(0x5000, 0));
  EXPECT_THAT(write_order({0, 0x1000, 0x2000, 0x12000, 0x20000, 0x1f0000}),
              ElementsAre(0x20000, 0x1f0000, 0x12000, 0x2000, 0x1000, 0));
}

}  // namespace
}  // namespace hcq::flash::test
