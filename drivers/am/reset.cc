// SPDX-License-Identifier: MIT
// Order: amdgpu_device_mode1_reset() of Linux 6.12.
#include "drivers/am/reset.h"

#include <array>
#include <thread>

#include "base/log.h"
#include "drivers/am/abi/psp.h"
#include "drivers/am/gpu.h"
#include "drivers/am/psp.h"
#include "drivers/am/smu.h"

namespace hcq::am {

using namespace std::chrono_literals;

namespace {

// SMU13_MODE1_RESET_WAIT_TIME_IN_MS: no access to the device during this time.
constexpr auto kMode1Quiet = 500ms;
constexpr auto kReturnTimeout = 10s;

// The writable part of the standard config header: command, cache line and BARs to interrupt line.
class ConfigSnapshot {
 public:
  static Result<ConfigSnapshot> take(pci::Function& f) {
    ConfigSnapshot s;
    for (std::size_t i = 0; i < s.dwords_.size(); ++i)
      s.dwords_[i] = HCQ_TRY(f.config_read(static_cast<std::uint16_t>(i * 4), 4));
    return s;
  }
  // Writes back what differs. The command register last, so that BARs decode only when they are right.
  Status restore(pci::Function& f) const {
    for (std::size_t i = dwords_.size(); i-- > pci::kBar0 / 4;) HCQ_TRY(put(f, i));
    return put(f, pci::kCommand / 4);
  }

 private:
  Status put(pci::Function& f, std::size_t i) const {
    const auto at = static_cast<std::uint16_t>(i * 4);
    // The upper half of dword 1 is the status register, whose bits are cleared by writing ones.
    const unsigned size = at == pci::kCommand ? 2 : 4;
    const std::uint32_t want = size == 2 ? dwords_[i] & 0xffff : dwords_[i];
    if (HCQ_TRY(f.config_read(at, size)) == want) return {};
    return f.config_write(at, size, want);
  }
  std::array<std::uint32_t, 16> dwords_{};
};

Error incomplete(Gpu& gpu, const char* subject, const char* detail) {
  Error e = gpu.link().error(Errc::timeout, subject, std::string("reset did not complete: ") + detail);
  e.hint = "power-cycle the device";
  return e;
}

// Until the boot firmware answers: memory size readable and the PSP's bootloader ready, nobody's secure OS running.
Status wait_for_return(Gpu& gpu) {
  using namespace regs;
  RegisterIo& io = gpu.io();
  const Deadline deadline = Deadline::in(gpu.link().limit(kReturnTimeout));
  for (Backoff backoff;; backoff.pause()) {
    const bool last = deadline.expired();
    const std::uint32_t size = HCQ_TRY(io.probe_fixed(fixed::RCC_CONFIG_MEMSIZE));
    if (size != 0xffffffffu && size != 0) break;
    if (!last) continue;
    HCQ_TRY(gpu.link().verify(size, fixed::RCC_CONFIG_MEMSIZE.name));
    return incomplete(gpu, fixed::RCC_CONFIG_MEMSIZE.name, "the memory size does not come back");
  }
  const auto ready = io.poll_masked<MP0_SMN_C2PMSG_35>(abi::psp::kMailboxReady, abi::psp::kMailboxReady, kReturnTimeout,
                                                       "reset/wait_bootloader");
  if (!ready.ok()) {
    if (ready.error().code != Errc::timeout) return ready.error();
    Error e = incomplete(gpu, "MP0_SMN_C2PMSG_35", "the PSP bootloader does not become ready");
    e.expected = ready.error().expected;
    e.actual = ready.error().actual;
    return e;
  }
  if (HCQ_TRY(gpu.psp().secure_os_alive())) return incomplete(gpu, "MP0_SMN_C2PMSG_81", "the old secure OS still runs");
  return {};
}

}  // namespace

Result<bool> in_use_by_somebody(Gpu& gpu) { return gpu.psp().secure_os_alive(); }

Status full_reset(Gpu& gpu) {
  const OperationScope scope(gpu.link(), "reset");
  pci::Function& f = gpu.function();
  // Rings of the previous owner must not write to host memory that has gone to somebody else.
  HCQ_TRY(pci::set_bus_master(f, false));
  const ConfigSnapshot config = HCQ_TRY(ConfigSnapshot::take(f));
  const bool smu = HCQ_TRY(gpu.smu().alive());
  log::trace(log::Area::boot, "reset: {}", smu ? "mode 1 through the SMU" : "PCI function reset, the SMU is dead");
  if (smu) {
    HCQ_TRY(gpu.smu().request_mode1_reset());
    std::this_thread::sleep_for(kMode1Quiet);
  } else if (Status s = f.reset(); !s.ok()) {
    Error e = std::move(s).error();
    e.detail += "; the SMU does not answer either, so the device cannot be reset";
    e.hint = "power-cycle the device";
    return e;
  }
  HCQ_TRY(gpu.link().confirm("config space after the reset"));
  HCQ_TRY(config.restore(f));
  return wait_for_return(gpu);
}

}  // namespace hcq::am
