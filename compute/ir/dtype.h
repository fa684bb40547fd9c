// SPDX-License-Identifier: MIT
// Element types of tensors and kernels, and the codec between a number and its bits. Nothing else in compute/ knows
// how wide a type is or how it rounds.
//
// A value of any type is carried on the host as Number: integers and bool as a 64-bit integer that is already reduced
// to the type (sign- or zero-extended), floats as the double that equals the stored value exactly.
#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>
#include <string>
#include <string_view>

namespace hcq::compute::ir {

enum class Scalar : std::uint8_t { none, boolean, i8, u8, i16, u16, i32, u32, i64, u64, f16, bf16, f32, f64 };
inline constexpr int kScalarCount = 14;

enum class ScalarClass : std::uint8_t { none, boolean, signed_int, unsigned_int, floating };

// One row per type. Floats: value = sign, exponent (biased by 2^(exponent_bits-1)-1), mantissa; subnormals, infinities
// and NaN as in IEEE 754.
struct ScalarInfo {
  const char* name;
  ScalarClass kind;
  std::uint8_t bytes;  // in memory; bool takes one byte that holds 0 or 1
  std::uint8_t exponent_bits, mantissa_bits;
};
const ScalarInfo& info(Scalar s);
std::optional<Scalar> scalar_by_name(std::string_view name);  // "f32", "bool", ...

// A scalar, or a short vector of 2..16 lanes (only inside lowered kernels). `none` is the type of statements.
struct DType {
  Scalar scalar = Scalar::none;
  std::uint8_t lanes = 1;

  constexpr DType() = default;
  constexpr DType(Scalar s, std::uint8_t n = 1) : scalar(s), lanes(n) {}
  bool operator==(const DType&) const = default;

  bool is_float() const { return info(scalar).kind == ScalarClass::floating; }
  bool is_signed() const { return info(scalar).kind == ScalarClass::signed_int; }
  bool is_unsigned() const { return info(scalar).kind == ScalarClass::unsigned_int; }
  bool is_int() const { return is_signed() || is_unsigned(); }
  bool is_bool() const { return scalar == Scalar::boolean; }
  std::size_t scalar_bytes() const { return info(scalar).bytes; }
  std::size_t bytes() const { return scalar_bytes() * lanes; }
  DType element() const { return DType(scalar); }
  DType vec(int n) const { return DType(scalar, static_cast<std::uint8_t>(n)); }
};
std::string name(DType t);  // "f32", "f32x4"

inline constexpr DType kVoid{Scalar::none}, kBool{Scalar::boolean}, kI8{Scalar::i8}, kU8{Scalar::u8}, kI16{Scalar::i16},
    kU16{Scalar::u16}, kI32{Scalar::i32}, kU32{Scalar::u32}, kI64{Scalar::i64}, kU64{Scalar::u64}, kF16{Scalar::f16},
    kBF16{Scalar::bf16}, kF32{Scalar::f32}, kF64{Scalar::f64};

union Number {
  std::int64_t i;  // bool and integers (u64 as its bit pattern)
  double f;        // floats
};
inline Number integer(std::int64_t v) { return Number{.i = v}; }
inline Number real(double v) { return Number{.f = v}; }

// Reduces a 64-bit integer to the type: wraps modulo 2^bits and extends again; bool becomes v != 0.
std::int64_t wrap(Scalar s, std::int64_t v);
// Rounds to the nearest value of the type, ties to even; too large becomes infinity; NaN stays NaN; -0 stays -0.
double round_to(Scalar s, double v);

// The bits of an (already rounded or not) number in memory, and back. Encoding rounds as round_to. A NaN keeps
// its sign and upper payload bits and becomes quiet, so every 16-bit pattern that is no signalling NaN round-trips.
std::uint64_t encode(Scalar s, Number v);
Number decode(Scalar s, std::uint64_t bits);
Number load(Scalar s, const std::byte* p);
void store(Scalar s, std::byte* p, Number v);

// CAST, the same on every device: between integers wraps; float to integer truncates toward zero, saturates at the
// type's limits and maps NaN to 0; anything to bool is v != 0 (NaN is true); to a float rounds as round_to.
Number convert(Scalar from, Scalar to, Number v);

// The type two operands are brought to: bool < integers < floats. Among integers the wider; signed with unsigned of at
// least the same width takes the next wider signed; i64 with u64 becomes f32. An integer with a float becomes that
// float, f16 with bf16 becomes f32.
Scalar promote(Scalar a, Scalar b);
// The type in which a sum or product over elements of `s` is accumulated: f16 and bf16 in f32, bool and small integers
// in i32 or u32, all others in themselves.
Scalar accumulator(Scalar s);

}  // namespace hcq::compute::ir
