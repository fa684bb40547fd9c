// SPDX-License-Identifier: MIT
// Global, flat and scratch memory. Operand forms:
//   global_load  vdst, vaddr64, off         global_load  vdst, voffset32, saddr64
//   scratch_load vdst, off|voffset32, saddr32|off
//   stores have the address first and the data second.
#include "models/isa/fast_access.h"
#include "models/isa/ops.h"
#include "models/isa/ops_address.h"

namespace hcq::models::isa {
namespace {

using Value = llvm::Value;

VectorAddress scratch_address(Translator& t, const Inst& i, const Operand& vaddr, const Operand& saddr) {
  Value* base = t.c64(static_cast<std::uint64_t>(i.number("offset", 0)));
  if (saddr.kind != Operand::Kind::none) base = t.b.CreateAdd(base, t.b.CreateZExt(t.sread32(saddr), t.i64));
  return {base, vaddr.is_vgpr() ? t.read_dword(vaddr, 0) : t.v32(0), nullptr, Space::scratch};
}

}  // namespace

VectorAddress vector_address(Translator& t, const Inst& i, const Operand& vaddr, const Operand* saddr) {
  if (i.mnemonic.starts_with("scratch_")) return scratch_address(t, i, vaddr, *saddr);
  auto* offset = t.c64(static_cast<std::uint64_t>(i.number("offset", 0)));
  if (saddr && saddr->is_sgpr() && !saddr->is_null()) {
    return {t.b.CreateAdd(t.sread64(*saddr), offset), t.read_dword(vaddr, 0), nullptr, Space::offset32};
  }
  const auto space = i.mnemonic.starts_with("flat_") ? Space::flat : Space::global;
  return {offset, t.read_dword(vaddr, 0), t.read_dword(vaddr, 1), space};
}

namespace {

void access(Translator& t, const Inst& i, void* function, const VectorAddress& a, unsigned bytes) {
  put_address(t, a);
  auto* failed = t.call(
      function, t.i32,
      {t.wave(), t.mask64(t.exec()), a.base, t.c32(static_cast<std::uint32_t>(a.space)), t.c32(bytes), t.c64(i.pc)});
  t.exit_if(t.b.CreateIsNotNull(failed), Exit::fault, i.pc);
}

// What becomes of a loaded value of less than a dword.
enum class Extend { zero, sign8, sign16, d16_low, d16_high };

Value* extend(Translator& t, Value* v, Extend how, unsigned bytes) {
  auto& b = t.b;
  if (how == Extend::sign8) return b.CreateSExt(b.CreateTrunc(v, llvm::FixedVectorType::get(t.i8, t.lanes)), t.vi32);
  if (how == Extend::sign16) return b.CreateSExt(b.CreateTrunc(v, t.vi16), t.vi32);
  return bytes >= 4 ? v : b.CreateAnd(v, t.v32(bytes == 1 ? 0xff : 0xffff));
}

bool has_inline_path(const VectorAddress& a, unsigned bytes) {
  return bytes >= 4 && (a.space == Space::global || a.space == Space::offset32);
}

template <unsigned kBytes, Extend kExtend = Extend::zero>
void load(Translator& t, const Inst& i) {
  constexpr unsigned words = (kBytes + 3) / 4;
  const auto a = vector_address(t, i, i.operands[1], saddr_of(i, 2));
  const auto general = [&] {
    access(t, i, reinterpret_cast<void*>(&hcq_isa_load), a, kBytes);
    LoadedWords loaded;
    for (unsigned k = 0; k < words; ++k) loaded.push_back(extend(t, t.get(kData + k), kExtend, kBytes));
    return loaded;
  };
  const auto loaded =
      has_inline_path(a, kBytes) ? load_words_inline(t, {a.base, a.low, a.high}, words, general) : general();
  for (unsigned k = 0; k < words; ++k) t.write_dword(i.operands[0], k, loaded[k]);
}

// D16 loads write one half of the register; bytes are extended to 16 bits.
template <unsigned kBytes, bool kSigned, bool kHigh>
void load_half(Translator& t, const Inst& i) {
  const auto a = vector_address(t, i, i.operands[1], saddr_of(i, 2));
  access(t, i, reinterpret_cast<void*>(&hcq_isa_load), a, kBytes);
  auto* v = extend(t, t.get(kData), kBytes == 1 && kSigned ? Extend::sign8 : Extend::zero, kBytes);
  t.write16(i.operands[0], kHigh, t.b.CreateTrunc(v, t.vi16));
}

template <unsigned kBytes, bool kHigh = false>
void store(Translator& t, const Inst& i) {
  const auto a = vector_address(t, i, i.operands[0], saddr_of(i, 2));
  const auto general = [&] {
    for (unsigned k = 0; k * 4 < kBytes; ++k) {
      auto* v = t.read_dword(i.operands[1], k);
      const bool high = kHigh || i.operands[1].half == 1;
      t.put(kData + k, high ? t.b.CreateLShr(v, t.v32(16)) : v);
    }
    access(t, i, reinterpret_cast<void*>(&hcq_isa_store), a, kBytes);
  };
  if (kBytes != 4 || !has_inline_path(a, kBytes)) return general();
  store_dwords_inline(t, {a.base, a.low, a.high}, t.read_dword(i.operands[1], 0), general);
}

#define HCQ_SPACES(suffix, handler) \
  {"global_" suffix, handler}, {"flat_" suffix, handler}, { "scratch_" suffix, handler }

constexpr Op kOps[] = {
    HCQ_SPACES("load_u8", load<1>),
    HCQ_SPACES("load_i8", (load<1, Extend::sign8>)),
    HCQ_SPACES("load_u16", load<2>),
    HCQ_SPACES("load_i16", (load<2, Extend::sign16>)),
    HCQ_SPACES("load_b32", load<4>),
    HCQ_SPACES("load_b64", load<8>),
    HCQ_SPACES("load_b96", load<12>),
    HCQ_SPACES("load_b128", load<16>),
    HCQ_SPACES("load_d16_u8", (load_half<1, false, false>)),
    HCQ_SPACES("load_d16_i8", (load_half<1, true, false>)),
    HCQ_SPACES("load_d16_b16", (load_half<2, false, false>)),
    HCQ_SPACES("load_d16_hi_u8", (load_half<1, false, true>)),
    HCQ_SPACES("load_d16_hi_i8", (load_half<1, true, true>)),
    HCQ_SPACES("load_d16_hi_b16", (load_half<2, false, true>)),
    HCQ_SPACES("store_b8", store<1>),
    HCQ_SPACES("store_b16", store<2>),
    HCQ_SPACES("store_b32", store<4>),
    HCQ_SPACES("store_b64", store<8>),
    HCQ_SPACES("store_b96", store<12>),
    HCQ_SPACES("store_b128", store<16>),
    HCQ_SPACES("store_d16_hi_b8", (store<1, true>)),
    HCQ_SPACES("store_d16_hi_b16", (store<2, true>)),
};

}  // namespace

std::span<const Op> global_ops() { return kOps; }

}  // namespace hcq::models::isa
