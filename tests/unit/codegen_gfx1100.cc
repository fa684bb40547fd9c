// SPDX-License-Identifier: MIT
// What the objects for gfx1100 look like to the driver that loads them: nothing implicit, exact argument size, wave32,
// aligned entry. Running them is the business of the model's tests.
#include <gtest/gtest.h>

#include <cstring>

#include "compute/codegen/compile.h"
#include "drivers/am/abi/kernel_descriptor.h"
#include "drivers/am/code_object.h"
#include "tests/support/op_cases.h"

namespace hcq {
namespace {

using namespace compute;
using namespace compute::ir;
using codegen::CodeObject;
using codegen::Target;
using codegen::TargetKind;
using test::KernelMaker;

const Target kNavi31{TargetKind::amdgpu, "gfx1100", "", 32};

am::CodeObject load(const CodeObject& object, const char* arch = "gfx1100") {
  auto r = am::load_code_object(object.bytes, arch);
  EXPECT_TRUE(r.ok()) << describe(r.error());
  return r.ok() ? *r : am::CodeObject{};
}

CodeObject compile_timed(const Kernel& kernel, const Target& target = kNavi31, std::string* ir = nullptr) {
  codegen::CompileTimes t;
  auto r = codegen::compile_uncached(kernel, target, &t, ir);
  EXPECT_TRUE(r.ok()) << describe(r.error());
  std::printf("%-24s %-8s emit %.2f ms, passes %.2f ms, object %.2f ms\n", kernel.name.c_str(),
              target.processor.c_str(), t.emit_ms, t.passes_ms, t.object_ms);
  return r.ok() ? *r : CodeObject{};
}

KernelMaker add_kernel(std::uint32_t groups, std::uint32_t block, unsigned lanes) {
  KernelMaker k("add");
  const std::uint64_t n = std::uint64_t{groups} * block * lanes;
  const Node* i = k.op(Op::mul, kI32, {k.launch(groups, block), k.constant(kI32, lanes)});
  const Node* a = k.param(kF32, n, false);
  const Node* b = k.param(kF32, n, false);
  const Node* c = k.param(kF32, n, true);
  const DType t = DType(kF32).vec(static_cast<int>(lanes));
  k.store(c, i, k.op(Op::add, t, {k.load(a, i, lanes, lanes), k.load(b, i, lanes, lanes)}), lanes);
  return k;
}

// C[row][col] = sum over k of A[row][k] * B[k][col], one element a work-item.
KernelMaker matmul_kernel(std::int64_t m, std::int64_t n, std::int64_t depth) {
  KernelMaker k("matmul");
  const Node* id = k.launch(static_cast<std::uint32_t>(m * n / 64), 64);
  const Node* cols = k.constant(kI32, n);
  const Node* row = k.op(Op::floordiv, kI32, {id, cols});
  const Node* col = k.op(Op::floormod, kI32, {id, cols});
  const Node* a = k.param(kF32, static_cast<std::uint64_t>(m * depth), false);
  const Node* b = k.param(kF32, static_cast<std::uint64_t>(depth * n), false);
  const Node* c = k.param(kF32, static_cast<std::uint64_t>(m * n), true);
  const Node* a_row = k.op(Op::mul, kI32, {row, k.constant(kI32, depth)});
  const Node* zero = k.constant(kF32, real(0));
  const Node* i = k.loop(depth);
  const Node* sum = k.acc(zero);
  const Node* x = k.load(a, k.op(Op::add, kI32, {a_row, i}));
  const Node* y = k.load(b, k.op(Op::add, kI32, {k.op(Op::mul, kI32, {i, cols}), col}));
  const auto r = k.end({k.op(Op::add, kF32, {sum, k.op(Op::mul, kF32, {x, y})})});
  k.store(c, id, r[0]);
  return k;
}

TEST(CodegenGfx1100, ArgumentsAreExplicitOnlyAndExact) {
  const CodeObject object = compile_timed(add_kernel(4, 128, 1).kernel());
  EXPECT_EQ(object.kernarg_bytes, 24u);
  EXPECT_EQ(object.block, (Dim3{128, 1, 1}));
  EXPECT_EQ(object.groups, (Dim3{4, 1, 1}));
  const am::CodeObject loaded = load(object);
  ASSERT_EQ(loaded.kernels.size(), 1u);
  const am::Kernel& k = loaded.kernels[0];
  EXPECT_EQ(k.name, "add");
  EXPECT_EQ(k.kernarg_bytes, 24u);

  am::abi::KernelDescriptor d;
  std::memcpy(&d, loaded.image.data() + k.descriptor, sizeof d);
  // Bit 3 (kernarg segment pointer) and bit 10 (wave32), nothing else: no dispatch packet, queue or flat scratch.
  EXPECT_EQ(k.properties, (1u << 3) | (1u << 10));
  EXPECT_EQ(d.kernarg_size, 24u);
}

TEST(CodegenGfx1100, DescriptorOfASimpleKernel) {
  const am::CodeObject loaded = load(compile_timed(add_kernel(4, 128, 1).kernel()));
  ASSERT_EQ(loaded.kernels.size(), 1u);
  const am::Kernel& k = loaded.kernels[0];
  EXPECT_TRUE(k.wave32);
  EXPECT_EQ(k.entry % 256, 0u);
  EXPECT_EQ(k.lds_bytes, 0u);
  EXPECT_EQ(k.private_bytes, 0u);
  EXPECT_LE(k.vgprs, 24u);
  EXPECT_TRUE(am::check_kernel(k, {}).ok());
}

TEST(CodegenGfx1100, IsCodeObjectVersion5ForGfx1100) {
  const CodeObject object = compile_timed(add_kernel(1, 64, 1).kernel());
  ASSERT_GT(object.bytes.size(), 64u);
  EXPECT_EQ(static_cast<int>(object.bytes[7]), 64);  // EI_OSABI: ELFOSABI_AMDGPU_HSA
  EXPECT_EQ(static_cast<int>(object.bytes[8]), 3);   // EI_ABIVERSION: ELFABIVERSION_AMDGPU_HSA_V5
  std::uint32_t flags;
  std::memcpy(&flags, object.bytes.data() + 48, 4);
  EXPECT_EQ(flags & 0xff, 0x41u);  // EF_AMDGPU_MACH_AMDGCN_GFX1100
}

TEST(CodegenGfx1100, OnlyTheIdsThatOccurAreAskedFor) {
  const auto rsrc2 = [](const am::CodeObject& o) { return o.kernels.at(0).rsrc2; };
  const am::CodeObject one = load(compile_timed(add_kernel(4, 64, 1).kernel()));
  EXPECT_EQ((rsrc2(one) >> 7) & 7, 1u);   // TGID_X_EN only
  EXPECT_EQ((rsrc2(one) >> 11) & 3, 0u);  // TIDIG_COMP_CNT: x only

  KernelMaker k("grid");
  const Node* ids[6];
  Kernel kernel;
  k.launch(2, 8);
  auto& c = *k.kernel().context;
  const Node* sum = nullptr;
  for (int d = 0; d < 3; ++d)
    for (int local = 0; local < 2; ++local) {
      const Node* s = c.special(d, local != 0, 2);
      ids[2 * d + local] = k.op(Op::special, kI32, {}, s->arg);
      sum = sum ? k.op(Op::add, kI32, {sum, ids[2 * d + local]}) : ids[0];
    }
  k.store(k.param(kI32, 64, true), sum, sum);
  kernel = k.kernel();
  for (int d = 0; d < 3; ++d) kernel.groups[d] = kernel.block[d] = 2;
  const am::CodeObject three = load(compile_timed(kernel));
  EXPECT_EQ((rsrc2(three) >> 7) & 7, 7u);
  EXPECT_EQ((rsrc2(three) >> 11) & 3, 2u);
}

TEST(CodegenGfx1100, ContiguousAccessBecomesOneWideInstruction) {
  std::string ir;
  compile_timed(add_kernel(4, 64, 4).kernel(), kNavi31, &ir);
  EXPECT_NE(ir.find("load <4 x float>, ptr addrspace(1)"), std::string::npos) << ir;
  EXPECT_NE(ir.find("align 16"), std::string::npos) << ir;
  EXPECT_EQ(ir.find("addrspacecast"), std::string::npos) << ir;
}

TEST(CodegenGfx1100, LoopsAndContraction) {
  std::string ir;
  const am::CodeObject loaded = load(compile_timed(matmul_kernel(64, 64, 96).kernel(), kNavi31, &ir));
  ASSERT_EQ(loaded.kernels.size(), 1u);
  EXPECT_NE(ir.find("fadd contract"), std::string::npos) << ir;
  for (const char* flag : {"fast", "nnan", "ninf", "nsz", "arcp", "reassoc", "afn"})
    EXPECT_EQ(ir.find(std::string(" ") + flag + " "), std::string::npos) << flag;
}

// Whatever the IR can say compiles: an instruction that LLVM cannot select would end the process.
TEST(CodegenGfx1100, EveryOpOnEveryTypeCompiles) {
  for (const test::OpBatch& batch : test::all_batches()) {
    const test::OpRun run(batch);
    const auto object = codegen::compile_uncached(run.kernel, kNavi31);
    ASSERT_TRUE(object.ok()) << describe(object.error());
    const auto loaded = am::load_code_object(object->bytes, "gfx1100");
    ASSERT_TRUE(loaded.ok()) << describe(loaded.error());
    EXPECT_EQ(loaded->kernels.at(0).private_bytes, 0u) << run.kernel.name << " needs scratch memory";
  }
}

TEST(CodegenTargets, OtherChipsCompileAndUnknownOnesAreNamed) {
  for (const char* chip : {"gfx1030", "gfx1101", "gfx1201", "gfx942"}) {
    DeviceInfo info;
    info.family = "am";
    info.arch = chip;
    const auto target = codegen::target_for(info);
    ASSERT_TRUE(target.ok());
    const am::CodeObject loaded = load(compile_timed(add_kernel(4, 64, 1).kernel(), *target), chip);
    EXPECT_EQ(loaded.kernels.size(), 1u) << chip;
  }
  DeviceInfo info;
  info.family = "am";
  info.arch = "gfx9999";
  const auto unknown = codegen::target_for(info);
  ASSERT_FALSE(unknown.ok());
  EXPECT_EQ(unknown.error().code, Errc::unsupported);
  EXPECT_NE(describe(unknown.error()).find("gfx9999"), std::string::npos);
}

TEST(CodegenTargets, AWorkgroupAboveTheLimitIsRefusedBeforeCompiling) {
  const auto r = codegen::compile_uncached(add_kernel(1, 2048, 1).kernel(), kNavi31);
  ASSERT_FALSE(r.ok());
  EXPECT_EQ(r.error().code, Errc::unsupported);
  EXPECT_EQ(r.error().actual, 2048u);
  EXPECT_EQ(r.error().expected, 1024u);
}

}  // namespace
}  // namespace hcq
