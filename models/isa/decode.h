// SPDX-License-Identifier: MIT
// One machine instruction, taken apart. LLVM's disassembler turns the bytes into assembly text and the text is parsed
// here: the assembly language is documented (LLVM's AMDGPU operand and modifier syntax pages) and changes far less from
// release to release than the disassembler's internal operand lists.
#pragma once

#include <cstddef>
#include <cstdint>
#include <memory>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

namespace hcq::models::isa {

// Scalar register numbers as encoded in instructions ("RDNA3 Shader ISA", table of scalar operands).
constexpr unsigned kVccLo = 106;
constexpr unsigned kNull = 124;
constexpr unsigned kM0 = 125;
constexpr unsigned kExecLo = 126;

struct Operand {
  enum class Kind : std::uint8_t {
    none,     // "off"
    sgpr,     // s, vcc, ttmp, m0, exec, null: `reg` is the encoded number
    vgpr,     // v
    integer,  // inline integer: sign-extended to whatever the instruction reads
    literal,  // 32-bit literal: the high half of a 64-bit float
    real,     // inline floating-point constant
    special,  // `text` names it: src_scc, src_shared_base, hwreg(...), sendmsg(...)
  };
  Kind kind = Kind::none;
  std::uint16_t reg = 0;
  std::uint8_t count = 1;  // dwords
  std::int8_t half = -1;   // v0.l: 0, v0.h: 1, whole register: -1
  bool neg = false;
  bool abs = false;
  std::int64_t integer = 0;
  double real = 0;
  std::string text;

  bool is_vgpr() const { return kind == Kind::vgpr; }
  bool is_sgpr() const { return kind == Kind::sgpr; }
  bool is_null() const { return kind == Kind::sgpr && reg == kNull; }
};

struct Inst {
  std::uint64_t pc = 0;  // byte offset from the entry of the code object
  std::uint32_t size = 0;
  std::uint32_t words[5] = {};
  std::string text;      // as printed
  std::string mnemonic;  // without encoding suffix: "v_add_f32"
  bool dpp = false;      // had a _dpp suffix
  std::vector<Operand> operands;
  std::vector<std::pair<std::string, std::string>> modifiers;  // "offset" -> "4", "glc" -> ""
  std::shared_ptr<Inst> other;                                 // VOPD: the Y operation

  bool flag(std::string_view name) const;
  std::int64_t number(std::string_view name, std::int64_t otherwise) const;
  // op_sel:[0,1,1] and the like; empty when absent.
  std::vector<int> list(std::string_view name) const;
  std::int32_t simm16() const { return static_cast<std::int16_t>(words[0] & 0xffff); }
  // Target of a SOPP branch, as an offset from the entry.
  std::uint64_t branch_target() const { return pc + 4 + static_cast<std::int64_t>(simm16()) * 4; }
};

class Decoder {
 public:
  // `processor` is LLVM's name, "gfx1100". ok() is false when LLVM does not know it.
  Decoder(const std::string& processor, bool wave32);
  ~Decoder();
  Decoder(const Decoder&) = delete;
  Decoder& operator=(const Decoder&) = delete;
  bool ok() const { return handle_ != nullptr; }
  // Decodes the instruction at the start of `bytes`; nullopt when it is none.
  std::optional<Inst> decode(std::span<const std::byte> bytes, std::uint64_t pc);

 private:
  void* handle_ = nullptr;
};

// Parses one line of assembly; exposed for tests.
Inst parse_instruction(std::string_view text);

}  // namespace hcq::models::isa
