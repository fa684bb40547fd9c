// SPDX-License-Identifier: MIT
// What translated code calls. All functions work on the calling wave; operands and results of vector accesses travel in
// WaveState::exchange (address low dwords in row 0, high dwords in row 1, data from row 2 on).
#pragma once

#include <cstdint>

#include "models/isa/wave.h"

namespace hcq::models::isa {

constexpr unsigned kAddressLow = 0;
constexpr unsigned kAddressHigh = 1;
constexpr unsigned kData = 2;

// How a vector access finds its addresses.
enum class Space : std::uint32_t {
  global,    // rows kAddressLow/High hold 64-bit addresses, to which `base` is added
  offset32,  // row kAddressLow holds an unsigned 32-bit offset from `base`
  flat,      // as global, but the apertures of LDS and scratch apply
  scratch,   // row kAddressLow holds a 32-bit offset in the lane's scratch, to which `base` is added
};

// Loads and stores of `bytes` per lane (1, 2, 4, 8, 12, 16) under `exec`. Nonzero: the access faulted, and
// WaveState::fault_* say where.
extern "C" std::uint32_t hcq_isa_load(WaveState* wave, std::uint64_t exec, std::uint64_t base, std::uint32_t space,
                                      std::uint32_t bytes, std::uint64_t pc);
extern "C" std::uint32_t hcq_isa_store(WaveState* wave, std::uint64_t exec, std::uint64_t base, std::uint32_t space,
                                       std::uint32_t bytes, std::uint64_t pc);

enum class Atomic : std::uint32_t {
  swap,
  cmpswap,
  add,
  sub,
  csub,
  smin,
  umin,
  smax,
  umax,
  bit_and,
  bit_or,
  bit_xor,
  inc,
  dec,
  fadd,
  fmin,
  fmax,
  fcmpswap,
};
// Data in rows kData.. (and the comparand after it for cmpswap), old values back in rows kData...
extern "C" std::uint32_t hcq_isa_atomic(WaveState* wave, std::uint64_t exec, std::uint64_t base, std::uint32_t space,
                                        std::uint32_t op, std::uint32_t bytes, std::uint64_t pc);

// LDS; addresses in row kAddressLow, to which `offset` is added. Out-of-range lanes read 0 and drop writes.
extern "C" void hcq_isa_lds_load(WaveState* wave, std::uint64_t exec, std::uint32_t offset, std::uint32_t bytes,
                                 std::uint32_t row);
extern "C" void hcq_isa_lds_store(WaveState* wave, std::uint64_t exec, std::uint32_t offset, std::uint32_t bytes,
                                  std::uint32_t row);
extern "C" void hcq_isa_lds_atomic(WaveState* wave, std::uint64_t exec, std::uint32_t offset, std::uint32_t op,
                                   std::uint32_t bytes);

// ds_permute: active lane l sends its data to lane kAddressLow[l]; lanes that receive nothing get 0.
extern "C" void hcq_isa_permute(WaveState* wave, std::uint64_t exec);

// Reads dwords into the first row of the exchange area, one after the other.
extern "C" std::uint32_t hcq_isa_scalar_load(WaveState* wave, std::uint64_t address, std::uint32_t dwords,
                                             std::uint64_t pc);

// Elementary functions: row 0 (and 1 for f64) in, the same rows out.
using LaneFunction = void (*)(WaveState*);
extern "C" void hcq_isa_exp2(WaveState* wave);
extern "C" void hcq_isa_log2(WaveState* wave);
extern "C" void hcq_isa_sin(WaveState* wave);  // of 2 pi x
extern "C" void hcq_isa_cos(WaveState* wave);
// f64 in rows 0 and 1, i32 exponent in row 2.
extern "C" void hcq_isa_ldexp64(WaveState* wave);

// The 100 MHz reference clock.
extern "C" std::uint64_t hcq_isa_clock();

// Drops every translated page, or those of scalar reads.
void flush_tlb(Worker& worker);
void flush_scalar_tlb(Worker& worker);
// Host address of `va` for `access`, or nullptr after a fault. The page's remaining bytes may be used.
std::byte* translate_address(Worker& worker, std::uint64_t va, Access access);

}  // namespace hcq::models::isa
