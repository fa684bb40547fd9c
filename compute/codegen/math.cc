// SPDX-License-Identifier: MIT
#include "compute/codegen/math.h"

#include <llvm/IR/Constants.h>
#include <llvm/IR/Intrinsics.h>

#include <bit>
#include <cmath>
#include <limits>
#include <numbers>
#include <vector>

namespace hcq::compute::codegen {
namespace {

using llvm::Value;

// Layout of the type, and how many terms of each series make its error smaller than a quarter of an ulp.
struct Format {
  unsigned bits, mantissa;
  int bias;
  int exp2_degree, log2_terms, sin_terms;
};
constexpr Format kF32{32, 23, 127, 7, 5, 7};
constexpr Format kF64{64, 52, 1023, 13, 11, 11};

// Emits for one type; floats and integers of the same width and lane count.
class Math {
 public:
  Math(llvm::IRBuilder<>& b, llvm::Type* type)
      : b_(b),
        format_(type->getScalarType()->isDoubleTy() ? kF64 : kF32),
        float_(type),
        int_(type->getWithNewType(b.getIntNTy(format_.bits))) {}

  const Format& format() const { return format_; }
  Value* f(double v) { return llvm::ConstantFP::get(float_, v); }
  Value* i(std::int64_t v) { return llvm::ConstantInt::get(int_, static_cast<std::uint64_t>(v), true); }
  Value* as_int(Value* v) { return b_.CreateBitCast(v, int_); }
  Value* as_float(Value* v) { return b_.CreateBitCast(v, float_); }
  Value* fma(Value* x, Value* y, Value* z) { return b_.CreateIntrinsic(llvm::Intrinsic::fmuladd, {float_}, {x, y, z}); }

  // c[0] + c[1] x + ...
  Value* polynomial(Value* x, const std::vector<double>& c) {
    Value* p = f(c.back());
    for (std::size_t k = c.size() - 1; k-- > 0;) p = fma(p, x, f(c[k]));
    return p;
  }

  // Adding 1.5 * 2^mantissa rounds to an integer and leaves it in the low bits: no conversion that could be undefined
  // for NaN or large values. Valid for |x| < 2^(mantissa-1).
  double magic() const { return std::ldexp(1.5, static_cast<int>(format_.mantissa)); }
  Value* integer_of(Value* biased) {
    const double m = magic();
    std::int64_t raw = 0;
    if (format_.bits == 32) raw = static_cast<std::int64_t>(std::bit_cast<std::uint32_t>(static_cast<float>(m)));
    else raw = std::bit_cast<std::int64_t>(m);
    return b_.CreateSub(as_int(biased), i(raw));
  }

  // 2^n for an integer n in the range of normal exponents.
  Value* power_of_two(Value* n) {
    return as_float(b_.CreateShl(b_.CreateAdd(n, i(format_.bias)), i(static_cast<std::int64_t>(format_.mantissa))));
  }

