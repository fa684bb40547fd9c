// SPDX-License-Identifier: MIT
// Order and values: psp_v13_0.c and amdgpu_psp.c of Linux 6.12.
#include "drivers/am/psp.h"

#include <fmt/format.h>

#include <cstring>
#include <thread>

#include "base/log.h"
#include "drivers/am/gpu.h"

namespace hcq::am {

using namespace regs;
using namespace std::chrono_literals;
namespace psp = abi::psp;

namespace {

// The Linux driver waits one second for each bootloader component and two for a ring command; firmware that hangs is
// still told from slow firmware at ten.
constexpr auto kTimeout = 10s;
// After power-on the bootloader is long ready when a driver looks; one that is not was left hanging by somebody.
constexpr auto kReadyTimeout = 2s;
// psp_v13_0.c: "there might be handshake issue with hardware which needs delay".
constexpr auto kHandshake = 20ms;
constexpr std::uint32_t kFrameDwords = sizeof(psp::RingFrame) / 4;
// Images are padded with zeros to 16 bytes, at least one dword.
constexpr std::size_t kPadTo = 16;

template <class T>
Bytes bytes_of(const T& v) {
  return std::as_bytes(std::span(&v, 1));
}

}  // namespace

// Asked when the device is suspected of being gone, so that all ones mean nothing here.
bool Psp::was_reset() {
  const auto v = gpu_.io().probe_fixed({"MP0_SMN_C2PMSG_81", gpu_.io().map().address<MP0_SMN_C2PMSG_81>()});
  return v.ok() && *v == 0;
}

Result<bool> Psp::secure_os_alive() { return HCQ_TRY(gpu_.io().read<MP0_SMN_C2PMSG_81>()).raw != 0; }

Result<bool> Psp::bootloader_ready() {
  const auto v = gpu_.io().poll_masked<MP0_SMN_C2PMSG_35>(psp::kMailboxReady, psp::kMailboxReady, kReadyTimeout,
                                                          "psp/bootloader_ready");
  if (!v.ok() && v.error().code != Errc::timeout) return v.error();
  return v.ok() && !(v->raw & psp::kBootloaderErrorMask);
}

// Bit 31 says ready, all others are zero then; the low byte carries an error.
Status Psp::wait_bootloader(const char* step) {
  RegisterIo& io = gpu_.io();
  using R = MP0_SMN_C2PMSG_35;
  const auto v = HCQ_TRY(io.poll_masked<R>(psp::kMailboxReady, psp::kMailboxReady, kTimeout, step));
  if (v.raw & psp::kBootloaderErrorMask) {
    Error e = gpu_.link().error(Errc::device_fault, "MP0_SMN_C2PMSG_35", "the PSP bootloader reports an error");
    e.operation = step;
    e.actual = v.raw & psp::kBootloaderErrorMask;
    return e;
  }
  HCQ_TRY(io.poll_masked<R>(~0u, psp::kMailboxReady, kTimeout, step));
  return {};
}

Status Psp::stage(Bytes data) {
  const Region buffer = gpu_.layout().psp_message;
  const std::size_t padded = round_up(data.size() + 4, kPadTo);
  if (padded > buffer.bytes) {
    Error e = gpu_.link().error(Errc::unsupported, "firmware image", "larger than the message buffer");
    e.expected = buffer.bytes;
    e.actual = padded;
    return e;
  }
  HCQ_TRY(gpu_.vram().write(buffer.paddr, data));
  HCQ_TRY(gpu_.vram().zero(buffer.paddr + data.size(), padded - data.size()));
  return gpu_.flush_hdp();
}

Status Psp::send_component(const PspImage& image) {
  log::trace(log::Area::psp, "bootloader: {} version {:#x}, {} bytes", image.name, image.version, image.data.size());
  HCQ_TRY(wait_bootloader("psp/wait_bootloader"));
  HCQ_TRY(stage(image.data));
  RegisterIo& io = gpu_.io();
  HCQ_TRY(io.write_raw<MP0_SMN_C2PMSG_36>(
      static_cast<std::uint32_t>(gpu_.mc(gpu_.layout().psp_message.paddr) / psp::PSP_1_MEG)));
  HCQ_TRY(io.write_raw<MP0_SMN_C2PMSG_35>(image.command));
  if (image.command == psp::PSP_BL__LOAD_SOSDRV) return {};
  Status s = wait_bootloader("psp/load_component");
  if (s.ok() || s.error().code == Errc::device_lost) return s;
  Error e = std::move(s).error();
  e.detail += fmt::format("; component {} of {}, version {:#x}", image.name, image.file, image.version);
  return e;
}

Status Psp::load_secure_os() {
  ring_ready_ = false;
  for (const PspImage& image : gpu_.firmware().psp) HCQ_TRY(send_component(image));
  std::this_thread::sleep_for(kHandshake);
  HCQ_TRY(gpu_.io().poll_nonzero<MP0_SMN_C2PMSG_81>(~0u, kTimeout, "psp/wait_sos"));
  return {};
}

Status Psp::create_ring() {
  RegisterIo& io = gpu_.io();
  const Region ring = gpu_.layout().psp_ring;
  HCQ_TRY(gpu_.vram().zero(gpu_.layout().psp_fence.paddr, gpu_.layout().psp_fence.bytes));
  HCQ_TRY(gpu_.vram().zero(ring.paddr, ring.bytes));
  HCQ_TRY(gpu_.flush_hdp());
  fence_ = 0;
  if (HCQ_TRY(io.read<MP0_SMN_C2PMSG_71>()).raw != 0) {
    HCQ_TRY(io.write_raw<MP0_SMN_C2PMSG_64>(psp::GFX_CTRL_CMD_ID_DESTROY_RINGS));
    std::this_thread::sleep_for(kHandshake);
  }
  HCQ_TRY(io.poll_masked<MP0_SMN_C2PMSG_64>(psp::kMailboxReady, psp::kMailboxReady, kTimeout, "psp/wait_ring_ready"));
  HCQ_TRY(io.write_raw<MP0_SMN_C2PMSG_69>(lo32(gpu_.mc(ring.paddr))));
  HCQ_TRY(io.write_raw<MP0_SMN_C2PMSG_70>(hi32(gpu_.mc(ring.paddr))));
  HCQ_TRY(io.write_raw<MP0_SMN_C2PMSG_71>(static_cast<std::uint32_t>(ring.bytes)));
  HCQ_TRY(io.write_raw<MP0_SMN_C2PMSG_64>(psp::GFX_CTRL_CMD_ID_INIT_GPCOM_RING));
  std::this_thread::sleep_for(kHandshake);
  HCQ_TRY(io.poll_masked<MP0_SMN_C2PMSG_64>(psp::kMailboxReady | psp::GFX_CMD_STATUS_MASK, psp::kMailboxReady, kTimeout,
                                            "psp/create_ring"));
  ring_ready_ = true;
  return {};
}

Status Psp::write_frame(std::uint32_t wptr_dw) {
  const BootLayout& l = gpu_.layout();
  psp::RingFrame frame{};
  frame.cmd_buf_addr_lo = lo32(gpu_.mc(l.psp_command.paddr));
  frame.cmd_buf_addr_hi = hi32(gpu_.mc(l.psp_command.paddr));
  frame.cmd_buf_size = sizeof(psp::Command);
  frame.fence_addr_lo = lo32(gpu_.mc(l.psp_fence.paddr));
  frame.fence_addr_hi = hi32(gpu_.mc(l.psp_fence.paddr));
  frame.fence_value = fence_;
  return gpu_.vram().write(l.psp_ring.paddr + std::uint64_t{wptr_dw} * 4, bytes_of(frame));
}

Result<psp::Response> Psp::submit(psp::CommandId id, const psp::CommandUnion& body, const std::string& what) {
  if (!ring_ready_) return gpu_.link().error(Errc::internal, what, "the PSP ring does not exist");
  const BootLayout& l = gpu_.layout();
  RegisterIo& io = gpu_.io();
  const auto ring_dw = static_cast<std::uint32_t>(l.psp_ring.bytes / 4);
  psp::Command command{};
  command.buf_size = sizeof(command);
  command.buf_version = psp::PSP_GFX_CMD_BUF_VERSION;
  command.cmd_id = id;
  command.cmd = body;
  ++fence_;
  const std::uint32_t wptr = HCQ_TRY(io.read<MP0_SMN_C2PMSG_67>()).raw % ring_dw;
  if (wptr % kFrameDwords) {
    Error e = gpu_.link().error(Errc::corrupt, "MP0_SMN_C2PMSG_67", "the ring's write pointer is inside a frame");
    e.actual = wptr;
    return e;
  }
  HCQ_TRY(gpu_.vram().write(l.psp_command.paddr, bytes_of(command)));
  HCQ_TRY(write_frame(wptr));
  HCQ_TRY(gpu_.flush_hdp());
  HCQ_TRY(io.write_raw<MP0_SMN_C2PMSG_67>((wptr + kFrameDwords) % ring_dw));

  const Deadline deadline = Deadline::in(gpu_.link().limit(kTimeout));
  Backoff backoff;
  while (true) {
    const bool last = deadline.expired();
    const std::uint32_t done = HCQ_TRY(gpu_.vram().read32(l.psp_fence.paddr));
    if (done == fence_) break;
    if (last) {
      HCQ_TRY(gpu_.link().confirm("PSP fence"));
      Error e = gpu_.link().error(Errc::timeout, "PSP fence", "no answer to " + what);
      e.expected = fence_;
      e.actual = done;
      return e;
    }
    backoff.pause();
  }
  HCQ_TRY(gpu_.vram().read(l.psp_command.paddr, std::as_writable_bytes(std::span(&command, 1))));
  log::trace(log::Area::psp, "{}: status {:#x}", what, command.resp.status);
  if (command.resp.status != psp::TEE_SUCCESS) {
    Error e = gpu_.link().error(Errc::device_fault, what, "the PSP refused it");
    e.expected = psp::TEE_SUCCESS;
    e.actual = command.resp.status;
    return e;
  }
  return command.resp;
}

Status Psp::load_toc() {
  const Bytes toc = gpu_.firmware().toc;
  HCQ_TRY(stage(toc));
  const std::uint64_t at = gpu_.mc(gpu_.layout().psp_message.paddr);
  psp::CommandUnion body{};
  body.load_toc = {lo32(at), hi32(at), static_cast<std::uint32_t>(toc.size())};
  const psp::Response r = HCQ_TRY(submit(psp::GFX_CMD_ID_LOAD_TOC, body, "LOAD_TOC"));
  tmr_bytes_ = r.tmr_size;
  const std::uint64_t reserved = gpu_.layout().tmr.bytes;
  if (tmr_bytes_ == 0 || tmr_bytes_ > reserved) {
    Error e = gpu_.link().error(Errc::unsupported, "TMR size",
                                fmt::format("the firmware asks for a trusted memory region of {:#x} bytes, {:#x} are "
                                            "reserved",
                                            tmr_bytes_, reserved));
    e.expected = reserved;
    e.actual = tmr_bytes_;
    return e;
  }
  return {};
}

Status Psp::setup_tmr() {
  const Region tmr = gpu_.layout().tmr;
  psp::CommandUnion body{};
  body.setup_tmr = {.buf_phy_addr_lo = lo32(gpu_.mc(tmr.paddr)),
                    .buf_phy_addr_hi = hi32(gpu_.mc(tmr.paddr)),
                    .buf_size = tmr_bytes_,
                    .tmr_flags = psp::kTmrVirtPhyAddr,
                    .system_phy_addr_lo = lo32(gpu_.pa(tmr.paddr)),
                    .system_phy_addr_hi = hi32(gpu_.pa(tmr.paddr))};
  HCQ_TRY(submit(psp::GFX_CMD_ID_SETUP_TMR, body, "SETUP_TMR"));
  return {};
}

Status Psp::load_image(const IpImage& image) {
  HCQ_TRY(stage(image.data));
  const std::uint64_t at = gpu_.mc(gpu_.layout().psp_message.paddr);
  psp::CommandUnion body{};
  body.load_ip_fw = {lo32(at), hi32(at), static_cast<std::uint32_t>(image.data.size()), image.type};
  auto r = submit(psp::GFX_CMD_ID_LOAD_IP_FW, body, "LOAD_IP_FW " + image.name);
  if (r.ok()) return {};
  Error e = std::move(r).error();
  if (e.code == Errc::device_fault)
    e.detail += fmt::format(": {} version {:#x} of {}", image.name, image.version, image.file);
  return e;
}

Status Psp::load_smu_firmware() { return load_image(gpu_.firmware().smu); }

Status Psp::load_ip_firmware() {
  for (const IpImage& image : gpu_.firmware().ip) HCQ_TRY(load_image(image));
  return {};
}

Status Psp::start_autoload() {
  HCQ_TRY(submit(psp::GFX_CMD_ID_AUTOLOAD_RLC, {}, "AUTOLOAD_RLC"));
  return {};
}

}  // namespace hcq::am
