// SPDX-License-Identifier: MIT
// From ELF file to memory image: sections of a relocatable object laid out and relocated, or segments of a linked
// shared object copied and their dynamic relocations noted.
#pragma once

#include <cstdint>
#include <string_view>
#include <vector>

#include "drivers/am/code_object.h"
#include "drivers/am/elf_file.h"

namespace hcq::am {

struct Layout {
  struct Defined {
    std::string_view name;
    std::uint64_t offset;  // in the image
    unsigned type;         // STT_*
  };
  struct Range {
    std::uint64_t begin, end;
  };

  std::vector<std::byte> image;
  std::vector<CodeObject::Fixup> fixups;
  std::vector<Defined> symbols;
  std::vector<Range> code;

  // Whether [offset, offset + size) is code.
  bool executable(std::uint64_t offset, std::uint64_t size) const;
};

// Images above this size are refused: a broken file must not make us allocate the machine's memory.
inline constexpr std::uint64_t kMaxImageBytes = 256u << 20;

// The names in the result point into `elf`'s data.
Result<Layout> lay_out(const ElfFile& elf);

}  // namespace hcq::am
