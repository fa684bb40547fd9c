// SPDX-License-Identifier: MIT
// Kernels compiled from LLVM IR at O0 and O2 for wave32 and wave64, compared with the same computation in C++.
#include <gtest/gtest.h>

#include <cmath>
#include <random>

#include "tests/support/isa_machine.h"

namespace hcq::test {
namespace {

using models::isa::Outcome;

struct Variant {
  unsigned level;
  bool wave32;
};

std::string variant_name(const testing::TestParamInfo<Variant>& info) {
  return "O" + std::to_string(info.param.level) + (info.param.wave32 ? "_wave32" : "_wave64");
}

class Kernels : public testing::TestWithParam<Variant> {
 protected:
  // Launches `kernel` of module `ir` with blocks of `block` items; expects it to end well.
  template <class Args>
  void launch(const std::string& ir, const char* kernel, std::array<std::uint32_t, 3> groups,
              std::array<std::uint32_t, 3> block, const Args& args) {
    const auto k = machine.compile(kDeclarations + ir, kernel, GetParam().level, GetParam().wave32);
    const auto report = machine.launch(k, groups, block, &args, sizeof args);
    ASSERT_EQ(report.outcome, Outcome::done) << report.text << " address " << std::hex << report.address;
  }

  static inline const std::string kDeclarations = R"(
declare i32 @llvm.amdgcn.workitem.id.x()
declare i32 @llvm.amdgcn.workitem.id.y()
declare i32 @llvm.amdgcn.workgroup.id.x()
declare i32 @llvm.amdgcn.workgroup.id.y()
declare void @llvm.amdgcn.s.barrier()
)";
  IsaMachine machine{1};
  std::mt19937 random{7};
};

TEST_P(Kernels, MatrixProduct) {
  const char* ir = R"(
define amdgpu_kernel void @mm(ptr addrspace(1) %a, ptr addrspace(1) %b, ptr addrspace(1) %c, i32 %n) {
entry:
  %tx = call i32 @llvm.amdgcn.workitem.id.x()
  %ty = call i32 @llvm.amdgcn.workitem.id.y()
  %gx = call i32 @llvm.amdgcn.workgroup.id.x()
  %gy = call i32 @llvm.amdgcn.workgroup.id.y()
  %bx = shl i32 %gx, 4
  %by = shl i32 %gy, 2
  %col = add i32 %bx, %tx
  %row = add i32 %by, %ty
  %base = mul i32 %row, %n
  br label %loop
loop:
  %k = phi i32 [ 0, %entry ], [ %k1, %loop ]
  %sum = phi float [ 0.0, %entry ], [ %sum1, %loop ]
  %ia = add i32 %base, %k
  %kb = mul i32 %k, %n
  %ib = add i32 %kb, %col
  %pa = getelementptr float, ptr addrspace(1) %a, i32 %ia
  %pb = getelementptr float, ptr addrspace(1) %b, i32 %ib
  %va = load float, ptr addrspace(1) %pa
  %vb = load float, ptr addrspace(1) %pb
  %p = fmul contract float %va, %vb
  %sum1 = fadd contract float %sum, %p
  %k1 = add i32 %k, 1
  %more = icmp ult i32 %k1, %n
  br i1 %more, label %loop, label %done
done:
  %ic = add i32 %base, %col
  %pc = getelementptr float, ptr addrspace(1) %c, i32 %ic
  store float %sum1, ptr addrspace(1) %pc
  ret void
}
)";
  constexpr std::uint32_t n = 32;
  std::uniform_real_distribution<float> uniform(-1, 1);
  std::vector<float> a(n * n), b(n * n);
  for (auto& v : a) v = uniform(random);
  for (auto& v : b) v = uniform(random);
  struct {
    std::uint64_t a, b, c;
    std::uint32_t n;
  } const args{machine.upload(a), machine.upload(b), machine.alloc(n * n * 4), n};
  launch(ir, "mm", {n / 16, n / 4, 1}, {16, 4, 1}, args);
  if (HasFatalFailure()) return;
  const auto c = machine.download<float>(args.c, n * n);
  for (std::uint32_t i = 0; i < n; ++i)
    for (std::uint32_t j = 0; j < n; ++j) {
      double sum = 0;
      for (std::uint32_t k = 0; k < n; ++k)
        sum += static_cast<double>(a[i * n + k]) * static_cast<double>(b[k * n + j]);
      ASSERT_NEAR(c[i * n + j], sum, 1e-5) << i << "," << j;
    }
}

