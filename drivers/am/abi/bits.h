// SPDX-License-Identifier: MIT
// A bit range of a packet or descriptor dword, written high:low as in the vendor's tables. Facts only: a range can
// place a value in a dword and take it out again, nothing more.
#pragma once

#include <cassert>
#include <cstdint>

namespace hcq::am::abi {

template <unsigned Hi, unsigned Lo, class Word = std::uint32_t>
struct Bits {
  static_assert(Lo <= Hi && Hi < 8 * sizeof(Word));
  static constexpr unsigned shift = Lo, width = Hi - Lo + 1;
  static constexpr Word max = width == 8 * sizeof(Word) ? ~Word{0} : (Word{1} << (width % (8 * sizeof(Word)))) - 1;
  static constexpr Word mask = max << Lo;
  // The value at its place. A value that does not fit is our bug.
  constexpr Word operator()(Word value) const {
    assert(value <= max);
    return (value & max) << Lo;
  }
  static constexpr Word in(Word word) { return (word >> Lo) & max; }
};
template <unsigned Bit, class Word = std::uint32_t>
using Flag = Bits<Bit, Bit, Word>;

static_assert(Bits<31, 0>::mask == 0xffffffffu && Bits<6, 5>::mask == 0x60u);
static_assert(Bits<50, 48, std::uint64_t>{}(3) == 0x0003'0000'0000'0000ull);

}  // namespace hcq::am::abi
