// SPDX-License-Identifier: MIT
// The packets that move data, wait, and order memory.
#include <fmt/format.h>

#include "base/deadline.h"
#include "base/log.h"
#include "drivers/am/abi/pm4.h"
#include "models/am/gfx/gpu_clock.h"
#include "models/am/gfx/pm4.h"

namespace hcq::models::am {

namespace pm4 = hcq::am::abi::pm4;

namespace {

constexpr std::uint8_t kEopInterrupt = 181;

std::uint64_t address(std::uint32_t lo, std::uint32_t hi) { return lo | static_cast<std::uint64_t>(hi) << 32; }

bool compare(std::uint32_t function, std::uint32_t value, std::uint32_t reference) {
  namespace w = pm4::wait_reg_mem;
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

// Whether no value at all satisfies the comparison.
bool hopeless(std::uint32_t function, std::uint32_t mask, std::uint32_t reference) {
  namespace w = pm4::wait_reg_mem;
  switch (function) {
    case w::kLess:
      return reference == 0;
    case w::kEqual:
      return (reference & ~mask) != 0;
    case w::kNotEqual:
      return mask == 0 && reference == 0;
    case w::kGreaterEqual:
      return reference > mask;
    case w::kGreater:
      return reference >= mask;
    default:
      return false;
  }
}

const char* symbol(std::uint32_t function) {
  constexpr const char* kSymbols[] = {"always", "<", "<=", "==", "!=", ">=", ">", "?"};
  return kSymbols[function & 7];
}

}  // namespace

std::string Pm4::waits_for(const Wait& w) const {
  const auto at = w.memory ? std::nullopt : chip_.registers.map().find(static_cast<std::uint32_t>(w.address));
  const std::string name = w.memory ? fmt::format("memory at {:#x}", w.address)
                           : at     ? regs::RegisterMap::describe(*at)
                                    : fmt::format("register {:#x}", w.address);
  return fmt::format("WAIT_REG_MEM for ({} & {:#x}) {} {:#x}", name, w.mask, symbol(w.function), w.reference);
}

// Silicon waits silently; whoever looks at a hung program wants to know what for. The host may still write the value,
// so that this is no violation.
void Pm4::report_long_wait(const Wait& w, std::uint32_t value) const {
  log::warn("model: {}: {} has waited for {} s, the value is {:#x}{}", where(), waits_for(w), kLongWait.count(), value,
            chip_.idle() ? " and nothing else on the chip is at work" : "");
}

bool Pm4::aligned(std::uint64_t va, unsigned bytes, std::string rule, const char* what) {
  if (va % bytes == 0) return true;
  (void)broken(std::move(rule), va, fmt::format("{} must be {}-byte aligned", what, bytes));
  return false;
}

std::uint32_t Pm4::read_register(std::uint32_t dword) {
  if (dword >= ShRegisters::kFirst && dword < ShRegisters::kFirst + ShRegisters::kCount)
    return sh_.value[dword - ShRegisters::kFirst];
  return chip_.registers.bank().read(dword);
}

Pm4::Next Pm4::write_data(Body body) {
  namespace w = pm4::write_data;
  constexpr std::uint32_t kDefined =
      w::DST_SEL.mask | w::ADDR_INCR.mask | w::WR_CONFIRM.mask | w::CACHE_POLICY.mask | w::ENGINE_SEL.mask;
  if (body[0] & ~kDefined) return broken("pm4.reserved", body[0], "reserved bits of WRITE_DATA are set");
  const std::uint32_t to = w::DST_SEL.in(body[0]);
  const bool same = w::ADDR_INCR.in(body[0]);
  if (to != w::kDstRegister && to != w::kDstTcL2 && to != w::kDstMemory)
    return broken("pm4.selector", body[0], "WRITE_DATA has no such destination");
  const std::uint64_t va = address(body[1], body[2]);
  if (to != w::kDstRegister && !aligned(va, 4, "pm4.alignment", "the destination of WRITE_DATA")) return Next::stuck;
  for (std::size_t i = 3; i < body.size(); ++i) {
    const std::uint64_t step = same ? 0 : i - 3;
    if (to == w::kDstRegister) chip_.registers.bank().write(body[1] + static_cast<std::uint32_t>(step), body[i]);
    else if (!memory_.store32(to == w::kDstTcL2 ? coherent_writer_ : writer_, va + step * 4, body[i]))
      return Next::stuck;
  }
  return Next::go;
}

Pm4::Next Pm4::wait_reg_mem(Body body) {
  namespace w = pm4::wait_reg_mem;
  const std::uint32_t function = w::FUNCTION.in(body[0]), space = w::MEM_SPACE.in(body[0]);
  const std::uint32_t operation = w::OPERATION.in(body[0]);
  if (function > w::kGreater || space > w::kMemory || operation > w::kWriteWaitWrite)
    return broken("pm4.selector", body[0], "WAIT_REG_MEM has no such function, space or operation");
  if (operation == w::kWriteWaitWrite && space == w::kMemory)
    return broken("pm4.selector", body[0], "write-wait-write works on registers");
  const std::uint32_t reference = body[3], mask = body[4];
  const std::uint64_t va = address(body[1], body[2]);
  if (space == w::kMemory && !aligned(va, 4, "pm4.alignment", "the address of WAIT_REG_MEM")) return Next::stuck;
  // The kernel gives the whole request word of a TLB invalidation as the reference, and one bit as the mask
  // (amdgpu_gmc_fw_reg_write_reg_wait): of both sides only the masked bits count then.
  const std::uint32_t expected = operation == w::kWriteWaitWrite ? reference & mask : reference;
  const Wait wait{space == w::kMemory, space == w::kMemory ? va : body[1], function, mask, expected};
  if (hopeless(function, mask, expected))
    violation("pm4.wait_hopeless", reference, waits_for(wait) + ": no value satisfies that");
  const ChipAccess from_chip;
  if (operation == w::kWriteWaitWrite) chip_.registers.bank().write(body[1], reference);
  const std::uint32_t polled = operation == w::kWriteWaitWrite ? body[2] : body[1];
  const Requester poller{.client = ClientId::cpc, .vmid = host_.vmid};
  Backoff backoff;
  auto long_wait = Deadline::in(kLongWait);
  bool told = false;
  for (bool first = true;; first = false) {
    std::uint32_t value = 0;
    if (space == w::kRegister) value = read_register(polled);
    else if (!memory_.load32(poller, va, value)) return Next::stuck;
    if (compare(function, value & mask, expected)) return Next::go;
    // Dispatches before this packet run while it waits.
    if (first && drain() != Next::go) return Next::stuck;
    if (host_.interrupted()) return Next::again;
    if (!told && long_wait.expired()) {
      told = true;
      report_long_wait(wait, value);
    }
    backoff.pause();
  }
}

Pm4::Next Pm4::copy_data(Body body) {
  namespace c = pm4::copy_data;
  const std::uint32_t from = c::SRC_SEL.in(body[0]), to = c::DST_SEL.in(body[0]);
  const bool wide = c::COUNT_SEL.in(body[0]);
  const std::uint64_t src = address(body[1], body[2]), dst = address(body[3], body[4]);
  const unsigned bytes = wide ? 8 : 4;
  std::uint64_t value = 0;
  switch (from) {
    case c::kSrcRegister:
    case c::kSrcPerfCounter:
      value = read_register(body[1]);
      if (wide) value |= static_cast<std::uint64_t>(read_register(body[1] + 1)) << 32;
      break;
    case c::kSrcMemory:
    case c::kSrcTcL2: {
      if (!aligned(src, bytes, "pm4.alignment", "the source of COPY_DATA")) return Next::stuck;
      const Requester reader{.client = ClientId::cpc, .vmid = host_.vmid};
      std::uint32_t narrow = 0;
      if (wide ? !memory_.load64(reader, src, value) : !memory_.load32(reader, src, narrow)) return Next::stuck;
      if (!wide) value = narrow;
      break;
    }
    case c::kSrcImmediate:
      value = wide ? src : body[1];
      break;
    case c::kSrcGpuClock:
      value = gpu_clock();
      break;
    default:
      return broken("pm4.selector", body[0], "COPY_DATA has no such source");
  }
  if (to == c::kDstRegister) {
    chip_.registers.bank().write(body[3], static_cast<std::uint32_t>(value));
    if (wide) chip_.registers.bank().write(body[3] + 1, static_cast<std::uint32_t>(value >> 32));
    return Next::go;
  }
  if (to != c::kDstMemory && to != c::kDstTcL2)
    return broken("pm4.selector", body[0], "COPY_DATA has no such destination");
  if (!aligned(dst, bytes, "pm4.alignment", "the destination of COPY_DATA")) return Next::stuck;
  const Requester& writer = to == c::kDstTcL2 ? coherent_writer_ : writer_;
  const bool ok =
      wide ? memory_.store64(writer, dst, value) : memory_.store32(writer, dst, static_cast<std::uint32_t>(value));
  return ok ? Next::go : Next::stuck;
}

Pm4::Next Pm4::acquire_mem(Body body) {
  namespace a = pm4::acquire_mem;
  if (body[0] != 0) return broken("pm4.reserved", body[0], "the first dword of ACQUIRE_MEM must be 0");
  const std::uint32_t gcr = body[6];
  if (gcr & ~0x7ffffu) return broken("pm4.reserved", gcr, "reserved bits of GCR_CNTL are set");
  // A range would do less on silicon; the model's caches know only "everything".
  if (memory_.cache_request({.gl2_wb = a::GL2_WB.in(gcr) != 0,
                             .gl2_inv = a::GL2_INV.in(gcr) != 0,
                             .gl1_inv = a::GL1_INV.in(gcr) != 0,
                             .glv_inv = a::GLV_INV.in(gcr) != 0,
                             .glk_inv = a::GLK_INV.in(gcr) != 0}) > 0)
    violation("l2.invalidate_dirty", gcr, "GL2 was invalidated while it held data that had not been written back");
  if (a::GLI_INV.in(gcr)) shaders_.invalidate_instruction_cache();
  return Next::go;
}

Pm4::Next Pm4::release_mem(Body body) {
  namespace r = pm4::release_mem;
  constexpr std::uint32_t kCsDone = 47, kBottomOfPipeTs = 40, kCacheFlushTs = 4, kShaderDone = 6;
  const std::uint32_t type = r::EVENT_TYPE.in(body[0]), index = r::EVENT_INDEX.in(body[0]);
  const bool end_of_pipe =
      index == r::kEndOfPipe && (type == r::kCacheFlushAndInvTs || type == kBottomOfPipeTs || type == kCacheFlushTs);
  if (!end_of_pipe && !(index == kShaderDone && type == kCsDone))
    return broken("pm4.event", body[0], "RELEASE_MEM takes an end-of-pipe event with index 5");
  if ((body[0] & (3u << 6 | 1u << 24 | 1u << 27 | 7u << 29)) ||
      (body[1] & ~(r::DST_SEL.mask | r::INT_SEL.mask | r::DATA_SEL.mask)))
    return broken("pm4.reserved", body[0], "reserved bits of RELEASE_MEM are set");
  if (host_.eop_base == 0 && !graphics())
    return broken("cp.eop_missing", 0, "RELEASE_MEM writes to the EOP buffer and the queue has none");
  if (drain() != Next::go) return Next::stuck;
  // The microcode keeps pending end-of-pipe events in the EOP buffer.
  if (host_.eop_base && !memory_.store32(writer_, host_.eop_base, body[0])) return Next::stuck;
  if (memory_.cache_request({.gl2_wb = r::GL2_WB.in(body[0]) != 0,
                             .gl2_inv = r::GL2_INV.in(body[0]) != 0,
                             .gl1_inv = r::GL1_INV.in(body[0]) != 0,
                             .glv_inv = r::GLV_INV.in(body[0]) != 0}) > 0)
    violation("l2.invalidate_dirty", body[0], "GL2 was invalidated while it held data that had not been written back");
  return store_release(body);
}

Pm4::Next Pm4::store_release(Body body) {
  namespace r = pm4::release_mem;
  const std::uint32_t data = r::DATA_SEL.in(body[1]), interrupt = r::INT_SEL.in(body[1]);
  const std::uint64_t va = address(body[2], body[3]);
  const Requester& writer = r::DST_SEL.in(body[1]) == r::kDstTcL2 ? coherent_writer_ : writer_;
  if (data > r::kDataGpuClock || interrupt > r::kDataAfterConfirm || r::DST_SEL.in(body[1]) > r::kDstTcL2)
    return broken("pm4.selector", body[1], "RELEASE_MEM has no such destination, interrupt or data");
  if (data != r::kDataNone &&
      !aligned(va, data == r::kData32 ? 4 : 8, "pm4.release_alignment", "the address of RELEASE_MEM"))
    return Next::stuck;
  bool ok = true;
  if (data == r::kData32) ok = memory_.store32(writer, va, body[4]);
  if (data == r::kData64) ok = memory_.store64(writer, va, address(body[4], body[5]));
  if (data == r::kDataGpuClock) ok = memory_.store64(writer, va, gpu_clock());
  if (!ok) return Next::stuck;
  if (interrupt == r::kIntOnly || interrupt == r::kIntAfterConfirm) {
    if (host_.eop_interrupt_enabled()) post(kEopInterrupt, body[6]);
    else
      violation("cp.eop_interrupt_disabled", body[1],
                "RELEASE_MEM asks for an interrupt that CPC_INT_CNTL.TIME_STAMP_INT_ENABLE of its pipe does not let "
                "through");
  }
  return Next::go;
}

}  // namespace hcq::models::am
