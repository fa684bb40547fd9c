// SPDX-License-Identifier: MIT
// hcq-run matmul and hcq-run add: read two tensors, run one expression on a device, check, report, write.
#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <functional>
#include <nlohmann/json.hpp>

#include "compute/runtime/runtime.h"
#include "compute/tensor/tensor.h"
#include "devices/devices.h"
#include "tools/run/commands.h"
#include "tools/run/files.h"
#include "tools/run/reference.h"

namespace hcq::run {
namespace {

using compute::Tensor;

struct Job {
  const char* name;
  std::function<Tensor(const Tensor&, const Tensor&)> expression;
  std::function<Result<Reference>(const Operand&, const Operand&, compute::DType)> reference;
};

struct Figures {
  double first_ms = 0;  // compile, upload and run
  double run_ms = 0;    // median of the further runs
  std::uint64_t flops = 0;
  double gflops() const { return run_ms > 0 ? static_cast<double>(flops) / run_ms / 1e6 : 0; }
};

double milliseconds_since(Clock::time_point t) {
  return std::chrono::duration<double, std::milli>(Clock::now() - t).count();
}

// The same expression again would find its stored value; a new node of equal meaning runs the same kernel once more.
Tensor again(const Tensor& t) { return t.contiguous(); }

Result<Figures> measure(const Job& job, const Tensor& a, const Tensor& b, unsigned repeat, compute::Runtime& runtime,
                        Tensor& result) {
  Figures f;
  auto start = Clock::now();
  result = job.expression(a, b).realize(runtime);
  f.first_ms = milliseconds_since(start);
  f.flops = runtime.statistics().flops;
  std::vector<double> times;
  for (unsigned i = 1; i < repeat; ++i) {
    // Operands are stored, so each fresh copy of them is made outside the timed part.
    const Tensor x = again(a).realize(runtime), y = again(b).realize(runtime);
    start = Clock::now();
    (void)job.expression(x, y).realize(runtime);
    times.push_back(milliseconds_since(start));
  }
  if (times.empty()) times.push_back(f.first_ms);
  std::nth_element(times.begin(), times.begin() + static_cast<std::ptrdiff_t>(times.size() / 2), times.end());
  f.run_ms = times[times.size() / 2];
  return f;
}

// The expression's own first step, done by the device; everything after it is checked against the host.
Operand promoted(const Tensor& t, compute::DType type, compute::Runtime& runtime) {
  return operand(t.shape(), type, t.cast(type).bytes(runtime));
}

Result<Comparison> verify(const Job& job, const Tensor& a, const Tensor& b, const Tensor& result,
                          compute::Runtime& runtime) {
  const compute::DType type = result.dtype();
  const Reference reference = HCQ_TRY(job.reference(promoted(a, type, runtime), promoted(b, type, runtime), type));
  return compare(reference, result.bytes(runtime));
}

void report(const Job& job, const BinaryOptions& o, const Tensor& result, const Figures& f,
            const std::optional<Comparison>& check) {
  if (o.json) {
    nlohmann::json j{{"job", job.name},         {"device", o.device.address},
                     {"shape", result.shape()}, {"dtype", name(result.dtype())},
                     {"first_ms", f.first_ms},  {"run_ms", f.run_ms},
                     {"flops", f.flops},        {"gflops", f.gflops()}};
    if (!o.output.empty()) j["output"] = o.output;
    if (check) j["verify"] = {{"max_error", check->max_error}, {"bound", check->bound}, {"ok", check->ok()}};
    fmt::print("{}\n", j.dump(2));
    return;
  }
  std::string shape;
  for (const auto n : result.shape()) shape += fmt::format("{}{}", shape.empty() ? "" : "x", n);
  fmt::print("{} on {}: {} {}\n", job.name, o.device.address, shape, name(result.dtype()));
  fmt::print("  first run  {:9.3f} ms (compile, upload, run)\n", f.first_ms);
  if (o.repeat > 1) fmt::print("  later runs {:9.3f} ms (median of {})\n", f.run_ms, o.repeat - 1);
  fmt::print("  throughput {:9.3f} GFLOP/s{}\n", f.gflops(),
             o.repeat > 1 ? "" : " (compile and upload included; --repeat N measures runs without)");
  if (check)
    fmt::print("  verified   largest error {:.3g}, bound {:.3g}: {}\n", check->max_error, check->bound,
               check->ok() ? "ok" : "WRONG");
  if (!o.output.empty()) fmt::print("  wrote      {}\n", o.output);
}

Status run(const Job& job, const BinaryOptions& o, std::unique_ptr<Device>& device) {
  if (!o.output.empty()) HCQ_TRY(check_output(o.output));
  Tensor a = HCQ_TRY(load_tensor(o.a)), b = HCQ_TRY(load_tensor(o.b));
  std::optional<Clock::duration> timeout;
  if (o.timeout) timeout = std::chrono::duration_cast<Clock::duration>(std::chrono::duration<double>(*o.timeout));
  device = HCQ_TRY(devices::open(o.device.address, {.unbind_kernel_driver = o.device.unbind, .timeout = timeout}));
  std::optional<Comparison> check;
  {
    compute::RuntimeOptions runtime_options;
    if (timeout) runtime_options.timeout = *timeout;
    auto runtime = HCQ_TRY(compute::Runtime::create(*device, runtime_options));
    Tensor result = a;
    a = a.realize(*runtime);
    b = b.realize(*runtime);
    const Figures f = HCQ_TRY(measure(job, a, b, o.repeat, *runtime, result));
    if (o.verify) check = HCQ_TRY(verify(job, a, b, result, *runtime));
    if (!o.output.empty()) HCQ_TRY(save_tensor(o.output, result.dtype(), result.shape(), result.bytes(*runtime)));
    report(job, o, result, f, check);
  }
  HCQ_TRY(device->close());
  if (check && !check->ok())
    return Error{
        .code = Errc::device_fault,
        .device = o.device.address,
        .operation = job.name,
        .detail = fmt::format("wrong result: largest error {:.3g}, bound {:.3g}", check->max_error, check->bound)};
  return {};
}

// The tensor layer throws; tools speak in Status.
Status guarded(const Job& job, const BinaryOptions& o, std::unique_ptr<Device>& device) {
  try {
    return run(job, o, device);
  } catch (const Exception& e) {
    Error error = e.error();
    if (error.device.empty() && error.code != Errc::invalid_argument) error.device = o.device.address;
    if (error.code == Errc::timeout && error.operation == "wait" && error.hint.empty())
      error.hint = "--timeout SECONDS allows more";
    return error;
  }
}

}  // namespace

Status matmul(const BinaryOptions& options, std::unique_ptr<Device>& device) {
  return guarded({"matmul", [](const Tensor& a, const Tensor& b) { return a.matmul(b); }, reference_matmul}, options,
                 device);
}

Status add(const BinaryOptions& options, std::unique_ptr<Device>& device) {
  return guarded({"add", [](const Tensor& a, const Tensor& b) { return a + b; }, reference_add}, options, device);
}

}  // namespace hcq::run
