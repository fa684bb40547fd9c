// SPDX-License-Identifier: MIT
// Assembly of the Navi31 model, and the bus side of it: which accesses reach the chip, and what the host sees when they
// do not.
#include "models/am/navi31.h"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <array>
#include <bit>
#include <charconv>
#include <cstdlib>
#include <cstring>
#include <shared_mutex>

#include "drivers/am/abi/discovery.h"
#include "drivers/pci/function.h"
#include "models/am/board_flash.h"
#include "models/am/chip.h"
#include "models/am/config_space.h"
#include "models/am/discovery.h"
#include "models/am/engines.h"
#include "models/am/interrupts.h"
#include "models/am/known_firmware.h"
#include "models/am/nbio.h"
#include "models/am/psp.h"
#include "models/am/rlc.h"
#include "models/am/smu.h"
#include "models/am/vbios.h"

namespace hcq::models::am {

namespace {

using std::chrono::microseconds;
// What amdgpu boards reserve at the end of VRAM differs and stands in their VBIOS; this is the model's choice.
constexpr std::uint64_t kFirmwareReserve = 8u << 20;
constexpr std::uint64_t kMiB = 1u << 20, kDefaultVram = 1024 * kMiB, kSmallBar = 256 * kMiB;

// What FaultPlan::hook is asked about (README.md).
constexpr std::array<std::string_view, 14> kFaultPoints{"psp/never_ready",   "psp/bootloader_hang",
                                                        "psp/sos_dead",      "psp/ring_control_hang",
                                                        "psp/command_hang",  "psp/command_status",
                                                        "smu/timeout",       "smu/failed",
                                                        "rlc/never_boots",   "rlc/safe_mode_hang",
                                                        "ih/lost_interrupt", "cp/hang",
                                                        "wave/hang",         "sdma/hang"};

std::uint64_t all_ones(unsigned size) { return size >= 8 ? ~0ull : (1ull << 8 * size) - 1; }

// How the board's flash is at power-on, from the address's options.
struct FlashSetup {
  std::string content = "healthy", file, window = "advances";
  unsigned speed = 1;  // how many times faster than real parts
};

class Navi31 final : public Device {
 public:
  Navi31(const Options& options, regs::RegisterMap map, std::unique_ptr<SparseMemory> memory,
         ConfigSpace::BarSizes bars, std::vector<std::byte> discovery, std::uint64_t reserve);
  ~Navi31() override;

  void plug(HostPort* port) override;
  void unplug() override;
  std::uint32_t config_read(std::uint16_t offset, unsigned size) override;
  void config_write(std::uint16_t offset, unsigned size, std::uint32_t value) override;
  std::uint64_t bar_size(unsigned bar) const override { return config_.bar_size(bar); }
  std::uint64_t read(unsigned bar, std::uint64_t offset, unsigned size) override;
  void write(unsigned bar, std::uint64_t offset, unsigned size, std::uint64_t value) override;
  void read_block(unsigned bar, std::uint64_t offset, MutableBytes out) override;
  void write_block(unsigned bar, std::uint64_t offset, Bytes in) override;
  std::uint64_t resizable_sizes(unsigned bar) const override { return config_.resizable_sizes(bar); }
  bool resize_bar(unsigned bar, unsigned log2_mib) override { return config_.resize(bar, log2_mib); }
  void function_reset() override;
  Referee& referee() override { return chip_.referee; }
  FaultPlan& faults() override { return chip_.faults; }
  std::uint64_t accesses() const override { return accesses_.load(std::memory_order_relaxed); }
  std::string describe(unsigned bar, std::uint64_t offset) const override;
  SharedBar shared_bar(unsigned bar) const override {
    if (bar != 0 || !chip_.vram->shared()) return {};
    return {chip_.vram->fd(), chip_.vram->data(), chip_.vram->size()};
  }

  Chip& chip() { return chip_; }
  void add(std::unique_ptr<Block> block) {
    chip_.blocks.push_back(block.get());
    owned_.push_back(std::move(block));
  }
  Status assemble(KnownFirmware known, std::chrono::milliseconds sos_start, const FlashSetup& flash);

