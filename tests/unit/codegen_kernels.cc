// SPDX-License-Identifier: MIT
// Whole kernels on the CPU device: loops, carried values, masks, dimensions, vectors; results against plain C++.
#include <gtest/gtest.h>

#include <algorithm>
#include <cstdlib>
#include <filesystem>
#include <random>

#include "compute/codegen/cache.h"
#include "compute/codegen/compile.h"
#include "drivers/cpu/device.h"
#include "tests/support/random_kernel.h"

namespace hcq {
namespace {

using namespace compute::ir;
using test::KernelMaker;

std::vector<float> random_floats(std::size_t n, unsigned seed) {
  std::mt19937 rng(seed);
  std::vector<float> v(n);
  for (float& x : v) x = static_cast<float>(rng() % 2001) / 1000 - 1;
  return v;
}

class CodegenKernels : public ::testing::Test {
 protected:
  void SetUp() override {
    auto d = cpu::open();
    ASSERT_TRUE(d.ok()) << describe(d.error());
    device_ = std::move(*d);
  }
  void run(const Kernel& kernel, test::Buffers& buffers) {
    const Status s = test::run_on(*device_, kernel, buffers);
    ASSERT_TRUE(s.ok()) << describe(s.error());
  }
  std::unique_ptr<Device> device_;
};

// A register tile of kTile x kTile accumulators around one loop, as the optimizer makes them.
TEST_F(CodegenKernels, MatmulWithARegisterTile) {
  constexpr std::int64_t m = 48, n = 32, depth = 37, kTile = 4;
  KernelMaker k("tile");
  const Node* id = k.launch(static_cast<std::uint32_t>(m / kTile * n / kTile / 8), 8);
  const Node* row =
      k.op(Op::mul, kI32, {k.op(Op::floordiv, kI32, {id, k.constant(kI32, n / kTile)}), k.constant(kI32, kTile)});
  const Node* col =
      k.op(Op::mul, kI32, {k.op(Op::floormod, kI32, {id, k.constant(kI32, n / kTile)}), k.constant(kI32, kTile)});
  const Node *a = k.param(kF32, m * depth, false), *b = k.param(kF32, depth * n, false),
             *c = k.param(kF32, m * n, true);
  const DType v4 = DType(kF32).vec(kTile);
  const Node* zero = k.op(Op::splat, v4, {k.constant(kF32, real(0))});
  const Node *cdepth = k.constant(kI32, depth), *cn = k.constant(kI32, n);
  std::vector<const Node*> rows, offsets;
  for (int r = 0; r < kTile; ++r) rows.push_back(k.op(Op::add, kI32, {row, k.constant(kI32, r)}));
  for (int r = 0; r < kTile; ++r) offsets.push_back(k.op(Op::mul, kI32, {rows[r], cdepth}));
  const Node* i = k.loop(depth);
  const Node* acc[kTile];
  for (auto& x : acc) x = k.acc(zero);
  // Equal accumulators are one node unless their number differs; acc() numbers them.
  const Node* y = k.load(b, k.op(Op::add, kI32, {k.op(Op::mul, kI32, {i, cn}), col}), kTile, kTile);
  const Node* next[kTile];
  for (int r = 0; r < kTile; ++r) {
    const Node* x = k.op(Op::splat, v4, {k.load(a, k.op(Op::add, kI32, {offsets[r], i}))});
    next[r] = k.op(Op::add, v4, {acc[r], k.op(Op::mul, v4, {x, y})});
  }
  const auto result = k.end({next[0], next[1], next[2], next[3]});
  for (int r = 0; r < kTile; ++r)
    k.store(c, k.op(Op::add, kI32, {k.op(Op::mul, kI32, {rows[r], cn}), col}), result[r], kTile);

  const auto fa = random_floats(m * depth, 1), fb = random_floats(depth * n, 2);
  test::Buffers buffers = test::buffers_for(k.kernel());
  buffers[0] = test::bytes_of(fa);
  buffers[1] = test::bytes_of(fb);
  run(k.kernel(), buffers);
  const auto got = test::values_of<float>(buffers[2]);
  for (std::int64_t r = 0; r < m; ++r)
    for (std::int64_t q = 0; q < n; ++q) {
      double want = 0;
      for (std::int64_t d = 0; d < depth; ++d) want += double{fa[r * depth + d]} * fb[d * n + q];
      ASSERT_NEAR(got[r * n + q], want, 1e-5) << r << "," << q;
    }
}

// out[i] = sum over rows j of max over columns of in[i][j][*]: a loop in a loop, each with a carried value.
TEST_F(CodegenKernels, NestedLoops) {
  constexpr std::int64_t n = 64, rows = 5, cols = 7;
  KernelMaker k("nested");
  const Node* id = k.launch(2, 32);
  const Node *in = k.param(kI32, n * rows * cols, false), *out = k.param(kI32, n, true);
  const Node* base = k.op(Op::mul, kI32, {id, k.constant(kI32, rows * cols)});
  const Node *lowest = k.constant(kI32, std::int64_t{INT32_MIN}), *zero = k.constant(kI32, std::int64_t{0});
  const Node* ccols = k.constant(kI32, cols);
  const Node* j = k.loop(rows);
  const Node* sum = k.acc(zero);
  const Node* row = k.op(Op::add, kI32, {base, k.op(Op::mul, kI32, {j, ccols})});
  const Node* q = k.loop(cols);
  const Node* best = k.acc(lowest);
  const auto inner = k.end({k.op(Op::max, kI32, {best, k.load(in, k.op(Op::add, kI32, {row, q}))})});
  const auto outer = k.end({k.op(Op::add, kI32, {sum, inner[0]})});
  k.store(out, id, outer[0]);
  std::vector<std::int32_t> data(n * rows * cols);
  std::mt19937 rng(5);
  for (auto& v : data) v = static_cast<std::int32_t>(rng());
  test::Buffers buffers = test::buffers_for(k.kernel());
  buffers[0] = test::bytes_of(data);
  run(k.kernel(), buffers);
  const auto got = test::values_of<std::int32_t>(buffers[1]);
  for (std::int64_t i = 0; i < n; ++i) {
    std::uint32_t want = 0;
    for (std::int64_t r = 0; r < rows; ++r)
      want += static_cast<std::uint32_t>(
          *std::max_element(data.begin() + (i * rows + r) * cols, data.begin() + (i * rows + r + 1) * cols));
    ASSERT_EQ(static_cast<std::uint32_t>(got[static_cast<std::size_t>(i)]), want);
  }
}

// A shifted copy with zeros outside, and a masked store that leaves the rest alone.
TEST_F(CodegenKernels, MaskedLoadsAndStores) {
  constexpr std::int64_t n = 100, shift = 9, grid = 128;
  KernelMaker k("masked");
  const Node* id = k.launch(grid / 32, 32);
  const Node *in = k.param(kI32, n, false), *out = k.param(kI32, n, true);
  const Node* from = k.op(Op::sub, kI32, {id, k.constant(kI32, shift)});
  const Node* inside = k.op(Op::logic_not, kBool, {k.op(Op::cmplt, kBool, {from, k.constant(kI32, std::int64_t{0})})});
  const Node* below = k.op(Op::cmplt, kBool, {from, k.constant(kI32, n)});
  const Node* gate = k.op(Op::bit_and, kBool, {inside, below});
  const Node* v = k.gated_load(in, from, gate, k.constant(kI32, std::int64_t{-5}));
  const Node* odd =
      k.op(Op::cmpne, kBool,
           {k.op(Op::floormod, kI32, {id, k.constant(kI32, std::int64_t{3})}), k.constant(kI32, std::int64_t{0})});
  const Node* store = k.op(Op::bit_and, kBool, {odd, k.op(Op::cmplt, kBool, {id, k.constant(kI32, n)})});
  k.store(out, id, v, 1, store);
  std::vector<std::int32_t> data(n), old(n, 1234);
  for (std::int32_t i = 0; i < n; ++i) data[static_cast<std::size_t>(i)] = i * i + 1;
  test::Buffers buffers{test::bytes_of(data), test::bytes_of(old)};
  run(k.kernel(), buffers);
  const auto got = test::values_of<std::int32_t>(buffers[1]);
  for (std::int32_t i = 0; i < n; ++i) {
    const std::int32_t copied = i < shift ? -5 : (i - shift) * (i - shift) + 1;
    ASSERT_EQ(got[static_cast<std::size_t>(i)], i % 3 == 0 ? 1234 : copied) << i;
  }
}

TEST_F(CodegenKernels, ThreeDimensionsOfGroupsAndItems) {
  KernelMaker k("grid3");
  k.launch(1, 1);
  const std::uint32_t groups[3] = {3, 2, 4}, block[3] = {5, 4, 2};
  const Node *at = nullptr, *stride = nullptr;
  std::int64_t size = 1;
  for (int d = 0; d < 3; ++d) {
    const Node* g = k.op(Op::special, kI32, {}, {.i = d, .j = 0, .k = groups[d]});
    const Node* l = k.op(Op::special, kI32, {}, {.i = d, .j = 1, .k = block[d]});
    const Node* i = k.op(Op::add, kI32, {k.op(Op::mul, kI32, {g, k.constant(kI32, block[d])}), l});
    stride = k.constant(kI32, size);
    const Node* term = k.op(Op::mul, kI32, {i, stride});
    at = at ? k.op(Op::add, kI32, {at, term}) : term;
    size *= groups[d] * block[d];
  }
  k.store(k.param(kI32, static_cast<std::uint64_t>(size), true), at,
          k.op(Op::add, kI32, {at, k.constant(kI32, std::int64_t{1})}));
  Kernel kernel = k.kernel();
  for (int d = 0; d < 3; ++d) {
    kernel.groups[d] = groups[d];
    kernel.block[d] = block[d];
  }
  test::Buffers buffers = test::buffers_for(kernel);
  run(kernel, buffers);
  const auto got = test::values_of<std::int32_t>(buffers[0]);
  for (std::int32_t i = 0; i < size; ++i) ASSERT_EQ(got[static_cast<std::size_t>(i)], i + 1);
}

TEST_F(CodegenKernels, RandomKernelsAgreeWithTheInterpreter) {
  for (unsigned seed = 0; seed < 300; ++seed) {
    const test::RandomKernel random(seed);
    test::Buffers buffers = random.buffers;
    const Status s = test::run_on(*device_, random.kernel, buffers);
    ASSERT_TRUE(s.ok()) << describe(s.error());
    ASSERT_EQ(random.compare(buffers), "");
  }
}

TEST_F(CodegenKernels, ContiguousItemsAreVectorisedOnTheCpu) {
  KernelMaker k("saxpy");
  const Node* i = k.launch(4, 256);
  const Node *x = k.param(kF32, 1024, false), *y = k.param(kF32, 1024, true);
  k.store(y, i, k.op(Op::mul, kF32, {k.load(x, i), k.constant(kF32, real(3))}));
  const auto target = compute::codegen::target_for(device_->info());
  ASSERT_TRUE(target.ok());
  std::string ir;
  compute::codegen::CompileTimes t;
  const auto object = compute::codegen::compile_uncached(k.kernel(), *target, &t, &ir);
  ASSERT_TRUE(object.ok()) << describe(object.error());
  std::printf("saxpy for the CPU: emit %.2f ms, passes %.2f ms, object %.2f ms\n", t.emit_ms, t.passes_ms, t.object_ms);
  EXPECT_NE(ir.find(" x float>"), std::string::npos) << ir;
}

// compile() answers from memory the second time, and from disk in the next process, with the same bytes.
TEST_F(CodegenKernels, CompileIsCached) {
  KernelMaker k("cached");
  const Node* i = k.launch(4, 64);
  k.store(k.param(kI32, 256, true), i, i);
  const auto target = compute::codegen::target_for(device_->info());
  ASSERT_TRUE(target.ok());
  const auto first = compute::codegen::compile(k.kernel(), *target);
  ASSERT_TRUE(first.ok()) << describe(first.error());
  const auto start = Clock::now();
  const auto second = compute::codegen::compile(k.kernel(), *target);
  const std::chrono::duration<double, std::milli> took = Clock::now() - start;
  ASSERT_TRUE(second.ok());
  std::printf("second compile: %.3f ms\n", took.count());
  EXPECT_EQ(first->bytes, second->bytes);
  std::string name = ::testing::TempDir() + "hcq_compile_XXXXXX";
  ASSERT_NE(mkdtemp(name.data()), nullptr);
  const compute::codegen::DiskCache disk(name);
  compute::codegen::CompileTimes miss, hit;
  const auto third = compute::codegen::compile_uncached(k.kernel(), *target, &miss, nullptr, &disk);
  const auto fourth = compute::codegen::compile_uncached(k.kernel(), *target, &hit, nullptr, &disk);
  std::filesystem::remove_all(name);
  ASSERT_TRUE(third.ok() && fourth.ok());
  EXPECT_GT(miss.object_ms, 0);
  EXPECT_EQ(hit.object_ms, 0);
  EXPECT_EQ(third->bytes, fourth->bytes);
  EXPECT_EQ(third->bytes, first->bytes);
  EXPECT_EQ(second->name, "cached");
  EXPECT_EQ(second->kernarg_bytes, 8u);
  EXPECT_EQ(second->block, (Dim3{64, 1, 1}));
  EXPECT_EQ(second->groups, (Dim3{4, 1, 1}));
}

}  // namespace
}  // namespace hcq
