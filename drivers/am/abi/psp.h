// SPDX-License-Identifier: MIT
// The platform security processor's interfaces: bootloader mailbox, ring control, ring frames and commands. Addresses
// are memory-controller addresses. Source: psp_gfx_if.h and amdgpu_psp.h of Linux 6.12.
#pragma once

#include <cstddef>
#include <cstdint>

namespace hcq::am::abi::psp {

// Bootloader commands, written to C2PMSG_35; the component lies in a 1 MiB aligned buffer at C2PMSG_36 << 20.
enum BootloaderCommand : std::uint32_t {
  PSP_BL__LOAD_SYSDRV = 0x10000,
  PSP_BL__LOAD_SOSDRV = 0x20000,
  PSP_BL__LOAD_KEY_DATABASE = 0x80000,
  PSP_BL__LOAD_SOCDRV = 0xb0000,
  PSP_BL__LOAD_DBGDRV = 0xc0000,  // also HADDRV
  PSP_BL__LOAD_INTFDRV = 0xd0000,
  PSP_BL__LOAD_RASDRV = 0xe0000,
  PSP_BL__LOAD_IPKEYMGRDRV = 0xf0000,
  PSP_BL__LOAD_TOS_SPL_TABLE = 0x10000000,
};
inline constexpr std::uint32_t kMailboxReady = 0x80000000;  // bit 31 of C2PMSG_33, _35, _64 and _101
inline constexpr std::uint32_t kBootloaderErrorMask = 0xff;
inline constexpr std::uint64_t PSP_1_MEG = 0x100000, PSP_TMR_ALIGNMENT = 0x100000;

// Ring control, written to C2PMSG_64.
enum RingControl : std::uint32_t {
  GFX_CTRL_CMD_ID_INIT_RBI_RING = 0x10000,
  GFX_CTRL_CMD_ID_INIT_GPCOM_RING = 0x20000,
  GFX_CTRL_CMD_ID_DESTROY_RINGS = 0x30000,
  GFX_CTRL_CMD_ID_MODE1_RST = 0x70000,
  GFX_CTRL_CMD_ID_CONSUME_CMD = 0x90000,
  GFX_CTRL_CMD_ID_DESTROY_GPCOM_RING = 0xc0000,
};
inline constexpr std::uint32_t GFX_CMD_STATUS_MASK = 0xffff;

enum CommandId : std::uint32_t {
  GFX_CMD_ID_LOAD_TA = 0x01,
  GFX_CMD_ID_UNLOAD_TA = 0x02,
  GFX_CMD_ID_INVOKE_CMD = 0x03,
  GFX_CMD_ID_LOAD_ASD = 0x04,
  GFX_CMD_ID_SETUP_TMR = 0x05,
  GFX_CMD_ID_LOAD_IP_FW = 0x06,
  GFX_CMD_ID_DESTROY_TMR = 0x07,
  GFX_CMD_ID_PROG_REG = 0x0b,
  GFX_CMD_ID_LOAD_TOC = 0x20,
  GFX_CMD_ID_AUTOLOAD_RLC = 0x21,
  GFX_CMD_ID_BOOT_CFG = 0x22,
  GFX_CMD_ID_SRIOV_SPATIAL_PART = 0x27,
};
inline constexpr std::uint32_t PSP_GFX_CMD_BUF_VERSION = 1;
inline constexpr std::uint32_t TEE_SUCCESS = 0, PSP_ERR_UNKNOWN_COMMAND = 0x100, TEE_ERROR_NOT_SUPPORTED = 0xffff000a;

enum FwType : std::uint32_t {
  GFX_FW_TYPE_CP_ME = 1,
  GFX_FW_TYPE_CP_PFP = 2,
  GFX_FW_TYPE_CP_CE = 3,
  GFX_FW_TYPE_CP_MEC = 4,
  GFX_FW_TYPE_CP_MEC_ME1 = 5,
  GFX_FW_TYPE_CP_MEC_ME2 = 6,
  GFX_FW_TYPE_RLC_V = 7,
  GFX_FW_TYPE_RLC_G = 8,
  GFX_FW_TYPE_SDMA0 = 9,
  GFX_FW_TYPE_SDMA1 = 10,
  GFX_FW_TYPE_SMU = 18,
  GFX_FW_TYPE_RLC_RESTORE_LIST_GPM_MEM = 20,
  GFX_FW_TYPE_RLC_RESTORE_LIST_SRM_MEM = 21,
  GFX_FW_TYPE_RLC_RESTORE_LIST_SRM_CNTL = 22,
  GFX_FW_TYPE_TOC = 24,
  GFX_FW_TYPE_RLC_P = 25,
  GFX_FW_TYPE_RLC_IRAM = 26,
  GFX_FW_TYPE_CP_MES = 33,
  GFX_FW_TYPE_MES_STACK = 34,
  GFX_FW_TYPE_RLC_DRAM_BOOT = 48,
  GFX_FW_TYPE_SDMA2 = 52,
  GFX_FW_TYPE_SDMA3 = 53,
  GFX_FW_TYPE_REG_LIST = 67,
  GFX_FW_TYPE_IMU_I = 68,
  GFX_FW_TYPE_IMU_D = 69,
  GFX_FW_TYPE_SDMA_UCODE_TH0 = 71,  // context thread
  GFX_FW_TYPE_SDMA_UCODE_TH1 = 72,  // control thread
  GFX_FW_TYPE_PPTABLE = 73,
  GFX_FW_TYPE_RS64_MES = 76,
  GFX_FW_TYPE_RS64_MES_STACK = 77,
  GFX_FW_TYPE_RS64_KIQ = 78,
  GFX_FW_TYPE_RS64_KIQ_STACK = 79,
  GFX_FW_TYPE_CP_MES_KIQ = 81,
  GFX_FW_TYPE_MES_KIQ_STACK = 82,
  GFX_FW_TYPE_RS64_PFP = 87,
  GFX_FW_TYPE_RS64_ME = 88,
  GFX_FW_TYPE_RS64_MEC = 89,
  GFX_FW_TYPE_RS64_PFP_P0_STACK = 90,
  GFX_FW_TYPE_RS64_PFP_P1_STACK = 91,
  GFX_FW_TYPE_RS64_ME_P0_STACK = 92,
  GFX_FW_TYPE_RS64_ME_P1_STACK = 93,
  GFX_FW_TYPE_RS64_MEC_P0_STACK = 94,
  GFX_FW_TYPE_RS64_MEC_P1_STACK = 95,
  GFX_FW_TYPE_RS64_MEC_P2_STACK = 96,
  GFX_FW_TYPE_RS64_MEC_P3_STACK = 97,
  GFX_FW_TYPE_P2S_TABLE = 129,
};

#pragma pack(push, 1)

struct RingFrame {
  std::uint32_t cmd_buf_addr_lo, cmd_buf_addr_hi;  // 4 KiB aligned
  std::uint32_t cmd_buf_size;
  std::uint32_t fence_addr_lo, fence_addr_hi;  // where fence_value is written when the command is done
  std::uint32_t fence_value;
  std::uint32_t sid_lo, sid_hi;
  std::uint8_t vmid, frame_type;
  std::uint8_t reserved1[2];
  std::uint32_t reserved2[7];
};
static_assert(sizeof(RingFrame) == 64);

struct LoadTa {                                    // LOAD_TA and LOAD_ASD
  std::uint32_t app_phy_addr_lo, app_phy_addr_hi;  // 4 KiB aligned
  std::uint32_t app_len;
  std::uint32_t cmd_buf_phy_addr_lo, cmd_buf_phy_addr_hi;  // shared with the application; 4 KiB aligned
  std::uint32_t cmd_buf_len;                               // 0: none; a multiple of 4 KiB
};
struct UnloadTa {
  std::uint32_t session_id;
};
struct InvokeCmd {
  std::uint32_t session_id, ta_cmd_id;
};
struct LoadIpFw {
  std::uint32_t fw_phy_addr_lo, fw_phy_addr_hi;  // 4 KiB aligned
  std::uint32_t fw_size;
  std::uint32_t fw_type;
};
struct SetupTmr {
  std::uint32_t buf_phy_addr_lo, buf_phy_addr_hi;
  std::uint32_t buf_size;
  std::uint32_t tmr_flags;  // bit 0 sriov_enabled, bit 1 virt_phy_addr
  std::uint32_t system_phy_addr_lo, system_phy_addr_hi;
};
inline constexpr std::uint32_t kTmrSriovEnabled = 1u << 0, kTmrVirtPhyAddr = 1u << 1;
struct LoadToc {
  std::uint32_t toc_phy_addr_lo, toc_phy_addr_hi;  // 4 KiB aligned
  std::uint32_t toc_size;
};
struct SriovSpatialPart {
  std::uint32_t mode, override_ips, override_xcds_avail, override_this_aid;
};
struct RegProg {
  std::uint32_t reg_value, reg_id;
};

union CommandUnion {
  LoadTa load_ta;
  UnloadTa unload_ta;
  InvokeCmd invoke_cmd;
  LoadIpFw load_ip_fw;
  SetupTmr setup_tmr;
  LoadToc load_toc;
  SriovSpatialPart spatial_part;
  RegProg reg_prog;
  std::uint8_t bytes[784];  // psp_gfx_cmd_invoke_cmd is the largest
};

struct Response {
  std::uint32_t status;
  std::uint32_t session_id;
  std::uint32_t fw_addr_lo, fw_addr_hi;  // LOAD_IP_FW: where the firmware lies in the TMR
  std::uint32_t tmr_size;                // LOAD_TOC
  std::uint32_t reserved[11];
  std::uint32_t uresp[8];
};
static_assert(sizeof(Response) == 96 && offsetof(Response, tmr_size) == 16);

struct Command {
  std::uint32_t buf_size;
  std::uint32_t buf_version;
  std::uint32_t cmd_id;
  std::uint32_t resp_buf_addr_lo, resp_buf_addr_hi, resp_offset, resp_buf_size;  // zero on this ring
  CommandUnion cmd;
  std::uint8_t reserved1[864 - 28 - sizeof(CommandUnion)];
  Response resp;
  std::uint8_t reserved2[1024 - 864 - sizeof(Response)];
};
static_assert(sizeof(Command) == 1024 && offsetof(Command, cmd) == 28 && offsetof(Command, resp) == 864);

#pragma pack(pop)

}  // namespace hcq::am::abi::psp
