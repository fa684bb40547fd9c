// SPDX-License-Identifier: MIT
#include "compute/codegen/guard.h"

#include <llvm/Support/ErrorHandling.h>

#include <csetjmp>
#include <cstdio>
#include <cstring>
#include <mutex>

namespace hcq::compute::codegen {
namespace {

struct Escape {
  std::jmp_buf target;
  char text[512];
};
thread_local Escape* escape = nullptr;

void on_fatal_error(void*, const char* reason, bool) {
  if (!escape) {
    std::fprintf(stderr, "LLVM: %s\n", reason);  // not one of our compiles: LLVM's own way out follows
    return;
  }
  std::strncpy(escape->text, reason, sizeof(escape->text) - 1);
  std::longjmp(escape->target, 1);
}

}  // namespace

std::optional<std::string> guarded(const std::function<void()>& work) {
  static std::once_flag once;
  std::call_once(once, [] { llvm::install_fatal_error_handler(on_fatal_error); });
  Escape here{};
  Escape* outer = escape;
  if (setjmp(here.target) == 0) {
    escape = &here;
    work();
    escape = outer;
    return std::nullopt;
  }
  escape = outer;
  return std::string(here.text);
}

}  // namespace hcq::compute::codegen
