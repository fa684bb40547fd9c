// SPDX-License-Identifier: MIT
#include "models/am/psp.h"

#include <utility>

namespace hcq::models::am {

Psp::Psp(Chip& chip, KnownFirmware known, std::chrono::milliseconds sos_start)
    : chip_(chip), known_(std::move(known)), sos_start_(sos_start) {
  add_bootloader();
  add_ring();
}

void Psp::reset(Reset) {
  {
    const std::lock_guard lock(mutex_);
    boot_busy_ = boot_failed_ = sos_alive_ = control_busy_ = false;
    loaded_.clear();
    ring_ = {};
    toc_loaded_ = autoloaded_ = false;
    tmr_mc_ = tmr_used_ = 0;
    firmware_.clear();
    sessions_.clear();
    last_session_ = 0;
  }
  bootloader_ready();
}

void Psp::report(std::string rule, std::string where, std::uint64_t value, std::string text) {
  chip_.report("psp", std::move(rule), std::move(where), value, std::move(text), "psp_v13_0.c, psp_gfx_if.h");
}

}  // namespace hcq::models::am
