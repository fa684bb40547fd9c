// SPDX-License-Identifier: MIT
// The packets of the copy engine.
#include <fmt/format.h>

#include <algorithm>

#include "base/deadline.h"
#include "base/log.h"
#include "drivers/am/abi/pm4.h"
#include "drivers/am/abi/sdma.h"
#include "models/am/gfx/gpu_clock.h"
#include "models/am/sdma.h"

namespace hcq::models::am {

namespace sdma = hcq::am::abi::sdma;

namespace {

constexpr std::uint8_t kTrap = 49, kPollTimeout = 57;
constexpr std::size_t kChunk = 4096;

std::uint64_t address(std::uint32_t lo, std::uint32_t hi) { return lo | static_cast<std::uint64_t>(hi) << 32; }

bool compare(std::uint32_t function, std::uint32_t value, std::uint32_t reference) {
  namespace w = hcq::am::abi::pm4::wait_reg_mem;
  switch (function) {
    case w::kAlways:
      return true;
    case w::kLess:
      return value < reference;
    case w::kLessEqual:
      return value <= reference;
    case w::kEqual:
      return value == reference;
    case w::kNotEqual:
      return value != reference;
    case w::kGreaterEqual:
      return value >= reference;
    case w::kGreater:
      return value > reference;
    default:
      return false;
  }
}

// Bits of a packet's first dword that have a meaning, beside op and sub_op.
std::uint32_t header_bits(std::uint32_t op) {
  switch (op) {
    case sdma::NOP:
      return sdma::nop::COUNT.mask;
    case sdma::INDIRECT:
      return sdma::indirect::VMID.mask | sdma::indirect::PRIV.mask;
    case sdma::FENCE:
      return sdma::fence::MTYPE.mask;
    case sdma::POLL_REGMEM:
      return sdma::poll_regmem::HDP_FLUSH.mask | sdma::poll_regmem::FUNC.mask | sdma::poll_regmem::MEM_POLL.mask;
    case sdma::CONST_FILL:
      return sdma::const_fill::FILL_SIZE.mask;
    case sdma::SRBM_WRITE:
      return sdma::srbm_write::BYTE_EN.mask;
    default:
      return 0;
  }
}

}  // namespace

// Length of the packet whose first dword is `header`, in dwords; 0: unknown.
std::uint64_t Sdma::packet_dwords(std::uint32_t header, const Source& s) {
  switch (sdma::kOp.in(header)) {
    case sdma::NOP:
      return 1 + sdma::nop::COUNT.in(header);
    case sdma::COPY:
      return sdma::copy_linear::kDwords;
    case sdma::WRITE: {
      std::uint32_t count = 0;
      if (!dword_at(s, s.at + 3, count)) return 0;
      return 4 + sdma::write_linear::COUNT.in(count) + 1;
    }
    case sdma::INDIRECT:
      return sdma::indirect::kDwords;
    case sdma::FENCE:
      return sdma::fence::kDwords;
    case sdma::TRAP:
      return sdma::trap::kDwords;
    case sdma::POLL_REGMEM:
      return sdma::poll_regmem::kDwords;
    case sdma::CONST_FILL:
      return sdma::const_fill::kDwords;
    case sdma::TIMESTAMP:
      return sdma::timestamp::kDwords;
    case sdma::GCR_REQ:
      return sdma::gcr_req::kDwords;
    case sdma::PTEPDE:
      return sdma::ptepde::kDwords;
    case sdma::SRBM_WRITE:
      return sdma::srbm_write::kDwords;
    case sdma::COND_EXE:
      return sdma::cond_exe::kDwords;
    default:
      return 0;
  }
}

bool Sdma::dword_at(const Source& s, std::uint64_t index, std::uint32_t& out) {
  return memory_.load32({.client = client()}, s.base + (index & s.wrap) * 4, out);
}

bool Sdma::fetch(std::uint64_t dwords) {
  packet_.resize(dwords);
  return memory_.read({.client = client()}, packet_va_, std::as_writable_bytes(std::span(packet_)));
}

Sdma::Next Sdma::run_one(Source& s) {
  packet_va_ = s.base + (s.at & s.wrap) * 4;
  std::uint32_t header = 0;
  if (!dword_at(s, s.at, header)) return faulted();
  const std::uint64_t dwords = packet_dwords(header, s);
  if (dwords == 0) return broken("sdma.opcode", header, "the engine does not know this packet");
  if (s.at + dwords > s.end)
    return broken("sdma.truncated", header, "the packet is longer than what the ring or buffer holds");
  if (s.wrap != ~0ull && (s.at & s.wrap) + dwords > s.wrap + 1)
    return broken("sdma.packet_wraps", header, "a packet must not reach across the end of the ring");
  if (!fetch(dwords)) return faulted();
  log::trace(log::Area::sdma, "{:#010x} at {:#x}, {} dwords", header, packet_va_, dwords);
  const Next n = execute(packet_, s);
  if (n == Next::go) s.at += dwords;
  return n;
}

Sdma::Next Sdma::execute(Packet p, Source& s) {
  const std::uint32_t op = sdma::kOp.in(p[0]), sub = sdma::kSubOp.in(p[0]);
  if (p[0] & ~(sdma::kOp.mask | sdma::kSubOp.mask | header_bits(op)))
    return broken("sdma.reserved", p[0], "bits of a packet header are set that this model has no meaning for");
  if (sub != (op == sdma::TIMESTAMP ? sdma::timestamp::kSubOpGetGlobal : 0))
    return broken("sdma.opcode", p[0], "the engine does not know this kind of packet");
  switch (op) {
    case sdma::NOP:
      return Next::go;
    case sdma::COPY:
      return copy(p);
    case sdma::WRITE:
      return write(p);
    case sdma::INDIRECT:
      return indirect(p, s);
    case sdma::FENCE:
      return fence(p);
    case sdma::TRAP:
      return trap(p);
    case sdma::POLL_REGMEM:
      return poll(p);
    case sdma::CONST_FILL:
      return fill(p);
    case sdma::TIMESTAMP:
      return timestamp(p);
    case sdma::PTEPDE:
      return table_entries(p);
    case sdma::SRBM_WRITE:
      return register_write(p);
    case sdma::COND_EXE:
      return skip_if_other(p, s);
    default:
      return cache_request(p);
  }
}

// Page by page, so that what comes before a fault has been copied.
Sdma::Next Sdma::copy(Packet p) {
  namespace c = sdma::copy_linear;
  if (p[1] & ~c::COUNT.mask) return broken("sdma.count", p[1], "a copy is at most 1 GiB");
  if (p[2]) return broken("sdma.reserved", p[2], "the parameter of a linear copy must be 0");
  std::uint64_t src = address(p[3], p[4]), dst = address(p[5], p[6]);
  std::uint64_t left = std::uint64_t{c::COUNT.in(p[1])} + 1;
  const Requester from = reader(), to = writer();
  alignas(8) std::byte chunk[kChunk];
  while (left) {
    const auto n =
        static_cast<std::size_t>(std::min({left, std::uint64_t{kChunk}, 4096 - (src & 0xfff), 4096 - (dst & 0xfff)}));
    if (!memory_.read(from, src, {chunk, n}) || !memory_.write(to, dst, {chunk, n})) return faulted();
    src += n;
    dst += n;
    left -= n;
    if (give_up_.load(std::memory_order_relaxed)) return Next::stuck;
  }
  return Next::go;
}

Sdma::Next Sdma::write(Packet p) {
  const std::uint64_t dst = address(p[1], p[2]);
  if (dst & 3) return broken("sdma.alignment", dst, "the destination of WRITE is 4-byte aligned");
  return memory_.write(writer(), dst, std::as_bytes(p.subspan(4))) ? Next::go : faulted();
}

Sdma::Next Sdma::fill(Packet p) {
  namespace f = sdma::const_fill;
  constexpr std::uint32_t kDword = 2;
  std::uint64_t dst = address(p[1], p[2]), left = (std::uint64_t{f::COUNT.in(p[4])} + 1) / 4;
  if (f::FILL_SIZE.in(p[0]) != kDword || (dst & 3) || ((p[4] + 1) & 3))
    return broken("sdma.fill", p[0], "CONST_FILL is modelled for whole, aligned dwords");
  std::uint32_t chunk[kChunk / 4];
  std::fill(std::begin(chunk), std::end(chunk), p[3]);
  while (left) {
    const std::uint64_t n = std::min<std::uint64_t>(left, (4096 - (dst & 0xfff)) / 4);
    if (!memory_.write(writer(), dst, std::as_bytes(std::span(chunk, n)))) return faulted();
    dst += n * 4;
    left -= n;
  }
  return Next::go;
}

Sdma::Next Sdma::fence(Packet p) {
  const std::uint64_t dst = address(p[1], p[2]);
  if (dst & 3) return broken("sdma.fence_alignment", dst, "the address of FENCE is 4-byte aligned");
  if (sdma::fence::MTYPE.in(p[0]) != sdma::fence::kMtypeUc)
    violation("sdma.fence_mtype", p[0], "a FENCE that is not uncached may stay in a cache that nobody flushes");
  const Requester bypass{.client = client(), .policy = CachePolicy::bypass};
  return memory_.store32(bypass, dst, p[3]) ? Next::go : faulted();
}

Sdma::Next Sdma::trap(Packet p) {
  using C = regs::SDMA0_CNTL;
  if (get<C>()[C::TRAP_ENABLE]) post(kTrap, sdma::trap::INT_CONTEXT.in(p[1]));
  else violation("sdma.trap_disabled", p[1], "TRAP asks for an interrupt and SDMA0_CNTL.TRAP_ENABLE is off");
  return Next::go;
}

Sdma::Next Sdma::poll(Packet p) {
  namespace q = sdma::poll_regmem;
  const bool memory = q::MEM_POLL.in(p[0]), flush = q::HDP_FLUSH.in(p[0]);
  const std::uint32_t retries = q::RETRY_COUNT.in(p[5]);
  const std::uint64_t va = address(p[1], p[2]);
  if (va & 3) return broken("sdma.alignment", va, "the address of POLL_REGMEM is 4-byte aligned");
  if (flush && memory) return broken("sdma.reserved", p[0], "an HDP flush polls a register");
  // With HDP_FLUSH the second address is the request register, the first the one that says "done"; both in bytes.
  if (flush && polls_ == 0) chip_.registers.bank().write(p[2] / 4, p[3]);
  Backoff backoff;
  for (;;) {
    std::uint32_t value = 0;
    if (!memory) value = chip_.registers.bank().read(p[1] / 4);
    else if (!memory_.load32({.client = client()}, va, value)) return faulted();
    if (compare(q::FUNC.in(p[0]), value & p[4], p[3])) break;
    if (++polls_ >= retries && retries != q::kRetryForever) {
      polls_ = 0;
      post(kPollTimeout);
      return broken("sdma.poll_timeout", value, "the condition of POLL_REGMEM did not hold within its retries");
    }
    if (worker_.interrupted()) return Next::again;
    backoff.pause();
  }
  polls_ = 0;
  return Next::go;
}

Sdma::Next Sdma::timestamp(Packet p) {
  const std::uint64_t dst = address(p[1], p[2]);
  if (dst & 7) return broken("sdma.timestamp_alignment", dst, "the address of TIMESTAMP is 8-byte aligned");
  const Requester bypass{.client = client(), .policy = CachePolicy::bypass};
  return memory_.store64(bypass, dst, gpu_clock()) ? Next::go : faulted();
}

// GCR_CNTL sits in the upper half of the third dword, as in ACQUIRE_MEM.
Sdma::Next Sdma::cache_request(Packet p) {
  namespace a = hcq::am::abi::pm4::acquire_mem;
  const std::uint32_t gcr = p[2] >> 16;
  if (memory_.cache_request({.gl2_wb = a::GL2_WB.in(gcr) != 0,
                             .gl2_inv = a::GL2_INV.in(gcr) != 0,
                             .gl1_inv = a::GL1_INV.in(gcr) != 0,
                             .glv_inv = a::GLV_INV.in(gcr) != 0,
                             .glk_inv = a::GLK_INV.in(gcr) != 0}) > 0)
    violation("l2.invalidate_dirty", gcr, "GL2 was invalidated while it held data that had not been written back");
  return Next::go;
}

// Writes page table entries that go up by a step, each with the same flags.
Sdma::Next Sdma::table_entries(Packet p) {
  std::uint64_t dst = address(p[1], p[2]), value = address(p[5], p[6]);
  const std::uint64_t flags = address(p[3], p[4]), step = address(p[7], p[8]);
  if (dst & 7) return broken("sdma.alignment", dst, "the destination of PTEPDE is 8-byte aligned");
  for (std::uint64_t left = std::uint64_t{sdma::ptepde::COUNT.in(p[9])} + 1; left; --left) {
    const std::uint64_t entry = value | flags;
    if (!memory_.write(writer(), dst, std::as_bytes(std::span(&entry, 1)))) return faulted();
    dst += 8;
    value += step;
  }
  return Next::go;
}

Sdma::Next Sdma::register_write(Packet p) {
  if (sdma::srbm_write::BYTE_EN.in(p[0]) != 0xf)
    return broken("sdma.reserved", p[0], "registers are written as a whole");
  chip_.registers.bank().write(sdma::srbm_write::ADDR.in(p[1]), p[2]);
  return Next::go;
}

// The packets that follow are skipped unless memory holds the reference value.
Sdma::Next Sdma::skip_if_other(Packet p, Source& s) {
  const std::uint64_t va = address(p[1], p[2]);
  std::uint32_t value = 0;
  if (va & 3) return broken("sdma.alignment", va, "the address of COND_EXE is 4-byte aligned");
  if (!memory_.load32({.client = client()}, va, value)) return faulted();
  if (value != p[3]) s.at += sdma::cond_exe::COUNT.in(p[4]);
  return Next::go;
}

Sdma::Next Sdma::indirect(Packet p, const Source& s) {
  namespace i = sdma::indirect;
  const std::uint64_t base = address(p[1], p[2]);
  const std::uint32_t size = i::SIZE.in(p[3]);
  if (in_buffer_) return broken("sdma.ib_nesting", base, "an indirect buffer must not call another one");
  if (!(raw<regs::SDMA0_QUEUE0_IB_CNTL>() & 1)) return broken("sdma.ib_disabled", base, "IB_CNTL.IB_ENABLE is off");
  if ((s.at + i::kDwords) % i::kSizeMultiple)
    return broken("sdma.ib_position", s.at, "an INDIRECT packet ends on a multiple of 8 dwords");
  if (base % i::kBaseAlign) return broken("sdma.ib_alignment", base, "an indirect buffer is 32-byte aligned");
  if (size == 0 || size % i::kSizeMultiple)
    return broken("sdma.ib_size", size, "an indirect buffer is a multiple of 8 dwords long");
  if (i::VMID.in(p[0])) return broken("sdma.ib_vmid", p[0], "only VMID 0 has an address space here");
  buffer_ = {.base = base, .end = size};
  in_buffer_ = true;
  return Next::go;
}

}  // namespace hcq::models::am
