// SPDX-License-Identifier: MIT
// A board reduced to its flash: the registers of the ROM controller and the PSP's mailboxes behind a PCI function, and
// a clock that a test turns. Each register access takes a fixed time, each wait of the driver jumps; nothing sleeps.
// Power can fail at any register write.
#pragma once

#include <functional>
#include <memory>
#include <mutex>
#include <string>
#include <vector>

#include "drivers/am/abi/psp.h"
#include "drivers/pci/function.h"
#include "drivers/spi/controller.h"
#include "models/am/board_flash.h"
#include "models/am/registers.h"

namespace hcq::test {

namespace regs = hcq::am::regs;

// The board outlives the functions through which it is opened, as a real one outlives processes.
class FlashBoard {
 public:
  using Options = models::am::BoardFlashOptions;
  explicit FlashBoard(Options options = {}, models::Policy policy = models::Policy::record)
      : referee(policy), registers_(*regs::RegisterMap::build(blocks()), referee) {
    options.now = [this] { return now_; };
    flash_ = std::make_unique<models::am::BoardFlash>(registers_, referee, options);
  }

  // Applies power: what the flash holds decides what the board is.
  void power_on() {
    registers_.bank().reset();
    flash_->power_on();
    registers_.set_raw<regs::MP0_SMN_C2PMSG_33>(flash_->boots() ? hcq::am::abi::psp::kMailboxReady : 0);
    powered_ = true;
    writes_ = 0;
    cut_after_writes = ~0ull;
  }
  void power_off() {
    if (powered_) flash_->power_cut();
    powered_ = false;
  }
  void start_secure_os() {
    registers_.set_raw<regs::MP0_SMN_C2PMSG_81>(0x310041);
    flash_->set_secure_os(true);
  }

  std::unique_ptr<pci::Function> function();

  models::spi::NorChip& chip() { return flash_->chip(); }
  models::am::BoardFlash& flash() { return *flash_; }
  models::am::Registers& registers() { return registers_; }
  std::vector<std::uint32_t> register_values() const {
    std::vector<std::uint32_t> v;
    for (const auto& [dword, where] : registers_.map().all()) v.push_back(bank().peek(dword));
    return v;
  }
  std::uint64_t writes() const { return writes_; }

  models::Referee referee;
  std::uint64_t cut_after_writes = ~0ull;  // the write with this number is the last thing that happens before the dark
  Clock::duration access_time = std::chrono::microseconds(1);
  pci::Identity identity{0x1002, 0x744c, 0x1002, 0x0e3b, 0x030000, 0xc8};
  // Told of every write: dword address and value.
  std::function<void(std::uint32_t, std::uint32_t)> on_write;

  // The driver's clock; turns the board's.
  class Time final : public spi::Pacer {
   public:
    explicit Time(FlashBoard& board) : board_(board) {}
    Clock::time_point now() override { return board_.now_; }
    void wait(Clock::duration d) override { board_.now_ += d; }

   private:
    FlashBoard& board_;
  };
  Time time{*this};

 private:
  friend class FlashFunction;
  static std::vector<regs::IpBlock> blocks() {
    return {{regs::Ip::mp0, 0, 13, 0, 0, {0x16000}}, {regs::Ip::smuio, 0, 13, 0, 6, {0x16800}}};
  }
  const models::RegisterBank& bank() const { return const_cast<models::am::Registers&>(registers_).bank(); }
  std::uint32_t read(std::uint64_t offset) {
    now_ += access_time;
    return powered_ ? registers_.bank().read(static_cast<std::uint32_t>(offset / 4)) : ~0u;
  }
  void write(std::uint64_t offset, std::uint32_t value) {
    now_ += access_time;
    if (!powered_) return;
    if (on_write) on_write(static_cast<std::uint32_t>(offset / 4), value);
    registers_.bank().write(static_cast<std::uint32_t>(offset / 4), value);
    if (++writes_ >= cut_after_writes) power_off();
  }

  Clock::time_point now_{std::chrono::hours(1)};
  models::am::Registers registers_;
  std::unique_ptr<models::am::BoardFlash> flash_;
  bool powered_ = false;
  std::uint64_t writes_ = 0;
};

class FlashFunction final : public pci::Function, private pci::MmioBackend {
 public:
  explicit FlashFunction(FlashBoard& board) : board_(board) {}

  const std::string& name() const override { return name_; }
  const pci::Identity& identity() const override { return board_.identity; }
  Result<std::uint32_t> config_read(std::uint16_t offset, unsigned size) override {
    if (!board_.powered_) return size == 4 ? ~0u : (1u << 8 * size) - 1;
    if (offset == pci::kVendorId) return board_.identity.vendor | (size == 4 ? board_.identity.device << 16 : 0);
    return std::uint32_t{offset == pci::kCommand ? command_ : 0u};
  }
  Status config_write(std::uint16_t offset, unsigned, std::uint32_t value) override {
    if (offset == pci::kCommand) command_ = value;
    return {};
  }
  std::uint64_t bar_size(unsigned index) const override { return index == 5 ? kBar5 : 0; }
  Result<pci::Mmio> map_bar(unsigned, pci::Caching) override { return pci::Mmio(this, kBar5); }
  std::uint64_t bar_address(unsigned) const override { return 0; }
  Result<std::uint64_t> resize_bar(unsigned index) override { return bar_size(index); }
  Result<std::unique_ptr<pci::DmaMemory>> alloc_dma(std::size_t, pci::DmaOptions) override {
    return Error{.code = Errc::unsupported};
  }
  Status reset() override { return Error{.code = Errc::unsupported}; }
  Result<pci::Irq*> irq() override { return nullptr; }
  std::uint64_t peer_group() const override { return 0; }

 private:
  static constexpr std::uint64_t kBar5 = 1u << 20;
  std::uint64_t read(std::uint64_t offset, unsigned) override { return board_.read(offset); }
  void write(std::uint64_t offset, unsigned, std::uint64_t value) override {
    board_.write(offset, static_cast<std::uint32_t>(value));
  }
  void read_block(std::uint64_t, MutableBytes) override {}
  void write_block(std::uint64_t, Bytes) override {}

  FlashBoard& board_;
  std::string name_ = "test:board";
  std::uint32_t command_ = 0;
};

inline std::unique_ptr<pci::Function> FlashBoard::function() { return std::make_unique<FlashFunction>(*this); }

}  // namespace hcq::test