// A tree reduction through LDS: each step waits at a barrier, in a loop that halves the stride.
TEST_P(Kernels, ReductionWithBarriers) {
  const char* ir = R"(
@part = internal addrspace(3) global [256 x i32] poison
define amdgpu_kernel void @sum(ptr addrspace(1) %in, ptr addrspace(1) %out) {
entry:
  %t = call i32 @llvm.amdgcn.workitem.id.x()
  %g = call i32 @llvm.amdgcn.workgroup.id.x()
  %o = shl i32 %g, 8
  %i = add i32 %o, %t
  %p = getelementptr i32, ptr addrspace(1) %in, i32 %i
  %v = load i32, ptr addrspace(1) %p
  %mine = getelementptr [256 x i32], ptr addrspace(3) @part, i32 0, i32 %t
  store i32 %v, ptr addrspace(3) %mine
  br label %loop
loop:
  %s = phi i32 [ 128, %entry ], [ %half, %next ]
  fence syncscope("workgroup") release
  call void @llvm.amdgcn.s.barrier()
  fence syncscope("workgroup") acquire
  %active = icmp ult i32 %t, %s
  br i1 %active, label %work, label %next
work:
  %j = add i32 %t, %s
  %other = getelementptr [256 x i32], ptr addrspace(3) @part, i32 0, i32 %j
  %x = load i32, ptr addrspace(3) %mine
  %y = load i32, ptr addrspace(3) %other
  %z = add i32 %x, %y
  store i32 %z, ptr addrspace(3) %mine
  br label %next
next:
  %half = lshr i32 %s, 1
  %done = icmp eq i32 %half, 0
  br i1 %done, label %end, label %loop
end:
  %first = icmp eq i32 %t, 0
  br i1 %first, label %write, label %exit
write:
  %r = load i32, ptr addrspace(3) %mine
  %q = getelementptr i32, ptr addrspace(1) %out, i32 %g
  store i32 %r, ptr addrspace(1) %q
  br label %exit
exit:
  ret void
}
)";
  constexpr std::uint32_t groups = 9;
  std::vector<std::uint32_t> in(groups * 256);
  for (auto& v : in) v = random();
  struct {
    std::uint64_t in, out;
  } const args{machine.upload(in), machine.alloc(groups * 4)};
  launch(ir, "sum", {groups, 1, 1}, {256, 1, 1}, args);
  if (HasFatalFailure()) return;
  const auto out = machine.download<std::uint32_t>(args.out, groups);
  for (std::uint32_t g = 0; g < groups; ++g) {
    std::uint32_t sum = 0;
    for (std::uint32_t k = 0; k < 256; ++k) sum += in[g * 256 + k];
    EXPECT_EQ(out[g], sum) << g;
  }
}

