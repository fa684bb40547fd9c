// SPDX-License-Identifier: MIT
#include "drivers/am/code_object_layout.h"

#include <fmt/core.h>

#include <algorithm>
#include <map>

namespace hcq::am {
namespace {

// Relocation types (LLVM AMDGPUUsage, "Relocation Records"). S symbol, A addend, P place, B image base, G offset of the
// symbol's entry in the global offset table, GOT its address.
enum Relocation : std::uint32_t {
  R_AMDGPU_NONE = 0,
  R_AMDGPU_ABS32_LO = 1,
  R_AMDGPU_ABS32_HI = 2,
  R_AMDGPU_ABS64 = 3,
  R_AMDGPU_REL32 = 4,
  R_AMDGPU_REL64 = 5,
  R_AMDGPU_ABS32 = 6,
  R_AMDGPU_GOTPCREL = 7,
  R_AMDGPU_GOTPCREL32_LO = 8,
  R_AMDGPU_GOTPCREL32_HI = 9,
  R_AMDGPU_REL32_LO = 10,
  R_AMDGPU_REL32_HI = 11,
  R_AMDGPU_RELATIVE64 = 13,
};

constexpr std::uint64_t kMaxAlign = 64 * 1024;
constexpr std::uint64_t kSectionAlign = 256;  // the first section starts at a multiple of this anyway

unsigned relocation_width(std::uint32_t type) {
  switch (type) {
    case R_AMDGPU_ABS64:
    case R_AMDGPU_REL64:
    case R_AMDGPU_RELATIVE64:
      return 8;
    default:
      return 4;
  }
}

class Builder {
 public:
  explicit Builder(const ElfFile& elf) : elf_(elf) {}

  Result<Layout> relocatable();
  Result<Layout> shared();

 private:
  // A symbol's value: an offset in the image, or a number that does not depend on where the image lies.
  struct Value {
    std::uint64_t value;
    bool absolute;
  };

  Status place_sections();
  Status copy_segments();
  Status collect_symbols(const ElfFile::Section& table);
  Result<Value> resolve(const ElfFile::Symbol& s) const;
  Result<Value> resolve(const std::vector<ElfFile::Symbol>& table, const Elf64_Rela& r) const;
  Status relocate_section(const ElfFile::Section& relocations, const ElfFile::Section& target, std::uint64_t start);
  Status relocate_image(const ElfFile::Section& relocations);
  Status apply(std::uint32_t type, std::uint64_t place, Value s, std::uint64_t addend);
  std::uint64_t got_entry(Value s);
  void put(std::uint64_t place, std::uint64_t value, unsigned width);
  Error corrupt(std::string detail, std::uint64_t at) const { return elf_.corrupt(std::move(detail), at); }

