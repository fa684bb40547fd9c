// SPDX-License-Identifier: MIT
// Whole kernels through the ISA engine.
#include <gtest/gtest.h>

#include "tests/support/isa_machine.h"

namespace hcq::test {
namespace {

using models::isa::Outcome;

const char* const kVectorAdd = R"(
declare i32 @llvm.amdgcn.workitem.id.x()
declare i32 @llvm.amdgcn.workgroup.id.x()
define amdgpu_kernel void @vadd(ptr addrspace(1) %a, ptr addrspace(1) %b, ptr addrspace(1) %c, i32 %n) {
  %t = call i32 @llvm.amdgcn.workitem.id.x()
  %g = call i32 @llvm.amdgcn.workgroup.id.x()
  %m = mul i32 %g, 64
  %i = add i32 %m, %t
  %cc = icmp ult i32 %i, %n
  br i1 %cc, label %y, label %z
y:
  %x = zext i32 %i to i64
  %pa = getelementptr float, ptr addrspace(1) %a, i64 %x
  %pb = getelementptr float, ptr addrspace(1) %b, i64 %x
  %pc = getelementptr float, ptr addrspace(1) %c, i64 %x
  %va = load float, ptr addrspace(1) %pa
  %vb = load float, ptr addrspace(1) %pb
  %v = fadd float %va, %vb
  store float %v, ptr addrspace(1) %pc
  br label %z
z:
  ret void
}
)";

struct VectorAddArgs {
  std::uint64_t a, b, c;
  std::uint32_t n;
};

class VectorAdd : public testing::TestWithParam<std::pair<unsigned, bool>> {};

TEST_P(VectorAdd, AddsAndLeavesTheRestAlone) {
  const auto [level, wave32] = GetParam();
  IsaMachine machine;
  const auto kernel = machine.compile(kVectorAdd, "vadd", level, wave32);
  ASSERT_EQ(kernel.wave32, wave32);
  constexpr std::uint32_t kCount = 1000;
  std::vector<float> a(kCount), b(kCount);
  for (std::uint32_t i = 0; i < kCount; ++i) {
    a[i] = 0.25f * static_cast<float>(i);
    b[i] = 1000.f - static_cast<float>(i);
  }
  const std::vector<float> before(kCount + 64, -7.f);
  const VectorAddArgs args{machine.upload(a), machine.upload(b), machine.upload(before), kCount};
  const auto report = machine.launch(kernel, {16, 1, 1}, {64, 1, 1}, &args, sizeof args);
  ASSERT_EQ(report.outcome, Outcome::done) << report.text;
  const auto c = machine.download<float>(args.c, before.size());
  for (std::uint32_t i = 0; i < before.size(); ++i) ASSERT_EQ(c[i], i < kCount ? a[i] + b[i] : -7.f) << i;
}

INSTANTIATE_TEST_SUITE_P(Levels, VectorAdd,
                         testing::Values(std::pair{0u, true}, std::pair{2u, true}, std::pair{0u, false},
                                         std::pair{2u, false}));

}  // namespace
}  // namespace hcq::test
