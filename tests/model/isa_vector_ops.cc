// SPDX-License-Identifier: MIT
// Single vector instructions against C++ on edge values: each row assembles one instruction, runs it on 64 operand
// triples, and compares bits.
#include <gtest/gtest.h>

#include <bit>
#include <cmath>
#include <functional>
#include <limits>

#include "tests/support/isa_machine.h"

namespace hcq::test {
namespace {

using models::isa::Outcome;
using U = std::uint32_t;
using S = std::int32_t;
using U64 = std::uint64_t;
using S64 = std::int64_t;

struct In {
  U a, b, c;
  U64 wide() const { return a | U64{b} << 32; }
};

U f2u(float f) { return std::bit_cast<U>(f); }
float f(U u) { return std::bit_cast<float>(u); }
bool is_nan(U u) { return (u & 0x7fffffff) > 0x7f800000; }

constexpr std::uint32_t kCases = 64;

std::vector<U> inputs() {
  const U edge[] = {0,          1,          0xffffffff, 0x7fffffff, 0x80000000, 31,         32,
                    33,         0x0000ffff, 0xffff8000, 0x12345678, 0x3f800000, 0xbf800000, 0x7f800000,
                    0xff800000, 0x7fc00001, 0x00000001, 0x80000001, 0x007fffff, 0x00800000, 0x7f7fffff,
                    0x40490fdb, 0x3effffff, 0x4b000001, 0xc0200000, 0x3fc00000, 0x33333333, 0x0f1e2d3c};
  constexpr std::size_t count = sizeof edge / sizeof edge[0];
  std::vector<U> in;
  for (U t = 0; t < kCases; ++t) {
    in.push_back(edge[t % count]);
    in.push_back(edge[(t * 5 + t / 7) % count]);
    in.push_back(edge[(t * 11 + 3) % count]);
    in.push_back(t);
  }
  return in;
}

struct Row {
  const char* text;  // inputs v1, v2, v3 (pairs overlap as v[1:2]); results v10, v11
  std::function<U(const In&)> want;
  bool real = false;  // a NaN is as good as any other
};

class VectorOps : public testing::TestWithParam<bool> {
 protected:
  std::vector<U> run(const std::string& body) {
    const auto kernel = machine.assemble(
        "v_and_b32 v0, 0x3ff, v0\nv_lshlrev_b32 v20, 4, v0\nglobal_load_b128 v[1:4], v20, s[0:1]\n"
        "v_mov_b32 v10, 0\nv_mov_b32 v11, 0\ns_waitcnt vmcnt(0)\n" +
            body + "\nv_lshlrev_b32 v21, 3, v0\nglobal_store_b64 v21, v[10:11], s[2:3]\ns_endpgm\n",
        GetParam());
    auto d = machine.dispatch(kernel, {1, 1, 1}, {kCases, 1, 1}, nullptr, 0);
    const auto in = machine.upload(inputs());
    const auto out = machine.alloc(kCases * 8);
    d.user_data = {static_cast<U>(in), static_cast<U>(in >> 32), static_cast<U>(out), static_cast<U>(out >> 32)};
    const auto report = machine.run(d);
    EXPECT_EQ(report.outcome, Outcome::done) << body << ": " << report.text;
    return machine.download<U>(out, kCases * 2);
  }
  void check(const Row& row) {
    const auto in = inputs();
    const auto out = run(row.text);
    for (U t = 0; t < kCases; ++t) {
      const In i{in[4 * t], in[4 * t + 1], in[4 * t + 2]};
      const U want = row.want(i);
      if (row.real && is_nan(want) && is_nan(out[2 * t])) continue;
      ASSERT_EQ(out[2 * t], want) << row.text << std::hex << " of " << i.a << ", " << i.b << ", " << i.c;
    }
  }
  // `wide`: results are v[10:11].
  void check_wide(const char* text, const std::function<U64(const In&)>& want) {
    const auto in = inputs();
    const auto out = run(text);
    for (U t = 0; t < kCases; ++t) {
      const In i{in[4 * t], in[4 * t + 1], in[4 * t + 2]};
      ASSERT_EQ(out[2 * t] | U64{out[2 * t + 1]} << 32, want(i))
          << text << std::hex << " of " << i.a << ", " << i.b << ", " << i.c;
    }
  }
  std::string vcc() const { return GetParam() ? "vcc_lo" : "vcc"; }
  IsaMachine machine;
};

U byte_of(U v, unsigned n) { return v >> 8 * n & 255; }
U sad8(U x, U y, U z, bool masked) {
  for (unsigned n = 0; n < 4; ++n)
    if (!masked || byte_of(y, n) != 0) z += static_cast<U>(std::abs(S(byte_of(x, n)) - S(byte_of(y, n))));
  return z;
}
U64 quad_sad(const In& i, U64 addends, bool masked) {
  U64 d = 0;
  for (unsigned n = 0; n < 4; ++n)
    d |= U64{sad8(static_cast<U>(i.wide() >> 8 * n), i.c, addends >> 16 * n & 0xffff, masked) & 0xffff} << 16 * n;
  return d;
}

TEST_P(VectorOps, ByteSums) {
  check({"v_msad_u8 v10, v1, v2, v3", [](const In& i) { return sad8(i.a, i.b, i.c, true); }});
  check({"v_lerp_u8 v10, v1, v2, v3", [](const In& i) {
           U d = 0;
           for (unsigned n = 0; n < 4; ++n)
             d |= (byte_of(i.a, n) + byte_of(i.b, n) + (byte_of(i.c, n) & 1)) / 2 << 8 * n;
           return d;
         }});
  check_wide("v_qsad_pk_u16_u8 v[10:11], v[1:2], v3, v[2:3]",
             [](const In& i) { return quad_sad(i, i.b | U64{i.c} << 32, false); });
  check_wide("v_mqsad_pk_u16_u8 v[10:11], v[1:2], v3, v[2:3]",
             [](const In& i) { return quad_sad(i, i.b | U64{i.c} << 32, true); });
}

TEST_P(VectorOps, BrainFloatDot) {
  const auto bf = [](U v) { return f(v << 16); };
  check({"v_dot2_f32_bf16 v10, v1, v2, v3",
         [&](const In& i) {
           const float low = std::fma(bf(i.a & 0xffff), bf(i.b & 0xffff), f(i.c));
           return f2u(std::fma(bf(i.a >> 16), bf(i.b >> 16), low));
         },
         true});
}

TEST_P(VectorOps, Integer) {
  const Row rows[] = {
      {"v_add_nc_u32 v10, v1, v2", [](const In& i) { return i.a + i.b; }},
      {"v_sub_nc_u32 v10, v1, v2", [](const In& i) { return i.a - i.b; }},
      {"v_subrev_nc_u32 v10, v1, v2", [](const In& i) { return i.b - i.a; }},
      {"v_add_nc_u32_e64 v10, v1, v2 clamp", [](const In& i) { return i.a + i.b < i.a ? ~0u : i.a + i.b; }},
      {"v_sub_nc_u32_e64 v10, v1, v2 clamp", [](const In& i) { return i.a < i.b ? 0 : i.a - i.b; }},
      {"v_mul_lo_u32 v10, v1, v2", [](const In& i) { return i.a * i.b; }},
      {"v_mul_hi_u32 v10, v1, v2", [](const In& i) { return static_cast<U>(U64{i.a} * i.b >> 32); }},
      {"v_mul_hi_i32 v10, v1, v2", [](const In& i) { return static_cast<U>(S64{S(i.a)} * S(i.b) >> 32); }},
      {"v_mul_u32_u24 v10, v1, v2", [](const In& i) { return (i.a & 0xffffff) * (i.b & 0xffffff); }},
      {"v_mul_i32_i24 v10, v1, v2",
       [](const In& i) { return static_cast<U>((S(i.a << 8) >> 8) * S64{S(i.b << 8) >> 8}); }},
      {"v_mad_u32_u24 v10, v1, v2, v3", [](const In& i) { return (i.a & 0xffffff) * (i.b & 0xffffff) + i.c; }},
      {"v_lshlrev_b32 v10, v1, v2", [](const In& i) { return i.b << (i.a & 31); }},
      {"v_lshrrev_b32 v10, v1, v2", [](const In& i) { return i.b >> (i.a & 31); }},
      {"v_ashrrev_i32 v10, v1, v2", [](const In& i) { return static_cast<U>(S(i.b) >> (i.a & 31)); }},
      {"v_lshl_add_u32 v10, v1, v2, v3", [](const In& i) { return (i.a << (i.b & 31)) + i.c; }},
      {"v_add_lshl_u32 v10, v1, v2, v3", [](const In& i) { return (i.a + i.b) << (i.c & 31); }},
      {"v_and_or_b32 v10, v1, v2, v3", [](const In& i) { return (i.a & i.b) | i.c; }},
      {"v_xor3_b32 v10, v1, v2, v3", [](const In& i) { return i.a ^ i.b ^ i.c; }},
      {"v_bfi_b32 v10, v1, v2, v3", [](const In& i) { return (i.a & i.b) | (~i.a & i.c); }},
      {"v_bfe_u32 v10, v1, v2, v3",
       [](const In& i) {
         const U w = i.c & 31;
         return w == 0 ? 0 : i.a >> (i.b & 31) & ((1u << w) - 1);
       }},
      {"v_bfe_i32 v10, v1, v2, v3",
       [](const In& i) {
         const U w = i.c & 31, o = i.b & 31;
         if (w == 0) return 0u;
         return static_cast<U>(static_cast<S64>(static_cast<U64>(S64{S(i.a)} >> o) << (64 - w)) >> (64 - w));
       }},
      {"v_alignbit_b32 v10, v1, v2, v3",
       [](const In& i) { return static_cast<U>((U64{i.a} << 32 | i.b) >> (i.c & 31)); }},
      {"v_alignbyte_b32 v10, v1, v2, v3",
       [](const In& i) { return static_cast<U>((U64{i.a} << 32 | i.b) >> (i.c & 3) * 8); }},
      {"v_med3_i32 v10, v1, v2, v3",
       [](const In& i) {
         const S a = S(i.a), b = S(i.b), c = S(i.c);
         return static_cast<U>(std::max(std::min(a, b), std::min(std::max(a, b), c)));
       }},
      {"v_clz_i32_u32 v10, v1", [](const In& i) { return i.a ? static_cast<U>(std::countl_zero(i.a)) : ~0u; }},
      {"v_ctz_i32_b32 v10, v1", [](const In& i) { return i.a ? static_cast<U>(std::countr_zero(i.a)) : ~0u; }},
      {"v_cls_i32 v10, v1",
       [](const In& i) {
         const U x = i.a ^ static_cast<U>(S(i.a) >> 31);
         return x ? static_cast<U>(std::countl_zero(x)) : ~0u;
       }},
      {"v_bcnt_u32_b32 v10, v1, v2", [](const In& i) { return static_cast<U>(std::popcount(i.a)) + i.b; }},
      {"v_perm_b32 v10, v1, v2, v3",
       [](const In& i) {
         const U64 data = U64{i.a} << 32 | i.b;
         U d = 0;
         for (U k = 0; k < 4; ++k) {
           const U s = i.c >> 8 * k & 0xff;
           U byte = 0;
           if (s < 8) byte = data >> 8 * s & 0xff;
           else if (s < 12) byte = data >> (16 * (s - 8) + 15) & 1 ? 0xff : 0;
           else if (s > 12) byte = 0xff;
           d |= byte << 8 * k;
         }
         return d;
       }},
      {"v_mov_b32 v10, v1\nv_mov_b32 v11, v2\nv_swap_b32 v10, v11", [](const In& i) { return i.b; }},
      {"v_mov_b32_dpp v10, v1 quad_perm:[0,1,2,3] row_mask:0xf bank_mask:0xf", [](const In& i) { return i.a; }},
  };
  for (const auto& row : rows) check(row);
}

TEST_P(VectorOps, WideInteger) {
  check_wide("v_lshlrev_b64 v[10:11], v3, v[1:2]", [](const In& i) { return i.wide() << (i.c & 63); });
  check_wide("v_lshrrev_b64 v[10:11], v3, v[1:2]", [](const In& i) { return i.wide() >> (i.c & 63); });
  check_wide("v_ashrrev_i64 v[10:11], v3, v[1:2]",
             [](const In& i) { return static_cast<U64>(static_cast<S64>(i.wide()) >> (i.c & 63)); });
  check_wide("v_mad_u64_u32 v[10:11], null, v1, v2, v[1:2]", [](const In& i) { return U64{i.a} * i.b + i.wide(); });
  check_wide("v_mad_i64_i32 v[10:11], null, v1, v2, v[1:2]",
             [](const In& i) { return static_cast<U64>(S64{S(i.a)} * S(i.b)) + i.wide(); });
}

// The carry travels through VCC, and VCC of a compare or carry is 0 in inactive lanes.
TEST_P(VectorOps, CarryChain) {
  check_wide(("v_add_co_u32 v10, " + vcc() + ", v1, v3\nv_add_co_ci_u32 v11, " + vcc() + ", v2, v2, " + vcc()).c_str(),
             [](const In& i) { return i.wide() + (i.c | U64{i.b} << 32); });
  check_wide(("v_sub_co_u32 v10, " + vcc() + ", v1, v3\nv_sub_co_ci_u32 v11, " + vcc() + ", v2, v1, " + vcc()).c_str(),
             [](const In& i) { return i.wide() - (i.c | U64{i.a} << 32); });
  check({("v_cmp_lt_i32 " + vcc() + ", v1, v2\nv_cndmask_b32 v10, v3, v1, " + vcc()).c_str(),
         [](const In& i) { return S(i.a) < S(i.b) ? i.a : i.c; }});
}

TEST_P(VectorOps, Float) {
  const Row rows[] = {
      {"v_add_f32 v10, v1, v2", [](const In& i) { return f2u(f(i.a) + f(i.b)); }, true},
      {"v_sub_f32 v10, v1, v2", [](const In& i) { return f2u(f(i.a) - f(i.b)); }, true},
      {"v_mul_f32 v10, v1, v2", [](const In& i) { return f2u(f(i.a) * f(i.b)); }, true},
      {"v_fma_f32 v10, v1, -v2, |v3|", [](const In& i) { return f2u(std::fma(f(i.a), -f(i.b), std::fabs(f(i.c)))); },
       true},
      {"v_mul_f32_e64 v10, v1, v2 clamp",
       [](const In& i) {
         const float p = f(i.a) * f(i.b);
         return f2u(p > 1 ? 1.f : p > 0 ? p : 0.f);
       }},
      {"v_add_f32_e64 v10, v1, v2 mul:2", [](const In& i) { return f2u((f(i.a) + f(i.b)) * 2); }, true},
      {"v_min_f32 v10, v1, v2",
       [](const In& i) {
         if (is_nan(i.a)) return i.b;
         if (is_nan(i.b)) return i.a;
         if (f(i.a) == f(i.b)) return i.a | i.b;
         return f(i.a) < f(i.b) ? i.a : i.b;
       },
       true},
      {"v_max_f32 v10, v1, v2",
       [](const In& i) {
         if (is_nan(i.a)) return i.b;
         if (is_nan(i.b)) return i.a;
         if (f(i.a) == f(i.b)) return i.a & i.b;
         return f(i.a) > f(i.b) ? i.a : i.b;
       },
       true},
      {"v_rndne_f32 v10, v1", [](const In& i) { return f2u(std::nearbyint(f(i.a))); }, true},
      {"v_trunc_f32 v10, v1", [](const In& i) { return f2u(std::trunc(f(i.a))); }, true},
      {"v_floor_f32 v10, v1", [](const In& i) { return f2u(std::floor(f(i.a))); }, true},
      {"v_ldexp_f32 v10, v1, v2", [](const In& i) { return f2u(std::ldexp(f(i.a), S(i.b))); }, true},
      {"v_frexp_mant_f32 v10, v1",
       [](const In& i) {
         int e = 0;
         return f2u(std::frexp(f(i.a), &e));
       },
       true},
      {"v_frexp_exp_i32_f32 v10, v1",
       [](const In& i) {
         int e = 0;
         if (std::isfinite(f(i.a))) std::frexp(f(i.a), &e);
         return static_cast<U>(e);
       }},
      {"v_cvt_i32_f32 v10, v1",
       [](const In& i) {
         const float x = f(i.a);
         if (std::isnan(x)) return 0u;
         if (x >= 0x1p31f) return 0x7fffffffu;
         return x <= -0x1p31f ? 0x80000000u : static_cast<U>(static_cast<S>(x));
       }},
      {"v_cvt_u32_f32 v10, v1",
       [](const In& i) {
         const float x = f(i.a);
         if (!(x > 0)) return 0u;
         return x >= 0x1p32f ? ~0u : static_cast<U>(x);
       }},
      {"v_cvt_f32_i32 v10, v1", [](const In& i) { return f2u(static_cast<float>(S(i.a))); }},
      {"v_cvt_f32_u32 v10, v1", [](const In& i) { return f2u(static_cast<float>(i.a)); }},
      {"v_cvt_f32_ubyte2 v10, v1", [](const In& i) { return f2u(static_cast<float>(i.a >> 16 & 0xff)); }},
      {"v_cvt_f64_f32 v[10:11], v1\nv_cvt_f32_f64 v10, v[10:11]", [](const In& i) { return i.a; }, true},
      {"v_cvt_f16_f32 v10, v1\nv_cvt_f32_f16 v10, v10",
       [](const In& i) {
         const float x = f(i.a);
         if (std::isnan(x) || std::isinf(x)) return i.a;
         const float limit = 65520;
         if (std::fabs(x) >= limit) return f2u(std::copysign(INFINITY, x));
         int e = 0;
         std::frexp(x, &e);
         const int step = std::max(e - 11, -24);  // the f16 grid around x
         return f2u(std::copysign(std::ldexp(std::nearbyint(std::ldexp(x, -step)), step), x));
       },
       true},
      {"v_cndmask_b32_e64 v10, v1, v2, s20", [](const In& i) { return i.b; }},
  };
  for (const auto& row : rows) {
    if (std::string(row.text).find("s20") != std::string::npos) {
      const std::string text = GetParam() ? "s_mov_b32 s20, -1\nv_cndmask_b32_e64 v10, v1, v2, s20"
                                          : "s_mov_b64 s[20:21], -1\nv_cndmask_b32_e64 v10, v1, v2, s[20:21]";
      check({text.c_str(), row.want});
      continue;
    }
    check(row);
  }
}

TEST_P(VectorOps, FloatCompareAndClass) {
  struct {
    const char* name;
    std::function<bool(float, float)> want;
  } const compares[] = {
      {"lt", [](float a, float b) { return a < b; }},
      {"nlt", [](float a, float b) { return !(a < b); }},
      {"eq", [](float a, float b) { return a == b; }},
      {"neq", [](float a, float b) { return a != b; }},
      {"lg", [](float a, float b) { return a < b || a > b; }},
      {"ge", [](float a, float b) { return a >= b; }},
      {"o", [](float a, float b) { return !std::isnan(a) && !std::isnan(b); }},
      {"u", [](float a, float b) { return std::isnan(a) || std::isnan(b); }},
  };
  for (const auto& c : compares)
    check({("v_cmp_" + std::string(c.name) + "_f32 " + vcc() + ", v1, v2\nv_cndmask_b32 v10, 0, v0, " + vcc() +
            "\nv_cndmask_b32 v10, 0, v1, " + vcc())
               .c_str(),
           [&](const In& i) { return c.want(f(i.a), f(i.b)) ? i.a : 0; }});
  // Class bits 0..9 one at a time: exactly one of them answers.
  std::string text;
  for (int bit = 0; bit < 10; ++bit)
    text += "v_cmp_class_f32 " + vcc() + ", v1, " + (bit < 7 ? std::to_string(1 << bit) : "v5") + "\n" +
            "v_cndmask_b32 v6, 0, " + std::to_string(bit + 1) + ", " + vcc() + "\nv_add_nc_u32 v10, v10, v6\n" +
            "v_mov_b32 v5, " + std::to_string(2 << bit) + "\n";
  check({text.c_str(), [](const In& i) {
           const float x = f(i.a);
           switch (std::fpclassify(x)) {
             case FP_NAN:
               return i.a & 0x400000 ? 2u : 1u;
             case FP_INFINITE:
               return x < 0 ? 3u : 10u;
             case FP_NORMAL:
               return x < 0 ? 4u : 9u;
             case FP_SUBNORMAL:
               return x < 0 ? 5u : 8u;
             default:
               return std::signbit(x) ? 6u : 7u;
           }
         }});
}

// 16-bit instructions leave the other half alone.
TEST_P(VectorOps, Halves) {
  if (test::llvm_version() < 20) GTEST_SKIP() << "LLVM 19 cannot assemble 16-bit register halves";
  check({"v_mov_b32 v10, v3\nv_add_nc_u16 v10.l, v1.l, v2.h",
         [](const In& i) { return (i.c & 0xffff0000) | ((i.a + (i.b >> 16)) & 0xffff); }});
  check({"v_mov_b32 v10, v3\nv_mul_lo_u16 v10.h, v1.h, v2.l",
         [](const In& i) { return (i.c & 0xffff) | ((i.a >> 16) * (i.b & 0xffff)) << 16; }});
  check({"v_pk_add_u16 v10, v1, v2",
         [](const In& i) { return ((i.a + i.b) & 0xffff) | ((i.a >> 16) + (i.b >> 16)) << 16; }});
  check({"v_pk_add_u16 v10, v1, v2 op_sel:[1,0] op_sel_hi:[0,1]",
         [](const In& i) { return (((i.a >> 16) + i.b) & 0xffff) | ((i.a & 0xffff) + (i.b >> 16)) << 16; }});
  check({"v_pk_max_i16 v10, v1, v2", [](const In& i) {
           const auto lo = std::max(static_cast<std::int16_t>(i.a), static_cast<std::int16_t>(i.b));
           const auto hi = std::max(static_cast<std::int16_t>(i.a >> 16), static_cast<std::int16_t>(i.b >> 16));
           return static_cast<U>(static_cast<std::uint16_t>(lo)) | static_cast<U>(static_cast<std::uint16_t>(hi)) << 16;
         }});
  check({"v_dot4_u32_u8 v10, v1, v2, v3", [](const In& i) {
           U d = i.c;
           for (U k = 0; k < 32; k += 8) d += (i.a >> k & 0xff) * (i.b >> k & 0xff);
           return d;
         }});
  check({"v_dot4_i32_iu8 v10, v1, v2, v3 neg_lo:[1,1,0]", [](const In& i) {
           U d = i.c;
           for (U k = 0; k < 32; k += 8)
             d += static_cast<U>(static_cast<std::int8_t>(i.a >> k) * static_cast<std::int8_t>(i.b >> k));
           return d;
         }});
}

// Both halves of a dual instruction read before either writes.
TEST_P(VectorOps, DualReadsBeforeWriting) {
  if (!GetParam()) GTEST_SKIP() << "dual instructions exist in wave32 only";
  const auto in = inputs();
  const auto out = run("v_mov_b32 v10, v1\nv_mov_b32 v11, v2\nv_dual_mov_b32 v10, v11 :: v_dual_mov_b32 v11, v10");
  for (U t = 0; t < kCases; ++t) {
    EXPECT_EQ(out[2 * t], in[4 * t + 1]);
    EXPECT_EQ(out[2 * t + 1], in[4 * t]);
  }
}

INSTANTIATE_TEST_SUITE_P(, VectorOps, testing::Values(true, false),
                         [](const auto& info) { return info.param ? "wave32" : "wave64"; });

}  // namespace
}  // namespace hcq::test
