// SPDX-License-Identifier: MIT
// What is fused, in which kernels it ends, and what the optimizer does to them.
#include <algorithm>
#include <chrono>
#include <map>

#include "compute/ir/interpreter.h"
#include "compute/ir/simplify.h"
#include "compute/ir/verify.h"
#include "compute/lower/lower.h"
#include "compute/opt/optimize.h"
#include "compute/opt/split.h"
#include "compute/runtime/memory_plan.h"
#include "compute/tensor/session.h"
#include "compute_harness.h"

namespace hcq::compute::test {
namespace {

using ir::AxisType;
using ir::Op;

Tensor input(Shape shape, DType t = ir::kF32) {
  std::mt19937 rng(1);
  return random_sample(rng, std::move(shape), t).tensor;
}

// A tensor of any size without memory: enough to schedule.
Tensor imagined(const Shape& shape, DType t = ir::kF32) {
  auto storage = std::make_shared<Storage>();
  storage->dtype = t;
  storage->shape = shape;
  return {Session::current().buffer(std::move(storage), shape), shape};
}

TEST(Fusion, ElementwiseChainIsOneKernel) {
  const Tensor a = input({8, 9}), b = input({9});
  EXPECT_EQ(kernel_count({((a * 2.0 + b).relu() - a).exp().where(a, b)}), 1u);
  EXPECT_EQ(kernel_count({a.transpose().pad({{1, 2}, {0, 1}}).flip({0}).reshape({12, 9}) + 1.0}), 1u);
}

TEST(Fusion, PrologueAndEpilogueJoinTheReduction) {
  const Tensor a = input({8, 9}), b = input({9, 7}), bias = input({7});
  EXPECT_EQ(kernel_count({(a * 2.0 + 1.0).exp().sum({1})}), 1u);
  EXPECT_EQ(kernel_count({(a.sum({1}) * 0.5).relu()}), 1u);
  EXPECT_EQ(kernel_count({(a.matmul(b) + bias).relu()}), 1u);
  EXPECT_EQ(kernel_count({a.relu().matmul(b)}), 1u);
  EXPECT_EQ(kernel_count({a.mean({1})}), 1u);
}

TEST(Fusion, ReductionsOverEqualRangesShareAKernel) {
  const Tensor a = input({8, 9}), b = input({8, 9});
  const schedule::Schedule s = schedule_of({a.sum({1}) + b.max({1})});
  ASSERT_EQ(s.items.size(), 1u);
  const ir::Kernel k = value_or_throw(lower::lower(s.items[0].graph));
  EXPECT_EQ(std::ranges::count_if(k.code, [](const ir::Node* n) { return n->op == Op::range; }), 1);
}

TEST(Fusion, BroadcastReductionsAreStored) {
  const Tensor a = input({8, 9});
  EXPECT_EQ(kernel_count({a - a.max({1}, true)}), 2u);
  EXPECT_EQ(kernel_count({a.softmax()}), 3u);
  EXPECT_EQ(kernel_count({a.sum({1}).max()}), 2u);
}

TEST(Fusion, ContiguousAndValuesAreBoundaries) {
  auto e = make_interpreter();
  const Tensor a = input({8, 9}), twice = a * 2.0;
  EXPECT_EQ(kernel_count({twice.contiguous() + 1.0}), 2u);
  const Tensor later = twice.exp() + 1.0;
  EXPECT_EQ(kernel_count({twice.sum(), later}), 2u);
  twice.realize(*e);
  EXPECT_EQ(schedule_of({twice}).items.size(), 0u);
  EXPECT_EQ(kernel_count({later}), 1u);
}

// Used under two index patterns: cheap things are computed twice, dear ones once.
TEST(Fusion, RecomputesOnlyWhatIsCheap) {
  const Tensor a = input({9, 9});
  EXPECT_EQ(kernel_count({(a + 1.0) * (a + 1.0).transpose()}), 1u);
  const Tensor dear = (a.exp() + 1.0).log();
  EXPECT_EQ(kernel_count({dear * dear.transpose()}), 2u);
  Tensor x = a;
  for (int i = 0; i < 12; ++i) x = x + x.transpose();  // would double with every step
  EXPECT_LE(kernel_count({x}), 13u);
  EXPECT_GE(kernel_count({x}), 4u);
}

TEST(Schedule, EqualKernelsHaveEqualHashes) {
  const Tensor a = input({16, 16}), b = input({16, 16});
  const schedule::Schedule s = schedule_of({(a + b).contiguous().exp(), (b + a * 1.0).contiguous() * 3.0, a + b * 1.0});
  std::map<std::uint64_t, int> hashes;
  for (const schedule::Item& i : s.items) ++hashes[i.graph.hash()];
  EXPECT_LT(hashes.size(), s.items.size());
}

TEST(Schedule, MemoryIsSharedOnlyByTheDead) {
  std::mt19937 rng(4);
  for (int round = 0; round < 20; ++round) {
    std::vector<Tensor> pool = {input({64}), input({64})};
    for (int i = 0; i < 30; ++i) {
      const auto any = [&] { return pool[rng() % pool.size()]; };
      pool.push_back((any() + any()).contiguous());
    }
    const schedule::Schedule s = schedule_of({pool.back(), pool[pool.size() - 2]});
    const MemoryPlan plan = plan_memory(s);
    for (std::size_t i = 0; i < s.buffers.size(); ++i)
      for (std::size_t k = 0; k < i; ++k) {
        const auto &a = s.buffers[i], &b = s.buffers[k];
        if (a.input || b.input || plan.block_of[i] != plan.block_of[k]) continue;
        EXPECT_FALSE(a.output || b.output);
        EXPECT_TRUE(a.last_use < b.first_use || b.last_use < a.first_use);
      }
    for (std::size_t i = 0; i < s.buffers.size(); ++i)
      EXPECT_TRUE(s.buffers[i].input || s.buffers[i].bytes() <= plan.block_bytes[plan.block_of[i]]);
  }
}

std::size_t wide_nodes(const ir::Kernel& k) {
  return static_cast<std::size_t>(
      std::ranges::count_if(k.code, [](const ir::Node* n) { return n->dtype == ir::kI64; }));
}

// TC-01: 2,189,426,688 elements. Indices are 64 bits wide where they must be, and nowhere else.
TEST(Index, WideOnlyWhereNeeded) {
  const auto kernel = [](const Tensor& t) {
    const schedule::Schedule s = schedule_of({t});
    EXPECT_TRUE(ir::unproven_accesses(s.items[0].graph).empty());
    return value_or_throw(lower::lower(value_or_throw(opt::optimize(s.items[0].graph, {}))));
  };
  const ir::Kernel big = kernel(imagined({58, 262144, 144}) * 2.0), small = kernel(imagined({58, 262, 144}) * 2.0);
  EXPECT_GT(wide_nodes(big), 0u);
  EXPECT_EQ(wide_nodes(small), 0u);
  const std::uint64_t bytes = 58ull * 262144 * 144 * 4,
                      groups = std::uint64_t{big.groups[0]} * big.groups[1] * big.groups[2];
  const ir::ParamMemory memory[] = {{nullptr, bytes}, {nullptr, bytes}};
  EXPECT_TRUE(ir::interpret(big, memory, {groups - 3, 3}).ok());
  EXPECT_TRUE(ir::interpret(big, memory, {0, 3}).ok());
  const ir::Kernel sum = kernel(imagined({58, 262144, 144}).sum({2}));
  EXPECT_GT(wide_nodes(sum), 0u);
  const ir::ParamMemory sum_memory[] = {{nullptr, bytes / 144}, {nullptr, bytes}};
  const std::uint64_t sum_groups = std::uint64_t{sum.groups[0]} * sum.groups[1] * sum.groups[2];
  EXPECT_TRUE(ir::interpret(sum, sum_memory, {sum_groups - 2, 2}).ok());
}

TEST(Index, InterpreterReportsAccessesOutside) {
  const schedule::Schedule s = schedule_of({imagined({100}) + 1.0});
  ir::Kernel k = value_or_throw(lower::lower(s.items[0].graph));
  k.params[1].elements = 99;
  const ir::ParamMemory memory[] = {{nullptr, 400}, {nullptr, 400}};
  const Status st = ir::interpret(k, memory);
  ASSERT_FALSE(st.ok());
  EXPECT_EQ(st.error().code, Errc::device_fault);
  EXPECT_NE(st.error().detail.find("element 99 of parameter 1"), std::string::npos) << st.error().detail;
}

double schedule_seconds(int length) {
  Tensor x = input({16});
  for (int i = 0; i < length; ++i) x = i % 3 == 0 ? x * 1.5 : i % 3 == 1 ? x.neg() : x + 1.0;
  const auto start = std::chrono::steady_clock::now();
  const schedule::Schedule s = schedule_of({x});
  for (const schedule::Item& i : s.items) value_or_throw(lower::lower(value_or_throw(opt::optimize(i.graph, {}))));
  EXPECT_LE(s.items.size(), static_cast<std::size_t>(length / 256));
  return std::chrono::duration<double>(std::chrono::steady_clock::now() - start).count();
}

// TC-10: no recursion along the chain, and the time per operation stays flat.
TEST(CompileTime, LongChainsAreLinear) {
  schedule_seconds(1024);
  double short_chain = 1e9, long_chain = 1e9;
  for (int i = 0; i < 3; ++i) {
    short_chain = std::min(short_chain, schedule_seconds(2500) / 2500);
    long_chain = std::min(long_chain, schedule_seconds(20000) / 20000);
  }
  EXPECT_LT(long_chain, 2 * short_chain) << short_chain * 1e6 << " and " << long_chain * 1e6 << " us";
}

TEST(CompileTime, RecurrentLoopIsOneKernelPerStep) {
  const Tensor w = input({8, 8}), x = input({8});
  Tensor h = input({8});
  for (int i = 0; i < 400; ++i) h = (w.matmul(h) + x).sigmoid();
  const schedule::Schedule s = schedule_of({h});
  EXPECT_EQ(s.items.size(), 400u);
  std::map<std::uint64_t, int> hashes;
  for (const schedule::Item& i : s.items) ++hashes[i.graph.hash()];
  EXPECT_LE(hashes.size(), 2u);
}

TEST(CompileTime, LongChainRuns) {
  auto e = make_interpreter();
  Tensor x = Tensor::zeros({3});
  for (int i = 0; i < 20000; ++i) x = x + Tensor::ones({3}).contiguous() * 1.0;
  EXPECT_TRUE(near(x, {{3}, {20000, 20000, 20000}}, *e, 0, 0));
}

// --- optimizer

ir::KernelGraph graph_of(const Tensor& t) { return schedule_of({t}).items.at(0).graph; }

TEST(Split, RefusesWhatCannotBe) {
  const ir::KernelGraph g = graph_of(imagined({64, 32}).sum({1}));
  const std::int64_t global = ir::axis_id(opt::axes_of(g)[0]), reduce = ir::axis_id(opt::axes_of(g)[1]);
  EXPECT_TRUE(opt::split(g, global, 4, AxisType::local).ok());
  EXPECT_TRUE(opt::split(g, reduce, 4, AxisType::unroll).ok());
  EXPECT_FALSE(opt::split(g, global, 5, AxisType::local).ok());
  EXPECT_FALSE(opt::split(g, global, 1, AxisType::local).ok());
  EXPECT_FALSE(opt::split(g, global, 32, AxisType::upcast).ok());
  EXPECT_FALSE(opt::split(g, global, 4, AxisType::unroll).ok());
  EXPECT_FALSE(opt::split(g, reduce, 4, AxisType::local).ok());
  EXPECT_FALSE(opt::split(g, 77, 4, AxisType::local).ok());
}

// TC-09: more than the device has is refused before code is generated, and the heuristic never asks for it.
TEST(Limits, TilesBeyondTheDeviceAreRefused) {
  ir::KernelGraph g = graph_of(imagined({1024, 1024}) * 2.0);
  const auto axes = opt::axes_of(g);
  g = value_or_throw(opt::split(g, ir::axis_id(axes[0]), 64, AxisType::local));
  EXPECT_TRUE(opt::check_limits(g, {.max_block = 64}).ok());
  g = value_or_throw(opt::split(g, ir::axis_id(axes[1]), 32, AxisType::local));
  const Status block = opt::check_limits(g, {.device = "test", .max_block = 1024});
  ASSERT_FALSE(block.ok());
  EXPECT_EQ(block.error().code, Errc::unsupported);
  EXPECT_NE(describe(block.error()).find("2048 work-items in a workgroup, the limit is 1024"), std::string::npos);
  ir::KernelGraph m = graph_of(imagined({256, 64}).matmul(imagined({64, 256})));
  m = value_or_throw(opt::split(m, 0, 16, AxisType::upcast));
  m = value_or_throw(opt::split(m, 1, 16, AxisType::upcast));
  EXPECT_FALSE(opt::check_limits(m, {.registers = 192}).ok());
  EXPECT_TRUE(opt::check_limits(m, {.registers = 256}).ok());
}

TEST(Limits, HeuristicKeepsToThem) {
  for (std::uint32_t max_block : {1u, 8u, 32u, 64u, 256u, 1024u})
    for (std::int64_t n : {1, 7, 64, 100, 257, 1024})
      for (bool cpu : {false, true}) {
        const opt::DeviceLimits limits{.max_block = max_block, .is_cpu = cpu};
        for (const Tensor& t :
             {imagined({n, n}) * 2.0, imagined({n, 64}).matmul(imagined({64, n})), imagined({n, n}).sum({1})}) {
          const auto g = opt::optimize(graph_of(t), limits);
          ASSERT_TRUE(g.ok()) << describe(g.error());
          const ir::Kernel k = value_or_throw(lower::lower(*g));
          EXPECT_LE(k.block[0] * k.block[1] * k.block[2], max_block);
        }
      }
}

TEST(Heuristic, TilesAMatrixProduct) {
  const ir::KernelGraph g =
      value_or_throw(opt::optimize(graph_of(imagined({256, 256}).matmul(imagined({256, 256}))), {}));
  const ir::Kernel k = value_or_throw(lower::lower(g));
  EXPECT_EQ(k.block[0] * k.block[1], 256u);
  EXPECT_EQ(k.groups[0] * k.groups[1], 16u);
  EXPECT_EQ(std::ranges::count_if(k.code, [](const ir::Node* n) { return n->op == Op::acc && n->dtype.lanes == 4; }),
            4);
  EXPECT_EQ(std::ranges::count_if(k.code,
                                  [](const ir::Node* n) { return n->op == Op::store && n->src(1)->dtype.lanes == 4; }),
            4);
  EXPECT_EQ(k.flops, 2ull * 256 * 256 * 256);
}

TEST(Heuristic, VectorsForElementwise) {
  const ir::KernelGraph g = value_or_throw(opt::optimize(graph_of(imagined({64, 1024}) + imagined({64, 1024})), {}));
  const ir::Kernel k = value_or_throw(lower::lower(g));
  EXPECT_EQ(k.block[0], 256u);
  EXPECT_EQ(k.groups[0], 64u);  // the two axes have become one
  EXPECT_EQ(std::ranges::count_if(k.code, [](const ir::Node* n) { return n->op == Op::load; }), 2);
  for (const ir::Node* n : k.code) EXPECT_TRUE(n->op != Op::load || n->dtype.lanes == 4);
}

// Any sequence of legal actions leaves the result as it is.
TEST(Split, RandomActionsKeepTheResult) {
  std::map<int, int> done;
  for (unsigned seed = 0; seed < 300; ++seed) {
    std::mt19937 rng(seed);
    const auto pick = [&](std::int64_t lo, std::int64_t hi) {
      return std::uniform_int_distribution<std::int64_t>(lo, hi)(rng);
    };
    const std::int64_t m = pick(1, 13), n = pick(1, 13), k = pick(1, 13);
    const Tensor a = random_sample(rng, {m, k}, ir::kI32).tensor, b = random_sample(rng, {k, n}, ir::kI32).tensor;
    const Tensor t = seed % 4 == 0   ? a.matmul(b)
                     : seed % 4 == 1 ? a.pad({{1, 1}, {0, 2}}) * 3
                     : seed % 4 == 2 ? (a + 1).max({0})
                                     : a.transpose().pad({{1, 0}, {0, 1}}).sum({1}) + Tensor::arange(k + 1);
    const schedule::Schedule s = schedule_of({t});
    if (s.items.size() != 1) continue;
    const ir::KernelGraph& plain = s.items[0].graph;
    ir::KernelGraph g = plain;
    for (int i = 0; i < 5; ++i) {
      const auto axes = opt::axes_of(g);
      if (axes.empty()) break;
      const std::int64_t axis = ir::axis_id(axes[rng() % axes.size()]);
      const int kind = static_cast<int>(pick(0, 6));
      const auto attempt = [&]() -> Result<ir::KernelGraph> {
        switch (kind) {
          case 0:
            return opt::pad_to(g, axis, pick(2, 6));
          case 1:
            return opt::merge(g, axis, ir::axis_id(axes[rng() % axes.size()]));
          case 2:
            return opt::split(g, axis, pick(2, 5), AxisType::local);
          case 3:
            return opt::split(g, axis, pick(2, 8), AxisType::upcast);
          case 4:
            return opt::split(g, axis, pick(2, 8), AxisType::unroll);
          case 5:
            return opt::split(g, axis, pick(2, 4), AxisType::reduce);
          default:
            return opt::split(g, axis, pick(2, 4), AxisType::global);
        }
      };
      if (kind == 1 && axes.size() < 2) continue;
      Result<ir::KernelGraph> next = attempt();
      if (!next.ok()) continue;
      ++done[kind];
      g = std::move(*next);
      ASSERT_TRUE(ir::verify_graph(g).ok()) << seed;
    }
    const auto run = [&](const ir::KernelGraph& graph) {
      const ir::Kernel kernel = value_or_throw(lower::lower(graph));
      std::vector<std::vector<std::byte>> data;
      std::vector<ir::ParamMemory> memory;
      for (std::size_t p = 0; p < kernel.params.size(); ++p) {
        const schedule::BufferPlan& buffer = s.buffers[static_cast<std::size_t>(s.items[0].args[p])];
        data.push_back(buffer.input ? Session::current().storage(buffer.node)->host
                                    : std::vector<std::byte>(buffer.bytes()));
      }
      for (auto& d : data) memory.push_back({d.data(), d.size()});
      const Status st = ir::interpret(kernel, memory);
      EXPECT_TRUE(st.ok()) << describe(st.error());
      return data[0];
    };
    ASSERT_EQ(run(g), run(plain)) << "seed " << seed << "\n" << ir::dump(value_or_throw(lower::lower(g)).code);
  }
  for (int kind = 0; kind < 7; ++kind) EXPECT_GT(done[kind], 10) << kind;
}

TEST(Errors, NameTheShapes) {
  const Tensor a = input({2, 3}), b = input({4, 5});
  const auto text = [](auto f) {
    try {
      f();
    } catch (const Exception& e) {
      EXPECT_EQ(e.error().code, Errc::invalid_argument);
      return std::string(e.what());
    }
    return std::string("no exception");
  };
  EXPECT_NE(text([&] { (void)(a + b); }).find("(2, 3) and (4, 5) do not broadcast"), std::string::npos);
  EXPECT_NE(text([&] { (void)a.matmul(b); }).find("3 columns meet 4 rows"), std::string::npos);
  EXPECT_NE(text([&] { (void)a.reshape({7}); }).find("6 elements of shape (2, 3) into (7)"), std::string::npos);
  EXPECT_NE(text([&] { (void)a.sum({2}); }).find("axis 2 of a tensor of shape (2, 3)"), std::string::npos);
  EXPECT_NE(text([&] { (void)a.permute({0, 0}); }).find("named twice"), std::string::npos);
  EXPECT_NE(text([&] { (void)a.shrink({{0, 3}, {0, 1}}); }).find("[0, 3) of axis 0"), std::string::npos);
  EXPECT_NE(text([&] { (void)Tensor::from(std::vector<float>(5), {2, 3}); }).find("bytes of data"), std::string::npos);
}

}  // namespace
}  // namespace hcq::compute::test
