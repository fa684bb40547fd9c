// SPDX-License-Identifier: MIT
#include "compute_harness.h"

#include <cstdlib>
#include <map>
#include <sstream>

#include "compute/runtime/runtime.h"
#include "compute/schedule/schedule.h"
#include "compute/tensor/session.h"
#include "devices/devices.h"

#ifndef HCQ_TEST_EXECUTORS_DEFAULT
#define HCQ_TEST_EXECUTORS_DEFAULT "interpreter,optimized,cpu"
#endif

namespace hcq::compute::test {

std::vector<std::string> executor_names() {
  const char* env = std::getenv("HCQ_TEST_EXECUTORS");
  if (!env) env = HCQ_TEST_EXECUTORS_DEFAULT;
  std::vector<std::string> names;
  std::stringstream in(env);
  for (std::string s; std::getline(in, s, ',');) names.push_back(s);
  return names;
}

Executor& open_executor(const std::string& name) {
  static std::map<std::string, std::unique_ptr<Executor>> open;
  std::unique_ptr<Executor>& e = open[name];
  if (e) return *e;
  if (name == "interpreter" || name == "optimized") {
    e = make_interpreter({.optimize = name == "optimized"});
  } else {
    // Never closed: tensors that live in statics may still hold its memory.
    static std::vector<std::unique_ptr<Device>> devices;
    devices.push_back(value_or_throw(devices::open(name)));
    e = value_or_throw(Runtime::create(*devices.back()));
  }
  return *e;
}

std::vector<double> values(const Tensor& t, Executor& e) {
  const std::vector<std::byte> raw = t.bytes(e);
  std::vector<double> v;
  const std::size_t size = t.dtype().bytes();
  for (std::size_t i = 0; i < raw.size(); i += size) {
    const ir::Number n = ir::load(t.dtype().scalar, raw.data() + i);
    v.push_back(t.dtype().is_float() ? n.f : static_cast<double>(n.i));
  }
  return v;
}

double Reference::at(const std::vector<std::int64_t>& index) const {
  std::size_t flat = 0;
  const std::size_t skip = index.size() - shape.size();
  for (std::size_t k = 0; k < shape.size(); ++k)
    flat = flat * static_cast<std::size_t>(shape[k]) + static_cast<std::size_t>(shape[k] == 1 ? 0 : index[skip + k]);
  return v[flat];
}

Sample random_sample(std::mt19937& rng, Shape shape, DType t, double lo, double hi) {
  Reference r{.shape = shape, .v = {}};
  std::vector<std::byte> raw(static_cast<std::size_t>(elements(shape)) * t.bytes());
  for (std::size_t i = 0; i < static_cast<std::size_t>(elements(shape)); ++i) {
    const double v = std::uniform_real_distribution<double>(lo, hi)(rng);
    const ir::Number n =
        t.is_float() ? ir::real(ir::round_to(t.scalar, v))
                     : ir::integer(t.is_bool() ? v > (lo + hi) / 2 : ir::wrap(t.scalar, static_cast<std::int64_t>(v)));
    ir::store(t.scalar, raw.data() + i * t.bytes(), n);
    r.v.push_back(t.is_float() ? n.f : static_cast<double>(n.i));
  }
  return {Tensor::from_bytes(t, std::move(shape), raw), std::move(r)};
}

Shape random_shape(std::mt19937& rng, int max_rank, std::int64_t max_extent) {
  Shape s(static_cast<std::size_t>(std::uniform_int_distribution<int>(0, max_rank)(rng)));
  for (std::int64_t& d : s) d = std::uniform_int_distribution<std::int64_t>(1, max_extent)(rng);
  return s;
}

testing::AssertionResult near(const Tensor& got, const Reference& want, Executor& e, double relative, double absolute) {
  if (got.shape() != want.shape)
    return testing::AssertionFailure() << "shape " << to_string(got.shape()) << ", expected " << to_string(want.shape);
  const std::vector<double> v = values(got, e);
  for (std::size_t i = 0; i < v.size(); ++i) {
    const double w = want.v[i];
    const bool same = v[i] == w || (std::isnan(v[i]) && std::isnan(w));
    if (!same && !(std::isfinite(w) && std::abs(v[i] - w) <= absolute + relative * std::abs(w)))
      return testing::AssertionFailure() << "element " << i << " of " << to_string(got.shape()) << " is " << v[i]
                                         << ", expected " << w;
  }
  return testing::AssertionSuccess();
}

schedule::Schedule schedule_of(const std::vector<Tensor>& tensors) {
  std::vector<const ir::Node*> outputs;
  for (const Tensor& t : tensors) outputs.push_back(t.node());
  const Session& session = Session::current();
  return value_or_throw(schedule::make_schedule(outputs, [&](const ir::Node* n) -> const Shape* {
    const StorageRef s = session.storage(n);
    return s ? &s->shape : nullptr;
  }));
}

}  // namespace hcq::compute::test
