// SPDX-License-Identifier: MIT
// The same registers exist in both hubs under two prefixes; this is the list of what Hub needs of each.
#pragma once

#include "models/am/registers.h"

namespace hcq::models::am {

struct GcHub {
  using FbLocationBase = regs::GCMC_VM_FB_LOCATION_BASE;
  using FbLocationTop = regs::GCMC_VM_FB_LOCATION_TOP;
  using FbOffset = regs::GCMC_VM_FB_OFFSET;
  using ApertureLow = regs::GCMC_VM_SYSTEM_APERTURE_LOW_ADDR;
  using ApertureHigh = regs::GCMC_VM_SYSTEM_APERTURE_HIGH_ADDR;
  using AgpBot = regs::GCMC_VM_AGP_BOT;
  using AgpTop = regs::GCMC_VM_AGP_TOP;
  using L1TlbCntl = regs::GCMC_VM_MX_L1_TLB_CNTL;
  using FaultCntl = regs::GCVM_L2_PROTECTION_FAULT_CNTL;
  using FaultStatus = regs::GCVM_L2_PROTECTION_FAULT_STATUS;
  using FaultAddrLo = regs::GCVM_L2_PROTECTION_FAULT_ADDR_LO32;
  using FaultAddrHi = regs::GCVM_L2_PROTECTION_FAULT_ADDR_HI32;
  using ContextCntl = regs::GCVM_CONTEXT0_CNTL;
  using BaseLo = regs::GCVM_CONTEXT0_PAGE_TABLE_BASE_ADDR_LO32;
  using BaseHi = regs::GCVM_CONTEXT0_PAGE_TABLE_BASE_ADDR_HI32;
  using StartLo = regs::GCVM_CONTEXT0_PAGE_TABLE_START_ADDR_LO32;
  using StartHi = regs::GCVM_CONTEXT0_PAGE_TABLE_START_ADDR_HI32;
  using EndLo = regs::GCVM_CONTEXT0_PAGE_TABLE_END_ADDR_LO32;
  using EndHi = regs::GCVM_CONTEXT0_PAGE_TABLE_END_ADDR_HI32;
  using Sem = regs::GCVM_INVALIDATE_ENG0_SEM;
  using Req = regs::GCVM_INVALIDATE_ENG0_REQ;
  using Ack = regs::GCVM_INVALIDATE_ENG0_ACK;
  using RangeLo = regs::GCVM_INVALIDATE_ENG0_ADDR_RANGE_LO32;
  using RangeHi = regs::GCVM_INVALIDATE_ENG0_ADDR_RANGE_HI32;
};

struct MmHub {
  using FbLocationBase = regs::MMMC_VM_FB_LOCATION_BASE;
  using FbLocationTop = regs::MMMC_VM_FB_LOCATION_TOP;
  using FbOffset = regs::MMMC_VM_FB_OFFSET;
  using ApertureLow = regs::MMMC_VM_SYSTEM_APERTURE_LOW_ADDR;
  using ApertureHigh = regs::MMMC_VM_SYSTEM_APERTURE_HIGH_ADDR;
  using AgpBot = regs::MMMC_VM_AGP_BOT;
  using AgpTop = regs::MMMC_VM_AGP_TOP;
  using L1TlbCntl = regs::MMMC_VM_MX_L1_TLB_CNTL;
  using FaultCntl = regs::MMVM_L2_PROTECTION_FAULT_CNTL;
  using FaultStatus = regs::MMVM_L2_PROTECTION_FAULT_STATUS;
  using FaultAddrLo = regs::MMVM_L2_PROTECTION_FAULT_ADDR_LO32;
  using FaultAddrHi = regs::MMVM_L2_PROTECTION_FAULT_ADDR_HI32;
  using ContextCntl = regs::MMVM_CONTEXT0_CNTL;
  using BaseLo = regs::MMVM_CONTEXT0_PAGE_TABLE_BASE_ADDR_LO32;
  using BaseHi = regs::MMVM_CONTEXT0_PAGE_TABLE_BASE_ADDR_HI32;
  using StartLo = regs::MMVM_CONTEXT0_PAGE_TABLE_START_ADDR_LO32;
  using StartHi = regs::MMVM_CONTEXT0_PAGE_TABLE_START_ADDR_HI32;
  using EndLo = regs::MMVM_CONTEXT0_PAGE_TABLE_END_ADDR_LO32;
  using EndHi = regs::MMVM_CONTEXT0_PAGE_TABLE_END_ADDR_HI32;
  using Sem = regs::MMVM_INVALIDATE_ENG0_SEM;
  using Req = regs::MMVM_INVALIDATE_ENG0_REQ;
  using Ack = regs::MMVM_INVALIDATE_ENG0_ACK;
  using RangeLo = regs::MMVM_INVALIDATE_ENG0_ADDR_RANGE_LO32;
  using RangeHi = regs::MMVM_INVALIDATE_ENG0_ADDR_RANGE_HI32;
};

}  // namespace hcq::models::am
