// SPDX-License-Identifier: MIT
// v_cmp and v_cmpx: the mnemonic spells operation and type, so one handler takes it apart.
#include <array>
#include <optional>

#include "models/isa/float_kind.h"
#include "models/isa/ops.h"

namespace hcq::models::isa {
namespace {

using Value = llvm::Value;
using Predicate = llvm::CmpInst::Predicate;
using enum llvm::CmpInst::Predicate;

struct Named {
  std::string_view name;
  Predicate predicate;
};
constexpr std::array kFloat{
    Named{"f", FCMP_FALSE}, Named{"lt", FCMP_OLT},  Named{"eq", FCMP_OEQ},  Named{"le", FCMP_OLE},
    Named{"gt", FCMP_OGT},  Named{"lg", FCMP_ONE},  Named{"ge", FCMP_OGE},  Named{"o", FCMP_ORD},
    Named{"u", FCMP_UNO},   Named{"nge", FCMP_ULT}, Named{"nlg", FCMP_UEQ}, Named{"ngt", FCMP_ULE},
    Named{"nle", FCMP_UGT}, Named{"neq", FCMP_UNE}, Named{"nlt", FCMP_UGE}, Named{"t", FCMP_TRUE},
};
constexpr std::array kSigned{
    Named{"lt", ICMP_SLT}, Named{"eq", ICMP_EQ}, Named{"le", ICMP_SLE},
    Named{"gt", ICMP_SGT}, Named{"ne", ICMP_NE}, Named{"ge", ICMP_SGE},
};
constexpr std::array kUnsigned{
    Named{"lt", ICMP_ULT}, Named{"eq", ICMP_EQ}, Named{"le", ICMP_ULE},
    Named{"gt", ICMP_UGT}, Named{"ne", ICMP_NE}, Named{"ge", ICMP_UGE},
};

template <std::size_t N>
std::optional<Predicate> lookup(const std::array<Named, N>& names, std::string_view name) {
  for (const auto& n : names)
    if (n.name == name) return n.predicate;
  return std::nullopt;
}

// "v_cmpx_nlt_f32" -> {true, "nlt", 'f', 32}
struct Compare {
  bool writes_exec;
  std::string_view operation;
  char type;
  unsigned bits;
};
std::optional<Compare> parse(std::string_view m) {
  Compare c{};
  c.writes_exec = m.starts_with("v_cmpx_");
  if (!c.writes_exec && !m.starts_with("v_cmp_")) return std::nullopt;
  m.remove_prefix(c.writes_exec ? 7 : 6);
  const auto underscore = m.find('_');
  if (underscore == std::string_view::npos || m.size() != underscore + 4) return std::nullopt;
  c.operation = m.substr(0, underscore);
  c.type = m[underscore + 1];
  c.bits = m.ends_with("16") ? 16 : m.ends_with("32") ? 32 : m.ends_with("64") ? 64 : 0;
  if (c.bits == 0 || (c.type != 'f' && c.type != 'i' && c.type != 'u')) return std::nullopt;
  const bool constant = c.operation == "f" || c.operation == "t";
  const bool known = c.operation == "class" ? c.type == 'f'
                     : c.type == 'f'        ? lookup(kFloat, c.operation).has_value()
                                            : constant || lookup(kSigned, c.operation).has_value();
  return known ? std::optional(c) : std::nullopt;
}

Value* read_int(Translator& t, const Operand& op, unsigned bits, bool select) {
  return bits == 16 ? t.read16(op, select) : bits == 32 ? t.read32(op) : t.read64(op);
}
Value* read_real(Translator& t, const Operand& op, unsigned bits, bool select) {
  return bits == 16 ? t.readf16(op, select) : bits == 32 ? t.readf32(op) : t.readf64(op);
}

// Bits of the class mask: sNaN, qNaN, -inf, -normal, -denormal, -0, +0, +denormal, +normal, +inf.
Value* classify(Translator& t, Value* x, Value* mask) {
  auto& b = t.b;
  auto* bits = float_bits(t, x);
  auto* type = bits->getType();
  const unsigned width = type->getScalarSizeInBits();
  const unsigned mantissa = width == 16 ? 10 : width == 32 ? 23 : 52;
  const auto constant = [&](std::uint64_t v) { return llvm::ConstantInt::get(type, v); };
  const std::uint64_t infinity = ((std::uint64_t{1} << (width - 1 - mantissa)) - 1) << mantissa;
  const std::uint64_t quiet = std::uint64_t{1} << (mantissa - 1);
  const std::uint64_t smallest_normal = std::uint64_t{1} << mantissa;
  auto* magnitude = b.CreateAnd(bits, constant(infinity | (smallest_normal - 1)));
  auto* negative = b.CreateICmpSLT(bits, constant(0));
  // Index of the class bit for positive values; negative ones mirror at 5.5.
  Value* index = b.CreateSelect(b.CreateICmpULT(magnitude, constant(smallest_normal)), t.v32(7), t.v32(8));
  index = b.CreateSelect(b.CreateIsNull(magnitude), t.v32(6), index);
  index = b.CreateSelect(b.CreateICmpEQ(magnitude, constant(infinity)), t.v32(9), index);
  index = b.CreateSelect(negative, b.CreateSub(t.v32(11), index), index);
  auto* nan = b.CreateICmpUGT(magnitude, constant(infinity));
  auto* nan_index = b.CreateSelect(b.CreateIsNotNull(b.CreateAnd(bits, constant(quiet))), t.v32(1), t.v32(0));
  index = b.CreateSelect(nan, nan_index, index);
  return b.CreateTrunc(b.CreateLShr(mask, index), t.vi1);
}

// The source of a class test is not flushed.
Value* class_test(Translator& t, const Inst& i, unsigned first, unsigned bits) {
  const auto& op = i.operands[first];
  Value* raw = op.kind == Operand::Kind::literal && bits == 64 ? t.v64(static_cast<std::uint64_t>(op.integer) << 32)
                                                               : read_int(t, op, bits, t.op_sel(0));
  auto* x = t.modify(t.b.CreateBitCast(raw, bits == 16 ? t.vf16 : bits == 32 ? t.vf32 : t.vf64), op);
  const auto& mask_operand = i.operands[first + 1];
  Value* mask = bits == 16 ? t.b.CreateZExt(t.read16(mask_operand, t.op_sel(1)), t.vi32) : t.read32(mask_operand);
  return classify(t, x, mask);
}

void compare(Translator& t, const Inst& i) {
  const auto c = *parse(i.mnemonic);
  // v_cmpx names no destination on gfx10 and later.
  const unsigned first = static_cast<unsigned>(i.operands.size()) - 2;
  Value* result = nullptr;
  if (c.operation == "class") {
    result = class_test(t, i, first, c.bits);
  } else if (c.type == 'f') {
    auto* x = read_real(t, i.operands[first], c.bits, t.op_sel(0));
    auto* y = read_real(t, i.operands[first + 1], c.bits, t.op_sel(1));
    result = t.b.CreateFCmp(*lookup(kFloat, c.operation), x, y);
  } else if (const auto predicate = lookup(c.type == 'i' ? kSigned : kUnsigned, c.operation)) {
    auto* x = read_int(t, i.operands[first], c.bits, t.op_sel(0));
    auto* y = read_int(t, i.operands[first + 1], c.bits, t.op_sel(1));
    result = t.b.CreateICmp(*predicate, x, y);
  } else {
    result = t.splat(t.b.getInt1(c.operation == "t"));
  }
  if (!c.writes_exec) return t.write_lanes(i.operands[0], result);
  Operand exec;
  exec.kind = Operand::Kind::sgpr;
  exec.reg = kExecLo;
  exec.count = t.lanes == 32 ? 1 : 2;
  t.write_lanes(exec, result);
}

}  // namespace

Handler find_compare(std::string_view mnemonic) { return parse(mnemonic) ? compare : nullptr; }

}  // namespace hcq::models::isa
