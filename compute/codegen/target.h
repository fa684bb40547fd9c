// SPDX-License-Identifier: MIT
// What differs between the machines we generate code for. Everything else (emit.cc) is common.
#pragma once

#include <llvm/IR/IRBuilder.h>

#include <array>
#include <cstdint>
#include <functional>
#include <memory>
#include <string>
#include <vector>

#include "base/error.h"
#include "compute/codegen/codegen.h"
#include "compute/ir/kernel.h"

namespace hcq::compute::codegen {

// The ids and pointers of one work-item, as 32-bit values and pointers of the target's global address space.
struct WorkItem {
  std::array<llvm::Value*, 3> group{}, local{};
  std::vector<llvm::Value*> params;
};

struct Limits {
  std::uint32_t max_block = 1024;
};

class Machine {
 public:
  virtual ~Machine() = default;
  virtual std::string triple() const = 0;
  // LLVM passes before code generation, in the text form of PassBuilder.
  virtual const char* passes() const = 0;
  virtual Limits limits() const = 0;
  // Whether a 32-bit byte offset beside a uniform base pointer is an addressing mode.
  virtual bool wants_32bit_offsets() const = 0;

  // Makes the kernel's function and whatever surrounds it, and calls `body` with the builder inside one work-item and
  // that work-item's ids. `body` leaves the builder where the work-item ends.
  using Body = std::function<Status(llvm::IRBuilder<>&, const WorkItem&)>;
  virtual Status build(const ir::Kernel& kernel, llvm::Module& module, const Body& body) const = 0;
};

// The row of the chip table, or Errc::unsupported naming the chips that are known.
struct AmdChip {
  const char* processor;
  std::uint32_t wave_size;
  std::uint32_t max_block;
  std::uint32_t lds_bytes;  // of one workgroup
};
Result<AmdChip> amd_chip(const std::string& processor);

std::unique_ptr<Machine> make_cpu_machine(const Target& target);
std::unique_ptr<Machine> make_amdgpu_machine(const Target& target, const AmdChip& chip);

// Which of the three dimensions occur as workgroup ([0]) or work-item ([1]) id in the code.
std::array<std::array<bool, 3>, 2> used_ids(const ir::Kernel& kernel);

// One function parameter per kernel parameter, with what ir::Param promises said to LLVM.
void annotate_params(const ir::Kernel& kernel, llvm::Function& function);

}  // namespace hcq::compute::codegen
