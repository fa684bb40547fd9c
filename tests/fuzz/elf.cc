// SPDX-License-Identifier: MIT
// Fuzzes the loader of AMD code objects. Seeds: any AMD object, for example from `llc -mcpu=gfx1100 -filetype=obj`.
#include <cstdint>
#include <cstdlib>

#include "drivers/am/code_object.h"

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  using namespace hcq;
  auto r = am::load_code_object(std::as_bytes(std::span(data, size)), "gfx1100", "fuzz");
  if (!r.ok()) return 0;
  for (const am::Kernel& k : r->kernels) {
    if (k.descriptor + 64 > r->image.size() || k.entry + 4 > r->image.size() || k.entry % 256 != 0) std::abort();
    (void)am::check_kernel(k, {});
  }
  (void)r->place(0x2000'0000'0000);
  return 0;
}