// Every lane leaves the loop at another time.
TEST_P(Kernels, DivergentLoop) {
  const char* ir = R"(
define amdgpu_kernel void @collatz(ptr addrspace(1) %out) {
entry:
  %t = call i32 @llvm.amdgcn.workitem.id.x()
  %start = add i32 %t, 1
  br label %loop
loop:
  %x = phi i32 [ %start, %entry ], [ %y, %step ]
  %n = phi i32 [ 0, %entry ], [ %n1, %step ]
  %one = icmp eq i32 %x, 1
  br i1 %one, label %done, label %body
body:
  %bit = and i32 %x, 1
  %odd = icmp ne i32 %bit, 0
  br i1 %odd, label %up, label %down
up:
  %x3 = mul i32 %x, 3
  %x31 = add i32 %x3, 1
  br label %step
down:
  %h = lshr i32 %x, 1
  br label %step
step:
  %y = phi i32 [ %x31, %up ], [ %h, %down ]
  %n1 = add i32 %n, 1
  br label %loop
done:
  %p = getelementptr i32, ptr addrspace(1) %out, i32 %t
  store i32 %n, ptr addrspace(1) %p
  ret void
}
)";
  constexpr std::uint32_t n = 100;
  struct {
    std::uint64_t out;
  } const args{machine.alloc(n * 4)};
  launch(ir, "collatz", {1, 1, 1}, {n, 1, 1}, args);
  if (HasFatalFailure()) return;
  const auto out = machine.download<std::uint32_t>(args.out, n);
  for (std::uint32_t t = 0; t < n; ++t) {
    std::uint32_t steps = 0;
    for (std::uint32_t x = t + 1; x != 1; x = x & 1 ? 3 * x + 1 : x / 2) ++steps;
    EXPECT_EQ(out[t], steps) << t;
  }
}

TEST_P(Kernels, CallsAndRecursion) {
  const char* ir = R"(
define i32 @fib(i32 %n) noinline {
  %small = icmp ult i32 %n, 2
  br i1 %small, label %base, label %rec
base:
  ret i32 %n
rec:
  %n1 = sub i32 %n, 1
  %n2 = sub i32 %n, 2
  %a = call i32 @fib(i32 %n1)
  %b = call i32 @fib(i32 %n2)
  %s = add i32 %a, %b
  ret i32 %s
}
define i32 @twice(ptr %f, i32 %x) noinline {
  %a = call i32 %f(i32 %x)
  %b = add i32 %a, %a
  ret i32 %b
}
define amdgpu_kernel void @calls(ptr addrspace(1) %out) {
  %t = call i32 @llvm.amdgcn.workitem.id.x()
  %k = and i32 %t, 7
  %v = call i32 @fib(i32 %k)
  %w = call i32 @twice(ptr @fib, i32 9)
  %x = add i32 %v, %w
  %p = getelementptr i32, ptr addrspace(1) %out, i32 %t
  store i32 %x, ptr addrspace(1) %p
  ret void
}
)";
  constexpr std::uint32_t n = 64;
  struct {
    std::uint64_t out;
  } const args{machine.alloc(n * 4)};
  launch(ir, "calls", {1, 1, 1}, {n, 1, 1}, args);
  if (HasFatalFailure()) return;
  const auto out = machine.download<std::uint32_t>(args.out, n);
  const std::uint32_t fib[] = {0, 1, 1, 2, 3, 5, 8, 13, 21, 34};
  for (std::uint32_t t = 0; t < n; ++t) EXPECT_EQ(out[t], fib[t & 7] + 2 * fib[9]) << t;
}

TEST_P(Kernels, PrivateArray) {
  const char* ir = R"(
define amdgpu_kernel void @priv(ptr addrspace(1) %out, i32 %m) {
entry:
  %a = alloca [32 x i32], addrspace(5)
  %t = call i32 @llvm.amdgcn.workitem.id.x()
  br label %fill
fill:
  %j = phi i32 [ 0, %entry ], [ %j1, %fill ]
  %e = getelementptr [32 x i32], ptr addrspace(5) %a, i32 0, i32 %j
  %jm = mul i32 %j, %m
  %v = xor i32 %jm, %t
  store volatile i32 %v, ptr addrspace(5) %e
  %j1 = add i32 %j, 1
  %more = icmp ult i32 %j1, 32
  br i1 %more, label %fill, label %use
use:
  %k = and i32 %t, 31
  %f = getelementptr [32 x i32], ptr addrspace(5) %a, i32 0, i32 %k
  %g = addrspacecast ptr addrspace(5) %f to ptr
  %r = load volatile i32, ptr %g
  %p = getelementptr i32, ptr addrspace(1) %out, i32 %t
  store i32 %r, ptr addrspace(1) %p
  ret void
}
)";
  constexpr std::uint32_t n = 96;
  struct {
    std::uint64_t out;
    std::uint32_t m;
  } const args{machine.alloc(n * 4), 77};
  launch(ir, "priv", {1, 1, 1}, {n, 1, 1}, args);
  if (HasFatalFailure()) return;
  const auto out = machine.download<std::uint32_t>(args.out, n);
  for (std::uint32_t t = 0; t < n; ++t) EXPECT_EQ(out[t], ((t & 31) * 77) ^ t) << t;
}

