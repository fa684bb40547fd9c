// SPDX-License-Identifier: MIT
// Any bytes: SafeTensors::parse gives an error or tensors that can all be read.
#include <cstdlib>
#include <span>

#include "compute/io/safetensors.h"

extern "C" int LLVMFuzzerTestOneInput(const unsigned char* data, std::size_t size) {
  using namespace hcq::compute;
  const auto f = io::SafeTensors::parse(std::as_bytes(std::span(data, size)), "fuzz");
  if (!f.ok()) return 0;
  for (const auto& e : f->entries()) {
    const auto a = f->read(e.name);
    if (a.ok() != e.dtype.has_value()) std::abort();
    if (a.ok() && a->data.size() != e.end - e.begin) std::abort();
  }
  return 0;
}
