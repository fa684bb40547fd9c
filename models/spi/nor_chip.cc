// SPDX-License-Identifier: MIT
#include "models/spi/nor_chip.h"

#include <fmt/format.h>

#include <algorithm>
#include <cassert>
#include <cstring>

#include "drivers/spi/abi/nor.h"

namespace hcq::models::spi {

namespace {

namespace abi = hcq::spi::abi;

constexpr const char* kSource = "GD25LQ16 data sheet, instruction descriptions";

std::uint32_t address_of(Bytes out) {
  return std::to_integer<std::uint32_t>(out[1]) << 16 | std::to_integer<std::uint32_t>(out[2]) << 8 |
         std::to_integer<std::uint32_t>(out[3]);
}

bool is_status_read(std::uint8_t i) { return i == abi::RDSR1 || i == abi::RDSR2 || i == abi::RDSR3; }

}  // namespace

NorChip::NorChip(NorOptions options, Now now, Referee& referee)
    : options_(options),
      now_(std::move(now)),
      referee_(referee),
      rng_(options.seed),
      cells_(options.bytes, std::byte{0xff}) {
  assert(is_pow2(options.bytes) && options.bytes >= abi::kSectorBytes);
}

void NorChip::report(const char* rule, std::uint64_t value, std::string text) {
  referee_.report({"spi", rule, "flash chip", value, std::move(text), kSource});
}

void NorChip::fill(MutableBytes in, std::uint8_t value) { std::fill(in.begin(), in.end(), std::byte{value}); }

void NorChip::transact(Bytes out, MutableBytes in) {
  const std::lock_guard lock(mutex_);
  fill(in, 0xff);  // the line is pulled up
  if (out.empty() || faults_.absent) return;
  settle();
  command(out, in);
  if (faults_.bit_error_one_in == 0) return;
  for (std::byte& b : in)
    for (unsigned bit = 0; bit < 8; ++bit)
      if (random(faults_.bit_error_one_in) == 0) b ^= std::byte{1} << bit;
}

void NorChip::command(Bytes out, MutableBytes in) {
  const auto instruction = std::to_integer<std::uint8_t>(out[0]);
  const bool busy = op_.work != Work::none;
  if (asleep_) {
    if (instruction == abi::RDP) asleep_ = false;
    return;
  }
  if (busy && !is_status_read(instruction))
    return report("spi.busy", instruction,
                  fmt::format("instruction {:#04x} came while the chip was busy", instruction));
  const bool addressed = out.size() >= 4;
  switch (instruction) {
    case abi::RDSR1:
      return fill(in, static_cast<std::uint8_t>(sr1_ | (busy ? abi::WIP : 0) | (latch_ ? abi::WEL : 0)));
    case abi::RDSR2:
      return fill(in, sr2_);
    case abi::RDSR3:
      return fill(in, sr3_);
    case abi::WREN:
      ++counts_.write_enables;
      latch_ = !faults_.ignore_write_enable;
      return;
    case abi::WRDI:
      latch_ = false;
      return;
    case abi::RDID:
      for (std::size_t i = 0; i < in.size(); ++i) in[i] = std::byte{options_.jedec[i % 3]};
      return;
    case abi::DP:
      asleep_ = true;
      return;
    case abi::RDP:
    case abi::RSTEN:
      return;
    case abi::RST:
      latch_ = false;
      return;
    case abi::SFDP:
      if (!faults_.no_sfdp && addressed) {
        // The first byte after the address is the dummy byte, when the controller did not send one.
        const std::vector<std::byte> table = sfdp();
        const std::size_t skip = out.size() > 4 ? 0 : 1;
        for (std::size_t i = skip; i < in.size(); ++i) in[i] = table[(address_of(out) + i - skip) % table.size()];
      }
      return;
    case abi::READ:
      if (addressed) read(address_of(out), in);
      return;
    case abi::PP:
      return program(out);
    case abi::WRSR:
      return write_status(out);
    case abi::SE:
      return erase(out, abi::kSectorBytes, 30'000, 90'000);
    case abi::BE32:
      return erase(out, 32u << 10, 120'000, 400'000);
    case abi::BE64:
      return erase(out, 64u << 10, 150'000, 500'000);
    case abi::CE:
    case abi::CE2:
      return erase(out, options_.bytes, 7'000'000, 15'000'000);
    default:
      report("spi.unknown_instruction", instruction,
             fmt::format("the chip does not know instruction {:#04x}", instruction));
  }
}

// Protection by the family's table: BP2:0 the length, BP4 its unit, BP3 the side, CMP the complement.
std::pair<std::uint32_t, std::uint32_t> NorChip::protection() const {
  static constexpr std::uint32_t kBlocks[8] = {0, 64, 128, 256, 512, 1024, 2048, ~0u};  // KiB
  static constexpr std::uint32_t kSectors[8] = {0, 4, 8, 16, 32, 32, 32, ~0u};
  const std::uint32_t kib = (sr1_ & abi::BP4 ? kSectors : kBlocks)[sr1_ / abi::BP0 & 7];
  const std::uint32_t bytes = kib >= options_.bytes >> 10 ? options_.bytes : kib << 10;
  const bool at_bottom = sr1_ & abi::BP3;
  if (!(sr2_ & abi::CMP)) return {at_bottom ? 0 : options_.bytes - bytes, bytes};
  return {at_bottom ? bytes : 0, options_.bytes - bytes};
}

bool NorChip::may_write(const char* what, std::uint32_t address, std::uint32_t size) {
  if (!latch_) {
    report("spi.no_write_enable", address, fmt::format("{} without the write-enable latch does nothing", what));
    return false;
  }
  const auto [at, length] = protection();
  if (length != 0 && address < at + length && at < address + size) {
    latch_ = false;
    report("spi.protected", address, fmt::format("{} into a protected range does nothing", what));
    return false;
  }
  return true;
}

void NorChip::start(Work work, std::uint32_t address, std::uint32_t size, std::vector<std::byte> data,
                    unsigned least_us, unsigned most_us) {
  auto microseconds = static_cast<double>(least_us + random(most_us - least_us + 1)) * options_.time_scale;
  if (faults_.stuck_busy) microseconds = 1e12;
  op_ = {work, now_() + std::chrono::nanoseconds(static_cast<std::int64_t>(microseconds * 1000)), address, size,
         std::move(data)};
}

void NorChip::erase(Bytes out, std::uint32_t size, unsigned least_us, unsigned most_us) {
  const bool whole = size == options_.bytes;
  if (!whole && out.size() != 4) return report("spi.length", out.size(), "an erase takes exactly three address bytes");
  const std::uint32_t address = whole ? 0 : address_of(out) % options_.bytes / size * size;
  if (may_write("an erase", address, size)) start(Work::erase, address, size, {}, least_us, most_us);
}

// Bytes beyond the end of the page go on at its beginning; of more than 256 bytes the last 256 count.
void NorChip::program(Bytes out) {
  if (out.size() < 5) return report("spi.length", out.size(), "a page program takes an address and data");
  const std::uint32_t address = address_of(out) % options_.bytes;
  const std::uint32_t page = address / abi::kPageBytes * abi::kPageBytes;
  if (!may_write("a program", page, abi::kPageBytes)) return;
  std::vector<std::byte> buffer(abi::kPageBytes, std::byte{0xff});
  for (std::size_t i = 4; i < out.size(); ++i) buffer[(address + i - 4) % abi::kPageBytes] = out[i];
  for (std::uint32_t i = 0; i < abi::kPageBytes; ++i) buffer[i] &= cells_[page + i];
  start(Work::program, page, abi::kPageBytes, std::move(buffer), 300, 2400);
}

void NorChip::write_status(Bytes out) {
  if (!latch_) return report("spi.no_write_enable", 0, "WRSR without the write-enable latch does nothing");
  if (out.size() < 2 || out.size() > 3) return report("spi.length", out.size(), "WRSR takes one or two bytes");
  // SRP1 = 1 locks the registers until a power cycle or for ever; SRP0 alone leaves it to the pin, which is high here.
  if (sr2_ & abi::SRP1) {
    latch_ = false;
    return report("spi.register_lock", sr2_, "the status registers are locked by SRP1");
  }
  std::vector<std::byte> values{out[1], out.size() > 2 ? out[2] : std::byte{sr2_}};
  if (out.size() == 2 && options_.one_byte_wrsr_clears_sr2) values[1] = std::byte{0};
  values[0] &= ~std::byte{abi::WIP | abi::WEL};
  values[1] |= std::byte{sr2_} & std::byte{abi::LB1 | abi::LB2 | abi::LB3};  // one-time bits stay set
  start(Work::status, 0, 2, std::move(values), 5'000, 30'000);
}

void NorChip::settle() {
  if (op_.work == Work::none || now_() < op_.end) return;
  finish(op_);
  op_ = {};
  latch_ = false;
}

void NorChip::finish(const Operation& op) {
  if (op.work == Work::status) {
    ++counts_.status_writes;
    sr1_ = std::to_integer<std::uint8_t>(op.data[0]);
    sr2_ = std::to_integer<std::uint8_t>(op.data[1]);
    return;
  }
  const bool dead = op.work == Work::erase && faults_.dead_sector - op.address < op.size;
  if (!dead) unstable_.erase(unstable_.lower_bound(op.address), unstable_.lower_bound(op.address + op.size));
  if (op.work == Work::program) {
    ++counts_.programs;
    if (faults_.stuck_page != op.address) std::copy(op.data.begin(), op.data.end(), cells_.begin() + op.address);
    return;
  }
  ++counts_.erases;
  std::fill_n(cells_.begin() + op.address, op.size, std::byte{0xff});
  if (dead) cells_[faults_.dead_sector + 5] = std::byte{0xdd};
}

// Cells do not fail together: each is where its own physics left it.
void NorChip::interrupt(const Operation& op) {
  if (op.work == Work::status) {
    if (random(2)) sr1_ = std::to_integer<std::uint8_t>(op.data[0]);
    if (random(2)) sr2_ = std::to_integer<std::uint8_t>(op.data[1]);
    return;
  }
  for (std::uint32_t i = 0; i < op.size; ++i) {
    std::byte& cell = cells_[op.address + i];
    if (op.work == Work::program) {
      const std::byte cleared = cell & ~op.data[i];
      cell &= ~(cleared & std::byte(random(256)));
      continue;
    }
    switch (random(4)) {
      case 0:
        cell = std::byte{0xff};
        break;
      case 1:
        cell |= std::byte(random(256));
        break;
      case 2:
        unstable_[op.address + i] = static_cast<std::uint8_t>(random(256)) & ~std::to_integer<std::uint8_t>(cell);
        break;
      default:
        break;
    }
  }
}

void NorChip::read(std::uint32_t address, MutableBytes out) {
  for (std::size_t done = 0; done < out.size();) {
    const std::uint32_t at = (address + static_cast<std::uint32_t>(done)) % options_.bytes;
    const std::size_t n = std::min<std::size_t>(out.size() - done, options_.bytes - at);
    std::memcpy(out.data() + done, cells_.data() + at, n);
    for (auto it = unstable_.lower_bound(at); it != unstable_.end() && it->first < at + n; ++it)
      out[done + it->first - at] |= std::byte(random(256)) & std::byte{it->second};
    done += n;
  }
}

void NorChip::cut_power() {
  const std::lock_guard lock(mutex_);
  settle();
  if (op_.work != Work::none) interrupt(op_);
  op_ = {};
  latch_ = asleep_ = false;
  // SRP1 alone is a lock that ends with the power.
  if (sr2_ & abi::SRP1 && !(sr1_ & abi::SRP0)) sr2_ &= static_cast<std::uint8_t>(~abi::SRP1);
}

// JESD216: one parameter header, one basic table of nine dwords.
std::vector<std::byte> NorChip::sfdp() const {
  struct {
    abi::SfdpHeader header;
    abi::SfdpTableHeader table;
    std::byte gap[32];
    abi::SfdpBasicTable basic;
  } all{};
  constexpr std::uint8_t kPointer = 0x30;
  static_assert(offsetof(decltype(all), basic) == kPointer);
  std::memset(&all, 0xff, sizeof all);
  all.header = {abi::kSfdpSignature, 0, 1, 0, 0xff};
  all.table = {0x00, 0, 1, sizeof(abi::SfdpBasicTable) / 4, {kPointer, 0, 0}, 0xff};
  const std::uint64_t bytes = faults_.sfdp_bytes ? faults_.sfdp_bytes : options_.bytes;
  all.basic = {};
  all.basic.erase_and_writes = 0xe5;
  all.basic.erase_4k = abi::SE;
  all.basic.features = 0xfff1;
  all.basic.density = static_cast<std::uint32_t>(bytes * 8 - 1);
  all.basic.erase[0] = {12, abi::SE};
  all.basic.erase[1] = {15, abi::BE32};
  all.basic.erase[2] = {16, abi::BE64};
  std::vector<std::byte> out(256, std::byte{0xff});
  std::memcpy(out.data(), &all, sizeof all);
  return out;
}

std::vector<std::byte> NorChip::content() const {
  const std::lock_guard lock(mutex_);
  return cells_;
}

void NorChip::set_content(Bytes content) {
  const std::lock_guard lock(mutex_);
  assert(content.size() == cells_.size());
  std::copy(content.begin(), content.end(), cells_.begin());
  unstable_.clear();
}

std::uint8_t NorChip::status1() const {
  const std::lock_guard lock(mutex_);
  return sr1_;
}

std::uint8_t NorChip::status2() const {
  const std::lock_guard lock(mutex_);
  return sr2_;
}

void NorChip::set_status(std::uint8_t sr1, std::uint8_t sr2) {
  const std::lock_guard lock(mutex_);
  sr1_ = sr1 & static_cast<std::uint8_t>(~(abi::WIP | abi::WEL));
  sr2_ = sr2;
}

bool NorChip::protected_at(std::uint32_t address) const {
  const std::lock_guard lock(mutex_);
  const auto [at, length] = protection();
  return address >= at && address - at < length;
}

void NorChip::set_faults(const NorFaults& f) {
  const std::lock_guard lock(mutex_);
  faults_ = f;
}

NorChip::Counts NorChip::counts() const {
  const std::lock_guard lock(mutex_);
  return counts_;
}

}  // namespace hcq::models::spi
