// SPDX-License-Identifier: MIT
// The IP discovery table that the boot firmware leaves at the end of VRAM. Little endian, packed. Source: discovery.h
// and soc15_hw_ip.h of Linux 6.12 (drivers/gpu/drm/amd/include).
#pragma once

#include <cstddef>
#include <cstdint>

namespace hcq::am::abi::discovery {

inline constexpr std::uint64_t kOffsetFromEndOfVram = 0x10000;  // DISCOVERY_TMR_OFFSET
inline constexpr std::uint32_t kMaxBytes = 0x2800;              // DISCOVERY_TMR_SIZE

inline constexpr std::uint32_t BINARY_SIGNATURE = 0x28211407, DISCOVERY_TABLE_SIGNATURE = 0x53445049,
                               GC_TABLE_ID = 0x4347, HARVEST_TABLE_SIGNATURE = 0x56524148,
                               VCN_INFO_TABLE_ID = 0x004e4356, MALL_INFO_TABLE_ID = 0x4c4c414d,
                               NPS_INFO_TABLE_ID = 0x0053504e;

enum Table : unsigned { IP_DISCOVERY, GC, HARVEST_INFO, VCN_INFO, MALL_INFO, NPS_INFO, kTableCount };

#pragma pack(push, 1)

struct TableInfo {
  std::uint16_t offset;    // from the start of the binary; 0: no such table
  std::uint16_t checksum;  // 16-bit sum of the table's bytes
  std::uint16_t size;
  std::uint16_t padding;
};
static_assert(sizeof(TableInfo) == 8);

struct BinaryHeader {
  std::uint32_t binary_signature;
  std::uint16_t version_major, version_minor;
  std::uint16_t binary_checksum;  // 16-bit sum of the binary_size - 10 bytes after this field
  std::uint16_t binary_size;
  TableInfo table_list[kTableCount];
};
static_assert(sizeof(BinaryHeader) == 60 && offsetof(BinaryHeader, binary_size) == 10);

struct DieInfo {
  std::uint16_t die_id;
  std::uint16_t die_offset;  // of the DieHeader, from the start of the binary
};

struct IpDiscoveryHeader {
  std::uint32_t signature;
  std::uint16_t version;
  std::uint16_t size;
  std::uint32_t id;
  std::uint16_t num_dies;
  DieInfo die_info[16];
  std::uint8_t flags;  // version 4: bit 0, base addresses have 64 bits
  std::uint8_t reserved;
};
static_assert(sizeof(IpDiscoveryHeader) == 80 && offsetof(IpDiscoveryHeader, flags) == 78);

struct DieHeader {
  std::uint16_t die_id;
  std::uint16_t num_ips;
};
static_assert(sizeof(DieHeader) == 4);

// Followed by num_base_address addresses of 4 (or 8) bytes, in dwords.
struct IpRecord {
  std::uint16_t hw_id;
  std::uint8_t instance_number;
  std::uint8_t num_base_address;
  std::uint8_t major, minor, revision;
  std::uint8_t variant;  // versions 1 and 2: harvest bits [3:0]; later: sub-revision [3:0], variant [7:4]
};
static_assert(sizeof(IpRecord) == 8);

struct GpuInfoHeader {
  std::uint32_t table_id;
  std::uint16_t version_major, version_minor;
  std::uint32_t size;  // of header and data
};
static_assert(sizeof(GpuInfoHeader) == 12);

struct GcInfoV1_0 {
  GpuInfoHeader header;
  std::uint32_t gc_num_se, gc_num_wgp0_per_sa, gc_num_wgp1_per_sa, gc_num_rb_per_se, gc_num_gl2c, gc_num_gprs,
      gc_num_max_gs_thds, gc_gs_table_depth, gc_gsprim_buff_depth, gc_parameter_cache_depth,
      gc_double_offchip_lds_buffer, gc_wave_size, gc_max_waves_per_simd, gc_max_scratch_slots_per_cu, gc_lds_size,
      gc_num_sc_per_se, gc_num_sa_per_se, gc_num_packer_per_sc, gc_num_gl2a;
};
static_assert(sizeof(GcInfoV1_0) == 88 && offsetof(GcInfoV1_0, gc_num_sa_per_se) == 76);

struct GcInfoV1_2 {
  GcInfoV1_0 v1_0;
  std::uint32_t gc_num_tcp_per_sa, gc_num_sdp_interface, gc_num_tcps, gc_num_tcp_per_wpg, gc_tcp_l1_size,
      gc_num_sqc_per_wgp, gc_l1_instruction_cache_size_per_sqc, gc_l1_data_cache_size_per_sqc, gc_gl1c_per_sa,
      gc_gl1c_size_per_instance, gc_gl2c_per_gpu;
};
static_assert(sizeof(GcInfoV1_2) == 132);

struct GcInfoV2_0 {
  GpuInfoHeader header;
  std::uint32_t gc_num_se, gc_num_cu_per_sh, gc_num_sh_per_se, gc_num_rb_per_se, gc_num_tccs, gc_num_gprs,
      gc_num_max_gs_thds, gc_gs_table_depth, gc_gsprim_buff_depth, gc_parameter_cache_depth,
      gc_double_offchip_lds_buffer, gc_wave_size, gc_max_waves_per_simd, gc_max_scratch_slots_per_cu, gc_lds_size,
      gc_num_sc_per_se, gc_num_packer_per_sc;
};
static_assert(sizeof(GcInfoV2_0) == 80);

struct HarvestInfo {
  std::uint16_t hw_id;  // 0 ends the list
  std::uint8_t number_instance;
  std::uint8_t reserved;
};
struct HarvestTable {
  std::uint32_t signature, version;
  HarvestInfo list[32];
};
static_assert(sizeof(HarvestTable) == 136);

struct MallInfoV1_0 {
  GpuInfoHeader header;
  std::uint32_t mall_size_per_m, m_s_present, m_half_use, m_mall_config, reserved[5];
};
static_assert(sizeof(MallInfoV1_0) == 48);

#pragma pack(pop)

enum HwId : std::uint16_t {
  MP1_HWID = 1,
  THM_HWID = 3,
  SMUIO_HWID = 4,
  CLKA_HWID = 6,
  GC_HWID = 11,
  VCN_HWID = 12,
  MMHUB_HWID = 34,
  ATHUB_HWID = 35,
  OSSSYS_HWID = 40,
  HDP_HWID = 41,
  SDMA0_HWID = 42,
  SDMA1_HWID = 43,
  DF_HWID = 46,
  SDMA2_HWID = 68,
  SDMA3_HWID = 69,
  PCIE_HWID = 70,
  LSDMA_HWID = 91,
  NBIF_HWID = 108,
  UMC_HWID = 150,
  XGMI_HWID = 200,
  MP0_HWID = 255,
  DMU_HWID = 271,
};

}  // namespace hcq::am::abi::discovery
