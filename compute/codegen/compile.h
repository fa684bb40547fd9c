// SPDX-License-Identifier: MIT
// The steps behind codegen::compile(), for tests and benchmarks that want to see one of them.
#pragma once

#include <string>

#include "compute/codegen/codegen.h"

namespace hcq::compute::codegen {

struct CompileTimes {
  double emit_ms = 0, passes_ms = 0, object_ms = 0;
  double total_ms() const { return emit_ms + passes_ms + object_ms; }
};

class DiskCache;

// Always compiles, unless `disk` has the object. `times` and `ir_text` (the module after the passes) are filled in if
// given.
Result<CodeObject> compile_uncached(const ir::Kernel& kernel, const Target& target, CompileTimes* times = nullptr,
                                    std::string* ir_text = nullptr, const DiskCache* disk = nullptr);

}  // namespace hcq::compute::codegen
