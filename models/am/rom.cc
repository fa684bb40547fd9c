// SPDX-License-Identifier: MIT
#include "models/am/rom.h"

#include <fmt/format.h>

#include <algorithm>
#include <cstring>

#include "drivers/spi/abi/nor.h"

namespace hcq::models::am {

namespace {

constexpr std::uint32_t kSpiPads = 0x780;           // bits 10:7 of the GPIO pad registers
constexpr std::uint32_t kGatedStatus = 0x04000800;  // what the engine shows while it is not available
constexpr unsigned kReferenceClockNs = 20;

std::uint32_t swap32(std::uint32_t v) { return __builtin_bswap32(v); }

}  // namespace

Rom::Rom(Registers& registers, Referee& referee, spi::NorChip& chip, spi::NorChip::Now now, RomOptions options)
    : registers_(registers), referee_(referee), chip_(chip), now_(std::move(now)), options_(options) {
  // Whatever the board's firmware left there: a driver has to put it back.
  registers_.reset_value<regs::SMU_GPIOPAD_MASK>(0x00000f83);
  registers_.reset_value<regs::SMU_GPIOPAD_A>(0x00000680);
  registers_.reset_value<regs::SMU_GPIOPAD_EN>(0x00000500);
  registers_.reset_value<regs::PAGE_MIRROR_CNTL>(0x00030000);
  registers_.reset_value<regs::ROM_CNTL>(0x00500003);
  add_engine();
  add_window();
}

void Rom::report(const char* rule, const char* where, std::uint32_t value, std::string text) {
  referee_.report(
      {"rom", rule, where, value, std::move(text), "SMUIO 13.0.6 register headers; flash tools for Navi31"});
}

void Rom::power_on() {
  const std::lock_guard lock(mutex_);
  armed_ = running_ = done_ = false;
  capture_.fill(std::byte{0});
  shown_.fill(std::byte{0});
  send_.fill(std::byte{0});
  index_ = 0;
}

void Rom::set_gated(bool on) {
  const std::lock_guard lock(mutex_);
  gated_ = on;
}

void Rom::add_engine() {
  registers_.describe<regs::ROM_STATUS>().writable = 0;
  registers_.on_read<regs::ROM_SW_STATUS>([this](std::uint32_t) {
    const std::lock_guard lock(mutex_);
    return status();
  });
  registers_.on_write<regs::ROM_SW_STATUS>([this](std::uint32_t value, std::uint32_t) {
    const std::lock_guard lock(mutex_);
    if (value == 0) done_ = false;
  });
  registers_.on_write<regs::ROM_SW_COMMAND>([this](std::uint32_t, std::uint32_t) {
    const std::lock_guard lock(mutex_);
    armed_ = true;
  });
  registers_.on_write<regs::ROM_SW_CNTL>([this](std::uint32_t value, std::uint32_t) { control_written(value); });
  for (unsigned i = 0; i < kDataDwords; ++i) {
    registers_.on_read<regs::ROM_SW_DATA_1>(
        [this, i](std::uint32_t) {
          const std::lock_guard lock(mutex_);
          std::uint32_t v;
          std::memcpy(&v, shown_.data() + 4 * i, 4);
          return v;
        },
        i);
    registers_.on_write<regs::ROM_SW_DATA_1>(
        [this, i](std::uint32_t value, std::uint32_t) {
          const std::lock_guard lock(mutex_);
          value = swap32(value);  // the first byte on the wire is the highest one
          std::memcpy(send_.data() + 4 * i, &value, 4);
        },
        i);
  }
}

std::uint32_t Rom::status() {
  if (gated_) return kGatedStatus;
  if (running_ && now_() >= end_) {
    running_ = false;
    done_ = true;
  }
  return done_ ? 1 : 0;
}

void Rom::control_written(std::uint32_t value) {
  const std::lock_guard lock(mutex_);
  if (!armed_) return;
  armed_ = false;
  if (gated_)
    return report("rom.gated", "ROM_SW_CNTL", value,
                  "the board runs from its flash; the software engine is not available");
  start(value);
}

// Pads given to the ROM block, mirror on in usage 1, plain single-line reads, clock not gated.
bool Rom::is_set_up() const {
  const auto mirror = registers_.get<regs::PAGE_MIRROR_CNTL>();
  const auto control = registers_.get<regs::ROM_CNTL>();
  const std::uint32_t pads = registers_.raw<regs::SMU_GPIOPAD_MASK>() | registers_.raw<regs::SMU_GPIOPAD_A>() |
                             registers_.raw<regs::SMU_GPIOPAD_EN>();
  return (pads & kSpiPads) == 0 && mirror[regs::PAGE_MIRROR_CNTL::PAGE_MIRROR_ENABLE] == 1 &&
         mirror[regs::PAGE_MIRROR_CNTL::PAGE_MIRROR_USAGE] == 1 && control[regs::ROM_CNTL::CLOCK_GATING_EN] == 0 &&
         control[regs::ROM_CNTL::READ_MODE] == 0 && control[regs::ROM_CNTL::READ_MODE_OVERRIDE] == 1;
}

void Rom::start(std::uint32_t raw) {
  const auto control = registers_.map().decode<regs::ROM_SW_CNTL>(raw);
  const std::uint32_t count = control[regs::ROM_SW_CNTL::DATA_SIZE];
  const bool receive = control[regs::ROM_SW_CNTL::ROM_SW_RETURN_DATA_ENABLE];
  if (status() != 0 || running_) return report("rom.not_cleared", "ROM_SW_CNTL", raw, "ROM_SW_STATUS was not cleared");
  if (count > kDataBytes) return report("rom.count", "ROM_SW_CNTL", raw, "a transaction has at most 256 data bytes");
  const auto scck = registers_.get<regs::ROM_CNTL>()[regs::ROM_CNTL::SCK_PRESCALE_REFCLK];
  const std::uint32_t command = registers_.raw<regs::ROM_SW_COMMAND>();
  std::array<std::byte, 4 + kDataBytes> out;
  std::size_t n = 0;
  out[n++] = std::byte(command & 0xff);
  for (unsigned i = 0; i < control[regs::ROM_SW_CNTL::COMMAND_SIZE] && i < 3; ++i)
    out[n++] = std::byte(command >> (24 - 8 * i) & 0xff);
  running_ = true;
  const double wire_ns = 8.0 * static_cast<double>(n + count) * kReferenceClockNs * (scck + 1) * options_.time_scale;
  end_ = now_() + std::chrono::nanoseconds(static_cast<std::int64_t>(wire_ns));
  if (!is_set_up()) {
    report("rom.not_set_up", "ROM_SW_CNTL", raw, "pads, page mirror or read mode were not set up for the engine");
    if (receive) shown_.fill(std::byte{0});
    return;
  }
  if (!receive) {
    std::copy_n(send_.begin(), count, out.begin() + n);
    return chip_.transact(Bytes(out).first(n + count), {});
  }
  if (options_.late) shown_ = capture_;
  chip_.transact(Bytes(out).first(n), MutableBytes(capture_).first(count));
  if (scck < options_.min_prescale)
    for (std::uint32_t i = 3; i < count; i += 5) capture_[i] ^= std::byte{0x10};
  if (!options_.late) shown_ = capture_;
}

void Rom::add_window() {
  using W = RomOptions::Window;
  registers_.on_write<regs::ROM_INDEX>([this](std::uint32_t value, std::uint32_t) {
    const std::lock_guard lock(mutex_);
    index_ = options_.window == W::swapped ? swap32(value) << 8 : value;
  });
  if (options_.window == W::swapped) {
    // Which bits exist is known only after the bytes have been turned round.
    for (RegisterSpec* r : {&registers_.describe<regs::ROM_CNTL>(), &registers_.describe<regs::ROM_INDEX>()})
      r->fields = r->writable = ~0u;
    registers_.on_write<regs::ROM_CNTL>(
        [this](std::uint32_t value, std::uint32_t) { registers_.set_raw<regs::ROM_CNTL>(swap32(value)); });
  }
  registers_.describe<regs::ROM_DATA>().writable = 0;
  registers_.on_read<regs::ROM_DATA>([this](std::uint32_t) {
    const std::lock_guard lock(mutex_);
    return window_read();
  });
  if (options_.window == W::absent)
    for (const std::uint32_t a : {registers_.address<regs::ROM_CNTL>(), registers_.address<regs::ROM_INDEX>()})
      registers_.bank().on_read(a, [](std::uint32_t) { return ~0u; });
}

std::uint32_t Rom::address_in_flash(std::uint32_t index) const {
  const std::uint32_t bytes = chip_.options().bytes;
  const std::uint32_t at = index % bytes & ~3u;
  return options_.window == RomOptions::Window::mirrored ? at % (bytes / 2) : at;
}

std::uint32_t Rom::window_read() {
  using W = RomOptions::Window;
  if (options_.window == W::absent) return ~0u;
  if (index_ % 4) report("smuio.rom_address", "ROM_INDEX", index_, "the ROM is read in aligned dwords");
  const bool advance = registers_.get<regs::ROM_CNTL>()[regs::ROM_CNTL::ROM_INDEX_ADDRESS_AUTO_INCREASE] ||
                       options_.window == W::advances;
  const std::uint32_t index = index_;
  if (advance) index_ += 4;
  if (index >= chip_.options().bytes && !options_.behind.empty()) {
    const std::uint32_t offset = index - chip_.options().bytes;
    std::uint32_t v = ~0u;
    if (offset + 4 <= options_.behind.size()) std::memcpy(&v, options_.behind.data() + offset, 4);
    return v;
  }
  const std::uint32_t at = address_in_flash(index);
  const std::array<std::byte, 4> out{std::byte{hcq::spi::abi::READ}, std::byte(at >> 16 & 0xff),
                                     std::byte(at >> 8 & 0xff), std::byte(at & 0xff)};
  std::uint32_t v = 0;
  chip_.transact(out, std::as_writable_bytes(std::span(&v, 1)));
  return v;
}

}  // namespace hcq::models::am
