// SPDX-License-Identifier: MIT
#include "models/isa/decode.h"

#include <llvm-c/Disassembler.h>
#include <llvm-c/Target.h>

#include <array>
#include <cstdlib>
#include <cstring>

namespace hcq::models::isa {
namespace {

std::string_view trim(std::string_view s) {
  while (!s.empty() && (s.front() == ' ' || s.front() == '\t')) s.remove_prefix(1);
  while (!s.empty() && (s.back() == ' ' || s.back() == '\t' || s.back() == '\n')) s.remove_suffix(1);
  return s;
}

// Splits at `separator`, but not inside brackets or parentheses.
std::vector<std::string_view> split(std::string_view s, char separator) {
  std::vector<std::string_view> out;
  int depth = 0;
  std::size_t start = 0;
  for (std::size_t i = 0; i <= s.size(); ++i) {
    if (i < s.size() && (s[i] == '[' || s[i] == '(')) ++depth;
    if (i < s.size() && (s[i] == ']' || s[i] == ')')) --depth;
    if (i < s.size() && (s[i] != separator || depth > 0)) continue;
    if (auto part = trim(s.substr(start, i - start)); !part.empty()) out.push_back(part);
    start = i + 1;
  }
  return out;
}

std::int64_t to_integer(std::string_view s) {
  std::string text(s);
  return static_cast<std::int64_t>(text.starts_with("-")
                                       ? std::strtoll(text.c_str(), nullptr, 0)
                                       : static_cast<long long>(std::strtoull(text.c_str(), nullptr, 0)));
}

// "5" or "[4:7]" behind a register file's letter.
bool parse_register_range(std::string_view s, Operand& op, unsigned base) {
  if (s.empty()) return false;
  if (s.front() == '[') {
    const auto colon = s.find(':');
    if (colon == std::string_view::npos || s.back() != ']') return false;
    const auto first = to_integer(s.substr(1, colon - 1));
    const auto last = to_integer(s.substr(colon + 1, s.size() - colon - 2));
    op.reg = static_cast<std::uint16_t>(base + first);
    op.count = static_cast<std::uint8_t>(last - first + 1);
    return true;
  }
  if (s.front() < '0' || s.front() > '9') return false;
  op.reg = static_cast<std::uint16_t>(base + to_integer(s));
  return true;
}

struct NamedScalar {
  std::string_view name;
  std::uint16_t reg;
  std::uint8_t count;
};
constexpr std::array kNamedScalars{
    NamedScalar{"vcc_lo", kVccLo, 1},   NamedScalar{"vcc_hi", kVccLo + 1, 1},   NamedScalar{"vcc", kVccLo, 2},
    NamedScalar{"exec_lo", kExecLo, 1}, NamedScalar{"exec_hi", kExecLo + 1, 1}, NamedScalar{"exec", kExecLo, 2},
    NamedScalar{"m0", kM0, 1},          NamedScalar{"null", kNull, 1},
};

bool parse_register(std::string_view s, Operand& op) {
  for (const auto& named : kNamedScalars) {
    if (s != named.name) continue;
    op.kind = Operand::Kind::sgpr;
    op.reg = named.reg;
    op.count = named.count;
    return true;
  }
  if (s.ends_with(".l") || s.ends_with(".h")) {
    op.half = s.back() == 'h' ? 1 : 0;
    s.remove_suffix(2);
  }
  if (s.starts_with("ttmp") && parse_register_range(s.substr(4), op, 108)) {
    op.kind = Operand::Kind::sgpr;
    return true;
  }
  if (s.starts_with("s") && parse_register_range(s.substr(1), op, 0)) {
    op.kind = Operand::Kind::sgpr;
    return true;
  }
  if (s.starts_with("v") && parse_register_range(s.substr(1), op, 0)) {
    op.kind = Operand::Kind::vgpr;
    return true;
  }
  return false;
}

// "lit(0x0)" marks a literal whose value an inline constant could hold too.
bool parse_number(std::string_view s, Operand& op) {
  if (s.starts_with("lit(") && s.ends_with(")")) {
    op.kind = Operand::Kind::literal;
    op.integer = to_integer(s.substr(4, s.size() - 5));
    return true;
  }
  std::string text(s);
  const char first = text.starts_with("-") && text.size() > 1 ? text[1] : text.empty() ? '\0' : text[0];
  if (first < '0' || first > '9') return false;
  if (text.find("0x") != std::string::npos) {
    op.kind = Operand::Kind::literal;
    op.integer = to_integer(text);
  } else if (text.find('.') != std::string::npos) {
    op.kind = Operand::Kind::real;
    op.real = std::strtod(text.c_str(), nullptr);
  } else {
    op.kind = Operand::Kind::integer;
    op.integer = to_integer(text);
  }
  return true;
}

Operand parse_operand(std::string_view s) {
  Operand op;
  op.text = std::string(s);
  if (s == "off") return op;
  if (parse_number(s, op)) return op;
  if (s.starts_with("neg(") && s.ends_with(")")) {
    op.neg = true;
    s = s.substr(4, s.size() - 5);
  } else if (s.starts_with("-")) {
    op.neg = true;
    s.remove_prefix(1);
  }
  if (s.size() > 2 && s.front() == '|' && s.back() == '|') {
    op.abs = true;
    s = s.substr(1, s.size() - 2);
  }
  if (!parse_register(s, op) && !parse_number(s, op)) op.kind = Operand::Kind::special;
  return op;
}

constexpr std::array<std::string_view, 18> kFlagModifiers{
    "clamp",           "glc",         "slc", "dlc",  "gds", "lds", "idxen",
    "offen",           "tfe",         "lwe", "r128", "a16", "d16", "row_mirror",
    "row_half_mirror", "high_16bits", "nv",  "scc"};

bool is_modifier(std::string_view word) {
  for (auto flag : kFlagModifiers)
    if (word == flag) return true;
  const auto colon = word.find(':');
  return colon != std::string_view::npos && word.find('[') > colon;
}

void parse_words(std::string_view chunk, Inst& inst) {
  for (auto word : split(chunk, ' ')) {
    if (!is_modifier(word)) {
      inst.operands.push_back(parse_operand(word));
      continue;
    }
    const auto colon = word.find(':');
    if (colon == std::string_view::npos) inst.modifiers.emplace_back(word, "");
    else inst.modifiers.emplace_back(word.substr(0, colon), word.substr(colon + 1));
  }
}

void strip_suffix(Inst& inst) {
  for (std::string_view suffix : {"_e64_dpp", "_dpp", "_e32", "_e64"}) {
    if (!inst.mnemonic.ends_with(suffix)) continue;
    inst.mnemonic.resize(inst.mnemonic.size() - suffix.size());
    inst.dpp = suffix.ends_with("_dpp");
    return;
  }
}

}  // namespace

bool Inst::flag(std::string_view name) const {
  for (const auto& m : modifiers)
    if (m.first == name) return true;
  return false;
}

std::int64_t Inst::number(std::string_view name, std::int64_t otherwise) const {
  for (const auto& m : modifiers)
    if (m.first == name) return to_integer(m.second);
  return otherwise;
}

std::vector<int> Inst::list(std::string_view name) const {
  std::vector<int> out;
  for (const auto& m : modifiers) {
    if (m.first != name || m.second.size() < 2) continue;
    for (auto item : split(std::string_view(m.second).substr(1, m.second.size() - 2), ','))
      out.push_back(static_cast<int>(to_integer(item)));
  }
  return out;
}

Inst parse_instruction(std::string_view text) {
  Inst inst;
  text = trim(text);
  inst.text = std::string(text);
  if (const auto dual = text.find(" :: "); dual != std::string_view::npos) {
    inst.other = std::make_shared<Inst>(parse_instruction(text.substr(dual + 4)));
    text = text.substr(0, dual);
  }
  const auto space = text.find_first_of(" \t");
  inst.mnemonic = std::string(text.substr(0, space));
  strip_suffix(inst);
  if (inst.mnemonic.starts_with("v_dual_")) inst.mnemonic.erase(2, 5);
  if (space == std::string_view::npos) return inst;
  for (auto chunk : split(text.substr(space), ',')) parse_words(chunk, inst);
  return inst;
}

Decoder::Decoder(const std::string& processor, bool wave32) {
  LLVMInitializeAMDGPUTargetInfo();
  LLVMInitializeAMDGPUTargetMC();
  LLVMInitializeAMDGPUDisassembler();
  const char* features = wave32 ? "+wavefrontsize32,-wavefrontsize64" : "-wavefrontsize32,+wavefrontsize64";
  handle_ = LLVMCreateDisasmCPUFeatures("amdgcn-amd-amdhsa", processor.c_str(), features, nullptr, 0, nullptr, nullptr);
}

Decoder::~Decoder() {
  if (handle_) LLVMDisasmDispose(handle_);
}

std::optional<Inst> Decoder::decode(std::span<const std::byte> bytes, std::uint64_t pc) {
  std::array<std::uint8_t, 20> copy{};
  const std::size_t n = std::min(bytes.size(), copy.size());
  std::memcpy(copy.data(), bytes.data(), n);
  char text[512];
  const std::size_t size = LLVMDisasmInstruction(handle_, copy.data(), n, pc, text, sizeof text);
  if (size == 0) return std::nullopt;
  Inst inst = parse_instruction(text);
  inst.pc = pc;
  inst.size = static_cast<std::uint32_t>(size);
  std::memcpy(inst.words, copy.data(), std::min<std::size_t>(n, sizeof inst.words));
  if (inst.other) {
    inst.other->pc = pc;
    inst.other->size = inst.size;
  }
  return inst;
}

}  // namespace hcq::models::isa
