// SPDX-License-Identifier: MIT
#include "models/am/rlc.h"

#include <algorithm>
#include <chrono>

namespace hcq::models::am {

namespace {

using std::chrono::microseconds;

// Registers of the graphics block that answer before it has booted: what a driver polls or leaves notes in.
bool always_answers(std::string_view name) {
  constexpr std::string_view kNames[] = {"RLC_RLCS_BOOTLOAD_STATUS", "CP_STAT", "GRBM_STATUS", "GRBM_STATUS2",
                                         "GRBM_STATUS_SE0"};
  // gfx_v11_0_rlc_init sets which VMID the performance monitor uses, long before any firmware is loaded.
  if (name == "RLC_SPM_MC_CNTL") return true;
  return name.starts_with("SCRATCH_REG") || std::find(std::begin(kNames), std::end(kNames), name) != std::end(kNames);
}

std::uint64_t reference_clock() {
  const auto ns =
      std::chrono::duration_cast<std::chrono::nanoseconds>(std::chrono::steady_clock::now().time_since_epoch());
  return static_cast<std::uint64_t>(ns.count()) / 10;  // 100 MHz
}

}  // namespace

Rlc::Rlc(Chip& chip) : chip_(chip) {
  close_gate();
  auto& r = chip.registers;
  r.read_only<regs::RLC_RLCS_BOOTLOAD_STATUS>();
  // 32 pipes, 32 packers, fragments compressed by two, as a Radeon RX 7900 XTX reports it.
  r.bank().spec(r.named("GB_ADDR_CONFIG")).reset = 0x545;
  r.describe<regs::RLC_SAFE_MODE>().writable =
      r.mask<regs::RLC_SAFE_MODE>({regs::RLC_SAFE_MODE::CMD, regs::RLC_SAFE_MODE::MESSAGE});
  r.on_write<regs::RLC_SAFE_MODE>([this](std::uint32_t v, std::uint32_t) { safe_mode(v); });
  needs_safe_mode<regs::RLC_CGCG_CGLS_CTRL>();
  needs_safe_mode<regs::RLC_CGTT_MGCG_OVERRIDE>();
  r.on_write<regs::GRBM_SOFT_RESET>([this](std::uint32_t v, std::uint32_t before) { soft_reset_written(v, before); });
  r.describe<regs::RLC_CAPTURE_GPU_CLOCK_COUNT>().self_clearing = ~0u;
  r.on_write<regs::RLC_CAPTURE_GPU_CLOCK_COUNT>([this](std::uint32_t v, std::uint32_t) {
    if (!(v & 1)) return;
    const std::lock_guard lock(mutex_);
    captured_ = reference_clock();
    chip_.registers.set_raw<regs::RLC_GPU_CLOCK_COUNT_LSB>(lo32(captured_));
    chip_.registers.set_raw<regs::RLC_GPU_CLOCK_COUNT_MSB>(hi32(captured_));
  });
  // golden_settings_gc_11_0 of gfx_v11_0.c sets this bit; the headers give it no name.
  constexpr std::uint32_t kTcpGolden = 0x20000000;
  r.describe<regs::TCP_CNTL>().fields |= kTcpGolden;
  r.describe<regs::TCP_CNTL>().writable |= kTcpGolden;
  r.read_only<regs::RLC_GPU_CLOCK_COUNT_LSB>();
  r.read_only<regs::RLC_GPU_CLOCK_COUNT_MSB>();
}

void Rlc::close_gate() {
  gate_ = {[this] { return chip_.rlc_booted.load(std::memory_order_acquire); }, "gc.before_boot",
           "a register of the graphics block was touched before RLC_RLCS_BOOTLOAD_STATUS said BOOTLOAD_COMPLETE",
           "gfx_v11_0_wait_for_rlc_autoload_complete"};
  RegisterBank& bank = chip_.registers.bank();
  bank.for_each([&](std::uint32_t dword, const RegisterSpec& spec) {
    if (spec.block == "gc" && !always_answers(spec.name)) bank.set_gate(dword, &gate_);
  });
}

void Rlc::reset(Reset) {
  const std::lock_guard lock(mutex_);
  safe_ = handshake_ = false;
}

void Rlc::report(const char* rule, const char* where, std::uint32_t value, const char* text) {
  chip_.report("rlc", rule, where, value, text, "gfx_v11_0.c");
}

void Rlc::start() {
  chip_.registers.set_raw<regs::CP_STAT>(1u << 31);  // CP_BUSY while the images are distributed
  if (chip_.fault("rlc/never_boots")) return;
  chip_.timer.after(microseconds(500), microseconds(4000), [this] {
    using S = regs::RLC_RLCS_BOOTLOAD_STATUS;
    auto& r = chip_.registers;
    chip_.rlc_booted.store(true, std::memory_order_release);
    r.set<regs::RLC_CNTL>({regs::RLC_CNTL::RLC_ENABLE_F32(1)});
    r.set_raw<regs::CP_STAT>(0);
    r.set_raw<S>(r.map().encode<S>(
        0, {S::GFX_INIT_DONE(1), S::RLC_GPM_IRAM_LOADED(1), S::RLC_GPM_IRAM_DONE(1), S::BOOTLOAD_COMPLETE(1)}));
  });
}

void Rlc::safe_mode(std::uint32_t value) {
  using S = regs::RLC_SAFE_MODE;
  const std::lock_guard lock(mutex_);
  const auto v = chip_.registers.map().decode<S>(value);
  if (!v[S::CMD]) return;
  const bool enter = v[S::MESSAGE] & 1;
  if (!chip_.registers.get<regs::RLC_CNTL>()[regs::RLC_CNTL::RLC_ENABLE_F32])
    return report("rlc.disabled", "RLC_SAFE_MODE", value, "the RLC is off (RLC_CNTL) and does not answer");
  if (handshake_)
    return report("rlc.handshake", "RLC_SAFE_MODE", value,
                  "a request was written before CMD of the one before cleared");
  if (!enter && !safe_)
    report("rlc.not_in_safe_mode", "RLC_SAFE_MODE", value, "safe mode was left without being entered");
  handshake_ = true;
  if (chip_.fault("rlc/safe_mode_hang")) return;
  chip_.timer.after(microseconds(5), microseconds(60), [this, enter] {
    const std::lock_guard done_lock(mutex_);
    safe_ = enter;
    handshake_ = false;
    chip_.registers.set<S>({S::CMD(0)});
  });
}

template <class R>
void Rlc::needs_safe_mode() {
  chip_.registers.on_write<R>([this](std::uint32_t v, std::uint32_t) {
    const std::lock_guard lock(mutex_);
    if (!safe_ || handshake_)
      report("rlc.outside_safe_mode", regs::register_infos()[R::id.value].name, v,
             "clock gating was changed outside RLC safe mode");
  });
}

void Rlc::soft_reset_written(std::uint32_t value, std::uint32_t before) {
  const std::uint32_t set = value & ~before, cleared = before & ~value;
  for (Block* b : chip_.blocks) {
    if (set) b->soft_reset(set, true);
    if (cleared) b->soft_reset(cleared, false);
  }
}

}  // namespace hcq::models::am
