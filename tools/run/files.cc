// SPDX-License-Identifier: MIT
#include "tools/run/files.h"

#include <fmt/format.h>

#include "base/file.h"
#include "compute/io/npy.h"
#include "compute/io/safetensors.h"

namespace hcq::run {
namespace {

struct Spec {
  std::string path;
  std::string tensor;  // in a safetensors file; empty: the only one
  bool safetensors = false;
};

bool ends_with(const std::string& s, std::string_view end) {
  return s.size() > end.size() && s.compare(s.size() - end.size(), end.size(), end) == 0;
}

Result<Spec> parse_spec(const std::string& spec) {
  constexpr std::string_view kSafetensors = ".safetensors";
  if (ends_with(spec, ".npy")) return Spec{spec, "", false};
  if (ends_with(spec, kSafetensors)) return Spec{spec, "", true};
  const auto at = spec.rfind(std::string(kSafetensors) + ":");
  if (at != std::string::npos && at > 0)
    return Spec{spec.substr(0, at + kSafetensors.size()), spec.substr(at + kSafetensors.size() + 1), true};
  return Error{.code = Errc::invalid_argument,
               .operation = "file name",
               .subject = spec,
               .detail = "unknown kind of file",
               .hint = "use A.npy, W.safetensors or W.safetensors:name"};
}

Result<compute::io::Array> read_array(const Spec& s) {
  if (!s.safetensors) return compute::io::read_npy(s.path);
  const auto file = HCQ_TRY(compute::io::SafeTensors::open(s.path));
  if (!s.tensor.empty()) return file.read(s.tensor);
  if (file.entries().size() == 1) return file.read(file.entries()[0].name);
  return Error{.code = Errc::invalid_argument,
               .operation = "read",
               .subject = s.path,
               .detail = fmt::format("the file holds {} tensors", file.entries().size()),
               .hint = "say which one: FILE.safetensors:NAME"};
}

}  // namespace

Result<compute::Tensor> load_tensor(const std::string& spec) {
  const auto array = HCQ_TRY(read_array(HCQ_TRY(parse_spec(spec))));
  return compute::Tensor::from_bytes(array.dtype, array.shape, array.data);
}

Status check_output(const std::string& spec) {
  const Spec s = HCQ_TRY(parse_spec(spec));
  HCQ_TRY(replaceable(s.path));
  return {};
}

Status save_tensor(const std::string& spec, compute::DType dtype, const compute::Shape& shape, Bytes data) {
  const Spec s = HCQ_TRY(parse_spec(spec));
  compute::io::Array array{.dtype = dtype, .shape = shape, .data = {data.begin(), data.end()}};
  if (!s.safetensors) return compute::io::write_npy(s.path, array);
  return compute::io::write_safetensors(s.path, {{s.tensor.empty() ? "result" : s.tensor, std::move(array)}});
}

}  // namespace hcq::run
