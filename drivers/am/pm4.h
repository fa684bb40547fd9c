// SPDX-License-Identifier: MIT
// PM4 packets for a compute queue of gfx11 and gfx12, as free functions that append dwords to a fixed span. Layouts:
// drivers/am/abi/pm4.h. Nothing here allocates or touches a device; the caller has made room.
#pragma once

#include <cstdint>

#include "drivers/am/dword_writer.h"
#include "drivers/am/regs/register.h"
#include "hcq/device.h"

namespace hcq::am {

namespace pm4 {

// Sizes in dwords, header included.
inline constexpr std::uint32_t kWaitMemoryDwords = 7, kAcquireDwords = 8, kReleaseDwords = 8, kWriteDwords = 5,
                               kHdpFlushDwords = 7;

// Stops until (*address & mask) >= or == reference; 32 bits, unsigned. `address` is 4-byte aligned.
enum class Compare : std::uint32_t { equal = 3, greater_equal = 5 };
void wait_memory(DwordWriter& w, std::uint64_t address, Compare compare, std::uint32_t reference, std::uint32_t mask);

// Makes the host data path's cache write its content to VRAM and waits for it: writes `request`, waits for `done`
// (absolute dword addresses of BIF_BX_PF0_GPU_HDP_FLUSH_REQ and _DONE). `mask` is the bit of this engine.
void flush_hdp(DwordWriter& w, std::uint32_t request, std::uint32_t done, std::uint32_t mask);

// Invalidates caches before what follows.
enum class Acquire : std::uint8_t {
  data,  // vector, scalar and metadata caches: between dependent kernels
  all,   // and the instruction cache and L2: after anybody else may have written
};
void acquire(DwordWriter& w, Acquire what);

// After all earlier work has finished and its caches are written back: stores to memory, optionally with an interrupt.
enum class Data : std::uint32_t { value32 = 1, value64 = 2, gpu_clock = 3 };
void release(DwordWriter& w, std::uint64_t address, Data what, std::uint64_t value, bool interrupt);

// Waits until the shaders of earlier dispatches have ended.
void flush_shaders(DwordWriter& w);

// Stores one dword through L2 when the packet is reached; the write is confirmed before the next packet.
void write_memory(DwordWriter& w, std::uint64_t address, std::uint32_t value);

// Copies 4 or 8 bytes between memory that the GPU maps, through L2; both addresses are multiples of `bytes`.
inline constexpr std::uint32_t kCopyWordDwords = 6;
void copy_word(DwordWriter& w, std::uint64_t dst, std::uint64_t src, unsigned bytes);

// A packet that the queue skips; `dwords` includes its header.
void nop(DwordWriter& w, std::uint32_t dwords);

// Registers that a dispatch sets, as absolute dword addresses of this chip (from the register tables).
struct DispatchRegisters {
  std::uint32_t pgm_lo, pgm_rsrc1, pgm_rsrc3, tmpring_size, scratch_base_lo, restart_x, user_data_0, resource_limits,
      start_x;
  bool operator==(const DispatchRegisters&) const = default;
};
DispatchRegisters dispatch_registers(const regs::RegisterMap& map);

// What stays the same for every dispatch of a program.
struct DispatchState {
  std::uint64_t entry = 0;  // device address of the first instruction
  std::uint32_t rsrc1 = 0, rsrc2 = 0, rsrc3 = 0;
  std::uint32_t user_sgprs = 0;  // how many COMPUTE_USER_DATA registers the kernel reads
  bool wave32 = false;
};
struct Scratch {
  std::uint64_t base = 0;     // device address, a multiple of 256
  std::uint32_t tmpring = 0;  // COMPUTE_TMPRING_SIZE
};

// Dwords of dispatch() for a program with `user_sgprs`.
constexpr std::uint32_t dispatch_dwords(std::uint32_t user_sgprs) {
  return kAcquireDwords + 4 + 4 + 3 + 3 + 4 + 5 + (user_sgprs != 0 ? 2 + user_sgprs : 0) + 3 + 10 + 5 + 2;
}
void dispatch(DwordWriter& w, const DispatchRegisters& regs, const DispatchState& state, const Scratch& scratch,
              std::uint64_t kernargs, Dim3 groups, Dim3 block);

}  // namespace pm4
}  // namespace hcq::am