TEST_P(Kernels, Atomics) {
  const char* ir = R"(
define amdgpu_kernel void @count(ptr addrspace(1) %bins, ptr addrspace(1) %sum, ptr addrspace(1) %wide, ptr addrspace(1) %top) {
  %t = call i32 @llvm.amdgcn.workitem.id.x()
  %g = call i32 @llvm.amdgcn.workgroup.id.x()
  %b = urem i32 %t, 7
  %p = getelementptr i32, ptr addrspace(1) %bins, i32 %b
  %o = atomicrmw add ptr addrspace(1) %p, i32 1 syncscope("agent") monotonic
  %f = uitofp i32 %b to float
  %q = atomicrmw fadd ptr addrspace(1) %sum, float %f syncscope("agent") monotonic, !amdgpu.no.fine.grained.memory !0, !amdgpu.ignore.denormal.mode !0
  %z = zext i32 %t to i64
  %zs = shl i64 %z, 20
  %w = atomicrmw add ptr addrspace(1) %wide, i64 %zs syncscope("agent") monotonic
  %m = atomicrmw umax ptr addrspace(1) %top, i32 %t syncscope("agent") monotonic
  ret void
}
!0 = !{}
)";
  constexpr std::uint32_t groups = 20, block = 96;
  struct {
    std::uint64_t bins, sum, wide, top;
  } const args{machine.upload(std::vector<std::uint32_t>(7)), machine.upload(std::vector<float>(1)),
               machine.upload(std::vector<std::uint64_t>(1)), machine.upload(std::vector<std::uint32_t>(1))};
  launch(ir, "count", {groups, 1, 1}, {block, 1, 1}, args);
  if (HasFatalFailure()) return;
  std::vector<std::uint32_t> bins(7);
  float sum = 0;
  std::uint64_t wide = 0;
  for (std::uint32_t t = 0; t < block; ++t) {
    bins[t % 7] += groups;
    sum += static_cast<float>(t % 7 * groups);
    wide += (std::uint64_t{t} << 20) * groups;
  }
  EXPECT_EQ(machine.download<std::uint32_t>(args.bins, 7), bins);
  EXPECT_EQ(machine.download<float>(args.sum, 1)[0], sum);
  EXPECT_EQ(machine.download<std::uint64_t>(args.wide, 1)[0], wide);
  EXPECT_EQ(machine.download<std::uint32_t>(args.top, 1)[0], block - 1);
}

