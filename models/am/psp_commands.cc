// SPDX-License-Identifier: MIT
// What the secure OS does with a command: table of contents, trusted memory region, firmware, RLC autoload.
#include <fmt/format.h>

#include "models/am/psp.h"

namespace hcq::models::am {

namespace {

namespace p = hcq::am::abi::psp;

// GlobalPlatform TEE Internal Core API, 3.3.3.
constexpr std::uint32_t kBadFormat = 0xffff0005, kBadParameters = 0xffff0006, kBadState = 0xffff0007,
                        kSecurity = 0xffff000f;

// What a compute-only driver must have loaded before the graphics block can boot: the RLC and IMU start the block, the
// SDMA and MEC images are what it distributes.
constexpr std::uint32_t kAutoloadSet[] = {
    p::GFX_FW_TYPE_SMU,
    p::GFX_FW_TYPE_SDMA_UCODE_TH0,
    p::GFX_FW_TYPE_SDMA_UCODE_TH1,
    p::GFX_FW_TYPE_RS64_MEC,
    p::GFX_FW_TYPE_RS64_MEC_P0_STACK,
    p::GFX_FW_TYPE_IMU_I,
    p::GFX_FW_TYPE_IMU_D,
    p::GFX_FW_TYPE_RLC_IRAM,
    p::GFX_FW_TYPE_RLC_DRAM_BOOT,
    p::GFX_FW_TYPE_RLC_P,
    p::GFX_FW_TYPE_RLC_V,
    p::GFX_FW_TYPE_RLC_G,
};

// What the secure OS takes after the graphics block has been started as well.
bool goes_to_graphics(std::uint32_t type) { return type != p::GFX_FW_TYPE_REG_LIST; }

std::uint64_t join(std::uint32_t lo, std::uint32_t hi) { return std::uint64_t{hi} << 32 | lo; }

}  // namespace

std::uint32_t Psp::refuse(std::uint32_t status, std::string rule, std::uint64_t value, std::string text) {
  report(std::move(rule), "PSP command", value, std::move(text));
  return status;
}

std::uint32_t Psp::execute(p::Command& c) {
  switch (c.cmd_id) {
    case p::GFX_CMD_ID_LOAD_TOC:
      return load_toc(c);
    case p::GFX_CMD_ID_SETUP_TMR:
      return setup_tmr(c);
    case p::GFX_CMD_ID_DESTROY_TMR:
      return destroy_tmr();
    case p::GFX_CMD_ID_LOAD_IP_FW:
      return load_ip_fw(c);
    case p::GFX_CMD_ID_AUTOLOAD_RLC:
      return autoload_rlc();
    case p::GFX_CMD_ID_LOAD_ASD:
    case p::GFX_CMD_ID_LOAD_TA:
      return load_ta(c);
    case p::GFX_CMD_ID_UNLOAD_TA:
      return unload_ta(c);
    case p::GFX_CMD_ID_INVOKE_CMD:
      return invoke_ta(c);
    default:
      return refuse(p::PSP_ERR_UNKNOWN_COMMAND, "psp.unknown_command", c.cmd_id,
                    "the secure OS of this chip does not know the command");
  }
}

std::uint32_t Psp::load_toc(p::Command& c) {
  const auto& t = c.cmd.load_toc;
  const std::uint64_t mc = join(t.toc_phy_addr_lo, t.toc_phy_addr_hi);
  if (mc % 4096 || t.toc_size == 0 || t.toc_size > p::PSP_1_MEG)
    return refuse(kBadParameters, "psp.load_toc", mc, "the table of contents must be 4 KiB aligned and at most 1 MiB");
  std::vector<std::byte> toc(t.toc_size);
  if (!chip_.memory->mc_read("PSP LOAD_TOC", mc, toc)) return kBadParameters;
  if (!known_.find(p::GFX_FW_TYPE_TOC, toc))
    return refuse(kBadFormat, "psp.firmware_content", t.toc_size,
                  "the buffer does not hold the table of contents of a known file");
  toc_loaded_ = true;
  c.resp.tmr_size = kTmrBytes;
  return p::TEE_SUCCESS;
}

std::uint32_t Psp::setup_tmr(const p::Command& c) {
  const auto& t = c.cmd.setup_tmr;
  const std::uint64_t mc = join(t.buf_phy_addr_lo, t.buf_phy_addr_hi);
  const std::uint64_t pa = join(t.system_phy_addr_lo, t.system_phy_addr_hi);
  if (!toc_loaded_) return refuse(kBadState, "psp.order", c.cmd_id, "SETUP_TMR before LOAD_TOC");
  if (!firmware_.count(p::GFX_FW_TYPE_SMU))
    return refuse(kBadState, "psp.order", c.cmd_id,
                  "SETUP_TMR before the SMU firmware, which manages the memory's power states on this chip");
  if (tmr_mc_) return refuse(kBadState, "psp.tmr_exists", mc, "the trusted memory region was set up twice");
  const bool in_vram =
      mc >= chip_.fb_base && t.buf_size <= chip_.vram->size() && mc - chip_.fb_base <= chip_.vram->size() - t.buf_size;
  const char* text = nullptr;
  if (mc % p::PSP_TMR_ALIGNMENT) text = "the region must be aligned to 1 MiB";
  else if (!in_vram) text = "the region is not in VRAM by its memory-controller address";
  else if (t.buf_size < kTmrBytes || t.buf_size % 4096) text = "the region is smaller than LOAD_TOC asked for";
  else if (t.tmr_flags != p::kTmrVirtPhyAddr) text = "virt_phy_addr must be set, and nothing else";
  else if (pa != mc - chip_.fb_base) text = "the physical address does not belong to the memory-controller address";
  if (text) return refuse(kBadParameters, "psp.tmr_parameters", mc, text);
  tmr_mc_ = mc;
  tmr_used_ = 0;
  chip_.tmr.begin.store(mc - chip_.fb_base, std::memory_order_release);
  chip_.tmr.end.store(mc - chip_.fb_base + t.buf_size, std::memory_order_release);
  return p::TEE_SUCCESS;
}

std::uint32_t Psp::destroy_tmr() {
  if (!tmr_mc_) return refuse(kBadState, "psp.order", 0, "DESTROY_TMR without a trusted memory region");
  tmr_mc_ = 0;
  chip_.tmr.begin.store(0, std::memory_order_release);
  chip_.tmr.end.store(0, std::memory_order_release);
  return p::TEE_SUCCESS;
}

std::uint32_t Psp::load_ip_fw(p::Command& c) {
  const auto& l = c.cmd.load_ip_fw;
  const std::uint64_t mc = join(l.fw_phy_addr_lo, l.fw_phy_addr_hi);
  if (!toc_loaded_) return refuse(kBadState, "psp.order", l.fw_type, "LOAD_IP_FW before LOAD_TOC");
  if (!tmr_mc_ && l.fw_type != p::GFX_FW_TYPE_SMU)
    return refuse(kBadState, "psp.order", l.fw_type, "LOAD_IP_FW before SETUP_TMR: there is no place for the firmware");
  if (autoloaded_ && goes_to_graphics(l.fw_type))
    return refuse(kBadState, "psp.order", l.fw_type, "LOAD_IP_FW of graphics firmware after AUTOLOAD_RLC");
  if (!known_.has_type(l.fw_type) || l.fw_type == p::GFX_FW_TYPE_TOC)
    return refuse(kBadParameters, "psp.firmware_type", l.fw_type, "this chip has no firmware of this type");
  if (firmware_.count(l.fw_type))
    return refuse(kBadState, "psp.firmware_twice", l.fw_type, "this firmware was loaded already");
  if (mc % 4096 || l.fw_size == 0 || l.fw_size > p::PSP_1_MEG)
    return refuse(kBadParameters, "psp.firmware_size", l.fw_size, "firmware must be 4 KiB aligned and at most 1 MiB");
  std::vector<std::byte> content(l.fw_size);
  if (!chip_.memory->mc_read("PSP LOAD_IP_FW", mc, content)) return kBadParameters;
  const KnownFirmware::Blob* blob = known_.find(l.fw_type, content);
  if (!blob)
    return refuse(
        kSecurity, "psp.firmware_content", l.fw_type,
        fmt::format("{} bytes at {:#x} are no known firmware of this type (was the HDP flushed?)", l.fw_size, mc));
  firmware_.insert(l.fw_type);
  chip_.set_firmware(l.fw_type, {blob->hash, blob->size, blob->start_address});
  if (l.fw_type == p::GFX_FW_TYPE_SMU) {
    chip_.smu_running.store(true, std::memory_order_release);
    chip_.registers.set_raw<regs::MP1_SMN_C2PMSG_90>(1);  // ready for the first message
  }
  const std::uint64_t at = tmr_mc_ + tmr_used_;
  tmr_used_ += round_up<std::uint64_t>(l.fw_size, 4096);
  c.resp.fw_addr_lo = lo32(at);
  c.resp.fw_addr_hi = hi32(at);
  return p::TEE_SUCCESS;
}

std::uint32_t Psp::autoload_rlc() {
  if (autoloaded_) return refuse(kBadState, "psp.order", 0, "AUTOLOAD_RLC twice");
  for (const std::uint32_t type : kAutoloadSet)
    if (!firmware_.count(type))
      return refuse(kBadState, "psp.autoload_incomplete", type, "AUTOLOAD_RLC while firmware of this type is missing");
  autoloaded_ = true;
  if (start_rlc) start_rlc();
  return p::TEE_SUCCESS;
}

// Trusted applications and the one driver (ASD) that they share. The model checks what comes and keeps the sessions; it
// runs none of them.
std::uint32_t Psp::load_ta(p::Command& c) {
  const auto& t = c.cmd.load_ta;
  const std::uint64_t app = join(t.app_phy_addr_lo, t.app_phy_addr_hi);
  const std::uint64_t shared = join(t.cmd_buf_phy_addr_lo, t.cmd_buf_phy_addr_hi);
  if (app % 4096 || t.app_len == 0 || t.app_len > p::PSP_1_MEG)
    return refuse(kBadParameters, "psp.ta_parameters", app, "an application is 4 KiB aligned and at most 1 MiB");
  // The ASD gets the length of a shared buffer and no address: it has none (psp_asd_initialize).
  if (shared && (shared % 4096 || t.cmd_buf_len % 4096 || !chip_.memory->mc_valid(shared, t.cmd_buf_len)))
    return refuse(kBadParameters, "psp.ta_parameters", shared,
                  "the buffer shared with an application lies in memory and has whole pages");
  std::vector<std::byte> content(t.app_len);
  if (!chip_.memory->mc_read("PSP LOAD_TA", app, content)) return kBadParameters;
  if (!known_.is_application(content))
    return refuse(kSecurity, "psp.ta_content", app,
                  "the buffer does not hold an application of a known file (was the HDP flushed?)");
  c.resp.session_id = ++last_session_;
  sessions_.insert(last_session_);
  return p::TEE_SUCCESS;
}

std::uint32_t Psp::unload_ta(const p::Command& c) {
  if (!sessions_.erase(c.cmd.unload_ta.session_id))
    return refuse(kBadParameters, "psp.ta_session", c.cmd.unload_ta.session_id, "no application has this session");
  return p::TEE_SUCCESS;
}

std::uint32_t Psp::invoke_ta(const p::Command& c) {
  if (!sessions_.count(c.cmd.invoke_cmd.session_id))
    return refuse(kBadParameters, "psp.ta_session", c.cmd.invoke_cmd.session_id, "no application has this session");
  return p::TEE_ERROR_NOT_SUPPORTED;
}

}  // namespace hcq::models::am
