// SPDX-License-Identifier: MIT
#include "drivers/am/elf_file.h"

#include <fmt/core.h>

namespace hcq::am {
namespace {

constexpr Elf64_Half kMachineAmdgpu = 224;   // EM_AMDGPU
constexpr unsigned char kOsAbiHsa = 64;      // ELFOSABI_AMDGPU_HSA
constexpr unsigned char kAbiVersionMin = 2;  // code object version 4
constexpr unsigned char kAbiVersionMax = 4;  // code object version 6

template <class T>
Result<std::vector<T>> read_table(const ElfFile& file, const ElfFile::Section& table) {
  const ByteReader r(table.data, file.subject());
  if (table.header.sh_entsize != sizeof(T) || table.data.size() % sizeof(T) != 0)
    return file.corrupt(
        fmt::format("section {} has entries of {} bytes, not {}", table.name, table.header.sh_entsize, sizeof(T)),
        table.header.sh_offset);
  std::vector<T> out(table.data.size() / sizeof(T));
  if (!out.empty()) std::memcpy(out.data(), table.data.data(), table.data.size());
  return out;
}

}  // namespace

Error ElfFile::corrupt(std::string detail, std::uint64_t offset) const {
  return Error{.code = Errc::corrupt,
               .operation = "load code object",
               .subject = reader_.subject(),
               .address = offset,
               .detail = std::move(detail)};
}

Result<ElfFile> ElfFile::parse(Bytes data, std::string subject) {
  ElfFile file(ByteReader(data, std::move(subject)));
  HCQ_TRY(file.read_header());
  HCQ_TRY(file.read_sections());
  HCQ_TRY(file.read_segments());
  return file;
}

Status ElfFile::read_header() {
  if (reader_.size() < sizeof(Elf64_Ehdr)) return corrupt("too short for an ELF header", reader_.size());
  header_ = HCQ_TRY(reader_.get<Elf64_Ehdr>(0));
  const auto& id = header_.e_ident;
  if (std::memcmp(id, ELFMAG, SELFMAG) != 0) return corrupt("no ELF file", 0);
  if (id[EI_CLASS] != ELFCLASS64 || id[EI_DATA] != ELFDATA2LSB)
    return corrupt("not a 64-bit little-endian ELF file", EI_CLASS);
  if (id[EI_VERSION] != EV_CURRENT || header_.e_version != EV_CURRENT)
    return corrupt("unknown ELF version", EI_VERSION);
  if (header_.e_machine != kMachineAmdgpu)
    return Error{.code = Errc::unsupported,
                 .operation = "load code object",
                 .subject = reader_.subject(),
                 .expected = kMachineAmdgpu,
                 .actual = header_.e_machine,
                 .detail = "the ELF file is for another machine, not for AMD GPUs"};
  if (id[EI_OSABI] != kOsAbiHsa || id[EI_ABIVERSION] < kAbiVersionMin || id[EI_ABIVERSION] > kAbiVersionMax)
    return Error{.code = Errc::unsupported,
                 .operation = "load code object",
                 .subject = reader_.subject(),
                 .detail = fmt::format("ABI {} version {}; known are HSA ({}) versions {} to {}", id[EI_OSABI],
                                       id[EI_ABIVERSION], kOsAbiHsa, kAbiVersionMin, kAbiVersionMax)};
  return {};
}

Status ElfFile::read_sections() {
  if (header_.e_shnum == 0) return corrupt("no section table", offsetof(Elf64_Ehdr, e_shnum));
  if (header_.e_shentsize != sizeof(Elf64_Shdr))
    return corrupt("size of a section header", offsetof(Elf64_Ehdr, e_shentsize));
  HCQ_TRY(reader_.slice(header_.e_shoff, std::uint64_t{header_.e_shnum} * sizeof(Elf64_Shdr)));
  sections_.resize(header_.e_shnum);
  for (std::size_t i = 0; i < sections_.size(); ++i) {
    Section& s = sections_[i];
    s.header = HCQ_TRY(reader_.get<Elf64_Shdr>(header_.e_shoff + i * sizeof(Elf64_Shdr)));
    if (s.header.sh_type != SHT_NOBITS && s.header.sh_type != SHT_NULL)
      s.data = HCQ_TRY(reader_.slice(s.header.sh_offset, s.header.sh_size));
  }
  if (header_.e_shstrndx >= sections_.size())
    return corrupt("index of the section names", offsetof(Elf64_Ehdr, e_shstrndx));
  const Bytes names = sections_[header_.e_shstrndx].data;
  for (Section& s : sections_)
    if (s.header.sh_type != SHT_NULL) s.name = HCQ_TRY(string(names, s.header.sh_name));
  return {};
}

Status ElfFile::read_segments() {
  if (header_.e_phnum == 0) return {};
  if (header_.e_phentsize != sizeof(Elf64_Phdr))
    return corrupt("size of a program header", offsetof(Elf64_Ehdr, e_phentsize));
  HCQ_TRY(reader_.slice(header_.e_phoff, std::uint64_t{header_.e_phnum} * sizeof(Elf64_Phdr)));
  for (std::size_t i = 0; i < header_.e_phnum; ++i)
    segments_.push_back(HCQ_TRY(reader_.get<Elf64_Phdr>(header_.e_phoff + i * sizeof(Elf64_Phdr))));
  return {};
}

Result<std::string_view> ElfFile::string(Bytes table, std::uint64_t offset) const {
  if (offset >= table.size()) return corrupt("name outside the string table", offset);
  const auto* begin = reinterpret_cast<const char*>(table.data()) + offset;
  const auto* end = static_cast<const char*>(std::memchr(begin, 0, table.size() - offset));
  if (!end) return corrupt("name without an end", offset);
  return std::string_view(begin, static_cast<std::size_t>(end - begin));
}

Result<std::vector<ElfFile::Symbol>> ElfFile::symbols(const Section& table) const {
  if (table.header.sh_link >= sections_.size())
    return corrupt(fmt::format("section {} names a string table that is not there", table.name),
                   table.header.sh_offset);
  const auto raw = HCQ_TRY(read_table<Elf64_Sym>(*this, table));
  const Bytes names = sections_[table.header.sh_link].data;
  std::vector<Symbol> out;
  out.reserve(raw.size());
  for (const Elf64_Sym& s : raw) {
    Symbol symbol{{}, s};
    if (s.st_name != 0) symbol.name = HCQ_TRY(string(names, s.st_name));
    out.push_back(symbol);
  }
  return out;
}

Result<std::vector<Elf64_Rela>> ElfFile::relocations(const Section& table) const {
  return read_table<Elf64_Rela>(*this, table);
}

}  // namespace hcq::am
