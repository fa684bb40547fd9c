// SPDX-License-Identifier: MIT
// AMD GPU code objects: 64-bit ELF files for machine EM_AMDGPU with the HSA ABI, as the LLVM manual describes them
// (AMDGPUUsage, "ELF Code Object" and "Kernel Descriptor"). Two kinds are taken: shared objects from a linker, and the
// relocatable objects that LLVM's code generator emits, which are laid out and relocated here.
//
// The file is not trusted: every offset, size, index and relocation is checked, and a file that does not make sense is
// Errc::corrupt with the offset of what is wrong.
#pragma once

#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

#include "base/bytes.h"
#include "base/error.h"

namespace hcq::am {

// A kernel of a code object, from its descriptor (symbol "NAME.kd").
struct Kernel {
  std::string name;
  std::uint64_t descriptor = 0;  // offset of the 64-byte descriptor in the image
  std::uint64_t entry = 0;       // offset of the first instruction in the image, a multiple of 256
  std::uint32_t lds_bytes = 0;
  std::uint32_t private_bytes = 0;  // scratch of one work-item
  std::uint32_t kernarg_bytes = 0;
  std::uint32_t rsrc1 = 0, rsrc2 = 0, rsrc3 = 0;  // COMPUTE_PGM_RSRC1..3 as compiled
  std::uint16_t properties = 0;                   // kernel_code_properties
  bool wave32 = false;
  std::uint32_t vgprs = 0;  // of one work-item, as allocated
};

// The loaded image, to be copied to a 4 KiB aligned device address.
struct CodeObject {
  // A 64-bit (or, in halves, 32-bit) place that holds `base + addend`, where base is the image's device address.
  struct Fixup {
    enum class Kind : std::uint8_t { abs64, abs32_lo, abs32_hi, abs32 } kind;
    std::uint64_t offset;
    std::uint64_t addend;
  };

  std::string arch;  // processor it was built for: "gfx1100"
  std::vector<std::byte> image;
  std::vector<Fixup> fixups;
  std::vector<Kernel> kernels;

  // Writes the places that depend on where the image lies. Errc::unsupported if a 32-bit place cannot hold its address.
  Status place(std::uint64_t base);
  // The kernel of this name; with an empty name, the only one. Errc::not_found lists what there is.
  Result<const Kernel*> find(std::string_view name) const;
};

// What a kernel has to fit into.
struct KernelLimits {
  std::uint32_t lds_bytes = 65536;
  std::uint32_t vgprs = 256;
  std::uint32_t kernarg_bytes = 64 * 1024;
  std::uint32_t private_bytes = 128 * 1024;
};
inline constexpr std::uint32_t kMaxUserSgprs = 16;  // registers COMPUTE_USER_DATA_0..15

// LLVM's processor name for the machine number in e_flags; empty when it is not in the table.
std::string_view processor_name(std::uint32_t e_flags);

// Parses and lays out `elf`, which must have been built for `arch` (the error names both processors). `subject` names
// the file in errors.
Result<CodeObject> load_code_object(Bytes elf, std::string_view arch, std::string subject = "code object");

// Errc::unsupported, naming the kernel and the limit or the feature, when this driver or chip cannot run it.
Status check_kernel(const Kernel& kernel, const KernelLimits& limits);

}  // namespace hcq::am
