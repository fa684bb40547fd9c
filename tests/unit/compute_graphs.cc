// SPDX-License-Identifier: MIT
// Random graphs of elementwise, movement and reduce operations: every executor must agree with the plain interpreter.
// HCQ_TEST_GRAPHS sets their number, HCQ_TEST_SEED the first seed; a failure names the seed and the steps.
#include <algorithm>
#include <cstdlib>

#include "compute_harness.h"
#include "fmt/format.h"

namespace hcq::compute::test {
namespace {

class Graphs : public OnExecutor {};

unsigned from_env(const char* name, unsigned otherwise) {
  const char* v = std::getenv(name);
  return v ? static_cast<unsigned>(std::atoi(v)) : otherwise;
}

// Values stay small integers (as floats or i32), so that every order of evaluation gives exactly the same result.
class Maker {
 public:
  explicit Maker(unsigned seed) : rng_(seed) {}

  Tensor make() {
    for (int i = 0; i < 3; ++i) pool_.push_back(leaf());
    const int steps = pick(4, 14);
    for (int i = 0; i < steps; ++i) step();
    return pool_.back();
  }
  std::string steps;

 private:
  int pick(int lo, int hi) { return std::uniform_int_distribution<int>(lo, hi)(rng_); }
  Tensor any() { return pool_[static_cast<std::size_t>(pick(0, static_cast<int>(pool_.size()) - 1))]; }

  Tensor leaf() {
    const DType types[] = {ir::kF32, ir::kF32, ir::kI32, ir::kF16, ir::kBool};
    const DType t = types[pick(0, 4)];
    const Sample s = random_sample(rng_, random_shape(rng_, 3, 7), t, -3, 3);
    return t.is_float() ? s.tensor.trunc() : s.tensor;
  }

  // Keeps magnitudes below what f16 holds exactly.
  static Tensor bounded(const Tensor& x) {
    if (x.dtype().is_bool()) return x;
    return x.maximum(number_like(x, -100)).minimum(number_like(x, 100));
  }

  void step() {
    const Tensor x = any();
    const int kind = pick(0, 11);
    Tensor r = x;
    std::string what;
    if (kind <= 2) {
      r = elementwise(x, what);
    } else if (kind <= 5) {
      r = combine(x, what);
    } else if (kind <= 9) {
      r = move(x, what);
    } else {
      r = reduce(x, what);
    }
    if (r.elements() > 4000) return;
    steps += fmt::format("\n  {} {}{} -> {}{}", what, name(x.dtype()), to_string(x.shape()), name(r.dtype()),
                         to_string(r.shape()));
    pool_.push_back(bounded(r));
  }

  Tensor elementwise(const Tensor& x, std::string& what) {
    switch (pick(0, 6)) {
      case 0:
        return what = "neg", -x;
      case 1:
        return what = "abs", x.abs();
      case 2:
        return what = "relu", x.relu();
      case 3:
        return what = "not", x.logical_not();
      case 4:
        return what = "cast i32", x.cast(ir::kI32);
      case 5:
        return what = "cast f32", x.cast(ir::kF32);
      default:
        return what = "contiguous", x.contiguous();
    }
  }

  // The second operand is made to broadcast against x.
  Tensor combine(const Tensor& x, std::string& what) {
    Tensor y = any();
    if (y.shape() != x.shape()) {
      while (y.rank() > 0) y = y.max({0});
      if (x.rank() > 0 && pick(0, 1)) y = y + x.sum({0}, true).minimum(number_like(x.sum({0}, true), 3));
    }
    switch (pick(0, 6)) {
      case 0:
        return what = "add", x + y;
      case 1:
        return what = "sub", x - y;
      case 2:
        return what = "mul", x * y;
      case 3:
        return what = "max", x.maximum(y);
      case 4:
        return what = "less", x.less(y);
      case 5:
        return what = "equal", x.equal(y);
      default:
        return what = "where", x.where(y, x);
    }
  }

  Tensor move(const Tensor& x, std::string& what) {
    const auto rank = static_cast<std::int64_t>(x.rank());
    if (rank == 0) return what = "expand", x.expand({pick(1, 5)});
    std::vector<std::pair<std::int64_t, std::int64_t>> pairs;
    std::vector<std::int64_t> axes;
    for (std::int64_t i = 0; i < rank; ++i) axes.push_back(i);
    switch (pick(0, 5)) {
      case 0:
        std::ranges::shuffle(axes, rng_);
        return what = "permute", x.permute(axes);
      case 1:
        return what = "flatten", x.reshape({-1});
      case 2:
        for (int i = 0; i < rank; ++i) pairs.emplace_back(pick(0, 2), pick(0, 2));
        return what = "pad", x.pad(pairs, x.dtype().is_bool() ? 0 : pick(-1, 1));
      case 3:
        for (const std::int64_t d : x.shape()) {
          const std::int64_t begin = pick(0, static_cast<int>(d) - 1);
          pairs.emplace_back(begin, pick(static_cast<int>(begin) + 1, static_cast<int>(d)));
        }
        return what = "shrink", x.shrink(pairs);
      case 4:
        return what = "flip", x.flip({pick(0, static_cast<int>(rank) - 1)});
      default: {
        Shape s = x.shape();
        s.insert(s.begin(), pick(1, 3));
        return what = "expand", x.expand(s);
      }
    }
  }

  Tensor reduce(const Tensor& x, std::string& what) {
    std::vector<std::int64_t> axes;
    for (std::int64_t i = 0; i < static_cast<std::int64_t>(x.rank()); ++i)
      if (pick(0, 1)) axes.push_back(i);
    const bool keep = pick(0, 1) != 0;
    if (axes.empty()) return what = "relu", x.relu();
    switch (pick(0, 2)) {
      case 0:
        return what = "sum", x.sum(axes, keep);
      case 1:
        return what = "max", x.max(axes, keep);
      default:
        return what = "min", x.min(axes, keep);
    }
  }

  std::mt19937 rng_;
  std::vector<Tensor> pool_;
};

TEST_P(Graphs, AgreeWithTheInterpreter) {
  const unsigned first = from_env("HCQ_TEST_SEED", 1), count = from_env("HCQ_TEST_GRAPHS", 40);
  Executor& plain = *make_interpreter({.optimize = false}).release();  // as long as the executors of the harness
  for (unsigned seed = first; seed < first + count; ++seed) {
    Maker a(seed), b(seed);
    const std::vector<double> want = values(a.make(), plain);
    const Tensor t = b.make();  // leaves of its own, so nothing of the first graph is found again
    ASSERT_EQ(values(t, executor()), want)
        << "seed " << seed << ", " << name(t.dtype()) << to_string(t.shape()) << b.steps;
  }
}

INSTANTIATE_TEST_SUITE_P(On, Graphs, testing::ValuesIn(executor_names()), param_name);

}  // namespace
}  // namespace hcq::compute::test
