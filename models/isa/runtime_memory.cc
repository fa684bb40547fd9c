// SPDX-License-Identifier: MIT
// Vector and scalar memory accesses of a wave through the worker's soft TLB.
#include <algorithm>
#include <bit>
#include <cstring>

#include "models/isa/atomics.h"
#include "models/isa/runtime.h"

namespace hcq::models::isa {
namespace {

constexpr std::uint64_t kPageMask = kPageSize - 1;
constexpr std::uint32_t kFault = 1;

std::uint32_t fault(WaveState& wave, std::uint64_t pc, std::uint64_t address, Access access) {
  wave.fault_pc = pc;
  wave.fault_address = address;
  wave.fault_access = static_cast<std::uint32_t>(access);
  return kFault;
}

// Copies between memory and `data`, page by page. Returns the first address that faulted in `failed`.
template <bool kWrite>
bool copy_bytes(Worker& worker, std::uint64_t va, void* data, std::uint32_t bytes, std::uint64_t& failed) {
  auto* cursor = static_cast<std::byte*>(data);
  while (bytes > 0) {
    auto* host = translate_address(worker, va, kWrite ? Access::write : Access::read);
    if (!host) {
      failed = va;
      return false;
    }
    const auto n = static_cast<std::uint32_t>(std::min<std::uint64_t>(bytes, kPageSize - (va & kPageMask)));
    kWrite ? std::memcpy(host, cursor, n) : std::memcpy(cursor, host, n);
    cursor += n;
    va += n;
    bytes -= n;
  }
  return true;
}

// One lane's element in the exchange area: dword k lies in row kData + k.
void spread(WaveState& wave, unsigned lane, const std::uint32_t* data, std::uint32_t bytes) {
  for (unsigned k = 0; k * 4 < bytes; ++k) wave.exchange[kData + k][lane] = data[k];
}
void collect(const WaveState& wave, unsigned lane, std::uint32_t* data, std::uint32_t bytes) {
  for (unsigned k = 0; k * 4 < bytes; ++k) data[k] = wave.exchange[kData + k][lane];
}

// Scratch is interleaved by dword: dword d of lane l lies at (d * lanes + l) * 4 of the wave's slot.
template <bool kWrite>
bool access_scratch(WaveState& wave, unsigned lane, std::uint32_t offset, std::uint32_t bytes, std::uint64_t& failed) {
  std::uint32_t data[4] = {};
  if (kWrite) collect(wave, lane, data, bytes);
  auto* raw = reinterpret_cast<std::byte*>(data);
  for (std::uint32_t done = 0; done < bytes;) {
    const std::uint32_t at = offset + done;
    const std::uint64_t va = wave.scratch + (std::uint64_t{at / 4} * wave.lanes + lane) * 4 + at % 4;
    if (at >= wave.scratch_lane_bytes) {
      failed = va;
      return false;
    }
    const std::uint32_t n = std::min(bytes - done, 4 - at % 4);
    if (!copy_bytes<kWrite>(*wave.worker, va, raw + done, n, failed)) return false;
    done += n;
  }
  if (!kWrite) spread(wave, lane, data, bytes);
  return true;
}

// All lanes at the same offset: each dword of the element is one row of the slot. Whole dwords only.
template <bool kWrite>
bool access_scratch_rows(WaveState& wave, std::uint64_t exec, std::uint32_t offset, std::uint32_t bytes) {
  if (offset % 4 != 0 || bytes % 4 != 0 || std::uint64_t{offset} + bytes > wave.scratch_lane_bytes) return false;
  const std::uint32_t row_bytes = wave.lanes * 4;
  const std::uint64_t first = wave.scratch + std::uint64_t{offset / 4} * row_bytes;
  if (wave.scratch % row_bytes != 0) return false;  // a row could cross a page
  for (std::uint32_t k = 0; k * 4 < bytes; ++k) {
    auto* host = translate_address(*wave.worker, first + k * row_bytes, kWrite ? Access::write : Access::read);
    if (!host) return false;
    auto* row = wave.exchange[kData + k];
    if (!kWrite) {
      std::memcpy(row, host, row_bytes);
    } else if (exec == (wave.lanes == 64 ? ~std::uint64_t{0} : 0xffffffff)) {
      std::memcpy(host, row, row_bytes);
    } else {
      for (std::uint64_t left = exec; left != 0; left &= left - 1) {
        const auto lane = static_cast<unsigned>(std::countr_zero(left));
        std::memcpy(host + lane * 4, row + lane, 4);
      }
    }
  }
  return true;
}

bool same_offset(const WaveState& wave) {
  const auto* low = wave.exchange[kAddressLow];
  return std::all_of(low, low + wave.lanes, [&](std::uint32_t v) { return v == low[0]; });
}

template <bool kWrite>
void access_lds(WaveState& wave, unsigned lane, std::uint64_t offset, std::uint32_t bytes) {
  std::uint32_t data[4] = {};
  const bool inside = offset <= wave.lds_size && bytes <= wave.lds_size - offset;
  if (kWrite) {
    collect(wave, lane, data, bytes);
    if (inside) std::memcpy(wave.lds + offset, data, bytes);
    return;
  }
  if (inside) std::memcpy(data, wave.lds + offset, bytes);
  spread(wave, lane, data, bytes);
}

std::uint64_t lane_address(const WaveState& wave, unsigned lane, std::uint64_t base, Space space) {
  const std::uint64_t low = wave.exchange[kAddressLow][lane];
  if (space == Space::offset32) return base + low;
  return base + (low | std::uint64_t{wave.exchange[kAddressHigh][lane]} << 32);
}

template <bool kWrite>
bool access_global(WaveState& wave, unsigned lane, std::uint64_t va, std::uint32_t bytes, std::uint64_t& failed) {
  std::uint32_t data[4] = {};
  if (kWrite) collect(wave, lane, data, bytes);
  if (!copy_bytes<kWrite>(*wave.worker, va, data, bytes, failed)) return false;
  if (!kWrite) spread(wave, lane, data, bytes);
  return true;
}

bool in_aperture(std::uint64_t va, std::uint64_t aperture) { return aperture != 0 && va >> 32 == aperture >> 32; }

template <bool kWrite>
bool access_lane(WaveState& wave, unsigned lane, std::uint64_t base, Space space, std::uint32_t bytes,
                 std::uint64_t& failed) {
  if (space == Space::scratch) {
    const auto offset = static_cast<std::uint32_t>(base) + wave.exchange[kAddressLow][lane];
    return access_scratch<kWrite>(wave, lane, offset, bytes, failed);
  }
  const std::uint64_t va = lane_address(wave, lane, base, space);
  if (space == Space::flat) {
    if (in_aperture(va, wave.private_aperture))
      return access_scratch<kWrite>(wave, lane, static_cast<std::uint32_t>(va), bytes, failed);
    if (in_aperture(va, wave.shared_aperture)) {
      access_lds<kWrite>(wave, lane, static_cast<std::uint32_t>(va), bytes);
      return true;
    }
  }
  return access_global<kWrite>(wave, lane, va, bytes, failed);
}

// --- the usual case: every active lane's element lies in one page that the TLB knows, outside the apertures ---

// Where inactive lanes read from and write to, so that the copy loops need no branches.
struct alignas(64) Sink {
  std::byte bytes[16];
};
thread_local Sink sink;

using Pointers = std::byte* [kMaxLanes];

// Resolves all lanes; false when one of them needs the careful path.
template <bool kWrite>
bool resolve(WaveState& wave, std::uint64_t exec, std::uint64_t base, Space space, std::uint32_t bytes, Pointers& at) {
  const TlbEntry* table = kWrite ? wave.worker->write : wave.worker->read;
  std::uint64_t page = ~std::uint64_t{0};
  std::byte* host = nullptr;
  for (unsigned lane = 0; lane < wave.lanes; ++lane) {
    if (!(exec >> lane & 1)) {
      at[lane] = sink.bytes;
      continue;
    }
    const std::uint64_t va = lane_address(wave, lane, base, space);
    if (va >> kPageShift != page) {
      page = va >> kPageShift;
      if (space == Space::flat && (in_aperture(va, wave.private_aperture) || in_aperture(va, wave.shared_aperture)))
        return false;
      const auto& entry = table[page % kTlbEntries];
      if (entry.tag != page + 1) {
        const auto* found = translate_address(*wave.worker, va, kWrite ? Access::write : Access::read);
        if (!found || entry.tag != page + 1) return false;
      }
      host = entry.host;
    }
    if ((va & kPageMask) + bytes > kPageSize) return false;
    at[lane] = host + (va & kPageMask);
  }
  return true;
}

template <class T>
void load_narrow(WaveState& wave, const Pointers& at) {
  for (unsigned lane = 0; lane < wave.lanes; ++lane) {
    T v;
    std::memcpy(&v, at[lane], sizeof v);
    wave.exchange[kData][lane] = v;
  }
}
template <class T>
void store_narrow(const WaveState& wave, const Pointers& at) {
  for (unsigned lane = 0; lane < wave.lanes; ++lane) {
    const auto v = static_cast<T>(wave.exchange[kData][lane]);
    std::memcpy(at[lane], &v, sizeof v);
  }
}

typedef std::uint32_t Quad __attribute__((vector_size(16)));

void transpose(Quad (&q)[4]) {
  const Quad a = __builtin_shufflevector(q[0], q[1], 0, 4, 1, 5);
  const Quad b = __builtin_shufflevector(q[2], q[3], 0, 4, 1, 5);
  const Quad c = __builtin_shufflevector(q[0], q[1], 2, 6, 3, 7);
  const Quad d = __builtin_shufflevector(q[2], q[3], 2, 6, 3, 7);
  q[0] = __builtin_shufflevector(a, b, 0, 1, 4, 5);
  q[1] = __builtin_shufflevector(a, b, 2, 3, 6, 7);
  q[2] = __builtin_shufflevector(c, d, 0, 1, 4, 5);
  q[3] = __builtin_shufflevector(c, d, 2, 3, 6, 7);
}

// Four lanes at a time; the exchange area holds one row a dword, memory one element a lane.
template <unsigned kWords>
void load_wide(WaveState& wave, const Pointers& at) {
  for (unsigned lane = 0; lane < wave.lanes; lane += 4) {
    Quad q[4] = {};
    for (unsigned n = 0; n < 4; ++n) std::memcpy(&q[n], at[lane + n], kWords * 4);
    transpose(q);
    for (unsigned k = 0; k < kWords; ++k) std::memcpy(&wave.exchange[kData + k][lane], &q[k], sizeof q[k]);
  }
}
template <unsigned kWords>
void store_wide(const WaveState& wave, const Pointers& at) {
  for (unsigned lane = 0; lane < wave.lanes; lane += 4) {
    Quad q[4] = {};
    for (unsigned k = 0; k < kWords; ++k) std::memcpy(&q[k], &wave.exchange[kData + k][lane], sizeof q[k]);
    transpose(q);
    for (unsigned n = 0; n < 4; ++n) std::memcpy(at[lane + n], &q[n], kWords * 4);
  }
}

void load_resolved(WaveState& wave, std::uint32_t bytes, const Pointers& at) {
  switch (bytes) {
    case 1:
      return load_narrow<std::uint8_t>(wave, at);
    case 2:
      return load_narrow<std::uint16_t>(wave, at);
    case 4:
      return load_narrow<std::uint32_t>(wave, at);
    case 8:
      return load_wide<2>(wave, at);
    case 12:
      return load_wide<3>(wave, at);
    default:
      return load_wide<4>(wave, at);
  }
}
void store_resolved(const WaveState& wave, std::uint32_t bytes, const Pointers& at) {
  switch (bytes) {
    case 1:
      return store_narrow<std::uint8_t>(wave, at);
    case 2:
      return store_narrow<std::uint16_t>(wave, at);
    case 4:
      return store_narrow<std::uint32_t>(wave, at);
    case 8:
      return store_wide<2>(wave, at);
    case 12:
      return store_wide<3>(wave, at);
    default:
      return store_wide<4>(wave, at);
  }
}

template <bool kWrite>
std::uint32_t access_all(WaveState* wave, std::uint64_t exec, std::uint64_t base, std::uint32_t space,
                         std::uint32_t bytes, std::uint64_t pc) {
  Pointers at;
  if (static_cast<Space>(space) == Space::scratch) {
    const auto offset = static_cast<std::uint32_t>(base) + wave->exchange[kAddressLow][0];
    if (same_offset(*wave) && access_scratch_rows<kWrite>(*wave, exec, offset, bytes)) return 0;
  }
  if (static_cast<Space>(space) != Space::scratch &&
      resolve<kWrite>(*wave, exec, base, static_cast<Space>(space), bytes, at)) {
    kWrite ? store_resolved(*wave, bytes, at) : load_resolved(*wave, bytes, at);
    return 0;
  }
  std::uint64_t failed = 0;
  for (; exec != 0; exec &= exec - 1) {
    const auto lane = static_cast<unsigned>(std::countr_zero(exec));
    if (!access_lane<kWrite>(*wave, lane, base, static_cast<Space>(space), bytes, failed))
      return fault(*wave, pc, failed, kWrite ? Access::write : Access::read);
  }
  return 0;
}

}  // namespace

void flush_tlb(Worker& worker) {
  std::memset(worker.read, 0, sizeof worker.read);
  std::memset(worker.write, 0, sizeof worker.write);
  flush_scalar_tlb(worker);
}

void flush_scalar_tlb(Worker& worker) { std::memset(worker.scalar, 0, sizeof worker.scalar); }

std::byte* translate_address(Worker& worker, std::uint64_t va, Access access) {
  const std::uint64_t page = va >> kPageShift;
  auto& entry = access == Access::scalar ? worker.scalar[page % kScalarTlbEntries]
                                         : (access == Access::read ? worker.read : worker.write)[page % kTlbEntries];
  if (entry.tag == page + 1) return entry.host + (va & kPageMask);
  const std::uint64_t generation = worker.port->generation();
  if (generation != worker.generation) {
    flush_tlb(worker);
    worker.generation = generation;
  }
  const Translation found = worker.port->translate(va, access);
  if (!found.page) return nullptr;
  // Writes and atomics share a table, so only pages that allow both are kept there.
  constexpr auto kRead = static_cast<std::uint8_t>(Access::read);
  constexpr auto kWrite =
      static_cast<std::uint8_t>(static_cast<std::uint8_t>(Access::write) | static_cast<std::uint8_t>(Access::atomic));
  const bool reads = access == Access::read || access == Access::scalar;
  const std::uint8_t needed = reads ? kRead : kWrite;
  if ((found.allowed & needed) == needed) entry = {page + 1, found.page};
  // A wave sees its own writes: reads must not go on using another place.
  if (auto& own = worker.read[page % kTlbEntries]; !reads && own.tag == page + 1 && own.host != found.page) own = {};
  return found.page + (va & kPageMask);
}

extern "C" std::uint32_t hcq_isa_load(WaveState* wave, std::uint64_t exec, std::uint64_t base, std::uint32_t space,
                                      std::uint32_t bytes, std::uint64_t pc) {
  return access_all<false>(wave, exec, base, space, bytes, pc);
}

extern "C" std::uint32_t hcq_isa_store(WaveState* wave, std::uint64_t exec, std::uint64_t base, std::uint32_t space,
                                       std::uint32_t bytes, std::uint64_t pc) {
  return access_all<true>(wave, exec, base, space, bytes, pc);
}

extern "C" std::uint32_t hcq_isa_atomic(WaveState* wave, std::uint64_t exec, std::uint64_t base, std::uint32_t space,
                                        std::uint32_t op, std::uint32_t bytes, std::uint64_t pc) {
  for (; exec != 0; exec &= exec - 1) {
    const auto lane = static_cast<unsigned>(std::countr_zero(exec));
    const std::uint64_t va = lane_address(*wave, lane, base, static_cast<Space>(space));
    std::byte* target = nullptr;
    if (static_cast<Space>(space) == Space::flat && in_aperture(va, wave->shared_aperture)) {
      const auto offset = static_cast<std::uint32_t>(va);
      if (offset > wave->lds_size || bytes > wave->lds_size - offset) continue;
      target = wave->lds + offset;
    } else {
      if (va % bytes != 0) return fault(*wave, pc, va, Access::atomic);
      target = translate_address(*wave->worker, va, Access::atomic);
      if (!target) return fault(*wave, pc, va, Access::atomic);
    }
    atomic_lane(*wave, lane, target, static_cast<Atomic>(op), bytes);
  }
  return 0;
}

extern "C" void hcq_isa_lds_load(WaveState* wave, std::uint64_t exec, std::uint32_t offset, std::uint32_t bytes,
                                 std::uint32_t row) {
  for (; exec != 0; exec &= exec - 1) {
    const auto lane = static_cast<unsigned>(std::countr_zero(exec));
    const std::uint64_t at = std::uint64_t{wave->exchange[kAddressLow][lane]} + offset;
    std::uint32_t data[4] = {};
    if (at <= wave->lds_size && bytes <= wave->lds_size - at) std::memcpy(data, wave->lds + at, bytes);
    for (unsigned k = 0; k * 4 < bytes; ++k) wave->exchange[row + k][lane] = data[k];
  }
}

extern "C" void hcq_isa_lds_store(WaveState* wave, std::uint64_t exec, std::uint32_t offset, std::uint32_t bytes,
                                  std::uint32_t row) {
  for (; exec != 0; exec &= exec - 1) {
    const auto lane = static_cast<unsigned>(std::countr_zero(exec));
    const std::uint64_t at = std::uint64_t{wave->exchange[kAddressLow][lane]} + offset;
    std::uint32_t data[4] = {};
    for (unsigned k = 0; k * 4 < bytes; ++k) data[k] = wave->exchange[row + k][lane];
    if (at <= wave->lds_size && bytes <= wave->lds_size - at) std::memcpy(wave->lds + at, data, bytes);
  }
}

extern "C" void hcq_isa_lds_atomic(WaveState* wave, std::uint64_t exec, std::uint32_t offset, std::uint32_t op,
                                   std::uint32_t bytes) {
  for (; exec != 0; exec &= exec - 1) {
    const auto lane = static_cast<unsigned>(std::countr_zero(exec));
    const std::uint64_t at = std::uint64_t{wave->exchange[kAddressLow][lane]} + offset;
    if (at % bytes != 0 || at > wave->lds_size || bytes > wave->lds_size - at) {
      for (unsigned k = 0; k * 4 < bytes; ++k) wave->exchange[kData + k][lane] = 0;
      continue;
    }
    atomic_lane(*wave, lane, wave->lds + at, static_cast<Atomic>(op), bytes);
  }
}

extern "C" void hcq_isa_permute(WaveState* wave, std::uint64_t exec) {
  std::uint32_t received[kMaxLanes] = {};
  for (; exec != 0; exec &= exec - 1) {
    const auto lane = static_cast<unsigned>(std::countr_zero(exec));
    received[wave->exchange[kAddressLow][lane] % kMaxLanes] = wave->exchange[kData][lane];
  }
  std::memcpy(wave->exchange[kData], received, sizeof received);
}

extern "C" std::uint32_t hcq_isa_scalar_load(WaveState* wave, std::uint64_t address, std::uint32_t dwords,
                                             std::uint64_t pc) {
  auto* out = reinterpret_cast<std::byte*>(wave->exchange[0]);
  for (std::uint32_t left = dwords * 4; left > 0;) {
    const auto* host = translate_address(*wave->worker, address, Access::scalar);
    if (!host) return fault(*wave, pc, address, Access::read);
    const auto n = static_cast<std::uint32_t>(std::min<std::uint64_t>(left, kPageSize - (address & kPageMask)));
    std::memcpy(out, host, n);
    out += n;
    address += n;
    left -= n;
  }
  return 0;
}

}  // namespace hcq::models::isa
