// SPDX-License-Identifier: MIT
#include "drivers/am/fault.h"

#include <fmt/format.h>

#include <iterator>

#include "drivers/am/abi/ih.h"
#include "drivers/am/gpu.h"

namespace hcq::am {

using namespace regs;

namespace {

// PERMISSION_FAULTS: what the page did not allow (gmc_v11_0.c).
constexpr std::uint32_t kNotValid = 1, kNoRead = 2, kNoWrite = 4, kNoExecute = 8;

std::string describe_permissions(std::uint32_t bits) {
  if (bits & kNotValid) return "the page is not mapped";
  std::string out;
  for (const auto& [bit, text] :
       {std::pair(kNoRead, "read"), std::pair(kNoWrite, "write"), std::pair(kNoExecute, "execute")})
    if (bits & bit) out += (out.empty() ? "the page does not allow " : ", ") + std::string(text);
  return out;
}

// What the GC hub latched. Entries of the interrupt ring carry address and access; who it was stands only here.
struct HubStatus {
  bool latched = false, write = false;
  std::uint32_t cid = 0, permissions = 0;
};

Result<HubStatus> take_gc_status(Gpu& gpu) {
  using S = GCVM_L2_PROTECTION_FAULT_STATUS;
  using C = GCVM_L2_PROTECTION_FAULT_CNTL;
  RegisterIo& io = gpu.io();
  HubStatus out;
  const auto v = HCQ_TRY(io.read<S>());
  if (v.raw == 0) return out;
  out = {true, v[S::RW] != 0, v[S::CID], v[S::PERMISSION_FAULTS]};
  HCQ_TRY(io.update<C>({C::CLEAR_PROTECTION_FAULT_STATUS_ADDR(1)}));
  HCQ_TRY(io.update<C>({C::CLEAR_PROTECTION_FAULT_STATUS_ADDR(0)}));
  return out;
}

Error page_fault(Gpu& gpu, const IhEvent& event, Error e) {
  const std::uint32_t high = event.entry.context(1);
  const std::uint64_t va = std::uint64_t{event.entry.context(0)} << 12 | std::uint64_t{abi::ih::fault::VA_HI.in(high)}
                                                                             << 44;
  bool write = abi::ih::fault::WRITE.in(high) != 0;
  std::string client = event.kind == IhKind::vm_fault_mm ? "the memory hub of media and firmware" : "an unknown client";
  std::string why;
  if (event.kind == IhKind::vm_fault_gc) {
    if (const auto hub = take_gc_status(gpu); hub.ok() && hub->latched) {
      client = gc_client_name(hub->cid);
      write = write || hub->write;
      why = describe_permissions(hub->permissions);
    }
  }
  e.subject = "page fault";
  e.address = va;
  e.detail = fmt::format("{} by {}, VMID {}", write ? "write" : "read", client, event.entry.vmid());
  if (!why.empty()) e.detail += ", " + why;
  e.detail += ", " + describe(gpu.memory().lookup(va));
  return e;
}

}  // namespace

const char* gc_client_name(std::uint32_t cid) {
  static constexpr const char* kNames[] = {
      "CB/DB",      "client 1", "GE1",       "GE2",   "CPF",   "CPC", "CPG",   "RLC",  "TCP", "SQC (instructions)",
      "SQC (data)", "SQG",      "client 12", "SDMA0", "SDMA1", "GCR", "SDMA2", "SDMA3"};
  return cid < std::size(kNames) ? kNames[cid] : "an unknown client";
}

Error fault_error(Gpu& gpu, const IhEvent& event) {
  Error e = gpu.link().error(Errc::device_fault, event.name);
  e.operation = "run";
  if (event.kind == IhKind::vm_fault_gc || event.kind == IhKind::vm_fault_mm)
    return page_fault(gpu, event, std::move(e));
  e.detail = fmt::format("client {} source {} context {:#x} {:#x}", event.entry.client(), event.entry.source(),
                         event.entry.context(0), event.entry.context(1));
  return e;
}

void install_fault_handler(Gpu& gpu) {
  gpu.ih().set_handler([&gpu](const IhEvent& event) {
    if (event.fault && gpu.fault().ok()) gpu.set_fault(fault_error(gpu, event));
  });
}

}  // namespace hcq::am
