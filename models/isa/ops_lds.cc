// SPDX-License-Identifier: MIT
// LDS: loads, stores, atomics, and the permutations that run through the LDS crossbar without touching memory.
#include "models/isa/fast_access.h"
#include "models/isa/ops.h"
#include "models/isa/runtime.h"

namespace hcq::models::isa {
namespace {

using Value = llvm::Value;

template <class F>
void* address_of(F* function) {
  return reinterpret_cast<void*>(function);
}

llvm::Type* no_result(Translator& t) { return llvm::Type::getVoidTy(t.module.getContext()); }

Value* byte_offset(Translator& t, const Inst& i, const char* name, unsigned scale) {
  return t.c32(static_cast<std::uint32_t>(i.number(name, 0)) * scale);
}

void read_rows(Translator& t, Value* offset, unsigned bytes, unsigned row) {
  t.call(address_of(&hcq_isa_lds_load), no_result(t), {t.wave(), t.mask64(t.exec()), offset, t.c32(bytes), t.c32(row)});
}
void write_rows(Translator& t, Value* offset, unsigned bytes, unsigned row) {
  t.call(address_of(&hcq_isa_lds_store), no_result(t),
         {t.wave(), t.mask64(t.exec()), offset, t.c32(bytes), t.c32(row)});
}

DwordAccess lds_access(Translator& t, const Inst& i, Value* address) {
  return {t.c64(static_cast<std::uint64_t>(i.number("offset", 0))), address, nullptr, true};
}

enum class Extend { zero, sign };

Value* extend(Translator& t, Value* v, Extend how, unsigned bytes) {
  if (bytes >= 4) return v;
  if (how == Extend::zero) return t.b.CreateAnd(v, t.v32(bytes == 1 ? 0xff : 0xffff));
  auto* narrow = bytes == 1 ? llvm::FixedVectorType::get(t.i8, t.lanes) : llvm::cast<llvm::FixedVectorType>(t.vi16);
  return t.b.CreateSExt(t.b.CreateTrunc(v, narrow), t.vi32);
}

template <unsigned kBytes, Extend kExtend = Extend::zero>
void load(Translator& t, const Inst& i) {
  constexpr unsigned words = (kBytes + 3) / 4;
  auto* address = t.read32(i.operands[1]);
  const auto general = [&] {
    t.put(kAddressLow, address);
    read_rows(t, byte_offset(t, i, "offset", 1), kBytes, kData);
    LoadedWords loaded;
    for (unsigned k = 0; k < words; ++k) loaded.push_back(extend(t, t.get(kData + k), kExtend, kBytes));
    return loaded;
  };
  const auto loaded = kBytes >= 4 ? load_words_inline(t, lds_access(t, i, address), words, general) : general();
  for (unsigned k = 0; k < words; ++k) t.write_dword(i.operands[0], k, loaded[k]);
}

template <unsigned kBytes, Extend kExtend, bool kHigh>
void load_half(Translator& t, const Inst& i) {
  t.put(kAddressLow, t.read32(i.operands[1]));
  read_rows(t, byte_offset(t, i, "offset", 1), kBytes, kData);
  t.write16(i.operands[0], kHigh, t.b.CreateTrunc(extend(t, t.get(kData), kExtend, kBytes), t.vi16));
}

template <unsigned kBytes, unsigned kScale>
void load_pair(Translator& t, const Inst& i) {
  constexpr unsigned words = kBytes / 4;
  t.put(kAddressLow, t.read32(i.operands[1]));
  read_rows(t, byte_offset(t, i, "offset0", kScale), kBytes, kData);
  read_rows(t, byte_offset(t, i, "offset1", kScale), kBytes, kData + words);
  for (unsigned k = 0; k < 2 * words; ++k) t.write_dword(i.operands[0], k, t.get(kData + k));
}

void put_data(Translator& t, const Operand& op, unsigned words, unsigned row, bool high = false) {
  for (unsigned k = 0; k < words; ++k) {
    auto* v = t.read_dword(op, k);
    t.put(row + k, high || op.half == 1 ? t.b.CreateLShr(v, t.v32(16)) : v);
  }
}

template <unsigned kBytes, bool kHigh = false>
void store(Translator& t, const Inst& i) {
  auto* address = t.read32(i.operands[0]);
  const auto general = [&] {
    t.put(kAddressLow, address);
    put_data(t, i.operands[1], (kBytes + 3) / 4, kData, kHigh);
    write_rows(t, byte_offset(t, i, "offset", 1), kBytes, kData);
  };
  if (kBytes != 4) return general();
  store_dwords_inline(t, lds_access(t, i, address), t.read_dword(i.operands[1], 0), general);
}

template <unsigned kBytes, unsigned kScale>
void store_pair(Translator& t, const Inst& i) {
  t.put(kAddressLow, t.read32(i.operands[0]));
  put_data(t, i.operands[1], kBytes / 4, kData);
  put_data(t, i.operands[2], kBytes / 4, kData + kBytes / 4);
  write_rows(t, byte_offset(t, i, "offset0", kScale), kBytes, kData);
  write_rows(t, byte_offset(t, i, "offset1", kScale), kBytes, kData + kBytes / 4);
}

// Operands: [destination,] address, data [, comparand].
template <Atomic kOp, unsigned kBytes, bool kReturns>
void atomic(Translator& t, const Inst& i) {
  constexpr unsigned first = kReturns ? 1 : 0;
  constexpr unsigned words = kBytes / 4;
  t.put(kAddressLow, t.read32(i.operands[first]));
  for (unsigned n = first + 1; n < i.operands.size(); ++n)
    put_data(t, i.operands[n], words, kData + (n - first - 1) * words);
  t.call(address_of(&hcq_isa_lds_atomic), no_result(t),
         {t.wave(), t.mask64(t.exec()), byte_offset(t, i, "offset", 1), t.c32(static_cast<std::uint32_t>(kOp)),
          t.c32(kBytes)});
  if (kReturns)
    for (unsigned k = 0; k < words; ++k) t.write_dword(i.operands[0], k, t.get(kData + k));
}

// Lanes read inactive lanes as 0.
Value* active_only(Translator& t, Value* v) { return t.b.CreateSelect(t.exec_lanes(), v, t.v32(0)); }

// Wave64 runs in two halves, each of which permutes only within itself.
Value* own_half(Translator& t, Value* index) {
  llvm::SmallVector<llvm::Constant*, kMaxLanes> half;
  for (unsigned lane = 0; lane < t.lanes; ++lane) half.push_back(t.b.getInt32(lane & 32));
  return t.b.CreateOr(t.b.CreateAnd(index, t.v32(31)), llvm::ConstantVector::get(half));
}

void backward_permute(Translator& t, const Inst& i) {
  auto* address = t.b.CreateAdd(t.read32(i.operands[1]), t.v32(static_cast<std::uint32_t>(i.number("offset", 0))));
  auto* index = own_half(t, t.b.CreateLShr(address, t.v32(2)));
  t.write32(i.operands[0], t.gather_lanes(active_only(t, t.read32(i.operands[2])), index));
}

void forward_permute(Translator& t, const Inst& i) {
  auto* address = t.b.CreateAdd(t.read32(i.operands[1]), t.v32(static_cast<std::uint32_t>(i.number("offset", 0))));
  t.put(kAddressLow, own_half(t, t.b.CreateLShr(address, t.v32(2))));
  t.put(kData, t.read32(i.operands[2]));
  t.call(address_of(&hcq_isa_permute), no_result(t), {t.wave(), t.mask64(t.exec())});
  t.write32(i.operands[0], t.get(kData));
}

// The offset field holds the pattern: quad permutation with bit 15, otherwise and, or, xor masks of the lane number.
void swizzle(Translator& t, const Inst& i) {
  const unsigned pattern = i.words[0] & 0xffff;
  constexpr unsigned kRotateMode = 0xc000;
  if (pattern >= kRotateMode) return t.illegal();
  llvm::SmallVector<int, kMaxLanes> source;
  for (unsigned lane = 0; lane < t.lanes; ++lane) {
    const unsigned quad = (lane & ~3u) | (pattern >> (lane % 4 * 2) & 3);
    const unsigned masked = (((lane & 31) & (pattern & 31)) | (pattern >> 5 & 31)) ^ (pattern >> 10 & 31);
    source.push_back(static_cast<int>(pattern & 0x8000 ? quad : (lane & 32) | masked));
  }
  t.write32(i.operands[0], t.b.CreateShuffleVector(active_only(t, t.read32(i.operands[1])), source));
}

#define HCQ_DS_ATOMIC(op, suffix, kind, bytes)                 \
  {"ds_" op "_" suffix, atomic<Atomic::kind, bytes, false>}, { \
    "ds_" op "_rtn_" suffix, atomic<Atomic::kind, bytes, true> \
  }

constexpr Op kOps[] = {
    {"ds_load_u8", load<1>},
    {"ds_load_i8", load<1, Extend::sign>},
    {"ds_load_u16", load<2>},
    {"ds_load_i16", load<2, Extend::sign>},
    {"ds_load_b32", load<4>},
    {"ds_load_b64", load<8>},
    {"ds_load_b96", load<12>},
    {"ds_load_b128", load<16>},
    {"ds_load_u8_d16", load_half<1, Extend::zero, false>},
    {"ds_load_u8_d16_hi", load_half<1, Extend::zero, true>},
    {"ds_load_i8_d16", load_half<1, Extend::sign, false>},
    {"ds_load_i8_d16_hi", load_half<1, Extend::sign, true>},
    {"ds_load_u16_d16", load_half<2, Extend::zero, false>},
    {"ds_load_u16_d16_hi", load_half<2, Extend::zero, true>},
    {"ds_load_2addr_b32", load_pair<4, 4>},
    {"ds_load_2addr_b64", load_pair<8, 8>},
    {"ds_load_2addr_stride64_b32", load_pair<4, 256>},
    {"ds_load_2addr_stride64_b64", load_pair<8, 512>},
    {"ds_store_b8", store<1>},
    {"ds_store_b16", store<2>},
    {"ds_store_b32", store<4>},
    {"ds_store_b64", store<8>},
    {"ds_store_b96", store<12>},
    {"ds_store_b128", store<16>},
    {"ds_store_b8_d16_hi", store<1, true>},
    {"ds_store_b16_d16_hi", store<2, true>},
    {"ds_store_2addr_b32", store_pair<4, 4>},
    {"ds_store_2addr_b64", store_pair<8, 8>},
    {"ds_store_2addr_stride64_b32", store_pair<4, 256>},
    {"ds_store_2addr_stride64_b64", store_pair<8, 512>},
    HCQ_DS_ATOMIC("add", "u32", add, 4),
    HCQ_DS_ATOMIC("add", "u64", add, 8),
    HCQ_DS_ATOMIC("sub", "u32", sub, 4),
    HCQ_DS_ATOMIC("sub", "u64", sub, 8),
    HCQ_DS_ATOMIC("inc", "u32", inc, 4),
    HCQ_DS_ATOMIC("inc", "u64", inc, 8),
    HCQ_DS_ATOMIC("dec", "u32", dec, 4),
    HCQ_DS_ATOMIC("dec", "u64", dec, 8),
    HCQ_DS_ATOMIC("min", "i32", smin, 4),
    HCQ_DS_ATOMIC("min", "i64", smin, 8),
    HCQ_DS_ATOMIC("min", "u32", umin, 4),
    HCQ_DS_ATOMIC("min", "u64", umin, 8),
    HCQ_DS_ATOMIC("max", "i32", smax, 4),
    HCQ_DS_ATOMIC("max", "i64", smax, 8),
    HCQ_DS_ATOMIC("max", "u32", umax, 4),
    HCQ_DS_ATOMIC("max", "u64", umax, 8),
    HCQ_DS_ATOMIC("and", "b32", bit_and, 4),
    HCQ_DS_ATOMIC("and", "b64", bit_and, 8),
    HCQ_DS_ATOMIC("or", "b32", bit_or, 4),
    HCQ_DS_ATOMIC("or", "b64", bit_or, 8),
    HCQ_DS_ATOMIC("xor", "b32", bit_xor, 4),
    HCQ_DS_ATOMIC("xor", "b64", bit_xor, 8),
    HCQ_DS_ATOMIC("cmpstore", "b32", cmpswap, 4),
    HCQ_DS_ATOMIC("cmpstore", "b64", cmpswap, 8),
    HCQ_DS_ATOMIC("cmpstore", "f32", fcmpswap, 4),
    HCQ_DS_ATOMIC("cmpstore", "f64", fcmpswap, 8),
    HCQ_DS_ATOMIC("add", "f32", fadd, 4),
    HCQ_DS_ATOMIC("min", "f32", fmin, 4),
    HCQ_DS_ATOMIC("min", "f64", fmin, 8),
    HCQ_DS_ATOMIC("max", "f32", fmax, 4),
    HCQ_DS_ATOMIC("max", "f64", fmax, 8),
    {"ds_storexchg_rtn_b32", atomic<Atomic::swap, 4, true>},
    {"ds_storexchg_rtn_b64", atomic<Atomic::swap, 8, true>},
    {"ds_bpermute_b32", backward_permute},
    {"ds_permute_b32", forward_permute},
    {"ds_swizzle_b32", swizzle},
    {"ds_nop", [](Translator&, const Inst&) {}},
};

}  // namespace

std::span<const Op> lds_ops() { return kOps; }

}  // namespace hcq::models::isa
