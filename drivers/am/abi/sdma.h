// SPDX-License-Identifier: MIT
// SDMA packets of SDMA 6 (gfx11), also used by SDMA 7: opcodes, sizes in dwords including the header, bit ranges.
// Source: sdma_v6_0_0_pkt_open.h of Linux 6.12 (drivers/gpu/drm/amd/amdgpu). Ring pointers and doorbell values are in
// bytes.
#pragma once

#include "drivers/am/abi/bits.h"

namespace hcq::am::abi::sdma {

inline constexpr Bits<7, 0> kOp{};
inline constexpr Bits<15, 8> kSubOp{};

inline constexpr std::uint32_t NOP = 0, COPY = 1, WRITE = 2, INDIRECT = 4, FENCE = 5, TRAP = 6, POLL_REGMEM = 8,
                               COND_EXE = 9, ATOMIC = 10, CONST_FILL = 11, PTEPDE = 12, TIMESTAMP = 13, SRBM_WRITE = 14,
                               GCR_REQ = 17;

namespace nop {
inline constexpr Bits<29, 16> COUNT{};  // further dwords that are skipped
}
namespace copy_linear {  // header, count - 1, parameter, source lo, hi, destination lo, hi
inline constexpr std::uint32_t kSubOpLinear = 0, kDwords = 7;
inline constexpr Bits<29, 0> COUNT{};
inline constexpr Bits<21, 0> COUNT_V4{};  // SDMA 4.4
inline constexpr std::uint32_t kMaxBytes = 1u << 30, kMaxBytesV4 = 1u << 22;
}  // namespace copy_linear
namespace write_linear {  // header, destination lo, hi, count - 1, data...
inline constexpr std::uint32_t kSubOpLinear = 0, kDwordsMin = 5;
inline constexpr Bits<19, 0> COUNT{};
}  // namespace write_linear
namespace indirect {  // header, base lo, hi, size in dwords, csa lo, hi; ends on a multiple of 8 dwords in the ring
inline constexpr std::uint32_t kDwords = 6, kBaseAlign = 32, kSizeMultiple = 8;
inline constexpr Bits<19, 16> VMID{};
inline constexpr Flag<31> PRIV{};
inline constexpr Bits<19, 0> SIZE{};
}  // namespace indirect
namespace fence {  // header, address lo, hi, 32-bit data
inline constexpr std::uint32_t kDwords = 4;
inline constexpr Bits<18, 16> MTYPE{};
inline constexpr std::uint32_t kMtypeUc = 3;
}  // namespace fence
namespace trap {
inline constexpr std::uint32_t kDwords = 2;
inline constexpr Bits<27, 0> INT_CONTEXT{};
}  // namespace trap
namespace poll_regmem {  // header, address lo, hi, value, mask, interval and retries
inline constexpr std::uint32_t kDwords = 6;
inline constexpr Flag<26> HDP_FLUSH{};
inline constexpr Bits<30, 28> FUNC{};  // as pm4::wait_reg_mem::FUNCTION
inline constexpr Flag<31> MEM_POLL{};
inline constexpr Bits<15, 0> INTERVAL{};
inline constexpr Bits<27, 16> RETRY_COUNT{};
inline constexpr std::uint32_t kRetryForever = 0xfff;
}  // namespace poll_regmem
namespace const_fill {  // header, destination lo, hi, data, count in bytes - 1
inline constexpr std::uint32_t kDwords = 5;
inline constexpr Bits<31, 30> FILL_SIZE{};
inline constexpr Bits<29, 0> COUNT{};
}  // namespace const_fill
namespace timestamp {  // header, address lo, hi
inline constexpr std::uint32_t kSubOpGetGlobal = 2, kDwords = 3;
}
namespace ptepde {  // header, destination lo, hi, flags lo, hi, value lo, hi, step lo, hi, count - 1
inline constexpr std::uint32_t kDwords = 10;
inline constexpr Bits<18, 0> COUNT{};
}  // namespace ptepde
namespace srbm_write {  // header, register dword, value
inline constexpr std::uint32_t kDwords = 3;
inline constexpr Bits<31, 28> BYTE_EN{};
inline constexpr Bits<17, 0> ADDR{};
}  // namespace srbm_write
namespace cond_exe {  // header, address lo, hi, reference, count of dwords skipped when memory differs
inline constexpr std::uint32_t kDwords = 5;
inline constexpr Bits<13, 0> COUNT{};
}  // namespace cond_exe
namespace gcr_req {
inline constexpr std::uint32_t kDwords = 5;
}

}  // namespace hcq::am::abi::sdma
