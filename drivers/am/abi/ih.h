// SPDX-License-Identifier: MIT
// Entries of the interrupt handler's rings, and who sends what. Source: soc15_ih_clientid.h, irqsrcs_gfx_11_0_0.h and
// amdgpu_ih.c of Linux 6.12.
#pragma once

#include <cstdint>

#include "drivers/am/abi/bits.h"

namespace hcq::am::abi::ih {

inline constexpr std::uint32_t kEntryDwords = 8, kEntryBytes = 32;

namespace dw0 {
inline constexpr Bits<7, 0> CLIENT_ID{};
inline constexpr Bits<15, 8> SOURCE_ID{};
inline constexpr Bits<23, 16> RING_ID{};
inline constexpr Bits<27, 24> VMID{};
inline constexpr Flag<31> VMID_TYPE{};  // 1: of the MM hub
}  // namespace dw0
// Dword 1 and dword 2 [15:0] hold a timestamp.
namespace dw2 {
inline constexpr Bits<15, 0> TIMESTAMP_HI{};
inline constexpr Flag<31> TIMESTAMP_SRC{};
}  // namespace dw2
namespace dw3 {
inline constexpr Bits<15, 0> PASID{};
inline constexpr Bits<23, 16> NODE_ID{};
}  // namespace dw3
inline constexpr unsigned kContextId0 = 4;  // dwords 4 to 7

enum Soc21Client : std::uint8_t {
  SOC21_IH_CLIENTID_IH = 0x00,
  SOC21_IH_CLIENTID_ATHUB = 0x02,
  SOC21_IH_CLIENTID_BIF = 0x03,
  SOC21_IH_CLIENTID_RLC = 0x07,
  SOC21_IH_CLIENTID_GFX = 0x0a,
  SOC21_IH_CLIENTID_IMU = 0x0b,
  SOC21_IH_CLIENTID_THM = 0x0f,
  SOC21_IH_CLIENTID_VCN = 0x10,
  SOC21_IH_CLIENTID_VMC = 0x12,
  SOC21_IH_CLIENTID_GRBM_CP = 0x14,
  SOC21_IH_CLIENTID_DF = 0x17,
  SOC21_IH_CLIENTID_LSDMA = 0x1a,
  SOC21_IH_CLIENTID_MP0 = 0x1e,
  SOC21_IH_CLIENTID_MP1 = 0x1f,
};

// Sources of the clients GFX and GRBM_CP on gfx11.
enum Gfx11Source : std::uint8_t {
  UTCL2_FAULT = 0,
  SDMA_TRAP = 49,
  SDMA_DOORBELL_INVALID = 54,
  SDMA_QUEUE_HANG = 55,
  SDMA_ATOMIC_TIMEOUT = 56,
  SDMA_POLL_TIMEOUT = 57,
  SDMA_PAGE_TIMEOUT = 58,
  SDMA_PAGE_NULL = 59,
  SDMA_PAGE_FAULT = 60,
  SDMA_VM_HOLE = 61,
  SDMA_ECC = 62,
  SDMA_SRAM_ECC = 64,
  CP_PM4_PKT_RSVD_BIT_ERROR = 180,
  CP_EOP_INTERRUPT = 181,
  CP_BAD_OPCODE_ERROR = 183,
  CP_PRIV_REG_FAULT = 184,
  CP_PRIV_INSTR_FAULT = 185,
  CP_ME_WAIT_REG_MEM_POLL_TIMEOUT = 192,
  CP_GPF = 195,
  CP_ECC_ERROR = 197,
  CP_VM_DOORBELL = 200,
  CP_FUE_ERROR = 201,
  GRBM_RD_TIMEOUT_ERROR = 232,
  SQ_INTERRUPT_ID = 239,
};

// Context of a UTCL2_FAULT: the page is context_id0 | (context_id1 & 0xf) << 32.
namespace fault {
inline constexpr Bits<3, 0> VA_HI{};  // of context_id1: address bits 47:44
inline constexpr Flag<5> WRITE{};     // of context_id1
inline constexpr Flag<7> RETRY{};     // of context_id1
}  // namespace fault

// Context of an SQ_INTERRUPT_ID on gfx11.
namespace sq {
inline constexpr Bits<7, 6> ENCODING{};      // of context_id1: 0 automatic, 1 wave, 2 error
inline constexpr Bits<24, 21> ERROR_TYPE{};  // of context_id0: 0 EDC_FUE, 1 ILLEGAL_INST, 2 MEMVIOL, 3 EDC_FED
}  // namespace sq

}  // namespace hcq::am::abi::ih
