// SPDX-License-Identifier: MIT
// Registers whose dword address in BAR 5 is the same on every supported chip, for use before IP discovery has been
// read. Source: amdgpu_discovery.c (mmRCC_CONFIG_MEMSIZE, mmMP0_SMN_C2PMSG_33, mmMM_INDEX, mmMM_DATA) and mxgpu_nv.h
// (RCC_IOV_FUNC_IDENTIFIER) of Linux 6.12.
#pragma once

#include <cstdint>

namespace hcq::am::regs {

struct FixedRegister {
  const char* name;
  std::uint32_t dword;
};

namespace fixed {
inline constexpr FixedRegister MM_INDEX{"MM_INDEX", 0x0}, MM_DATA{"MM_DATA", 0x1}, MM_INDEX_HI{"MM_INDEX_HI", 0x6};
inline constexpr FixedRegister RCC_CONFIG_MEMSIZE{"RCC_CONFIG_MEMSIZE", 0xde3};  // VRAM in MiB
inline constexpr FixedRegister RCC_IOV_FUNC_IDENTIFIER{"RCC_IOV_FUNC_IDENTIFIER", 0xde5};
inline constexpr std::uint32_t kIovIsVirtualFunction = 1u << 0;
inline constexpr FixedRegister MP0_SMN_C2PMSG_33{"MP0_SMN_C2PMSG_33", 0x16061};
inline constexpr std::uint32_t kIfwiInitDone = 1u << 31;  // of C2PMSG_33

// MM_INDEX takes address bits 30:0 and this bit, which selects memory instead of registers; MM_INDEX_HI the rest.
inline constexpr std::uint32_t kMmIndexMemory = 1u << 31, kMmIndexAddress = 0x7fffffff;
inline constexpr unsigned kMmIndexHiShift = 31;
}  // namespace fixed

}  // namespace hcq::am::regs
