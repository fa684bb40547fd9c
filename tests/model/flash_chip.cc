// SPDX-License-Identifier: MIT
// The flash chip from its pins: what it does, what it ignores, and what a power loss leaves.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <vector>

#include "drivers/spi/abi/nor.h"
#include "models/spi/nor_chip.h"

namespace hcq::models::spi {
namespace {

namespace abi = hcq::spi::abi;
using namespace std::chrono_literals;

class Chip : public ::testing::Test {
 protected:
  using Octets = std::vector<unsigned>;
  Octets transact(Octets out, std::size_t in = 0) {
    std::vector<std::byte> o, i(in);
    for (unsigned b : out) o.push_back(std::byte(b));
    chip.transact(o, i);
    Octets r;
    for (std::byte b : i) r.push_back(std::to_integer<unsigned>(b));
    return r;
  }
  unsigned status() { return transact({abi::RDSR1}, 1)[0]; }
  void enable() { transact({abi::WREN}); }
  void erase(std::uint32_t at) {
    enable();
    transact({abi::SE, at >> 16, at >> 8 & 255, at & 255});
  }
  void program(std::uint32_t at, Octets data) {
    enable();
    Octets out{abi::PP, at >> 16, at >> 8 & 255, at & 255};
    out.insert(out.end(), data.begin(), data.end());
    transact(out);
  }
  void finish() { now += 20s; }
  Octets read(std::uint32_t at, std::size_t n) { return transact({abi::READ, at >> 16, at >> 8 & 255, at & 255}, n); }
  bool saw(const char* rule) { return referee.saw(rule); }

