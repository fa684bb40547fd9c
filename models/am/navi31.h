// SPDX-License-Identifier: MIT
// A software Radeon RX 7900 XTX (Navi31, gfx1100): PCI 1002:744c, GC 11.0.0, SDMA 6.0.0, MMHUB 3.0.0, NBIO 4.3.0, PSP
// and SMU 13.0.0, HDP 6.0.0, OSSSYS 6.0.0. It starts as after power-on with the board's own firmware run; everything
// else a driver has to do, in the right order.
//
// Options::extra understands
//   firmware=DIR      vendor firmware files that the PSP accepts beside the synthetic set (default: HCQ_FIRMWARE_PATH)
//   discovery=WHAT    a faulty or unusual IP discovery table, see models/am/discovery.h
//   fault=lose:N      the device leaves the bus after N host accesses
//   fault=POINT       the named fault point fails every time (list in README.md)
//   sos=MS            the secure OS takes that long to start; silicon takes more than 20 ms, on which the Linux driver
//                     relies (psp_v13_0_bootloader_load_sos), and the default is a few, so that tests need not wait
//   flash=WHAT        what the board's flash holds: healthy (an image that boots), blank, corrupt
//   flash_file=PATH   the flash's content is this file, made when it is not there and kept up to date
//   flash_speed=N     erase, program and the ROM engine take an N-th of a real part's time
//   flash_window=WHAT how ROM_INDEX and ROM_DATA behave, see RomOptions::Window (default: advances)
//   rebar=1           BAR 0 starts at bar0= bytes (256 MiB by default) and can be resized up to VRAM
#pragma once

#include <memory>

#include "base/error.h"
#include "models/core/device.h"

namespace hcq::models::am {

// VRAM is 1 GiB unless options.vram_bytes says otherwise (a multiple of 2 MiB, at least 128 MiB). Host memory is used
// only for what is touched.
Result<std::shared_ptr<Device>> create_navi31(const Options& options);

}  // namespace hcq::models::am
