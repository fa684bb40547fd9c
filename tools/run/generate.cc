// SPDX-License-Identifier: MIT
#include <fmt/format.h>

#include <charconv>
#include <random>

#include "tools/run/commands.h"
#include "tools/run/files.h"

namespace hcq::run {
namespace {

Result<compute::Shape> parse_shape(const std::string& text) {
  compute::Shape shape;
  const char* p = text.data();
  const char* end = p + text.size();
  std::int64_t elements = 1;
  while (p < end) {
    std::int64_t n = 0;
    const auto [next, ec] = std::from_chars(p, end, n);
    if (ec != std::errc{} || n < 1 || n > (std::int64_t{1} << 30) || elements > (std::int64_t{1} << 30) / n) break;
    elements *= n;
    shape.push_back(n);
    if (next == end) return shape;
    if (*next != 'x') break;
    p = next + 1;
  }
  return Error{.code = Errc::invalid_argument,
               .operation = "generate",
               .subject = text,
               .detail = "not a shape",
               .hint = "write positive extents with x between them, as 256x256; at most 2^30 elements"};
}

}  // namespace

Status generate(const GenerateOptions& options) {
  const compute::Shape shape = HCQ_TRY(parse_shape(options.shape));
  HCQ_TRY(check_output(options.output));
  std::vector<float> values(static_cast<std::size_t>(compute::elements(shape)));
  std::mt19937_64 engine(options.seed);
  // A sum of four uniform values, scaled to variance 1: the same on every C++ library, unlike normal_distribution.
  for (float& v : values) {
    double sum = 0;
    for (int i = 0; i < 4; ++i) sum += static_cast<double>(engine() >> 11) * 0x1p-53 - 0.5;
    v = static_cast<float>(sum * 1.7320508075688772);
  }
  HCQ_TRY(save_tensor(options.output, compute::ir::kF32, shape, std::as_bytes(std::span(values))));
  fmt::print("wrote {} ({} f32, seed {})\n", options.output, options.shape, options.seed);
  return {};
}

}  // namespace hcq::run
