// SPDX-License-Identifier: MIT
// The state that translated code and the runtime share: one WaveState per wave, one Worker per thread. Translated code
// reaches the fields by offsetof, so both must stay standard layout.
#pragma once

#include <atomic>
#include <cstddef>
#include <cstdint>

#include "models/isa/isa.h"

namespace hcq::models::isa {

constexpr unsigned kMaxLanes = 64;
constexpr unsigned kScalarCount = 128;
constexpr unsigned kVectorCount = 256;
// MODE: rounding [3:0], denormals [7:4], DX10_CLAMP, IEEE; what lies above enables traps, which are not modelled.
constexpr std::uint32_t kFloatModeBits = 0xff, kDx10ClampBit = 1u << 8, kIeeeBit = 1u << 9;
constexpr std::uint32_t kModeOfTranslation = kFloatModeBits | kDx10ClampBit | kIeeeBit;

// Why translated code returned.
enum class Exit : std::uint32_t {
  end = 0,      // s_endpgm
  barrier = 1,  // s_barrier; continue at WaveState::pc
  target = 2,   // jump to WaveState::pc, which is not translated yet
  fault = 3,    // memory fault; WaveState::fault_* say which
  illegal = 4,  // instruction at WaveState::pc
  stopped = 5,  // the stop flag was seen
  fetch = 6,    // no code could be read at WaveState::pc
  partial = 7,  // EXEC is not all ones at WaveState::pc, and the code for that case is not translated yet
  mode = 8,     // continue at WaveState::pc with the translation for the MODE in WaveState::mode
};

// A direct-mapped cache of translated pages, one for reads and one for writes. The tag is the page number plus one, so
// that zeroed entries match nothing.
struct TlbEntry {
  std::uint64_t tag;
  std::byte* host;
};
constexpr unsigned kTlbEntries = 1024;
constexpr unsigned kPageShift = 12;
constexpr std::uint64_t kPageSize = std::uint64_t{1} << kPageShift;

// Pages of scalar reads; forgotten at the start of each dispatch, so that the device's scalar cache is asked again.
constexpr unsigned kScalarTlbEntries = 16;

struct Worker {
  TlbEntry read[kTlbEntries];
  TlbEntry write[kTlbEntries];
  TlbEntry scalar[kScalarTlbEntries];
  MemoryPort* port;
  std::uint64_t generation;
};

struct WaveState {
  // Operands and results of runtime calls, one row of lanes a dword.
  alignas(64) std::uint32_t exchange[16][kMaxLanes];
  std::uint32_t sgpr[kScalarCount];
  std::uint32_t scc;
  std::uint32_t mode;   // MODE as s_getreg reads it; what a translation is made for is in kModeOfTranslation
  std::uint64_t pc;     // byte offset from `base`
  std::uint32_t* vgpr;  // [allocated][lanes of the wave]
  Worker* worker;
  const std::atomic<bool>* stop;
  std::byte* lds;
  std::uint32_t lds_size;
  std::uint32_t single;   // 1: the only wave of its workgroup, barriers need no exit
  std::uint64_t base;     // VA of the entry
  std::uint64_t scratch;  // VA of this wave's scratch slot
  std::uint32_t scratch_lane_bytes;
  std::uint32_t lanes;
  std::uint64_t shared_aperture;
  std::uint64_t private_aperture;
  std::uint64_t fault_pc;
  std::uint64_t fault_address;
  std::uint32_t fault_access;
};

using NativeCode = std::uint32_t (*)(WaveState*);

}  // namespace hcq::models::isa
