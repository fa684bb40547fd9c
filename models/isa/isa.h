// SPDX-License-Identifier: MIT
// Runs AMD GPU machine code. Instructions are decoded by LLVM's disassembler, their meaning is ours, and the result is
// native vector code made by LLVM ORC: a wave is a vector program with an execution mask, scalar branches are native
// branches. The engine knows nothing of queues, page tables or caches: it sees memory through MemoryPort.
#pragma once

#include <array>
#include <atomic>
#include <cstddef>
#include <cstdint>
#include <memory>
#include <string>

#include "base/error.h"

namespace hcq::models::isa {

// `scalar`: a read by scalar instructions, which have a cache of their own; a page that allows `read` allows it.
enum class Access : std::uint8_t { read = 1, write = 2, execute = 4, atomic = 8, scalar = 16 };

// What the device says to one access. On success `page` is the host address of the 4 KiB page that holds the VA and
// `allowed` the bit mask of Access kinds for which the caller may keep using that pointer without asking again, until
// MemoryPort::generation() changes.
struct Translation {
  std::byte* page = nullptr;  // nullptr: fault, already reported by the port
  std::uint8_t allowed = 0;
};

class MemoryPort {
 public:
  virtual ~MemoryPort() = default;
  // Called from several worker threads at a time.
  virtual Translation translate(std::uint64_t va, Access access) = 0;
  virtual std::uint64_t generation() const = 0;
};

// One dispatch, in the terms of the compute registers (COMPUTE_PGM_*, COMPUTE_USER_DATA_*, COMPUTE_NUM_THREAD_*).
struct Dispatch {
  std::uint64_t entry = 0;                        // VA of the first instruction, 256-byte aligned
  std::uint32_t rsrc1 = 0, rsrc2 = 0, rsrc3 = 0;  // COMPUTE_PGM_RSRC1..3
  std::array<std::uint32_t, 16> user_data{};      // the first USER_SGPR of them are loaded into s0..
  std::uint32_t groups[3] = {1, 1, 1};
  std::uint32_t block[3] = {1, 1, 1};
  bool wave32 = true;
  std::uint64_t scratch_base = 0;        // VA; each wave slot gets scratch_wave_bytes from it
  std::uint32_t scratch_wave_bytes = 0;  // COMPUTE_TMPRING_SIZE.WAVESIZE in bytes, 0: no scratch
  std::uint32_t scratch_waves = 0;       // COMPUTE_TMPRING_SIZE.WAVES: slots that exist (all SEs together)
  std::uint64_t shared_aperture = 0;     // VA base of LDS for flat addresses (SH_MEM_BASES.SHARED_BASE << 48)
  std::uint64_t private_aperture = 0;    // VA base of scratch for flat addresses
};

enum class Outcome : std::uint8_t {
  done,
  memory_fault,  // MemoryPort said no; the wave stopped there
  illegal,       // an instruction that the engine does not know or that is illegal; see `text`
  stopped,       // the stop flag was raised (queue reset, device gone)
};

struct Report {
  Outcome outcome = Outcome::done;
  std::uint64_t pc = 0;       // VA of the instruction
  std::uint64_t address = 0;  // faulting VA of a memory_fault
  Access access = Access::read;
  std::string text{};  // for `illegal`: address, bytes and disassembly
};

class Engine {
 public:
  // `processor`: LLVM name, "gfx1100". `workers`: threads that run workgroups beside the calling one.
  static Result<std::unique_ptr<Engine>> create(const std::string& processor, unsigned workers);
  virtual ~Engine() = default;
  // Runs all workgroups and returns when the last wave has ended. Polls `stop` at backward branches and between
  // workgroups. One dispatch at a time per engine.
  virtual Report run(const Dispatch& dispatch, MemoryPort& memory, const std::atomic<bool>& stop) = 0;
  // Forgets what the instruction cache holds: the next dispatch re-reads code from memory. Without it, old code runs.
  virtual void invalidate_instruction_cache() = 0;
};

}  // namespace hcq::models::isa
