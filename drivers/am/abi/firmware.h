// SPDX-License-Identifier: MIT
// Headers of AMD firmware files (amdgpu/*.bin). Offsets are bytes from the start of the file unless stated. Source:
// amdgpu_ucode.h of Linux 6.12.
#pragma once

#include <cstddef>
#include <cstdint>

namespace hcq::am::abi::firmware {

#pragma pack(push, 1)

struct CommonHeader {
  std::uint32_t size_bytes;  // of the file
  std::uint32_t header_size_bytes;
  std::uint16_t header_version_major, header_version_minor;
  std::uint16_t ip_version_major, ip_version_minor;
  std::uint32_t ucode_version;
  std::uint32_t ucode_size_bytes;
  std::uint32_t ucode_array_offset_bytes;
  std::uint32_t crc32;  // CRC-32 (IEEE 802.3) of everything behind this header; the vendor's RLC, SMU and TOC files
                        // hold a value that does not match, all others do (measured)
};
static_assert(sizeof(CommonHeader) == 32);

enum PspFwType : std::uint32_t {
  PSP_FW_TYPE_PSP_SOS = 1,
  PSP_FW_TYPE_PSP_SYS_DRV = 2,
  PSP_FW_TYPE_PSP_KDB = 3,
  PSP_FW_TYPE_PSP_TOC = 4,
  PSP_FW_TYPE_PSP_SPL = 5,
  PSP_FW_TYPE_PSP_RL = 6,
  PSP_FW_TYPE_PSP_SOC_DRV = 7,
  PSP_FW_TYPE_PSP_INTF_DRV = 8,
  PSP_FW_TYPE_PSP_DBG_DRV = 9,
  PSP_FW_TYPE_PSP_RAS_DRV = 10,
  PSP_FW_TYPE_PSP_IPKEYMGR_DRV = 11,
};

struct PspBinDesc {
  std::uint32_t fw_type;
  std::uint32_t fw_version;
  std::uint32_t offset_bytes;  // from ucode_array_offset_bytes
  std::uint32_t size_bytes;
};
static_assert(sizeof(PspBinDesc) == 16);

// Followed by psp_fw_bin_count PspBinDesc.
struct PspHeaderV2_0 {
  CommonHeader header;
  std::uint32_t psp_fw_bin_count;
};
static_assert(sizeof(PspHeaderV2_0) == 36);

struct PspHeaderV2_1 {
  CommonHeader header;
  std::uint32_t psp_fw_bin_count;
  std::uint32_t psp_aux_fw_bin_index;  // entries from here on are the second set
};
static_assert(sizeof(PspHeaderV2_1) == 40);

struct SmcHeaderV1_0 {
  CommonHeader header;
  std::uint32_t ucode_start_addr;
};
struct SmcHeaderV2_0 {
  SmcHeaderV1_0 v1_0;
  std::uint32_t ppt_offset_bytes, ppt_size_bytes;
};
struct SmcHeaderV2_1 {
  SmcHeaderV1_0 v1_0;
  std::uint32_t pptable_count;
  std::uint32_t pptable_entry_offset;
};
struct SmcSoftPptableEntry {
  std::uint32_t id;
  std::uint32_t ppt_offset_bytes, ppt_size_bytes;
};
static_assert(sizeof(SmcHeaderV1_0) == 36 && sizeof(SmcHeaderV2_0) == 44 && sizeof(SmcHeaderV2_1) == 44 &&
              sizeof(SmcSoftPptableEntry) == 12);

struct GfxHeaderV1_0 {
  CommonHeader header;
  std::uint32_t ucode_feature_version;
  std::uint32_t jt_offset, jt_size;  // of the jump table inside the payload, in dwords
};
struct GfxHeaderV2_0 {
  CommonHeader header;
  std::uint32_t ucode_feature_version;
  std::uint32_t ucode_size_bytes, ucode_offset_bytes;
  std::uint32_t data_size_bytes, data_offset_bytes;
  std::uint32_t ucode_start_addr_lo, ucode_start_addr_hi;
};
static_assert(sizeof(GfxHeaderV1_0) == 44 && sizeof(GfxHeaderV2_0) == 60);

struct MesHeaderV1_0 {
  CommonHeader header;
  std::uint32_t mes_ucode_version, mes_ucode_size_bytes, mes_ucode_offset_bytes;
  std::uint32_t mes_ucode_data_version, mes_ucode_data_size_bytes, mes_ucode_data_offset_bytes;
  std::uint32_t mes_uc_start_addr_lo, mes_uc_start_addr_hi;
  std::uint32_t mes_data_start_addr_lo, mes_data_start_addr_hi;
};
static_assert(sizeof(MesHeaderV1_0) == 72);

struct SdmaHeaderV1_0 {
  CommonHeader header;
  std::uint32_t ucode_feature_version, ucode_change_version;
  std::uint32_t jt_offset, jt_size;
};
struct SdmaHeaderV2_0 {
  CommonHeader header;
  std::uint32_t ucode_feature_version;
  std::uint32_t ctx_ucode_size_bytes, ctx_jt_offset, ctx_jt_size;  // context thread, at ucode_array_offset_bytes
  std::uint32_t ctl_ucode_offset, ctl_ucode_size_bytes, ctl_jt_offset, ctl_jt_size;  // control thread
};
struct SdmaHeaderV3_0 {
  CommonHeader header;
  std::uint32_t ucode_feature_version;
  std::uint32_t ucode_offset_bytes, ucode_size_bytes;
};
static_assert(sizeof(SdmaHeaderV1_0) == 48 && sizeof(SdmaHeaderV2_0) == 64 && sizeof(SdmaHeaderV3_0) == 44);

// IRAM at ucode_array_offset_bytes, DRAM directly behind it; the two offset fields are not used.
struct ImuHeaderV1_0 {
  CommonHeader header;
  std::uint32_t imu_iram_ucode_size_bytes, imu_iram_ucode_offset_bytes;
  std::uint32_t imu_dram_ucode_size_bytes, imu_dram_ucode_offset_bytes;
};
static_assert(sizeof(ImuHeaderV1_0) == 48);

struct RlcHeaderV2_0 {
  CommonHeader header;
  std::uint32_t ucode_feature_version, jt_offset, jt_size, save_and_restore_offset, clear_state_descriptor_offset,
      avail_scratch_ram_locations, reg_restore_list_size, reg_list_format_start, reg_list_format_separate_start,
      starting_offsets_start, reg_list_format_size_bytes, reg_list_format_array_offset_bytes, reg_list_size_bytes,
      reg_list_array_offset_bytes, reg_list_format_separate_size_bytes, reg_list_format_separate_array_offset_bytes,
      reg_list_separate_size_bytes, reg_list_separate_array_offset_bytes;
};
struct RlcHeaderV2_1 {
  RlcHeaderV2_0 v2_0;
  std::uint32_t reg_list_format_direct_reg_list_length;
  std::uint32_t save_restore_list_cntl_ucode_ver, save_restore_list_cntl_feature_ver, save_restore_list_cntl_size_bytes,
      save_restore_list_cntl_offset_bytes;
  std::uint32_t save_restore_list_gpm_ucode_ver, save_restore_list_gpm_feature_ver, save_restore_list_gpm_size_bytes,
      save_restore_list_gpm_offset_bytes;
  std::uint32_t save_restore_list_srm_ucode_ver, save_restore_list_srm_feature_ver, save_restore_list_srm_size_bytes,
      save_restore_list_srm_offset_bytes;
};
struct RlcHeaderV2_2 {
  RlcHeaderV2_1 v2_1;
  std::uint32_t rlc_iram_ucode_size_bytes, rlc_iram_ucode_offset_bytes;
  std::uint32_t rlc_dram_ucode_size_bytes, rlc_dram_ucode_offset_bytes;
};
struct RlcHeaderV2_3 {
  RlcHeaderV2_2 v2_2;
  std::uint32_t rlcp_ucode_version, rlcp_ucode_feature_version, rlcp_ucode_size_bytes, rlcp_ucode_offset_bytes;
  std::uint32_t rlcv_ucode_version, rlcv_ucode_feature_version, rlcv_ucode_size_bytes, rlcv_ucode_offset_bytes;
};
static_assert(sizeof(RlcHeaderV2_0) == 104 && sizeof(RlcHeaderV2_1) == 156 && sizeof(RlcHeaderV2_2) == 172 &&
              sizeof(RlcHeaderV2_3) == 204);

#pragma pack(pop)

}  // namespace hcq::am::abi::firmware
