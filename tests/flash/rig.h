// SPDX-License-Identifier: MIT
// A board, its chip, and jobs on it, with files in a directory of their own.
#pragma once

#include <gtest/gtest.h>
#include <stdlib.h>

#include <filesystem>
#include <random>
#include <string>
#include <vector>

#include "base/file.h"
#include "drivers/am/flash/rom_engine.h"
#include "drivers/spi/nor.h"
#include "tests/support/flash_board.h"
#include "tools/flash/lib/job.h"

namespace hcq::flash::test {

namespace fs = std::filesystem;
using hcq::test::FlashBoard;
using Content = std::vector<std::byte>;

class Scratch {
 public:
  Scratch() {
    // In memory when there is such a place: jobs write several files each.
    std::string name = fs::exists("/dev/shm") ? "/dev/shm/hcq-flash-XXXXXX" : "/tmp/hcq-flash-XXXXXX";
    EXPECT_NE(::mkdtemp(name.data()), nullptr);
    path_ = name;
  }
  ~Scratch() { fs::remove_all(path_); }
  const std::string& path() const { return path_; }

 private:
  std::string path_;
};

// 512 KiB of the same family, so that many runs are quick. It "boots" when its content is `good`; a lax boot ROM looks
// at the first dword only.
inline FlashBoard::Options small_chip(Content good, bool lax, std::uint64_t seed) {
  FlashBoard::Options o;
  o.chip.bytes = static_cast<std::uint32_t>(good.size());
  o.chip.jedec = {0xc8, 0x60, 0x13};
  o.chip.seed = seed;
  o.rom.time_scale = 0.01;
  o.verdict = [good = std::move(good), lax](Bytes content) {
    const std::size_t n = lax ? 4 : content.size();
    return models::am::BootVerdict{std::ranges::equal(content.first(n), Bytes(good).first(n)), 0, {}};
  };
  return o;
}

inline Content random_content(std::size_t bytes, std::uint64_t seed) {
  Content c(bytes);
  std::mt19937_64 rng(seed);
  for (std::size_t i = 0; i < bytes; i += 8) {
    const std::uint64_t v = rng();
    std::memcpy(c.data() + i, &v, 8);
  }
  return c;
}

// Opens the board as a new process would, and runs one call on it.
template <class Call>
auto with_board(FlashBoard& rig, Call call) -> decltype(call(std::declval<Target&>())) {
  auto board = am::flash::Board::open(rig.function(), rig.time);
  if (!board.ok()) return board.error();
  auto engine = am::flash::RomEngine::open(**board);
  if (!engine.ok()) return engine.error();
  spi::Nor nor(**engine, rig.time);
  if (const Status s = nor.probe(); !s.ok()) return s.error();
  Target target{nor, (*board)->identity(), "test:board"};
  return call(target);
}

}  // namespace hcq::flash::test
