// SPDX-License-Identifier: MIT
#include "compute/ir/dtype.h"

#include <array>
#include <cmath>
#include <cstring>
#include <limits>

namespace hcq::compute::ir {
namespace {

using C = ScalarClass;
constexpr std::array<ScalarInfo, kScalarCount> kScalars{{
    {"void", C::none, 0, 0, 0},
    {"bool", C::boolean, 1, 0, 0},
    {"i8", C::signed_int, 1, 0, 0},
    {"u8", C::unsigned_int, 1, 0, 0},
    {"i16", C::signed_int, 2, 0, 0},
    {"u16", C::unsigned_int, 2, 0, 0},
    {"i32", C::signed_int, 4, 0, 0},
    {"u32", C::unsigned_int, 4, 0, 0},
    {"i64", C::signed_int, 8, 0, 0},
    {"u64", C::unsigned_int, 8, 0, 0},
    {"f16", C::floating, 2, 5, 10},
    {"bf16", C::floating, 2, 8, 7},
    {"f32", C::floating, 4, 8, 23},
    {"f64", C::floating, 8, 11, 52},
}};

bool is_float(Scalar s) { return info(s).kind == C::floating; }
int bits_of(Scalar s) { return info(s).bytes * 8; }

// Layout of IEEE 754 binary64, which carries every float value on the host.
constexpr int kDoubleMantissa = 52, kDoubleBias = 1023;
constexpr std::uint64_t kDoubleMantissaMask = (1ull << kDoubleMantissa) - 1;

std::uint64_t bits_of_double(double v) {
  std::uint64_t b;
  std::memcpy(&b, &v, 8);
  return b;
}

double double_of_bits(std::uint64_t b) {
  double v;
  std::memcpy(&v, &b, 8);
  return v;
}

// Encodes a finite, non-zero magnitude: the mantissa is shifted down to the format's precision and rounded; a carry
// out of the mantissa runs into the exponent by plain addition, up to infinity.
std::uint64_t encode_finite(const ScalarInfo& f, std::uint64_t bits) {
  const int bias = (1 << (f.exponent_bits - 1)) - 1;
  int exponent = static_cast<int>(bits >> kDoubleMantissa) - kDoubleBias;
  std::uint64_t mantissa = bits & kDoubleMantissaMask;
  if (exponent == -kDoubleBias) return 0;  // a subnormal double lies below half the smallest value of every format
  mantissa |= 1ull << kDoubleMantissa;
  int shift = kDoubleMantissa - f.mantissa_bits;
  int biased = exponent + bias;
  if (biased >= (1 << f.exponent_bits) - 1) return ((1ull << f.exponent_bits) - 1) << f.mantissa_bits;
  if (biased <= 0) {  // subnormal result: no implicit bit
    shift += 1 - biased;
    biased = 0;
  } else {
    --biased;  // the implicit bit below adds it back
  }
  if (shift > kDoubleMantissa + 2) return 0;
  const std::uint64_t half = 1ull << (shift - 1), rest = mantissa & ((1ull << shift) - 1);
  std::uint64_t kept = mantissa >> shift;
  if (rest > half || (rest == half && (kept & 1))) ++kept;
  return (static_cast<std::uint64_t>(biased) << f.mantissa_bits) + kept;
}

std::uint64_t encode_float(Scalar s, double v) {
  const std::uint64_t bits = bits_of_double(v);
  if (s == Scalar::f64) return bits;
  const ScalarInfo& f = info(s);
  const std::uint64_t sign = (bits >> 63) << (f.exponent_bits + f.mantissa_bits);
  const std::uint64_t infinity = ((1ull << f.exponent_bits) - 1) << f.mantissa_bits;
  if (std::isnan(v)) {
    const std::uint64_t payload = (bits & kDoubleMantissaMask) >> (kDoubleMantissa - f.mantissa_bits);
    return sign | infinity | payload | (1ull << (f.mantissa_bits - 1));
  }
  if (std::isinf(v)) return sign | infinity;
  if (v == 0) return sign;
  return sign | encode_finite(f, bits & ~(1ull << 63));
}

double decode_float(Scalar s, std::uint64_t bits) {
  if (s == Scalar::f64) return double_of_bits(bits);
  const ScalarInfo& f = info(s);
  const int bias = (1 << (f.exponent_bits - 1)) - 1;
  const std::uint64_t mantissa = bits & ((1ull << f.mantissa_bits) - 1);
  const int exponent = static_cast<int>((bits >> f.mantissa_bits) & ((1u << f.exponent_bits) - 1));
  const std::uint64_t sign = (bits >> (f.exponent_bits + f.mantissa_bits)) & 1;
  if (exponent == (1 << f.exponent_bits) - 1) {
    std::uint64_t payload = mantissa << (kDoubleMantissa - f.mantissa_bits);
    return double_of_bits(sign << 63 | 0x7ffull << kDoubleMantissa | payload);
  }
  double v = exponent == 0 ? std::ldexp(static_cast<double>(mantissa), 1 - bias - f.mantissa_bits)
                           : std::ldexp(static_cast<double>(mantissa | 1ull << f.mantissa_bits),
                                        exponent - bias - f.mantissa_bits);
  return sign ? -v : v;
}

// Truncates toward zero and saturates; NaN gives 0.
std::int64_t float_to_int(Scalar to, double v) {
  if (std::isnan(v)) return 0;
  v = std::trunc(v);
  const int bits = bits_of(to);
  if (info(to).kind == C::unsigned_int) {
    if (v <= 0) return 0;
    if (v >= std::ldexp(1.0, bits)) return wrap(to, -1);
    return static_cast<std::int64_t>(static_cast<std::uint64_t>(v));
  }
  const double limit = std::ldexp(1.0, bits - 1);
  if (v >= limit) return bits == 64 ? std::numeric_limits<std::int64_t>::max() : (1ll << (bits - 1)) - 1;
  if (v < -limit) return bits == 64 ? std::numeric_limits<std::int64_t>::min() : -(1ll << (bits - 1));
  return static_cast<std::int64_t>(v);
}

// A 64-bit integer does not fit a double; rounding to it first and to f32 or f16 then would round twice. Keeping the
// lost bits as one sticky bit makes the second rounding exact.
double int_to_float(Scalar from, Scalar to, std::int64_t v) {
  if (from == Scalar::u64 ? static_cast<std::uint64_t>(v) < (1ull << 53) : std::llabs(v >> 1) < (1ll << 52))
    return round_to(to, static_cast<double>(v));
  if (to == Scalar::f64) return from == Scalar::u64 ? static_cast<double>(static_cast<std::uint64_t>(v)) : double(v);
  const bool negative = from != Scalar::u64 && v < 0;
  const std::uint64_t m = negative ? 0 - static_cast<std::uint64_t>(v) : static_cast<std::uint64_t>(v);
  const std::uint64_t sticky = (m & 0xfff) != 0 ? 0x1000 : 0;
  const double d = round_to(to, static_cast<double>((m & ~0xfffull) | sticky));
  return negative ? -d : d;
}

}  // namespace

const ScalarInfo& info(Scalar s) { return kScalars[static_cast<std::size_t>(s)]; }

std::optional<Scalar> scalar_by_name(std::string_view name) {
  for (int i = 1; i < kScalarCount; ++i)
    if (name == kScalars[static_cast<std::size_t>(i)].name) return static_cast<Scalar>(i);
  return std::nullopt;
}

std::string name(DType t) {
  std::string s = info(t.scalar).name;
  return t.lanes == 1 ? s : s + "x" + std::to_string(t.lanes);
}

std::int64_t wrap(Scalar s, std::int64_t v) {
  if (s == Scalar::boolean) return v != 0;
  const int spare = 64 - bits_of(s);
  const std::uint64_t up = static_cast<std::uint64_t>(v) << spare;
  return info(s).kind == C::unsigned_int ? static_cast<std::int64_t>(up >> spare)
                                         : static_cast<std::int64_t>(up) >> spare;
}

double round_to(Scalar s, double v) {
  if (s == Scalar::f64) return v;
  if (s == Scalar::f32) return static_cast<double>(static_cast<float>(v));
  return decode_float(s, encode_float(s, v));
}

std::uint64_t encode(Scalar s, Number v) {
  if (is_float(s)) return encode_float(s, v.f);
  const std::uint64_t bits = static_cast<std::uint64_t>(wrap(s, v.i));
  return bits_of(s) == 64 ? bits : bits & ((1ull << bits_of(s)) - 1);
}

Number decode(Scalar s, std::uint64_t bits) {
  if (is_float(s)) return real(decode_float(s, bits));
  return integer(wrap(s, static_cast<std::int64_t>(bits)));
}

Number load(Scalar s, const std::byte* p) {
  std::uint64_t bits = 0;
  std::memcpy(&bits, p, info(s).bytes);
  if (s == Scalar::f32) {
    float f;
    std::memcpy(&f, p, 4);
    return real(static_cast<double>(f));
  }
  return decode(s, bits);
}

void store(Scalar s, std::byte* p, Number v) {
  const std::uint64_t bits = encode(s, v);
  std::memcpy(p, &bits, info(s).bytes);
}

Number convert(Scalar from, Scalar to, Number v) {
  if (is_float(from)) {
    if (is_float(to)) return real(round_to(to, v.f));
    if (to == Scalar::boolean) return integer(!(v.f == 0));
    return integer(float_to_int(to, v.f));
  }
  if (is_float(to)) return real(int_to_float(from, to, v.i));
  return integer(wrap(to, v.i));
}

Scalar promote(Scalar a, Scalar b) {
  if (a == b) return a;
  if (a == Scalar::boolean) return b;
  if (b == Scalar::boolean) return a;
  if (is_float(a) != is_float(b)) return is_float(a) ? a : b;
  if (is_float(a)) {
    if (bits_of(a) == bits_of(b)) return Scalar::f32;  // f16 with bf16
    return bits_of(a) > bits_of(b) ? a : b;
  }
  if (info(a).kind == info(b).kind) return bits_of(a) > bits_of(b) ? a : b;
  const Scalar s = info(a).kind == C::signed_int ? a : b, u = info(a).kind == C::signed_int ? b : a;
  if (bits_of(s) > bits_of(u)) return s;
  switch (bits_of(u)) {
    case 8:
      return Scalar::i16;
    case 16:
      return Scalar::i32;
    case 32:
      return Scalar::i64;
    default:
      return Scalar::f32;
  }
}

Scalar accumulator(Scalar s) {
  if (s == Scalar::f16 || s == Scalar::bf16) return Scalar::f32;
  if (s == Scalar::boolean || s == Scalar::i8 || s == Scalar::i16) return Scalar::i32;
  if (s == Scalar::u8 || s == Scalar::u16) return Scalar::u32;
  return s;
}

}  // namespace hcq::compute::ir
