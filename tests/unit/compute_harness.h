// SPDX-License-Identifier: MIT
// The tensor tests run on every executor: the interpreter (plain and optimized kernels) and devices by address. The
// program's main decides which; HCQ_TEST_EXECUTORS="cpu,model:navi31" overrides it.
#pragma once

#include <gtest/gtest.h>

#include <cmath>
#include <memory>
#include <random>
#include <string>
#include <vector>

#include "compute/runtime/executor.h"
#include "compute/schedule/schedule.h"
#include "compute/tensor/tensor.h"

namespace hcq::compute::test {

// Names known to open_executor(): "interpreter", "optimized", or a device address.
std::vector<std::string> executor_names();
Executor& open_executor(const std::string& name);  // opened once per program

class OnExecutor : public testing::TestWithParam<std::string> {
 protected:
  Executor& executor() { return open_executor(GetParam()); }
  bool slow() const { return GetParam() == "interpreter" || GetParam() == "optimized"; }
};

inline std::string param_name(const testing::TestParamInfo<std::string>& p) {
  std::string s = p.param;
  for (char& c : s)
    if (!isalnum(static_cast<unsigned char>(c))) c = '_';
  return s;
}

// Values of a tensor as doubles, whatever its type.
std::vector<double> values(const Tensor& t, Executor& e);

// A dense array of doubles with the shape of a tensor: the reference that results are compared with.
struct Reference {
  Shape shape;
  std::vector<double> v;
  double at(const std::vector<std::int64_t>& index) const;  // broadcasting: extents of 1 take any index
};

// Random tensors together with what they hold (rounded to their type).
struct Sample {
  Tensor tensor;
  Reference reference;
};
Sample random_sample(std::mt19937& rng, Shape shape, DType t = ir::kF32, double lo = -4, double hi = 4);
Shape random_shape(std::mt19937& rng, int max_rank = 4, std::int64_t max_extent = 9);

// Calls f(index) for every index of the shape, row-major.
template <class F>
void each_index(const Shape& shape, F&& f) {
  std::vector<std::int64_t> i(shape.size());
  if (elements(shape) == 0) return;
  for (;;) {
    f(i);
    std::size_t k = shape.size();
    while (k > 0 && ++i[k - 1] == shape[k - 1]) i[--k] = 0;
    if (k == 0) return;
  }
}

template <class F>
Reference make_reference(const Shape& shape, F&& f) {
  Reference r{.shape = shape, .v = {}};
  each_index(shape, [&](const std::vector<std::int64_t>& i) { r.v.push_back(f(i)); });
  return r;
}

// |got - want| <= absolute + relative * |want|, elementwise; NaN matches NaN and infinities must be equal.
testing::AssertionResult near(const Tensor& got, const Reference& want, Executor& e, double relative = 1e-6,
                              double absolute = 1e-6);

// What realizing these tensors would run.
schedule::Schedule schedule_of(const std::vector<Tensor>& tensors);
inline std::size_t kernel_count(const std::vector<Tensor>& tensors) { return schedule_of(tensors).items.size(); }

}  // namespace hcq::compute::test
