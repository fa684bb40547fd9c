// SPDX-License-Identifier: MIT
// Every tensor operation on random shapes against a reference in double precision.
#include <algorithm>
#include <functional>
#include <limits>

#include "compute_harness.h"

namespace hcq::compute::test {
namespace {

const double kInf = std::numeric_limits<double>::infinity();
const double kNan = std::numeric_limits<double>::quiet_NaN();

class Elementwise : public OnExecutor {};
class Movement : public OnExecutor {};
class Reduce : public OnExecutor {};
class Matmul : public OnExecutor {};

TEST(Shapes, TooManyElementsAreRefusedEvenOfNothing) {
  const std::int64_t big = std::int64_t{1} << 40;
  EXPECT_EQ(elements({big, 0, big}), 0);
  EXPECT_THROW(Tensor::ones({big, big}), Exception);
  EXPECT_THROW(Tensor::ones({1, big}).expand({big, big}), Exception);
  EXPECT_THROW(Tensor::ones({0}).reshape({0, big, big}), Exception);
  EXPECT_THROW(Tensor::ones({big, 0}).matmul(Tensor::ones({0, big})), Exception);
  EXPECT_EQ(Tensor::ones({big, 0}).shape(), (Shape{big, 0}));
}

struct Unary {
  const char* name;
  std::function<Tensor(const Tensor&)> tensor;
  std::function<double(double)> reference;
  double lo, hi;
};

TEST_P(Elementwise, UnaryFloat) {
  const std::vector<Unary> ops = {
      {"neg", [](const Tensor& x) { return -x; }, [](double x) { return -x; }, -9, 9},
      {"recip", [](const Tensor& x) { return x.recip(); }, [](double x) { return 1 / x; }, 0.1, 9},
      {"sqrt", [](const Tensor& x) { return x.sqrt(); }, [](double x) { return std::sqrt(x); }, 0, 100},
      {"exp2", [](const Tensor& x) { return x.exp2(); }, [](double x) { return std::exp2(x); }, -20, 20},
      {"log2", [](const Tensor& x) { return x.log2(); }, [](double x) { return std::log2(x); }, 1e-3, 1e3},
      {"sin", [](const Tensor& x) { return x.sin(); }, [](double x) { return std::sin(x); }, -100, 100},
      {"cos", [](const Tensor& x) { return x.cos(); }, [](double x) { return std::cos(x); }, -3, 3},
      {"exp", [](const Tensor& x) { return x.exp(); }, [](double x) { return std::exp(x); }, -10, 10},
      {"log", [](const Tensor& x) { return x.log(); }, [](double x) { return std::log(x); }, 1e-3, 1e3},
      {"tanh", [](const Tensor& x) { return x.tanh(); }, [](double x) { return std::tanh(x); }, -30, 30},
      {"sigmoid", [](const Tensor& x) { return x.sigmoid(); }, [](double x) { return 1 / (1 + std::exp(-x)); }, -30,
       30},
      {"relu", [](const Tensor& x) { return x.relu(); }, [](double x) { return x > 0 ? x : 0; }, -9, 9},
      {"abs", [](const Tensor& x) { return x.abs(); }, [](double x) { return std::abs(x); }, -9, 9},
      {"trunc", [](const Tensor& x) { return x.trunc(); }, [](double x) { return std::trunc(x); }, -9, 9},
      {"floor", [](const Tensor& x) { return x.floor(); }, [](double x) { return std::floor(x); }, -9, 9},
  };
  std::mt19937 rng(1);
  for (const Unary& op : ops)
    for (DType t : {ir::kF32, ir::kF16}) {
      const Sample x = random_sample(rng, random_shape(rng), t, op.lo, op.hi);
      const Reference want =
          make_reference(x.reference.shape, [&](const auto& i) { return op.reference(x.reference.at(i)); });
      const double tolerance = t == ir::kF16 ? 2e-3 : 4e-6;
      EXPECT_TRUE(near(op.tensor(x.tensor), want, executor(), tolerance, t == ir::kF16 ? 1e-3 : 4e-6))
          << op.name << " " << name(t);
    }
}

struct Binary {
  const char* name;
  std::function<Tensor(const Tensor&, const Tensor&)> tensor;
  std::function<double(double, double)> reference;
};

const std::vector<Binary>& arithmetic() {
  static const std::vector<Binary> ops = {
      {"add", [](const Tensor& a, const Tensor& b) { return a + b; }, [](double a, double b) { return a + b; }},
      {"sub", [](const Tensor& a, const Tensor& b) { return a - b; }, [](double a, double b) { return a - b; }},
      {"mul", [](const Tensor& a, const Tensor& b) { return a * b; }, [](double a, double b) { return a * b; }},
      {"max", [](const Tensor& a, const Tensor& b) { return a.maximum(b); },
       [](double a, double b) { return std::max(a, b); }},
      {"min", [](const Tensor& a, const Tensor& b) { return a.minimum(b); },
       [](double a, double b) { return std::min(a, b); }},
      {"less", [](const Tensor& a, const Tensor& b) { return a.less(b); }, [](double a, double b) { return a < b; }},
      {"equal", [](const Tensor& a, const Tensor& b) { return a.equal(b); }, [](double a, double b) { return a == b; }},
      {"not_equal", [](const Tensor& a, const Tensor& b) { return a.not_equal(b); },
       [](double a, double b) { return a != b; }},
  };
  return ops;
}

// A shape that broadcasts with `full`: some extents 1, some leading axes missing.
Shape partial(std::mt19937& rng, const Shape& full) {
  Shape s = full;
  for (std::int64_t& d : s)
    if (rng() % 3 == 0) d = 1;
  const std::size_t drop = s.empty() ? 0 : rng() % (s.size() + 1);
  s.erase(s.begin(), s.begin() + static_cast<std::ptrdiff_t>(drop));
  return s;
}

TEST_P(Elementwise, BinaryBroadcasts) {
  std::mt19937 rng(2);
  for (int round = 0; round < 3; ++round)
    for (const Binary& op : arithmetic())
      for (DType t : {ir::kF32, ir::kI32, ir::kF16}) {
        const Shape full = random_shape(rng);
        const bool left = rng() % 2;
        const Sample a = random_sample(rng, left ? full : partial(rng, full), t);
        const Sample b = random_sample(rng, left ? partial(rng, full) : full, t);
        const Reference want = make_reference(full, [&](const auto& i) {
          return ir::round_to(t.is_float() ? t.scalar : ir::Scalar::f64,
                              op.reference(a.reference.at(i), b.reference.at(i)));
        });
        EXPECT_TRUE(near(op.tensor(a.tensor, b.tensor), want, executor(), 1e-7, 0)) << op.name << " " << name(t);
      }
}

TEST_P(Elementwise, IntegerDivision) {
  std::mt19937 rng(3);
  const Sample a = random_sample(rng, {97}, ir::kI32, -50, 50), b = random_sample(rng, {97}, ir::kI32, -7, 7);
  const auto check = [&](const Tensor& got, auto f) {
    EXPECT_TRUE(near(got,
                     make_reference({97},
                                    [&](const auto& i) {
                                      return f(static_cast<std::int64_t>(a.reference.at(i)),
                                               static_cast<std::int64_t>(b.reference.at(i)));
                                    }),
                     executor(), 0, 0));
  };
  check(a.tensor.trunc_div(b.tensor), [](std::int64_t x, std::int64_t y) { return y ? x / y : 0; });
  check(a.tensor.trunc_mod(b.tensor), [](std::int64_t x, std::int64_t y) { return y ? x % y : x; });
  check(a.tensor.floor_div(b.tensor),
        [](std::int64_t x, std::int64_t y) { return y ? std::floor(double(x) / double(y)) : 0.0; });
  check(a.tensor.floor_mod(b.tensor), [](std::int64_t x, std::int64_t y) {
    return y ? double(x) - double(y) * std::floor(double(x) / double(y)) : double(x);
  });
  EXPECT_TRUE(near(a.tensor / b.tensor,
                   make_reference({97}, [&](const auto& i) { return a.reference.at(i) / b.reference.at(i); }),
                   executor()));
}

// TC-03: values at run time equal the table of dtype.h, halfway cases and overflow included.
TEST_P(Elementwise, CastsRoundAndSaturate) {
  std::vector<float> v = {0.0f,   -0.0f,  1.0f,     65504.0f, 65519.0f,       65520.0f, 65536.0f, -65536.0f, 1e30f,
                          -1e30f, 3e9f,   5.96e-8f, 2.9e-8f,  2.98023224e-8f, 6.1e-5f,  127.9f,   -128.9f,   2.5f,
                          -2.5f,  255.0f, 256.0f,   -1.0f,    2049.0f,        2051.0f,  0.1f};
  v.push_back(static_cast<float>(kInf));
  v.push_back(static_cast<float>(-kInf));
  v.push_back(static_cast<float>(kNan));
  const auto n = static_cast<std::int64_t>(v.size());
  const Tensor x = Tensor::from(v, {n});
  for (DType t : {ir::kF16, ir::kI32, ir::kBool, ir::kI8, ir::kU8, ir::kI64, ir::kF64}) {
    const Reference want = make_reference({n}, [&](const auto& i) {
      const ir::Number r = ir::convert(ir::Scalar::f32, t.scalar, ir::real(v[static_cast<std::size_t>(i[0])]));
      return t.is_float() ? r.f : static_cast<double>(r.i);
    });
    EXPECT_TRUE(near(x.cast(t), want, executor(), 0, 0)) << name(t);
  }
}

TEST_P(Elementwise, NanPropagatesAndComparesFalse) {
  const Tensor a = Tensor::from(std::vector<float>{float(kNan), 1, float(kNan), -1}, {4});
  const Tensor b = Tensor::from(std::vector<float>{1, float(kNan), float(kNan), 2}, {4});
  EXPECT_TRUE(near(a.maximum(b), {{4}, {kNan, kNan, kNan, 2}}, executor()));
  EXPECT_TRUE(near(a.minimum(b), {{4}, {kNan, kNan, kNan, -1}}, executor()));
  EXPECT_TRUE(near(a.less(b), {{4}, {0, 0, 0, 1}}, executor()));
  EXPECT_TRUE(near(a.equal(a), {{4}, {0, 1, 0, 1}}, executor()));
  EXPECT_TRUE(near(a.not_equal(a), {{4}, {1, 0, 1, 0}}, executor()));
  EXPECT_TRUE(near(a.relu(), {{4}, {kNan, 1, kNan, 0}}, executor()));
}

TEST_P(Elementwise, WhereAndNumbers) {
  std::mt19937 rng(4);
  const Sample c = random_sample(rng, {5, 1}, ir::kBool), a = random_sample(rng, {1, 7}),
               b = random_sample(rng, {5, 7}, ir::kI32);
  EXPECT_TRUE(
      near(c.tensor.where(a.tensor, b.tensor),
           make_reference(
               {5, 7}, [&](const auto& i) { return c.reference.at(i) != 0 ? a.reference.at(i) : b.reference.at(i); }),
           executor()));
  EXPECT_EQ((b.tensor + 1).dtype(), ir::kI32);
  EXPECT_EQ((b.tensor + 1.5).dtype(), ir::kF32);
  EXPECT_EQ((c.tensor + 1).dtype(), ir::kI32);
  EXPECT_TRUE(near(2.0 - a.tensor * 3, make_reference({1, 7}, [&](const auto& i) { return 2 - a.reference.at(i) * 3; }),
                   executor(), 1e-6, 1e-5));
}

TEST_P(Movement, RandomChains) {
  for (unsigned seed = 0; seed < (slow() ? 60u : 60u); ++seed) {
    std::mt19937 rng(seed);
    const auto pick = [&](std::int64_t lo, std::int64_t hi) {
      return std::uniform_int_distribution<std::int64_t>(lo, hi)(rng);
    };
    Sample x = random_sample(rng, random_shape(rng, 4, 6));
    for (int step = 0; step < 6; ++step) {
      const Shape s = x.reference.shape;
      const std::size_t rank = s.size();
      Tensor t = x.tensor;
      Reference r = x.reference;
      switch (pick(0, 6)) {
        case 0: {  // permute
          std::vector<std::int64_t> axes(rank);
          for (std::size_t i = 0; i < rank; ++i) axes[i] = static_cast<std::int64_t>(i);
          std::shuffle(axes.begin(), axes.end(), rng);
          Shape to;
          for (std::int64_t a : axes) to.push_back(s[static_cast<std::size_t>(a)]);
          t = t.permute(axes);
          r = make_reference(to, [&](const auto& i) {
            std::vector<std::int64_t> from(rank);
            for (std::size_t k = 0; k < rank; ++k) from[static_cast<std::size_t>(axes[k])] = i[k];
            return x.reference.at(from);
          });
          break;
        }
        case 1: {  // reshape: take apart, join
          Shape to;
          std::int64_t left = elements(s);
          while (left > 1) {
            std::int64_t d = pick(2, 6);
            while (left % d) d = d == 2 ? left : d - 1;
            to.push_back(d);
            left /= d;
          }
          t = t.reshape(to);
          r.shape = to;
          break;
        }
        case 2: {  // expand
          Shape to = s;
          for (std::int64_t& d : to)
            if (d == 1 && elements(to) < 500) d = pick(1, 3);
          if (elements(to) < 500) to.insert(to.begin(), pick(1, 2));
          t = t.expand(to);
          r = make_reference(to, [&](const auto& i) { return x.reference.at(i); });
          break;
        }
        case 3: {  // pad
          std::vector<std::pair<std::int64_t, std::int64_t>> by;
          Shape to = s;
          for (std::int64_t& d : to) {
            by.emplace_back(pick(0, 2), pick(0, 2));
            if (elements(to) > 2000) by.back() = {0, 0};
            d += by.back().first + by.back().second;
          }
          const double value = rng() % 2 ? 0 : 2.5;
          t = t.pad(by, value);
          r = make_reference(to, [&](const auto& i) {
            std::vector<std::int64_t> from = i;
            for (std::size_t k = 0; k < rank; ++k) {
              from[k] -= by[k].first;
              if (from[k] < 0 || from[k] >= s[k]) return value;
            }
            std::size_t flat = 0;
            for (std::size_t k = 0; k < rank; ++k)
              flat = flat * static_cast<std::size_t>(s[k]) + static_cast<std::size_t>(from[k]);
            return x.reference.v[flat];
          });
          break;
        }
        case 4: {  // shrink
          std::vector<std::pair<std::int64_t, std::int64_t>> by;
          Shape to;
          for (std::int64_t d : s) {
            const std::int64_t begin = pick(0, d - 1), end = pick(begin + 1, d);
            by.emplace_back(begin, end);
            to.push_back(end - begin);
          }
          t = t.shrink(by);
          r = make_reference(to, [&](const auto& i) {
            std::size_t flat = 0;
            for (std::size_t k = 0; k < rank; ++k)
              flat = flat * static_cast<std::size_t>(s[k]) + static_cast<std::size_t>(i[k] + by[k].first);
            return x.reference.v[flat];
          });
          break;
        }
        case 5: {  // flip
          std::vector<std::int64_t> axes;
          for (std::size_t k = 0; k < rank; ++k)
            if (rng() % 2) axes.push_back(static_cast<std::int64_t>(k));
          t = t.flip(axes);
          r = make_reference(s, [&](const auto& i) {
            std::vector<std::int64_t> from = i;
            for (std::int64_t a : axes)
              from[static_cast<std::size_t>(a)] = s[static_cast<std::size_t>(a)] - 1 - i[static_cast<std::size_t>(a)];
            return x.reference.at(from);
          });
          break;
        }
        default:  // something elementwise in between
          t = t + 1.0;
          for (double& v : r.v) v += 1;
      }
      x = {t, r};
    }
    ASSERT_TRUE(near(x.tensor, x.reference, executor(), 1e-5, 1e-5)) << "seed " << seed;
  }
}

TEST_P(Movement, ArangeAndConstants) {
  EXPECT_TRUE(near(Tensor::arange(300), make_reference({300}, [](const auto& i) { return double(i[0]); }), executor()));
  EXPECT_TRUE(near(Tensor::arange(6, ir::kF32).reshape({2, 3}).transpose(), {{3, 2}, {0, 3, 1, 4, 2, 5}}, executor()));
  EXPECT_TRUE(near(Tensor::full({2, 2}, 7, ir::kF16), {{2, 2}, {7, 7, 7, 7}}, executor()));
  EXPECT_TRUE(near(Tensor::full({}, -3, ir::kI32), {{}, {-3}}, executor()));
  EXPECT_TRUE(near(Tensor::zeros({0, 3}), {{0, 3}, {}}, executor()));
}

struct Fold {
  const char* name;
  std::function<Tensor(const Tensor&, std::vector<std::int64_t>, bool)> tensor;
  std::function<double(double, double)> step;
  double initial;
};

TEST_P(Reduce, RandomAxes) {
  const std::vector<Fold> ops = {
      {"sum", [](const Tensor& x, auto a, bool k) { return x.sum(a, k); }, [](double a, double b) { return a + b; }, 0},
      {"max", [](const Tensor& x, auto a, bool k) { return x.max(a, k); },
       [](double a, double b) { return std::max(a, b); }, -kInf},
      {"min", [](const Tensor& x, auto a, bool k) { return x.min(a, k); },
       [](double a, double b) { return std::min(a, b); }, kInf},
      {"prod", [](const Tensor& x, auto a, bool k) { return x.prod(a, k); }, [](double a, double b) { return a * b; },
       1},
  };
  std::mt19937 rng(6);
  for (int round = 0; round < 4; ++round)
    for (const Fold& op : ops)
      for (DType t : {ir::kF32, ir::kI32}) {
        const bool product = op.name == std::string("prod");
        const Sample x = product && t == ir::kI32
                             ? random_sample(rng, random_shape(rng, 3, 4), t, 1, 3)
                             : random_sample(rng, random_shape(rng), t, product ? 0.9 : -9, product ? 1.1 : 9);
        std::vector<std::int64_t> axes;
        std::vector<bool> gone(x.reference.shape.size());
        for (std::size_t k = 0; k < gone.size(); ++k)
          if (rng() % 2) axes.push_back(static_cast<std::int64_t>(k)), gone[k] = true;
        if (axes.empty()) gone.assign(gone.size(), true);
        const bool keep = rng() % 2;
        Shape kept = x.reference.shape, out;
        for (std::size_t k = 0; k < kept.size(); ++k) {
          if (gone[k]) kept[k] = 1;
          if (!gone[k] || keep) out.push_back(kept[k]);
        }
        Reference want{.shape = kept, .v = std::vector<double>(static_cast<std::size_t>(elements(kept)), op.initial)};
        std::size_t flat = 0;
        each_index(x.reference.shape, [&](const auto& i) {
          std::size_t to = 0;
          for (std::size_t k = 0; k < kept.size(); ++k)
            to = to * static_cast<std::size_t>(kept[k]) + static_cast<std::size_t>(kept[k] == 1 ? 0 : i[k]);
          want.v[to] = op.step(want.v[to], x.reference.v[flat++]);
        });
        want.shape = out;
        if (product && t == ir::kI32)
          for (double& v : want.v)
            v = static_cast<double>(ir::wrap(ir::Scalar::i32, static_cast<std::int64_t>(std::fmod(v, 9.2e18))));
        ASSERT_TRUE(near(op.tensor(x.tensor, axes, keep), want, executor(), 2e-5, 2e-4)) << op.name << " " << name(t);
      }
}

// TC-06: sizes around the widths that grouped reductions use.
TEST_P(Reduce, AwkwardSizes) {
  std::mt19937 rng(7);
  for (std::int64_t n : {1, 31, 32, 33, 1023, 1025, 65537}) {
    const Sample x = random_sample(rng, {2, n}, ir::kF32, -1, 1);
    const auto row = [&](std::int64_t r, auto f, double v) {
      for (std::int64_t i = 0; i < n; ++i) v = f(v, x.reference.v[static_cast<std::size_t>(r * n + i)]);
      return v;
    };
    const auto add = [](double a, double b) { return a + b; };
    const auto larger = [](double a, double b) { return std::max(a, b); };
    EXPECT_TRUE(near(x.tensor.sum({1}), {{2}, {row(0, add, 0), row(1, add, 0)}}, executor(), 1e-4, 2e-3)) << n;
    EXPECT_TRUE(near(x.tensor.max({1}), {{2}, {row(0, larger, -kInf), row(1, larger, -kInf)}}, executor(), 0, 0)) << n;
  }
}

TEST_P(Reduce, SoftmaxAndInfinities) {
  std::mt19937 rng(8);
  Sample x = random_sample(rng, {5, 37}, ir::kF32, -100, 100);
  const auto want = [&](const Reference& r) {
    return make_reference(r.shape, [&](const auto& i) {
      double m = -kInf, s = 0;
      for (std::int64_t k = 0; k < r.shape[1]; ++k) m = std::max(m, r.at({i[0], k}));
      for (std::int64_t k = 0; k < r.shape[1]; ++k) s += std::exp(r.at({i[0], k}) - m);
      return std::exp(r.at(i) - m) / s;
    });
  };
  EXPECT_TRUE(near(x.tensor.softmax(), want(x.reference), executor(), 2e-5, 1e-7));
  const float inf = static_cast<float>(kInf);
  // One row with some -inf is fine; a row of nothing but -inf is NaN, and only that row.
  const Tensor rows = Tensor::from(std::vector<float>{0, -inf, 0, -inf, -inf, -inf, 1, 1, 1}, {3, 3});
  const double third = 1.0 / 3;
  EXPECT_TRUE(near(rows.softmax(), {{3, 3}, {0.5, 0, 0.5, kNan, kNan, kNan, third, third, third}}, executor()));
  const float nan = static_cast<float>(kNan);
  const Tensor columns = Tensor::from(std::vector<float>{nan, 1, nan, 3}, {2, 2});
  EXPECT_TRUE(near(columns.mean({0}), {{2}, {kNan, 2}}, executor()));
  EXPECT_TRUE(near(columns.max({0}), {{2}, {kNan, 3}}, executor()));
}

TEST_P(Reduce, AccumulatesWider) {
  // 4096 * 1 in f16 would stop at 2048; 200 * 200 in i8 would wrap.
  EXPECT_TRUE(near(Tensor::ones({4096}, ir::kF16).sum(), {{}, {4096}}, executor(), 0, 0));
  EXPECT_TRUE(near(Tensor::full({200}, 100, ir::kI8).sum(), {{}, {20000}}, executor(), 0, 0));
  EXPECT_TRUE(near(Tensor::ones({77}, ir::kBool).sum(), {{}, {77}}, executor(), 0, 0));
}

TEST_P(Reduce, EmptyAxesGiveTheIdentity) {
  const Tensor x = Tensor::zeros({3, 0});
  EXPECT_TRUE(near(x.sum({1}), {{3}, {0, 0, 0}}, executor()));
  EXPECT_TRUE(near(x.prod({1}), {{3}, {1, 1, 1}}, executor()));
  EXPECT_TRUE(near(x.max({1}), {{3}, {-kInf, -kInf, -kInf}}, executor()));
}

Reference product(const Reference& a, const Reference& b, const Shape& shape) {
  return make_reference(shape, [&](const auto& i) {
    double s = 0;
    std::vector<std::int64_t> x = i, y = i;
    for (std::int64_t k = 0; k < a.shape.back(); ++k) {
      x.back() = k;
      y[y.size() - 2] = k;
      s += a.at(x) * b.at(y);
    }
    return s;
  });
}

TEST_P(Matmul, RandomShapes) {
  std::mt19937 rng(9);
  const auto pick = [&](int hi) { return std::uniform_int_distribution<std::int64_t>(1, hi)(rng); };
  for (int round = 0; round < 12; ++round) {
    const std::int64_t m = pick(20), k = pick(20), n = pick(20);
    const DType t = round % 3 == 0 ? ir::kI32 : round % 3 == 1 ? ir::kF32 : ir::kF16;
    const Sample a = random_sample(rng, {m, k}, t), b = random_sample(rng, {k, n}, t);
    const double tolerance = t == ir::kF16 ? 1e-3 : 1e-5;
    ASSERT_TRUE(
        near(a.tensor.matmul(b.tensor), product(a.reference, b.reference, {m, n}), executor(), tolerance, tolerance))
        << m << " " << k << " " << n << " " << name(t);
  }
}

TEST_P(Matmul, TiledShapes) {
  std::mt19937 rng(10);
  for (const auto& [m, k, n] :
       std::vector<std::array<std::int64_t, 3>>{{64, 32, 64}, {32, 64, 128}, {16, 16, 16}, {4, 256, 8}, {65, 33, 31}}) {
    const Sample a = random_sample(rng, {m, k}), b = random_sample(rng, {k, n});
    ASSERT_TRUE(near(a.tensor.matmul(b.tensor), product(a.reference, b.reference, {m, n}), executor(), 1e-5, 1e-4));
    const Tensor fused = (a.tensor.relu().matmul(b.tensor) + 1.0).relu();
    Reference positive = a.reference;
    for (double& v : positive.v) v = std::max(v, 0.0);
    Reference want = product(positive, b.reference, {m, n});
    for (double& v : want.v) v = std::max(v + 1, 0.0);
    ASSERT_TRUE(near(fused, want, executor(), 1e-5, 1e-4));
  }
}

TEST_P(Matmul, BatchesAndVectors) {
  std::mt19937 rng(11);
  const Sample a = random_sample(rng, {3, 1, 4, 5}), b = random_sample(rng, {2, 5, 6});
  EXPECT_TRUE(near(a.tensor.matmul(b.tensor), product(a.reference, b.reference, {3, 2, 4, 6}), executor(), 1e-5, 1e-5));
  const Sample v = random_sample(rng, {5}), w = random_sample(rng, {5, 6});
  Reference row = v.reference;
  row.shape = {1, 5};
  Reference want = product(row, w.reference, {1, 6});
  want.shape = {6};
  EXPECT_TRUE(near(v.tensor.matmul(w.tensor), want, executor(), 1e-5, 1e-5));
  EXPECT_EQ(v.tensor.matmul(v.tensor).shape(), Shape{});
}

INSTANTIATE_TEST_SUITE_P(On, Elementwise, testing::ValuesIn(executor_names()), param_name);
INSTANTIATE_TEST_SUITE_P(On, Movement, testing::ValuesIn(executor_names()), param_name);
INSTANTIATE_TEST_SUITE_P(On, Reduce, testing::ValuesIn(executor_names()), param_name);
INSTANTIATE_TEST_SUITE_P(On, Matmul, testing::ValuesIn(executor_names()), param_name);

}  // namespace
}  // namespace hcq::compute::test
