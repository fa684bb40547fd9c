// SPDX-License-Identifier: MIT
// The 64-byte kernel descriptor of an AMD code object, and the bits of the program resource words in it. Source: LLVM,
// "User Guide for AMDGPU Backend", section "Kernel Descriptor".
#pragma once

#include <cstddef>
#include <cstdint>

#include "drivers/am/abi/bits.h"

namespace hcq::am::abi {

struct KernelDescriptor {
  std::uint32_t group_segment_fixed_size;
  std::uint32_t private_segment_fixed_size;
  std::uint32_t kernarg_size;
  std::uint32_t reserved0;
  std::int64_t kernel_code_entry_byte_offset;  // from the descriptor; the entry is 256-byte aligned
  std::uint8_t reserved1[20];
  std::uint32_t compute_pgm_rsrc3;
  std::uint32_t compute_pgm_rsrc1;
  std::uint32_t compute_pgm_rsrc2;
  std::uint16_t kernel_code_properties;
  std::uint16_t kernarg_preload;
  std::uint8_t reserved2[4];
};
static_assert(sizeof(KernelDescriptor) == 64);
static_assert(offsetof(KernelDescriptor, kernel_code_entry_byte_offset) == 16);
static_assert(offsetof(KernelDescriptor, compute_pgm_rsrc3) == 44);
static_assert(offsetof(KernelDescriptor, compute_pgm_rsrc1) == 48);
static_assert(offsetof(KernelDescriptor, kernel_code_properties) == 56);

namespace code_properties {
inline constexpr Flag<0, std::uint16_t> ENABLE_SGPR_PRIVATE_SEGMENT_BUFFER{};
inline constexpr Flag<1, std::uint16_t> ENABLE_SGPR_DISPATCH_PTR{};
inline constexpr Flag<2, std::uint16_t> ENABLE_SGPR_QUEUE_PTR{};
inline constexpr Flag<3, std::uint16_t> ENABLE_SGPR_KERNARG_SEGMENT_PTR{};
inline constexpr Flag<4, std::uint16_t> ENABLE_SGPR_DISPATCH_ID{};
inline constexpr Flag<5, std::uint16_t> ENABLE_SGPR_FLAT_SCRATCH_INIT{};
inline constexpr Flag<6, std::uint16_t> ENABLE_SGPR_PRIVATE_SEGMENT_SIZE{};
inline constexpr Flag<10, std::uint16_t> ENABLE_WAVEFRONT_SIZE32{};
inline constexpr Flag<11, std::uint16_t> USES_DYNAMIC_STACK{};
}  // namespace code_properties

// COMPUTE_PGM_RSRC1 and 2 as gfx11 reads them.
namespace rsrc1 {
inline constexpr Bits<5, 0> VGPRS{};  // granules - 1; a granule is 8 registers in wave32, 4 in wave64
inline constexpr Bits<9, 6> SGPRS{};
inline constexpr Flag<20> PRIV{};
inline constexpr Flag<29> WGP_MODE{};
}  // namespace rsrc1
namespace rsrc2 {
inline constexpr Flag<0> SCRATCH_EN{};
inline constexpr Bits<5, 1> USER_SGPR{};
inline constexpr Flag<7> TGID_X_EN{};
inline constexpr Flag<8> TGID_Y_EN{};
inline constexpr Flag<9> TGID_Z_EN{};
inline constexpr Bits<12, 11> TIDIG_COMP_CNT{};
inline constexpr Bits<23, 15> LDS_SIZE{};  // in granules
inline constexpr std::uint32_t kLdsGranule = 512;
}  // namespace rsrc2

namespace tmpring {                    // COMPUTE_TMPRING_SIZE on gfx11
inline constexpr Bits<11, 0> WAVES{};  // per shader engine
inline constexpr Bits<26, 12> WAVESIZE{};
inline constexpr std::uint32_t kWaveSizeUnit = 256;
}  // namespace tmpring

}  // namespace hcq::am::abi
