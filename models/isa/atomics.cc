// SPDX-License-Identifier: MIT
#include "models/isa/atomics.h"

#include <atomic>
#include <bit>
#include <cmath>
#include <cstring>
#include <type_traits>

namespace hcq::models::isa {
namespace {

// Results of `op` on floating-point values. Minimum and maximum return the number when one operand is NaN.
template <class F>
F combine_float(Atomic op, F old, F operand, F comparand) {
  switch (op) {
    case Atomic::fadd:
      return old + operand;
    case Atomic::fmin:
      return std::fmin(old, operand);
    case Atomic::fmax:
      return std::fmax(old, operand);
    case Atomic::fcmpswap:
      return old == comparand ? operand : old;
    default:
      return old;
  }
}

template <class U>
U combine(Atomic op, U old, U operand, U comparand) {
  using S = std::make_signed_t<U>;
  using F = std::conditional_t<sizeof(U) == 4, float, double>;
  const auto a = static_cast<S>(old);
  const auto o = static_cast<S>(operand);
  switch (op) {
    case Atomic::swap:
      return operand;
    case Atomic::cmpswap:
      return old == comparand ? operand : old;
    case Atomic::add:
      return old + operand;
    case Atomic::sub:
      return old - operand;
    case Atomic::csub:
      return old < operand ? 0 : old - operand;
    case Atomic::smin:
      return static_cast<U>(a < o ? a : o);
    case Atomic::smax:
      return static_cast<U>(a > o ? a : o);
    case Atomic::umin:
      return old < operand ? old : operand;
    case Atomic::umax:
      return old > operand ? old : operand;
    case Atomic::bit_and:
      return old & operand;
    case Atomic::bit_or:
      return old | operand;
    case Atomic::bit_xor:
      return old ^ operand;
    case Atomic::inc:
      return old >= operand ? 0 : old + 1;
    case Atomic::dec:
      return old == 0 || old > operand ? operand : old - 1;
    default:
      return std::bit_cast<U>(
          combine_float(op, std::bit_cast<F>(old), std::bit_cast<F>(operand), std::bit_cast<F>(comparand)));
  }
}

template <class U>
U load_rows(const WaveState& wave, unsigned lane, unsigned row) {
  U v = wave.exchange[row][lane];
  if constexpr (sizeof(U) == 8) v |= U{wave.exchange[row + 1][lane]} << 32;
  return v;
}

template <class U>
void run(WaveState& wave, unsigned lane, std::byte* target, Atomic op) {
  const U operand = load_rows<U>(wave, lane, kData);
  const U comparand = load_rows<U>(wave, lane, kData + sizeof(U) / 4);
  std::atomic_ref<U> cell(*reinterpret_cast<U*>(target));
  U old = cell.load(std::memory_order_relaxed);
  while (!cell.compare_exchange_weak(old, combine(op, old, operand, comparand))) {
  }
  wave.exchange[kData][lane] = static_cast<std::uint32_t>(old);
  if constexpr (sizeof(U) == 8) wave.exchange[kData + 1][lane] = static_cast<std::uint32_t>(old >> 32);
}

}  // namespace

void atomic_lane(WaveState& wave, unsigned lane, std::byte* target, Atomic op, std::uint32_t bytes) {
  if (bytes == 8) run<std::uint64_t>(wave, lane, target, op);
  else run<std::uint32_t>(wave, lane, target, op);
}

}  // namespace hcq::models::isa
