// SPDX-License-Identifier: MIT
// Compiles LLVM IR text to an AMD code object in process, for tests of the loader and of queues.
#pragma once

#include <cstddef>
#include <string>
#include <vector>

namespace hcq::test {

// A relocatable object for `cpu` ("gfx1100"); optimisation level 0 or 2 of the code generator. Empty, with the reason
// on stderr, when the text does not compile.
std::vector<std::byte> compile_amd(const std::string& ir, const std::string& cpu = "gfx1100", unsigned level = 2);

// A module with the right triple and attributes around `body`: kernels use attribute group #0, `block` is the size of
// their workgroup. Code object version 5.
std::string amd_module(const std::string& body, unsigned block);

// A kernel `store(ptr out, i32 value)`: out[global id] = value + global id, for workgroups of `block` items.
std::string store_kernel(unsigned block);
// A kernel `table(ptr out)`: out[i] = table[i & 7], where the table is a constant of the module.
std::string table_kernel(unsigned block);
// A kernel `local(ptr out)`: reverses the workgroup's values through LDS.
std::string local_kernel(unsigned block);
// A kernel `scratch(ptr out, i32 n)`: fills a private array and reads it back at a computed index.
std::string scratch_kernel(unsigned block);

}  // namespace hcq::test
