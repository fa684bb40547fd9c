// SPDX-License-Identifier: MIT
// Layouts: System V ABI, ELF-64 object file format; relocation types: x86-64 psABI.
#include "drivers/cpu/object_check.h"

#include <elf.h>
#include <fmt/format.h>

#include <algorithm>
#include <cstring>

#include "drivers/cpu/abi.h"

namespace hcq::cpu {
namespace {

#if defined(__x86_64__)
constexpr std::uint16_t kMachine = EM_X86_64;
#elif defined(__aarch64__)
constexpr std::uint16_t kMachine = EM_AARCH64;
#endif

Error corrupt(std::string subject, std::string detail) {
  return Error{.code = Errc::corrupt,
               .device = "cpu",
               .operation = "load",
               .subject = std::move(subject),
               .detail = std::move(detail)};
}

Error foreign(const char* subject, std::uint64_t expected, std::uint64_t actual, const char* detail) {
  return Error{.code = Errc::unsupported,
               .device = "cpu",
               .operation = "load",
               .subject = subject,
               .expected = expected,
               .actual = actual,
               .detail = detail};
}

// Bytes that a relocation of this type writes; 0 for a type that is not expected in a kernel object.
unsigned relocation_width([[maybe_unused]] std::uint32_t type) {
#if defined(__x86_64__)
  switch (type) {
    case R_X86_64_64:
    case R_X86_64_PC64:
      return 8;
    case R_X86_64_PC32:
    case R_X86_64_PLT32:
    case R_X86_64_32:
    case R_X86_64_32S:
    case R_X86_64_GOTPCREL:
    case R_X86_64_GOTPCRELX:
    case R_X86_64_REX_GOTPCRELX:
      return 4;
    default:
      return 0;
  }
#else
  return 4;
#endif
}

class Checker {
 public:
  explicit Checker(Bytes object) : reader_(object, "cpu code object") {}

  Result<ObjectSummary> run() {
    HCQ_TRY(header());
    HCQ_TRY(section_table());
    HCQ_TRY(symbols());
    for (std::size_t i = 0; i < sections_.size(); ++i) {
      if (sections_[i].sh_type == SHT_RELA) HCQ_TRY(relocations(i));
      if (sections_[i].sh_type == SHT_REL) return corrupt(name(i), "relocations without addends");
    }
    return summary();
  }

 private:
  Status header() {
    const auto ident = HCQ_TRY(reader_.get<std::array<unsigned char, EI_NIDENT>>(0));
    if (std::memcmp(ident.data(), ELFMAG, SELFMAG) != 0) return corrupt("ELF header", "not an ELF file");
    if (ident[EI_CLASS] != ELFCLASS64) return foreign("EI_CLASS", ELFCLASS64, ident[EI_CLASS], "not a 64-bit object");
    if (ident[EI_DATA] != ELFDATA2LSB) return foreign("EI_DATA", ELFDATA2LSB, ident[EI_DATA], "not little endian");
    header_ = HCQ_TRY(reader_.get<Elf64_Ehdr>(0));
    if (header_.e_machine != kMachine)
      return foreign("e_machine", kMachine, header_.e_machine, "compiled for another kind of processor");
    if (header_.e_type != ET_REL) return foreign("e_type", ET_REL, header_.e_type, "not a relocatable object");
    return {};
  }

  Status section_table() {
    if (header_.e_shentsize != sizeof(Elf64_Shdr) || header_.e_shnum == 0)
      return corrupt("section table", "missing or of unknown entry size");
    for (unsigned i = 0; i < header_.e_shnum; ++i)
      sections_.push_back(HCQ_TRY(reader_.get<Elf64_Shdr>(header_.e_shoff + i * sizeof(Elf64_Shdr))));
    std::uint64_t total = 0;
    for (const Elf64_Shdr& s : sections_) {
      if (s.sh_type != SHT_NOBITS && s.sh_type != SHT_NULL) (void)HCQ_TRY(reader_.slice(s.sh_offset, s.sh_size));
      if (s.sh_addralign > 4096 || (s.sh_addralign != 0 && !is_pow2(s.sh_addralign)))
        return corrupt("section table", "alignment is no power of two up to a page");
      if (s.sh_size > kMaxImage || (total += s.sh_size) > kMaxImage)
        return corrupt("section table", "sections are absurdly large");
      if (s.sh_flags & SHF_TLS) return corrupt("section table", "thread-local data");
    }
    if (header_.e_shstrndx >= sections_.size()) return corrupt("section table", "name table out of range");
    names_ = HCQ_TRY(string_table(header_.e_shstrndx));
    for (const Elf64_Shdr& s : sections_) (void)HCQ_TRY(string(names_, s.sh_name));
    return {};
  }

  Result<Bytes> string_table(std::uint64_t index) {
    if (index >= sections_.size() || sections_[index].sh_type != SHT_STRTAB)
      return corrupt("string table", "index out of range or of another type");
    const Bytes b = HCQ_TRY(reader_.slice(sections_[index].sh_offset, sections_[index].sh_size));
    if (b.empty() || b.back() != std::byte{0}) return corrupt("string table", "not zero-terminated");
    return b;
  }

  static Result<std::string> string(Bytes table, std::uint64_t offset) {
    if (offset >= table.size()) return corrupt("string table", "offset out of range");
    return std::string(reinterpret_cast<const char*>(table.data() + offset));  // the table ends with a zero
  }

