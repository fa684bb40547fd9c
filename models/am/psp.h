// SPDX-License-Identifier: MIT
// The platform security processor, PSP 13.0.0: the bootloader's mailbox (components in order, content checked), the
// secure OS with its ring, and the commands that load the other processors' firmware. Source: psp_v13_0.c,
// amdgpu_psp.c and psp_gfx_if.h of Linux 6.12.
#pragma once

#include <chrono>
#include <cstdint>
#include <mutex>
#include <optional>
#include <set>
#include <string>

#include "drivers/am/abi/psp.h"
#include "models/am/chip.h"
#include "models/am/known_firmware.h"

namespace hcq::models::am {

class Psp final : public Block {
 public:
  // `sos_start`: how long the secure OS takes to report in; 0: a few milliseconds.
  Psp(Chip& chip, KnownFirmware known, std::chrono::milliseconds sos_start = {});
  void reset(Reset kind) override;
  // Set while the chip is assembled: starts the graphics bootloader after AUTOLOAD_RLC.
  std::function<void()> start_rlc;

  static constexpr std::uint32_t kTmrBytes = 0x1300000;  // what LOAD_TOC answers

 private:
  // psp_bootloader.cc
  void add_bootloader();
  void bootloader_command(std::uint32_t command);
  void bootloader_run(std::uint32_t command);
  bool component_matches(std::uint32_t command, Bytes buffer) const;
  bool in_order(std::uint32_t command);
  void bootloader_fail(std::uint32_t code, std::string rule, std::uint32_t command, std::string text);
  void bootloader_ready();

  // psp_ring.cc
  void add_ring();
  void ring_control(std::uint32_t value);
  void ring_control_run(std::uint32_t value);
  std::uint32_t create_ring();
  void ring_doorbell(std::uint32_t wptr);
  void run_frame();
  bool frame_is_sound(const hcq::am::abi::psp::RingFrame& f, std::uint64_t at);

  // psp_commands.cc
  std::uint32_t execute(hcq::am::abi::psp::Command& c);
  std::uint32_t load_toc(hcq::am::abi::psp::Command& c);
  std::uint32_t setup_tmr(const hcq::am::abi::psp::Command& c);
  std::uint32_t destroy_tmr();
  std::uint32_t load_ip_fw(hcq::am::abi::psp::Command& c);
  std::uint32_t autoload_rlc();
  std::uint32_t load_ta(hcq::am::abi::psp::Command& c);
  std::uint32_t unload_ta(const hcq::am::abi::psp::Command& c);
  std::uint32_t invoke_ta(const hcq::am::abi::psp::Command& c);
  std::uint32_t refuse(std::uint32_t status, std::string rule, std::uint64_t value, std::string text);

  void report(std::string rule, std::string where, std::uint64_t value, std::string text);

  Chip& chip_;
  KnownFirmware known_;
  const std::chrono::milliseconds sos_start_;
  std::mutex mutex_;

  // Bootloader.
  bool boot_busy_ = false, boot_failed_ = false, sos_alive_ = false;
  std::set<std::uint32_t> loaded_;  // commands that succeeded

  // Ring.
  struct Ring {
    std::uint64_t mc = 0;
    std::uint32_t bytes = 0, rptr = 0, wptr = 0;  // pointers in dwords
    bool exists = false, stuck = false, busy = false;
  };
  Ring ring_;
  bool control_busy_ = false;

  // Commands.
  bool toc_loaded_ = false, autoloaded_ = false;
  std::uint64_t tmr_mc_ = 0, tmr_used_ = 0;
  std::set<std::uint32_t> firmware_;  // GFX_FW_TYPE_* accepted
  std::set<std::uint32_t> sessions_;  // of trusted applications that are loaded
  std::uint32_t last_session_ = 0;
};

}  // namespace hcq::models::am
