// SPDX-License-Identifier: MIT
// Our code for the raw engine, the window and the PSP's mailbox against the modelled ROM controller and PSP, which
// refuse what the sources of facts say does not work.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <array>
#include <vector>

#include "drivers/am/abi/ifwi.h"
#include "drivers/am/flash/mailbox.h"
#include "drivers/am/flash/rom_engine.h"
#include "drivers/am/flash/rom_window.h"
#include "drivers/spi/abi/nor.h"
#include "drivers/spi/nor.h"
#include "tests/support/flash_board.h"

namespace hcq::am::flash {
namespace {

using models::am::RomOptions;
using models::am::synthetic_ifwi;
using test::FlashBoard;
using ::testing::HasSubstr;
using Window = RomOptions::Window;

std::vector<std::byte> corrupt_image() {
  auto image = synthetic_ifwi();
  for (std::size_t i = 0; i < image.size(); i += 0x9001) image[i] ^= std::byte{0x24};
  return image;
}

class Engine : public ::testing::Test {
 protected:
  void start(FlashBoard::Options options = {}, std::vector<std::byte> content = corrupt_image()) {
    rig = std::make_unique<FlashBoard>(options);
    rig->chip().set_content(content);
    rig->power_on();
    auto b = Board::open(rig->function(), rig->time);
    ASSERT_TRUE(b.ok()) << describe(b.error());
    board = std::move(*b);
  }
  static FlashBoard::Options with_window(Window w) {
    FlashBoard::Options o;
    o.rom.window = w;
    return o;
  }
  std::string said() {
    std::string s;
    for (const auto& v : rig->referee.violations()) s += describe(v) + "\n";
    return s;
  }
  std::unique_ptr<FlashBoard> rig;
  std::unique_ptr<Board> board;
};

TEST_F(Engine, RegistersAreWrittenAsTheSourcesSay) {
  start();
  rig->registers().set_raw<regs::ROM_CNTL>(0x12345678);
  rig->registers().set_raw<regs::PAGE_MIRROR_CNTL>(0xffffffff);
  std::vector<std::pair<std::string, std::uint32_t>> log;
  const auto map = *register_map();
  rig->on_write = [&](std::uint32_t dword, std::uint32_t value) {
    log.emplace_back(regs::RegisterMap::describe(*map.find(dword)), value);
  };
  const auto wrote = [&](const char* name, std::uint32_t value) {
    return std::ranges::find(log, std::pair<std::string, std::uint32_t>(name, value)) != log.end();
  };
  auto engine = RomEngine::open(*board);
  ASSERT_TRUE(engine.ok()) << describe(engine.error());
  EXPECT_TRUE(wrote("ROM_CNTL", 0x18345678));
  EXPECT_TRUE(wrote("PAGE_MIRROR_CNTL", 0xf7ffffff));
  std::array<std::byte, 256> page{};
  ASSERT_TRUE((*engine)->receive({.instruction = spi::abi::READ, .has_address = true, .address = 0x12345}, page).ok());
  EXPECT_TRUE(wrote("ROM_SW_COMMAND", 0x01234503));
  EXPECT_TRUE(wrote("ROM_SW_CNTL", 0x000b0100));
  log.clear();
  ASSERT_TRUE((*engine)->send({.instruction = spi::abi::WREN}, {}).ok());
  EXPECT_TRUE(wrote("ROM_SW_CNTL", 0));
  ASSERT_TRUE((*engine)->send({.instruction = spi::abi::PP, .has_address = true, .address = 0x01ff00}, page).ok());
  EXPECT_TRUE(wrote("ROM_SW_COMMAND", 0x01ff0002));
  EXPECT_TRUE(wrote("ROM_SW_CNTL", 0x00030100));
  rig->time.wait(std::chrono::seconds(1));
  ASSERT_TRUE((*engine)->send({.instruction = spi::abi::WREN}, {}).ok());
  ASSERT_TRUE((*engine)->send({.instruction = spi::abi::SE, .has_address = true, .address = 0x1000}, {}).ok());
  EXPECT_TRUE(wrote("ROM_SW_CNTL", 0x00030000));
  rig->time.wait(std::chrono::seconds(1));
  log.clear();
  std::array<std::byte, 1> status{};
  ASSERT_TRUE((*engine)->receive({.instruction = spi::abi::RDSR1}, status).ok());
  EXPECT_TRUE(wrote("ROM_SW_CNTL", 0x00080002));  // two bytes: one does not show the register that was read
  ASSERT_TRUE((*engine)->send({.instruction = spi::abi::WREN}, {}).ok());
  const std::array registers{std::byte{0x1c}, std::byte{0x02}};
  ASSERT_TRUE((*engine)->send({.instruction = spi::abi::WRSR}, registers).ok());
  EXPECT_TRUE(wrote("ROM_SW_DATA_1[0]", 0x1c020000));
  EXPECT_TRUE(wrote("ROM_SW_CNTL", 0x00000002));
  EXPECT_EQ(said(), "");
}

TEST_F(Engine, PutsEveryRegisterBack) {
  start();
  const auto before = rig->register_values();
  {
    auto engine = RomEngine::open(*board);
    ASSERT_TRUE(engine.ok());
    spi::Nor nor(**engine, rig->time);
    ASSERT_TRUE(nor.probe().ok());
    ASSERT_TRUE((*engine)->close().ok());
  }
  auto after = rig->register_values();
  // The last command stays in the engine's own register, where it does nothing.
  const auto map = rig->registers().map().all();
  for (std::size_t i = 0; i < map.size(); ++i)
    if (map[i].first == rig->registers().address<regs::ROM_SW_COMMAND>()) after[i] = before[i];
  EXPECT_EQ(after, before);
}

TEST_F(Engine, ProbeKnowsTheChipAndSendsNoWriteEnable) {
  start();
  auto engine = *RomEngine::open(*board);
  spi::Nor nor(*engine, rig->time);
  ASSERT_TRUE(nor.probe().ok());
  EXPECT_EQ(nor.identity().text(), "GigaDevice GD25LQ16 (c8 60 15)");
  EXPECT_EQ(nor.identity().bytes, 2u << 20);
  ASSERT_TRUE(nor.identity().sfdp.has_value());
  EXPECT_TRUE(nor.check_writable_kind().ok());
  EXPECT_EQ(nor.status()->sr1, 0);
  EXPECT_EQ(rig->chip().counts().write_enables, 0u);
  EXPECT_EQ(said(), "");
}

TEST_F(Engine, ReadsWithAndWithoutTheLateWindow) {
  for (const bool late : {true, false}) {
    FlashBoard::Options o;
    o.rom.late = late;
    start(o);
    auto engine = *RomEngine::open(*board);
    std::vector<std::byte> all(2u << 20);
    ASSERT_TRUE(engine->read(0, all).ok());
    EXPECT_EQ(all, corrupt_image()) << late;
    std::vector<std::byte> odd(1001);
    ASSERT_TRUE(engine->read(0x20123, odd).ok());
    EXPECT_TRUE(std::ranges::equal(odd, Bytes(all).subspan(0x20123, 1001)));
    EXPECT_EQ(said(), "");
  }
}

TEST_F(Engine, AFastClockIsCaughtByReadingTwice) {
  start();
  auto engine = *RomEngine::open(*board, 0);
  std::vector<std::byte> page(4096);
  ASSERT_TRUE(engine->read(0x20000, page).ok());
  EXPECT_FALSE(std::ranges::equal(page, Bytes(corrupt_image()).subspan(0x20000, 4096)));
}

TEST_F(Engine, GatedAfterAHealthyBoot) {
  start({}, synthetic_ifwi());
  EXPECT_FALSE(*RomEngine::available(*board));
  const auto engine = RomEngine::open(*board);
  ASSERT_FALSE(engine.ok());
  EXPECT_EQ(engine.error().code, Errc::refused);
  EXPECT_EQ(engine.error().actual, 0x04000800u);
  EXPECT_THAT(describe(engine.error()), HasSubstr("the board booted from its flash (use probe and ifwi-all"));
}

TEST_F(Engine, NoChipAndBoardsThatAreNone) {
  start();
  rig->chip().set_faults({.absent = true});
  auto engine = *RomEngine::open(*board);
  spi::Nor nor(*engine, rig->time);
  EXPECT_EQ(nor.probe().error().code, Errc::not_found);
  rig->identity.device = 0x73bf;
  EXPECT_EQ(Board::open(rig->function(), rig->time).error().code, Errc::unsupported);
}

TEST_F(Engine, TheModelRefusesWhatSiliconWould) {
  start();
  auto& io = board->io();
  using C = regs::ROM_SW_CNTL;
  const auto go = [&](std::uint32_t count) {
    ASSERT_TRUE(io.write_raw<regs::ROM_SW_COMMAND>(spi::abi::RDID).ok());
    ASSERT_TRUE(io.write<C>({C::DATA_SIZE(count), C::ROM_SW_RETURN_DATA_ENABLE(1)}).ok());
  };
  go(4);
  EXPECT_TRUE(rig->referee.saw("rom.not_set_up"));
  rig->time.wait(std::chrono::seconds(1));
  EXPECT_EQ(io.read<regs::ROM_SW_STATUS>()->raw, 1u);
  auto engine = RomEngine::open(*board);
  ASSERT_TRUE(engine.ok());
  go(4);
  rig->time.wait(std::chrono::seconds(1));
  go(4);
  EXPECT_TRUE(rig->referee.saw("rom.not_cleared"));
  ASSERT_TRUE(io.write_raw<regs::ROM_SW_STATUS>(0).ok());
  go(257);
  EXPECT_TRUE(rig->referee.saw("rom.count"));
}

TEST_F(Engine, WindowInEveryPersonality) {
  const auto image = synthetic_ifwi();
  std::vector<std::byte> out(image.size());
  for (const Window w : {Window::natural, Window::advances, Window::swapped}) {
    start(with_window(w), image);
    const auto before = rig->register_values();
    const Status read = read_rom_window(*board, RomOrder::automatic, out, {});
    ASSERT_TRUE(read.ok()) << describe(read.error()) << " " << static_cast<int>(w);
    EXPECT_EQ(out, image);
    EXPECT_TRUE(check_rom_content("t", out).ok());
    EXPECT_EQ(rig->register_values(), before);
  }
  start(with_window(Window::swapped), image);
  EXPECT_TRUE(read_rom_window(*board, RomOrder::swapped, out, {}).ok());
  EXPECT_EQ(out, image);
  const auto natural = read_rom_window(*board, RomOrder::natural, out, {});
  ASSERT_FALSE(natural.ok());
  EXPECT_THAT(describe(natural.error()), HasSubstr("--rom-order"));
  start(with_window(Window::mirrored), image);
  ASSERT_TRUE(read_rom_window(*board, RomOrder::automatic, out, {}).ok());
  EXPECT_THAT(check_rom_content("t", out).error().detail, HasSubstr("both halves are equal"));
  start(with_window(Window::absent), image);
  EXPECT_EQ(read_rom_window(*board, RomOrder::automatic, out, {}).error().code, Errc::refused);
}

TEST_F(Engine, MailboxAnswersAndNamesItsErrors) {
  namespace v = abi::vbflash;
  start({}, synthetic_ifwi());
  FlashMailbox box(*board);
  EXPECT_TRUE(*box.ready());
  EXPECT_EQ(*box.must(v::kGetBootPartition), 0u);
  EXPECT_EQ(*box.must(v::kGetSpiModel), 0xc86015u);
  EXPECT_EQ(box.wanted()->item, abi::ifwi::kItemEfs);
  EXPECT_EQ(box.command(static_cast<v::Command>(0x55))->error, v::kInvalidCommand);
  EXPECT_EQ(box.command(v::kData, 1)->error, v::kStateTransfer);
  EXPECT_EQ(box.command(v::kStartTransfer, 0x01000008)->error, v::kInvalidParameter);  // it wants another item
  EXPECT_EQ(box.command(v::kLiveUpdate)->error, v::kWriteToSpi);
  for (unsigned code = 1; code <= v::kInitialisation; ++code) {
    rig->flash().mailbox().fail_next(v::kGetTransferType, static_cast<std::uint16_t>(code));
    const auto r = box.wanted();
    ASSERT_FALSE(r.ok());
    EXPECT_EQ(r.error().actual, code);
    EXPECT_THAT(describe(r.error()), HasSubstr(mailbox_error_name(code)));
  }
  rig->start_secure_os();
  EXPECT_THAT(describe(box.wanted().error()), HasSubstr("power-cycle the board and start no driver"));
  EXPECT_EQ(said(), "");
}

TEST_F(Engine, MailboxOfABoardThatDidNotBootIsNotReady) {
  start();
  FlashMailbox box(*board);
  EXPECT_FALSE(*box.ready());
  EXPECT_EQ(box.must(abi::vbflash::kGetBootPartition).error().code, Errc::busy);
  EXPECT_EQ(said(), "");
}

TEST_F(Engine, MailboxRulesAreWatched) {
  start();
  ASSERT_TRUE(board->io().write_raw<regs::MP0_SMN_C2PMSG_73>(1).ok());
  EXPECT_TRUE(rig->referee.saw("psp.flash_no_firmware"));
  start({}, synthetic_ifwi());
  ASSERT_TRUE(board->io().write_raw<regs::MP0_SMN_C2PMSG_115>(1u << 16).ok());
  ASSERT_TRUE(board->io().write_raw<regs::MP0_SMN_C2PMSG_73>(1).ok());
  ASSERT_TRUE(board->io().write_raw<regs::MP0_SMN_C2PMSG_73>(1).ok());
  EXPECT_TRUE(rig->referee.saw("psp.flash_busy"));
}

TEST_F(Engine, MailboxTransferRegisters) {
  start({}, synthetic_ifwi());
  std::vector<std::pair<std::string, std::uint32_t>> log;
  const auto map = *register_map();
  rig->on_write = [&](std::uint32_t dword, std::uint32_t value) {
    log.emplace_back(regs::RegisterMap::describe(*map.find(dword)), value);
  };
  FlashMailbox box(*board);
  std::vector<std::byte> payload(64u << 10);
  EXPECT_FALSE(box.send_item(8, payload, {}).ok());  // the firmware wants another item first
  EXPECT_EQ(log[0], (std::pair<std::string, std::uint32_t>("MP0_SMN_C2PMSG_116", 0x01000008)));
  EXPECT_EQ(log[1], (std::pair<std::string, std::uint32_t>("MP0_SMN_C2PMSG_115", 0x00080000)));
  EXPECT_EQ(log[2], (std::pair<std::string, std::uint32_t>("MP0_SMN_C2PMSG_73", 1)));
}

// A failure in the middle ends the transfer once; a failed end is not repeated.
TEST_F(Engine, ABrokenTransferIsEndedOnce) {
  namespace v = abi::vbflash;
  start({}, synthetic_ifwi());
  unsigned ends = 0;
  const auto address = rig->registers().address<regs::MP0_SMN_C2PMSG_115>();
  rig->on_write = [&](std::uint32_t dword, std::uint32_t value) {
    ends += dword == address && v::CommandId::in(value) == v::kEndTransfer;
  };
  FlashMailbox box(*board);
  const std::vector<std::byte> image = synthetic_ifwi();
  const Bytes item = Bytes(image).first(abi::ifwi::kEfsBytes);
  rig->flash().mailbox().fail_next(v::kData, v::kGeneric);
  EXPECT_FALSE(box.send_item(abi::ifwi::kItemEfs, item, {}).ok());
  EXPECT_EQ(ends, 1u);
  ends = 0;
  rig->flash().mailbox().fail_next(v::kEndTransfer, v::kWriteToSpi);
  EXPECT_FALSE(box.send_item(abi::ifwi::kItemEfs, item, {}).ok());
  EXPECT_EQ(ends, 1u);
}

}  // namespace
}  // namespace hcq::am::flash