TEST_P(Kernels, WideIntegers) {
  const char* ir = R"(
define amdgpu_kernel void @wide(ptr addrspace(1) %in, ptr addrspace(1) %out) {
  %t = call i32 @llvm.amdgcn.workitem.id.x()
  %i = shl i32 %t, 1
  %pa = getelementptr i64, ptr addrspace(1) %in, i32 %i
  %i1 = or i32 %i, 1
  %pb = getelementptr i64, ptr addrspace(1) %in, i32 %i1
  %a = load i64, ptr addrspace(1) %pa
  %b0 = load i64, ptr addrspace(1) %pb
  %b = or i64 %b0, 1
  %m = mul i64 %a, %b
  %d = udiv i64 %a, %b
  %r = srem i64 %a, %b
  %s = and i64 %b, 63
  %h = ashr i64 %a, %s
  %x = xor i64 %m, %d
  %y = add i64 %x, %r
  %z = sub i64 %y, %h
  %po = getelementptr i64, ptr addrspace(1) %out, i32 %t
  store i64 %z, ptr addrspace(1) %po
  ret void
}
)";
  constexpr std::uint32_t n = 64;
  std::vector<std::uint64_t> in(2 * n);
  for (std::uint32_t k = 0; k < in.size(); ++k) in[k] = (std::uint64_t{random()} << 32 | random()) >> (k % 5 * 11);
  struct {
    std::uint64_t in, out;
  } const args{machine.upload(in), machine.alloc(n * 8)};
  launch(ir, "wide", {1, 1, 1}, {n, 1, 1}, args);
  if (HasFatalFailure()) return;
  const auto out = machine.download<std::uint64_t>(args.out, n);
  for (std::uint32_t t = 0; t < n; ++t) {
    const std::uint64_t a = in[2 * t], b = in[2 * t + 1] | 1;
    const auto sa = static_cast<std::int64_t>(a), sb = static_cast<std::int64_t>(b);
    const std::uint64_t want =
        ((a * b) ^ (a / b)) + static_cast<std::uint64_t>(sa % sb) - static_cast<std::uint64_t>(sa >> (b & 63));
    EXPECT_EQ(out[t], want) << t << ": " << std::hex << a << ", " << b;
  }
}

// Division in all three precisions is correctly rounded, so the host's result is the only right one.
TEST_P(Kernels, FloatDivision) {
  const char* ir = R"(
define amdgpu_kernel void @div(ptr addrspace(1) %f, ptr addrspace(1) %d, ptr addrspace(1) %fo, ptr addrspace(1) %do) {
  %t = call i32 @llvm.amdgcn.workitem.id.x()
  %i = shl i32 %t, 1
  %j = or i32 %i, 1
  %pa = getelementptr float, ptr addrspace(1) %f, i32 %i
  %pb = getelementptr float, ptr addrspace(1) %f, i32 %j
  %a = load float, ptr addrspace(1) %pa
  %b = load float, ptr addrspace(1) %pb
  %q = fdiv float %a, %b
  %po = getelementptr float, ptr addrspace(1) %fo, i32 %t
  store float %q, ptr addrspace(1) %po
  %pc = getelementptr double, ptr addrspace(1) %d, i32 %i
  %pd = getelementptr double, ptr addrspace(1) %d, i32 %j
  %c = load double, ptr addrspace(1) %pc
  %e = load double, ptr addrspace(1) %pd
  %r = fdiv double %c, %e
  %pp = getelementptr double, ptr addrspace(1) %do, i32 %t
  store double %r, ptr addrspace(1) %pp
  ret void
}
)";
  constexpr std::uint32_t n = 512;
  std::vector<float> f(2 * n);
  std::vector<double> d(2 * n);
  const float specials[] = {0.f, -0.f, 1.f, -3.f, INFINITY, -INFINITY, 1e-45f, 3e38f, 1e-38f, 2.5f};
  for (std::uint32_t k = 0; k < 2 * n; ++k) {
    const std::uint32_t bits = random();
    std::memcpy(&f[k], &bits, 4);
    if (std::isnan(f[k])) f[k] = 1;
    if (k < 200) f[k] = k % 2 ? specials[k / 2 % 10] : specials[k / 20 % 10];
    d[k] = std::ldexp(static_cast<double>(static_cast<std::int32_t>(random())) + 0.5,
                      static_cast<int>(random() % 2000) - 1000);
  }
  struct {
    std::uint64_t f, d, fo, dout;
  } const args{machine.upload(f), machine.upload(d), machine.alloc(n * 4), machine.alloc(n * 8)};
  launch(ir, "div", {1, 1, 1}, {n, 1, 1}, args);
  if (HasFatalFailure()) return;
  const auto fo = machine.download<float>(args.fo, n);
  const auto dout = machine.download<double>(args.dout, n);
  for (std::uint32_t t = 0; t < n; ++t) {
    const float want = f[2 * t] / f[2 * t + 1];
    if (std::isnan(want)) EXPECT_TRUE(std::isnan(fo[t])) << f[2 * t] << "/" << f[2 * t + 1];
    else EXPECT_EQ(fo[t], want) << t << ": " << f[2 * t] << "/" << f[2 * t + 1];
    EXPECT_EQ(dout[t], d[2 * t] / d[2 * t + 1]) << t << ": " << d[2 * t] << "/" << d[2 * t + 1];
  }
}

