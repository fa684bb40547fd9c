// SPDX-License-Identifier: MIT
// The secure OS's ring: creation and destruction through C2PMSG_64, frames through C2PMSG_67.
#include <fmt/format.h>

#include <cstring>

#include "models/am/psp.h"

namespace hcq::models::am {

namespace {

namespace p = hcq::am::abi::psp;
using std::chrono::microseconds;

constexpr std::uint32_t kFrameDwords = sizeof(p::RingFrame) / 4;
enum RingError : std::uint32_t { kNotAllowed = 0x01, kBadParameter = 0x02 };

std::uint64_t join(std::uint32_t lo, std::uint32_t hi) { return std::uint64_t{hi} << 32 | lo; }

template <class T>
MutableBytes writable(T& v) {
  return std::as_writable_bytes(std::span(&v, 1));
}

}  // namespace

void Psp::add_ring() {
  auto& r = chip_.registers;
  r.on_write<regs::MP0_SMN_C2PMSG_64>([this](std::uint32_t v, std::uint32_t) { ring_control(v); });
  r.on_write<regs::MP0_SMN_C2PMSG_67>([this](std::uint32_t v, std::uint32_t) { ring_doorbell(v); });
  const auto virtual_function = [this](std::uint32_t v, std::uint32_t) {
    report("psp.vf_mailbox", "MP0_SMN_C2PMSG_101..103", v,
           "the mailbox of virtual functions was used on a physical one");
  };
  r.on_write<regs::MP0_SMN_C2PMSG_101>(virtual_function);
  r.on_write<regs::MP0_SMN_C2PMSG_102>(virtual_function);
  r.on_write<regs::MP0_SMN_C2PMSG_103>(virtual_function);
}

void Psp::ring_control(std::uint32_t value) {
  const std::lock_guard lock(mutex_);
  if (!sos_alive_)
    return report("psp.ring_before_sos", "MP0_SMN_C2PMSG_64", value, "the secure OS is not running (C2PMSG_81 is 0)");
  if (control_busy_)
    return report("psp.ring_control_busy", "MP0_SMN_C2PMSG_64", value,
                  "a ring command was written before bit 31 confirmed the one before");
  control_busy_ = true;
  if (chip_.fault("psp/ring_control_hang")) return;
  chip_.timer.after(microseconds(30), microseconds(300), [this, value] { ring_control_run(value); });
}

void Psp::ring_control_run(std::uint32_t value) {
  std::uint32_t status = 0;
  {
    const std::lock_guard lock(mutex_);
    control_busy_ = false;
    switch (value) {
      case p::GFX_CTRL_CMD_ID_INIT_GPCOM_RING:
        status = create_ring();
        break;
      case p::GFX_CTRL_CMD_ID_DESTROY_RINGS:
        ring_ = {};
        chip_.registers.set_raw<regs::MP0_SMN_C2PMSG_71>(0);
        break;
      case p::GFX_CTRL_CMD_ID_MODE1_RST:
        break;
      default:
        report("psp.ring_control", "MP0_SMN_C2PMSG_64", value, "no such ring command on this chip");
        status = kNotAllowed;
    }
    chip_.registers.set_raw<regs::MP0_SMN_C2PMSG_64>(p::kMailboxReady | status);
  }
  if (value == p::GFX_CTRL_CMD_ID_MODE1_RST) chip_.begin_mode1();
}

std::uint32_t Psp::create_ring() {
  auto& r = chip_.registers;
  if (ring_.exists) {
    report("psp.ring_exists", "MP0_SMN_C2PMSG_64", ring_.mc, "the ring was created twice; destroy the old one first");
    return kNotAllowed;
  }
  const std::uint64_t mc = join(r.raw<regs::MP0_SMN_C2PMSG_69>(), r.raw<regs::MP0_SMN_C2PMSG_70>());
  const std::uint32_t bytes = r.raw<regs::MP0_SMN_C2PMSG_71>();
  if (mc % 4096 || bytes < 4096 || bytes % 4096 || !is_pow2(bytes) || !chip_.memory->mc_valid(mc, bytes)) {
    report("psp.ring_parameters", "MP0_SMN_C2PMSG_69..71", mc,
           "the ring must lie at a memory-controller address, aligned to 4 KiB, its size a power of two");
    return kBadParameter;
  }
  ring_ = {.mc = mc, .bytes = bytes, .rptr = 0, .wptr = 0, .exists = true};
  r.set_raw<regs::MP0_SMN_C2PMSG_67>(0);
  return 0;
}

void Psp::ring_doorbell(std::uint32_t wptr) {
  const std::lock_guard lock(mutex_);
  if (!ring_.exists)
    return report("psp.no_ring", "MP0_SMN_C2PMSG_67", wptr, "the write pointer was moved before the ring was created");
  if (wptr % kFrameDwords || wptr >= ring_.bytes / 4)
    return report("psp.wptr", "MP0_SMN_C2PMSG_67", wptr,
                  "the write pointer counts dwords: a multiple of 16, below the size of the ring");
  ring_.wptr = wptr;
  if (ring_.busy || ring_.stuck || ring_.rptr == ring_.wptr) return;
  ring_.busy = true;
  if (chip_.fault("psp/command_hang")) return;
  chip_.timer.after(microseconds(15), microseconds(120), [this] { run_frame(); });
}

bool Psp::frame_is_sound(const p::RingFrame& f, std::uint64_t at) {
  bool reserved = f.vmid || f.frame_type || f.reserved1[0] || f.reserved1[1] || f.sid_lo || f.sid_hi;
  for (const std::uint32_t v : f.reserved2) reserved = reserved || v;
  const std::uint64_t command = join(f.cmd_buf_addr_lo, f.cmd_buf_addr_hi);
  const std::uint64_t fence = join(f.fence_addr_lo, f.fence_addr_hi);
  const char* text = nullptr;
  if (reserved) text = "reserved fields of the frame are not zero: not written, or the HDP was not flushed";
  else if (command % 4096) text = "the command buffer is not aligned to 4 KiB";
  else if (fence % 4) text = "the fence is not aligned to 4 bytes";
  if (text) report("psp.frame", fmt::format("frame at {:#x}", at), command, text);
  return !text;
}

void Psp::run_frame() {
  const std::lock_guard lock(mutex_);
  if (!ring_.exists) return;
  const std::uint64_t at = ring_.mc + std::uint64_t{ring_.rptr} * 4;
  p::RingFrame f{};
  p::Command c{};
  ring_.stuck = !chip_.memory->mc_read("PSP ring", at, writable(f)) || !frame_is_sound(f, at) ||
                !chip_.memory->mc_read("PSP command", join(f.cmd_buf_addr_lo, f.cmd_buf_addr_hi), writable(c));
  ring_.busy = false;
  if (ring_.stuck) return;
  c.resp = {};
  c.resp.status = chip_.fault("psp/command_status") ? 0xffff0000u : execute(c);
  const std::uint64_t response = join(f.cmd_buf_addr_lo, f.cmd_buf_addr_hi) + offsetof(p::Command, resp);
  chip_.memory->mc_write("PSP response", response, std::as_bytes(std::span(&c.resp, 1)));
  chip_.memory->mc_write("PSP fence", join(f.fence_addr_lo, f.fence_addr_hi),
                         std::as_bytes(std::span(&f.fence_value, 1)));
  ring_.rptr = (ring_.rptr + kFrameDwords) % (ring_.bytes / 4);
  if (ring_.rptr == ring_.wptr) return;
  ring_.busy = true;
  chip_.timer.after(microseconds(10), microseconds(60), [this] { run_frame(); });
}

}  // namespace hcq::models::am
