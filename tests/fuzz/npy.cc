// SPDX-License-Identifier: MIT
// Any bytes: parse_npy gives an error or an array that it can write and read back.
#include <cstdlib>
#include <span>

#include "compute/io/npy.h"

extern "C" int LLVMFuzzerTestOneInput(const unsigned char* data, std::size_t size) {
  using namespace hcq::compute;
  const auto a = io::parse_npy(std::as_bytes(std::span(data, size)), "fuzz");
  if (!a.ok()) return 0;
  const auto file = io::format_npy(*a);
  if (!file.ok()) std::abort();
  const auto again = io::parse_npy(*file, "again");
  if (!again.ok() || again->data != a->data || again->shape != a->shape) std::abort();
  return 0;
}
