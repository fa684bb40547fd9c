// SPDX-License-Identifier: MIT
#include "corpus.h"

typedef unsigned char u8;
typedef unsigned short u16;
typedef unsigned u32;
typedef unsigned long long u64;
typedef signed char i8;
typedef short i16;
typedef int i32;
typedef long long i64;
typedef _Float16 f16;
typedef u16 u16x2 __attribute__((vector_size(4)));
typedef i16 i16x2 __attribute__((vector_size(4)));
typedef f16 f16x2 __attribute__((vector_size(4)));

#ifdef __AMDGCN__
#define GLOBAL __attribute__((address_space(1)))
#define CASE(name)                                                                                      \
  static __attribute__((always_inline)) void body_##name(const GLOBAL u32* in, GLOBAL u32* out, u32 t); \
  __attribute__((amdgpu_kernel)) void corpus_##name(const GLOBAL u32* in, GLOBAL u32* out) {            \
    const u32 t = __builtin_amdgcn_workgroup_id_x() * 64 + __builtin_amdgcn_workitem_id_x();            \
    body_##name(in + t * CORPUS_IN, out + t * CORPUS_OUT, t);                                           \
  }                                                                                                     \
  static void body_##name(const GLOBAL u32* in, GLOBAL u32* out, u32 t)
#else
#define GLOBAL
#define CASE(name) void corpus_##name(const u32* in, u32* out, u32 t)
#endif
#define INLINE static inline __attribute__((always_inline))
#define CALLED static __attribute__((noinline))

INLINE u64 wide(const GLOBAL u32* p) { return p[0] | (u64)p[1] << 32; }
INLINE void put64(GLOBAL u32* p, u64 v) { p[0] = (u32)v, p[1] = (u32)(v >> 32); }
INLINE float as_f32(u32 u) {
  float f;
  __builtin_memcpy(&f, &u, 4);
  return f;
}
INLINE double as_f64(u64 u) {
  double f;
  __builtin_memcpy(&f, &u, 8);
  return f;
}
INLINE f16 as_f16(u32 u) {
  u16 h = (u16)u;
  f16 f;
  __builtin_memcpy(&f, &h, 2);
  return f;
}
/* All NaNs are one. */
INLINE u32 of_f32(float f) {
  u32 u;
  __builtin_memcpy(&u, &f, 4);
  return f != f ? 0x7fc00000u : u;
}
INLINE u64 of_f64(double f) {
  u64 u;
  __builtin_memcpy(&u, &f, 8);
  return f != f ? 0x7ff8000000000000u : u;
}
INLINE u32 of_f16(f16 f) {
  u16 u;
  __builtin_memcpy(&u, &f, 2);
  return f != f ? 0x7e00u : u;
}