  Clock::time_point now{1h};
  Referee referee{Policy::record};
  NorChip chip{{}, [this] { return now; }, referee};
};

TEST_F(Chip, IdRepeats) { EXPECT_EQ(transact({abi::RDID}, 4), (Octets{0xc8, 0x60, 0x15, 0xc8})); }

TEST_F(Chip, ProgramOnlyClearsBitsAndTakesTime) {
  program(0x100, {0xf0});
  EXPECT_EQ(status() & abi::WIP, abi::WIP);
  finish();
  EXPECT_EQ(status(), 0u);
  program(0x100, {0x3c});
  finish();
  EXPECT_EQ(read(0x100, 2), (Octets{0x30, 0xff}));
  erase(0);
  finish();
  EXPECT_EQ(read(0x100, 1), (Octets{0xff}));
  EXPECT_TRUE(referee.violations().empty());
}

TEST_F(Chip, ProgramWrapsInItsPage) {
  program(0x1fe, {1, 2, 3, 4});
  finish();
  EXPECT_EQ(read(0x1fe, 2), (Octets{1, 2}));
  EXPECT_EQ(read(0x100, 2), (Octets{3, 4}));
  EXPECT_EQ(read(0x200, 1), (Octets{0xff}));
}

TEST_F(Chip, ReadGoesRoundAtTheEnd) {
  program(0, {0xab});
  finish();
  EXPECT_EQ(read(0x1fffff, 2), (Octets{0xff, 0xab}));
}

TEST_F(Chip, NothingHappensWithoutTheLatch) {
  transact({abi::PP, 0, 0, 0, 0});
  EXPECT_TRUE(saw("spi.no_write_enable"));
  finish();
  EXPECT_EQ(read(0, 1), (Octets{0xff}));
  enable();
  EXPECT_EQ(status(), abi::WEL);
  transact({abi::WRDI});
  EXPECT_EQ(status(), 0u);
}

TEST_F(Chip, BusyChipAnswersOnlyStatus) {
  erase(0);
  EXPECT_EQ(transact({abi::RDID}, 1), (Octets{0xff}));
  EXPECT_TRUE(saw("spi.busy"));
  EXPECT_EQ(status() & abi::WIP, abi::WIP);
  EXPECT_EQ(transact({abi::RDSR2}, 1), (Octets{0}));
}

TEST_F(Chip, ProtectedRangesStayAndClearTheLatch) {
  const std::vector<std::byte> zeros(2u << 20, std::byte{0});
  struct Case {
    std::uint8_t sr1, sr2;
    std::uint32_t free, locked;
  };
  for (const Case& c : {Case{abi::BP0, 0, 0x1ef000, 0x1f0000}, Case{abi::BP0 | abi::BP3, 0, 0x10000, 0xf000},
                        Case{abi::BP0, abi::CMP, 0x1f0000, 0x1ef000}, Case{abi::BP0 | abi::BP4, 0, 0x1fe000, 0x1ff000},
                        Case{abi::BP2 | abi::BP4 | abi::BP3, 0, 0x8000, 0x7000}}) {
    chip.set_content(zeros);
    chip.set_status(c.sr1, c.sr2);
    EXPECT_TRUE(chip.protected_at(c.locked));
    EXPECT_FALSE(chip.protected_at(c.free));
    erase(c.locked);
    EXPECT_EQ(status() & (abi::WIP | abi::WEL), 0u);
    EXPECT_EQ(read(c.locked, 1), (Octets{0}));
    erase(c.free);
    finish();
    EXPECT_EQ(read(c.free, 1), (Octets{0xff}));
  }
  EXPECT_TRUE(saw("spi.protected"));
  chip.set_status(0, abi::CMP);
  EXPECT_TRUE(chip.protected_at(0));
  chip.set_status(abi::BP0 | abi::BP1 | abi::BP2, abi::CMP);
  EXPECT_FALSE(chip.protected_at(0));
}

TEST_F(Chip, StatusRegisterWrites) {
  enable();
  transact({abi::WRSR, 0x1f, 0x42});
  finish();
  EXPECT_EQ(status(), 0x1cu);
  EXPECT_EQ(transact({abi::RDSR2}, 1), (Octets{0x42}));
  enable();
  transact({abi::WRSR, 0x1c});  // one byte clears the second register
  finish();
  EXPECT_EQ(transact({abi::RDSR2}, 1), (Octets{0}));
  chip.set_status(0, abi::SRP1);
  enable();
  transact({abi::WRSR, 0, 0});
  EXPECT_TRUE(saw("spi.register_lock"));
  finish();
  EXPECT_EQ(chip.status2(), abi::SRP1);
  chip.cut_power();
  EXPECT_EQ(chip.status2(), 0);
  chip.set_status(abi::SRP0, abi::SRP1);
  chip.cut_power();
  EXPECT_EQ(chip.status2(), abi::SRP1);  // for ever
}

TEST_F(Chip, UnknownInstruction) {
  transact({0x77});
  EXPECT_TRUE(saw("spi.unknown_instruction"));
}

TEST_F(Chip, PowerLossInAnEraseLeavesAMixThatReadsDifferently) {
  chip.set_content(std::vector<std::byte>(2u << 20, std::byte{0x12}));
  erase(0x3000);
  chip.cut_power();
  const Octets a = read(0x3000, 4096), b = read(0x3000, 4096);
  EXPECT_TRUE(std::ranges::count(a, 0xffu) > 0);
  EXPECT_TRUE(std::ranges::count(a, 0x12u) > 0);
  EXPECT_NE(a, b);
  EXPECT_EQ(read(0x2fff, 1), (Octets{0x12}));
  EXPECT_EQ(read(0x4000, 1), (Octets{0x12}));
  erase(0x3000);
  finish();
  EXPECT_EQ(read(0x3000, 4096), Octets(4096, 0xff));
}

TEST_F(Chip, PowerLossInAProgramClearsSomeOfTheBits) {
  program(0x100, Octets(256, 0x00));
  chip.cut_power();
  const Octets a = read(0x100, 256);
  EXPECT_NE(a, Octets(256, 0x00));
  EXPECT_NE(a, Octets(256, 0xff));
  EXPECT_EQ(a, read(0x100, 256));
}

TEST_F(Chip, Faults) {
  chip.set_faults({.dead_sector = 0x2000});
  erase(0x2000);
  finish();
  EXPECT_EQ(read(0x2005, 1), (Octets{0xdd}));
  chip.set_faults({.stuck_page = 0x300});
  program(0x300, {0});
  finish();
  EXPECT_EQ(read(0x300, 1), (Octets{0xff}));
  chip.set_faults({.ignore_write_enable = true});
  enable();
  EXPECT_EQ(status(), 0u);
  chip.set_faults({.stuck_busy = true});
  erase(0);
  finish();
  EXPECT_EQ(status() & abi::WIP, abi::WIP);
  chip.cut_power();
  chip.set_faults({.bit_error_one_in = 100});
  EXPECT_NE(read(0x10000, 4096), read(0x10000, 4096));
  chip.set_faults({.absent = true});
  EXPECT_EQ(transact({abi::RDID}, 3), (Octets{0xff, 0xff, 0xff}));
}

}  // namespace
}  // namespace hcq::models::spi