// Small integers are exact in f16, so are these sums and products.
TEST_P(Kernels, HalfPrecision) {
  const char* ir = R"(
define amdgpu_kernel void @half(ptr addrspace(1) %in, ptr addrspace(1) %out, ptr addrspace(1) %single) {
  %t = call i32 @llvm.amdgcn.workitem.id.x()
  %p = getelementptr <2 x half>, ptr addrspace(1) %in, i32 %t
  %v = load <2 x half>, ptr addrspace(1) %p
  %w = fmul <2 x half> %v, %v
  %x = fadd <2 x half> %w, <half 1.0, half 2.0>
  %a = extractelement <2 x half> %x, i32 0
  %b = extractelement <2 x half> %x, i32 1
  %c = fcmp olt half %a, %b
  %m = select i1 %c, half %a, half %b
  %s = fsub half %b, %a
  %r0 = insertelement <2 x half> poison, half %m, i32 0
  %r1 = insertelement <2 x half> %r0, half %s, i32 1
  %q = getelementptr <2 x half>, ptr addrspace(1) %out, i32 %t
  store <2 x half> %r1, ptr addrspace(1) %q
  %fa = fpext half %a to float
  %fb = fpext half %b to float
  %f = fmul float %fa, %fb
  %qs = getelementptr float, ptr addrspace(1) %single, i32 %t
  store float %f, ptr addrspace(1) %qs
  ret void
}
)";
  constexpr std::uint32_t n = 64;
  const auto half_of = [](int v) {  // 0 <= v < 2048
    if (v == 0) return 0u;
    const int e = 31 - __builtin_clz(static_cast<unsigned>(v));
    return static_cast<unsigned>((e + 15) << 10) | ((static_cast<unsigned>(v) << (10 - e)) & 0x3ff);
  };
  const auto signed_half = [&](int v) { return v < 0 ? 0x8000u | half_of(-v) : half_of(v); };
  std::vector<std::uint32_t> in(n);
  const auto low = [](std::uint32_t t) { return static_cast<int>(t % 32); };
  const auto high = [](std::uint32_t t) { return static_cast<int>(t * 7 % 29); };
  for (std::uint32_t t = 0; t < n; ++t) in[t] = half_of(low(t)) | half_of(high(t)) << 16;
  struct {
    std::uint64_t in, out, single;
  } const args{machine.upload(in), machine.alloc(n * 4), machine.alloc(n * 4)};
  launch(ir, "half", {1, 1, 1}, {n, 1, 1}, args);
  if (HasFatalFailure()) return;
  const auto out = machine.download<std::uint32_t>(args.out, n);
  const auto single = machine.download<float>(args.single, n);
  for (std::uint32_t t = 0; t < n; ++t) {
    const int a = low(t) * low(t) + 1, b = high(t) * high(t) + 2;
    EXPECT_EQ(out[t], signed_half(std::min(a, b)) | signed_half(b - a) << 16) << t;
    EXPECT_EQ(single[t], static_cast<float>(a) * static_cast<float>(b)) << t;
  }
}

INSTANTIATE_TEST_SUITE_P(, Kernels,
                         testing::Values(Variant{0, true}, Variant{2, true}, Variant{0, false}, Variant{2, false}),
                         variant_name);

}  // namespace
}  // namespace hcq::test
