// SPDX-License-Identifier: MIT
// Untyped buffer accesses through a resource descriptor in four scalar registers. Operands: data, address registers or
// "off", descriptor, scalar offset; the forms with idxen and offen take an index, an offset, or both, in that order.
// Source: RDNA3 ISA guide, 9.1 (buffer addressing and range checks). Swizzled buffers, ADD_TID and TFE are not modelled
// and end the wave as illegal.
#include "models/isa/ops.h"
#include "models/isa/ops_address.h"

namespace hcq::models::isa {
namespace {

using Value = llvm::Value;

// Fields of the descriptor's words.
constexpr std::uint32_t kBaseHigh = 0xffff, kStrideMask = 0x3fff, kSwizzleMask = 3u << 30, kAddTid = 1u << 23;
constexpr unsigned kStrideShift = 16, kOobShift = 28;
enum OutOfBounds : std::uint32_t { kStructured, kStructuredIndex, kEmpty, kRaw };

struct BufferAddress {
  Value* low;
  Value* high;
  Value* inside;  // lanes that pass the range check
};

// Per lane, 64 bits wide: nothing here can overflow.
BufferAddress buffer_address(Translator& t, const Inst& i, const Operand& vaddr, const Operand& rsrc,
                             const Operand& soffset, unsigned bytes) {
  auto& b = t.b;
  Value* word[4];
  for (unsigned n = 0; n < 4; ++n) word[n] = t.sreg(rsrc.reg + n);
  auto* odd =
      b.CreateOr(b.CreateAnd(word[1], t.c32(kSwizzleMask)), b.CreateAnd(word[3], t.c32(kAddTid)), "unsupported");
  t.exit_if(b.CreateIsNotNull(odd), Exit::illegal, i.pc);
  if (i.flag("tfe") || i.flag("lds")) t.illegal();

  const bool idxen = i.flag("idxen"), offen = i.flag("offen");
  const auto wide = [&](Value* v) { return b.CreateZExt(v, t.vi64); };
  auto* index = idxen ? wide(t.read_dword(vaddr, 0)) : t.v64(0);
  Value* offset = t.v64(static_cast<std::uint64_t>(i.number("offset", 0)));
  if (offen) offset = b.CreateAdd(offset, wide(t.read_dword(vaddr, idxen ? 1 : 0)));
  auto* scalar = b.CreateZExt(t.sread32(soffset), t.i64);
  auto* stride = b.CreateZExt(b.CreateAnd(b.CreateLShr(word[1], kStrideShift), t.c32(kStrideMask)), t.i64);
  auto* records = b.CreateZExt(word[2], t.i64);

  auto* base = b.CreateOr(b.CreateZExt(word[0], t.i64),
                          b.CreateShl(b.CreateZExt(b.CreateAnd(word[1], t.c32(kBaseHigh)), t.i64), 32));
  auto* va = b.CreateAdd(b.CreateAdd(t.splat(b.CreateAdd(base, scalar)), offset), b.CreateMul(index, t.splat(stride)));

  auto* select = b.CreateAnd(b.CreateLShr(word[3], kOobShift), t.c32(3));
  const auto is = [&](OutOfBounds kind) { return t.splat(b.CreateICmpEQ(select, t.c32(kind))); };
  auto* end = b.CreateAdd(offset, t.v64(bytes));
  auto* fits_index = b.CreateICmpULT(index, t.splat(records));
  auto* fits_record = b.CreateAnd(fits_index, b.CreateICmpULE(end, t.splat(stride)));
  auto* not_empty = t.splat(b.CreateIsNotNull(records));
  // Raw: the scalar offset counts as well, and the index only moves the address.
  auto* fits_raw = b.CreateICmpULE(b.CreateAdd(end, t.splat(scalar)), t.splat(records));
  auto* inside = b.CreateSelect(
      is(kRaw), fits_raw,
      b.CreateSelect(is(kEmpty), not_empty, b.CreateSelect(is(kStructuredIndex), fits_index, fits_record)));
  return {b.CreateTrunc(va, t.vi32), b.CreateTrunc(b.CreateLShr(va, t.v64(32)), t.vi32), inside};
}

Value* lanes_to_access(Translator& t, const BufferAddress& a) {
  return t.mask64(t.b.CreateAnd(t.exec(), t.b.CreateBitCast(a.inside, t.mask_type)));
}

void access(Translator& t, const Inst& i, void* function, const BufferAddress& a, unsigned bytes) {
  t.put(kAddressLow, a.low);
  t.put(kAddressHigh, a.high);
  auto* failed = t.call(function, t.i32,
                        {t.wave(), lanes_to_access(t, a), t.c64(0), t.c32(static_cast<std::uint32_t>(Space::global)),
                         t.c32(bytes), t.c64(i.pc)});
  t.exit_if(t.b.CreateIsNotNull(failed), Exit::fault, i.pc);
}

BufferAddress address_of(Translator& t, const Inst& i, unsigned bytes) {
  return buffer_address(t, i, i.operands[1], i.operands[2], i.operands[3], bytes);
}

// Out of range reads zero.
Value* loaded(Translator& t, const BufferAddress& a, unsigned k) {
  return t.b.CreateSelect(a.inside, t.get(kData + k), t.v32(0));
}

Value* sign_extend(Translator& t, Value* v, unsigned bytes) {
  auto* up = t.b.CreateShl(v, t.v32(32 - 8 * bytes));
  return t.b.CreateAShr(up, t.v32(32 - 8 * bytes));
}

template <unsigned kBytes, bool kSigned = false>
void load(Translator& t, const Inst& i) {
  const auto a = address_of(t, i, kBytes);
  access(t, i, reinterpret_cast<void*>(&hcq_isa_load), a, kBytes);
  for (unsigned k = 0; k * 4 < kBytes; ++k) {
    auto* v = loaded(t, a, k);
    t.write_dword(i.operands[0], k, kSigned ? sign_extend(t, v, kBytes) : v);
  }
}

template <unsigned kBytes, bool kSigned, bool kHigh>
void load_half(Translator& t, const Inst& i) {
  const auto a = address_of(t, i, kBytes);
  access(t, i, reinterpret_cast<void*>(&hcq_isa_load), a, kBytes);
  auto* v = loaded(t, a, 0);
  t.write16(i.operands[0], kHigh, t.b.CreateTrunc(kSigned ? sign_extend(t, v, kBytes) : v, t.vi16));
}

template <unsigned kBytes, bool kHigh = false>
void store(Translator& t, const Inst& i) {
  const auto a = address_of(t, i, kBytes);
  for (unsigned k = 0; k * 4 < kBytes; ++k) {
    auto* v = t.read_dword(i.operands[0], k);
    const bool high = kHigh || i.operands[0].half == 1;
    t.put(kData + k, high ? t.b.CreateLShr(v, t.v32(16)) : v);
  }
  access(t, i, reinterpret_cast<void*>(&hcq_isa_store), a, kBytes);
}

template <Atomic kOp, unsigned kBytes>
void atomic(Translator& t, const Inst& i) {
  const auto a = address_of(t, i, kBytes);
  t.put(kAddressLow, a.low);
  t.put(kAddressHigh, a.high);
  const unsigned words = kBytes / 4 * (kOp == Atomic::cmpswap || kOp == Atomic::fcmpswap ? 2 : 1);
  for (unsigned k = 0; k < words; ++k) t.put(kData + k, t.read_dword(i.operands[0], k));
  auto* failed = t.call(reinterpret_cast<void*>(&hcq_isa_atomic), t.i32,
                        {t.wave(), lanes_to_access(t, a), t.c64(0), t.c32(static_cast<std::uint32_t>(Space::global)),
                         t.c32(static_cast<std::uint32_t>(kOp)), t.c32(kBytes), t.c64(i.pc)});
  t.exit_if(t.b.CreateIsNotNull(failed), Exit::fault, i.pc);
  if (i.flag("glc"))
    for (unsigned k = 0; k * 4 < kBytes; ++k) t.write_dword(i.operands[0], k, loaded(t, a, k));
}

#define HCQ_ATOMIC(name, kind, bytes) {"buffer_atomic_" name, atomic<Atomic::kind, bytes>}

constexpr Op kOps[] = {
    {"buffer_load_u8", load<1>},
    {"buffer_load_i8", load<1, true>},
    {"buffer_load_u16", load<2>},
    {"buffer_load_i16", load<2, true>},
    {"buffer_load_b32", load<4>},
    {"buffer_load_b64", load<8>},
    {"buffer_load_b96", load<12>},
    {"buffer_load_b128", load<16>},
    {"buffer_load_d16_u8", load_half<1, false, false>},
    {"buffer_load_d16_i8", load_half<1, true, false>},
    {"buffer_load_d16_b16", load_half<2, false, false>},
    {"buffer_load_d16_hi_u8", load_half<1, false, true>},
    {"buffer_load_d16_hi_i8", load_half<1, true, true>},
    {"buffer_load_d16_hi_b16", load_half<2, false, true>},
    {"buffer_store_b8", store<1>},
    {"buffer_store_b16", store<2>},
    {"buffer_store_b32", store<4>},
    {"buffer_store_b64", store<8>},
    {"buffer_store_b96", store<12>},
    {"buffer_store_b128", store<16>},
    {"buffer_store_d16_hi_b8", store<1, true>},
    {"buffer_store_d16_hi_b16", store<2, true>},
    HCQ_ATOMIC("swap_b32", swap, 4),
    HCQ_ATOMIC("swap_b64", swap, 8),
    HCQ_ATOMIC("cmpswap_b32", cmpswap, 4),
    HCQ_ATOMIC("cmpswap_b64", cmpswap, 8),
    HCQ_ATOMIC("cmpswap_f32", fcmpswap, 4),
    HCQ_ATOMIC("add_u32", add, 4),
    HCQ_ATOMIC("add_u64", add, 8),
    HCQ_ATOMIC("sub_u32", sub, 4),
    HCQ_ATOMIC("sub_u64", sub, 8),
    HCQ_ATOMIC("csub_u32", csub, 4),
    HCQ_ATOMIC("min_i32", smin, 4),
    HCQ_ATOMIC("min_i64", smin, 8),
    HCQ_ATOMIC("min_u32", umin, 4),
    HCQ_ATOMIC("min_u64", umin, 8),
    HCQ_ATOMIC("max_i32", smax, 4),
    HCQ_ATOMIC("max_i64", smax, 8),
    HCQ_ATOMIC("max_u32", umax, 4),
    HCQ_ATOMIC("max_u64", umax, 8),
    HCQ_ATOMIC("and_b32", bit_and, 4),
    HCQ_ATOMIC("and_b64", bit_and, 8),
    HCQ_ATOMIC("or_b32", bit_or, 4),
    HCQ_ATOMIC("or_b64", bit_or, 8),
    HCQ_ATOMIC("xor_b32", bit_xor, 4),
    HCQ_ATOMIC("xor_b64", bit_xor, 8),
    HCQ_ATOMIC("inc_u32", inc, 4),
    HCQ_ATOMIC("inc_u64", inc, 8),
    HCQ_ATOMIC("dec_u32", dec, 4),
    HCQ_ATOMIC("dec_u64", dec, 8),
    HCQ_ATOMIC("add_f32", fadd, 4),
    HCQ_ATOMIC("min_f32", fmin, 4),
    HCQ_ATOMIC("max_f32", fmax, 4),
};

}  // namespace

std::span<const Op> buffer_ops() { return kOps; }

}  // namespace hcq::models::isa
