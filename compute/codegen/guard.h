// SPDX-License-Identifier: MIT
// LLVM ends the process when it meets something it cannot compile ("Cannot select"). Inside guarded() that becomes a
// text instead: the handler jumps out. What LLVM held at that moment is leaked, which is the price of going on.
#pragma once

#include <functional>
#include <optional>
#include <string>

namespace hcq::compute::codegen {

// Runs `work`; nothing if it returned, LLVM's last words if it gave up. Threads do not disturb each other.
std::optional<std::string> guarded(const std::function<void()>& work);

}  // namespace hcq::compute::codegen
