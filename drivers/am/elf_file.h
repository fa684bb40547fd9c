// SPDX-License-Identifier: MIT
// Reading a 64-bit little-endian ELF file for EM_AMDGPU: headers, sections, symbols, relocations, all bounds-checked.
// Layouts and names are those of <elf.h>; what is specific to AMD is from LLVM's AMDGPUUsage, "ELF Code Object".
#pragma once

#include <elf.h>

#include <string>
#include <string_view>
#include <vector>

#include "base/bytes.h"
#include "base/error.h"

namespace hcq::am {

class ElfFile {
 public:
  struct Section {
    std::string_view name;
    Elf64_Shdr header{};
    Bytes data;  // empty for SHT_NOBITS and SHT_NULL
    bool allocated() const { return (header.sh_flags & SHF_ALLOC) != 0; }
    bool executable() const { return (header.sh_flags & SHF_EXECINSTR) != 0; }
  };
  struct Symbol {
    std::string_view name;
    Elf64_Sym raw{};
  };

  // Checks the identification, the machine and that every table lies in the file. `data` must outlive the ElfFile.
  static Result<ElfFile> parse(Bytes data, std::string subject);

  const Elf64_Ehdr& header() const { return header_; }
  const std::vector<Section>& sections() const { return sections_; }
  const std::vector<Elf64_Phdr>& segments() const { return segments_; }
  // The bytes of a segment that the file holds.
  Result<Bytes> content(const Elf64_Phdr& segment) const { return reader_.slice(segment.p_offset, segment.p_filesz); }
  // Entries of a SHT_SYMTAB or SHT_DYNSYM section.
  Result<std::vector<Symbol>> symbols(const Section& table) const;
  // Entries of a SHT_RELA section.
  Result<std::vector<Elf64_Rela>> relocations(const Section& table) const;

  // Errc::corrupt on this file; `offset` is of what is wrong.
  Error corrupt(std::string detail, std::uint64_t offset) const;
  const std::string& subject() const { return reader_.subject(); }

 private:
  explicit ElfFile(ByteReader reader) : reader_(std::move(reader)) {}
  Status read_header();
  Status read_sections();
  Status read_segments();
  Result<std::string_view> string(Bytes table, std::uint64_t offset) const;

  ByteReader reader_;
  Elf64_Ehdr header_{};
  std::vector<Section> sections_;
  std::vector<Elf64_Phdr> segments_;
};

}  // namespace hcq::am