 private:
  llvm::IRBuilder<>& b_;
  const Format& format_;
  llvm::Type *float_, *int_;
};

}  // namespace

// x = n + r with |r| <= 1/2; 2^x = 2^n * e^(r ln 2) by its series. 2^n is applied in two steps, so that results beyond
// the smallest normal are rounded once and overflow becomes infinity.
Value* emit_exp2(llvm::IRBuilder<>& b, Value* x) {
  Math m(b, x->getType());
  const double top = m.format().bias + 2;
  const double bottom = -(m.format().bias + static_cast<int>(m.format().mantissa) + 3);
  x = b.CreateSelect(b.CreateFCmpOGT(x, m.f(top)), m.f(top), x);
  x = b.CreateSelect(b.CreateFCmpOLT(x, m.f(bottom)), m.f(bottom), x);
  Value* biased = b.CreateFAdd(x, m.f(m.magic()));
  Value* r = b.CreateFSub(x, b.CreateFSub(biased, m.f(m.magic())));
  Value* n = m.integer_of(biased);
  std::vector<double> c{1.0};
  for (int k = 1; k <= m.format().exp2_degree; ++k) c.push_back(c.back() * std::numbers::ln2 / k);
  Value* half = b.CreateAShr(n, m.i(1));
  Value* p = b.CreateFMul(m.polynomial(r, c), m.power_of_two(half));
  return b.CreateFMul(p, m.power_of_two(b.CreateSub(n, half)));
}

// x = 2^e * q with q in [sqrt(1/2), sqrt(2)); with s = (q-1)/(q+1), log2(q) = 2/ln2 * (s + s^3/3 + s^5/5 + ...).
Value* emit_log2(llvm::IRBuilder<>& b, Value* x) {
  Math m(b, x->getType());
  const auto mantissa = static_cast<int>(m.format().mantissa);
  const double smallest = std::ldexp(1.0, 1 - m.format().bias);
  Value* tiny = b.CreateFCmpOLT(x, m.f(smallest));
  Value* scaled = b.CreateSelect(tiny, b.CreateFMul(x, m.f(std::ldexp(1.0, mantissa + 1))), x);
  Value* bits = m.as_int(scaled);
  const double root = std::numbers::sqrt2 / 2;
  const std::int64_t pivot =
      m.format().bits == 32 ? std::bit_cast<std::int32_t>(static_cast<float>(root)) : std::bit_cast<std::int64_t>(root);
  Value* e = b.CreateAShr(b.CreateSub(bits, m.i(pivot)), m.i(mantissa));
  Value* q = m.as_float(b.CreateSub(bits, b.CreateShl(e, m.i(mantissa))));
  e = b.CreateSub(e, b.CreateSelect(tiny, m.i(mantissa + 1), m.i(0)));
  Value* s = b.CreateFDiv(b.CreateFSub(q, m.f(1)), b.CreateFAdd(q, m.f(1)));
  std::vector<double> c;
  for (int k = 0; k < m.format().log2_terms; ++k) c.push_back(2 / std::numbers::ln2 / (2 * k + 1));
  Value* series = m.polynomial(b.CreateFMul(s, s), c);
  Value* r = m.fma(s, series, b.CreateSIToFP(e, x->getType()));

  const double infinity = std::numeric_limits<double>::infinity();
  Value* nan = m.f(std::numeric_limits<double>::quiet_NaN());
  r = b.CreateSelect(b.CreateFCmpOEQ(x, m.f(infinity)), x, r);
  r = b.CreateSelect(b.CreateFCmpULT(x, m.f(0)), nan, r);  // negative or NaN
  return b.CreateSelect(b.CreateFCmpOEQ(x, m.f(0)), m.f(-infinity), r);
}

// x = n*pi + r with |r| <= pi/2, pi in three parts of which the first product is exact under fused multiply-add for
// |n| < 2^15; sin(x) = (-1)^n * sin(r) by its series. Beyond |x| = 2^22 (f32) the reduction is meaningless; the result
// is kept inside [-1, 1].
Value* emit_sin(llvm::IRBuilder<>& b, Value* x) {
  Math m(b, x->getType());
  // Each part is what the sum of those before it lacks; for f64 the lower digits of pi come from a table of them.
  constexpr auto narrow = [](double v) { return static_cast<double>(static_cast<float>(v)); };
  constexpr double first = narrow(std::numbers::pi), second = narrow(std::numbers::pi - first);
  constexpr double third = std::numbers::pi - first - second;
  const bool wide = m.format().bits == 64;
  const double parts[3] = {wide ? std::numbers::pi : first, wide ? 1.2246467991473532e-16 : second,
                           wide ? -2.9947698097183397e-33 : third};
  Value* biased = m.fma(x, m.f(std::numbers::inv_pi), m.f(m.magic()));
  Value* n = b.CreateFSub(biased, m.f(m.magic()));
  Value* r = x;
  for (const double part : parts) r = m.fma(n, m.f(-part), r);
  std::vector<double> c{1.0};
  for (int k = 1; k < m.format().sin_terms; ++k) c.push_back(-c.back() / ((2 * k) * (2 * k + 1)));
  Value* square = b.CreateFMul(r, r);
  c.erase(c.begin());
  Value* s = m.fma(b.CreateFMul(square, m.polynomial(square, c)), r, r);  // r + r*(...): small arguments stay exact
  Value* sign = b.CreateShl(m.integer_of(biased), m.i(static_cast<std::int64_t>(m.format().bits) - 1));
  s = m.as_float(b.CreateXor(m.as_int(s), sign));
  s = b.CreateSelect(b.CreateFCmpOGT(s, m.f(1)), m.f(1), s);
  return b.CreateSelect(b.CreateFCmpOLT(s, m.f(-1)), m.f(-1), s);
}

}  // namespace hcq::compute::codegen
