// SPDX-License-Identifier: MIT
#include "drivers/spi/nor.h"

#include <fmt/format.h>

#include <algorithm>
#include <cassert>

#include "drivers/spi/abi/nor.h"
#include "drivers/spi/tables/chips.h"

namespace hcq::spi {
namespace {

using std::chrono::microseconds;
using std::chrono::milliseconds;

// Worst cases of the data sheets are 0.4 s for a sector, 2.4 ms for a page and some tens of ms for the registers.
constexpr Clock::duration kEraseLimit = milliseconds(2000), kProgramLimit = milliseconds(1000),
                          kStatusLimit = milliseconds(1000);

const KnownChip* find_chip(const std::array<std::uint8_t, 3>& jedec) {
  const auto it = std::ranges::find(kChips, jedec, &KnownChip::jedec);
  return it == kChips.end() ? nullptr : &*it;
}

}  // namespace

std::string ChipIdentity::text() const {
  return fmt::format("{} ({:02x} {:02x} {:02x})", name, jedec[0], jedec[1], jedec[2]);
}

Error Nor::error(Errc code, const char* operation, std::uint32_t address, std::string detail) {
  Error e{.code = code,
          .device = controller_.name(),
          .operation = operation,
          .subject = identity_.text(),
          .address = address,
          .detail = std::move(detail)};
  const auto s = status();
  if (s.ok()) e.detail += fmt::format("; status registers {:02x} {:02x} {:02x}", s->sr1, s->sr2, s->sr3);
  return e;
}

// The capture may begin in the middle of the id, because the chip repeats it: a known id is looked for at every place.
Status Nor::read_jedec() {
  std::array<std::uint8_t, 4> first{}, second{};
  for (auto* capture : {&first, &second})
    HCQ_TRY(controller_.receive({.instruction = abi::RDID}, std::as_writable_bytes(std::span(*capture))));
  const auto all = [&](std::uint8_t v) { return std::ranges::all_of(first, [v](std::uint8_t b) { return b == v; }); };
  Error e{.code = Errc::not_found, .device = controller_.name(), .operation = "flash/jedec"};
  e.actual = std::uint32_t{first[0]} << 16 | first[1] << 8 | first[2];
  if (first != second) {
    e.code = Errc::corrupt;
    e.detail = "two reads of the chip's id differ";
    e.hint = "try a slower clock with --prescale 15";
    return e;
  }
  if (all(0) || all(0xff)) {
    e.detail = "no flash chip answers";
    e.hint = "check that the board has power";
    return e;
  }
  identity_.jedec = {first[0], first[1], first[2]};
  for (unsigned start = 0; start < 4; ++start) {
    const std::array<std::uint8_t, 3> id{first[start], first[(start + 1) % 4], first[(start + 2) % 4]};
    if (find_chip(id)) identity_.jedec = id;
  }
  return {};
}

void Nor::read_sfdp() {
  std::array<std::byte, 256> data{};
  const Status s = controller_.receive({.instruction = abi::SFDP, .has_address = true, .address = 0}, data);
  auto info = s.ok() ? parse_sfdp(data, identity_.text()) : Result<SfdpInfo>(s.error());
  if (info.ok()) identity_.sfdp = *info;
  else identity_.sfdp_problem = info.error().detail.empty() ? describe(info.error()) : info.error().detail;
}

// A process that was ended in the middle may have left the chip at work; then it answers nothing but its status.
Status Nor::wait_for_earlier_work() {
  const std::uint8_t sr1 = HCQ_TRY(read_register(abi::RDSR1));
  if (sr1 == 0xff || !(sr1 & abi::WIP)) return {};
  return wait_ready("flash/probe", 0, kEraseLimit, milliseconds(2));
}

Status Nor::probe() {
  identity_ = {.name = "unknown chip"};
  HCQ_TRY(wait_for_earlier_work());
  HCQ_TRY(read_jedec());
  const KnownChip* known = find_chip(identity_.jedec);
  identity_.name = known ? known->name : "unknown chip";
  identity_.protection_known = known && known->gd25_protection;
  read_sfdp();
  if (known) identity_.bytes = known->bytes;
  else if (identity_.sfdp && identity_.sfdp->size_bytes <= 16u << 20)
    identity_.bytes = static_cast<std::uint32_t>(identity_.sfdp->size_bytes);
  return {};
}

Status Nor::check_writable_kind() const {
  Error e{
      .code = Errc::refused, .device = controller_.name(), .operation = "flash/identity", .subject = identity_.text()};
  if (!identity_.sfdp) {
    e.detail = "the chip's self-description cannot be read: " + identity_.sfdp_problem;
  } else if (identity_.sfdp->size_bytes != identity_.bytes) {
    e.expected = identity_.bytes;
    e.actual = identity_.sfdp->size_bytes;
    e.detail = "the size by its id and the size that the chip describes differ";
  } else if (!identity_.sfdp->erase_4k || identity_.sfdp->erase_4k_instruction != abi::SE) {
    e.detail = "the chip does not declare a 4 KiB erase with instruction 0x20";
  } else if (!identity_.protection_known) {
    e.detail = "it is not known how this chip's status registers protect it";
  } else {
    return {};
  }
  return e;
}

Result<std::uint8_t> Nor::read_register(std::uint8_t instruction) {
  std::array<std::byte, 1> v{};
  HCQ_TRY(controller_.receive({.instruction = instruction}, v));
  return std::to_integer<std::uint8_t>(v[0]);
}

Result<StatusRegisters> Nor::status() {
  StatusRegisters s;
  s.sr1 = HCQ_TRY(read_register(abi::RDSR1));
  s.sr2 = HCQ_TRY(read_register(abi::RDSR2));
  s.sr3 = HCQ_TRY(read_register(abi::RDSR3));
  return s;
}

Status Nor::read(std::uint32_t address, MutableBytes out) {
  assert(address + out.size() <= identity_.bytes);
  return controller_.read(address, out);
}

Status Nor::enable_write(const char* operation, std::uint32_t address) {
  HCQ_TRY(controller_.send({.instruction = abi::WREN}, {}));
  const std::uint8_t sr1 = HCQ_TRY(read_register(abi::RDSR1));
  if (sr1 & abi::WEL && !(sr1 & abi::WIP)) return {};
  Error e = error(Errc::device_fault, operation, address, "the chip did not take the write-enable");
  e.expected = abi::WEL;
  e.actual = sr1;
  return e;
}

Status Nor::wait_ready(const char* operation, std::uint32_t address, Clock::duration limit, Clock::duration poll) {
  const auto end = pacer_.now() + limit;
  for (;;) {
    // Looked at once more after the deadline: the thread may have slept through a good answer.
    const bool last = pacer_.now() >= end;
    const std::uint8_t sr1 = HCQ_TRY(read_register(abi::RDSR1));
    if (!(sr1 & abi::WIP)) return {};
    if (last) {
      Error e = error(Errc::timeout, operation, address,
                      fmt::format("still busy after {} ms", std::chrono::duration_cast<milliseconds>(limit).count()));
      e.expected = 0;
      e.actual = sr1;
      return e;
    }
    pacer_.wait(poll);
  }
}

Status Nor::erase_sector(std::uint32_t address) {
  assert(address % abi::kSectorBytes == 0 && address < identity_.bytes);
  HCQ_TRY(enable_write("flash/erase", address));
  HCQ_TRY(controller_.send({.instruction = abi::SE, .has_address = true, .address = address}, {}));
  return wait_ready("flash/erase", address, kEraseLimit, milliseconds(2));
}

Status Nor::program_page(std::uint32_t address, Bytes data) {
  assert(!data.empty() && address % abi::kPageBytes + data.size() <= abi::kPageBytes);
  HCQ_TRY(enable_write("flash/program", address));
  HCQ_TRY(controller_.send({.instruction = abi::PP, .has_address = true, .address = address}, data));
  return wait_ready("flash/program", address, kProgramLimit, microseconds(200));
}

Status Nor::write_status(std::uint8_t sr1, std::uint8_t sr2) {
  HCQ_TRY(enable_write("flash/write_status", 0));
  const std::array values{std::byte{sr1}, std::byte{sr2}};
  HCQ_TRY(controller_.send({.instruction = abi::WRSR}, values));
  HCQ_TRY(wait_ready("flash/write_status", 0, kStatusLimit, milliseconds(2)));
  const StatusRegisters now = HCQ_TRY(status());
  constexpr std::uint8_t kVolatile = abi::WIP | abi::WEL;
  if (((now.sr1 ^ sr1) & ~kVolatile) == 0 && now.sr2 == sr2) return {};
  Error e = error(Errc::device_fault, "flash/write_status", 0, "the status registers did not take the new value");
  e.expected = sr1 | sr2 << 8;
  e.actual = now.sr1 | now.sr2 << 8;
  if (register_lock(now) != RegisterLock::none) e.hint = std::string("they are ") + describe(register_lock(now));
  return e;
}

}  // namespace hcq::spi
