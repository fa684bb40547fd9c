// SPDX-License-Identifier: MIT
#include "models/am/known_firmware.h"

#include <fmt/format.h>

#include <utility>

#include "base/file.h"
#include "base/log.h"
#include "drivers/am/abi/firmware.h"
#include "drivers/am/abi/psp.h"
#include "models/am/synthetic_firmware.h"

namespace hcq::models::am {

namespace {
namespace f = hcq::am::abi::firmware;
namespace p = hcq::am::abi::psp;
constexpr std::uint64_t kMaxFile = 64u << 20;
}  // namespace

Status KnownFirmware::add(std::uint32_t type, const ByteReader& r, std::uint64_t offset, std::uint64_t size,
                          std::uint64_t start) {
  if (size) loadable_[type].push_back({fnv1a(HCQ_TRY(r.slice(offset, size))), size, start});
  return {};
}

Status KnownFirmware::add_psp(const ByteReader& r) {
  const auto h = HCQ_TRY(r.get<f::PspHeaderV2_0>(0));
  const std::uint64_t first = h.header.header_version_minor == 0 ? sizeof(f::PspHeaderV2_0) : sizeof(f::PspHeaderV2_1);
  for (std::uint32_t i = 0; i < h.psp_fw_bin_count && i < 64; ++i) {
    const auto d = HCQ_TRY(r.get<f::PspBinDesc>(first + i * sizeof(f::PspBinDesc)));
    const std::uint64_t at = std::uint64_t{h.header.ucode_array_offset_bytes} + d.offset_bytes;
    boot_[d.fw_type].push_back({fnv1a(HCQ_TRY(r.slice(at, d.size_bytes))), d.size_bytes, 0});
    if (d.fw_type == f::PSP_FW_TYPE_PSP_TOC) HCQ_TRY(add(p::GFX_FW_TYPE_TOC, r, at, d.size_bytes));
    if (d.fw_type == f::PSP_FW_TYPE_PSP_RL) HCQ_TRY(add(p::GFX_FW_TYPE_REG_LIST, r, at, d.size_bytes));
  }
  return {};
}

// Same header and descriptors as the sOS file (ta_firmware_header_v2_0 in amdgpu_ucode.h).
Status KnownFirmware::add_applications(const ByteReader& r) {
  const auto h = HCQ_TRY(r.get<f::PspHeaderV2_0>(0));
  for (std::uint32_t i = 0; i < h.psp_fw_bin_count && i < 64; ++i) {
    const auto d = HCQ_TRY(r.get<f::PspBinDesc>(sizeof h + i * sizeof(f::PspBinDesc)));
    const std::uint64_t at = std::uint64_t{h.header.ucode_array_offset_bytes} + d.offset_bytes;
    applications_.push_back({fnv1a(HCQ_TRY(r.slice(at, d.size_bytes))), d.size_bytes, 0});
  }
  return {};
}

Status KnownFirmware::add_smu(const ByteReader& r) {
  const auto h = HCQ_TRY(r.get<f::SmcHeaderV2_1>(0));
  const auto& c = h.v1_0.header;
  HCQ_TRY(add(p::GFX_FW_TYPE_SMU, r, c.ucode_array_offset_bytes, c.ucode_size_bytes));
  for (std::uint32_t i = 0; c.header_version_minor == 1 && i < h.pptable_count && i < 64; ++i) {
    const auto e = HCQ_TRY(r.get<f::SmcSoftPptableEntry>(h.pptable_entry_offset + i * sizeof(f::SmcSoftPptableEntry)));
    HCQ_TRY(add(p::GFX_FW_TYPE_PPTABLE, r, e.ppt_offset_bytes, e.ppt_size_bytes));
  }
  return {};
}

Status KnownFirmware::add_sdma(const ByteReader& r) {
  const auto h = HCQ_TRY(r.get<f::SdmaHeaderV2_0>(0));
  HCQ_TRY(add(p::GFX_FW_TYPE_SDMA_UCODE_TH0, r, h.header.ucode_array_offset_bytes, h.ctx_ucode_size_bytes));
  return add(p::GFX_FW_TYPE_SDMA_UCODE_TH1, r, h.ctl_ucode_offset, h.ctl_ucode_size_bytes);
}

Status KnownFirmware::add_rs64(const ByteReader& r, std::uint32_t code, std::vector<std::uint32_t> stacks) {
  const auto h = HCQ_TRY(r.get<f::GfxHeaderV2_0>(0));
  const std::uint64_t start = std::uint64_t{h.ucode_start_addr_hi} << 32 | h.ucode_start_addr_lo;
  HCQ_TRY(add(code, r, h.ucode_offset_bytes, h.ucode_size_bytes, start));
  for (const std::uint32_t s : stacks) HCQ_TRY(add(s, r, h.data_offset_bytes, h.data_size_bytes));
  return {};
}

Status KnownFirmware::add_mes(const ByteReader& r, std::uint32_t code, std::uint32_t stack) {
  const auto h = HCQ_TRY(r.get<f::MesHeaderV1_0>(0));
  const std::uint64_t start = std::uint64_t{h.mes_uc_start_addr_hi} << 32 | h.mes_uc_start_addr_lo;
  HCQ_TRY(add(code, r, h.mes_ucode_offset_bytes, h.mes_ucode_size_bytes, start));
  return add(stack, r, h.mes_ucode_data_offset_bytes, h.mes_ucode_data_size_bytes);
}

Status KnownFirmware::add_imu(const ByteReader& r) {
  const auto h = HCQ_TRY(r.get<f::ImuHeaderV1_0>(0));
  const std::uint64_t at = h.header.ucode_array_offset_bytes;
  HCQ_TRY(add(p::GFX_FW_TYPE_IMU_I, r, at, h.imu_iram_ucode_size_bytes));
  return add(p::GFX_FW_TYPE_IMU_D, r, at + h.imu_iram_ucode_size_bytes, h.imu_dram_ucode_size_bytes);
}

Status KnownFirmware::add_rlc(const ByteReader& r) {
  const auto h = HCQ_TRY(r.get<f::RlcHeaderV2_3>(0));
  const auto& v2 = h.v2_2;
  const auto& v1 = v2.v2_1;
  const auto& c = v1.v2_0.header;
  HCQ_TRY(add(p::GFX_FW_TYPE_RLC_G, r, c.ucode_array_offset_bytes, c.ucode_size_bytes));
  HCQ_TRY(add(p::GFX_FW_TYPE_RLC_RESTORE_LIST_SRM_CNTL, r, v1.save_restore_list_cntl_offset_bytes,
              v1.save_restore_list_cntl_size_bytes));
  HCQ_TRY(add(p::GFX_FW_TYPE_RLC_RESTORE_LIST_GPM_MEM, r, v1.save_restore_list_gpm_offset_bytes,
              v1.save_restore_list_gpm_size_bytes));
  HCQ_TRY(add(p::GFX_FW_TYPE_RLC_RESTORE_LIST_SRM_MEM, r, v1.save_restore_list_srm_offset_bytes,
              v1.save_restore_list_srm_size_bytes));
  if (c.header_version_minor < 2) return {};
  HCQ_TRY(add(p::GFX_FW_TYPE_RLC_IRAM, r, v2.rlc_iram_ucode_offset_bytes, v2.rlc_iram_ucode_size_bytes));
  HCQ_TRY(add(p::GFX_FW_TYPE_RLC_DRAM_BOOT, r, v2.rlc_dram_ucode_offset_bytes, v2.rlc_dram_ucode_size_bytes));
  if (c.header_version_minor < 3) return {};
  HCQ_TRY(add(p::GFX_FW_TYPE_RLC_P, r, h.rlcp_ucode_offset_bytes, h.rlcp_ucode_size_bytes));
  return add(p::GFX_FW_TYPE_RLC_V, r, h.rlcv_ucode_offset_bytes, h.rlcv_ucode_size_bytes);
}

Status KnownFirmware::add_file(const std::string& name, Bytes file) {
  const ByteReader r(file, name);
  if (name == "psp_13_0_0_sos.bin") return add_psp(r);
  if (name == "psp_13_0_0_ta.bin") return add_applications(r);
  if (name == "smu_13_0_0.bin") return add_smu(r);
  if (name == "sdma_6_0_0.bin") return add_sdma(r);
  if (name == "gc_11_0_0_imu.bin") return add_imu(r);
  if (name == "gc_11_0_0_rlc.bin") return add_rlc(r);
  if (name == "gc_11_0_0_pfp.bin")
    return add_rs64(r, p::GFX_FW_TYPE_RS64_PFP, {p::GFX_FW_TYPE_RS64_PFP_P0_STACK, p::GFX_FW_TYPE_RS64_PFP_P1_STACK});
  if (name == "gc_11_0_0_me.bin")
    return add_rs64(r, p::GFX_FW_TYPE_RS64_ME, {p::GFX_FW_TYPE_RS64_ME_P0_STACK, p::GFX_FW_TYPE_RS64_ME_P1_STACK});
  if (name == "gc_11_0_0_mec.bin")
    return add_rs64(r, p::GFX_FW_TYPE_RS64_MEC,
                    {p::GFX_FW_TYPE_RS64_MEC_P0_STACK, p::GFX_FW_TYPE_RS64_MEC_P1_STACK,
                     p::GFX_FW_TYPE_RS64_MEC_P2_STACK, p::GFX_FW_TYPE_RS64_MEC_P3_STACK});
  if (name == "gc_11_0_0_mes.bin" || name == "gc_11_0_0_mes_2.bin")
    return add_mes(r, p::GFX_FW_TYPE_CP_MES, p::GFX_FW_TYPE_MES_STACK);
  if (name == "gc_11_0_0_mes1.bin") return add_mes(r, p::GFX_FW_TYPE_CP_MES_KIQ, p::GFX_FW_TYPE_MES_KIQ_STACK);
  return Error{.code = Errc::not_found, .operation = "model/firmware", .subject = name, .detail = "not a Navi31 file"};
}

Result<KnownFirmware> KnownFirmware::load(const std::string& directory) {
  KnownFirmware k;
  for (const auto& [name, bytes] : synthetic_firmware()) HCQ_TRY(k.add_file(name, bytes));
  if (directory.empty()) return k;
  std::vector<std::string> names{"psp_13_0_0_ta.bin", "gc_11_0_0_mes_2.bin"};
  for (const auto& entry : synthetic_firmware()) names.push_back(entry.first);
  for (const std::string& name : names) {
    for (const std::string& path : {directory + "/amdgpu/" + name, directory + "/" + name}) {
      const auto file = read_file(path, kMaxFile);
      if (!file) continue;
      // A damaged file of the user's is the driver's to complain about; here it only means one blob less.
      if (const Status s = k.add_file(name, *file); !s)
        log::trace(log::Area::psp, "model: {} not taken: {}", path, hcq::describe(s.error()));
      break;
    }
  }
  return k;
}

const std::vector<KnownFirmware::Blob>& KnownFirmware::bootloader(std::uint32_t psp_fw_type) const {
  static const std::vector<Blob> kNone;
  const auto it = boot_.find(psp_fw_type);
  return it == boot_.end() ? kNone : it->second;
}

const KnownFirmware::Blob* KnownFirmware::find(std::uint32_t gfx_fw_type, Bytes content) const {
  const auto it = loadable_.find(gfx_fw_type);
  if (it == loadable_.end()) return nullptr;
  const std::uint64_t hash = fnv1a(content);
  for (const Blob& b : it->second)
    if (b.size == content.size() && b.hash == hash) return &b;
  return nullptr;
}

bool KnownFirmware::is_application(Bytes content) const {
  const std::uint64_t hash = fnv1a(content);
  for (const Blob& b : applications_)
    if (b.size == content.size() && b.hash == hash) return true;
  return false;
}

}  // namespace hcq::models::am
