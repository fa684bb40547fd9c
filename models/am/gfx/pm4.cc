// SPDX-License-Identifier: MIT
#include "models/am/gfx/pm4.h"

#include <fmt/format.h>

#include <algorithm>

#include "base/deadline.h"
#include "base/log.h"
#include "drivers/am/abi/pm4.h"

namespace hcq::models::am {

namespace pm4 = hcq::am::abi::pm4;

namespace {

// Interrupt clients and sources. Source: soc21_ih_clientid.h, irqsrcs_gfx_11_0_0.h.
constexpr std::uint8_t kIhClientGrbmCp = 20;
constexpr std::uint8_t kBadOpcode = 183;
constexpr std::size_t kMostBuffers = 2;  // an indirect buffer may call one more

}  // namespace

Pm4::Pm4(Chip& chip, Memory& memory, Shaders& shaders, Pm4Host host, std::uint64_t seed)
    : chip_(chip),
      memory_(memory),
      shaders_(shaders),
      host_(std::move(host)),
      fetcher_{.client = ClientId::cpf, .vmid = host_.vmid},
      writer_{.client = ClientId::cpc, .vmid = host_.vmid, .policy = CachePolicy::bypass},
      coherent_writer_{.client = ClientId::cpc, .vmid = host_.vmid, .policy = CachePolicy::lru},
      rng_(static_cast<std::minstd_rand::result_type>(seed)) {
  body_.reserve(0x4000);
  pending_.reserve(64);
  buffers_.reserve(kMostBuffers);
}

std::string Pm4::where() const {
  return fmt::format("me {} pipe {} queue {}, packet {:#010x} at {:#x}", host_.name.me, host_.name.pipe,
                     host_.name.queue, packet_header_, packet_va_);
}

void Pm4::violation(std::string rule, std::uint64_t value, std::string text) {
  chip_.report("cp", std::move(rule), where(), value, std::move(text), "nvd.h, gfx_v11_0.c (Linux 6.12)");
}

void Pm4::post(std::uint8_t source, std::uint32_t context0, std::uint32_t context1) {
  if (!chip_.interrupts) return;
  IhEntry e{.client = kIhClientGrbmCp,
            .source = source,
            .ring = host_.name.ring_id(),
            .vmid = static_cast<std::uint8_t>(host_.vmid)};
  e.context[0] = context0;
  e.context[1] = context1;
  chip_.interrupts->post(e);
}

// A packet that the microcode cannot make sense of: it raises an interrupt and stops.
Pm4::Next Pm4::broken(std::string rule, std::uint64_t value, std::string text) {
  violation(std::move(rule), value, std::move(text));
  post(kBadOpcode, packet_header_);
  return Next::stuck;
}

bool Pm4::fetch(std::uint64_t va, std::uint32_t& out) {
  const std::uint64_t page = va & ~0xfffull;
  if (page != page_va_) {
    page_va_ = page;
    page_ = memory_.translate(fetcher_, page, AccessKind::read, 4096);
    if (!page_) {
      page_va_ = ~0ull;
      return false;
    }
  }
  out = __atomic_load_n(reinterpret_cast<const std::uint32_t*>(page_ + (va & 0xfff)), __ATOMIC_RELAXED);
  return true;
}

// Reads the next packet of the innermost buffer, or of the ring, into body_. False: fetching faulted or the packet is
// longer than what there is; `length` is then 0 for the latter.
bool Pm4::fetch_packet(const Pm4Ring& ring, std::uint32_t& header, std::uint64_t& length) {
  // A page stays good for a packet; after that somebody may have changed the tables.
  if (const std::uint64_t g = memory_.generation(); g != page_generation_) {
    page_generation_ = g;
    page_va_ = ~0ull;
  }
  const bool in_ring = buffers_.empty();
  const std::uint64_t at = in_ring ? ring.rptr : buffers_.back().at;
  const std::uint64_t end = in_ring ? ring.wptr : buffers_.back().size;
  const auto address = [&](std::uint64_t i) {
    return in_ring ? ring.base + (i & (ring.dwords - 1)) * 4 : buffers_.back().base + i * 4;
  };
  packet_va_ = address(at);
  length = 1;
  if (!fetch(packet_va_, header)) return false;
  packet_header_ = header;
  body_.clear();
  const bool no_body =
      pm4::kType.in(header) == 2 ||
      (pm4::kType.in(header) == 3 && pm4::kOpcode.in(header) == pm4::NOP && pm4::kCount.in(header) == pm4::kNopSingle);
  if (no_body || pm4::kType.in(header) != 3) return true;
  const std::uint64_t count = pm4::kCount.in(header) + 1;
  if (at + 1 + count > end) {
    length = 0;
    return false;
  }
  length = 1 + count;
  for (std::uint64_t i = 0; i < count; ++i) {
    std::uint32_t v = 0;
    if (!fetch(address(at + 1 + i), v)) return false;
    body_.push_back(v);
  }
  return true;
}

Pm4Result Pm4::run(Pm4Ring& ring) {
  for (;;) {
    if (host_.interrupted()) return Pm4Result::interrupted;
    if (!buffers_.empty() && buffers_.back().at == buffers_.back().size) {
      buffers_.pop_back();
      continue;
    }
    if (buffers_.empty() && ring.rptr == ring.wptr) {
      if (drain() != Next::go) return Pm4Result::stuck;
      return Pm4Result::idle;
    }
    std::uint32_t header = 0;
    std::uint64_t length = 0;
    if (!fetch_packet(ring, header, length)) {
      if (length == 0) (void)broken("pm4.truncated", header, "the packet is longer than what the ring or buffer holds");
      return Pm4Result::stuck;
    }
    const std::size_t depth = buffers_.size();
    const Next next = execute(header, body_);
    if (next == Next::again) return Pm4Result::interrupted;
    if (next == Next::stuck) return Pm4Result::stuck;
    length += std::exchange(skip_, 0);
    if (depth == 0) ring.rptr += length;
    else
      buffers_[depth - 1].at = static_cast<std::uint32_t>(
          std::min<std::uint64_t>(buffers_[depth - 1].at + length, buffers_[depth - 1].size));
  }
}

Pm4::Next Pm4::execute(std::uint32_t header, Body body) {
  if (log::traced(log::Area::pm4)) log::write_trace(log::Area::pm4, where());
  switch (pm4::kType.in(header)) {
    case 2:
      return Next::go;
    case 3:
      break;
    default:
      return broken("pm4.type", header, "only type 2 and type 3 packets exist");
  }
  if (pm4::kShaderType.in(header) || pm4::kPredicate.in(header) || (header & 0xfc))
    return broken("pm4.reserved", header, "reserved bits of a packet header are set");
  return packet(pm4::kOpcode.in(header), body);
}

Pm4::Next Pm4::packet(std::uint32_t op, Body body) {
  struct Row {
    std::uint32_t op;
    std::size_t least, most;
    Next (Pm4::*run)(Body);
  };
  constexpr std::size_t kAny = 0x4000;
  static const Row kRows[] = {
      {pm4::DISPATCH_DIRECT, 4, 4, &Pm4::dispatch}, {pm4::PRED_EXEC, 1, 1, &Pm4::predicate},
      {pm4::WRITE_DATA, 4, kAny, &Pm4::write_data}, {pm4::WAIT_REG_MEM, 6, 6, &Pm4::wait_reg_mem},
      {pm4::INDIRECT_BUFFER, 3, 3, &Pm4::indirect}, {pm4::COPY_DATA, 5, 5, &Pm4::copy_data},
      {pm4::EVENT_WRITE, 1, 1, &Pm4::event_write},  {pm4::RELEASE_MEM, 7, 7, &Pm4::release_mem},
      {pm4::ACQUIRE_MEM, 7, 7, &Pm4::acquire_mem},
  };
  static const Row kGraphicsRows[] = {
      {pm4::SET_CONTEXT_REG, 2, kAny, &Pm4::set_context}, {pm4::COND_EXEC, 4, 4, &Pm4::skip_if_zero},
      {pm4::CLEAR_STATE, 1, 1, &Pm4::nothing_to_model},   {pm4::CONTEXT_CONTROL, 2, 2, &Pm4::nothing_to_model},
      {pm4::PREAMBLE_CNTL, 1, 1, &Pm4::nothing_to_model}, {pm4::SET_BASE, 3, 3, &Pm4::nothing_to_model},
      {pm4::PFP_SYNC_ME, 1, 1, &Pm4::nothing_to_model},   {pm4::SWITCH_BUFFER, 1, 1, &Pm4::nothing_to_model},
      {pm4::FRAME_CONTROL, 1, 1, &Pm4::nothing_to_model},
  };
  static const Row kMapperRows[] = {
      {pm4::SET_RESOURCES, 7, 7, &Pm4::nothing_to_model},
      {pm4::MAP_QUEUES, pm4::map_queues::kBody, pm4::map_queues::kBody, &Pm4::map_queues},
      {pm4::UNMAP_QUEUES, pm4::unmap_queues::kBody, pm4::unmap_queues::kBody, &Pm4::unmap_queues},
  };
  if (op == pm4::NOP) return Next::go;
  if (op == pm4::SET_SH_REG || op == pm4::SET_UCONFIG_REG) return set_registers(op, body);
  const auto find = [&](std::span<const Row> rows) -> const Row* {
    for (const Row& r : rows)
      if (r.op == op) return &r;
    return nullptr;
  };
  const Row* row = find(kRows);
  if (!row && graphics()) row = find(kGraphicsRows);
  if (!row && host_.mapper) row = find(kMapperRows);
  if (!row) return broken("pm4.opcode", op, "the microcode does not know this opcode");
  if (body.size() < row->least || body.size() > row->most)
    return broken("pm4.count", body.size(),
                  fmt::format("packet {:#x} has {} to {} body dwords", op, row->least, row->most));
  return (this->*row->run)(body);
}

Pm4::Next Pm4::set_registers(std::uint32_t op, Body body) {
  const bool sh = op == pm4::SET_SH_REG;
  const std::uint32_t start = sh ? pm4::kShRegStart : pm4::kUconfigRegStart;
  const std::uint32_t end = sh ? pm4::kShRegEnd : pm4::kUconfigRegEnd;
  if (body.size() < 2) return broken("pm4.count", body.size(), "a SET packet needs a register and a value");
  const std::uint32_t first = start + pm4::kRegOffset.in(body[0]);
  if (first + body.size() - 1 > end)
    return broken("pm4.register_window", first, "the registers lie outside the window of this packet");
  for (std::size_t i = 1; i < body.size(); ++i) {
    const std::uint32_t dword = first + static_cast<std::uint32_t>(i) - 1;
    if (!sh) {
      chip_.registers.bank().write(dword, body[i]);
      continue;
    }
    if (!chip_.registers.bank().has(dword)) {
      violation("pm4.register_unbacked", dword, "a packet sets a register that this chip does not have");
      continue;
    }
    const std::uint32_t reserved = body[i] & ~chip_.registers.bank().spec(dword).fields;
    if (reserved)
      violation("register.reserved", body[i],
                fmt::format("reserved bits {:#x} of register {:#x} are set", reserved, dword));
    sh_.value[dword - ShRegisters::kFirst] = body[i];
    sh_.written[dword - ShRegisters::kFirst] = true;
  }
  return Next::go;
}

Pm4::Next Pm4::dispatch(Body body) {
  isa::Dispatch d;
  const auto place = [this] { return where(); };
  if (!shaders_.prepare(sh_, body.data(), body[3], host_.sh_mem_bases(host_.vmid), place, d)) return Next::stuck;
  if (d.groups[0] == 0 || d.groups[1] == 0 || d.groups[2] == 0) return Next::go;
  pending_.push_back(d);
  return rng_() % 2 ? drain() : Next::go;
}

Pm4::Next Pm4::drain() {
  for (const isa::Dispatch& d : pending_)
    if (const Next n = run_pending(d); n != Next::go) {
      pending_.clear();
      return n;
    }
  pending_.clear();
  return Next::go;
}

Pm4::Next Pm4::run_pending(const isa::Dispatch& d) {
  const isa::Report r = shaders_.run(d, host_.vmid, *host_.stop);
  switch (r.outcome) {
    case isa::Outcome::done:
      return Next::go;
    case isa::Outcome::memory_fault:  // the hub has latched and posted it
    case isa::Outcome::stopped:
      return Next::stuck;
    case isa::Outcome::illegal:
      break;
  }
  // SQ_INTERRUPT_ID: encoding "error" in [7:6] of the second word, error type ILLEGAL_INST in [24:21] of the first.
  constexpr std::uint8_t kSqInterrupt = 239;
  constexpr std::uint32_t kIllegalInst = 1u << 21, kError = 2u << 6;
  log::error("model: wave stopped at {:#x}: {}", r.pc, r.text);
  chip_.report("sq", "sq.illegal_instruction", fmt::format("pc {:#x}", r.pc), r.pc, r.text, "RDNA3 ISA guide");
  post(kSqInterrupt, kIllegalInst, kError);
  return Next::stuck;
}

Pm4::Next Pm4::indirect(Body body) {
  namespace ib = pm4::indirect_buffer;
  const std::uint64_t base = body[0] | static_cast<std::uint64_t>(body[1] & 0xffff) << 32;
  const std::uint32_t size = ib::SIZE.in(body[2]);
  if (!ib::VALID.in(body[2]) && !graphics()) return broken("pm4.ib_valid", body[2], "VALID is not set");
  if (size == 0) return broken("pm4.ib_size", body[2], "an indirect buffer has at least one dword");
  if (base & 3) return broken("pm4.ib_alignment", base, "an indirect buffer is 4-byte aligned");
  if (ib::VMID.in(body[2]) != host_.vmid)
    return broken("pm4.ib_vmid", body[2], "the buffer names another VMID than its queue has");
  if (buffers_.size() == kMostBuffers) return broken("pm4.ib_nesting", base, "indirect buffers nest two deep");
  buffers_.push_back({.base = base, .size = size, .at = 0});
  return Next::go;
}

Pm4::Next Pm4::set_context(Body body) {
  const std::uint32_t first = pm4::kRegOffset.in(body[0]);
  if (first + body.size() - 1 > context_.size())
    return broken("pm4.register_window", first, "the registers lie outside the window of this packet");
  std::copy(body.begin() + 1, body.end(), context_.begin() + first);
  return Next::go;
}

Pm4::Next Pm4::skip_if_zero(Body body) {
  const std::uint64_t va = body[0] | static_cast<std::uint64_t>(body[1] & 0xffff) << 32;
  std::uint32_t value = 0;
  if (!aligned(va, 4, "pm4.alignment", "the address of COND_EXEC") ||
      !memory_.load32({.client = ClientId::cpg, .vmid = host_.vmid}, va, value))
    return Next::stuck;
  if (!value) skip_ = pm4::cond_exec::EXEC_COUNT.in(body[3]);
  return Next::go;
}

// State of drawing, and orders to the parts of the front end that this model does not tell apart.
Pm4::Next Pm4::nothing_to_model(Body) { return Next::go; }

Pm4::Next Pm4::map_queues(Body body) {
  namespace m = pm4::map_queues;
  if (m::NUM_QUEUES.in(body[0]) != 1) return broken("pm4.map_queues", body[0], "one queue is mapped at a time");
  QueueName q{.pipe = m::PIPE.in(body[0]), .queue = m::QUEUE.in(body[0])};
  switch (m::ENGINE_SEL.in(body[0])) {
    case m::kEngineCompute:
      q.me = m::ME.in(body[0]);
      break;
    case m::kEngineGfx:
      q.me = QueueName::kGraphics;
      break;
    case m::kEngineMes:
      q.me = QueueName::kMes;
      break;
    default:
      return broken("pm4.map_queues", body[0], "there is no such engine");
  }
  const std::uint64_t mqd = body[2] | static_cast<std::uint64_t>(body[3]) << 32;
  return host_.mapper->map(q, mqd) ? Next::go : Next::stuck;
}

Pm4::Next Pm4::unmap_queues(Body body) {
  namespace u = pm4::unmap_queues;
  const std::uint32_t action = u::ACTION.in(body[0]);
  if (action == u::kPreemptNoUnmap) return broken("pm4.unmap_queues", body[0], "preemption alone is not modelled");
  return host_.mapper->unmap(u::DOORBELL_OFFSET.in(body[1]), action == u::kReset) ? Next::go : Next::stuck;
}

Pm4::Next Pm4::predicate(Body body) {
  namespace p = pm4::pred_exec;
  if (buffers_.empty())
    violation("pm4.pred_exec_in_ring", body[0],
              "PRED_EXEC works in indirect buffers only; in the ring it does nothing");
  else if (!(p::DEVICE_SELECT.in(body[0]) & 1)) skip_ = p::EXEC_COUNT.in(body[0]);
  return Next::go;
}

Pm4::Next Pm4::event_write(Body body) {
  namespace e = pm4::event_write;
  const std::uint32_t type = e::EVENT_TYPE.in(body[0]), index = e::EVENT_INDEX.in(body[0]);
  const bool trace = type >= e::kThreadTraceStart && type <= e::kThreadTraceFinish;
  if (type == e::kCsPartialFlush && index == e::kCsPartialFlushIndex) return drain();
  if (trace && index == 0) return Next::go;
  return broken("pm4.event", body[0], "this event type does not go with this index");
}

}  // namespace hcq::models::am