 private:
  bool count_access();
  bool reachable(unsigned bar, std::uint64_t offset, std::uint64_t size, bool write);
  bool legal_size(unsigned bar, std::uint64_t offset, unsigned size, bool write);
  void begin_mode1();
  void come_back(Reset kind);
  void reset_chip(Reset kind);
  void place_discovery();

  Chip chip_;
  ConfigSpace config_;
  std::vector<std::byte> discovery_;
  std::uint64_t reserve_;  // bytes at the end of VRAM
  std::unique_ptr<BoardFlash> flash_;
  Nbio* nbio_ = nullptr;
  std::vector<std::unique_ptr<Block>> owned_;
  // Host accesses hold it shared; what changes the whole chip holds it alone.
  std::shared_mutex bus_mutex_;
  std::atomic<bool> in_reset_{false};
  std::atomic<std::uint64_t> accesses_{0};
};

Navi31::Navi31(const Options& options, regs::RegisterMap map, std::unique_ptr<SparseMemory> memory,
               ConfigSpace::BarSizes bars, std::vector<std::byte> discovery, std::uint64_t reserve)
    : chip_(options, std::move(map), std::move(memory)),
      config_(chip_, bars, options.interrupts),
      discovery_(std::move(discovery)),
      reserve_(reserve) {}

Navi31::~Navi31() {
  for (Block* b : chip_.blocks) b->pause();
  chip_.timer.stop();
  flash_->save();
}

constexpr std::pair<std::string_view, RomOptions::Window> kWindows[] = {{"natural", RomOptions::Window::natural},
                                                                        {"advances", RomOptions::Window::advances},
                                                                        {"swapped", RomOptions::Window::swapped},
                                                                        {"mirrored", RomOptions::Window::mirrored},
                                                                        {"absent", RomOptions::Window::absent}};

std::vector<std::byte> flash_content(const std::string& kind) {
  std::vector<std::byte> content = synthetic_ifwi();
  if (kind == "blank") std::fill(content.begin(), content.end(), std::byte{0xff});
  // The tables of both copies are sound, their content is not.
  if (kind == "corrupt")
    for (std::size_t i = 0; i < content.size(); i += 0x9001) content[i] ^= std::byte{0x24};
  return content;
}

Status Navi31::assemble(KnownFirmware known, std::chrono::milliseconds sos_start, const FlashSetup& flash) {
  BoardFlashOptions options;
  options.chip.seed = chip_.options.seed;
  options.chip.time_scale = options.rom.time_scale = 1.0 / flash.speed;
  options.rom.window = std::ranges::find_if(kWindows, [&](const auto& w) { return w.first == flash.window; })->second;
  options.rom.behind =
      make_vbios({.vram_mib = static_cast<std::uint32_t>(chip_.vram->size() >> 20),
                  .reserved_kib = static_cast<std::uint32_t>(reserve_ >> 10),
                  .scratch_dword = chip_.registers.named("BIF_BX0_BIOS_SCRATCH_0"),
                  .vendor = static_cast<std::uint16_t>(config_.read(pci::kVendorId, 2)),
                  .device = static_cast<std::uint16_t>(config_.read(pci::kDeviceId, 2)),
                  .subsystem_vendor = static_cast<std::uint16_t>(config_.read(pci::kSubsystemVendor, 2)),
                  .subsystem = static_cast<std::uint16_t>(config_.read(pci::kSubsystemId, 2))});
  flash_ = std::make_unique<BoardFlash>(chip_.registers, chip_.referee, options);
  // In units of 128 KiB: right behind the flash.
  const std::uint32_t rom_offset = chip_.registers.named("REGS_ROM_OFFSET_CTRL");
  chip_.registers.bank().spec(rom_offset).reset = options.chip.bytes >> 17;
  chip_.flash = flash_.get();
  const std::vector<std::byte> content = flash_content(flash.content);
  if (flash.file.empty()) flash_->chip().set_content(content);
  else HCQ_TRY(flash_->use_file(flash.file, content));
  auto nbio = std::make_unique<Nbio>(chip_);
  nbio_ = nbio.get();
  add(std::move(nbio));
  add(std::make_unique<Interrupts>(chip_));
  auto psp = std::make_unique<Psp>(chip_, std::move(known), sos_start);
  auto rlc = std::make_unique<Rlc>(chip_);
  psp->start_rlc = [r = rlc.get()] { r->start(); };
  add(std::move(psp));
  add(std::make_unique<Smu>(chip_));
  add(std::move(rlc));
  for (auto& b : make_engines(chip_)) add(std::move(b));
  chip_.begin_mode1 = [this] { begin_mode1(); };
  reset_chip(Reset::power_on);
  return {};
}

// The chip as the board's firmware leaves it: registers at their reset values, nothing in VRAM but the discovery table.
void Navi31::reset_chip(Reset kind) {
  chip_.registers.bank().reset();
  flash_->power_on();
  chip_.vram->forget();
  chip_.forget_firmware();
  chip_.tmr.begin = chip_.tmr.end = 0;
  chip_.discovery.begin = chip_.discovery.end = 0;
  chip_.firmware_data.begin = chip_.firmware_data.end = 0;
  chip_.rlc_booted = chip_.smu_running = false;
  if (flash_->boots()) place_discovery();
  for (Block* b : chip_.blocks) b->reset(kind);
}

// The board's own firmware trains the memory and leaves the table at its end.
void Navi31::place_discovery() {
  namespace d = hcq::am::abi::discovery;
  const std::uint64_t at = chip_.vram->size() - d::kOffsetFromEndOfVram;
  std::memset(chip_.vram->at(at, d::kMaxBytes), 0, d::kMaxBytes);
  std::memcpy(chip_.vram->at(at, discovery_.size()), discovery_.data(), discovery_.size());
  chip_.discovery.begin = at;
  chip_.discovery.end = chip_.vram->size();
  chip_.firmware_data.end = at;
  chip_.firmware_data.begin = std::min(at, chip_.vram->size() - reserve_);
}

// The timer is held before the bus lock is taken, here and below: its work may be waiting for that lock.
void Navi31::plug(HostPort* port) {
  chip_.timer.hold();
  const std::unique_lock lock(bus_mutex_);
  accesses_ = 0;
  if (chip_.lost.exchange(false)) {  // a card that was pulled comes back without its state
    for (Block* b : chip_.blocks) b->pause();
    chip_.timer.cancel_all();
    config_.reset();
    reset_chip(Reset::power_on);
    in_reset_ = false;
    for (Block* b : chip_.blocks) b->resume();
  }
  chip_.host.store(port, std::memory_order_release);
  chip_.timer.release();
}

void Navi31::unplug() {
  chip_.timer.hold();
  const std::unique_lock lock(bus_mutex_);
  for (Block* b : chip_.blocks) b->pause();
  chip_.host.store(nullptr, std::memory_order_release);
  for (Block* b : chip_.blocks) b->resume();
  chip_.timer.release();
}

// True while the device answers at all.
bool Navi31::count_access() {
  if (accesses_.fetch_add(1, std::memory_order_relaxed) >= chip_.faults.lose_after_accesses &&
      !chip_.lost.exchange(true, std::memory_order_acq_rel))
    flash_->power_cut();
  return !chip_.lost.load(std::memory_order_acquire);
}

std::uint32_t Navi31::config_read(std::uint16_t offset, unsigned size) {
  const std::shared_lock lock(bus_mutex_);
  if (!count_access() || in_reset_ || offset + size > 4096) return static_cast<std::uint32_t>(all_ones(size));
  return config_.read(offset, size);
}

void Navi31::config_write(std::uint16_t offset, unsigned size, std::uint32_t value) {
  const std::shared_lock lock(bus_mutex_);
  if (!count_access() || in_reset_ || offset + size > 4096) return;
  config_.write(offset, size, value);
}

// Whether an access gets as far as the chip.
bool Navi31::reachable(unsigned bar, std::uint64_t offset, std::uint64_t size, bool write) {
  if (!count_access()) return false;
  const auto refuse = [&](const char* rule, const char* text, const char* source) {
    chip_.report("pci", rule, fmt::format("BAR{} {} at {:#x}", bar, write ? "write" : "read", offset), size, text,
                 source);
    return false;
  };
  if (in_reset_.load(std::memory_order_acquire))
    return refuse("pci.in_reset", "the chip is in reset and does not answer; wait before touching it", "smu_v13_0.c");
  if (!config_.in_d0()) return refuse("pci.not_d0", "the function is not in power state D0", "PCI PM 1.2, 5.4");
  if (!config_.decodes(bar))
    return refuse("pci.memory_disabled", "memory decoding is off or the BAR has no address", "PCI 3.0, 6.2.2");
  if (offset > config_.bar_size(bar) || size > config_.bar_size(bar) - offset)
    return refuse("pci.out_of_bar", "the access is outside the BAR", "PCI 3.0, 6.2.5.1");
  return true;
}

std::string Navi31::describe(unsigned bar, std::uint64_t offset) const {
  if (bar == 2) return fmt::format("doorbell[{:#x}]", offset / 4);
  if (bar != 5) return {};
  const RegisterSpec* spec = chip_.registers.bank().find_spec(static_cast<std::uint32_t>(offset / 4));
  return spec ? spec->name : std::string();
}

bool Navi31::legal_size(unsigned bar, std::uint64_t offset, unsigned size, bool write) {
  const char* text = nullptr;
  if (bar == 5 && (size != 4 || offset % 4)) text = "registers take aligned 32-bit accesses only";
  // The interrupt handler's doorbell is 32 bits wide, those of queues 64 (Nbio).
  if (bar == 2 && ((size != 8 && size != 4) || offset % size || !write)) text = "doorbells take aligned stores only";
  if (bar == 0 && (offset % size || !std::has_single_bit(size) || size > 8)) text = "the access is not aligned";
  if (text)
    chip_.report("pci", "pci.access_size", fmt::format("BAR{} at {:#x}", bar, offset), size, text,
                 "amdgpu: RREG32/WREG32, WDOORBELL64");
  return !text;
}

std::uint64_t Navi31::read(unsigned bar, std::uint64_t offset, unsigned size) {
  const std::shared_lock lock(bus_mutex_);
  if (!reachable(bar, offset, size, false) || !legal_size(bar, offset, size, false)) return all_ones(size);
  if (bar == 5) return chip_.registers.bank().read(static_cast<std::uint32_t>(offset / 4));
  std::uint64_t v = all_ones(8);
  chip_.memory->host_read(offset, std::as_writable_bytes(std::span(&v, 1)).first(size));
  return v & all_ones(size);
}

void Navi31::write(unsigned bar, std::uint64_t offset, unsigned size, std::uint64_t value) {
  const std::shared_lock lock(bus_mutex_);
  if (!reachable(bar, offset, size, true) || !legal_size(bar, offset, size, true)) return;
  if (bar == 5)
    return chip_.registers.bank().write(static_cast<std::uint32_t>(offset / 4), static_cast<std::uint32_t>(value));
  if (bar == 2) return nbio_->doorbell(offset, size, value);
  chip_.memory->host_write(offset, std::as_bytes(std::span(&value, 1)).first(size));
}

void Navi31::read_block(unsigned bar, std::uint64_t offset, MutableBytes out) {
  if (bar == 0) {
    const std::shared_lock lock(bus_mutex_);
    if (reachable(bar, offset, out.size(), false)) return chip_.memory->host_read(offset, out);
    std::memset(out.data(), 0xff, out.size());
    return;
  }
  for (std::size_t i = 0; i < out.size(); i += 4) {
    const auto n = static_cast<unsigned>(std::min<std::size_t>(4, out.size() - i));
    const std::uint64_t v = read(bar, offset + i, n);
    std::memcpy(out.data() + i, &v, n);
  }
}

void Navi31::write_block(unsigned bar, std::uint64_t offset, Bytes in) {
  if (bar == 0) {
    const std::shared_lock lock(bus_mutex_);
    if (reachable(bar, offset, in.size(), true)) chip_.memory->host_write(offset, in);
    return;
  }
  const std::size_t step = bar == 2 ? 8 : 4;
  for (std::size_t i = 0; i < in.size(); i += step) {
    std::uint64_t v = 0;
    const auto n = static_cast<unsigned>(std::min(step, in.size() - i));
    std::memcpy(&v, in.data() + i, n);
    write(bar, offset + i, n, v);
  }
}

// Runs on the timer's thread, which the SMU used to get here.
void Navi31::begin_mode1() {
  if (chip_.bus_master.load(std::memory_order_acquire))
    chip_.report("smu", "smu.mode1_bus_master", "Mode1Reset", 1,
                 "mode1 reset was asked for while the device may still write to host memory", "amdgpu_device.c");
  {
    const std::unique_lock lock(bus_mutex_);
    in_reset_ = true;
    config_.reset();
  }
  for (Block* b : chip_.blocks) b->pause();
  chip_.timer.cancel_all();
  chip_.timer.after(microseconds(4000), microseconds(12000), [this] { come_back(Reset::mode1); });
}

void Navi31::come_back(Reset kind) {
  const std::unique_lock lock(bus_mutex_);
  reset_chip(kind);
  in_reset_ = false;
  for (Block* b : chip_.blocks) b->resume();
}

void Navi31::function_reset() {
  chip_.timer.hold();
  const std::unique_lock lock(bus_mutex_);
  for (Block* b : chip_.blocks) b->pause();
  chip_.timer.cancel_all();
  config_.reset();
  reset_chip(Reset::function);
  in_reset_ = false;
  for (Block* b : chip_.blocks) b->resume();
  chip_.timer.release();
}

struct Extra {
  std::string discovery, firmware, fault_point;
  std::uint64_t lose_after = ~0ull;
  std::chrono::milliseconds sos_start{0};
  bool rebar = false;
  std::uint64_t reserve = kFirmwareReserve;
  FlashSetup flash;
};

Result<std::chrono::milliseconds> parse_milliseconds(std::string_view name, std::string_view value) {
  unsigned ms = 0;
  const auto [end, error] = std::from_chars(value.data(), value.data() + value.size(), ms);
  if (error == std::errc{} && end == value.data() + value.size() && ms <= 60'000) return std::chrono::milliseconds(ms);
  return Error{.code = Errc::invalid_argument,
               .device = "model:navi31",
               .operation = "options",
               .subject = std::string(name),
               .detail = "takes a number of milliseconds, at most 60000"};
}

// "lose:N", or the name of a fault point.
Status parse_fault(std::string_view value, Extra& e) {
  constexpr std::string_view kLose = "lose:";
  if (!value.starts_with(kLose)) {
    e.fault_point = value;
    if (std::ranges::find(kFaultPoints, value) != kFaultPoints.end()) return {};
    return Error{.code = Errc::invalid_argument,
                 .device = "model:navi31",
                 .operation = "options",
                 .subject = "fault=" + e.fault_point,
                 .detail = "the model has no such fault point",
                 .hint = fmt::format("Known: lose:N, {}.", fmt::join(kFaultPoints, ", "))};
  }
  value.remove_prefix(kLose.size());
  const auto [end, error] = std::from_chars(value.data(), value.data() + value.size(), e.lose_after);
  if (error == std::errc{} && end == value.data() + value.size()) return {};
  return Error{.code = Errc::invalid_argument,
               .device = "model:navi31",
               .operation = "options",
               .subject = "fault",
               .detail = "lose: takes a number of host accesses"};
}

// In MiB; 0: only the discovery table is there.
Status parse_reserve(std::string_view value, Extra& e) {
  std::uint64_t mib = 0;
  const auto [end, error] = std::from_chars(value.data(), value.data() + value.size(), mib);
  if (error != std::errc{} || end != value.data() + value.size() || mib > 1024)
    return Error{.code = Errc::invalid_argument,
                 .device = "model:navi31",
                 .operation = "options",
                 .subject = "reserve",
                 .detail = "takes the MiB at the end of VRAM that firmware keeps, 0 to 1024"};
  e.reserve = mib * kMiB;
  return {};
}

// False: not an option of the flash, or not a value it may have.
bool parse_flash(std::string_view name, const std::string& value, FlashSetup& f) {
  if (name == "flash") {
    f.content = value;
    return value == "healthy" || value == "blank" || value == "corrupt";
  }
  if (name == "flash_window") {
    f.window = value;
    return std::ranges::any_of(kWindows, [&](const auto& w) { return w.first == value; });
  }
  if (name == "flash_file") {
    f.file = value;
    return !value.empty();
  }
  if (name != "flash_speed") return false;
  const auto [end, error] = std::from_chars(value.data(), value.data() + value.size(), f.speed);
  return error == std::errc{} && end == value.data() + value.size() && f.speed >= 1 && f.speed <= 1000000;
}

Result<Extra> parse_extra(const Options& options) {
  Extra e;
  if (const char* dir = std::getenv("HCQ_FIRMWARE_PATH")) e.firmware = dir;
  for (const auto& [name, value] : options.extra) {
    if (name == "discovery") e.discovery = value;
    else if (name == "firmware") e.firmware = value;
    else if (name == "sos") e.sos_start = HCQ_TRY(parse_milliseconds(name, value));
    else if (name == "rebar") e.rebar = value == "1";
    else if (name == "reserve") HCQ_TRY(parse_reserve(value, e));
    else if (name == "fault") HCQ_TRY(parse_fault(value, e));
    else if (!parse_flash(name, value, e.flash))
      return Error{.code = Errc::invalid_argument,
                   .device = "model:navi31",
                   .operation = "options",
                   .subject = fmt::format("{}={}", name, value),
                   .detail = "the model has no such option, or not this value of it",
                   .hint =
                       "Known options: vram, bar0, seed, policy, irq, discovery, fault, firmware, sos, rebar, reserve, "
                       "flash=healthy|blank|corrupt, flash_file, flash_speed=1..1000000, "
                       "flash_window=natural|advances|swapped|mirrored|absent."};
  }
  return e;
}

Result<ConfigSpace::BarSizes> bar_sizes(const Options& options, std::uint64_t vram, bool rebar) {
  ConfigSpace::BarSizes s;
  const std::uint64_t whole = std::max(std::bit_ceil(vram), kSmallBar);
  s.bar0 = options.bar0_bytes ? options.bar0_bytes : rebar ? kSmallBar : whole;
  if (!std::has_single_bit(s.bar0) || s.bar0 < kMiB)
    return Error{.code = Errc::invalid_argument,
                 .device = "model:navi31",
                 .operation = "options",
                 .subject = "bar0",
                 .actual = s.bar0,
                 .detail = "the size of a BAR is a power of two"};
  if (rebar)
    for (std::uint64_t size = kSmallBar; size <= whole; size *= 2) s.resizable |= size >> 20;
  return s;
}

}  // namespace

Result<std::shared_ptr<Device>> create_navi31(const Options& options) {
  const Extra extra = HCQ_TRY(parse_extra(options));
  const std::uint64_t vram = options.vram_bytes ? options.vram_bytes : kDefaultVram;
  if (vram % (2 * kMiB) || vram < 128 * kMiB || vram > (std::uint64_t{1} << 40))
    return Error{.code = Errc::invalid_argument,
                 .device = "model:navi31",
                 .operation = "options",
                 .subject = "vram",
                 .actual = vram,
                 .detail = "VRAM is a multiple of 2 MiB between 128 MiB and 1 TiB"};
  const ConfigSpace::BarSizes bars = HCQ_TRY(bar_sizes(options, vram, extra.rebar));
  auto discovery = HCQ_TRY(discovery_binary(extra.discovery));
  auto known = HCQ_TRY(KnownFirmware::load(extra.firmware));
  auto map = HCQ_TRY(regs::RegisterMap::build(navi31_blocks(extra.discovery)));
  auto memory = HCQ_TRY(SparseMemory::create(vram, options.seed, options.shared_vram));
  auto device = std::make_shared<Navi31>(options, std::move(map), std::move(memory), bars, std::move(discovery),
                                         std::min(extra.reserve, vram / 4));
  // Before the chip powers on, which has fault points too.
  device->faults().lose_after_accesses = extra.lose_after;
  if (!extra.fault_point.empty())
    device->faults().hook = [point = extra.fault_point](std::string_view p) { return p == point; };
  HCQ_TRY(device->assemble(std::move(known), extra.sos_start, extra.flash));
  return std::shared_ptr<Device>(std::move(device));
}

}  // namespace hcq::models::am
