// SPDX-License-Identifier: MIT
// Psp: the platform security processor. Its bootloader takes the secure OS in pieces; the running secure OS then loads
// the firmware of all other blocks through a command ring.
#pragma once

#include <cstdint>
#include <string>

#include "base/bytes.h"
#include "base/error.h"
#include "drivers/am/abi/psp.h"
#include "drivers/am/firmware/firmware.h"

namespace hcq::am {

class Gpu;

class Psp {
 public:
  explicit Psp(Gpu& gpu) : gpu_(gpu) {}

  Result<bool> secure_os_alive();
  // After a boot: whether the secure OS is gone, which only a reset does to it. False while registers cannot be read.
  bool was_reset();

  // Whether its bootloader takes components and reports no error; waits briefly. Only meaningful while the secure OS
  // does not run.
  Result<bool> bootloader_ready();

  // Boot steps, in this order.
  Status load_secure_os();
  Status create_ring();
  Status load_toc();  // learns how large the TMR must be
  Status load_smu_firmware();
  Status setup_tmr();
  Status load_ip_firmware();
  Status start_autoload();  // the RLC starts the graphics block

  void forget_ring() { ring_ready_ = false; }

 private:
  Status wait_bootloader(const char* step);
  Status send_component(const PspImage& image);
  Status stage(Bytes data);
  // Sends one command and returns its response; a status other than 0 is an error naming `what`.
  Result<abi::psp::Response> submit(abi::psp::CommandId id, const abi::psp::CommandUnion& body,
                                    const std::string& what);
  Status write_frame(std::uint32_t wptr_dw);
  Status load_image(const IpImage& image);

  Gpu& gpu_;
  std::uint32_t fence_ = 0;
  std::uint32_t tmr_bytes_ = 0;
  bool ring_ready_ = false;
};

}  // namespace hcq::am
