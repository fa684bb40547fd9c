// SPDX-License-Identifier: MIT
// Order and values: ih_v6_0.c of Linux 6.12. Read and write pointers are byte offsets.
#include "drivers/am/ih.h"

#include <fmt/format.h>

#include <bit>
#include <cstring>

#include "base/log.h"
#include "drivers/am/abi/ih.h"
#include "drivers/am/gpu.h"

namespace hcq::am {

using namespace regs;

namespace {

constexpr std::uint32_t kMcSpace = 4;  // ring addresses are MC addresses, not bus addresses
constexpr std::uint32_t kMsiStormDelay = 3;
constexpr std::uint32_t kBaseShift = 8;
constexpr unsigned kBaseHiMask = 0xff, kWritebackHiMask = 0xffff;

struct SourceRow {
  std::uint8_t client, source;
  IhKind kind;
  bool fault;
  const char* name;
};

constexpr SourceRow cp(std::uint8_t source, IhKind kind, bool fault, const char* name) {
  return {abi::ih::SOC21_IH_CLIENTID_GRBM_CP, source, kind, fault, name};
}
constexpr SourceRow gfx(std::uint8_t source, IhKind kind, bool fault, const char* name) {
  return {abi::ih::SOC21_IH_CLIENTID_GFX, source, kind, fault, name};
}

// Which interrupts the supported blocks send: irqsrcs_gfx_11_0_0.h and soc15_ih_clientid.h of Linux 6.12.
constexpr SourceRow kSources[] = {
    cp(abi::ih::CP_EOP_INTERRUPT, IhKind::end_of_pipe, false, "CP_EOP_INTERRUPT"),
    cp(abi::ih::CP_PM4_PKT_RSVD_BIT_ERROR, IhKind::cp_error, true, "CP_PM4_PKT_RSVD_BIT_ERROR"),
    cp(abi::ih::CP_BAD_OPCODE_ERROR, IhKind::cp_error, true, "CP_BAD_OPCODE_ERROR"),
    cp(abi::ih::CP_PRIV_REG_FAULT, IhKind::cp_error, true, "CP_PRIV_REG_FAULT"),
    cp(abi::ih::CP_PRIV_INSTR_FAULT, IhKind::cp_error, true, "CP_PRIV_INSTR_FAULT"),
    cp(abi::ih::CP_ME_WAIT_REG_MEM_POLL_TIMEOUT, IhKind::cp_error, true, "CP_ME_WAIT_REG_MEM_POLL_TIMEOUT"),
    cp(abi::ih::CP_GPF, IhKind::cp_error, true, "CP_GPF"),
    cp(abi::ih::CP_ECC_ERROR, IhKind::cp_error, true, "CP_ECC_ERROR"),
    cp(abi::ih::CP_FUE_ERROR, IhKind::cp_error, true, "CP_FUE_ERROR"),
    cp(abi::ih::GRBM_RD_TIMEOUT_ERROR, IhKind::cp_error, true, "GRBM_RD_TIMEOUT_ERROR"),
    cp(abi::ih::SQ_INTERRUPT_ID, IhKind::sq, false, "SQ_INTERRUPT"),
    gfx(abi::ih::UTCL2_FAULT, IhKind::vm_fault_gc, true, "UTCL2_FAULT"),
    gfx(abi::ih::SDMA_TRAP, IhKind::sdma_trap, false, "SDMA_TRAP"),
    gfx(abi::ih::SDMA_DOORBELL_INVALID, IhKind::sdma_error, true, "SDMA_DOORBELL_INVALID"),
    gfx(abi::ih::SDMA_QUEUE_HANG, IhKind::sdma_error, true, "SDMA_QUEUE_HANG"),
    gfx(abi::ih::SDMA_ATOMIC_TIMEOUT, IhKind::sdma_error, true, "SDMA_ATOMIC_TIMEOUT"),
    gfx(abi::ih::SDMA_POLL_TIMEOUT, IhKind::sdma_error, true, "SDMA_POLL_TIMEOUT"),
    gfx(abi::ih::SDMA_PAGE_TIMEOUT, IhKind::sdma_error, true, "SDMA_PAGE_TIMEOUT"),
    gfx(abi::ih::SDMA_PAGE_NULL, IhKind::sdma_error, true, "SDMA_PAGE_NULL"),
    gfx(abi::ih::SDMA_PAGE_FAULT, IhKind::sdma_error, true, "SDMA_PAGE_FAULT"),
    gfx(abi::ih::SDMA_VM_HOLE, IhKind::sdma_error, true, "SDMA_VM_HOLE"),
    gfx(abi::ih::SDMA_ECC, IhKind::sdma_error, true, "SDMA_ECC"),
    gfx(abi::ih::SDMA_SRAM_ECC, IhKind::sdma_error, true, "SDMA_SRAM_ECC"),
    gfx(abi::ih::CP_EOP_INTERRUPT, IhKind::end_of_pipe, false, "CP_EOP_INTERRUPT"),
    gfx(abi::ih::SQ_INTERRUPT_ID, IhKind::sq, false, "SQ_INTERRUPT"),
};

// The fault facts that the entry itself carries; a richer report is made from the hub's registers by a handler.
Error fault_error(Gpu& gpu, const IhEvent& e) {
  Error error = gpu.link().error(Errc::device_fault, e.name);
  error.operation = "ih";
  if (e.kind == IhKind::vm_fault_gc || e.kind == IhKind::vm_fault_mm) {
    const std::uint32_t high = e.entry.context(1);
    const std::uint64_t va = std::uint64_t{e.entry.context(0)} << 12 | std::uint64_t{abi::ih::fault::VA_HI.in(high)}
                                                                           << 44;
    error.address = va;
    error.detail = fmt::format("page fault on a {} by VMID {}, {}", abi::ih::fault::WRITE.in(high) ? "write" : "read",
                               e.entry.vmid(), describe(gpu.memory().lookup(va)));
  } else {
    error.detail = fmt::format("client {} source {} context {:#x} {:#x}", e.entry.client(), e.entry.source(),
                               e.entry.context(0), e.entry.context(1));
  }
  return error;
}

}  // namespace

IhEvent decode_ih_entry(const IhEntry& entry) {
  IhEvent e{.entry = entry, .kind = IhKind::other, .name = "unknown interrupt", .fault = false};
  if (entry.client() == abi::ih::SOC21_IH_CLIENTID_VMC) {
    e.kind = IhKind::vm_fault_mm;
    e.name = "VMC_FAULT";
    e.fault = true;
    return e;
  }
  for (const SourceRow& row : kSources)
    if (row.client == entry.client() && row.source == entry.source()) {
      e.kind = row.kind;
      e.name = row.name;
      e.fault = row.fault;
      break;
    }
  constexpr std::uint32_t kSqErrorEncoding = 2;
  if (e.kind == IhKind::sq && abi::ih::sq::ENCODING.in(entry.context(1)) == kSqErrorEncoding) {
    constexpr const char* kTypes[] = {"SQ_EDC_FUE", "SQ_ILLEGAL_INST", "SQ_MEMVIOL", "SQ_EDC_FED"};
    const std::uint32_t type = abi::ih::sq::ERROR_TYPE.in(entry.context(0));
    e.name = type < std::size(kTypes) ? kTypes[type] : "SQ_ERROR";
    e.fault = true;
  }
  return e;
}

Status Ih::start() {
  const std::scoped_lock lock(mutex_);
  RegisterIo& io = gpu_.io();
  using C = IH_RB_CNTL;
  using C1 = IH_RB_CNTL_RING1;
  HCQ_TRY(io.update<C>({C::RB_ENABLE(0), C::ENABLE_INTR(0)}));
  HCQ_TRY(io.update<C1>({C1::RB_ENABLE(0)}));
  for (unsigned i = 0; i < 2; ++i) {
    const Region ring = gpu_.layout().ih[i].ring;
    rings_[i] = {.paddr = ring.paddr, .bytes = static_cast<std::uint32_t>(ring.bytes), .rptr = 0};
  }
  const std::uint32_t size = static_cast<std::uint32_t>(std::bit_width(rings_[0].bytes / 4) - 1);
  const std::uint64_t base0 = gpu_.mc(rings_[0].paddr) >> kBaseShift, base1 = gpu_.mc(rings_[1].paddr) >> kBaseShift;
  const std::uint64_t writeback = gpu_.mc(gpu_.layout().ih[0].writeback.paddr);

  HCQ_TRY(io.write_raw<IH_RB_BASE>(lo32(base0)));
  HCQ_TRY(io.write_raw<IH_RB_BASE_HI>(hi32(base0) & kBaseHiMask));
  HCQ_TRY(io.update<C>({C::MC_SPACE(kMcSpace), C::WPTR_OVERFLOW_CLEAR(1), C::WPTR_OVERFLOW_ENABLE(1), C::RB_SIZE(size),
                        C::WPTR_WRITEBACK_ENABLE(0), C::MC_SNOOP(1), C::MC_RO(0), C::MC_VMID(0), C::RPTR_REARM(1)}));
  HCQ_TRY(io.write_raw<IH_RB_WPTR_ADDR_LO>(lo32(writeback)));
  HCQ_TRY(io.write_raw<IH_RB_WPTR_ADDR_HI>(hi32(writeback) & kWritebackHiMask));
  HCQ_TRY(io.write_raw<IH_RB_WPTR>(0));
  HCQ_TRY(io.write_raw<IH_RB_RPTR>(0));
  HCQ_TRY(io.update<IH_DOORBELL_RPTR>({IH_DOORBELL_RPTR::ENABLE(0)}));

  HCQ_TRY(io.write_raw<IH_RB_BASE_RING1>(lo32(base1)));
  HCQ_TRY(io.write_raw<IH_RB_BASE_HI_RING1>(hi32(base1) & kBaseHiMask));
  HCQ_TRY(
      io.update<C1>({C1::MC_SPACE(kMcSpace), C1::WPTR_OVERFLOW_CLEAR(1), C1::WPTR_OVERFLOW_ENABLE(0), C1::RB_SIZE(size),
                     C1::MC_SNOOP(1), C1::MC_RO(0), C1::MC_VMID(0), C1::RB_FULL_DRAIN_ENABLE(1)}));
  HCQ_TRY(io.write_raw<IH_RB_WPTR_RING1>(0));
  HCQ_TRY(io.write_raw<IH_RB_RPTR_RING1>(0));
  HCQ_TRY(io.update<IH_DOORBELL_RPTR_RING1>({IH_DOORBELL_RPTR_RING1::ENABLE(0)}));

  using Storm = IH_STORM_CLIENT_LIST_CNTL;
  HCQ_TRY(io.update<Storm>({Storm::CLIENT18_IS_STORM_CLIENT(1)}));
  HCQ_TRY(io.update<IH_INT_FLOOD_CNTL>({IH_INT_FLOOD_CNTL::FLOOD_CNTL_ENABLE(1)}));
  if (io.has<IH_MSI_STORM_CTRL>()) HCQ_TRY(io.update<IH_MSI_STORM_CTRL>({IH_MSI_STORM_CTRL::DELAY(kMsiStormDelay)}));
  // The clear bits were pulsed above; left set they would keep new overflows from being seen.
  HCQ_TRY(io.update<C>({C::WPTR_OVERFLOW_CLEAR(0), C::RB_ENABLE(1), C::ENABLE_INTR(1)}));
  HCQ_TRY(io.update<C1>({C1::WPTR_OVERFLOW_CLEAR(0), C1::RB_ENABLE(1)}));
  running_ = true;
  return {};
}

void Ih::stop() {
  const std::scoped_lock lock(mutex_);
  running_ = false;
  RegisterIo& io = gpu_.io();
  gpu_.note_undo(io.update<IH_RB_CNTL>({IH_RB_CNTL::RB_ENABLE(0), IH_RB_CNTL::ENABLE_INTR(0)}));
  gpu_.note_undo(io.update<IH_RB_CNTL_RING1>({IH_RB_CNTL_RING1::RB_ENABLE(0)}));
}

void Ih::set_handler(Handler handler) {
  const std::scoped_lock lock(mutex_);
  handler_ = std::move(handler);
}

Ih::Counters Ih::counters() const {
  const std::scoped_lock lock(mutex_);
  return counters_;
}

Result<std::uint32_t> Ih::write_pointer(unsigned ring) {
  if (ring == 0) return HCQ_TRY(gpu_.io().read<IH_RB_WPTR>()).raw;
  return HCQ_TRY(gpu_.io().read<IH_RB_WPTR_RING1>()).raw;
}

Status Ih::set_read_pointer(unsigned ring, std::uint32_t rptr) {
  rings_[ring].rptr = rptr;
  return ring == 0 ? gpu_.io().write_raw<IH_RB_RPTR>(rptr) : gpu_.io().write_raw<IH_RB_RPTR_RING1>(rptr);
}

// The ring was lapped: the oldest entry that is still whole is the one behind the write pointer.
Status Ih::handle_overflow(unsigned ring, std::uint32_t wptr) {
  Ring& r = rings_[ring];
  const std::uint64_t lost = ((wptr - r.rptr) & (r.bytes - 1)) / abi::ih::kEntryBytes + 1;
  counters_.lost += lost;
  if (counters_.overflows++ == 0) log::warn("{}: interrupt ring overflow, at least {} entries lost", gpu_.name(), lost);
  r.rptr = (wptr + abi::ih::kEntryBytes) & (r.bytes - 1);
  RegisterIo& io = gpu_.io();
  if (ring == 0) {
    HCQ_TRY(io.update<IH_RB_CNTL>({IH_RB_CNTL::WPTR_OVERFLOW_CLEAR(1)}));
    return io.update<IH_RB_CNTL>({IH_RB_CNTL::WPTR_OVERFLOW_CLEAR(0)});
  }
  HCQ_TRY(io.update<IH_RB_CNTL_RING1>({IH_RB_CNTL_RING1::WPTR_OVERFLOW_CLEAR(1)}));
  return io.update<IH_RB_CNTL_RING1>({IH_RB_CNTL_RING1::WPTR_OVERFLOW_CLEAR(0)});
}

void Ih::deliver(const IhEntry& entry) {
  const IhEvent event = decode_ih_entry(entry);
  ++counters_.entries;
  log::trace(log::Area::ih, "{} client {} source {} vmid {} context {:#x} {:#x}", event.name, entry.client(),
             entry.source(), entry.vmid(), entry.context(0), entry.context(1));
  if (event.kind == IhKind::other && counters_.unknown++ == 0)
    log::warn("{}: interrupt from client {} source {} is not known", gpu_.name(), entry.client(), entry.source());
  if (handler_) handler_(event);
  else if (event.fault) gpu_.set_fault(fault_error(gpu_, event));
}

Result<unsigned> Ih::drain(unsigned ring) {
  const std::uint32_t raw = HCQ_TRY(write_pointer(ring));
  Ring& r = rings_[ring];
  // The fields lie alike in both rings' registers.
  const auto value = gpu_.io().map().decode<IH_RB_WPTR>(raw);
  const std::uint32_t wptr = value[IH_RB_WPTR::OFFSET] * 4;
  if (wptr % abi::ih::kEntryBytes || wptr >= r.bytes) {
    Error e = gpu_.link().error(Errc::corrupt, ring ? "IH_RB_WPTR_RING1" : "IH_RB_WPTR", "not an entry of the ring");
    e.operation = "ih";
    e.actual = raw;
    return e;
  }
  if (value[IH_RB_WPTR::RB_OVERFLOW]) HCQ_TRY(handle_overflow(ring, wptr));
  unsigned n = 0;
  for (; r.rptr != wptr; ++n) {
    IhEntry entry;
    HCQ_TRY(gpu_.vram().read(r.paddr + r.rptr, std::as_writable_bytes(std::span(entry.dw))));
    r.rptr = (r.rptr + abi::ih::kEntryBytes) & (r.bytes - 1);
    deliver(entry);
  }
  if (n) HCQ_TRY(set_read_pointer(ring, r.rptr));
  return n;
}

Result<unsigned> Ih::process() {
  const std::scoped_lock lock(mutex_);
  if (!running_) return 0u;
  const unsigned first = HCQ_TRY(drain(0));
  return first + HCQ_TRY(drain(1));
}

}  // namespace hcq::am
