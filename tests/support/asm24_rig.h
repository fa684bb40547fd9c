// SPDX-License-Identifier: MIT
// A Navi31 model behind an ASM24 model, and what opens it.
#pragma once

#include <memory>

#include "devices/bridge_model.h"
#include "drivers/usb4/bridge.h"
#include "drivers/usb4/function.h"
#include "models/am/navi31.h"
#include "models/usb4/asm24.h"

namespace hcq::test {

struct Asm24Rig {
  explicit Asm24Rig(models::usb4::Asm24Options options = {}, bool resizable = false) {
    options.policy = models::Policy::record;
    models::Options navi31;
    navi31.vram_bytes = 128u << 20;
    navi31.policy = models::Policy::record;
    if (resizable) {
      navi31.vram_bytes = 512u << 20;
      navi31.extra.emplace_back("rebar", "1");
    }
    device = *models::am::create_navi31(navi31);
    bridge = std::make_shared<models::usb4::Asm24>(device, std::move(options));
  }
  std::unique_ptr<usb4::Transport> transport() { return devices::in_process_transport(bridge); }
  Result<std::unique_ptr<pci::Function>> open() {
    return usb4::open("model:asm24+navi31", transport(), {.link_timeout = std::chrono::milliseconds(50)});
  }

  std::shared_ptr<models::Device> device;
  std::shared_ptr<models::usb4::Asm24> bridge;
};

}  // namespace hcq::test