#if defined(CASE_i64_arithmetic) || !defined(__AMDGCN__)
CASE(i64_arithmetic) {
  const i64 x = (i64)wide(in), y = (i64)(wide(in + 2) | 1);
  const u64 a = (u64)x, b = (u64)y;
  put64(out, a * b), put64(out + 2, y == -1 ? 7 : (u64)(x / y)), put64(out + 4, y == -1 ? 7 : (u64)(x % y));
  put64(out + 6, a / b), put64(out + 8, a % b), put64(out + 10, a << (b & 63)), put64(out + 12, (u64)(x >> (b & 63)));
  put64(out + 14, a >> (b & 63)), put64(out + 16, x < y ? a : b), put64(out + 18, a < b ? b : a);
  put64(out + 20, 0 - a), put64(out + 22, a - b * 3), put64(out + 24, a / 1000003), put64(out + 26, (u64)(x % 10));
  out[28] = x > y, out[29] = a >= b, out[30] = (u32)__builtin_popcountll(a), out[31] = t;
}
#endif
#if defined(CASE_i32_arithmetic) || !defined(__AMDGCN__)
CASE(i32_arithmetic) {
  const u32 a = in[0], b = in[1] | 1;
  const i32 x = (i32)a, y = (i32)b;
  out[0] = a * b, out[1] = y == -1 ? 1 : (u32)(x / y), out[2] = y == -1 ? 1 : (u32)(x % y), out[3] = a / b,
  out[4] = a % b;
  out[5] = a << (b & 31), out[6] = (u32)(x >> (b & 31)), out[7] = a >> (b & 31), out[8] = (u32)(((i64)x * y) >> 32);
  out[9] = (u32)(((u64)a * b) >> 32), out[10] = (u32)(x < y ? x : y), out[11] = a > b ? a : b;
  out[12] = x < 0 ? 0 - a : a, out[13] = (a & b) | (~a & in[2]), out[14] = a ^ b ^ in[2], out[15] = (a + b) * 3;
  out[16] = a / 7, out[17] = (u32)(x / 10), out[18] = a % 1000, out[19] = a << 13 | a >> 19,
  out[20] = (a << (b & 7)) + in[2];
  out[21] = a * b + in[2], out[22] = (a & 0xffffff) * (b & 0xffffff), out[23] = (a + b + in[2]) >> 3;
  out[24] = a > b ? a - b : b - a, out[25] = (a | b) & in[2], out[26] = t;
}
#endif
#if defined(CASE_i16_arithmetic) || !defined(__AMDGCN__)
CASE(i16_arithmetic) {
  const i16 x = (i16)in[0], y = (i16)(in[1] | 1);
  const u16 a = (u16)x, b = (u16)y;
  out[0] = (u16)((u32)a * b), out[1] = (u16)(y == -1 ? 3 : x / y), out[2] = (u16)(y == -1 ? 3 : x % y),
  out[3] = (u16)(a / b);
  out[4] = (u16)(a + b), out[5] = (u16)(a - b), out[6] = (u16)(a << (b & 15)), out[7] = (u16)(x >> (b & 15));
  out[8] = (u16)(a >> (b & 15)), out[9] = (u16)(x < y ? x : y), out[10] = (u16)(a > b ? a : b),
  out[11] = (u16)((u32)a * b + t);
  out[12] = (u32)(i32)x, out[13] = a, out[14] = (u32)(x * y), out[15] = (u16)~a;
}
#endif
#if defined(CASE_i8_arithmetic) || !defined(__AMDGCN__)
CASE(i8_arithmetic) {
  const i8 x = (i8)in[0], y = (i8)(in[1] | 1);
  const u8 a = (u8)x, b = (u8)y;
  out[0] = (u8)(a * b), out[1] = (u8)(x / y), out[2] = (u8)(x % y), out[3] = (u8)(a / b), out[4] = (u8)(a % b);
  out[5] = (u8)(x >> (b & 7)), out[6] = (u8)(a << (b & 7)), out[7] = (u32)(i32)x, out[8] = (u8)(x < y ? x : y);
  out[9] = (u32)(in[2] >> 8 & 0xff) + (in[2] >> 24), out[10] = (u32)(i32)(i8)(in[2] >> 16), out[11] = (u8)t;
}
#endif
#if defined(CASE_bits) || !defined(__AMDGCN__)
CASE(bits) {
  const u32 a = in[0], b = in[1];
  const u64 w = wide(in);
  out[0] = (u32)__builtin_popcount(a), out[1] = a ? (u32)__builtin_clz(a) : 32, out[2] = a ? (u32)__builtin_ctz(a) : 32;
  out[3] = __builtin_bswap32(a), out[4] = w ? (u32)__builtin_clzll(w) : 64, out[5] = w ? (u32)__builtin_ctzll(w) : 64;
  put64(out + 6, (u64)__builtin_bswap32((u32)w) << 32 | __builtin_bswap32((u32)(w >> 32))),
      out[8] = (u32)__builtin_parity(a), out[9] = a >> 5 & 0x7f;
  out[10] = (u32)((i32)(a << 9) >> 20), out[11] = __builtin_bswap16((u16)a),
  out[12] = a >> (b & 31) & ((1u << (b >> 5 & 15)) - 1);
  out[13] = a << (b & 31) | a >> (-b & 31), out[14] = (u32)(w >> (b & 31)),
  put64(out + 15, w << (a & 63) | w >> (-a & 63));
  u32 r = a;
  r = (r >> 1 & 0x55555555) | (r & 0x55555555) << 1, r = (r >> 2 & 0x33333333) | (r & 0x33333333) << 2;
  r = (r >> 4 & 0x0f0f0f0f) | (r & 0x0f0f0f0f) << 4, out[17] = __builtin_bswap32(r), out[18] = t;
}
#endif
#if defined(CASE_saturating) || !defined(__AMDGCN__)
CASE(saturating) {
  const u32 a = in[0], b = in[1];
  const i32 x = (i32)a, y = (i32)b;
  i32 s;
  u32 u;
  out[0] = __builtin_add_overflow(x, y, &s) ? (x < 0 ? 0x80000000u : 0x7fffffffu) : (u32)s;
  out[1] = __builtin_sub_overflow(x, y, &s) ? (x < 0 ? 0x80000000u : 0x7fffffffu) : (u32)s;
  out[2] = __builtin_add_overflow(a, b, &u) ? ~0u : u, out[3] = a > b ? a - b : 0;
  out[4] = __builtin_mul_overflow(x, y, &s), out[5] = __builtin_mul_overflow(a, b, &u), out[6] = u;
  i64 z;
  out[7] = __builtin_mul_overflow((i64)wide(in), (i64)wide(in + 2), &z), put64(out + 8, (u64)z);
  out[10] = x < -100 ? (u32)-100 : x > 100 ? 100 : a, out[11] = a < 3 ? 3 : a > 900 ? 900 : a, out[12] = t;
}
#endif
#if defined(CASE_packed16) || !defined(__AMDGCN__)
CASE(packed16) {
  u16x2 a, b;
  __builtin_memcpy(&a, (const void*)&(u32){in[0]}, 4);
  __builtin_memcpy(&b, (const void*)&(u32){in[1]}, 4);
  const u16x2 n = b & 15;
  const u16x2 r[8] = {
      a + b, a - b, a * b, a << n, a >> n, (u16x2)((i16x2)a >> (i16x2)n), a * b + a, (u16x2){b[1], a[0]}};
  for (int i = 0; i < 8; ++i) out[i] = r[i][0] | (u32)r[i][1] << 16;
  out[8] = t;
}
#endif
#if defined(CASE_packed_half) || !defined(__AMDGCN__)
CASE(packed_half) {
  const f16x2 a = {as_f16(in[0]), as_f16(in[0] >> 16)}, b = {as_f16(in[1]), as_f16(in[1] >> 16)};
  const f16x2 r[6] = {a + b, a - b, a * b, -a, a * b + a, (f16x2){b[1], a[0]}};
  for (int i = 0; i < 6; ++i) out[i] = of_f16(r[i][0]) | of_f16(r[i][1]) << 16;
  out[6] = t;
}
#endif
#if defined(CASE_half_arithmetic) || !defined(__AMDGCN__)
CASE(half_arithmetic) {
  const f16 x = as_f16(in[0]), y = as_f16(in[1]), z = as_f16(in[2]);
  out[0] = of_f16(x + y), out[1] = of_f16(x - y), out[2] = of_f16(x * y), out[3] = of_f16(x / y), out[4] = of_f16(-x);
  out[5] = of_f32((float)x), out[6] = of_f16((f16)as_f32(in[3])), out[7] = x < y, out[8] = x == y, out[9] = x >= z;
  out[10] = of_f16(x < y ? x : z), out[11] = of_f16((f16)(i16)in[4]), out[12] = of_f16((f16)(u16)(in[4] & 0x7fff));
  out[13] = of_f32((float)x * (float)y + (float)z), out[14] = of_f16((f16)(i32)(in[4] & 0x3fff)), out[15] = x != x;
  out[16] = of_f16(as_f16(of_f16(x * y)) + z), out[17] = t;
}
#endif
#if defined(CASE_f32_arithmetic) || !defined(__AMDGCN__)
CASE(f32_arithmetic) {
  const float x = as_f32(in[0]), y = as_f32(in[1]), z = as_f32(in[2]);
  out[0] = of_f32(x + y), out[1] = of_f32(x - y), out[2] = of_f32(x * y), out[3] = of_f32(x / y),
  out[4] = of_f32(x * y + z);
  out[5] = of_f32(__builtin_fmaf(x, y, z)), out[6] = of_f32(__builtin_sqrtf(x)), out[7] = of_f32(__builtin_floorf(x));
  out[8] = of_f32(__builtin_ceilf(x)), out[9] = of_f32(__builtin_truncf(x)), out[10] = of_f32(__builtin_rintf(x));
  out[11] = of_f32(__builtin_fabsf(x)), out[12] = of_f32(__builtin_copysignf(x, y)), out[13] = x < y, out[14] = x >= y,
  out[15] = x == z;
  out[16] = x != y, out[17] = !(x < y), out[18] = of_f32(x < y ? x : z), out[19] = of_f32(x > 0 ? x : 0),
  out[20] = of_f32(1 / y);
  out[21] = __builtin_isnan(x) != 0, out[22] = __builtin_isinf(x) != 0,
  out[23] = of_f32((float)((double)x * (double)y));
  out[24] = of_f32(x * 2 + 1), out[25] = of_f32(-x * y), out[26] = t;
}
#endif
#if defined(CASE_f64_arithmetic) || !defined(__AMDGCN__)
CASE(f64_arithmetic) {
  const double x = as_f64(wide(in)), y = as_f64(wide(in + 2)), z = as_f64(wide(in + 4));
  put64(out, of_f64(x + y)), put64(out + 2, of_f64(x - y)), put64(out + 4, of_f64(x * y)),
      put64(out + 6, of_f64(x / y));
  put64(out + 8, of_f64(__builtin_fma(x, y, z))), put64(out + 10, of_f64(__builtin_sqrt(x))),
      put64(out + 12, of_f64(__builtin_floor(x)));
  put64(out + 14, of_f64(__builtin_ceil(x))), put64(out + 16, of_f64(__builtin_rint(x))),
      put64(out + 18, of_f64(x < y ? x : z));
  out[20] = of_f32((float)x), put64(out + 21, of_f64((double)as_f32(in[6]))), out[23] = x < y, out[24] = x == z,
  out[25] = t;
}
#endif
#if defined(CASE_conversions) || !defined(__AMDGCN__)
CASE(conversions) {
  const float x = as_f32((in[0] & 0x807fffff) | ((in[0] >> 8 & 31) + 110) << 23); /* up to 2^14 */
  const double d = x;
  out[0] = (u32)(i32)x, out[1] = (u32)(x < 0 ? -x : x), put64(out + 2, (u64)(i64)x),
  put64(out + 4, (u64)(x < 0 ? -x : x));
  out[6] = of_f32((float)(i32)in[1]), out[7] = of_f32((float)in[1]), out[8] = of_f32((float)(i64)wide(in + 1));
  out[9] = of_f32((float)wide(in + 1)), put64(out + 10, of_f64((double)(i32)in[1])),
  put64(out + 12, of_f64((double)(i64)wide(in + 1)));
  put64(out + 14, of_f64((double)wide(in + 1))), out[16] = (u32)(i32)d, put64(out + 17, (u64)(i64)(d * 65536)),
                                                 out[19] = of_f32((float)(u8)in[2]);
  out[20] = of_f32((float)(in[2] >> 8 & 255)), out[21] = of_f32((float)(i8)in[2]), out[22] = (u8)(i32)(x * 0.001f),
  out[23] = of_f32((float)d), out[24] = t;
}
#endif
#if defined(CASE_byte_dot) || !defined(__AMDGCN__)
CASE(byte_dot) {
  u32 s = in[8];
  u32 q = in[9];
  for (int i = 0; i < 4; ++i)
    for (int b = 0; b < 32; b += 8) {
      s += (in[i] >> b & 255) * (in[i + 4] >> b & 255);
      q += (u32)((i32)(i8)(in[i] >> b) * (i32)(i8)(in[i + 4] >> b));
    }
  out[0] = s, out[1] = q;
  u32 sad = 0;
  for (int b = 0; b < 32; b += 8) {
    const i32 d = (i32)(in[0] >> b & 255) - (i32)(in[1] >> b & 255);
    sad += (u32)(d < 0 ? -d : d);
  }
  out[2] = sad, out[3] = (in[0] & 0xffff0000) | in[1] >> 16, out[4] = in[0] << 24 | in[1] >> 8, out[5] = t;
}
#endif
#if defined(CASE_switches) || !defined(__AMDGCN__)
CASE(switches) {
  for (int i = 0; i < 8; ++i) {
    const u32 x = in[i];
    u32 r;
    switch (x & 15) {
      case 0:
        r = x * 3;
        break;
      case 1:
        r = x / 7;
        break;
      case 2:
        r = x ^ 0x55;
        break;
      case 3:
        r = x + 100; /* falls through */
      case 4:
        r = x << 3;
        break;
      case 5:
        r = x >> 2;
        break;
      case 6:
        r = -x;
        break;
      case 9:
        r = x % 11;
        break;
      case 12:
        r = t;
        break;
      default:
        r = 0;
    }
    out[i] = r;
  }
}
#endif
#if defined(CASE_structs) || !defined(__AMDGCN__)
struct Record {
  u32 a[6];
  float f;
  u64 q;
  u8 c;
  i16 h;
};
CALLED struct Record make(u32 x) {
  struct Record s;
  for (u32 i = 0; i < 6; ++i) s.a[i] = x + i;
  s.f = (float)(x & 1023), s.q = (u64)x * x, s.c = (u8)x, s.h = (i16)(x >> 3);
  return s;
}
CALLED u32 use(struct Record s, u32 i) { return s.a[i % 6] + (u32)s.f + (u32)s.q + s.c + (u32)s.h; }
CASE(structs) {
  struct Record s = make(in[0]), copy = s;
  s.a[in[1] % 6] = 7;
  out[0] = use(s, in[2]), out[1] = use(copy, in[3]), out[2] = (u32)sizeof s, out[3] = t;
}
#endif
#if defined(CASE_private_arrays) || !defined(__AMDGCN__)
CASE(private_arrays) {
  u8 b[64];
  u16 h[20];
  u64 w[10];
  f16 g[8];
  for (u32 i = 0; i < 64; ++i) b[i] = (u8)(in[0] + i * 3);
  for (u32 i = 0; i < 20; ++i) h[i] = (u16)(b[(in[0] + i) & 63] * 5);
  for (u32 i = 0; i < 10; ++i) w[i] = h[(in[1] % 20 + i) % 20] * 0x100000001ull;
  for (u32 i = 0; i < 8; ++i) g[i] = (f16)(float)h[i];
  put64(out, w[in[2] % 10]), out[2] = b[in[3] & 63], out[3] = of_f16(g[in[4] & 7]),
                             out[4] = (u32)(i32)(i8)b[in[5] & 63];
  out[5] = (u32)(i32)(i16)h[in[6] % 20], out[6] = t;
}
#endif
#if defined(CASE_sorting) || !defined(__AMDGCN__)
CASE(sorting) {
  u32 v[16];
  for (int i = 0; i < 16; ++i) v[i] = in[i];
  for (int i = 0; i < 16; ++i)
    for (int j = 0; j + 1 < 16 - i; ++j)
      if (v[j] > v[j + 1]) {
        const u32 x = v[j];
        v[j] = v[j + 1], v[j + 1] = x;
      }
  for (int i = 0; i < 16; ++i) out[i] = v[i];
  out[16] = t;
}
#endif
#if defined(CASE_copying) || !defined(__AMDGCN__)
CASE(copying) {
  u8 from[48], to[48];
  for (u32 i = 0; i < 48; ++i) from[i] = (u8)(in[i / 4 % 12] >> i % 4 * 8), to[i] = (u8)i;
  __builtin_memcpy(to + 3, from + 1, 37);
  __builtin_memmove(to + 5, to + 2, 19);
  __builtin_memset(to + 30, (int)(in[13] & 255), 11);
  for (u32 i = 0; i < 12; ++i)
    out[i] = to[4 * i] | (u32)to[4 * i + 1] << 8 | (u32)to[4 * i + 2] << 16 | (u32)to[4 * i + 3] << 24;
  out[12] = t;
}
#endif
#if defined(CASE_i128_arithmetic) || !defined(__AMDGCN__)
CASE(i128_arithmetic) {
  const unsigned __int128 x = wide(in) | (unsigned __int128)wide(in + 2) << 64,
                          y = wide(in + 4) | (unsigned __int128)wide(in + 6) << 64;
  const unsigned __int128 r[5] = {x + y, x * y, x << (u32)(y & 127), x >> (u32)(y & 127), x - y};
  for (int i = 0; i < 5; ++i) put64(out + 4 * i, (u64)r[i]), put64(out + 4 * i + 2, (u64)(r[i] >> 64));
  out[20] = x < y, out[21] = t;
}
#endif
#if defined(CASE_divergence) || !defined(__AMDGCN__)
CASE(divergence) {
  u32 n = in[0] & 63, s = 0;
  while (n) {
    s += in[n & 15] & 0xff;
    if (s > 1000) break;
    if (s & 1) {
      --n;
      continue;
    }
    for (u32 k = 0; k < (s & 3); ++k) s += k;
    n >>= 1;
  }
  out[0] = s, out[1] = n, out[2] = (s & 4) && (in[1] & 1) ? s : t;
}
#endif
#if defined(CASE_recursion) || !defined(__AMDGCN__)
CALLED u32 ackermann(u32 m, u32 n) {
  if (m == 0) return n + 1;
  if (n == 0) return ackermann(m - 1, 1);
  return ackermann(m - 1, ackermann(m, n - 1));
}
CALLED u32 twice(u32 m, u32 n) { return 2 * m + n; }
CASE(recursion) {
  out[0] = ackermann(in[0] % 3, in[1] % 4);
  u32 (*f)(u32, u32) = in[2] & 1 ? twice : ackermann;
  out[1] = f(1, in[3] % 5), out[2] = t;
}
#endif
#if defined(CASE_brain_float) || !defined(__AMDGCN__)
/* bf16 by hand, as compilers do it where the hardware has no such arithmetic. */
INLINE u32 to_bf16(float f) {
  const u32 u = of_f32(f);
  return f != f ? 0x7fc0 : (u + 0x7fff + (u >> 16 & 1)) >> 16;
}
CASE(brain_float) {
  const float x = as_f32(in[0] << 16), y = as_f32(in[1] << 16);
  out[0] = to_bf16(x + y), out[1] = to_bf16(x * y), out[2] = to_bf16(x / y), out[3] = to_bf16(as_f32(in[2])),
  out[4] = t;
}
#endif
