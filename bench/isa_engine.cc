// SPDX-License-Identifier: MIT
// How fast the ISA engine runs a 256x256 f32 matrix product: one output an item, and a 4x4 tile an item.
#include <fmt/core.h>

#include <algorithm>
#include <chrono>
#include <cmath>
#include <cstdlib>
#include <string>
#include <thread>

#include "tests/support/isa_machine.h"

namespace {

using hcq::test::IsaMachine;

constexpr std::uint32_t kSize = 256;

// Both kernels: c = a * b, square matrices of kSize; %col0 and %row0 are the item's first output.
std::string module_text(const std::string& body) {
  return "declare i32 @llvm.amdgcn.workitem.id.x()\ndeclare i32 @llvm.amdgcn.workitem.id.y()\n"
         "declare i32 @llvm.amdgcn.workgroup.id.x()\ndeclare i32 @llvm.amdgcn.workgroup.id.y()\n"
         "define amdgpu_kernel void @mm(ptr addrspace(1) noalias %a, ptr addrspace(1) noalias %b, ptr addrspace(1) "
         "noalias %c) \"amdgpu-flat-work-group-size\"=\"256,256\" {\nentry:\n"
         "  %tx = call i32 @llvm.amdgcn.workitem.id.x()\n  %ty = call i32 @llvm.amdgcn.workitem.id.y()\n"
         "  %gx = call i32 @llvm.amdgcn.workgroup.id.x()\n  %gy = call i32 @llvm.amdgcn.workgroup.id.y()\n" +
         body + "  ret void\n}\n";
}

std::string naive_kernel() {
  return module_text(fmt::format(
      "  %bx = shl i32 %gx, 5\n  %by = shl i32 %gy, 3\n  %col = add i32 %bx, %tx\n  %row = add i32 %by, %ty\n"
      "  %base = mul i32 %row, {0}\n  br label %loop\n"
      "loop:\n  %k = phi i32 [ 0, %entry ], [ %k1, %loop ]\n  %sum = phi float [ 0.0, %entry ], [ %sum1, %loop ]\n"
      "  %ia = add i32 %base, %k\n  %kb = mul i32 %k, {0}\n  %ib = add i32 %kb, %col\n"
      "  %pa = getelementptr float, ptr addrspace(1) %a, i32 %ia\n"
      "  %pb = getelementptr float, ptr addrspace(1) %b, i32 %ib\n"
      "  %va = load float, ptr addrspace(1) %pa\n  %vb = load float, ptr addrspace(1) %pb\n"
      "  %p = fmul contract float %va, %vb\n  %sum1 = fadd contract float %sum, %p\n  %k1 = add i32 %k, 1\n"
      "  %more = icmp ult i32 %k1, {0}\n  br i1 %more, label %loop, label %done\n"
      "done:\n  %ic = add i32 %base, %col\n  %pc = getelementptr float, ptr addrspace(1) %c, i32 %ic\n"
      "  store float %sum1, ptr addrspace(1) %pc\n",
      kSize));
}

// Four steps of k at once, so that both operands are loaded four wide.
std::string tiled_kernel() {
  std::string t =
      "  %bx = shl i32 %gx, 6\n  %by = shl i32 %gy, 6\n  %cx = shl i32 %tx, 2\n  %cy = shl i32 %ty, 2\n"
      "  %col = add i32 %bx, %cx\n  %row = add i32 %by, %cy\n";
  for (int i = 0; i < 4; ++i)
    t += fmt::format("  %r{0} = add i32 %row, {0}\n  %base{0} = mul i32 %r{0}, {1}\n", i, kSize);
  t += "  br label %loop\nloop:\n  %k = phi i32 [ 0, %entry ], [ %k4, %loop ]\n";
  for (int i = 0; i < 4; ++i)
    t += fmt::format("  %s{0} = phi <4 x float> [ zeroinitializer, %entry ], [ %s{0}_4, %loop ]\n", i);
  for (int i = 0; i < 4; ++i)
    t += fmt::format(
        "  %ia{0} = add i32 %base{0}, %k\n  %pa{0} = getelementptr float, ptr addrspace(1) %a, i32 %ia{0}\n"
        "  %a{0} = load <4 x float>, ptr addrspace(1) %pa{0}\n"
        "  %k{0}x = add i32 %k, {0}\n  %kb{0} = mul i32 %k{0}x, {1}\n  %ib{0} = add i32 %kb{0}, %col\n"
        "  %pb{0} = getelementptr float, ptr addrspace(1) %b, i32 %ib{0}\n"
        "  %b{0} = load <4 x float>, ptr addrspace(1) %pb{0}\n",
        i, kSize);
  for (int i = 0; i < 4; ++i) {
    for (int k = 0; k < 4; ++k)
      t += fmt::format(
          "  %a{0}_{1} = shufflevector <4 x float> %a{0}, <4 x float> poison, <4 x i32> <i32 {1}, i32 {1}, "
          "i32 {1}, i32 {1}>\n  %m{0}_{1} = fmul contract <4 x float> %a{0}_{1}, %b{1}\n"
          "  %s{0}_{2} = fadd contract <4 x float> %s{0}{3}, %m{0}_{1}\n",
          i, k, k + 1, k == 0 ? "" : "_" + std::to_string(k));
  }
  t += fmt::format(
      "  %k4 = add i32 %k, 4\n  %more = icmp ult i32 %k4, {}\n  br i1 %more, label %loop, label %done\n"
      "done:\n",
      kSize);
  for (int i = 0; i < 4; ++i)
    t += fmt::format(
        "  %ic{0} = add i32 %base{0}, %col\n  %pc{0} = getelementptr float, ptr addrspace(1) %c, i32 %ic{0}\n"
        "  store <4 x float> %s{0}_4, ptr addrspace(1) %pc{0}\n",
        i);
  return module_text(t);
}

struct Args {
  std::uint64_t a, b, c;
};

double seconds_of(auto&& work) {
  const auto start = std::chrono::steady_clock::now();
  work();
  return std::chrono::duration<double>(std::chrono::steady_clock::now() - start).count();
}

void measure(const char* name, unsigned workers, const std::string& ir, std::array<std::uint32_t, 3> groups,
             std::array<std::uint32_t, 3> block) {
  IsaMachine machine(workers);
  const auto kernel = machine.compile(ir, "mm", 2);
  std::vector<float> a(kSize * kSize), b(kSize * kSize);
  for (std::uint32_t i = 0; i < a.size(); ++i) {
    a[i] = static_cast<float>(i * 7 % 31) - 15;
    b[i] = static_cast<float>(i * 5 % 23) - 11;
  }
  const Args args{machine.upload(a), machine.upload(b), machine.alloc(a.size() * 4)};
  const auto dispatch = machine.dispatch(kernel, groups, block, &args, sizeof args);
  hcq::models::isa::Report report;
  const double first = seconds_of([&] { report = machine.run(dispatch); });
  if (report.outcome != hcq::models::isa::Outcome::done) {
    fmt::print("{}: {} at {:#x}\n", name, report.text, report.pc);
    std::exit(1);
  }
  const auto c = machine.download<float>(args.c, a.size());
  for (std::uint32_t i = 0; i < kSize; i += 17)
    for (std::uint32_t j = 0; j < kSize; ++j) {
      float sum = 0;  // small integers: exact
      for (std::uint32_t k = 0; k < kSize; ++k) sum += a[i * kSize + k] * b[k * kSize + j];
      if (c[i * kSize + j] != sum) {
        fmt::print("{}: wrong result at {},{}\n", name, i, j);
        std::exit(1);
      }
    }
  double best = 1e9;
  for (int round = 0; round < 20; ++round) best = std::min(best, seconds_of([&] { machine.run(dispatch); }));
  fmt::print("{:10} {} thread(s): {:6.2f} GFLOP/s, {:.2f} ms; first run with translation {:.0f} ms\n", name,
             workers + 1, 2e-9 * kSize * kSize * kSize / best, best * 1e3, first * 1e3);
}

}  // namespace

int main() {
  for (const unsigned workers : {0u, 1u}) {
    measure("naive", workers, naive_kernel(), {kSize / 32, kSize / 8, 1}, {32, 8, 1});
    measure("4x4 tile", workers, tiled_kernel(), {kSize / 64, kSize / 64, 1}, {16, 16, 1});
  }
}
