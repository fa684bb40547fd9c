// SPDX-License-Identifier: MIT
// Asm24: an ASM24 bridge with custom firmware and a device behind it, as a USB device. It answers and refuses as the
// firmware does: what the firmware leaves without an answer stays open until the host cancels it, and each such request
// is a violation. Source: tinygrad/asm2464pd-firmware; unverified on silicon by this project.
//
// Not modelled: the time that anything takes, the landing delay of F2, F2 towards the host (a bulk IN that is never
// released: it stays open), alternate setting 1, high speed, stock firmware.
#pragma once

#include <array>
#include <cstdint>
#include <map>
#include <memory>
#include <string>
#include <vector>

#include "models/core/device.h"
#include "models/usb4/pcie_tree.h"
#include "models/usb4/usb_device.h"

namespace hcq::models::usb4 {

// Faults by number of transfer, counted from attach(): 0 is the first. ~0 is never.
struct TransferFaults {
  std::uint64_t unplug_at = ~0ull;  // the device leaves the bus instead of answering
  std::uint64_t silent_at = ~0ull;  // this transfer stays open
  std::uint64_t fail_at = ~0ull;    // this transfer ends with fail_status and has no effect
  TransferStatus fail_status = TransferStatus::io_error;
  std::uint64_t short_at = ~0ull;  // this bulk transfer moves half (whole packets) and stays open
};

struct Asm24Options {
  std::string product = "custom v0.1";
  bool card_present = true;
  unsigned retries_after_power = 0;  // configuration requests that the device answers with "retry" after power on
  Policy policy = Policy::abort;
};

class Asm24 final : public UsbDevice {
 public:
  Asm24(std::shared_ptr<Device> device, Asm24Options options);

  UsbSpeed speed() const override { return UsbSpeed::super; }
  void attach(UsbHost* host) override;
  void bus_reset() override;
  void control(TransferId id, const Setup& setup, Bytes out) override;
  void bulk_out(TransferId id, unsigned endpoint, std::uint32_t stream, Bytes data) override;
  void bulk_in(TransferId id, unsigned endpoint, std::uint32_t stream, std::uint32_t length) override;
  void cancel(TransferId id) override;

  Referee& referee() { return referee_; }
  TransferFaults& faults() { return faults_; }
  std::uint64_t transfers() const { return transfers_; }
  // Plugs the device in again after it was unplugged: cold, without power for the card.
  void replug();

 private:
  enum class Stream : std::uint8_t { none, write, read, sram };
  struct Open {
    std::vector<std::byte> data;  // what has come in so far
    std::uint32_t accepted = 0;
  };
  // False when a fault takes the transfer.
  bool begin(TransferId id);
  void ok(TransferId id, Bytes data, std::uint32_t accepted = 0);
  void stall(TransferId id);
  void leave_open(TransferId id) { open_.emplace(id, Open{}); }
  void violation(const char* rule, const char* where, std::uint64_t value, const char* text);
  void standard(TransferId id, const Setup& s);
  void vendor_in(TransferId id, const Setup& s);
  void vendor_out(TransferId id, const Setup& s, Bytes out);
  void pcie_request(TransferId id, const Setup& s, Bytes out);
  void sram_request(TransferId id, const Setup& s);
  void reset_endpoints();
  std::vector<std::byte> descriptor(std::uint8_t type, std::uint8_t index) const;
  void accept(Bytes packet);
  std::vector<std::byte> completion() const;
  std::uint8_t xdata(std::uint16_t address, unsigned bank);

  Referee referee_;
  const Asm24Options options_;
  PcieTree tree_;
  UsbHost* host_ = nullptr;
  TransferFaults faults_;
  std::uint64_t transfers_ = 0;
  bool gone_ = false, short_now_ = false;
  std::map<TransferId, Open> open_;

  std::array<std::vector<std::uint8_t>, 2> xdata_;  // two banks of 64 KiB
  Stream stream_ = Stream::none;
  bool out_dead_ = false;        // an over-long packet was dropped: bulk OUT is not armed again
  std::uint64_t remaining_ = 0;  // bytes
  std::uint64_t address_ = 0;    // of the next dword, or offset into SRAM
  std::uint32_t stale_ = 0;      // what the data registers hold
  std::uint8_t request_type_ = 0;
  bool has_request_ = false, answered_ = false;
  Reply reply_;
  std::uint8_t enables_ = 0;
};

}  // namespace hcq::models::usb4
