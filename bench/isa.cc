// SPDX-License-Identifier: MIT
// The same kernels through the whole stack on two devices: a 256x256 f32 matrix product on the modelled Navi31 and on
// the CPU device, one beside the other. Usage: bench_isa [N] [RUNS]
#include <fmt/format.h>

#include <algorithm>
#include <cstdlib>
#include <random>
#include <vector>

#include "compute/runtime/runtime.h"
#include "compute/tensor/tensor.h"
#include "devices/devices.h"

namespace {

using hcq::compute::Tensor;

// Median seconds of one product, from submission to the host knowing that it is done; 0 on failure.
double measure(const char* address, std::int64_t n, int runs) {
  auto device = hcq::devices::open(address);
  if (!device.ok()) {
    fmt::print(stderr, "bench_isa: {}\n", hcq::describe(device.error()));
    return 0;
  }
  auto runtime = hcq::compute::Runtime::create(**device);
  if (!runtime.ok()) {
    fmt::print(stderr, "bench_isa: {}\n", hcq::describe(runtime.error()));
    return 0;
  }
  std::mt19937 random(1);
  std::uniform_real_distribution<float> uniform(-1, 1);
  std::vector<float> values(static_cast<std::size_t>(n * n));
  for (float& v : values) v = uniform(random);
  const Tensor a = Tensor::from(std::span<const float>(values), {n, n}).realize(**runtime);
  std::vector<double> seconds;
  for (int i = 0; i <= runs; ++i) {
    const Tensor b = a.contiguous().realize(**runtime);  // a new operand, so that the product is computed again
    const auto start = hcq::Clock::now();
    (void)a.matmul(b).realize(**runtime);
    const std::chrono::duration<double> t = hcq::Clock::now() - start;
    if (i > 0) seconds.push_back(t.count());  // the first run compiles
  }
  std::nth_element(seconds.begin(), seconds.begin() + runs / 2, seconds.end());
  return seconds[static_cast<std::size_t>(runs / 2)];
}

}  // namespace

int main(int argc, char** argv) {
  const std::int64_t n = argc > 1 ? std::atoll(argv[1]) : 256;
  const int runs = argc > 2 ? std::atoi(argv[2]) : 21;
  const double flops = 2.0 * static_cast<double>(n * n * n);
  const double model = measure("model:navi31", n, runs), cpu = measure("cpu", n, runs);
  if (model == 0 || cpu == 0) return 1;
  fmt::print("{0}x{0} f32 matrix product, median of {1} runs\n", n, runs);
  fmt::print("  model:navi31 {:9.3f} ms {:8.2f} GFLOP/s\n", model * 1e3, flops / model / 1e9);
  fmt::print("  cpu          {:9.3f} ms {:8.2f} GFLOP/s\n", cpu * 1e3, flops / cpu / 1e9);
  fmt::print("  the model takes {:.1f} times as long as the CPU device\n", model / cpu);
  return 0;
}