  const ElfFile& elf_;
  Layout out_;
  std::vector<std::uint64_t> section_offset_;  // in the image; kNowhere if not loaded
  std::map<std::pair<std::uint64_t, bool>, std::uint64_t> got_;
  static constexpr std::uint64_t kNowhere = ~std::uint64_t{0};
};

Status Builder::place_sections() {
  std::uint64_t end = 0;
  section_offset_.assign(elf_.sections().size(), kNowhere);
  for (std::size_t i = 0; i < elf_.sections().size(); ++i) {
    const ElfFile::Section& s = elf_.sections()[i];
    if (!s.allocated() || s.header.sh_type == SHT_NOTE || s.header.sh_size == 0) continue;
    const std::uint64_t align = std::max<std::uint64_t>(s.header.sh_addralign, 1);
    if (!is_pow2(align) || align > kMaxAlign)
      return corrupt(fmt::format("section {} has alignment {:#x}", s.name, align), s.header.sh_offset);
    if (s.header.sh_size > kMaxImageBytes)
      return corrupt(fmt::format("section {} is {:#x} bytes long", s.name, s.header.sh_size), s.header.sh_offset);
    const std::uint64_t begin = round_up(end, std::max(align, s.executable() ? kSectionAlign : align));
    end = begin + s.header.sh_size;
    if (end > kMaxImageBytes) return corrupt("the loaded image would be larger than 256 MiB", s.header.sh_offset);
    section_offset_[i] = begin;
    if (s.executable()) out_.code.push_back({begin, end});
  }
  out_.image.resize(end);
  for (std::size_t i = 0; i < elf_.sections().size(); ++i)
    if (section_offset_[i] != kNowhere && !elf_.sections()[i].data.empty())
      std::memcpy(out_.image.data() + section_offset_[i], elf_.sections()[i].data.data(),
                  elf_.sections()[i].data.size());
  return {};
}

Status Builder::copy_segments() {
  std::uint64_t end = 0;
  for (const Elf64_Phdr& p : elf_.segments()) {
    if (p.p_type != PT_LOAD) continue;
    if (p.p_vaddr > kMaxImageBytes || p.p_memsz > kMaxImageBytes - p.p_vaddr || p.p_filesz > p.p_memsz)
      return corrupt("a segment does not fit the image", p.p_offset);
    end = std::max(end, p.p_vaddr + p.p_memsz);
  }
  out_.image.resize(end);
  for (const Elf64_Phdr& p : elf_.segments()) {
    if (p.p_type != PT_LOAD) continue;
    const Bytes content = HCQ_TRY(elf_.content(p));
    if (!content.empty()) std::memcpy(out_.image.data() + p.p_vaddr, content.data(), content.size());
    if (p.p_flags & PF_X) out_.code.push_back({p.p_vaddr, p.p_vaddr + p.p_memsz});
  }
  return {};
}

Result<Builder::Value> Builder::resolve(const ElfFile::Symbol& s) const {
  const Elf64_Half index = s.raw.st_shndx;
  const unsigned binding = ELF64_ST_BIND(s.raw.st_info);
  if (index == SHN_ABS) return Value{s.raw.st_value, true};
  if (index == SHN_UNDEF && (s.name.empty() || binding == STB_WEAK)) return Value{0, true};
  if (index == SHN_UNDEF || index >= SHN_LORESERVE)
    return Error{.code = Errc::unsupported,
                 .operation = "load code object",
                 .subject = std::string(s.name),
                 .detail = index == SHN_UNDEF ? "the symbol is used and not defined"
                                              : fmt::format("the symbol is in special section {:#x}", index)};
  if (index >= elf_.sections().size()) return corrupt(fmt::format("symbol {}: no section {}", s.name, index), 0);
  const ElfFile::Section& section = elf_.sections()[index];
  if (elf_.header().e_type == ET_DYN) {
    if (s.raw.st_value > out_.image.size())
      return corrupt(fmt::format("symbol {} lies outside the image", s.name), s.raw.st_value);
    return Value{s.raw.st_value, false};
  }
  if (section_offset_[index] == kNowhere)
    return corrupt(fmt::format("symbol {} is in section {}, which is not loaded", s.name, section.name), 0);
  if (s.raw.st_value > section.header.sh_size)
    return corrupt(fmt::format("symbol {} lies outside its section {}", s.name, section.name), s.raw.st_value);
  return Value{section_offset_[index] + s.raw.st_value, false};
}

Result<Builder::Value> Builder::resolve(const std::vector<ElfFile::Symbol>& table, const Elf64_Rela& r) const {
  const std::uint64_t index = ELF64_R_SYM(r.r_info);
  if (index >= table.size()) return corrupt(fmt::format("a relocation names symbol {}", index), r.r_offset);
  return resolve(table[index]);
}

Status Builder::collect_symbols(const ElfFile::Section& table) {
  const auto symbols = HCQ_TRY(elf_.symbols(table));
  for (const ElfFile::Symbol& s : symbols) {
    const unsigned type = ELF64_ST_TYPE(s.raw.st_info);
    if (s.raw.st_shndx == SHN_UNDEF || s.raw.st_shndx >= SHN_LORESERVE || (type != STT_OBJECT && type != STT_FUNC))
      continue;
    const Value v = HCQ_TRY(resolve(s));
    out_.symbols.push_back({s.name, v.value, type});
  }
  return {};
}

void Builder::put(std::uint64_t place, std::uint64_t value, unsigned width) {
  std::memcpy(out_.image.data() + place, &value, width);  // little endian, as the host
}

// The image offset of the symbol's entry in the global offset table, made on first use behind the sections.
std::uint64_t Builder::got_entry(Value s) {
  const auto key = std::pair(s.value, s.absolute);
  if (const auto found = got_.find(key); found != got_.end()) return found->second;
  const std::uint64_t at = round_up<std::uint64_t>(out_.image.size(), 8);
  out_.image.resize(at + 8);
  if (s.absolute) put(at, s.value, 8);
  else out_.fixups.push_back({CodeObject::Fixup::Kind::abs64, at, s.value});
  got_.emplace(key, at);
  return at;
}

// `place` and its width have been checked to lie in the image.
Status Builder::apply(std::uint32_t type, std::uint64_t place, Value s, std::uint64_t addend) {
  using Kind = CodeObject::Fixup::Kind;
  const auto absolute = [&](Kind kind, std::uint64_t target) {
    if (s.absolute) put(place, kind == Kind::abs32_hi ? target >> 32 : target, kind == Kind::abs64 ? 8 : 4);
    else out_.fixups.push_back({kind, place, target});
    return Status();
  };
  const bool got = type == R_AMDGPU_GOTPCREL || type == R_AMDGPU_GOTPCREL32_LO || type == R_AMDGPU_GOTPCREL32_HI;
  const std::uint64_t target = (got ? got_entry(s) : s.value) + addend;
  const std::uint64_t distance = target - place;
  switch (type) {
    case R_AMDGPU_NONE:
      return {};
    case R_AMDGPU_ABS64:
      return absolute(Kind::abs64, target);
    case R_AMDGPU_ABS32_LO:
      return absolute(Kind::abs32_lo, target);
    case R_AMDGPU_ABS32_HI:
      return absolute(Kind::abs32_hi, target);
    case R_AMDGPU_ABS32:
      return absolute(Kind::abs32, target);
    case R_AMDGPU_RELATIVE64:
      out_.fixups.push_back({Kind::abs64, place, addend});
      return {};
    default:
      break;
  }
  if (s.absolute && !got)
    return Error{.code = Errc::unsupported,
                 .operation = "load code object",
                 .subject = elf_.subject(),
                 .address = place,
                 .detail = "the distance to an absolute or missing symbol is not known before the image is placed"};
  switch (type) {
    case R_AMDGPU_REL64:
      put(place, distance, 8);
      return {};
    case R_AMDGPU_GOTPCREL32_LO:
    case R_AMDGPU_REL32_LO:
      put(place, lo32(distance), 4);
      return {};
    case R_AMDGPU_GOTPCREL32_HI:
    case R_AMDGPU_REL32_HI:
      put(place, hi32(distance), 4);
      return {};
    case R_AMDGPU_GOTPCREL:
    case R_AMDGPU_REL32: {
      const auto narrow = static_cast<std::int64_t>(distance);
      if (narrow != static_cast<std::int32_t>(narrow)) return corrupt("a 32-bit relocation does not reach", place);
      put(place, lo32(distance), 4);
      return {};
    }
    default:
      return Error{.code = Errc::unsupported,
                   .operation = "load code object",
                   .subject = elf_.subject(),
                   .actual = type,
                   .address = place,
                   .detail = "unknown relocation type"};
  }
}

Status Builder::relocate_section(const ElfFile::Section& relocations, const ElfFile::Section& target,
                                 std::uint64_t start) {
  if (relocations.header.sh_link >= elf_.sections().size())
    return corrupt(fmt::format("section {} names no symbol table", relocations.name), relocations.header.sh_offset);
  const auto symbols = HCQ_TRY(elf_.symbols(elf_.sections()[relocations.header.sh_link]));
  const auto records = HCQ_TRY(elf_.relocations(relocations));
  for (const Elf64_Rela& r : records) {
    const auto type = static_cast<std::uint32_t>(ELF64_R_TYPE(r.r_info));
    const unsigned width = relocation_width(type);
    if (r.r_offset > target.header.sh_size || width > target.header.sh_size - r.r_offset)
      return corrupt(fmt::format("relocation outside section {}", target.name), r.r_offset);
    const Value s = HCQ_TRY(resolve(symbols, r));
    HCQ_TRY(apply(type, start + r.r_offset, s, static_cast<std::uint64_t>(r.r_addend)));
  }
  return {};
}

Status Builder::relocate_image(const ElfFile::Section& relocations) {
  std::vector<ElfFile::Symbol> symbols;
  const std::uint32_t link = relocations.header.sh_link;
  if (link != 0 && link < elf_.sections().size()) symbols = HCQ_TRY(elf_.symbols(elf_.sections()[link]));
  const std::uint64_t size = out_.image.size();
  for (const Elf64_Rela& r : HCQ_TRY(elf_.relocations(relocations))) {
    const auto type = static_cast<std::uint32_t>(ELF64_R_TYPE(r.r_info));
    const unsigned width = relocation_width(type);
    if (r.r_offset > size || width > size - r.r_offset) return corrupt("relocation outside the image", r.r_offset);
    Value s{0, false};
    if (type != R_AMDGPU_RELATIVE64) s = HCQ_TRY(resolve(symbols, r));
    HCQ_TRY(apply(type, r.r_offset, s, static_cast<std::uint64_t>(r.r_addend)));
  }
  return {};
}

Result<Layout> Builder::relocatable() {
  HCQ_TRY(place_sections());
  for (const ElfFile::Section& s : elf_.sections()) {
    if (s.header.sh_type == SHT_SYMTAB) HCQ_TRY(collect_symbols(s));
    if (s.header.sh_type == SHT_REL)
      return corrupt("relocations without addends are not used on AMD GPUs", s.header.sh_offset);
    if (s.header.sh_type != SHT_RELA) continue;
    const std::uint32_t target = s.header.sh_info;
    if (target >= elf_.sections().size())
      return corrupt(fmt::format("section {} relocates section {}", s.name, target), s.header.sh_offset);
    if (section_offset_[target] != kNowhere)
      HCQ_TRY(relocate_section(s, elf_.sections()[target], section_offset_[target]));
  }
  return std::move(out_);
}

Result<Layout> Builder::shared() {
  HCQ_TRY(copy_segments());
  for (const ElfFile::Section& s : elf_.sections()) {
    if (s.header.sh_type == SHT_SYMTAB || s.header.sh_type == SHT_DYNSYM) HCQ_TRY(collect_symbols(s));
    if (s.header.sh_type == SHT_RELA && s.allocated()) HCQ_TRY(relocate_image(s));
  }
  return std::move(out_);
}

}  // namespace

bool Layout::executable(std::uint64_t offset, std::uint64_t size) const {
  return std::any_of(code.begin(), code.end(),
                     [&](const Range& r) { return offset >= r.begin && offset <= r.end && size <= r.end - offset; });
}

Result<Layout> lay_out(const ElfFile& elf) {
  switch (elf.header().e_type) {
    case ET_REL:
      return Builder(elf).relocatable();
    case ET_DYN:
      return Builder(elf).shared();
    default:
      return Error{.code = Errc::unsupported,
                   .operation = "load code object",
                   .subject = elf.subject(),
                   .actual = elf.header().e_type,
                   .detail = "neither a relocatable object nor a shared object"};
  }
}

}  // namespace hcq::am
