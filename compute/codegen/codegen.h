// SPDX-License-Identifier: MIT
// From ir::Kernel to machine code, by LLVM in this process. The only door to this folder; nothing outside it sees LLVM.
#pragma once

#include <cstddef>
#include <string>
#include <vector>

#include "base/error.h"
#include "compute/ir/kernel.h"
#include "hcq/device.h"

namespace hcq::compute::codegen {

enum class TargetKind : std::uint8_t { cpu, amdgpu };

struct Target {
  TargetKind kind = TargetKind::cpu;
  std::string processor;        // LLVM processor name: "gfx1100"; for the CPU its host name, "znver3"
  std::string features;         // LLVM feature string, empty for the processor's own
  std::uint32_t wave_size = 1;  // lanes of a wave
  std::string key() const;      // names the target in caches: processor, features, LLVM version, flag set
};

// The target of an open device (family and architecture); Errc::unsupported names what is not known.
Result<Target> target_for(const DeviceInfo& info);

// What Device::load and Queue::exec need.
struct CodeObject {
  std::vector<std::byte> bytes;     // for Device::load: an ELF object
  std::string name;                 // symbol of the kernel in it
  std::uint32_t kernarg_bytes = 0;  // see ir::kernarg_bytes
  Dim3 groups, block;
};

// Thread-safe: each call has an LLVM context of its own. An op or type that the target cannot do is
// Errc::unimplemented naming it; LLVM's complaints become Errc::internal with its text.
Result<CodeObject> compile(const ir::Kernel& kernel, const Target& target);

}  // namespace hcq::compute::codegen
