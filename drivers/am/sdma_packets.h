// SPDX-License-Identifier: MIT
// Packets of the SDMA engine (SDMA 6 and 7), as free functions that append dwords to a fixed span. Layouts:
// drivers/am/abi/sdma.h.
#pragma once

#include <cstdint>

#include "drivers/am/dword_writer.h"

namespace hcq::am::sdma {

// Sizes in dwords.
inline constexpr std::uint32_t kCopyDwords = 7, kWriteDwords = 5, kFenceDwords = 4, kTrapDwords = 2, kPollDwords = 6,
                               kTimestampDwords = 3;
inline constexpr std::uint64_t kMaxCopyBytes = 1ull << 30;  // of one copy packet

// Copies `bytes` (1 .. kMaxCopyBytes), any alignment.
void copy(DwordWriter& w, std::uint64_t dst, std::uint64_t src, std::uint64_t bytes);
void write(DwordWriter& w, std::uint64_t address, std::uint32_t value);
// Stores 32 bits after all earlier packets.
void fence(DwordWriter& w, std::uint64_t address, std::uint32_t value);
void trap(DwordWriter& w);  // an interrupt
enum class Compare : std::uint32_t { equal = 3, greater_equal = 5 };
// Stops until (*address & mask) >= or == reference; 32 bits, unsigned.
void poll_memory(DwordWriter& w, std::uint64_t address, Compare compare, std::uint32_t reference, std::uint32_t mask);
// Makes the host data path's cache write its content to VRAM: writes `request`, waits for `done`, absolute dword
// addresses of BIF_BX_PF0_GPU_HDP_FLUSH_REQ and _DONE.
void flush_hdp(DwordWriter& w, std::uint32_t request, std::uint32_t done, std::uint32_t mask);
void timestamp(DwordWriter& w, std::uint64_t address);  // 64 bits of the GPU clock; 8-byte aligned

}  // namespace hcq::am::sdma
