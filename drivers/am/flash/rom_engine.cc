// SPDX-License-Identifier: MIT
#include "drivers/am/flash/rom_engine.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <cassert>
#include <cstring>

#include "base/log.h"
#include "drivers/spi/abi/nor.h"

namespace hcq::am::flash {
namespace {

using namespace regs;
using std::chrono::seconds;

constexpr std::uint32_t kSpiPads = 0x780;  // bits 10:7 of the GPIO pad registers belong to the SPI bus
constexpr std::size_t kLeastReceive = 2;   // a shorter capture does not show the register that was read
constexpr Clock::duration kTransactionLimit = seconds(2);

}  // namespace

Error gated_error(const std::string& device, std::uint32_t status) {
  return Error{.code = Errc::refused,
               .device = device,
               .operation = "flash/engine",
               .subject = "ROM_SW_STATUS",
               .expected = 0,
               .actual = status,
               .detail = "the engine is gated: the board booted from its flash",
               .hint = "use probe and ifwi-all, or the kernel driver's psp_vbflash"};
}

Result<bool> RomEngine::available(Board& board) {
  HCQ_TRY(board.io().write_raw<ROM_SW_STATUS>(0));
  return HCQ_TRY(board.io().read<ROM_SW_STATUS>()).raw == 0;
}

Result<std::unique_ptr<RomEngine>> RomEngine::open(Board& board, unsigned prescale) {
  if (!HCQ_TRY(available(board))) return gated_error(board.name(), HCQ_TRY(board.io().read<ROM_SW_STATUS>()).raw);
  std::unique_ptr<RomEngine> engine(new RomEngine(board));
  HCQ_TRY(engine->set_up(prescale));
  return engine;
}

RomEngine::~RomEngine() {
  const Status s = close();
  if (!s.ok()) log::warn("{}", describe(s.error()));
}

Status RomEngine::set_up(unsigned prescale) {
  assert(prescale <= kSlowestPrescale);
  const OperationScope scope(board_.link(), "flash/set_up");
  saved_.mask = HCQ_TRY(io_.read<SMU_GPIOPAD_MASK>()).raw;
  saved_.a = HCQ_TRY(io_.read<SMU_GPIOPAD_A>()).raw;
  saved_.en = HCQ_TRY(io_.read<SMU_GPIOPAD_EN>()).raw;
  saved_.mirror = HCQ_TRY(io_.read<PAGE_MIRROR_CNTL>()).raw;
  saved_.control = HCQ_TRY(io_.read<ROM_CNTL>()).raw;
  set_up_ = true;
  HCQ_TRY(io_.write_raw<SMU_GPIOPAD_MASK>(saved_.mask & ~kSpiPads));
  HCQ_TRY(io_.write_raw<SMU_GPIOPAD_A>(saved_.a & ~kSpiPads));
  HCQ_TRY(io_.write_raw<SMU_GPIOPAD_EN>(saved_.en & ~kSpiPads));
  HCQ_TRY(
      io_.update<PAGE_MIRROR_CNTL>({PAGE_MIRROR_CNTL::PAGE_MIRROR_ENABLE(1), PAGE_MIRROR_CNTL::PAGE_MIRROR_USAGE(1)}));
  HCQ_TRY(
      io_.update<ROM_CNTL>({ROM_CNTL::SCK_PRESCALE_REFCLK(prescale), ROM_CNTL::SCK_PRESCALE_REFCLK_OVERRIDE(1),
                            ROM_CNTL::READ_MODE(0), ROM_CNTL::READ_MODE_OVERRIDE(1), ROM_CNTL::CLOCK_GATING_EN(0)}));
  HCQ_TRY(clear());
  return {};
}

Status RomEngine::close() {
  if (!set_up_ || board_.link().lost()) return {};
  set_up_ = false;
  const OperationScope scope(board_.link(), "flash/restore_registers");
  HCQ_TRY(clear());
  HCQ_TRY(io_.write_raw<ROM_CNTL>(saved_.control));
  HCQ_TRY(io_.write_raw<PAGE_MIRROR_CNTL>(saved_.mirror));
  HCQ_TRY(io_.write_raw<SMU_GPIOPAD_A>(saved_.a));
  HCQ_TRY(io_.write_raw<SMU_GPIOPAD_EN>(saved_.en));
  return io_.write_raw<SMU_GPIOPAD_MASK>(saved_.mask);
}

Status RomEngine::clear() {
  HCQ_TRY(io_.write_raw<ROM_SW_CNTL>(0));
  return io_.write_raw<ROM_SW_STATUS>(0);
}

// One transaction. Its last act clears the engine for the next one.
Status RomEngine::transact(const spi::Command& command, std::size_t count, bool receive, Bytes out) {
  assert(set_up_ && count <= kMaxData);
  const OperationScope scope(board_.link(), "flash/transaction");
  const std::uint32_t before = HCQ_TRY(io_.read<ROM_SW_STATUS>()).raw;
  if (before != 0) return gated_error(board_.name(), before);
  HCQ_TRY(io_.write<ROM_SW_COMMAND>({ROM_SW_COMMAND::ROM_SW_INSTRUCTION(command.instruction),
                                     ROM_SW_COMMAND::ROM_SW_ADDRESS(command.address & 0xffffff)}));
  for (std::size_t i = 0; i < out.size(); i += 4) {
    std::uint32_t word = 0;
    std::memcpy(&word, out.data() + i, std::min<std::size_t>(4, out.size() - i));
    // The first byte on the wire is the highest one.
    HCQ_TRY(io_.write_raw<ROM_SW_DATA_1>(__builtin_bswap32(word), {.index = static_cast<unsigned>(i / 4)}));
  }
  HCQ_TRY(io_.write<ROM_SW_CNTL>({ROM_SW_CNTL::DATA_SIZE(static_cast<std::uint32_t>(count)),
                                  ROM_SW_CNTL::COMMAND_SIZE(command.has_address ? 3 : 0),
                                  ROM_SW_CNTL::ROM_SW_RETURN_DATA_ENABLE(receive)}));
  HCQ_TRY(io_.read<ROM_SW_CNTL>());  // the write has arrived when this returns
  std::uint32_t status = 0;
  const bool done = HCQ_TRY(wait_until(board_.pacer(), kTransactionLimit, [&]() -> Result<bool> {
    const auto v = HCQ_TRY(io_.read<ROM_SW_STATUS>());
    status = v.raw;
    return v[ROM_SW_STATUS::ROM_SW_DONE] == 1;
  }));
  if (!done) {
    Error e = board_.link().error(Errc::timeout, "ROM_SW_STATUS.ROM_SW_DONE",
                                  fmt::format("instruction {:#04x} did not end", command.instruction));
    e.expected = 1;
    e.actual = status;
    e.address = command.address;
    return e;
  }
  return {};
}

// Takes what the engine shows, and clears it.
Status RomEngine::fetch(MutableBytes data) {
  for (std::size_t i = 0; i < data.size(); i += 4) {
    const std::uint32_t word = HCQ_TRY(io_.read<ROM_SW_DATA_1>({.index = static_cast<unsigned>(i / 4)})).raw;
    std::memcpy(data.data() + i, &word, std::min<std::size_t>(4, data.size() - i));
  }
  return clear();
}

Status RomEngine::send(const spi::Command& command, Bytes data) {
  HCQ_TRY(transact(command, data.size(), false, data));
  return clear();
}

Status RomEngine::receive(const spi::Command& command, MutableBytes data) {
  const std::size_t count = std::max(data.size(), kLeastReceive);
  HCQ_TRY(transact(command, count, true, {}));
  HCQ_TRY(clear());
  HCQ_TRY(transact(command, count, true, {}));
  return fetch(data);
}

Status RomEngine::read_twice(std::uint32_t address, MutableBytes data) {
  for (std::size_t at = 0; at < data.size(); at += kMaxData)
    HCQ_TRY(receive(
        {.instruction = spi::abi::READ, .has_address = true, .address = address + static_cast<std::uint32_t>(at)},
        data.subspan(at, std::min(kMaxData, data.size() - at))));
  return {};
}

// Two different instructions after each other: what the second shows must be what the first received.
Result<bool> RomEngine::exactly_one_late() {
  std::array<std::byte, 4> id{}, shown{};
  HCQ_TRY(receive({.instruction = spi::abi::RDID}, id));
  const spi::Command other{.instruction = spi::abi::SFDP, .has_address = true, .address = 0};
  HCQ_TRY(transact(other, id.size(), true, {}));
  HCQ_TRY(clear());
  HCQ_TRY(transact({.instruction = spi::abi::RDID}, id.size(), true, {}));
  HCQ_TRY(clear());
  HCQ_TRY(transact(other, id.size(), true, {}));
  HCQ_TRY(fetch(shown));
  return shown == id;
}

// Each transaction shows what the one before it received: k pieces cost k + 1 transactions instead of 2 k.
Status RomEngine::read_in_a_row(std::uint32_t address, MutableBytes data) {
  const std::size_t pieces = (data.size() + kMaxData - 1) / kMaxData;
  for (std::size_t i = 0; i <= pieces; ++i) {
    const std::size_t piece = std::min(i, pieces - 1) * kMaxData;
    const spi::Command command{
        .instruction = spi::abi::READ, .has_address = true, .address = address + static_cast<std::uint32_t>(piece)};
    HCQ_TRY(transact(command, std::min(kMaxData, data.size() - piece), true, {}));
    if (i == 0) {
      HCQ_TRY(clear());
      continue;
    }
    const std::size_t before = (i - 1) * kMaxData;
    HCQ_TRY(fetch(data.subspan(before, std::min(kMaxData, data.size() - before))));
  }
  return {};
}

Status RomEngine::read(std::uint32_t address, MutableBytes data) {
  constexpr std::size_t kTest = 3 * kMaxData;
  if (data.size() < kTest || rows_ == Rows::bad) return read_twice(address, data);
  if (rows_ == Rows::untested) {
    std::array<std::byte, kTest> twice{}, row{};
    HCQ_TRY(read_twice(address, twice));
    HCQ_TRY(read_in_a_row(address, row));
    rows_ = HCQ_TRY(exactly_one_late()) && twice == row ? Rows::good : Rows::bad;
    if (rows_ == Rows::bad) return read_twice(address, data);
  }
  return read_in_a_row(address, data);
}

}  // namespace hcq::am::flash