  std::string name(std::size_t section) const {
    return reinterpret_cast<const char*>(names_.data() + sections_[section].sh_name);
  }

  Status symbols() {
    for (std::size_t i = 0; i < sections_.size(); ++i) {
      const Elf64_Shdr& s = sections_[i];
      if (s.sh_type == SHT_SYMTAB_SHNDX || s.sh_type == SHT_GROUP) return corrupt(name(i), "unexpected section type");
      if (s.sh_type != SHT_SYMTAB) continue;
      if (symtab_ != 0) return corrupt(name(i), "second symbol table");
      symtab_ = i;
      const Bytes strings = HCQ_TRY(string_table(s.sh_link));
      if (s.sh_entsize != sizeof(Elf64_Sym)) return corrupt(name(i), "unknown entry size");
      for (std::uint64_t at = 0; at + sizeof(Elf64_Sym) <= s.sh_size; at += sizeof(Elf64_Sym)) {
        const auto sym = HCQ_TRY(reader_.get<Elf64_Sym>(s.sh_offset + at));
        HCQ_TRY(symbol(sym, HCQ_TRY(string(strings, sym.st_name)), at == 0));
      }
    }
    if (symtab_ == 0) return corrupt("symbol table", "missing");
    return {};
  }

  Status symbol(const Elf64_Sym& sym, const std::string& name, bool null_symbol) {
    symbols_.push_back(sym);
    symbol_names_.push_back(name);
    if (null_symbol || sym.st_shndx == SHN_ABS) return {};
    if (sym.st_shndx == SHN_UNDEF) {
      const auto& allowed = abi::kAllowedImports;
      const auto is_name = [&](const char* a) { return name == a; };
      if (std::any_of(allowed.begin(), allowed.end(), is_name)) return {};
      return Error{.code = Errc::unsupported,
                   .device = "cpu",
                   .operation = "load",
                   .subject = name,
                   .detail = "the object refers to a symbol that it does not define"};
    }
    if (sym.st_shndx >= sections_.size()) return corrupt(name, "symbol in a section that does not exist");
    const std::uint64_t size = sections_[sym.st_shndx].sh_size;
    if (sym.st_value > size || sym.st_size > size - sym.st_value) return corrupt(name, "symbol outside its section");
    return {};
  }

  Status relocations(std::size_t index) {
    const Elf64_Shdr& s = sections_[index];
    if (s.sh_entsize != sizeof(Elf64_Rela) || s.sh_info == 0 || s.sh_info >= sections_.size() || s.sh_link != symtab_)
      return corrupt(name(index), "malformed relocation section");
    const Elf64_Shdr& target = sections_[s.sh_info];
    if (s.sh_size != 0 && target.sh_type == SHT_NOBITS)
      return corrupt(name(index), "relocation in a section without data");
    for (std::uint64_t at = 0; at + sizeof(Elf64_Rela) <= s.sh_size; at += sizeof(Elf64_Rela)) {
      const auto r = HCQ_TRY(reader_.get<Elf64_Rela>(s.sh_offset + at));
      const auto type = static_cast<std::uint32_t>(ELF64_R_TYPE(r.r_info));
      const unsigned width = relocation_width(type);
      if (width == 0) return corrupt(name(index), fmt::format("relocation type {} is not expected in a kernel", type));
      if (r.r_offset > target.sh_size || width > target.sh_size - r.r_offset)
        return corrupt(name(index), "relocation outside its section");
      if (ELF64_R_SYM(r.r_info) >= symbols_.size())
        return corrupt(name(index), "relocation against a symbol that does not exist");
    }
    return {};
  }

  Result<ObjectSummary> summary() const {
    ObjectSummary out;
    for (std::size_t i = 0; i < symbols_.size(); ++i) {
      if (!symbol_names_[i].starts_with(abi::kInfoPrefix)) continue;
      const std::string kernel = symbol_names_[i].substr(std::strlen(abi::kInfoPrefix));
      if (symbols_[i].st_shndx == SHN_UNDEF || symbols_[i].st_shndx >= sections_.size() ||
          sections_[symbols_[i].st_shndx].sh_type != SHT_PROGBITS || symbols_[i].st_size != sizeof(abi::KernelInfo))
        return corrupt(symbol_names_[i], "kernel description of unexpected kind or size");
      for (std::size_t k = 0; k < symbols_.size(); ++k) {
        const bool code = symbols_[k].st_shndx != SHN_UNDEF && symbols_[k].st_shndx < sections_.size() &&
                          (sections_[symbols_[k].st_shndx].sh_flags & SHF_EXECINSTR) != 0;
        if (symbol_names_[k] == kernel && code && ELF64_ST_BIND(symbols_[k].st_info) == STB_GLOBAL)
          out.kernels.push_back(kernel);
      }
    }
    if (out.kernels.empty()) return corrupt("cpu code object", "no kernel in it");
    return out;
  }

  static constexpr std::uint64_t kMaxImage = 256ull << 20;

  ByteReader reader_;
  Elf64_Ehdr header_{};
  std::vector<Elf64_Shdr> sections_;
  Bytes names_;
  std::size_t symtab_ = 0;
  std::vector<Elf64_Sym> symbols_;
  std::vector<std::string> symbol_names_;
};

}  // namespace

Result<ObjectSummary> check_object(Bytes object) { return Checker(object).run(); }

}  // namespace hcq::cpu
